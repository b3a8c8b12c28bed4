//! Skinning of pre-weighted vectors: against `f64`, plain lanes, and shared joints.

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{
    BLOCK, DirectionLength, Kernels, Matrix, NormalTransform, PreWeightedBlock, Run, SkinPreWeighted,
    SkinVertices, VectorBlock,
};
use sinew_testkit::backends::{Checksums, every_backend};
use sinew_testkit::expected_vertex::{ExpectedVertex, assert_near, block_vectors};
use sinew_testkit::guarded::Guard;
use sinew_testkit::pre_weighted::PreWeightedInput;
use sinew_testkit::random::Random;
use sinew_testkit::shared_joints::{BASE_VECTORS, SharedJointsInput, SkinCall};
use sinew_testkit::skin_properties::{self, INFLUENCES, RUNS, SkinInput, every_block};
use sinew_testkit::tolerance::Tolerance;

/// The expected vertex. Every block belongs to one run.
fn expected(input: &PreWeightedInput, joints: &[u32], block: usize, lane: usize) -> ExpectedVertex {
    let own = &input.weighted[block * input.influences..][..input.influences];
    let (mut vectors, mut matrices) = (Vec::new(), Vec::new());
    let mut weight = 0.0;
    for (&joint, own) in joints.iter().zip(own) {
        let matrix = input.palette.get(joint as usize).map_or(algebra::IDENTITY, algebra::widen);
        let vector = own.rows.map(|row| f64::from(row[lane]));
        vectors.push((matrix, vector));
        matrices.push((vector[3], matrix));
        weight += vector[3].abs();
    }
    ExpectedVertex {
        position: reference::skin_pre_weighted(&vectors),
        matrix: reference::blend(&matrices),
        weight: f64::max(weight, 1.0),
    }
}

#[test]
fn vertices_match_the_reference() {
    for influences in INFLUENCES {
        let input = PreWeightedInput::new(RUNS, influences, &mut Random::new(270 + influences as u64));
        every_backend(|run| {
            for call in SkinCall::all() {
                let found = input.skin_all(run.kernels, call);
                let mut tolerance = Tolerance::new(format!("{run}: {influences} influences, {call:?}"));
                for (joints, blocks) in input.joints.chunks(influences).zip(&input.runs) {
                    for block in blocks.first as usize..(blocks.first + blocks.blocks) as usize {
                        let (base, found) = block_vectors(block, call, &input.base, &found);
                        for lane in 0..BLOCK {
                            let expected = expected(&input, joints, block, lane);
                            expected.compare(&mut tolerance, call, base, found, lane);
                        }
                    }
                }
                tolerance.report();
            }
        });
    }
}

#[test]
fn equal_rest_positions_match_shared_joints() {
    for influences in INFLUENCES {
        let runs = SharedJointsInput::new(RUNS, influences, &mut Random::new(273));
        let input = PreWeightedInput::from_shared_joints(&runs);
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

/// One block of positions with these pre-weighted vectors.
fn positions(
    kernels: &Kernels,
    palette: &[Matrix],
    joints: &[u32],
    weighted: &[PreWeightedBlock],
) -> VectorBlock {
    let base = [VectorBlock::GUARD];
    let mut output = [VectorBlock::default()];
    kernels.skin_pre_weighted(SkinPreWeighted {
        palette,
        influences: joints.len(),
        runs: &[Run { first: 0, blocks: 1, weights: 0 }],
        joints,
        weighted,
        vertices: every_block(&base, 1, &mut output),
    });
    output[0]
}

/// The same vector and weight in all eight lanes.
fn all_at([x, y, z]: [f32; 3], weight: f32) -> PreWeightedBlock {
    PreWeightedBlock { rows: [x, y, z, 1.0].map(|component| [weight * component; BLOCK]) }
}

#[test]
fn each_joint_moves_its_own_vector() {
    let along = |x: f32| Matrix { rows: [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] };
    let palette = [along(8.0), along(-4.0)];
    every_backend(|run| {
        // A quarter of (1, 2, 3) moved by -4, and half of (2, 4, -6) moved by 8.
        let weighted = [all_at([1.0, 2.0, 3.0], 0.25), all_at([2.0, 4.0, -6.0], 0.5)];
        let found = positions(run.kernels, &palette, &[1, 0], &weighted);
        assert_eq!(found, VectorBlock { rows: [[4.25; BLOCK], [2.5; BLOCK], [-2.25; BLOCK]] }, "{run}");
    });
}

#[test]
fn a_joint_outside_the_palette_leaves_its_vector_where_it_is() {
    let expected = VectorBlock { rows: [[1.0; BLOCK], [2.0; BLOCK], [3.0; BLOCK]] };
    every_backend(|run| {
        for influences in INFLUENCES {
            // The other joints have zero weight.
            let mut weighted = vec![PreWeightedBlock::default(); influences];
            weighted[influences - 1] = all_at([1.0, 2.0, 3.0], 1.0);
            for (palette, joint) in [(&[][..], 0), (&[Matrix::ZERO][..], 1), (&[Matrix::ZERO][..], u32::MAX)]
            {
                let found = positions(run.kernels, palette, &vec![joint; influences], &weighted);
                assert_eq!(found, expected, "{run}: {influences} influences");
            }
        }
    });
}

#[test]
fn weights_are_kept_as_they_are() {
    every_backend(|run| {
        for influences in INFLUENCES {
            let weighted = vec![all_at([1.0, 2.0, 3.0], 0.5); influences];
            let found = positions(run.kernels, &[], &vec![0; influences], &weighted);
            let expected = [1.0, 2.0, 3.0].map(|x| [0.5 * influences as f32 * x; BLOCK]);
            assert_eq!(found, VectorBlock { rows: expected }, "{run}: {influences} influences");
        }
    });
}

#[test]
fn every_backend_matches_plain_lanes() {
    skin_properties::every_backend_matches_plain_lanes::<PreWeightedInput>();
}

#[test]
fn splits_do_not_change_a_bit() {
    skin_properties::splits_do_not_change_a_bit::<PreWeightedInput>(271);
}

#[test]
fn bits_are_the_same_everywhere() {
    let expected = Checksums { reproducible: "2dea41191631be6a", fused: "38afedd0de585dd3" };
    skin_properties::bits_are_the_same_everywhere::<PreWeightedInput>(272, expected);
}

#[test]
fn a_run_is_skinned_as_far_as_window_and_weights_go() {
    let inside = VectorBlock { rows: [[1.0; BLOCK], [2.0; BLOCK], [3.0; BLOCK]] };
    let skin = |kernels: &Kernels, influences: usize, run: Run, vertices: SkinVertices<'_>| {
        let mut weighted = vec![PreWeightedBlock::default(); 3 * influences];
        for block in weighted.iter_mut().step_by(influences) {
            *block = all_at([1.0, 2.0, 3.0], 1.0);
        }
        kernels.skin_pre_weighted(SkinPreWeighted {
            palette: &[],
            influences,
            runs: &[run],
            joints: &vec![0; influences],
            weighted: &weighted,
            vertices,
        });
    };
    skin_properties::a_run_is_skinned_as_far_as_window_and_weights_go(
        &[VectorBlock::GUARD; 3],
        inside,
        skin,
        |_| true,
    );
}
