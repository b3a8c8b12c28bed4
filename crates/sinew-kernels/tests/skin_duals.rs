//! Dual quaternion skinning: against `f64`, against plain lanes, and what it promises.

use std::ops::Range;

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{
    BLOCK, BlockRow, Directions, DualJoints, DualQuaternion, Joint, JointRow, Matrix, Normals, Rounding, Run,
    Scale, SkinDuals, SkinVertices, VectorBlock,
};
use sinew_testkit::checksum::Checksum;
use sinew_testkit::duals::{Duals, Layout, take_apart};
use sinew_testkit::guarded::{Guard, Guarded};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::rows::{EMULATED, every_row};
use sinew_testkit::runs::{BASE_VECTORS, Call, Runs};
use sinew_testkit::tolerance::Tolerance;

const RUNS: usize = if EMULATED { 5 } else { 20 };

/// Those with code of their own, and any number.
const INFLUENCES: [usize; 6] = [1, 2, 3, 4, 5, 9];

/// Position, normal and tangent as they are blended.
const PLAIN: Call = Call { vectors: 3, directions: Directions::AsBlended, normals: Normals::AsDirections };

/// One call for all blocks.
fn whole(duals: &Duals) -> [Range<usize>; 1] {
    std::array::from_fn(|_| 0..duals.runs.blocks())
}

/// Every kind of palette and mix.
fn kinds(runs: usize, influences: usize, random: &mut Random) -> Vec<(&'static str, Duals)> {
    let runs = Runs::new(runs, influences, random);
    let rigid = Duals::rigid(runs.clone());
    let stretched = Duals::stretched(runs, rigs::sheared_matrices(9, random));
    vec![
        ("rigid, mixed", rigid.clone().mixed(random)),
        ("rigid, own joints", rigid.clone().with_own_joints(random)),
        ("rigid", rigid),
        ("stretched, mixed", stretched.clone().mixed(random)),
        ("stretched, own joints", stretched.clone().mixed(random).with_own_joints(random)),
        ("stretched", stretched),
    ]
}

/// The calls of a kind: all of them for the plainest, some for the others.
fn calls(kind: &str) -> Vec<Call> {
    let every = Call::every();
    if kind == "rigid" { every } else { vec![every[0], every[7], PLAIN] }
}

/// The layouts that a kind has.
fn layouts(kind: &str) -> &'static [Layout] {
    if kind.contains("own") { &[Layout::Own] } else { &Layout::ALL }
}

/// The blended matrix of a vertex in `f64`; `None` where rounding decides about the sign of a joint.
fn blended(duals: &Duals, block: usize, lane: usize) -> Option<algebra::Affine> {
    let influences = duals.runs.influences;
    let mut moves = Vec::new();
    let (mut stretches, mut matrices) = (Vec::new(), Vec::new());
    for i in block * influences..(block + 1) * influences {
        let joint = duals.own_joints[i].0[lane] as usize;
        let weight = f64::from(duals.own_weights[i].0[lane]);
        let dual = duals.duals.get(joint).copied().unwrap_or_default();
        moves.push((weight, reference::widen_dual(&dual)));
        let stretch = duals.stretches.as_ref().and_then(|stretches| stretches.get(joint));
        stretches.push((weight, algebra::widen(stretch.unwrap_or(&Matrix::IDENTITY))));
        let matrix = duals.runs.palette.get(joint).unwrap_or(&Matrix::IDENTITY);
        matrices.push((weight, algebra::widen(matrix)));
    }
    for (i, (weight, [a, _])) in moves.iter().enumerate() {
        for (other, [b, _]) in &moves[..i] {
            if algebra::dot(*a, *b).abs() < 1e-6 || (weight - other).abs() < 1e-6 {
                return None;
            }
        }
    }
    let matrix = reference::dual_to_matrix(reference::blend_duals(&moves));
    let matrix = algebra::product(&matrix, &reference::blend(&stretches));
    Some(match &duals.mix {
        Some(mix) => reference::mix(&reference::blend(&matrices), &matrix, f64::from(mix[block].0[lane])),
        None => matrix,
    })
}

