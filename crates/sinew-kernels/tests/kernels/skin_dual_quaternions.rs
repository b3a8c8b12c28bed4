//! Dual quaternion skinning: against `f64` and against plain lanes.

use crate::support::dual_quaternion_cases::{INFLUENCES, PLAIN, RUNS, calls, kinds, layouts};
use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{
    BLOCK, DirectionLength, DualJoints, JointIndexBlock, Kernels, Matrix, NormalTransform, Run, ScalarBlock,
    SkinDualQuaternions, SkinVertices, VectorBlock,
};
use sinew_testkit::backends::{Checksums, EMULATED, every_backend};
use sinew_testkit::checksum::Checksum;
use sinew_testkit::dual_quaternions::{DualQuaternionInput, JointLayout};
use sinew_testkit::expected_vertex::{assert_all_near, assert_matches_oracle};
use sinew_testkit::random::Random;
use sinew_testkit::shared_joints::{BASE_VECTORS, SkinCall};
use sinew_testkit::skin_properties::{self, SkinInput};
use sinew_testkit::tolerance::Tolerance;

/// The largest number of influences in any test of skinning kernels.
const MOST: usize = 11;

/// The blended matrix of a vertex in `f64`; `None` if rounding decides the sign of a joint.
fn blended(input: &DualQuaternionInput, block: usize, lane: usize) -> Option<algebra::Affine> {
    let influences = input.runs.influences;
    let mut moves = Vec::new();
    let (mut scale_shears, mut matrices) = (Vec::new(), Vec::new());
    for i in block * influences..(block + 1) * influences {
        let joint = input.per_vertex_joints[i].0[lane] as usize;
        let weight = f64::from(input.per_vertex_weights[i].0[lane]);
        let dual = input.dual_quaternions.get(joint).copied().unwrap_or_default();
        moves.push((weight, reference::widen_dual_quaternion(&dual)));
        let scale_shear = input.scale_shears.as_ref().and_then(|scale_shears| scale_shears.get(joint));
        scale_shears.push((weight, algebra::widen(scale_shear.unwrap_or(&Matrix::IDENTITY))));
        let matrix = input.runs.palette.get(joint).unwrap_or(&Matrix::IDENTITY);
        matrices.push((weight, algebra::widen(matrix)));
    }
    for (i, (weight, [a, _])) in moves.iter().enumerate() {
        for (other, [b, _]) in &moves[..i] {
            if algebra::dot(*a, *b).abs() < 1e-6 || (weight - other).abs() < 1e-6 {
                return None;
            }
        }
    }
    let matrix = reference::dual_quaternion_to_matrix(reference::blend_dual_quaternions(&moves));
    let matrix = algebra::product(&matrix, &reference::blend(&scale_shears));
    Some(match &input.mix {
        Some(mix) => reference::mix(&reference::blend(&matrices), &matrix, f64::from(mix[block].0[lane])),
        None => matrix,
    })
}

#[test]
fn vertices_match_the_reference() {
    for influences in INFLUENCES {
        let random = &mut Random::new(100 + influences as u64);
        for (kind, input) in kinds(RUNS, influences, random) {
            let matrices: Vec<_> = (0..input.runs.blocks() * BLOCK)
                .map(|vertex| blended(&input, vertex / BLOCK, vertex % BLOCK))
                .collect();
            // Half turns are common among the joints, and of nine joints some are always
            // orthogonal.
            let clear = matrices.iter().flatten().count();
            assert!(clear * 10 >= matrices.len() || influences > 5, "{kind}: {clear} of {}", matrices.len());
            every_backend(|run| {
                for &layout in layouts(kind) {
                    for call in calls(kind) {
                        let found = input.skin_all(run.kernels, layout, call);
                        let what = format!("{run}: {influences} influences, {kind}, {layout:?}, {call:?}");
                        compare(&input, &matrices, &found, call, &mut Tolerance::new(what));
                    }
                }
            });
        }
    }
}

fn compare(
    input: &DualQuaternionInput,
    matrices: &[Option<algebra::Affine>],
    found: &[VectorBlock],
    call: SkinCall,
    tolerance: &mut Tolerance,
) {
    let SkinCall { vectors, directions, normals } = call;
    for (vertex, matrix) in matrices.iter().enumerate() {
        let (block, lane) = (vertex / BLOCK, vertex % BLOCK);
        let Some(matrix) = matrix else { continue };
        // Scale doubles the tolerance, and cofactors quadruple it.
        for v in 0..vectors {
            let base = input.runs.base[block * BASE_VECTORS + v].vector(lane).map(f64::from);
            let found = found[block * vectors + v].vector(lane);
            let place = format!("block {block}, vertex {lane}, vector {v}");
            if v == 0 {
                tolerance.all_close(place, reference::skin_position(matrix, base), found, 1e-5);
                continue;
            }
            let direction = match normals {
                NormalTransform::Cofactor if v == 1 => reference::skin_normal(matrix, base),
                _ => reference::skin_direction(matrix, base),
            };
            match directions {
                DirectionLength::AsBlended => tolerance.all_close(place, direction, found, 1e-5),
                DirectionLength::Unit => {
                    let allowed = 1e-5 / algebra::length(direction).min(1.0);
                    tolerance.all_close(place, reference::unit(direction), found, allowed);
                }
            }
        }
    }
    tolerance.report();
}

