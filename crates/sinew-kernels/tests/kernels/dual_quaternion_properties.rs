//! Properties of dual quaternion skinning: signs, rigid transforms and twists.

use crate::support::dual_quaternion_cases::{INFLUENCES, PLAIN, RUNS, kinds, layouts};
use sinew_kernels::reference::algebra;
use sinew_kernels::{
    BLOCK, DirectionLength, DualJoints, DualQuaternion, FloatMode, Joint, JointIndexBlock, Kernels, Matrix,
    NormalTransform, Run, ScalarBlock, Scale, SkinDualQuaternions, SkinVertices, VectorBlock,
};
use sinew_testkit::backends::every_backend;
use sinew_testkit::dual_quaternions::{DualQuaternionInput, JointLayout, decompose_palette};
use sinew_testkit::expected_vertex::assert_all_near;
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::shared_joints::{BASE_VECTORS, SharedJointsInput};
use sinew_testkit::skin_properties::{SkinInput, every_block};
use sinew_testkit::tolerance::Tolerance;

#[test]
fn a_mix_of_zero_is_linear_and_a_mix_of_one_changes_nothing() {
    for influences in INFLUENCES {
        for (kind, input) in kinds(RUNS, influences, &mut Random::new(104)) {
            let pure = DualQuaternionInput { mix: None, ..input };
            let (none, full) = (pure.clone().with_uniform_mix(0.0), pure.clone().with_uniform_mix(1.0));
            every_backend(|run| {
                for &layout in layouts(kind) {
                    let what = format!("{run}: {influences} influences, {kind}, {layout:?}");
                    let found = full.skin_all(run.kernels, layout, PLAIN);
                    assert_all_near(&pure.skin_all(run.kernels, layout, PLAIN), &found, 0.0, &what);
                    if !kind.contains("own") {
                        let found = none.skin_all(run.kernels, layout, PLAIN);
                        let linear = pure.runs.skin_all(run.kernels, PLAIN);
                        assert_all_near(&linear, &found, 1e-5, &what);
                    }
                }
            });
        }
    }
}

/// SharedJointsInput whose joints are all in the palette, no two orthogonal, where rounding would
/// decide the signs.
fn clear(influences: usize, random: &mut Random) -> DualQuaternionInput {
    let palette = (0..10)
        .map(|_| {
            let joint = Joint::new(rigs::rotation(random), random.vector(2.0));
            Matrix::from_joint(&joint, rigs::scale(random))
        })
        .collect();
    let input = DualQuaternionInput::with_scale(SharedJointsInput::new(RUNS, influences, random), palette)
        .with_random_mix(random);
    let reals: Vec<_> = input.dual_quaternions.iter().map(|dual| dual.real.map(f64::from)).collect();
    for (i, a) in reals.iter().enumerate() {
        assert!(reals[..i].iter().all(|b| algebra::dot(*a, *b).abs() > 1e-6), "take another seed");
    }
    input
}

#[test]
fn the_sign_of_a_dual_quaternion_does_not_matter() {
    let random = &mut Random::new(105);
    for influences in INFLUENCES {
        let input = clear(influences, random);
        let mut negated = input.clone();
        for dual in negated.dual_quaternions.iter_mut().step_by(2) {
            *dual = DualQuaternion { real: dual.real.map(|c| -c), dual: dual.dual.map(|c| -c) };
        }
        every_backend(|run| {
            for layout in JointLayout::ALL {
                let expected = input.skin_all(run.kernels, layout, PLAIN);
                let found = negated.skin_all(run.kernels, layout, PLAIN);
                assert_all_near(
                    &expected,
                    &found,
                    1e-5,
                    &format!("{run}: {influences} influences, {layout:?}"),
                );
            }
        });
    }
}

/// The same joints, each followed by one rigid matrix.
fn turned(input: &DualQuaternionInput, turn: &Matrix) -> DualQuaternionInput {
    let palette = input.runs.palette.iter().map(|matrix| *turn * *matrix).collect();
    let turned = DualQuaternionInput::with_scale(input.runs.clone(), palette);
    DualQuaternionInput {
        mix: input.mix.clone(),
        per_vertex_joints: input.per_vertex_joints.clone(),
        ..turned
    }
}