#[test]
fn vertices_match_the_reference() {
    for influences in INFLUENCES {
        let random = &mut Random::new(100 + influences as u64);
        for (kind, duals) in kinds(RUNS, influences, random) {
            let matrices: Vec<_> = (0..duals.runs.blocks() * BLOCK)
                .map(|vertex| blended(&duals, vertex / BLOCK, vertex % BLOCK))
                .collect();
            // Half turns are common among the joints, and of nine some are always at right angles.
            let clear = matrices.iter().flatten().count();
            assert!(clear * 10 >= matrices.len() || influences > 5, "{kind}: {clear} of {}", matrices.len());
            every_row(|run| {
                for &layout in layouts(kind) {
                    for call in calls(kind) {
                        let found = duals.skin(run.kernels, layout, call, &whole(&duals));
                        let what = format!("{run}: {influences} influences, {kind}, {layout:?}, {call:?}");
                        compare(&duals, &matrices, &found, call, &mut Tolerance::new(what));
                    }
                }
            });
        }
    }
}

fn compare(
    duals: &Duals,
    matrices: &[Option<algebra::Affine>],
    found: &[VectorBlock],
    call: Call,
    tolerance: &mut Tolerance,
) {
    let Call { vectors, directions, normals } = call;
    for (vertex, matrix) in matrices.iter().enumerate() {
        let (block, lane) = (vertex / BLOCK, vertex % BLOCK);
        let Some(matrix) = matrix else { continue };
        // Stretches are up to twice as large, and cofactors four times.
        for v in 0..vectors {
            let base = duals.runs.base[block * BASE_VECTORS + v].vector(lane).map(f64::from);
            let found = found[block * vectors + v].vector(lane);
            let place = format!("block {block}, vertex {lane}, vector {v}");
            if v == 0 {
                tolerance.all_close(place, reference::skin_position(matrix, base), found, 1e-5);
                continue;
            }
            let direction = match normals {
                Normals::Cofactor if v == 1 => reference::skin_normal(matrix, base),
                _ => reference::skin_direction(matrix, base),
            };
            match directions {
                Directions::AsBlended => tolerance.all_close(place, direction, found, 1e-5),
                Directions::Unit => {
                    let allowed = 1e-5 / algebra::length(direction).min(1.0);
                    tolerance.all_close(place, reference::unit(direction), found, allowed);
                }
            }
        }
    }
    tolerance.report();
}

#[test]
fn every_row_matches_plain_lanes() {
    for influences in INFLUENCES {
        for runs in 0..if EMULATED { 3 } else { 8 } {
            for (kind, duals) in kinds(runs, influences, &mut Random::new(influences as u64)) {
                every_row(|run| {
                    for (&layout, call) in layouts(kind)
                        .iter()
                        .flat_map(|layout| calls(kind).into_iter().map(move |call| (layout, call)))
                    {
                        let expected = duals.skin(run.oracle(), layout, call, &whole(&duals));
                        let found = duals.skin(run.kernels, layout, call, &whole(&duals));
                        let estimated = run.estimates() && call.directions == Directions::Unit;
                        for (i, (expected, found)) in expected.iter().zip(&found).enumerate() {
                            let allowed =
                                if estimated && i % call.vectors > 0 { 4.0 * f32::EPSILON } else { 0.0 };
                            let what =
                                format!("{run}: {influences} influences, {kind}, {layout:?}, vector {i}");
                            same(expected, found, allowed, &what);
                        }
                    }
                });
            }
        }
    }
}

/// The same bits, or, where something is allowed, nearly the same numbers.
fn same(expected: &VectorBlock, found: &VectorBlock, allowed: f32, what: &str) {
    for (expected, found) in expected.rows.as_flattened().iter().zip(found.rows.as_flattened()) {
        let near = (expected - found).abs() <= allowed && allowed > 0.0;
        assert!(
            near || expected.to_bits() == found.to_bits(),
            "{what}: expected {expected:?}, found {found:?}"
        );
    }
}

fn all_same(expected: &[VectorBlock], found: &[VectorBlock], allowed: f32, what: &str) {
    assert_eq!(expected.len(), found.len(), "{what}");
    for (i, (expected, found)) in expected.iter().zip(found).enumerate() {
        same(expected, found, allowed, &format!("{what}, vector {i}"));
    }
}

