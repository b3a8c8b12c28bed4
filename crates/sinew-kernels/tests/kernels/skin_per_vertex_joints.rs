//! Skinning of vertices with joints of their own: against `f64`, plain lanes, and shared joints.

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{
    BLOCK, DirectionLength, JointIndexBlock, Kernels, Matrix, NormalTransform, Run, ScalarBlock,
    SkinPerVertexJoints, SkinVertices, VectorBlock,
};
use sinew_testkit::backends::{Checksums, every_backend};
use sinew_testkit::expected_vertex::{ExpectedVertex, assert_near, block_vectors};
use sinew_testkit::per_vertex_joints::PerVertexJointsInput;
use sinew_testkit::random::Random;
use sinew_testkit::shared_joints::{BASE_VECTORS, SharedJointsInput, SkinCall};
use sinew_testkit::skin_properties::{self, INFLUENCES, RUNS, SkinInput, every_block};
use sinew_testkit::tolerance::Tolerance;

/// The expected vertex.
fn expected(input: &PerVertexJointsInput, block: usize, lane: usize) -> ExpectedVertex {
    let own = block * input.influences..(block + 1) * input.influences;
    let mut influences = Vec::new();
    for (joints, weights) in input.joints[own.clone()].iter().zip(&input.weights[own]) {
        let matrix = input.palette.get(joints.0[lane] as usize).map_or(algebra::IDENTITY, algebra::widen);
        influences.push((f64::from(weights.0[lane]), matrix));
    }
    let matrix = reference::blend(&influences);
    let base = input.base[block * BASE_VECTORS].vector(lane).map(f64::from);
    let weight = influences.iter().map(|(weight, _)| weight.abs()).sum::<f64>().max(1.0);
    ExpectedVertex { position: reference::skin_position(&matrix, base), matrix, weight }
}

#[test]
fn vertices_match_the_reference() {
    for influences in INFLUENCES {
        let input = PerVertexJointsInput::new(RUNS, influences, &mut Random::new(170 + influences as u64));
        every_backend(|run| {
            for call in SkinCall::all() {
                let found = input.skin_all(run.kernels, call);
                let mut tolerance = Tolerance::new(format!("{run}: {influences} influences, {call:?}"));
                for block in 0..input.blocks() {
                    let (base, found) = block_vectors(block, call, &input.base, &found);
                    for lane in 0..BLOCK {
                        expected(&input, block, lane).compare(&mut tolerance, call, base, found, lane);
                    }
                }
                tolerance.report();
            }
        });
    }
}

#[test]
fn per_vertex_joints_of_a_run_match_shared_joints() {
    for influences in INFLUENCES {
        let runs = SharedJointsInput::new(RUNS, influences, &mut Random::new(173));
        let input = PerVertexJointsInput::from_shared_joints(&runs);
        every_backend(|run| {
            let call = SkinCall {
                vectors: BASE_VECTORS,
                directions: DirectionLength::AsBlended,
                normals: NormalTransform::BlendedMatrix,
            };
            let expected = runs.skin_all(run.kernels, call);
            let found = input.skin_all(run.kernels, call);
            for (expected, found) in expected.iter().zip(&found) {
                // Positions are a few meters, and shared joints imply weights that sum to one.
                assert_near(expected, found, 4e-6, &format!("{run}: {influences} influences"));
            }
        });
    }
}

/// One block of positions, each vertex with all its weight on one joint.
fn rigid(kernels: &Kernels, palette: &[Matrix], joints: [u32; BLOCK], base: &VectorBlock) -> VectorBlock {
    let mut output = [VectorBlock::default()];
    kernels.skin_per_vertex_joints(SkinPerVertexJoints {
        palette,
        influences: 1,
        runs: &[Run { first: 0, blocks: 1, weights: 0 }],
        joints: &[JointIndexBlock(joints)],
        weights: &[ScalarBlock([1.0; BLOCK])],
        vertices: every_block(std::slice::from_ref(base), 1, &mut output),
    });
    output[0]
}

