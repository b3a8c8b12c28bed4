//! Lazy BVHs over meshes of every layout, with LODs, dual quaternions and morph targets, give the
//! same hits as a BVH over the skinned mesh.

use sinew::mesh::{Attributes, Deltas, Grouping, MorphSource, Morphed, Weights};
use sinew::query::{LazyBvh, MeshBvh};
use sinew::skinning::{Blending, DualQuaternionPalette, Skinned};
use sinew::{Influences, Mesh, MeshSource, Palette, Ray, Skin, SkinOptions};
use sinew_figures::Scene;
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::support::backends::{case_count, fast_runtime};
use crate::support::posed_figure::PosedFigure;
use crate::support::test_meshes::{JOINTS, TestMesh};

/// Rays in a frame: fewer than make a lazy BVH skin everything.
const RAYS: usize = 30;

/// A mesh with a BVH and a lazy BVH.
struct Comparison<'a> {
    mesh: &'a Mesh,
    bvh: MeshBvh,
    lazy: LazyBvh,
    skinned: Skinned,
    hits: usize,
}

impl<'a> Comparison<'a> {
    fn new(mesh: &'a Mesh) -> Self {
        let skinned = Skinned::new(mesh, Attributes::Positions).expect("positions");
        Self { mesh, bvh: MeshBvh::build(mesh), lazy: LazyBvh::build(mesh), skinned, hits: 0 }
    }

    /// Asserts that both give the same hits in a frame.
    fn compare_frame(
        &mut self,
        palette: &Palette,
        options: &SkinOptions<'_>,
        random: &mut Random,
        context: &str,
    ) {
        let Self { mesh, bvh, lazy, skinned, hits } = self;
        mesh.skin(palette, options, skinned).expect("matching sizes");
        bvh.refit(skinned.position_view()).expect("the mesh of the BVH");
        let bounds = skinned.bounds();
        let mut cast = lazy.begin(mesh, palette, options).expect("matching sizes");
        for _ in 0..RAYS {
            let mut within =
                |grown: f32| [0, 1, 2].map(|c| random.between(bounds.min[c] - grown, bounds.max[c] + grown));
            let ray = Ray::between(within(1.0), within(0.0));
            let hit = bvh.closest_hit(&ray);
            assert_eq!(cast.closest_hit(&ray), hit, "{context}");
            assert_eq!(cast.any_hit(&ray), hit.is_some(), "{context}");
            *hits += usize::from(hit.is_some());
        }
    }

    /// Compares frames with every LOD, and with dual quaternions where the mesh supports them.
    fn compare_frames(&mut self, palette: &Palette, skin: &Skin, random: &mut Random, context: &str) {
        let mut dual_quaternions = DualQuaternionPalette::new(skin);
        dual_quaternions.update(palette).expect("a palette of the skin");
        for max_influences in [1, 2, usize::MAX] {
            let options = SkinOptions::default().with_max_influences(max_influences);
            self.compare_frame(palette, &options, random, context);
            if !self.mesh.has_joint_space_influences() {
                let options = options.with_blending(Blending::DualQuaternion(&dual_quaternions));
                self.compare_frame(palette, &options, random, context);
            }
        }
    }
}

#[test]
fn lazy_hits_equal_skinned_hits_in_every_layout() {
    let runtime = fast_runtime();
    let mut random = Random::new(660);
    for test_mesh in TestMesh::every_layout(runtime, 400, &mut random) {
        let mesh = test_mesh.mesh(&[1, 2]);
        let mut comparison = Comparison::new(&mesh);
        for _ in 0..case_count(2, 20) {
            for matrices in
                [rigs::rigid_matrices(JOINTS, &mut random), rigs::sheared_matrices(JOINTS, &mut random)]
            {
                let palette = test_mesh.palette(&matrices);
                comparison.compare_frames(&palette, &test_mesh.skin, &mut random, test_mesh.name);
            }
        }
        assert!(comparison.hits > RAYS, "{}", test_mesh.name);
    }
}