#[test]
fn splits_do_not_change_a_bit() {
    let random = &mut Random::new(101);
    for influences in INFLUENCES {
        for (kind, duals) in kinds(RUNS, influences, random) {
            let cut = random.below(duals.runs.blocks() + 1);
            let pieces = [0..cut, cut..cut, cut..duals.runs.blocks()];
            every_row(|run| {
                for &layout in layouts(kind) {
                    let expected = duals.skin(run.kernels, layout, PLAIN, &whole(&duals));
                    let found = duals.skin(run.kernels, layout, PLAIN, &pieces);
                    all_same(&expected, &found, 0.0, &format!("{run}: {influences} influences, {kind}"));
                }
            });
        }
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
            for (kind, duals) in kinds(4, influences, &mut Random::new(102)) {
                for &layout in layouts(kind) {
                    for call in calls(kind) {
                        for block in duals.skin(run.kernels, layout, call, &whole(&duals)) {
                            sum.add(block.rows.as_flattened());
                        }
                    }
                }
            }
        }
        assert_eq!(format!("{:016x}", sum.value()), "0c52b621def30be3", "{run}");
    });
}

#[test]
fn joints_of_a_run_and_joints_of_a_vertex_give_the_same() {
    for influences in INFLUENCES {
        for (kind, duals) in kinds(RUNS, influences, &mut Random::new(103)) {
            if kind.contains("own") {
                continue;
            }
            every_row(|run| {
                let sets = duals.skin(run.kernels, Layout::Sets, PLAIN, &whole(&duals));
                let own = duals.skin(run.kernels, Layout::Own, PLAIN, &whole(&duals));
                all_same(&sets, &own, 1e-5, &format!("{run}: {influences} influences, {kind}"));
            });
        }
    }
}

#[test]
fn no_mix_is_linear_blending_and_a_full_one_is_none() {
    for influences in INFLUENCES {
        for (kind, duals) in kinds(RUNS, influences, &mut Random::new(104)) {
            let pure = Duals { mix: None, ..duals };
            let (none, full) = (pure.clone().evenly_mixed(0.0), pure.clone().evenly_mixed(1.0));
            every_row(|run| {
                for &layout in layouts(kind) {
                    let what = format!("{run}: {influences} influences, {kind}, {layout:?}");
                    let found = full.skin(run.kernels, layout, PLAIN, &whole(&pure));
                    all_same(&pure.skin(run.kernels, layout, PLAIN, &whole(&pure)), &found, 0.0, &what);
                    if !kind.contains("own") {
                        let found = none.skin(run.kernels, layout, PLAIN, &whole(&pure));
                        let linear = pure.runs.skin(run.kernels, PLAIN, &whole(&pure));
                        all_same(&linear, &found, 1e-5, &what);
                    }
                }
            });
        }
    }
}

/// Runs whose joints are all in the palette, and no two at right angles, where rounding settles the signs.
fn clear(influences: usize, random: &mut Random) -> Duals {
    let palette = (0..10)
        .map(|_| {
            let joint = Joint::new(rigs::rotation(random), random.vector(2.0));
            Matrix::from_joint(&joint, rigs::scale(random))
        })
        .collect();
    let duals = Duals::stretched(Runs::new(RUNS, influences, random), palette).mixed(random);
    let reals: Vec<_> = duals.duals.iter().map(|dual| dual.real.map(f64::from)).collect();
    for (i, a) in reals.iter().enumerate() {
        assert!(reals[..i].iter().all(|b| algebra::dot(*a, *b).abs() > 1e-6), "take another seed");
    }
    duals
}

#[test]
fn the_sign_of_a_dual_quaternion_does_not_matter() {
    let random = &mut Random::new(105);
    for influences in INFLUENCES {
        let duals = clear(influences, random);
        let mut negated = duals.clone();
        for dual in negated.duals.iter_mut().step_by(2) {
            *dual = DualQuaternion { real: dual.real.map(|c| -c), dual: dual.dual.map(|c| -c) };
        }
        every_row(|run| {
            for layout in Layout::ALL {
                let expected = duals.skin(run.kernels, layout, PLAIN, &whole(&duals));
                let found = negated.skin(run.kernels, layout, PLAIN, &whole(&duals));
                all_same(&expected, &found, 1e-5, &format!("{run}: {influences} influences, {layout:?}"));
            }
        });
    }
}

