//! Meshes built from any valid source: remaps, padding, and merged influences.

use sinew::kernels::BLOCK;
use sinew::mesh::Attributes;
use sinew::skinning::{DirectionLength, Skinned};
use sinew::{Influences, Matrix, Mesh, MeshSource, Palette, Skin, SkinOptions};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::support::vertex_cloud::{MAX_COORDINATE, VertexCloud, build_palette, identity_skin};

const JOINTS: usize = 12;

fn clouds() -> impl Iterator<Item = VertexCloud> {
    let mut random = Random::new(80);
    [0, 1, 7, 8, 9, 64, 500]
        .into_iter()
        .map(move |vertices| VertexCloud::new(vertices, 8, JOINTS, &mut random))
}

/// Positions skinned with random matrices, in source order.
fn skin_positions(mesh: &Mesh, skin: &Skin) -> Vec<[f32; 3]> {
    let palette = build_palette(skin, &rigs::rigid_matrices(skin.len(), &mut Random::new(81)));
    let mut skinned = Skinned::new(mesh, Attributes::Positions).expect("positions");
    mesh.skin(&palette, &SkinOptions::default(), &mut skinned).expect("matching sizes");
    let mut positions = vec![[0.0; 3]; mesh.len()];
    skinned.positions(mesh, &mut positions).expect("one for each vertex");
    positions
}

/// A mesh of one vertex with these influences.
fn build_one_vertex(skin: &Skin, joints: &[u32], weights: &[f32]) -> Mesh {
    let influences = Influences::Variable { counts: &[joints.len() as u32], joints, weights };
    Mesh::new(&MeshSource::new(&[[1.0, 2.0, 3.0]], influences), skin).expect("a valid mesh")
}

#[test]
fn remap_and_inverse_remap_are_inverse() {
    for cloud in clouds() {
        let mesh = cloud.mesh(&identity_skin(JOINTS));
        assert_eq!(mesh.len(), cloud.positions.len());
        assert_eq!(mesh.is_empty(), cloud.positions.is_empty());
        assert_eq!(mesh.remap().len(), mesh.len());
        assert_eq!(mesh.inverse_remap().len(), mesh.padded_len());
        for (vertex, &slot) in mesh.remap().iter().enumerate() {
            assert_eq!(mesh.inverse_remap()[slot as usize] as usize, vertex);
        }
    }
}

#[test]
fn arrays_convert_to_run_order_and_back() {
    for cloud in clouds() {
        let mesh = cloud.mesh(&identity_skin(JOINTS));
        let slots = mesh.to_run_order(&cloud.positions).unwrap();
        assert_eq!(slots.len(), mesh.padded_len());
        assert_eq!(mesh.to_source_order(&slots).unwrap(), cloud.positions);
    }
}

#[test]
fn padding_ends_a_run_and_repeats_its_last_vertex() {
    for cloud in clouds() {
        let mesh = cloud.mesh(&identity_skin(JOINTS));
        assert_eq!(mesh.padded_len() % BLOCK, 0);
        assert!(mesh.padded_len() - mesh.len() < BLOCK * mesh.run_count().max(1));
        for block in 0..mesh.padded_len() / BLOCK {
            let mut padding = false;
            for slot in BLOCK * block..BLOCK * (block + 1) {
                let vertex = mesh.inverse_remap()[slot];
                let pad = mesh.remap()[vertex as usize] as usize != slot;
                assert!(pad || !padding, "a vertex after a pad at slot {slot}");
                assert!(!pad || mesh.inverse_remap()[slot - 1] == vertex, "another vertex at pad {slot}");
                padding = pad;
            }
        }
    }
}

#[test]
fn triangles_are_remapped_and_use_no_padding() {
    for cloud in clouds() {
        let mesh = cloud.mesh(&identity_skin(JOINTS));
        assert_eq!(mesh.triangles().len(), cloud.triangles.len());
        for (slots, vertices) in mesh.triangles().iter().zip(&cloud.triangles) {
            assert_eq!(slots.map(|slot| mesh.inverse_remap()[slot as usize]), *vertices);
            assert_eq!(vertices.map(|vertex| mesh.remap()[vertex as usize]), *slots);
        }
    }
}

