//! Layouts as tools see them: which form was taken, what it costs and how much memory it takes.

use crate::cloud;

use crate::cloud::Cloud;
use sinew::{Grouping, Influences, Mesh, MeshSource, Skin, TriangleRange, Weights};
use sinew_testkit::random::Random;

const JOINTS: usize = 200;
/// Position, normal, tangent with sign, four weights and four joints of two bytes.
const INPUT_BYTES: usize = 64;

/// The cloud with its positions as vectors in joint space: the same for each influence.
struct InJointSpace {
    cloud: Cloud,
    vectors: Vec<[f32; 3]>,
}

impl InJointSpace {
    fn new(cloud: Cloud) -> Self {
        let vectors = cloud.positions.iter().zip(&cloud.counts);
        let vectors = vectors.flat_map(|(&position, &count)| vec![position; count as usize]).collect();
        Self { cloud, vectors }
    }

    fn source(&self) -> MeshSource<'_> {
        let Cloud { counts, joints, weights, .. } = &self.cloud;
        let influences = Influences::JointSpace { counts, joints, weights, vectors: &self.vectors };
        MeshSource { positions: &[], influences, ..self.cloud.source() }
    }
}

fn mesh(source: &MeshSource<'_>, skin: &Skin) -> Mesh {
    Mesh::new(source, skin).expect("a sound mesh")
}

/// A mesh of each form, with the levels.
fn every_form(levels: &[usize]) -> [Mesh; 4] {
    let (skin, mut random) = (cloud::skin(JOINTS), Random::new(120));
    let grouped = Cloud::new(900, 4, JOINTS, &mut random);
    let scattered = Cloud::scattered(900, 4, JOINTS, &mut random);
    let in_joint_space = InJointSpace::new(grouped.clone());
    let stored = MeshSource { weights: Weights::AsStored, ..grouped.source() };
    [grouped.source(), scattered.source(), stored, in_joint_space.source()]
        .map(|source| mesh(&MeshSource { levels, ..source }, &skin))
}

#[test]
fn the_form_follows_from_sets_weights_and_space() {
    let forms = every_form(&[]).map(|mesh| mesh.layout().form);
    assert_eq!(forms, [Grouping::Runs, Grouping::Counts, Grouping::Counts, Grouping::Weighted]);
    let [grouped, scattered, stored, in_joint_space] =
        every_form(&[]).map(|mesh| (mesh.layout().cost_of_runs, mesh.layout().cost_of_counts));
    assert!(grouped.0.unwrap() <= grouped.1.unwrap());
    assert!(scattered.0.unwrap() > scattered.1.unwrap());
    assert!(stored.0.is_none() && stored.1.is_some());
    assert!(in_joint_space.0.is_some() && in_joint_space.1.is_none());
}

#[test]
fn every_form_keeps_both_permutations_and_signs() {
    for mesh in every_form(&[]).into_iter().chain(every_form(&[1, 2])) {
        let vertices: Vec<u32> = (0..mesh.len() as u32).collect();
        let by_place = mesh.to_run_order(&vertices).unwrap();
        assert_eq!(by_place, mesh.vertex_of_place());
        assert_eq!(mesh.to_source_order(&by_place).unwrap(), vertices);
        assert_eq!(mesh.tangent_signs().len(), mesh.padded_len());
        assert!(mesh.layout().places == mesh.padded_len() && mesh.padded_len().is_multiple_of(8));
        assert_eq!(mesh.layout().runs, mesh.run_count());
    }
}

#[test]
fn influences_are_counted_after_zeros_are_dropped_and_joints_merged() {
    let influences =
        Influences::Listed { counts: &[3, 1], joints: &[0, 0, 1, 1], weights: &[0.5, 0.5, 0.0, 1.0] };
    let mesh = mesh(&MeshSource::new(&[[0.0; 3]; 2], influences), &cloud::skin(2));
    let report = mesh.layout();
    assert_eq!(report.average_influences, 1.0);
    // Cheaper than a run of two joints: both in one group, each with its own.
    assert_eq!((report.runs, report.places, report.skinned_influences), (1, 8, 1.0));
}