/// The same joints, each moved on by one rigid matrix.
fn turned(duals: &Duals, turn: &Matrix) -> Duals {
    let palette = duals.runs.palette.iter().map(|matrix| *turn * *matrix).collect();
    let turned = Duals::stretched(duals.runs.clone(), palette);
    Duals { mix: duals.mix.clone(), own_joints: duals.own_joints.clone(), ..turned }
}

#[test]
fn rotating_the_palette_rotates_the_result() {
    let random = &mut Random::new(106);
    let turn = Matrix::from_joint(&Joint::new(rigs::rotation(random), random.vector(1.0)), Scale::ONE);
    for influences in INFLUENCES {
        let duals = clear(influences, random);
        let turned = turned(&duals, &turn);
        every_row(|run| {
            for layout in Layout::ALL {
                let expected = duals.skin(run.kernels, layout, PLAIN, &whole(&duals));
                let found = turned.skin(run.kernels, layout, PLAIN, &whole(&duals));
                let mut tolerance = Tolerance::new(format!("{run}: {influences} influences, {layout:?}"));
                for (i, (expected, found)) in expected.iter().zip(&found).enumerate() {
                    for lane in 0..BLOCK {
                        let vector = expected.vector(lane);
                        let vector = if i % 3 == 0 {
                            turn.transform_point(vector)
                        } else {
                            turn.transform_vector(vector)
                        };
                        tolerance.all_close(i, vector.map(f64::from), found.vector(lane), 3e-5);
                    }
                }
            }
        });
    }
}

/// The vectors of a skinned mesh at one block.
fn at(blocks: &[VectorBlock], block: usize) -> &[VectorBlock] {
    &blocks[block * PLAIN.vectors..][..PLAIN.vectors]
}

#[test]
fn all_weight_on_one_joint_is_its_matrix() {
    let random = &mut Random::new(107);
    for influences in INFLUENCES {
        let runs = Runs::new(RUNS, influences, random);
        let mut duals = Duals::stretched(runs, rigs::sheared_matrices(9, random)).mixed(random);
        let heavy = influences / 2;
        for (i, row) in duals.own_weights.iter_mut().enumerate() {
            row.0 = [if i % influences == heavy { 1.0 } else { 0.0 }; BLOCK];
        }
        for (i, row) in duals.runs.weights.iter_mut().enumerate() {
            row.0 = [if i % (influences - 1) == heavy { 1.0 } else { 0.0 }; BLOCK];
        }
        every_row(|run| {
            for layout in Layout::ALL {
                let found = duals.skin(run.kernels, layout, PLAIN, &whole(&duals));
                let mut tolerance = Tolerance::new(format!("{run}: {influences} influences, {layout:?}"));
                for block in 0..duals.runs.blocks() {
                    let joint = duals.own_joints[block * influences + heavy].0[0] as usize;
                    let matrix = duals.runs.palette.get(joint).copied().unwrap_or_default();
                    for lane in 0..BLOCK {
                        for (v, found) in at(&found, block).iter().enumerate() {
                            let base = duals.runs.base[block * BASE_VECTORS + v].vector(lane);
                            let expected = if v == 0 {
                                matrix.transform_point(base)
                            } else {
                                matrix.transform_vector(base)
                            };
                            tolerance.all_close(block, expected.map(f64::from), found.vector(lane), 1e-5);
                        }
                    }
                }
            }
        });
    }
}

#[test]
fn a_palette_at_rest_gives_the_mesh_at_rest() {
    for influences in INFLUENCES {
        let random = &mut Random::new(108);
        let duals =
            Duals::stretched(Runs::new(RUNS, influences, random), vec![Matrix::IDENTITY; 9]).mixed(random);
        every_row(|run| {
            for layout in Layout::ALL {
                let found = duals.skin(run.kernels, layout, PLAIN, &whole(&duals));
                for block in 0..duals.runs.blocks() {
                    let base = &duals.runs.base[block * BASE_VECTORS..][..PLAIN.vectors];
                    all_same(base, at(&found, block), 2e-6, &format!("{run}: block {block}"));
                }
            }
        });
    }
}