/// Kinds of influences that files have.
#[derive(Clone, Copy, Debug, PartialEq)]
enum InfluenceKind {
    Plain,
    /// Weights that do not sum to one and are kept as stored.
    AsStored,
    /// A joint-space vector for each influence, with a small random error.
    InJointSpace,
}

/// The mesh of a figure with influences of one kind, with LODs.
fn figure_mesh(scene: &Scene, skin: &Skin, kind: InfluenceKind, random: &mut Random) -> Mesh {
    let mesh = &scene.mesh;
    let (mut weights, mut vectors) = (Vec::new(), Vec::new());
    let mut influences = mesh.influences();
    for (&count, position) in mesh.influence_counts.iter().zip(&mesh.positions) {
        let sum = if kind == InfluenceKind::Plain { 1.0 } else { random.between(0.8, 1.2) };
        for (joint, weight) in influences.by_ref().take(count as usize) {
            weights.push(weight * sum);
            let off = random.vector(0.01);
            let vector = skin.inverse_binds()[joint as usize].transform_point(*position);
            vectors.push([0, 1, 2].map(|axis: usize| vector[axis] + off[axis]));
        }
    }
    let (counts, joints) = (&mesh.influence_counts, &mesh.joints);
    let source = MeshSource {
        influences: Influences::Variable { counts, joints, weights: &weights },
        weights: if kind == InfluenceKind::Plain { Weights::Normalized } else { Weights::AsStored },
        levels: &[1, 2],
        ..mesh.source()
    };
    let influences = Influences::JointSpace { counts, joints, weights: &weights, vectors: &vectors };
    let source = match kind {
        InfluenceKind::InJointSpace => MeshSource { positions: &[], influences, ..source },
        _ => source,
    };
    Mesh::new(&source, skin).expect("a valid mesh")
}

#[test]
fn lazy_hits_equal_skinned_hits_for_every_kind_of_influences() {
    let scene = sinew_figures::scene("@figure:3000").expect("a scene");
    let random = &mut Random::new(661);
    for (kind, grouping) in [
        (InfluenceKind::Plain, Grouping::SharedJoints),
        (InfluenceKind::AsStored, Grouping::PerVertexJoints),
        (InfluenceKind::InJointSpace, Grouping::PreWeighted),
    ] {
        let mut figure = PosedFigure::with_vertices(1000);
        let mesh = figure_mesh(&scene, &figure.skin, kind, random);
        assert_eq!(mesh.layout().grouping, grouping);
        let mut comparison = Comparison::new(&mesh);
        for _ in 0..case_count(3, 30) {
            figure.pose_randomly(random);
            comparison.compare_frames(&figure.palette, &figure.skin, random, &format!("{kind:?}"));
        }
        assert!(comparison.hits > RAYS, "{kind:?}");
    }
}

#[test]
fn lazy_hits_equal_skinned_hits_with_morph_targets() {
    let scene = sinew_figures::scene("@figure:2000").expect("a scene");
    let random = &mut Random::new(662);
    let mut figure = PosedFigure::with_vertices(1000);
    let deltas: Vec<[f32; 3]> = scene.mesh.normals.iter().map(|normal| normal.map(|c| 0.1 * c)).collect();
    let morph = MorphSource { positions: Deltas::Dense(&deltas), ..MorphSource::default() };
    let mesh = Mesh::new(&MeshSource { morphs: &[morph], ..scene.mesh.source() }, &figure.skin);
    let mesh = mesh.expect("a valid mesh");
    let mut comparison = Comparison::new(&mesh);
    let mut morphed = Morphed::new(&mesh);
    for weight in [0.0, 1.0, -0.3, 4.0] {
        figure.pose_randomly(random);
        mesh.morph(&[weight], &mut morphed).expect("a finite weight");
        let options = SkinOptions::default().with_morphed(&morphed);
        comparison.compare_frame(&figure.palette, &options, random, "morphed");
        // A frame without morph targets uses the base mesh again.
        comparison.compare_frame(&figure.palette, &SkinOptions::default(), random, "plain");
    }
    assert!(comparison.hits > RAYS);
}
