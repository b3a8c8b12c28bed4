//! Bounds with morph targets, for weights of any magnitude and sign.

use sinew::bounds::{BoundsOptions, JointBounds};
use sinew::mesh::{Deltas, MorphSource, Morphed, Weights};
use sinew::skinning::{Blending, DualQuaternionPalette};
use sinew::{Aabb, LengthError, Mesh, MeshSource, Runtime, SkinOptions};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::support::backends::{fast_runtime, runtime};
use crate::support::bounds_check::BoundsCheck;
use crate::support::vertex_cloud::{VertexCloud, build_palette, identity_skin_on};

const JOINTS: usize = 12;
const TARGETS: usize = 5;
const POSES: usize = if EMULATED { 3 } else { 100 };

/// Random targets, most of whose deltas are zero.
fn random_targets(vertices: usize, random: &mut Random) -> Vec<Vec<[f32; 3]>> {
    let target = |target: usize| {
        let once_in = [40, 1, 3, 10, 2][target % 5];
        let delta = |_| if random.once_in(once_in) { random.vector(0.7) } else { [0.0; 3] };
        (0..vertices).map(delta).collect()
    };
    (0..TARGETS).map(target).collect()
}

fn random_weights(random: &mut Random) -> [f32; TARGETS] {
    let size = [1.0, 0.01, 3.0, 1e4][random.below(4)];
    [0; TARGETS].map(|_| if random.once_in(3) { 0.0 } else { random.between(-size, size) })
}

fn run_with_mesh(weights: Weights, runtime: Runtime, test: impl FnOnce(&Mesh, &sinew::Skin, Random)) {
    let mut random = Random::new(630);
    let skin = identity_skin_on(runtime, JOINTS);
    let cloud = VertexCloud::new(200, 5, JOINTS, &mut random);
    let targets = random_targets(200, &mut random);
    let morph = |deltas| MorphSource { positions: Deltas::Dense(deltas), ..MorphSource::default() };
    let morphs: Vec<MorphSource<'_>> = targets.iter().map(|deltas| morph(deltas)).collect();
    let source = MeshSource { morphs: &morphs, weights, levels: &[1, 2], ..cloud.source() };
    test(&Mesh::new(&source, &skin).expect("a valid mesh"), &skin, random);
}

#[test]
fn bounds_contain_every_morphed_vertex_on_every_backend() {
    every_backend(|run| {
        for kept in [Weights::Normalized, Weights::AsStored] {
            run_with_mesh(kept, runtime(run), |mesh, skin, mut random| {
                let check = BoundsCheck::new(mesh);
                let mut morphed = Morphed::new(mesh);
                let mut dual_quaternions = DualQuaternionPalette::new(skin);
                for pose in 0..POSES {
                    let palette = build_palette(skin, &rigs::sheared_matrices(JOINTS, &mut random));
                    let morph_weights = random_weights(&mut random);
                    mesh.morph(&morph_weights, &mut morphed).expect("finite weights");
                    dual_quaternions.update(&palette).expect("a palette of the skin");
                    for blending in [Blending::Linear, Blending::DualQuaternion(&dual_quaternions)] {
                        let bounds = BoundsOptions::default()
                            .with_blending(blending)
                            .with_morph_weights(&morph_weights);
                        for max_influences in [1, 2, usize::MAX] {
                            let skin = SkinOptions::default()
                                .with_blending(blending)
                                .with_morphed(&morphed)
                                .with_max_influences(max_influences);
                            check.assert_contains_vertices(
                                &palette,
                                &skin,
                                &bounds,
                                &format!("{run}, {kept:?}, pose {pose}"),
                            );
                        }
                    }
                }
            });
        }
    });
}

#[test]
fn zero_morph_weights_equal_no_morph_weights() {
    let runtime = fast_runtime();
    run_with_mesh(Weights::Normalized, runtime, |mesh, skin, mut random| {
        let palette = build_palette(skin, &rigs::rigid_matrices(JOINTS, &mut random));
        let none = BoundsOptions::default();
        let zeros = none.with_morph_weights(&[0.0; TARGETS]);
        assert_eq!(
            JointBounds::build(mesh).aabb(&palette, &zeros),
            JointBounds::build(mesh).aabb(&palette, &none)
        );
        let mut dual_quaternions = DualQuaternionPalette::new(skin);
        dual_quaternions.update(&palette).expect("a palette of the skin");
        let [none, zeros] =
            [none, zeros].map(|o| o.with_blending(Blending::DualQuaternion(&dual_quaternions)));
        assert_eq!(
            JointBounds::build(mesh).aabb(&palette, &zeros),
            JointBounds::build(mesh).aabb(&palette, &none)
        );
    });
}

#[test]
fn non_finite_morph_weights_give_infinite_bounds_and_wrong_counts_are_rejected() {
    let everything = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
    let runtime = fast_runtime();
    run_with_mesh(Weights::Normalized, runtime, |mesh, skin, _| {
        let palette = sinew::Palette::new(skin);
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38] {
            let mut morph_weights = [0.0; TARGETS];
            morph_weights[1] = bad;
            let options = BoundsOptions::default().with_morph_weights(&morph_weights);
            assert_eq!(JointBounds::build(mesh).aabb(&palette, &options), Ok(everything));
        }
        let options = BoundsOptions::default().with_morph_weights(&[1.0; 2]);
        let expected = LengthError { what: "weights of morph targets", expected: TARGETS, found: 2 }.into();
        assert_eq!(JointBounds::build(mesh).aabb(&palette, &options), Err(expected));
    });
}
