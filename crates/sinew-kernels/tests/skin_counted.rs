//! Skinning of vertices with joints of their own: against `f64`, against plain lanes, and against runs.

use std::ops::Range;

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{
    BLOCK, BlockRow, Directions, JointRow, Kernels, Matrix, Normals, Rounding, Run, SkinCounted,
    SkinVertices, VectorBlock,
};
use sinew_testkit::checksum::Checksum;
use sinew_testkit::counted::Counted;
use sinew_testkit::guarded::{Guard, Guarded};
use sinew_testkit::random::Random;
use sinew_testkit::rows::{EMULATED, every_row};
use sinew_testkit::runs::{BASE_VECTORS, Call, Runs};
use sinew_testkit::skinned::{Expected, assert_matches_oracle, assert_near, of_block};
use sinew_testkit::tolerance::Tolerance;

const RUNS: usize = if EMULATED { 5 } else { 30 };

const INFLUENCES: [usize; 7] = [1, 2, 3, 4, 5, 6, 11];

/// One call for all blocks.
fn whole(counted: &Counted) -> [Range<usize>; 1] {
    std::array::from_fn(|_| 0..counted.blocks())
}

/// How a vertex must come out.
fn expected(counted: &Counted, block: usize, lane: usize) -> Expected {
    let own = block * counted.influences..(block + 1) * counted.influences;
    let mut influences = Vec::new();
    for (joints, weights) in counted.joints[own.clone()].iter().zip(&counted.weights[own]) {
        let matrix = counted.palette.get(joints.0[lane] as usize).map_or(algebra::IDENTITY, algebra::widen);
        influences.push((f64::from(weights.0[lane]), matrix));
    }
    let matrix = reference::blend(&influences);
    let base = counted.base[block * BASE_VECTORS].vector(lane).map(f64::from);
    let weight = influences.iter().map(|(weight, _)| weight.abs()).sum::<f64>().max(1.0);
    Expected { position: reference::skin_position(&matrix, base), matrix, weight }
}

#[test]
fn vertices_match_the_reference() {
    for influences in INFLUENCES {
        let counted = Counted::new(RUNS, influences, &mut Random::new(170 + influences as u64));
        every_row(|run| {
            for call in Call::every() {
                let found = counted.skin(run.kernels, call, &whole(&counted));
                let mut tolerance = Tolerance::new(format!("{run}: {influences} influences, {call:?}"));
                for block in 0..counted.blocks() {
                    let (base, found) = of_block(block, call, &counted.base, &found);
                    for lane in 0..BLOCK {
                        expected(&counted, block, lane).compare(&mut tolerance, call, base, found, lane);
                    }
                }
                tolerance.report();
            }
        });
    }
}

#[test]
fn every_row_matches_plain_lanes() {
    for influences in INFLUENCES {
        for runs in 0..if EMULATED { 4 } else { 12 } {
            let counted = Counted::new(runs, influences, &mut Random::new(influences as u64));
            every_row(|run| {
                for call in Call::every() {
                    let expected = counted.skin(run.oracle(), call, &whole(&counted));
                    let found = counted.skin(run.kernels, call, &whole(&counted));
                    assert_matches_oracle(&run, call, &expected, &found, &format!("{influences} influences"));
                }
            });
        }
    }
}

#[test]
fn splits_do_not_change_a_bit() {
    let random = &mut Random::new(171);
    for influences in INFLUENCES {
        let counted = Counted::new(RUNS, influences, random);
        let cut = random.below(counted.blocks() + 1);
        let pieces = [0..cut, cut..cut, cut..counted.blocks()];
        every_row(|run| {
            for call in Call::every() {
                let expected = counted.skin(run.kernels, call, &whole(&counted));
                let found = counted.skin(run.kernels, call, &pieces);
                for (expected, found) in expected.iter().zip(&found) {
                    assert_near(
                        expected,
                        found,
                        0.0,
                        &format!("{run}: {influences} influences, cut at {cut}"),
                    );
                }
            }
        });
    }
}

/// The reproducible rounding's promise across machines: this number is the same on every row and target.
#[test]
fn reproducible_bits_are_the_same_everywhere() {
    every_row(|run| {
        if run.rounding != Rounding::Reproducible {
            return;
        }
        let mut sum = Checksum::new();
        for influences in INFLUENCES {
            let counted = Counted::new(4, influences, &mut Random::new(172));
            for call in Call::every() {
                for block in counted.skin(run.kernels, call, &whole(&counted)) {
                    sum.add(block.rows.as_flattened());
                }
            }
        }
        assert_eq!(format!("{:016x}", sum.value()), "9197e5b47db992f3", "{run}");
    });
}