#[test]
fn tangent_signs_are_in_run_order() {
    for cloud in clouds() {
        let mesh = cloud.mesh(&identity_skin(JOINTS));
        let signs: Vec<f32> = cloud.tangents.iter().map(|tangent| tangent[3]).collect();
        assert_eq!(mesh.to_source_order(&mesh.tangent_signs()).unwrap(), signs);
        let bare = MeshSource { tangents: None, ..cloud.source() };
        assert!(Mesh::new(&bare, &identity_skin(JOINTS)).unwrap().tangent_signs().is_empty());
    }
}

#[test]
fn building_twice_gives_equal_bits() {
    let skin = identity_skin(JOINTS);
    for cloud in clouds() {
        let (one, two) = (cloud.mesh(&skin), cloud.mesh(&skin));
        assert_eq!(one.inverse_remap(), two.inverse_remap());
        assert_eq!(one.triangles(), two.triangles());
        let bits =
            |mesh| skin_positions(mesh, &skin).into_iter().map(|p| p.map(f32::to_bits)).collect::<Vec<_>>();
        assert_eq!(bits(&one), bits(&two));
    }
}

#[test]
fn an_empty_mesh_skins_to_nothing() {
    let skin = identity_skin(2);
    let mesh = VertexCloud::default().mesh(&skin);
    assert_eq!((mesh.len(), mesh.padded_len(), mesh.run_count()), (0, 0, 0));
    let mut skinned = Skinned::new(&mesh, Attributes::Tangents).unwrap();
    mesh.skin(
        &Palette::new(&skin),
        &SkinOptions::default().with_directions(DirectionLength::Unit),
        &mut skinned,
    )
    .unwrap();
    assert!(skinned.blocks().is_empty());
    skinned.tangents(&mesh, &mut []).unwrap();
}

#[test]
fn one_vertex_is_padded_to_a_block() {
    let skin = identity_skin(1);
    let mesh = build_one_vertex(&skin, &[0], &[1.0]);
    assert_eq!((mesh.padded_len(), mesh.run_count()), (BLOCK, 1));
    assert_eq!(mesh.inverse_remap(), [0; BLOCK]);
    assert_eq!(skin_positions(&mesh, &skin).len(), 1);
}

#[test]
fn weights_of_a_repeated_joint_are_summed() {
    let skin = identity_skin(3);
    let twice = build_one_vertex(&skin, &[2, 0, 2], &[0.25, 0.25, 0.5]);
    assert_eq!(
        skin_positions(&twice, &skin),
        skin_positions(&build_one_vertex(&skin, &[0, 2], &[0.25, 0.75]), &skin)
    );
}

#[test]
fn zero_weights_are_dropped_even_with_a_joint_out_of_range() {
    let skin = identity_skin(3);
    let padded = build_one_vertex(&skin, &[1, 99, 0], &[1.0, 0.0, -0.0]);
    assert_eq!(skin_positions(&padded, &skin), skin_positions(&build_one_vertex(&skin, &[1], &[1.0]), &skin));
}

#[test]
fn only_the_ratio_of_weights_matters() {
    let skin = identity_skin(2);
    let expected = skin_positions(&build_one_vertex(&skin, &[0, 1], &[0.5, 0.5]), &skin);
    let smallest = f32::from_bits(1);
    for weight in [3e38, f32::MAX, 1e-38, smallest, 7.0] {
        assert_eq!(
            skin_positions(&build_one_vertex(&skin, &[0, 1], &[weight, weight]), &skin),
            expected,
            "{weight:e}"
        );
    }
}

