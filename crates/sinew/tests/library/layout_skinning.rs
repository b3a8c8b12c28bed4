//! Skinning in every layout, on every backend: against the reference in `f64`, and its invariants.

use sinew::mesh::{Grouping, Weights};
use sinew::skinning::{Target, VertexLayout, VertexWriter};
use sinew::{FloatMode, Influences, Matrix, Mesh, MeshSource, Palette, SkinOptions};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

use crate::support::backends::{fast_runtime, runtime};
use crate::support::test_meshes::{JOINTS, SkinnedVectors, TestMesh, skin_vectors};
use crate::support::vertex_cloud::{MESH_SIZE, build_palette, identity_skin_on};

const VERTICES: usize = if EMULATED { 60 } else { 300 };
/// The tolerance of positions, relative to the mesh's size.
const POSITION: f64 = 2e-6;
/// The tolerance of directions, which have length one.
const DIRECTION: f64 = 2e-6;

fn compare(found: &SkinnedVectors<f32>, expected: &SkinnedVectors<f64>, context: &str) {
    let mut tolerance = Tolerance::new(context);
    for (vector, allowed) in [POSITION * MESH_SIZE, DIRECTION, DIRECTION].into_iter().enumerate() {
        assert_eq!(found[vector].len(), expected[vector].len());
        for (vertex, (&found, &expected)) in found[vector].iter().zip(&expected[vector]).enumerate() {
            tolerance.all_close(format_args!("vector {vector} of {vertex}"), expected, found, allowed);
        }
    }
    tolerance.report();
}

#[test]
fn every_layout_matches_the_f64_reference_on_every_backend() {
    every_backend(|run| {
        let mut random = Random::new(210);
        for test_mesh in TestMesh::every_layout(runtime(run), VERTICES, &mut random) {
            let model_matrices = rigs::rigid_matrices(JOINTS, &mut random);
            let found = skin_vectors(
                &test_mesh.mesh(&[]),
                &test_mesh.palette(&model_matrices),
                &SkinOptions::default(),
            );
            compare(
                &found,
                &test_mesh.skin_reference(&model_matrices, usize::MAX),
                &format!("{run}: {}", test_mesh.name),
            );
        }
    });
}

#[test]
fn the_test_meshes_have_their_intended_layouts_and_weights() {
    let runtime = fast_runtime();
    let test_meshes = TestMesh::every_layout(runtime, VERTICES, &mut Random::new(211));
    let forms = test_meshes.each_ref().map(|test_mesh| test_mesh.mesh(&[]).layout().grouping);
    assert_eq!(
        forms,
        [Grouping::SharedJoints, Grouping::PerVertexJoints, Grouping::PerVertexJoints, Grouping::PreWeighted]
    );
    for test_mesh in &test_meshes {
        let sums = test_mesh
            .strongest_influences(usize::MAX)
            .into_iter()
            .map(|influences| influences.iter().map(|influence| influence.weight).sum::<f64>());
        let far_from_one = sums.filter(|sum| (sum - 1.0).abs() > 0.05).count();
        assert_eq!(far_from_one > VERTICES / 2, test_mesh.weights == Weights::AsStored, "{}", test_mesh.name);
    }
}

#[test]
fn the_rest_pose_gives_the_rest_mesh() {
    every_backend(|run| {
        for test_mesh in TestMesh::every_layout(runtime(run), VERTICES, &mut Random::new(212)) {
            let binds = test_mesh.skin.inverse_binds().iter().map(|matrix| matrix.inverse().unwrap());
            let model_matrices: Vec<Matrix> = binds.collect();
            let found =
                skin_vectors(&test_mesh.mesh(&[]), &Palette::new(&test_mesh.skin), &SkinOptions::default());
            compare(
                &found,
                &test_mesh.skin_reference(&model_matrices, usize::MAX),
                &format!("{run}: {}", test_mesh.name),
            );
            if test_mesh.weights == Weights::Normalized {
                let rest = test_mesh.cloud.positions.iter().map(|position| position.map(f64::from)).collect();
                let normals: Vec<_> = test_mesh.cloud.normals.iter().map(|n| n.map(f64::from)).collect();
                let tangents =
                    test_mesh.cloud.tangents.iter().map(|&[x, y, z, _]| [x, y, z].map(f64::from)).collect();
                compare(&found, &[rest, normals, tangents], &format!("{run}: {} at rest", test_mesh.name));
            }
        }
    });
}