/// One block of vertices between two joints, skinned in one layout; weights are the second joint's.
fn between(
    kernels: &sinew_kernels::Kernels,
    palette: &[Matrix; 2],
    weights: [f32; BLOCK],
    base: &VectorBlock,
    mix: f32,
    layout: Layout,
) -> VectorBlock {
    let (duals, stretches, _) = take_apart(kernels, palette);
    let rows = [BlockRow(weights.map(|weight| 1.0 - weight)), BlockRow(weights)];
    let mut output = [VectorBlock::default()];
    let own = [JointRow([0; BLOCK]), JointRow([1; BLOCK])];
    kernels.skin_duals(SkinDuals {
        palette,
        duals: &duals,
        stretches: Some(&stretches),
        influences: 2,
        runs: &[Run { first: 0, blocks: 1, weights: 0 }],
        joints: if layout == Layout::Sets { DualJoints::Sets(&[0, 1]) } else { DualJoints::Own(&own) },
        weights: if layout == Layout::Sets { &rows[..1] } else { &rows },
        mix: Some(&[BlockRow([mix; BLOCK])]),
        vertices: SkinVertices {
            base: std::slice::from_ref(base),
            base_vectors: 1,
            window: 0..1,
            output: &mut output,
            vectors: 1,
            directions: Directions::AsBlended,
            normals: Normals::AsDirections,
        },
    });
    output[0]
}

#[test]
fn a_twisted_cylinder_keeps_its_radius() {
    // A cylinder of radius one around x; the second joint is turned by half a turn about x.
    let turn = Matrix::from_joint(&Joint::new([1.0, 0.0, 0.0, 0.0], [0.0; 3]), Scale::ONE);
    let palette = [Matrix::IDENTITY, turn];
    let weights = [0.0, 0.25, 0.49, 0.5, 0.51, 0.75, 0.9, 1.0];
    for step in 0..32 {
        let angle = f64::from(step) / 32.0 * std::f64::consts::TAU;
        let mut base = VectorBlock::default();
        for (lane, weight) in weights.into_iter().enumerate() {
            base.set_vector(lane, [weight, angle.cos() as f32, angle.sin() as f32]);
        }
        every_row(|run| {
            for layout in Layout::ALL {
                let dual = between(run.kernels, &palette, weights, &base, 1.0, layout);
                let linear = between(run.kernels, &palette, weights, &base, 0.0, layout);
                for (lane, weight) in weights.into_iter().enumerate() {
                    let radius = |block: &VectorBlock| {
                        let [_, y, z] = block.vector(lane).map(f64::from);
                        algebra::length([y, z])
                    };
                    let found = radius(&dual);
                    assert!((found - 1.0).abs() < 0.01, "{run}: weight {weight}: radius {found}");
                    let found = radius(&linear);
                    let middle = (weight - 0.5).abs() < 0.02;
                    assert!(!middle || found < 0.05, "{run}: weight {weight}: linear radius {found}");
                    assert!((f64::from(dual.vector(lane)[0]) - f64::from(weight)).abs() < 1e-6, "{run}");
                }
            }
        });
    }
}