#[test]
fn joints_of_a_run_give_what_runs_give() {
    for influences in INFLUENCES {
        let runs = Runs::new(RUNS, influences, &mut Random::new(173));
        let counted = Counted::of_runs(&runs);
        every_row(|run| {
            let call = Call {
                vectors: BASE_VECTORS,
                directions: Directions::AsBlended,
                normals: Normals::AsDirections,
            };
            let expected = runs.skin(run.kernels, call, &whole(&counted));
            let found = counted.skin(run.kernels, call, &whole(&counted));
            for (expected, found) in expected.iter().zip(&found) {
                // Positions are a few metres, and runs take weights that sum to one for granted.
                assert_near(expected, found, 4e-6, &format!("{run}: {influences} influences"));
            }
        });
    }
}

/// What skins all of some blocks of one vector count.
fn every_block<'a>(
    base: &'a [VectorBlock],
    vectors: usize,
    output: &'a mut [VectorBlock],
) -> SkinVertices<'a> {
    SkinVertices {
        base,
        base_vectors: vectors,
        window: 0..base.len() / vectors,
        output,
        vectors,
        directions: Directions::Unit,
        normals: Normals::AsDirections,
    }
}

/// One block of positions, each vertex with all weight on one joint.
fn rigid(kernels: &Kernels, palette: &[Matrix], joints: [u32; BLOCK], base: &VectorBlock) -> VectorBlock {
    let mut output = [VectorBlock::default()];
    kernels.skin_counted(SkinCounted {
        palette,
        influences: 1,
        runs: &[Run { first: 0, blocks: 1, weights: 0 }],
        joints: &[JointRow(joints)],
        weights: &[BlockRow([1.0; BLOCK])],
        vertices: every_block(std::slice::from_ref(base), 1, &mut output),
    });
    output[0]
}

#[test]
fn each_vertex_moves_with_its_own_joint() {
    let along = |x: f32| Matrix { rows: [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] };
    let palette: Vec<_> = (0..BLOCK).map(|i| along(10.0 * i as f32)).collect();
    let base = VectorBlock { rows: [[1.0; BLOCK], [2.0; BLOCK], [3.0; BLOCK]] };
    every_row(|run| {
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
    every_row(|run| {
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
    every_row(|run| {
        for influences in INFLUENCES {
            // Joints that are not in the palette: each adds its weight of the identity.
            let mut output = [VectorBlock::default()];
            run.kernels.skin_counted(SkinCounted {
                palette: &[],
                influences,
                runs: &[Run { first: 0, blocks: 1, weights: 0 }],
                joints: &vec![JointRow::default(); influences],
                weights: &vec![BlockRow([0.5; BLOCK]); influences],
                vertices: every_block(&base, 1, &mut output),
            });
            let sum = 0.5 * influences as f32;
            let expected = VectorBlock { rows: base[0].rows.map(|row| row.map(|x| sum * x)) };
            assert_eq!(output[0], expected, "{run}: {influences} influences");
        }
    });
}

#[test]
fn a_run_is_skinned_as_far_as_window_and_weights_go() {
    const INSIDE: f32 = 7.0;
    let base = [VectorBlock { rows: [[INSIDE; BLOCK]; 3] }; 3];
    let (all, none) = (u32::MAX, 0);
    every_row(|run| {
        for influences in INFLUENCES {
            // First block, blocks, first weights; which of the three blocks are written.
            for (first, blocks, weights, written) in [
                (0, 0, 0, [false; 3]),
                (0, 1, 0, [true, false, false]),
                (1, 1, 2, [false, true, false]),
                (0, all, 0, [true; 3]),
                (2, all, 2, [false, false, true]),
                (3, 1, 0, [false; 3]),
                (all, all, 0, [false; 3]),
                (0, 3, 1, [false; 3]),
                (0, 3, all, [false; 3]),
                (none, 3, none, [true; 3]),
            ] {
                let mut weight_rows = vec![BlockRow::default(); 3 * influences];
                for row in weight_rows.iter_mut().step_by(influences) {
                    row.0 = [1.0; BLOCK];
                }
                let mut output = Guarded::new(3, 1);
                run.kernels.skin_counted(SkinCounted {
                    palette: &[],
                    influences,
                    runs: &[Run { first, blocks, weights }],
                    joints: &vec![JointRow::default(); 3 * influences],
                    weights: &weight_rows,
                    vertices: every_block(&base, 1, &mut output),
                });
                output.check();
                for (i, (block, written)) in output.iter().zip(written).enumerate() {
                    let expected = if written { base[0] } else { VectorBlock::GUARD };
                    assert_eq!(
                        *block, expected,
                        "{run}: {influences} influences, {blocks} blocks from {first}, block {i}"
                    );
                }
            }
        }
    });
}
