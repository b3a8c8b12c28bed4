//! Bounds with morph targets: weights of any size and sign.

use crate::cloud;

use crate::cloud::Cloud;
use crate::held::Holds;
use sinew::{
    Aabb, Blending, BoundsOptions, Deltas, DualPalette, Error, Mesh, MeshSource, MorphSource, Morphed,
    SkinOptions, Weights,
};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

const JOINTS: usize = 12;
const TARGETS: usize = 5;
const POSES: usize = if EMULATED { 3 } else { 100 };

/// Most deltas are zero; the first target has few others.
fn targets(vertices: usize, random: &mut Random) -> Vec<Vec<[f32; 3]>> {
    let target = |target: usize| {
        let once_in = [40, 1, 3, 10, 2][target % 5];
        let delta = |_| if random.once_in(once_in) { random.vector(0.7) } else { [0.0; 3] };
        (0..vertices).map(delta).collect()
    };
    (0..TARGETS).map(target).collect()
}

fn weights(random: &mut Random) -> [f32; TARGETS] {
    let size = [1.0, 0.01, 3.0, 1e4][random.below(4)];
    [0; TARGETS].map(|_| if random.once_in(3) { 0.0 } else { random.between(-size, size) })
}

fn with_mesh(
    weights: Weights,
    kernels: &'static sinew::Kernels,
    test: impl FnOnce(&Mesh, &sinew::Skin, Random),
) {
    let mut random = Random::new(630);
    let skin = cloud::skin_on(kernels, JOINTS);
    let cloud = Cloud::new(200, 5, JOINTS, &mut random);
    let targets = targets(200, &mut random);
    let morph = |deltas| MorphSource { positions: Deltas::Dense(deltas), ..MorphSource::default() };
    let morphs: Vec<MorphSource<'_>> = targets.iter().map(|deltas| morph(deltas)).collect();
    let source = MeshSource { morphs: &morphs, weights, levels: &[1, 2], ..cloud.source() };
    test(&Mesh::new(&source, &skin).expect("a sound mesh"), &skin, random);
}

#[test]
fn every_vertex_that_was_morphed_is_held_on_every_isa() {
    every_backend(|run| {
        for kept in [Weights::Normalised, Weights::AsStored] {
            with_mesh(kept, run.kernels, |mesh, skin, mut random| {
                let holds = Holds::new(mesh);
                let mut morphed = Morphed::new(mesh);
                let mut duals = DualPalette::new(skin);
                for pose in 0..POSES {
                    let palette = cloud::palette(skin, &rigs::sheared_matrices(JOINTS, &mut random));
                    let morph_weights = weights(&mut random);
                    mesh.morph(&morph_weights, &mut morphed).expect("finite weights");
                    duals.update(&palette).expect("a palette of the skin");
                    for blending in [Blending::Linear, Blending::Duals(&duals)] {
                        let bounds = BoundsOptions { blending, morph_weights: &morph_weights };
                        for max_influences in [1, 2, usize::MAX] {
                            let morphed = Some(&morphed);
                            let skin =
                                SkinOptions { blending, morphed, max_influences, ..SkinOptions::default() };
                            holds.all(&palette, &skin, &bounds, &format!("{run}, {kept:?}, pose {pose}"));
                        }
                    }
                }
            });
        }
    });
}

#[test]
fn weights_of_nothing_are_no_weights() {
    let kernels = sinew::backend::default().expect("a backend").kernels(sinew::FloatMode::Fast);
    with_mesh(Weights::Normalised, kernels, |mesh, skin, mut random| {
        let palette = cloud::palette(skin, &rigs::rigid_matrices(JOINTS, &mut random));
        let none = BoundsOptions::default();
        let zeros = BoundsOptions { morph_weights: &[0.0; TARGETS], ..none };
        assert_eq!(mesh.bounds(&palette, &zeros), mesh.bounds(&palette, &none));
        let mut duals = DualPalette::new(skin);
        duals.update(&palette).expect("a palette of the skin");
        let [none, zeros] = [none, zeros].map(|o| BoundsOptions { blending: Blending::Duals(&duals), ..o });
        assert_eq!(mesh.bounds(&palette, &zeros), mesh.bounds(&palette, &none));
    });
}

#[test]
fn a_weight_that_is_not_a_number_is_everywhere_and_a_wrong_number_of_them_refused() {
    let everything = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
    let kernels = sinew::backend::default().expect("a backend").kernels(sinew::FloatMode::Fast);
    with_mesh(Weights::Normalised, kernels, |mesh, skin, _| {
        let palette = sinew::Palette::new(skin);
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38] {
            let mut morph_weights = [0.0; TARGETS];
            morph_weights[1] = bad;
            let options = BoundsOptions { morph_weights: &morph_weights, ..BoundsOptions::default() };
            assert_eq!(mesh.bounds(&palette, &options), Ok(everything));
        }
        let options = BoundsOptions { morph_weights: &[1.0; 2], ..BoundsOptions::default() };
        let expected = Error::Length { what: "weights of morph targets", expected: TARGETS, found: 2 };
        assert_eq!(mesh.bounds(&palette, &options), Err(expected));
    });
}
