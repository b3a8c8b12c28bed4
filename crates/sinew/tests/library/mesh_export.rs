//! A mesh exports the data that it was built from.

use std::collections::BTreeMap;

use sinew::mesh::{Attributes, Deltas, MorphSource, Weights};
use sinew::{Influences, Mesh, MeshSource};
use sinew_testkit::random::Random;

use crate::support::vertex_cloud::{VertexCloud, identity_skin};

const JOINTS: usize = 12;

/// The weight of each joint of each vertex. Weights of repeated joints are summed, and normalized
/// unless they are kept as stored.
fn expected_weights(cloud: &VertexCloud, kept: Weights) -> Vec<BTreeMap<u32, f64>> {
    let sum_weights = |influences: Vec<(u32, f32)>| {
        let mut sums = BTreeMap::new();
        for (joint, weight) in influences.into_iter().filter(|&(_, weight)| weight > 0.0) {
            *sums.entry(joint).or_insert(0.0) += f64::from(weight);
        }
        let all: f64 = if kept == Weights::AsStored { 1.0 } else { sums.values().sum() };
        sums.values_mut().for_each(|weight| *weight /= all);
        sums
    };
    cloud.influences().into_iter().map(sum_weights).collect()
}

fn assert_influences(mesh: &Mesh, expected: &[BTreeMap<u32, f64>]) {
    let data = mesh.influences();
    assert_eq!(data.counts.len(), expected.len());
    let mut pairs = data.joints.iter().zip(&data.weights);
    for (expected, &count) in expected.iter().zip(&data.counts) {
        let own: Vec<_> = pairs.by_ref().take(count as usize).collect();
        assert_eq!(own.len(), expected.len());
        assert!(own.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{own:?}");
        for (joint, &weight) in own {
            assert!((f64::from(weight) - expected[joint]).abs() < 1e-6, "{weight} for {expected:?}");
        }
    }
    assert!(pairs.next().is_none());
}

#[test]
fn exported_influences_are_in_source_order() {
    let mut random = Random::new(17);
    for vertices in [0, 1, 9, 64, 700] {
        for make in [VertexCloud::new, VertexCloud::scattered] {
            let cloud = make(vertices, 7, JOINTS, &mut random);
            for kept in [Weights::Normalized, Weights::AsStored] {
                let source = MeshSource { weights: kept, ..cloud.source() };
                let mesh = Mesh::new(&source, &identity_skin(JOINTS)).expect("a valid mesh");
                assert_influences(&mesh, &expected_weights(&cloud, kept));
            }
        }
    }
}

#[test]
fn exported_joint_space_influences_keep_their_weights() {
    let mut random = Random::new(18);
    let cloud = VertexCloud::new(300, 5, JOINTS, &mut random);
    let vectors: Vec<_> = cloud.joints.iter().map(|_| random.vector(1.0)).collect();
    let influences = Influences::JointSpace {
        counts: &cloud.counts,
        joints: &cloud.joints,
        weights: &cloud.weights,
        vectors: &vectors,
    };
    let mesh = Mesh::new(&MeshSource::new(&[], influences), &identity_skin(JOINTS)).expect("a valid mesh");
    assert_influences(&mesh, &expected_weights(&cloud, Weights::AsStored));
    assert_eq!(mesh.rest(Attributes::Positions).map(|all| all.len()), Some(300));
}

#[test]
fn exported_rest_vectors_equal_the_source() {
    let cloud = VertexCloud::new(500, 4, JOINTS, &mut Random::new(19));
    let mesh = cloud.mesh(&identity_skin(JOINTS));
    assert_eq!(mesh.rest(Attributes::Positions).as_ref(), Some(&cloud.positions));
    assert_eq!(mesh.rest(Attributes::Normals).as_ref(), Some(&cloud.normals));
    let tangents: Vec<_> = cloud.tangents.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
    assert_eq!(mesh.rest(Attributes::Tangents), Some(tangents));
    assert_eq!(mesh.rest(Attributes::Bitangents), None);
}

#[test]
fn exported_morph_targets_equal_the_source() {
    let mut random = Random::new(20);
    let cloud = VertexCloud::new(300, 4, JOINTS, &mut random);
    let dense: Vec<_> = (0..300).map(|_| random.vector(1.0)).collect();
    let sparse = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let morphs = [
        MorphSource {
            positions: Deltas::Dense(&dense),
            tangents: Deltas::Dense(&dense),
            ..MorphSource::default()
        },
        MorphSource {
            normals: Deltas::Sparse { vertices: &[299, 7], deltas: &sparse },
            ..MorphSource::default()
        },
        MorphSource::default(),
    ];
    let source = MeshSource { morphs: &morphs, ..cloud.source() };
    let mesh = Mesh::new(&source, &identity_skin(JOINTS)).expect("a valid mesh");
    let [first, second, third] = [0, 1, 2].map(|target| mesh.morph_deltas(target));
    assert_eq!((&first.positions, first.normals, first.tangents.as_ref()), (&dense, None, Some(&dense)));
    let mut expected = vec![[0.0; 3]; 300];
    (expected[299], expected[7]) = (sparse[0], sparse[1]);
    assert_eq!((second.normals, second.tangents), (Some(expected), None));
    assert_eq!((&third.positions, &second.positions), (&vec![[0.0; 3]; 300], &vec![[0.0; 3]; 300]));
    assert_eq!((third.normals, third.tangents), (None, None));
}
