//! The layout report of a mesh: which layout was chosen, its cost and its memory.

use sinew::mesh::{Grouping, TriangleRange, Weights};
use sinew::{Influences, Mesh, MeshSource, Skin};
use sinew_testkit::random::Random;

use crate::support::vertex_cloud::{VertexCloud, identity_skin};

const JOINTS: usize = 200;
/// Bytes of a vertex: position, normal, tangent with sign, four weights, four joints of two bytes.
const INPUT_BYTES: usize = 64;

/// A cloud in joint space. The vector of each influence is the position of its vertex.
struct JointSpaceCloud {
    cloud: VertexCloud,
    vectors: Vec<[f32; 3]>,
}

impl JointSpaceCloud {
    fn new(cloud: VertexCloud) -> Self {
        let vectors = cloud.positions.iter().zip(&cloud.counts);
        let vectors = vectors.flat_map(|(&position, &count)| vec![position; count as usize]).collect();
        Self { cloud, vectors }
    }

    fn source(&self) -> MeshSource<'_> {
        let VertexCloud { counts, joints, weights, .. } = &self.cloud;
        let influences = Influences::JointSpace { counts, joints, weights, vectors: &self.vectors };
        MeshSource { positions: &[], influences, ..self.cloud.source() }
    }
}

fn build_mesh(source: &MeshSource<'_>, skin: &Skin) -> Mesh {
    Mesh::new(source, skin).expect("a valid mesh")
}

/// A mesh of each layout, with LODs.
fn meshes_of_every_layout(levels: &[usize]) -> [Mesh; 4] {
    let (skin, mut random) = (identity_skin(JOINTS), Random::new(120));
    let grouped = VertexCloud::new(900, 4, JOINTS, &mut random);
    let scattered = VertexCloud::scattered(900, 4, JOINTS, &mut random);
    let joint_space = JointSpaceCloud::new(grouped.clone());
    let stored = MeshSource { weights: Weights::AsStored, ..grouped.source() };
    [grouped.source(), scattered.source(), stored, joint_space.source()]
        .map(|source| build_mesh(&MeshSource { levels, ..source }, &skin))
}

#[test]
fn the_layout_depends_on_joint_sets_weights_and_space() {
    let groupings = meshes_of_every_layout(&[]).map(|mesh| mesh.layout().grouping);
    assert_eq!(
        groupings,
        [Grouping::SharedJoints, Grouping::PerVertexJoints, Grouping::PerVertexJoints, Grouping::PreWeighted]
    );
    let [grouped, scattered, stored, joint_space] = meshes_of_every_layout(&[])
        .map(|mesh| (mesh.layout().shared_joints_cost, mesh.layout().per_vertex_joints_cost));
    assert!(grouped.0.unwrap() <= grouped.1.unwrap());
    assert!(scattered.0.unwrap() > scattered.1.unwrap());
    assert!(stored.0.is_none() && stored.1.is_some());
    assert!(joint_space.0.is_some() && joint_space.1.is_none());
}

#[test]
fn every_layout_has_both_remaps_and_tangent_signs() {
    for mesh in meshes_of_every_layout(&[]).into_iter().chain(meshes_of_every_layout(&[1, 2])) {
        let vertices: Vec<u32> = (0..mesh.len() as u32).collect();
        let by_slot = mesh.to_run_order(&vertices).unwrap();
        assert_eq!(by_slot, mesh.inverse_remap());
        assert_eq!(mesh.to_source_order(&by_slot).unwrap(), vertices);
        assert_eq!(mesh.tangent_signs().len(), mesh.padded_len());
        assert!(mesh.layout().slots == mesh.padded_len() && mesh.padded_len().is_multiple_of(8));
        assert_eq!(mesh.layout().runs, mesh.run_count());
    }
}

#[test]
fn influences_are_counted_after_dropping_zeros_and_merging_joints() {
    let influences =
        Influences::Variable { counts: &[3, 1], joints: &[0, 0, 1, 1], weights: &[0.5, 0.5, 0.0, 1.0] };
    let mesh = build_mesh(&MeshSource::new(&[[0.0; 3]; 2], influences), &identity_skin(2));
    let report = mesh.layout();
    assert_eq!(report.average_influences, 1.0);
    // One group of per-vertex joints is cheaper than a run of two joints.
    assert_eq!((report.runs, report.slots, report.skinned_influences), (1, 8, 1.0));
}