#[test]
fn a_mesh_takes_little_more_memory_than_its_arrays() {
    let (skin, mut random) = (cloud::skin(JOINTS), Random::new(121));
    let few = Cloud::new(5000, 4, JOINTS, &mut random);
    // Four different joints for each vertex.
    let mut own = Cloud::scattered(5000, 1, JOINTS, &mut random);
    own.counts = vec![4; own.positions.len()];
    own.joints = (0..own.positions.len())
        .flat_map(|v| [v % 50, 50 + v / 50, 150 + v % 7, 160 + v % 31])
        .collect::<Vec<_>>()
        .into_iter()
        .map(|joint| joint as u32)
        .collect();
    own.weights = vec![0.25; own.joints.len()];
    for (cloud, form) in [(&few, Grouping::Runs), (&own, Grouping::Counts)] {
        let mesh = mesh(&cloud.source(), &skin);
        assert_eq!(mesh.layout().form, form);
        let (found, input) = (mesh.bytes(), INPUT_BYTES * mesh.len());
        assert!(10 * found <= 13 * input, "{found} bytes for {input}");
    }
}

#[test]
fn memory_for_levels_and_joint_space_is_counted_apart() {
    let (bare, with_levels) = (every_form(&[]), every_form(&[1, 2]));
    for (bare, with_levels) in bare.iter().zip(&with_levels) {
        assert_eq!(bare.level_bytes(), 0);
        assert!(with_levels.level_bytes() > 0);
        assert_eq!(with_levels.bytes(), bare.bytes());
        assert_eq!(bare.joint_space_bytes() > 0, bare.layout().form == Grouping::Weighted);
    }
}

#[test]
fn levels_are_reported_in_the_order_asked_for() {
    for mesh in every_form(&[2, 1, 2, 300]) {
        let report = mesh.layout();
        let maxima: Vec<usize> = report.levels.iter().map(|level| level.max_influences).collect();
        assert_eq!(maxima, [2, 1, 2, 300]);
        assert_eq!(report.levels[0], report.levels[2]);
        assert!(report.levels[1].cost < report.levels[0].cost);
    }
}

#[test]
fn ranges_of_triangles_are_kept() {
    let cloud = Cloud::new(50, 4, JOINTS, &mut Random::new(122));
    let ranges = [(0..20, "cloth"), (20..50, ""), (50..50, "nothing"), (5..6, "cloth")]
        .map(|(triangles, material)| TriangleRange { triangles, material });
    let mesh = mesh(&MeshSource { ranges: &ranges, ..cloud.source() }, &cloud::skin(JOINTS));
    assert_eq!(mesh.ranges().len(), 4);
    assert!(mesh.ranges().eq(ranges));
}

#[test]
fn every_form_takes_no_vertices_and_one() {
    let skin = cloud::skin(3);
    let one = Cloud {
        positions: vec![[1.0, 2.0, 3.0]],
        normals: vec![[0.0, 0.0, 1.0]],
        tangents: vec![[1.0, 0.0, 0.0, -1.0]],
        counts: vec![2],
        joints: vec![2, 0],
        weights: vec![0.25, 0.5],
        triangles: vec![[0; 3]],
    };
    for (cloud, places) in [(Cloud::default(), 0), (one, 8)] {
        let in_joint_space = InJointSpace::new(cloud.clone());
        let stored = MeshSource { weights: Weights::AsStored, ..cloud.source() };
        for source in [cloud.source(), stored, in_joint_space.source()] {
            let mesh = mesh(&MeshSource { levels: &[1, 5], ..source }, &skin);
            assert_eq!((mesh.padded_len(), mesh.run_count()), (places, places / 8));
            assert_eq!(mesh.triangles(), cloud.triangles);
            assert!(mesh.layout().average_influences <= 2.0);
        }
    }
}

#[test]
fn every_form_takes_three_hundred_influences_of_seventy_thousand_joints() {
    let skin = cloud::skin(70_000);
    let mut cloud = Cloud::new(20, 1, 1, &mut Random::new(123));
    cloud.counts = vec![300; 20];
    cloud.joints = (0..6000).map(|i| 69_999 - 11 * i).collect();
    cloud.weights = (0..6000).map(|i| 1.0 + (i % 7) as f32).collect();
    let in_joint_space = InJointSpace::new(cloud.clone());
    let stored = MeshSource { weights: Weights::AsStored, ..cloud.source() };
    for source in [cloud.source(), stored, in_joint_space.source()] {
        let mesh = mesh(&MeshSource { levels: &[1, 4, 299], ..source }, &skin);
        assert_eq!(mesh.layout().average_influences, 300.0);
    }
}