#[test]
fn each_vertex_moves_with_its_own_joint() {
    let along = |x: f32| Matrix { rows: [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] };
    let palette: Vec<_> = (0..BLOCK).map(|i| along(10.0 * i as f32)).collect();
    let base = VectorBlock { rows: [[1.0; BLOCK], [2.0; BLOCK], [3.0; BLOCK]] };
    every_backend(|run| {
        let joints = [3, 1, 4, 0, 5, 7, 2, 6];
        let found = rigid(run.kernels, &palette, joints, &base);
        for (lane, joint) in joints.into_iter().enumerate() {
            assert_eq!(found.vector(lane), [1.0 + 10.0 * joint as f32, 2.0, 3.0], "{run}: vertex {lane}");
        }
    });
}

#[test]
fn a_joint_outside_the_palette_leaves_its_vertex_where_it_is() {
    let base = VectorBlock { rows: [[1.0; BLOCK], [2.0; BLOCK], [3.0; BLOCK]] };
    every_backend(|run| {
        for (palette, joint) in [(&[][..], 0), (&[Matrix::ZERO][..], 1), (&[Matrix::ZERO][..], u32::MAX)] {
            assert_eq!(rigid(run.kernels, palette, [joint; BLOCK], &base), base, "{run}");
            for lane in 0..BLOCK {
                let mut joints = [0; BLOCK];
                joints[lane] = joint;
                let found = rigid(run.kernels, palette, joints, &base);
                assert_eq!(found.vector(lane), base.vector(lane), "{run}: vertex {lane}");
            }
        }
    });
}

#[test]
fn weights_are_kept_as_they_are() {
    let base = [VectorBlock { rows: [[1.0; BLOCK], [2.0; BLOCK], [3.0; BLOCK]] }];
    every_backend(|run| {
        for influences in INFLUENCES {
            // Each joint outside the palette adds its weight of the identity.
            let mut output = [VectorBlock::default()];
            run.kernels.skin_per_vertex_joints(SkinPerVertexJoints {
                palette: &[],
                influences,
                runs: &[Run { first: 0, blocks: 1, weights: 0 }],
                joints: &vec![JointIndexBlock::default(); influences],
                weights: &vec![ScalarBlock([0.5; BLOCK]); influences],
                vertices: every_block(&base, 1, &mut output),
            });
            let sum = 0.5 * influences as f32;
            let expected = VectorBlock { rows: base[0].rows.map(|row| row.map(|x| sum * x)) };
            assert_eq!(output[0], expected, "{run}: {influences} influences");
        }
    });
}

#[test]
fn every_backend_matches_plain_lanes() {
    skin_properties::every_backend_matches_plain_lanes::<PerVertexJointsInput>();
}

#[test]
fn splits_do_not_change_a_bit() {
    skin_properties::splits_do_not_change_a_bit::<PerVertexJointsInput>(171);
}

#[test]
fn bits_are_the_same_everywhere() {
    let expected = Checksums { reproducible: "9197e5b47db992f3", fused: "be75b2ec0fda5b56" };
    skin_properties::bits_are_the_same_everywhere::<PerVertexJointsInput>(172, expected);
}

#[test]
fn a_run_is_skinned_as_far_as_window_and_weights_go() {
    let base = [VectorBlock { rows: [[7.0; BLOCK]; 3] }; 3];
    let skin = |kernels: &Kernels, influences: usize, run: Run, vertices: SkinVertices<'_>| {
        let mut weights = vec![ScalarBlock::default(); 3 * influences];
        for row in weights.iter_mut().step_by(influences) {
            row.0 = [1.0; BLOCK];
        }
        kernels.skin_per_vertex_joints(SkinPerVertexJoints {
            palette: &[],
            influences,
            runs: &[run],
            joints: &vec![JointIndexBlock::default(); 3 * influences],
            weights: &weights,
            vertices,
        });
    };
    skin_properties::a_run_is_skinned_as_far_as_window_and_weights_go(&base, base[0], skin, |_| true);
}
