//! Every kind of run that dual quaternion skinning handles, and the calls that skin it.

use sinew_kernels::{DirectionLength, NormalTransform};
use sinew_testkit::backends::EMULATED;
use sinew_testkit::duals::{Duals, Layout};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::runs::{Call, Runs};
use sinew_testkit::subject::Subject;

pub(crate) const RUNS: usize = if EMULATED { 5 } else { 20 };

/// Numbers with specialized code, and some larger ones.
pub(crate) const INFLUENCES: [usize; 6] = [1, 2, 3, 4, 5, 9];

/// Position, normal and tangent, as blended.
pub(crate) const PLAIN: Call =
    Call { vectors: 3, directions: DirectionLength::AsBlended, normals: NormalTransform::BlendedMatrix };

/// Every kind of palette and mix.
pub(crate) fn kinds(runs: usize, influences: usize, random: &mut Random) -> Vec<(&'static str, Duals)> {
    let runs = Runs::new(runs, influences, random);
    let rigid = Duals::rigid(runs.clone());
    let stretched = Duals::stretched(runs, rigs::sheared_matrices(9, random));
    vec![
        ("rigid, mixed", rigid.clone().mixed(random)),
        ("rigid, own joints", rigid.clone().with_own_joints(random)),
        ("rigid", rigid),
        ("stretched, mixed", stretched.clone().mixed(random)),
        ("stretched, own joints", stretched.clone().mixed(random).with_own_joints(random)),
        ("stretched", stretched),
    ]
}

/// The calls of a kind: all of them for the simplest kind, some for the others.
pub(crate) fn calls(kind: &str) -> Vec<Call> {
    let every = Call::every();
    if kind == "rigid" { every } else { vec![every[0], every[7], PLAIN] }
}

/// The layouts of a kind.
pub(crate) fn layouts(kind: &str) -> &'static [Layout] {
    if kind.contains("own") { &[Layout::Own] } else { &Layout::ALL }
}
