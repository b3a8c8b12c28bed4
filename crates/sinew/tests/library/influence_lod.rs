//! Levels of detail, which skin with the strongest influences only, against the reference in `f64`.

use sinew::mesh::Weights;
use sinew::skinning::{Skinned, SkinningError};
use sinew::{Influences, MeshSource, Palette, SkinOptions};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

use crate::support::backends::runtime;
use crate::support::test_meshes::{JOINTS, TestMesh, skin_vectors};
use crate::support::vec3_f64::length;
use crate::support::vertex_cloud::{MESH_SIZE, VertexCloud, build_palette, identity_skin, identity_skin_on};

const VERTICES: usize = if EMULATED { 60 } else { 300 };

fn lod_options(max_influences: usize) -> SkinOptions<'static> {
    SkinOptions::default().with_max_influences(max_influences)
}

#[test]
fn a_lod_matches_the_f64_reference_over_the_strongest_influences() {
    every_backend(|run| {
        let mut random = Random::new(220);
        for test_mesh in TestMesh::every_layout(runtime(run), VERTICES, &mut random) {
            let mesh = test_mesh.mesh(&[1, 2, 3]);
            let model_matrices = rigs::rigid_matrices(JOINTS, &mut random);
            let palette = test_mesh.palette(&model_matrices);
            for max_influences in [1, 2, 3, usize::MAX] {
                let found = skin_vectors(&mesh, &palette, &lod_options(max_influences));
                let expected = test_mesh.skin_reference(&model_matrices, max_influences);
                let mut tolerance =
                    Tolerance::new(format!("{run}: {}, at most {max_influences}", test_mesh.name));
                for (vector, allowed) in [2e-6 * MESH_SIZE, 2e-6, 2e-6].into_iter().enumerate() {
                    for (vertex, &expected) in expected[vector].iter().enumerate() {
                        let what = format_args!("vector {vector} of {vertex}");
                        tolerance.all_close(what, expected, found[vector][vertex], allowed);
                    }
                }
                tolerance.report();
            }
        }
    });
}

#[test]
fn the_one_influence_lod_moves_a_vertex_with_its_strongest_joint() {
    every_backend(|run| {
        let mut random = Random::new(221);
        for test_mesh in TestMesh::every_layout(runtime(run), VERTICES, &mut random) {
            if test_mesh.weights == Weights::AsStored {
                continue;
            }
            let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
            let [positions, ..] = skin_vectors(&test_mesh.mesh(&[1]), &palette, &lod_options(1));
            let mut tolerance = Tolerance::new(format!("{run}: {}", test_mesh.name));
            for (vertex, (&found, strongest)) in
                positions.iter().zip(test_mesh.strongest_influences(1)).enumerate()
            {
                let matrix = palette.matrices()[strongest[0].joint];
                let expected = matrix.transform_point(test_mesh.cloud.positions[vertex]).map(f64::from);
                tolerance.all_close(vertex, expected, found, 1e-6 * MESH_SIZE);
            }
        }
    });
}

#[test]
fn lower_joints_win_weight_ties() {
    every_backend(|run| {
        let skin = identity_skin_on(runtime(run), 8);
        let matrices = rigs::rigid_matrices(8, &mut Random::new(222));
        let palette = build_palette(&skin, &matrices);
        let positions = [[0.5, -1.0, 2.0]];
        let influences = Influences::Four { joints: &[[7, 3, 5, 1]], weights: &[[0.25; 4]] };
        for weights in [Weights::Normalized, Weights::AsStored] {
            let source = MeshSource { levels: &[1, 2], weights, ..MeshSource::new(&positions, influences) };
            let mesh = sinew::Mesh::new(&source, &skin).unwrap();
            let mut skinned = Skinned::new(&mesh, sinew::mesh::Attributes::Positions).unwrap();
            let mut found = [[f32::NAN; 3]];
            for kept in [&[1_usize][..], &[1, 3]] {
                mesh.skin(&palette, &lod_options(kept.len()), &mut skinned).unwrap();
                skinned.positions(&mesh, &mut found).unwrap();
                for (axis, &component) in found[0].iter().enumerate() {
                    let moved = kept.iter().map(|&joint| matrices[joint].transform_point(positions[0])[axis]);
                    let expected = moved.sum::<f32>() / kept.len() as f32;
                    assert!((component - expected).abs() <= 4e-6, "{run}: {kept:?}: {component} {expected}");
                }
            }
        }
    });
}