#[test]
fn a_weight_too_small_to_represent_is_dropped() {
    let skin = identity_skin(2);
    let weights = [f32::from_bits(1), f32::MAX, 1.0];
    let influences = Influences::Variable { counts: &[2, 1], joints: &[0, 1, 1], weights: &weights };
    let mesh = Mesh::new(&MeshSource::new(&[[1.0, 2.0, 3.0]; 2], influences), &skin).unwrap();
    assert_eq!(mesh.run_count(), 1);
    let found = skin_positions(&mesh, &skin);
    assert_eq!(found[0], found[1]);
}

#[test]
fn one_vertex_can_have_300_influences() {
    let (skin, mut random) = (identity_skin(300), Random::new(82));
    let matrices = rigs::rigid_matrices(300, &mut Random::new(81));
    let joints: Vec<u32> = (0..300).rev().collect();
    let weights: Vec<f32> = joints.iter().map(|_| random.between(0.1, 1.0)).collect();
    let sum: f64 = weights.iter().copied().map(f64::from).sum();
    let mut expected = [0.0; 3];
    for (&joint, &weight) in joints.iter().zip(&weights) {
        let rows = matrices[joint as usize].rows.map(|row| row.map(f64::from));
        for (to, [a, b, c, d]) in expected.iter_mut().zip(rows) {
            *to += f64::from(weight) / sum * (a + 2.0 * b + 3.0 * c + d);
        }
    }
    let found = skin_positions(&build_one_vertex(&skin, &joints, &weights), &skin)[0];
    for (expected, found) in expected.iter().zip(found) {
        assert!((expected - f64::from(found)).abs() < 4e-6, "expected {expected}, found {found}");
    }
}

#[test]
fn the_last_of_70000_joints_moves_its_vertex() {
    let skin = identity_skin(70_000);
    let mesh = build_one_vertex(&skin, &[69_999], &[1.0]);
    let mut matrices = vec![Matrix::IDENTITY; 70_000];
    matrices[69_999].rows[0][3] = 5.0;
    let mut skinned = Skinned::new(&mesh, Attributes::Positions).unwrap();
    mesh.skin(&build_palette(&skin, &matrices), &SkinOptions::default(), &mut skinned).unwrap();
    assert_eq!(skinned.blocks()[0].vector(0), [6.0, 2.0, 3.0]);
}

#[test]
fn fixed_size_influences_equal_listed_influences() {
    let (skin, mut random) = (identity_skin(JOINTS), Random::new(83));
    let positions: Vec<[f32; 3]> = (0..100).map(|_| random.vector(MAX_COORDINATE)).collect();
    let mut joint = || random.below(5) as u16;
    let four: Vec<[u16; 4]> = positions.iter().map(|_| [0; 4].map(|_| joint())).collect();
    let weights: Vec<[f32; 4]> = four.iter().map(|joints| joints.map(|j| f32::from(j % 3))).collect();
    // A vertex whose weights are all zero would be rejected.
    let weights: Vec<[f32; 4]> = weights.into_iter().map(|[a, b, c, d]| [a, b + 0.5, c, d]).collect();
    let eight: Vec<[u16; 8]> = four.iter().map(|&[a, b, c, d]| [0, a, 0, b, 9, c, d, 65_535]).collect();
    let sparse: Vec<[f32; 8]> =
        weights.iter().map(|&[a, b, c, d]| [0.0, a, 0.0, b, 0.0, c, d, 0.0]).collect();
    let joints: Vec<u32> = four.as_flattened().iter().copied().map(u32::from).collect();
    let counts = vec![4; positions.len()];

    let listed = Influences::Variable { counts: &counts, joints: &joints, weights: weights.as_flattened() };
    let listed = Mesh::new(&MeshSource::new(&positions, listed), &skin).unwrap();
    for influences in [
        Influences::Four { joints: &four, weights: &weights },
        Influences::Eight { joints: &eight, weights: &sparse },
    ] {
        let mesh = Mesh::new(&MeshSource::new(&positions, influences), &skin).unwrap();
        assert_eq!(mesh.inverse_remap(), listed.inverse_remap());
        assert_eq!(skin_positions(&mesh, &skin), skin_positions(&listed, &skin));
    }
}
