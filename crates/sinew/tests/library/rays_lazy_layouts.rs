//! Lazy trees over meshes of every layout, with levels of detail, dual quaternions and morph targets: the same hits as a
//! tree over the skinned mesh.

use crate::cloud;
use crate::posed::{Posed, count};
use crate::subjects::{JOINTS, Subject};
use sinew::{
    Attributes, Blending, Deltas, DualPalette, FloatMode, Grouping, Influences, LazyTree, Mesh, MeshSource,
    MorphSource, Morphed, Palette, Ray, Skin, SkinOptions, Skinned, Tree, Weights, backend,
};
use sinew_figures::Scene;
use sinew_testkit::random::Random;

/// Less than what makes a lazy tree skin all.
const RAYS: usize = 30;

/// A mesh with both trees.
struct Compared<'a> {
    mesh: &'a Mesh,
    tree: Tree,
    lazy: LazyTree,
    skinned: Skinned,
    hits: usize,
}

impl<'a> Compared<'a> {
    fn new(mesh: &'a Mesh) -> Self {
        let skinned = Skinned::new(mesh, Attributes::Positions).expect("positions");
        Self { mesh, tree: Tree::new(mesh), lazy: LazyTree::new(mesh), skinned, hits: 0 }
    }

    /// Demands the same hits in one frame.
    fn frame(&mut self, palette: &Palette, options: &SkinOptions<'_>, random: &mut Random, what: &str) {
        let Self { mesh, tree, lazy, skinned, hits } = self;
        mesh.skin(palette, options, skinned).expect("what fits");
        tree.refit(skinned.points()).expect("the mesh of the tree");
        let bounds = skinned.bounds();
        let mut cast = lazy.begin(mesh, palette, options).expect("what fits");
        for _ in 0..RAYS {
            let mut within =
                |grown: f32| [0, 1, 2].map(|c| random.between(bounds.min[c] - grown, bounds.max[c] + grown));
            let ray = Ray::between(within(1.0), within(0.0));
            let hit = tree.closest_hit(&ray);
            assert_eq!(cast.closest_hit(&ray), hit, "{what}");
            assert_eq!(cast.any_hit(&ray), hit.is_some(), "{what}");
            *hits += usize::from(hit.is_some());
        }
    }

    /// The same with every level of detail, and with dual quaternions where the mesh allows them.
    fn frames(&mut self, palette: &Palette, skin: &Skin, random: &mut Random, what: &str) {
        let mut duals = DualPalette::new(skin);
        duals.update(palette).expect("a palette of the skin");
        for max_influences in [1, 2, usize::MAX] {
            let options = SkinOptions { max_influences, ..SkinOptions::default() };
            self.frame(palette, &options, random, what);
            if !self.mesh.in_joint_space() {
                let options = SkinOptions { blending: Blending::Duals(&duals), ..options };
                self.frame(palette, &options, random, what);
            }
        }
    }
}

#[test]
fn clouds_of_every_layout_are_hit_as_when_they_are_skinned() {
    let kernels = backend::default().expect("a backend").kernels(FloatMode::Fast);
    let mut random = Random::new(660);
    for subject in Subject::every(kernels, 400, &mut random) {
        let mesh = subject.mesh(&[1, 2]);
        let mut compared = Compared::new(&mesh);
        for _ in 0..count(2, 20) {
            for matrices in [
                cloud::rigid(JOINTS, &mut random),
                sinew_testkit::rigs::sheared_matrices(JOINTS, &mut random),
            ] {
                let palette = subject.palette(&matrices);
                compared.frames(&palette, &subject.skin, &mut random, subject.name);
            }
        }
        assert!(compared.hits > RAYS, "{}", subject.name);
    }
}

/// Influences as some files have them.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Held {
    Plain,
    /// Weights that do not sum to one, kept so.
    AsStored,
    /// Each joint with a vector of its own, which is off by a little.
    InJointSpace,
}

/// The figure, of so many vertices, held in some way, with levels of detail.
fn figure(scene: &Scene, skin: &Skin, held: Held, random: &mut Random) -> Mesh {
    let shape = &scene.shape;
    let (mut weights, mut vectors) = (Vec::new(), Vec::new());
    let mut influences = shape.influences();
    for (&count, position) in shape.influence_counts.iter().zip(&shape.positions) {
        let sum = if held == Held::Plain { 1.0 } else { random.between(0.8, 1.2) };
        for (joint, weight) in influences.by_ref().take(count as usize) {
            weights.push(weight * sum);
            let off = random.vector(0.01);
            let vector = skin.inverse_binds()[joint as usize].transform_point(*position);
            vectors.push([0, 1, 2].map(|axis: usize| vector[axis] + off[axis]));
        }
    }
    let (counts, joints) = (&shape.influence_counts, &shape.joints);
    let source = MeshSource {
        influences: Influences::Listed { counts, joints, weights: &weights },
        weights: if held == Held::Plain { Weights::Normalised } else { Weights::AsStored },
        levels: &[1, 2],
        ..shape.source()
    };
    let influences = Influences::JointSpace { counts, joints, weights: &weights, vectors: &vectors };
    let source = match held {
        Held::InJointSpace => MeshSource { positions: &[], influences, ..source },
        _ => source,
    };
    Mesh::new(&source, skin).expect("a sound mesh")
}

#[test]
fn figures_held_in_any_way_are_hit_as_when_they_are_skinned() {
    let scene = sinew_figures::scene("@figure:3000").expect("a scene");
    let random = &mut Random::new(661);
    for (held, form) in [
        (Held::Plain, Grouping::Runs),
        (Held::AsStored, Grouping::Counts),
        (Held::InJointSpace, Grouping::Weighted),
    ] {
        let mut posed = Posed::figure(1000);
        let mesh = figure(&scene, &posed.skin, held, random);
        assert_eq!(mesh.layout().form, form);
        let mut compared = Compared::new(&mesh);
        for _ in 0..count(3, 30) {
            posed.turn(random);
            compared.frames(&posed.palette, &posed.skin, random, &format!("{held:?}"));
        }
        assert!(compared.hits > RAYS, "{held:?}");
    }
}

#[test]
fn morphed_figures_are_hit_as_when_they_are_skinned() {
    let scene = sinew_figures::scene("@figure:2000").expect("a scene");
    let random = &mut Random::new(662);
    let mut posed = Posed::figure(1000);
    let deltas: Vec<[f32; 3]> = scene.shape.normals.iter().map(|normal| normal.map(|c| 0.1 * c)).collect();
    let morph = MorphSource { positions: Deltas::Dense(&deltas), ..MorphSource::default() };
    let mesh = Mesh::new(&MeshSource { morphs: &[morph], ..scene.shape.source() }, &posed.skin);
    let mesh = mesh.expect("a sound mesh");
    let mut compared = Compared::new(&mesh);
    let mut morphed = Morphed::new(&mesh);
    for weight in [0.0, 1.0, -0.3, 4.0] {
        posed.turn(random);
        mesh.morph(&[weight], &mut morphed).expect("a finite weight");
        let options = SkinOptions { morphed: Some(&morphed), ..SkinOptions::default() };
        compared.frame(&posed.palette, &options, random, "morphed");
        // Without them the next frame is of the plain shape again.
        compared.frame(&posed.palette, &SkinOptions::default(), random, "plain");
    }
    assert!(compared.hits > RAYS);
}
