//! Meshes in runs: what building makes of any sound source.

use crate::cloud;

use crate::cloud::Cloud;
use sinew::kernels::BLOCK;
use sinew::{
    Attributes, DirectionLength, Influences, Matrix, Mesh, MeshSource, Palette, Skin, SkinOptions, Skinned,
};
use sinew_testkit::random::Random;

const JOINTS: usize = 12;

fn clouds() -> impl Iterator<Item = Cloud> {
    let mut random = Random::new(80);
    [0, 1, 7, 8, 9, 64, 500].into_iter().map(move |vertices| Cloud::new(vertices, 8, JOINTS, &mut random))
}

/// Positions in source order, where random matrices take them.
fn moved(mesh: &Mesh, skin: &Skin) -> Vec<[f32; 3]> {
    let palette = cloud::palette(skin, &cloud::rigid(skin.len(), &mut Random::new(81)));
    let mut skinned = Skinned::new(mesh, Attributes::Positions).expect("positions");
    mesh.skin(&palette, &SkinOptions::default(), &mut skinned).expect("what fits");
    let mut positions = vec![[0.0; 3]; mesh.len()];
    skinned.positions(mesh, &mut positions).expect("a place for each");
    positions
}

/// One vertex on these joints.
fn one_vertex(skin: &Skin, joints: &[u32], weights: &[f32]) -> Mesh {
    let influences = Influences::Listed { counts: &[joints.len() as u32], joints, weights };
    Mesh::new(&MeshSource::new(&[[1.0, 2.0, 3.0]], influences), skin).expect("a sound mesh")
}

#[test]
fn both_permutations_are_inverse_to_each_other() {
    for cloud in clouds() {
        let mesh = cloud.mesh(&cloud::skin(JOINTS));
        assert_eq!(mesh.len(), cloud.positions.len());
        assert_eq!(mesh.is_empty(), cloud.positions.is_empty());
        assert_eq!(mesh.place_of_vertex().len(), mesh.len());
        assert_eq!(mesh.vertex_of_place().len(), mesh.padded_len());
        for (vertex, &place) in mesh.place_of_vertex().iter().enumerate() {
            assert_eq!(mesh.vertex_of_place()[place as usize] as usize, vertex);
        }
    }
}

#[test]
fn arrays_come_back_from_run_order() {
    for cloud in clouds() {
        let mesh = cloud.mesh(&cloud::skin(JOINTS));
        let places = mesh.to_run_order(&cloud.positions).unwrap();
        assert_eq!(places.len(), mesh.padded_len());
        assert_eq!(mesh.to_source_order(&places).unwrap(), cloud.positions);
    }
}

#[test]
fn pads_end_a_run_and_repeat_its_last_vertex() {
    for cloud in clouds() {
        let mesh = cloud.mesh(&cloud::skin(JOINTS));
        assert_eq!(mesh.padded_len() % BLOCK, 0);
        assert!(mesh.padded_len() - mesh.len() < BLOCK * mesh.run_count().max(1));
        for block in 0..mesh.padded_len() / BLOCK {
            let mut padding = false;
            for place in BLOCK * block..BLOCK * (block + 1) {
                let vertex = mesh.vertex_of_place()[place];
                let pad = mesh.place_of_vertex()[vertex as usize] as usize != place;
                assert!(pad || !padding, "a vertex after a pad at place {place}");
                assert!(!pad || mesh.vertex_of_place()[place - 1] == vertex, "another vertex at pad {place}");
                padding = pad;
            }
        }
    }
}

#[test]
fn triangles_are_the_same_and_use_no_pad() {
    for cloud in clouds() {
        let mesh = cloud.mesh(&cloud::skin(JOINTS));
        assert_eq!(mesh.triangles().len(), cloud.triangles.len());
        for (places, vertices) in mesh.triangles().iter().zip(&cloud.triangles) {
            assert_eq!(places.map(|place| mesh.vertex_of_place()[place as usize]), *vertices);
            assert_eq!(vertices.map(|vertex| mesh.place_of_vertex()[vertex as usize]), *places);
        }
    }
}

#[test]
fn tangent_signs_stand_in_run_order() {
    for cloud in clouds() {
        let mesh = cloud.mesh(&cloud::skin(JOINTS));
        let signs: Vec<f32> = cloud.tangents.iter().map(|tangent| tangent[3]).collect();
        assert_eq!(mesh.to_source_order(&mesh.tangent_signs()).unwrap(), signs);
        let bare = MeshSource { tangents: None, ..cloud.source() };
        assert!(Mesh::new(&bare, &cloud::skin(JOINTS)).unwrap().tangent_signs().is_empty());
    }
}

#[test]
fn building_twice_gives_equal_bits() {
    let skin = cloud::skin(JOINTS);
    for cloud in clouds() {
        let (one, two) = (cloud.mesh(&skin), cloud.mesh(&skin));
        assert_eq!(one.vertex_of_place(), two.vertex_of_place());
        assert_eq!(one.triangles(), two.triangles());
        let bits = |mesh| moved(mesh, &skin).into_iter().map(|p| p.map(f32::to_bits)).collect::<Vec<_>>();
        assert_eq!(bits(&one), bits(&two));
    }
}

