//! Skinning of runs: against `f64`, against plain lanes, and what linear blending promises.

use std::ops::Range;

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{
    BLOCK, BlockRow, Directions, Kernels, Matrix, Normals, Rounding, Run, SkinRuns, SkinVertices, VectorBlock,
};
use sinew_testkit::checksum::Checksum;
use sinew_testkit::guarded::{Guard, Guarded};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::rows::{EMULATED, every_row};
use sinew_testkit::runs::{BASE_VECTORS, Call, Runs};
use sinew_testkit::tolerance::Tolerance;

const RUNS: usize = if EMULATED { 5 } else { 30 };

/// The kernels of their own, and the one for any number.
const INFLUENCES: [usize; 7] = [1, 2, 3, 4, 5, 6, 11];

/// One call for all blocks.
fn whole(runs: &Runs) -> [Range<usize>; 1] {
    std::array::from_fn(|_| 0..runs.blocks())
}

/// The blended matrix of a vertex, in `f64`.
fn blended(runs: &Runs, joints: &[u32], weights: &[BlockRow], lane: usize) -> algebra::Affine {
    let mut left = 1.0;
    let mut influences = Vec::new();
    for (i, &joint) in joints.iter().enumerate() {
        let weight = weights.get(i).map_or(left, |row| f64::from(row.0[lane]));
        left -= weight;
        influences.push((weight, runs.palette.get(joint as usize).map_or(algebra::IDENTITY, algebra::widen)));
    }
    reference::blend(&influences)
}

#[test]
fn vertices_match_the_reference() {
    for influences in INFLUENCES {
        let runs = Runs::new(RUNS, influences, &mut Random::new(70 + influences as u64));
        every_row(|run| {
            for call in Call::every() {
                let found = runs.skin(run.kernels, call, &whole(&runs));
                let what = format!("{run}: {influences} influences, {call:?}");
                compare(&runs, &found, call, &mut Tolerance::new(what));
            }
        });
    }
}

fn compare(runs: &Runs, found: &[VectorBlock], call: Call, tolerance: &mut Tolerance) {
    let Call { vectors, directions, normals } = call;
    for (joints, run) in runs.joints.chunks(runs.influences).zip(&runs.runs) {
        for block in run.first as usize..(run.first + run.blocks) as usize {
            let weights = &runs.weights[block * (runs.influences - 1)..][..runs.influences - 1];
            for lane in 0..BLOCK {
                let matrix = blended(runs, joints, weights, lane);
                for v in 0..vectors {
                    let base = runs.base[block * BASE_VECTORS + v].vector(lane).map(f64::from);
                    let found = found[block * vectors + v].vector(lane);
                    let place = format!("block {block}, vertex {lane}, vector {v}");
                    if v == 0 {
                        // The mesh and the palette's translations are a few metres in size.
                        tolerance.all_close(place, reference::skin_position(&matrix, base), found, 4e-6);
                        continue;
                    }
                    let direction = match normals {
                        Normals::Cofactor if v == 1 => reference::skin_normal(&matrix, base),
                        _ => reference::skin_direction(&matrix, base),
                    };
                    match directions {
                        Directions::AsBlended => tolerance.all_close(place, direction, found, 2e-6),
                        // What is left of a direction that nearly cancelled is mostly rounding.
                        Directions::Unit => {
                            let allowed = 2e-6 / algebra::length(direction).min(1.0);
                            tolerance.all_close(place, reference::unit(direction), found, allowed);
                        }
                    }
                }
            }
        }
    }
    tolerance.report();
}

#[test]
fn every_row_matches_plain_lanes() {
    for influences in INFLUENCES {
        for runs in 0..if EMULATED { 4 } else { 12 } {
            let runs = Runs::new(runs, influences, &mut Random::new(influences as u64));
            every_row(|run| {
                for call in Call::every() {
                    let expected = runs.skin(run.oracle(), call, &whole(&runs));
                    let found = runs.skin(run.kernels, call, &whole(&runs));
                    let estimated = run.estimates() && call.directions == Directions::Unit;
                    for (i, (expected, found)) in expected.iter().zip(&found).enumerate() {
                        let allowed =
                            if estimated && i % call.vectors > 0 { 4.0 * f32::EPSILON } else { 0.0 };
                        same(
                            expected,
                            found,
                            allowed,
                            &format!("{run}: {influences} influences, vector {i}"),
                        );
                    }
                }
            });
        }
    }
}