#[test]
fn rotating_the_palette_rotates_the_result() {
    let random = &mut Random::new(106);
    let turn = Matrix::from_joint(&Joint::new(rigs::rotation(random), random.vector(1.0)), Scale::ONE);
    for influences in INFLUENCES {
        let input = clear(influences, random);
        let turned = turned(&input, &turn);
        every_backend(|run| {
            for layout in JointLayout::ALL {
                let expected = input.skin_all(run.kernels, layout, PLAIN);
                let found = turned.skin_all(run.kernels, layout, PLAIN);
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

/// The vectors of one block of a skinned mesh.
fn at(blocks: &[VectorBlock], block: usize) -> &[VectorBlock] {
    &blocks[block * PLAIN.vectors..][..PLAIN.vectors]
}

#[test]
fn all_weight_on_one_joint_is_its_matrix() {
    let random = &mut Random::new(107);
    for influences in INFLUENCES {
        let runs = SharedJointsInput::new(RUNS, influences, random);
        let mut input =
            DualQuaternionInput::with_scale(runs, rigs::sheared_matrices(9, random)).with_random_mix(random);
        let heavy = influences / 2;
        for (i, row) in input.per_vertex_weights.iter_mut().enumerate() {
            row.0 = [if i % influences == heavy { 1.0 } else { 0.0 }; BLOCK];
        }
        for (i, row) in input.runs.weights.iter_mut().enumerate() {
            row.0 = [if i % (influences - 1) == heavy { 1.0 } else { 0.0 }; BLOCK];
        }
        every_backend(|run| {
            for layout in JointLayout::ALL {
                let found = input.skin_all(run.kernels, layout, PLAIN);
                let mut tolerance = Tolerance::new(format!("{run}: {influences} influences, {layout:?}"));
                for block in 0..input.runs.blocks() {
                    let joint = input.per_vertex_joints[block * influences + heavy].0[0] as usize;
                    let matrix = input.runs.palette.get(joint).copied().unwrap_or_default();
                    for lane in 0..BLOCK {
                        for (v, found) in at(&found, block).iter().enumerate() {
                            let base = input.runs.base[block * BASE_VECTORS + v].vector(lane);
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
        let input = DualQuaternionInput::with_scale(
            SharedJointsInput::new(RUNS, influences, random),
            vec![Matrix::IDENTITY; 9],
        )
        .with_random_mix(random);
        every_backend(|run| {
            for layout in JointLayout::ALL {
                let found = input.skin_all(run.kernels, layout, PLAIN);
                for block in 0..input.runs.blocks() {
                    let base = &input.runs.base[block * BASE_VECTORS..][..PLAIN.vectors];
                    assert_all_near(base, at(&found, block), 2e-6, &format!("{run}: block {block}"));
                }
            }
        });
    }
}

/// One block of vertices between two joints, skinned in one layout; weights are the second joint's.
fn between(
    kernels: &Kernels,
    palette: &[Matrix; 2],
    weights: [f32; BLOCK],
    base: &VectorBlock,
    mix: f32,
    layout: JointLayout,
) -> VectorBlock {
    let (dual_quaternions, scale_shears, _) = decompose_palette(kernels, palette);
    let rows = [ScalarBlock(weights.map(|weight| 1.0 - weight)), ScalarBlock(weights)];
    let mut output = [VectorBlock::default()];
    let own = [JointIndexBlock([0; BLOCK]), JointIndexBlock([1; BLOCK])];
    kernels.skin_dual_quaternions(SkinDualQuaternions {
        palette,
        dual_quaternions: &dual_quaternions,
        scale_shears: Some(&scale_shears),
        influences: 2,
        runs: &[Run { first: 0, blocks: 1, weights: 0 }],
        joints: if layout == JointLayout::Shared {
            DualJoints::Shared(&[0, 1])
        } else {
            DualJoints::PerVertex(&own)
        },
        weights: if layout == JointLayout::Shared { &rows[..1] } else { &rows },
        mix: Some(&[ScalarBlock([mix; BLOCK])]),
        vertices: SkinVertices {
            base: std::slice::from_ref(base),
            base_vectors: 1,
            window: 0..1,
            output: &mut output,
            vectors: 1,
            directions: DirectionLength::AsBlended,
            normals: NormalTransform::BlendedMatrix,
        },
    });
    output[0]
}

#[test]
fn a_twisted_cylinder_keeps_its_radius() {
    // A cylinder of radius one around x; the second joint is rotated by half a turn about x.
    let turn = Matrix::from_joint(&Joint::new([1.0, 0.0, 0.0, 0.0], [0.0; 3]), Scale::ONE);
    let palette = [Matrix::IDENTITY, turn];
    let weights = [0.0, 0.25, 0.49, 0.5, 0.51, 0.75, 0.9, 1.0];
    for step in 0..32 {
        let angle = f64::from(step) / 32.0 * std::f64::consts::TAU;
        let mut base = VectorBlock::default();
        for (lane, weight) in weights.into_iter().enumerate() {
            base.set_vector(lane, [weight, angle.cos() as f32, angle.sin() as f32]);
        }
        every_backend(|run| {
            for layout in JointLayout::ALL {
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
fn joints_at_opposite_signs_or_half_turns_apart_give_finite_vertices() {
    let half_turns = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    let dual_quaternions: Vec<_> = half_turns
        .into_iter()
        .flat_map(|real| [real, real.map(|c: f32| -c)])
        .map(|real| DualQuaternion { real, dual: [0.0; 4] })
        .collect();
    let base = VectorBlock { rows: [[1.0; BLOCK], [2.0; BLOCK], [3.0; BLOCK]] };
    every_backend(|run| {
        for influences in 1..5 {
            for code in 0..8_u32.pow(influences) {
                let joints: Vec<_> = (0..influences).map(|i| code / 8_u32.pow(i) % 8).collect();
                let own: Vec<_> = joints.iter().map(|&joint| JointIndexBlock([joint; BLOCK])).collect();
                let weights = vec![ScalarBlock([1.0 / influences as f32; BLOCK]); influences as usize];
                for layout in JointLayout::ALL {
                    let mut output = [VectorBlock::default()];
                    run.kernels.skin_dual_quaternions(SkinDualQuaternions {
                        palette: &[],
                        dual_quaternions: &dual_quaternions,
                        scale_shears: None,
                        influences: influences as usize,
                        runs: &[Run { first: 0, blocks: 1, weights: 0 }],
                        joints: match layout {
                            JointLayout::Shared => DualJoints::Shared(&joints),
                            JointLayout::PerVertex => DualJoints::PerVertex(&own),
                        },
                        weights: &weights,
                        mix: None,
                        vertices: every_block(std::slice::from_ref(&base), 1, &mut output),
                    });
                    // A rigid transform keeps the distance from the axis.
                    let length = algebra::length(output[0].vector(0).map(f64::from));
                    assert!((length - 14.0_f64.sqrt()).abs() < 1e-5, "{run}: {joints:?}: {output:?}");
                }
            }
        }
    });
}

#[test]
fn zero_weights_leave_vertices_unchanged() {
    let base = [VectorBlock { rows: [[1.0; BLOCK], [2.0; BLOCK], [3.0; BLOCK]] }];
    let random = &mut Random::new(109);
    let (dual_quaternions, scale_shears, _) = {
        let plain = sinew_kernels::backend::get("plain").expect("tests have plain lanes");
        decompose_palette(plain.kernels(FloatMode::Fast), &rigs::sheared_matrices(9, random))
    };
    every_backend(|run| {
        for influences in INFLUENCES {
            for scale_shears in [None, Some(&scale_shears[..])] {
                let mut output = [VectorBlock::default()];
                run.kernels.skin_dual_quaternions(SkinDualQuaternions {
                    palette: &[],
                    dual_quaternions: &dual_quaternions,
                    scale_shears,
                    influences,
                    runs: &[Run { first: 0, blocks: 1, weights: 0 }],
                    joints: DualJoints::PerVertex(&vec![JointIndexBlock([3; BLOCK]); influences]),
                    weights: &vec![ScalarBlock::default(); influences],
                    mix: None,
                    vertices: every_block(&base, 1, &mut output),
                });
                assert_eq!(output, base, "{run}: {influences} influences");
            }
        }
    });
}