#[test]
fn a_mesh_without_vertices_is_skinned_to_nothing() {
    let skin = cloud::skin(2);
    let mesh = Cloud::default().mesh(&skin);
    assert_eq!((mesh.len(), mesh.padded_len(), mesh.run_count()), (0, 0, 0));
    let mut skinned = Skinned::new(&mesh, Attributes::Tangents).unwrap();
    mesh.skin(
        &Palette::new(&skin),
        &SkinOptions { directions: DirectionLength::Unit, ..SkinOptions::default() },
        &mut skinned,
    )
    .unwrap();
    assert!(skinned.blocks().is_empty());
    skinned.tangents(&mesh, &mut []).unwrap();
}

#[test]
fn one_vertex_fills_a_block() {
    let skin = cloud::skin(1);
    let mesh = one_vertex(&skin, &[0], &[1.0]);
    assert_eq!((mesh.padded_len(), mesh.run_count()), (BLOCK, 1));
    assert_eq!(mesh.vertex_of_place(), [0; BLOCK]);
    assert_eq!(moved(&mesh, &skin).len(), 1);
}

#[test]
fn a_joint_named_twice_has_both_weights() {
    let skin = cloud::skin(3);
    let twice = one_vertex(&skin, &[2, 0, 2], &[0.25, 0.25, 0.5]);
    assert_eq!(moved(&twice, &skin), moved(&one_vertex(&skin, &[0, 2], &[0.25, 0.75]), &skin));
}

#[test]
fn weights_of_zero_are_no_influence_whatever_their_joint() {
    let skin = cloud::skin(3);
    let padded = one_vertex(&skin, &[1, 99, 0], &[1.0, 0.0, -0.0]);
    assert_eq!(moved(&padded, &skin), moved(&one_vertex(&skin, &[1], &[1.0]), &skin));
}

#[test]
fn only_the_proportion_of_weights_counts() {
    let skin = cloud::skin(2);
    let expected = moved(&one_vertex(&skin, &[0, 1], &[0.5, 0.5]), &skin);
    let smallest = f32::from_bits(1);
    for weight in [3e38, f32::MAX, 1e-38, smallest, 7.0] {
        assert_eq!(moved(&one_vertex(&skin, &[0, 1], &[weight, weight]), &skin), expected, "{weight:e}");
    }
}

#[test]
fn a_share_too_small_for_a_number_is_no_influence() {
    let skin = cloud::skin(2);
    let weights = [f32::from_bits(1), f32::MAX, 1.0];
    let influences = Influences::Listed { counts: &[2, 1], joints: &[0, 1, 1], weights: &weights };
    let mesh = Mesh::new(&MeshSource::new(&[[1.0, 2.0, 3.0]; 2], influences), &skin).unwrap();
    assert_eq!(mesh.run_count(), 1);
    let found = moved(&mesh, &skin);
    assert_eq!(found[0], found[1]);
}

#[test]
fn three_hundred_influences_move_one_vertex() {
    let (skin, mut random) = (cloud::skin(300), Random::new(82));
    let matrices = cloud::rigid(300, &mut Random::new(81));
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
    let found = moved(&one_vertex(&skin, &joints, &weights), &skin)[0];
    for (expected, found) in expected.iter().zip(found) {
        assert!((expected - f64::from(found)).abs() < 4e-6, "expected {expected}, found {found}");
    }
}

#[test]
fn the_last_of_seventy_thousand_joints_moves_its_vertex() {
    let skin = cloud::skin(70_000);
    let mesh = one_vertex(&skin, &[69_999], &[1.0]);
    let mut matrices = vec![Matrix::IDENTITY; 70_000];
    matrices[69_999].rows[0][3] = 5.0;
    let mut skinned = Skinned::new(&mesh, Attributes::Positions).unwrap();
    mesh.skin(&cloud::palette(&skin, &matrices), &SkinOptions::default(), &mut skinned).unwrap();
    assert_eq!(skinned.blocks()[0].vector(0), [6.0, 2.0, 3.0]);
}

#[test]
fn fixed_forms_equal_the_listed_form() {
    let (skin, mut random) = (cloud::skin(JOINTS), Random::new(83));
    let positions: Vec<[f32; 3]> = (0..100).map(|_| random.vector(cloud::REACH)).collect();
    let mut joint = || random.below(5) as u16;
    let four: Vec<[u16; 4]> = positions.iter().map(|_| [0; 4].map(|_| joint())).collect();
    let weights: Vec<[f32; 4]> = four.iter().map(|joints| joints.map(|j| f32::from(j % 3))).collect();
    // A vertex whose every weight is zero would be refused.
    let weights: Vec<[f32; 4]> = weights.into_iter().map(|[a, b, c, d]| [a, b + 0.5, c, d]).collect();
    let eight: Vec<[u16; 8]> = four.iter().map(|&[a, b, c, d]| [0, a, 0, b, 9, c, d, 65_535]).collect();
    let sparse: Vec<[f32; 8]> =
        weights.iter().map(|&[a, b, c, d]| [0.0, a, 0.0, b, 0.0, c, d, 0.0]).collect();
    let joints: Vec<u32> = four.as_flattened().iter().copied().map(u32::from).collect();
    let counts = vec![4; positions.len()];

    let listed = Influences::Listed { counts: &counts, joints: &joints, weights: weights.as_flattened() };
    let listed = Mesh::new(&MeshSource::new(&positions, listed), &skin).unwrap();
    for influences in [
        Influences::Four { joints: &four, weights: &weights },
        Influences::Eight { joints: &eight, weights: &sparse },
    ] {
        let mesh = Mesh::new(&MeshSource::new(&positions, influences), &skin).unwrap();
        assert_eq!(mesh.vertex_of_place(), listed.vertex_of_place());
        assert_eq!(moved(&mesh, &skin), moved(&listed, &skin));
    }
}
