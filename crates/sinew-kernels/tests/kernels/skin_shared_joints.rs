//! Skinning of shared joint sets: against `f64`, plain lanes, and properties of linear blending.

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{
    BLOCK, DirectionLength, Kernels, Matrix, NormalTransform, Run, ScalarBlock, SkinSharedJoints,
    SkinVertices, VectorBlock,
};
use sinew_testkit::backends::{Checksums, every_backend};
use sinew_testkit::expected_vertex::{ExpectedVertex, assert_near, block_vectors};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::shared_joints::{BASE_VECTORS, SharedJointsInput, SkinCall};
use sinew_testkit::skin_properties::{self, INFLUENCES, RUNS, SkinInput, every_block};
use sinew_testkit::tolerance::Tolerance;

/// The expected vertex. The last joint's weight is one minus the others.
fn expected(runs: &SharedJointsInput, joints: &[u32], block: usize, lane: usize) -> ExpectedVertex {
    let weights = &runs.weights[block * (runs.influences - 1)..][..runs.influences - 1];
    let mut left = 1.0;
    let mut influences = Vec::new();
    for (i, &joint) in joints.iter().enumerate() {
        let weight = weights.get(i).map_or(left, |row| f64::from(row.0[lane]));
        left -= weight;
        influences.push((weight, runs.palette.get(joint as usize).map_or(algebra::IDENTITY, algebra::widen)));
    }
    let matrix = reference::blend(&influences);
    let base = runs.base[block * BASE_VECTORS].vector(lane).map(f64::from);
    ExpectedVertex { position: reference::skin_position(&matrix, base), matrix, weight: 1.0 }
}

#[test]
fn vertices_match_the_reference() {
    for influences in INFLUENCES {
        let runs = SharedJointsInput::new(RUNS, influences, &mut Random::new(70 + influences as u64));
        every_backend(|run| {
            for call in SkinCall::all() {
                let found = runs.skin_all(run.kernels, call);
                let mut tolerance = Tolerance::new(format!("{run}: {influences} influences, {call:?}"));
                for (joints, blocks) in runs.joints.chunks(influences).zip(&runs.runs) {
                    for block in blocks.first as usize..(blocks.first + blocks.blocks) as usize {
                        let (base, found) = block_vectors(block, call, &runs.base, &found);
                        for lane in 0..BLOCK {
                            let expected = expected(&runs, joints, block, lane);
                            expected.compare(&mut tolerance, call, base, found, lane);
                        }
                    }
                }
                tolerance.report();
            }
        });
    }
}

/// One block with all its weight on one joint.
fn rigid(kernels: &Kernels, palette: &[Matrix], joint: u32, base: &[VectorBlock; 2]) -> [VectorBlock; 2] {
    let mut output = [VectorBlock::default(); 2];
    kernels.skin_shared_joints(SkinSharedJoints {
        palette,
        influences: 1,
        runs: &[Run { first: 0, blocks: 1, weights: 0 }],
        joints: &[joint],
        weights: &[],
        vertices: every_block(base, 2, &mut output),
    });
    output
}

#[test]
fn one_joint_moves_its_vertices_as_its_matrix_does() {
    let random = &mut Random::new(73);
    let palette = rigs::rigid_matrices(3, random);
    let runs = SharedJointsInput::new(20, 1, random);
    let base = [runs.base[0], runs.base[1]];
    every_backend(|run| {
        for (joint, matrix) in palette.iter().enumerate() {
            let found = rigid(run.kernels, &palette, joint as u32, &base);
            let mut tolerance = Tolerance::new(format!("{run}: a rigid move"));
            for lane in 0..BLOCK {
                let position = matrix.transform_point(base[0].vector(lane)).map(f64::from);
                tolerance.all_close(lane, position, found[0].vector(lane), 1e-6);
                let direction = matrix.transform_vector(base[1].vector(lane)).map(f64::from);
                tolerance.all_close(lane, direction, found[1].vector(lane), 1e-6);
            }
        }
    });
}

#[test]
fn a_joint_outside_the_palette_leaves_vertices_where_they_are() {
    let base = [VectorBlock { rows: [[1.0; BLOCK], [2.0; BLOCK], [3.0; BLOCK]] }; 2];
    every_backend(|run| {
        for (palette, joint) in [(&[][..], 0), (&[Matrix::ZERO][..], 1), (&[Matrix::ZERO][..], u32::MAX)] {
            assert_eq!(rigid(run.kernels, palette, joint, &base)[0], base[0], "{run}");
        }
    });
}

#[test]
fn a_direction_that_blends_to_zero_stays_zero() {
    let base = [VectorBlock::default(); 2];
    every_backend(|run| {
        assert_eq!(rigid(run.kernels, &[Matrix::IDENTITY], 0, &base)[1], base[1], "{run}");
    });
}

#[test]
fn positions_only_match_positions_with_directions() {
    for influences in INFLUENCES {
        let runs = SharedJointsInput::new(RUNS, influences, &mut Random::new(74));
        every_backend(|run| {
            let call = SkinCall {
                vectors: BASE_VECTORS,
                directions: DirectionLength::AsBlended,
                normals: NormalTransform::BlendedMatrix,
            };
            let all = runs.skin_all(run.kernels, call);
            let alone = runs.skin_all(run.kernels, SkinCall { vectors: 1, ..call });
            for (all, alone) in all.chunks(BASE_VECTORS).zip(&alone) {
                assert_near(&all[0], alone, 0.0, &format!("{run}: {influences} influences"));
            }
        });
    }
}

#[test]
fn every_backend_matches_plain_lanes() {
    skin_properties::every_backend_matches_plain_lanes::<SharedJointsInput>();
}

#[test]
fn splits_do_not_change_a_bit() {
    skin_properties::splits_do_not_change_a_bit::<SharedJointsInput>(71);
}

#[test]
fn bits_are_the_same_everywhere() {
    let expected = Checksums { reproducible: "deb0b98b40534309", fused: "8b46704a7add3540" };
    skin_properties::bits_are_the_same_everywhere::<SharedJointsInput>(72, expected);
}

#[test]
fn a_run_is_skinned_as_far_as_window_and_weights_go() {
    let base = [VectorBlock { rows: [[7.0; BLOCK]; 3] }; 3];
    let skin = |kernels: &Kernels, influences: usize, run: Run, vertices: SkinVertices<'_>| {
        kernels.skin_shared_joints(SkinSharedJoints {
            palette: &[],
            influences,
            runs: &[run],
            joints: &vec![0; influences],
            weights: &vec![ScalarBlock::default(); 3 * (influences - 1)],
            vertices,
        });
    };
    // The last joint's weight is implied, so a single joint has no weights.
    skin_properties::a_run_is_skinned_as_far_as_window_and_weights_go(&base, base[0], skin, |influences| {
        influences > 1
    });
}