#[test]
fn a_single_influence_is_a_rigid_transform() {
    every_backend(|run| {
        let mut random = Random::new(213);
        for mut test_mesh in TestMesh::every_layout(runtime(run), VERTICES, &mut random) {
            let joint = |vertex: usize| vertex * 7 % JOINTS;
            test_mesh.cloud.counts = vec![1; VERTICES];
            test_mesh.cloud.joints = (0..VERTICES).map(|vertex| joint(vertex) as u32).collect();
            test_mesh.cloud.weights = vec![1.0; VERTICES];
            // One joint for each vertex gives few joint sets, so that the layout may change.
            test_mesh.grouping = None;
            let from = match &mut test_mesh.joint_space_vectors {
                Some(vectors) => {
                    vectors.truncate(VERTICES);
                    vectors.resize(VERTICES, [0.5, -1.0, 0.25]);
                    vectors.clone()
                }
                None => test_mesh.cloud.positions.clone(),
            };
            let model_matrices = rigs::rigid_matrices(JOINTS, &mut random);
            let palette = test_mesh.palette(&model_matrices);
            let found = skin_vectors(&test_mesh.mesh(&[]), &palette, &SkinOptions::default());
            // Model matrices transform joint-space vectors. For positions the binds are the
            // identity, so that they are the palette, too.
            let expected = [
                from.iter().enumerate().map(|(v, &p)| model_matrices[joint(v)].transform_point(p)).collect(),
                transform_directions(&palette, joint, test_mesh.cloud.normals.iter().copied()),
                transform_directions(
                    &palette,
                    joint,
                    test_mesh.cloud.tangents.iter().map(|&[x, y, z, _]| [x, y, z]),
                ),
            ];
            let expected = expected.map(|vectors: Vec<[f32; 3]>| {
                vectors.into_iter().map(|vector| vector.map(f64::from)).collect()
            });
            compare(&found, &expected, &format!("{run}: {}", test_mesh.name));
        }
    });
}

/// Directions transformed by the palette matrix of their joint.
fn transform_directions(
    palette: &Palette,
    joint: impl Fn(usize) -> usize,
    directions: impl Iterator<Item = [f32; 3]>,
) -> Vec<[f32; 3]> {
    let transform = |(v, direction)| palette.matrices()[joint(v)].transform_vector(direction);
    directions.enumerate().map(transform).collect()
}

#[test]
fn rotating_the_palette_rotates_the_result() {
    every_backend(|run| {
        let mut random = Random::new(214);
        for test_mesh in TestMesh::every_layout(runtime(run), VERTICES, &mut random) {
            let mesh = test_mesh.mesh(&[]);
            let model_matrices = rigs::rigid_matrices(JOINTS, &mut random);
            // Without translation: where weights do not sum to one, only linear maps commute with
            // the sum.
            let mut turn = rigs::rigid_matrices(1, &mut random)[0];
            turn.rows.iter_mut().for_each(|row| row[3] = 0.0);
            let turned: Vec<Matrix> = model_matrices.iter().map(|&model| turn * model).collect();
            let options = SkinOptions::default();
            let before = skin_vectors(&mesh, &test_mesh.palette(&model_matrices), &options);
            let found = skin_vectors(&mesh, &test_mesh.palette(&turned), &options);
            let expected = before.map(|vectors| {
                vectors.iter().map(|&vector| turn.transform_vector(vector).map(f64::from)).collect()
            });
            compare(&found, &expected, &format!("{run}: {}", test_mesh.name));
        }
    });
}