#[test]
fn a_mesh_takes_little_more_memory_than_its_arrays() {
    let (skin, mut random) = (identity_skin(JOINTS), Random::new(121));
    let few = VertexCloud::new(5000, 4, JOINTS, &mut random);
    // Four different joints for each vertex.
    let mut own = VertexCloud::scattered(5000, 1, JOINTS, &mut random);
    own.counts = vec![4; own.positions.len()];
    own.joints = (0..own.positions.len())
        .flat_map(|v| [v % 50, 50 + v / 50, 150 + v % 7, 160 + v % 31])
        .collect::<Vec<_>>()
        .into_iter()
        .map(|joint| joint as u32)
        .collect();
    own.weights = vec![0.25; own.joints.len()];
    for (cloud, grouping) in [(&few, Grouping::SharedJoints), (&own, Grouping::PerVertexJoints)] {
        let mesh = build_mesh(&cloud.source(), &skin);
        assert_eq!(mesh.layout().grouping, grouping);
        let (found, input) = (mesh.bytes(), INPUT_BYTES * mesh.len());
        assert!(10 * found <= 13 * input, "{found} bytes for {input}");
    }
}

#[test]
fn lod_and_joint_space_memory_is_counted_separately() {
    let (bare, with_levels) = (meshes_of_every_layout(&[]), meshes_of_every_layout(&[1, 2]));
    for (bare, with_levels) in bare.iter().zip(&with_levels) {
        assert_eq!(bare.level_bytes(), 0);
        assert!(with_levels.level_bytes() > 0);
        assert_eq!(with_levels.bytes(), bare.bytes());
        assert_eq!(bare.joint_space_bytes() > 0, bare.layout().grouping == Grouping::PreWeighted);
    }
}

#[test]
fn lods_are_reported_in_the_requested_order() {
    for mesh in meshes_of_every_layout(&[2, 1, 2, 300]) {
        let report = mesh.layout();
        let maxima: Vec<usize> = report.levels.iter().map(|level| level.max_influences).collect();
        assert_eq!(maxima, [2, 1, 2, 300]);
        assert_eq!(report.levels[0], report.levels[2]);
        assert!(report.levels[1].cost < report.levels[0].cost);
    }
}

#[test]
fn triangle_ranges_are_kept() {
    let cloud = VertexCloud::new(50, 4, JOINTS, &mut Random::new(122));
    let ranges = [(0..20, "cloth"), (20..50, ""), (50..50, "nothing"), (5..6, "cloth")]
        .map(|(triangles, material)| TriangleRange { triangles, material });
    let mesh = build_mesh(&MeshSource { ranges: &ranges, ..cloud.source() }, &identity_skin(JOINTS));
    assert_eq!(mesh.ranges().len(), 4);
    assert!(mesh.ranges().eq(ranges));
}

#[test]
fn every_layout_accepts_zero_and_one_vertex() {
    let skin = identity_skin(3);
    let one = VertexCloud {
        positions: vec![[1.0, 2.0, 3.0]],
        normals: vec![[0.0, 0.0, 1.0]],
        tangents: vec![[1.0, 0.0, 0.0, -1.0]],
        counts: vec![2],
        joints: vec![2, 0],
        weights: vec![0.25, 0.5],
        triangles: vec![[0; 3]],
    };
    for (cloud, slots) in [(VertexCloud::default(), 0), (one, 8)] {
        let joint_space = JointSpaceCloud::new(cloud.clone());
        let stored = MeshSource { weights: Weights::AsStored, ..cloud.source() };
        for source in [cloud.source(), stored, joint_space.source()] {
            let mesh = build_mesh(&MeshSource { levels: &[1, 5], ..source }, &skin);
            assert_eq!((mesh.padded_len(), mesh.run_count()), (slots, slots / 8));
            assert_eq!(mesh.triangles(), cloud.triangles);
            assert!(mesh.layout().average_influences <= 2.0);
        }
    }
}

#[test]
fn every_layout_accepts_300_influences_of_70000_joints() {
    let skin = identity_skin(70_000);
    let mut cloud = VertexCloud::new(20, 1, 1, &mut Random::new(123));
    cloud.counts = vec![300; 20];
    cloud.joints = (0..6000).map(|i| 69_999 - 11 * i).collect();
    cloud.weights = (0..6000).map(|i| 1.0 + (i % 7) as f32).collect();
    let joint_space = JointSpaceCloud::new(cloud.clone());
    let stored = MeshSource { weights: Weights::AsStored, ..cloud.source() };
    for source in [cloud.source(), stored, joint_space.source()] {
        let mesh = build_mesh(&MeshSource { levels: &[1, 4, 299], ..source }, &skin);
        assert_eq!(mesh.layout().average_influences, 300.0);
    }
}