#[test]
fn every_backend_matches_plain_lanes() {
    for influences in INFLUENCES {
        for runs in 0..if EMULATED { 3 } else { 8 } {
            for (kind, input) in kinds(runs, influences, &mut Random::new(influences as u64)) {
                every_backend(|run| {
                    for (&layout, call) in layouts(kind)
                        .iter()
                        .flat_map(|layout| calls(kind).into_iter().map(move |call| (layout, call)))
                    {
                        let expected = input.skin_all(run.oracle(), layout, call);
                        let found = input.skin_all(run.kernels, layout, call);
                        let what = format!("{influences} influences, {kind}, {layout:?}");
                        assert_matches_oracle(&run, call, &expected, &found, &what);
                    }
                });
            }
        }
    }
}

#[test]
fn splits_do_not_change_a_bit() {
    let random = &mut Random::new(101);
    for influences in INFLUENCES {
        for (kind, input) in kinds(RUNS, influences, random) {
            let cut = random.below(input.runs.blocks() + 1);
            let pieces = [0..cut, cut..cut, cut..input.runs.blocks()];
            every_backend(|run| {
                for &layout in layouts(kind) {
                    let expected = input.skin_all(run.kernels, layout, PLAIN);
                    let found = input.skin(run.kernels, layout, PLAIN, &pieces);
                    assert_all_near(
                        &expected,
                        &found,
                        0.0,
                        &format!("{run}: {influences} influences, {kind}"),
                    );
                }
            });
        }
    }
}

/// One checksum on every backend and target, and another on all that fuse.
#[test]
fn bits_are_the_same_everywhere() {
    every_backend(|run| {
        let mut sum = Checksum::new();
        for influences in INFLUENCES {
            for (kind, input) in kinds(4, influences, &mut Random::new(102)) {
                for &layout in layouts(kind) {
                    for call in calls(kind) {
                        for block in input.skin_all(run.kernels, layout, call) {
                            sum.add(block.rows.as_flattened());
                        }
                    }
                }
            }
        }
        run.assert_checksum(
            sum.value(),
            Checksums { reproducible: "0c52b621def30be3", fused: "3a5e41c792f5c10f" },
        );
    });
}

#[test]
fn shared_and_per_vertex_joints_give_the_same_vertices() {
    for influences in INFLUENCES {
        for (kind, input) in kinds(RUNS, influences, &mut Random::new(103)) {
            if kind.contains("own") {
                continue;
            }
            every_backend(|run| {
                let sets = input.skin_all(run.kernels, JointLayout::Shared, PLAIN);
                let own = input.skin_all(run.kernels, JointLayout::PerVertex, PLAIN);
                assert_all_near(&sets, &own, 1e-5, &format!("{run}: {influences} influences, {kind}"));
            });
        }
    }
}

#[test]
fn a_run_is_skinned_as_far_as_window_and_weights_go() {
    let base = [VectorBlock { rows: [[7.0; BLOCK]; 3] }; 3];
    for layout in JointLayout::ALL {
        let skin = |kernels: &Kernels, influences: usize, run: Run, vertices: SkinVertices<'_>| {
            let own = vec![JointIndexBlock::default(); 3 * influences];
            let (joints, rows) = match layout {
                JointLayout::Shared => (DualJoints::Shared(&[0; MOST][..influences]), 3 * (influences - 1)),
                JointLayout::PerVertex => (DualJoints::PerVertex(&own), 3 * influences),
            };
            kernels.skin_dual_quaternions(SkinDualQuaternions {
                palette: &[],
                dual_quaternions: &[],
                scale_shears: None,
                influences,
                runs: &[run],
                joints,
                weights: &vec![ScalarBlock::default(); rows],
                mix: None,
                vertices,
            });
        };
        // Shared sets of one joint have no weights that could be missing.
        let needs_weights = |influences: usize| influences > 1 || layout == JointLayout::PerVertex;
        skin_properties::a_run_is_skinned_as_far_as_window_and_weights_go(
            &base,
            base[0],
            skin,
            needs_weights,
        );
    }
}