#[test]
fn permuting_the_vertices_permutes_the_result_bit_for_bit() {
    every_backend(|run| {
        let mut random = Random::new(215);
        for test_mesh in TestMesh::every_layout(runtime(run), VERTICES, &mut random) {
            let mut order: Vec<usize> = (0..VERTICES).collect();
            for i in (1..VERTICES).rev() {
                order.swap(i, random.below(i + 1));
            }
            let palette = test_mesh.palette(&rigs::rigid_matrices(JOINTS, &mut random));
            let options = SkinOptions::default();
            // LODs change the slots of vertices, but not the result of all influences.
            for levels in [&[][..], &[1, 2]] {
                let straight = skin_vectors(&test_mesh.mesh(levels), &palette, &options);
                let shuffled = skin_vectors(&test_mesh.reordered(&order).mesh(levels), &palette, &options);
                for (straight, shuffled) in straight.iter().zip(&shuffled) {
                    for (new, &old) in order.iter().enumerate() {
                        let bits = |vector: [f32; 3]| vector.map(f32::to_bits);
                        assert_eq!(bits(shuffled[new]), bits(straight[old]), "{run}: {}", test_mesh.name);
                    }
                }
            }
        }
    });
}

#[test]
fn reproducible_mode_gives_the_same_bits_on_every_backend() {
    let mut expected: Option<Vec<SkinnedVectors<f32>>> = None;
    every_backend(|run| {
        if run.float_mode == FloatMode::Reproducible {
            let mut random = Random::new(216);
            let test_meshes = TestMesh::every_layout(runtime(run), VERTICES, &mut random);
            let model_matrices = rigs::rigid_matrices(JOINTS, &mut random);
            let found: Vec<_> = test_meshes
                .iter()
                .map(|test_mesh| {
                    skin_vectors(
                        &test_mesh.mesh(&[]),
                        &test_mesh.palette(&model_matrices),
                        &SkinOptions::default(),
                    )
                })
                .collect();
            assert_eq!(*expected.get_or_insert_with(|| found.clone()), found, "{run}");
        }
    });
}

#[test]
fn a_far_joint_does_not_disturb_vertices_that_it_does_not_influence() {
    // Few vertices in each joint set, so that all sets are merged into one run.
    let counts = [1, 2, 2, 1, 2];
    let joints = [0, 0, 1, 0, 2, 0, 0, 1];
    let weights = [1.0, 0.25, 0.75, 0.5, 0.5, 1.0, 0.625, 0.375];
    let on_two = [false, false, true, false, false];
    let positions: Vec<[f32; 3]> = (0..5).map(|i| [i as f32, 1.0, -2.0]).collect();
    let influences = Influences::Variable { counts: &counts, joints: &joints, weights: &weights };
    every_backend(|run| {
        let skin = identity_skin_on(runtime(run), 3);
        let mesh = Mesh::new(&MeshSource::new(&positions, influences), &skin).expect("a valid mesh");
        assert_eq!((mesh.layout().grouping, mesh.run_count()), (Grouping::SharedJoints, 1));
        let mut matrices = rigs::rigid_matrices(3, &mut Random::new(215));
        let skinned = |matrices: &[Matrix]| {
            let palette = build_palette(&skin, matrices);
            let mut to = vec![[0.0; 3]; mesh.len()];
            let vertices = to.len();
            let writer = VertexWriter::new(&VertexLayout::packed(1), [&mut to], vertices).unwrap();
            let target = Target::vertices(writer);
            mesh.skin_into(&palette, &SkinOptions::default(), target).expect("matching sizes");
            to
        };
        let near = skinned(&matrices);
        for row in &mut matrices[2].rows {
            row[3] = 1e30;
        }
        let far = skinned(&matrices);
        for (vertex, on_two) in on_two.into_iter().enumerate() {
            assert_eq!(near[vertex] != far[vertex], on_two, "{run}: vertex {vertex}");
        }
    });
}