#[test]
fn joints_at_opposite_signs_or_half_turns_apart_give_numbers() {
    let half_turns = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    let duals: Vec<_> = half_turns
        .into_iter()
        .flat_map(|real| [real, real.map(|c: f32| -c)])
        .map(|real| DualQuaternion { real, dual: [0.0; 4] })
        .collect();
    let base = VectorBlock { rows: [[1.0; BLOCK], [2.0; BLOCK], [3.0; BLOCK]] };
    every_row(|run| {
        for influences in 1..5 {
            for code in 0..8_u32.pow(influences) {
                let joints: Vec<_> = (0..influences).map(|i| code / 8_u32.pow(i) % 8).collect();
                let own: Vec<_> = joints.iter().map(|&joint| JointRow([joint; BLOCK])).collect();
                let weights = vec![BlockRow([1.0 / influences as f32; BLOCK]); influences as usize];
                for layout in Layout::ALL {
                    let mut output = [VectorBlock::default()];
                    run.kernels.skin_duals(SkinDuals {
                        palette: &[],
                        duals: &duals,
                        stretches: None,
                        influences: influences as usize,
                        runs: &[Run { first: 0, blocks: 1, weights: 0 }],
                        joints: match layout {
                            Layout::Sets => DualJoints::Sets(&joints),
                            Layout::Own => DualJoints::Own(&own),
                        },
                        weights: &weights,
                        mix: None,
                        vertices: every_block(std::slice::from_ref(&base), &mut output),
                    });
                    // Rigid, so as far from the middle as before.
                    let length = algebra::length(output[0].vector(0).map(f64::from));
                    assert!((length - 14.0_f64.sqrt()).abs() < 1e-5, "{run}: {joints:?}: {output:?}");
                }
            }
        }
    });
}

/// What skins all of some positions.
fn every_block<'a>(base: &'a [VectorBlock], output: &'a mut [VectorBlock]) -> SkinVertices<'a> {
    SkinVertices {
        base,
        base_vectors: 1,
        window: 0..base.len(),
        output,
        vectors: 1,
        directions: Directions::Unit,
        normals: Normals::AsDirections,
    }
}

#[test]
fn weights_of_nothing_leave_vertices_where_they_are() {
    let base = [VectorBlock { rows: [[1.0; BLOCK], [2.0; BLOCK], [3.0; BLOCK]] }];
    let random = &mut Random::new(109);
    let (duals, stretches, _) = {
        let plain = sinew_kernels::isa::row("plain").expect("plain lanes run everywhere");
        take_apart(plain.kernels(Rounding::Fast), &rigs::sheared_matrices(9, random))
    };
    every_row(|run| {
        for influences in INFLUENCES {
            for stretches in [None, Some(&stretches[..])] {
                let mut output = [VectorBlock::default()];
                run.kernels.skin_duals(SkinDuals {
                    palette: &[],
                    duals: &duals,
                    stretches,
                    influences,
                    runs: &[Run { first: 0, blocks: 1, weights: 0 }],
                    joints: DualJoints::Own(&vec![JointRow([3; BLOCK]); influences]),
                    weights: &vec![BlockRow::default(); influences],
                    mix: None,
                    vertices: every_block(&base, &mut output),
                });
                assert_eq!(output, base, "{run}: {influences} influences");
            }
        }
    });
}

#[test]
fn a_run_is_skinned_as_far_as_window_and_weights_go() {
    let base = [VectorBlock { rows: [[7.0; BLOCK]; 3] }; 3];
    let all = u32::MAX;
    every_row(|run| {
        for influences in INFLUENCES {
            for layout in Layout::ALL {
                // With one joint in each set there are no weights to be missing.
                let one = influences == 1 && layout == Layout::Sets;
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
                ] {
                    let mut output = Guarded::new(3, 1);
                    let sets = vec![0; influences];
                    let own = vec![JointRow::default(); 3 * influences];
                    let mut rows = vec![BlockRow::default(); 3 * influences];
                    rows.truncate(3 * if layout == Layout::Sets { influences - 1 } else { influences });
                    run.kernels.skin_duals(SkinDuals {
                        palette: &[],
                        duals: &[],
                        stretches: None,
                        influences,
                        runs: &[Run { first, blocks, weights }],
                        joints: match layout {
                            Layout::Sets => DualJoints::Sets(&sets),
                            Layout::Own => DualJoints::Own(&own),
                        },
                        weights: &rows,
                        mix: None,
                        vertices: every_block(&base, &mut output),
                    });
                    output.check();
                    for (i, (block, written)) in output.iter().zip(written).enumerate() {
                        let expected = if written { base[0] } else { VectorBlock::GUARD };
                        assert_eq!(
                            *block, expected,
                            "{run}: {influences} influences, {layout:?}, {blocks} blocks from {first}, block {i}"
                        );
                    }
                }
            }
        }
    });
}