#[test]
fn a_lod_that_was_not_built_is_rejected() {
    every_backend(|run| {
        for test_mesh in TestMesh::every_layout(runtime(run), VERTICES, &mut Random::new(223)) {
            let (mesh, palette) = (test_mesh.mesh(&[2]), Palette::new(&test_mesh.skin));
            let mut skinned = Skinned::new(&mesh, sinew::mesh::Attributes::Positions).unwrap();
            for requested in [0, 1, 3] {
                let error = mesh.skin(&palette, &lod_options(requested), &mut skinned).unwrap_err();
                assert_eq!(error, SkinningError::NoLevel { requested });
                assert_eq!(mesh.displacement(&palette, requested), Err(error.clone()));
                let expected = format!(
                    "level of detail: expected one that the mesh was built with, found at most {requested} influences"
                );
                assert_eq!(error.to_string(), expected);
            }
            assert!(
                skinned.blocks().iter().all(|block| *block == sinew::mesh::VectorBlock::default()),
                "untouched"
            );
        }
    });
}

#[test]
fn a_maximum_of_all_influences_needs_no_lod() {
    every_backend(|run| {
        let mut random = Random::new(224);
        for test_mesh in TestMesh::every_layout(runtime(run), VERTICES, &mut random) {
            let mesh = test_mesh.mesh(&[]);
            let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
            let max_influences =
                test_mesh.strongest_influences(usize::MAX).iter().map(Vec::len).max().unwrap();
            let all = skin_vectors(&mesh, &palette, &SkinOptions::default());
            for enough in [max_influences, max_influences + 1, 1000] {
                assert_eq!(
                    skin_vectors(&mesh, &palette, &lod_options(enough)),
                    all,
                    "{run}: {}",
                    test_mesh.name
                );
                assert_eq!(mesh.displacement(&palette, enough), Ok(0.0), "{run}: {}", test_mesh.name);
            }
            let mut skinned = Skinned::new(&mesh, sinew::mesh::Attributes::Positions).unwrap();
            let less = mesh.skin(&palette, &lod_options(max_influences - 1), &mut skinned);
            assert_eq!(
                less,
                Err(SkinningError::NoLevel { requested: max_influences - 1 }),
                "{run}: {}",
                test_mesh.name
            );
        }
    });
}

#[test]
fn displacement_is_the_largest_vertex_distance_between_two_lods() {
    every_backend(|run| {
        let mut random = Random::new(225);
        for test_mesh in TestMesh::every_layout(runtime(run), VERTICES, &mut random) {
            let mesh = test_mesh.mesh(&[1, 2, 3]);
            let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
            let [full, ..] = skin_vectors(&mesh, &palette, &SkinOptions::default());
            for max_influences in [1, 2, 3] {
                let [few, ..] = skin_vectors(&mesh, &palette, &lod_options(max_influences));
                let distance = |(a, b): (&[f32; 3], &[f32; 3])| {
                    length([0, 1, 2].map(|axis| f64::from(a[axis] - b[axis])))
                };
                let expected = full.iter().zip(&few).map(distance).fold(0.0, f64::max);
                let found = mesh.displacement(&palette, max_influences).unwrap();
                assert!((f64::from(found) - expected).abs() <= 1e-6 * expected, "{run}: {found} {expected}");
                assert!(found > 0.1, "{run}: {}: {found}", test_mesh.name);
            }
        }
    });
}

#[test]
fn no_lod_displaces_the_rest_pose() {
    every_backend(|run| {
        for test_mesh in TestMesh::every_layout(runtime(run), VERTICES, &mut Random::new(226)) {
            if test_mesh.joint_space_vectors.is_some() {
                // Joint-space vectors that disagree give another position in each LOD, even at
                // rest.
                continue;
            }
            let (mesh, rest) = (test_mesh.mesh(&[1, 2, 3]), Palette::new(&test_mesh.skin));
            for max_influences in [1, 2, 3] {
                let found = mesh.displacement(&rest, max_influences).unwrap();
                // The rounding error of weights.
                assert!(found <= 2e-6, "{run}: {}: {found}", test_mesh.name);
            }
        }
    });
}

#[test]
fn an_empty_mesh_has_no_displacement() {
    let skin = identity_skin(2);
    let cloud = VertexCloud::default();
    let mesh = sinew::Mesh::new(&MeshSource { levels: &[1], ..cloud.source() }, &skin).unwrap();
    assert_eq!(mesh.displacement(&Palette::new(&skin), 1), Ok(0.0));
    let another = Palette::new(&identity_skin(3));
    assert_eq!(mesh.displacement(&another, 1).unwrap_err().to_string(), "palette: expected 2, found 3");
}
