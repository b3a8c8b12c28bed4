//! Every kind of run that dual quaternion skinning handles, and the calls that skin it.

use sinew_kernels::{DirectionLength, NormalTransform};
use sinew_testkit::backends::EMULATED;
use sinew_testkit::dual_quaternions::{DualQuaternionInput, JointLayout};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::shared_joints::{SharedJointsInput, SkinCall};
use sinew_testkit::skin_properties::SkinInput;

pub(crate) const RUNS: usize = if EMULATED { 5 } else { 20 };

/// Numbers with specialized code, and some larger ones.
pub(crate) const INFLUENCES: [usize; 6] = [1, 2, 3, 4, 5, 9];

/// Position, normal and tangent, as blended.
pub(crate) const PLAIN: SkinCall =
    SkinCall { vectors: 3, directions: DirectionLength::AsBlended, normals: NormalTransform::BlendedMatrix };

/// Every kind of palette and mix.
pub(crate) fn kinds(
    runs: usize,
    influences: usize,
    random: &mut Random,
) -> Vec<(&'static str, DualQuaternionInput)> {
    let runs = SharedJointsInput::new(runs, influences, random);
    let rigid = DualQuaternionInput::rigid(runs.clone());
    let stretched = DualQuaternionInput::with_scale(runs, rigs::sheared_matrices(9, random));
    vec![
        ("rigid, mixed", rigid.clone().with_random_mix(random)),
        ("rigid, own joints", rigid.clone().with_random_per_vertex_joints(random)),
        ("rigid", rigid),
        ("stretched, mixed", stretched.clone().with_random_mix(random)),
        (
            "stretched, own joints",
            stretched.clone().with_random_mix(random).with_random_per_vertex_joints(random),
        ),
        ("stretched", stretched),
    ]
}

/// The calls of a kind: all of them for the simplest kind, some for the others.
pub(crate) fn calls(kind: &str) -> Vec<SkinCall> {
    let every = SkinCall::all();
    if kind == "rigid" { every } else { vec![every[0], every[7], PLAIN] }
}

/// The layouts of a kind.
pub(crate) fn layouts(kind: &str) -> &'static [JointLayout] {
    if kind.contains("own") { &[JointLayout::PerVertex] } else { &JointLayout::ALL }
}