/// The same bits, or, where something is allowed, nearly the same numbers.
fn same(expected: &VectorBlock, found: &VectorBlock, allowed: f32, what: &str) {
    let pairs = expected.rows.as_flattened().iter().zip(found.rows.as_flattened());
    for (expected, found) in pairs {
        let near = (expected - found).abs() <= allowed && allowed > 0.0;
        assert!(
            near || expected.to_bits() == found.to_bits(),
            "{what}: expected {expected:?}, found {found:?}"
        );
    }
}

#[test]
fn splits_do_not_change_a_bit() {
    let random = &mut Random::new(71);
    for influences in INFLUENCES {
        let runs = Runs::new(RUNS, influences, random);
        let cut = random.below(runs.blocks() + 1);
        let pieces = [0..cut, cut..cut, cut..runs.blocks()];
        every_row(|run| {
            for call in Call::every() {
                let expected = runs.skin(run.kernels, call, &whole(&runs));
                let found = runs.skin(run.kernels, call, &pieces);
                for (expected, found) in expected.iter().zip(&found) {
                    same(expected, found, 0.0, &format!("{run}: {influences} influences, cut at {cut}"));
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
            let runs = Runs::new(4, influences, &mut Random::new(72));
            for call in Call::every() {
                for block in runs.skin(run.kernels, call, &whole(&runs)) {
                    sum.add(block.rows.as_flattened());
                }
            }
        }
        assert_eq!(format!("{:016x}", sum.value()), "deb0b98b40534309", "{run}");
    });
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

/// One block with all weight on one joint.
fn rigid(kernels: &Kernels, palette: &[Matrix], joint: u32, base: &[VectorBlock; 2]) -> [VectorBlock; 2] {
    let mut output = [VectorBlock::default(); 2];
    kernels.skin_runs(SkinRuns {
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
    let runs = Runs::new(20, 1, random);
    let base = [runs.base[0], runs.base[1]];
    every_row(|run| {
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
    every_row(|run| {
        for (palette, joint) in [(&[][..], 0), (&[Matrix::ZERO][..], 1), (&[Matrix::ZERO][..], u32::MAX)] {
            assert_eq!(rigid(run.kernels, palette, joint, &base)[0], base[0], "{run}");
        }
    });
}

#[test]
fn a_direction_that_blends_to_nothing_stays_nothing() {
    let base = [VectorBlock::default(); 2];
    every_row(|run| {
        assert_eq!(rigid(run.kernels, &[Matrix::IDENTITY], 0, &base)[1], base[1], "{run}");
    });
}

#[test]
fn positions_alone_are_the_positions_of_the_whole() {
    for influences in INFLUENCES {
        let runs = Runs::new(RUNS, influences, &mut Random::new(74));
        every_row(|run| {
            let call = Call {
                vectors: BASE_VECTORS,
                directions: Directions::AsBlended,
                normals: Normals::AsDirections,
            };
            let all = runs.skin(run.kernels, call, &whole(&runs));
            let alone = runs.skin(run.kernels, Call { vectors: 1, ..call }, &whole(&runs));
            for (all, alone) in all.chunks(BASE_VECTORS).zip(&alone) {
                same(&all[0], alone, 0.0, &format!("{run}: {influences} influences"));
            }
        });
    }
}

#[test]
fn a_run_is_skinned_as_far_as_window_and_weights_go() {
    const INSIDE: f32 = 7.0;
    let base = [VectorBlock { rows: [[INSIDE; BLOCK]; 3] }; 3];
    let (all, none) = (u32::MAX, 0);
    every_row(|run| {
        for influences in INFLUENCES {
            // First block, blocks, first weights; which of the three blocks are written. With one influence there are
            // no weights to be missing.
            let one = influences == 1;
            for (first, blocks, weights, written) in [
                (0, 0, 0, [false; 3]),
                (0, 1, 0, [true, false, false]),
                (1, 1, 2, [false, true, false]),
                (0, all, 0, [true; 3]),
                (2, all, 2, [false, false, true]),
                (3, 1, 0, [false; 3]),
                (all, all, 0, [false; 3]),
                (0, 3, 1, [one; 3]),
                (0, 3, all, [one; 3]),
                (none, 3, none, [true; 3]),
            ] {
                let mut output = Guarded::new(3, 1);
                run.kernels.skin_runs(SkinRuns {
                    palette: &[],
                    influences,
                    runs: &[Run { first, blocks, weights }],
                    joints: &vec![0; influences],
                    weights: &vec![BlockRow::default(); 3 * (influences - 1)],
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
