//! Slices of joints with mismatched lengths are rejected before anything is written.

#![cfg(panic = "unwind")]

use std::panic;

use crate::support::rejection::{assert_rejects, guarded};
use sinew_kernels::*;
use sinew_testkit::backends::every_backend;

const JOINTS: [Joint; 10] = [Joint::IDENTITY; 10];
const SCALES: [Scale; 10] = [Scale::ONE; 10];
const ROTATIONS: [RotationBlock; 3] = [RotationBlock::IDENTITY; 3];
const VECTORS: [VectorBlock; 3] = [VectorBlock { rows: [[0.0; BLOCK]; 3] }; 3];
const MATRICES: [Matrix; 10] = [Matrix::IDENTITY; 10];

#[test]
fn conversions_reject_mismatched_lengths() {
    every_backend(|run| {
        for (joints, scales, matrices, message) in [
            (9, 10, 10, "as many matrices as joints"),
            (10, 10, 9, "as many matrices as joints"),
            (10, 9, 10, "as many scales as joints"),
        ] {
            assert_rejects(&run, message, guarded(matrices), |kernels, matrices| {
                let (joints, scales) = (&JOINTS[..joints], Some(&SCALES[..scales]));
                kernels.joints_to_matrices(JointsToMatrices { joints, scales, matrices });
            });
        }
        for (matrices, joints) in [(9, 10), (10, 9), (0, 1)] {
            assert_rejects(&run, "as many joints as matrices", guarded(joints), |kernels, joints| {
                kernels.matrices_to_joints(MatricesToJoints { matrices: &MATRICES[..matrices], joints });
            });
        }
        for (joints, scales, residuals, message) in [
            (9, 10, 10, "as many joints as matrices"),
            (10, 9, 10, "as many scales as matrices"),
            (10, 10, 9, "as many residuals as matrices"),
        ] {
            assert_rejects(&run, message, guarded(joints), |kernels, joints| {
                let (mut scales, mut residuals) = (vec![Scale::ONE; scales], vec![0.0; residuals]);
                kernels.matrices_to_scaled_joints(MatricesToScaledJoints {
                    matrices: &MATRICES,
                    joints,
                    scales: &mut scales,
                    residuals: &mut residuals,
                });
            });
        }
    });
}

#[test]
fn spaces_reject_mismatched_lengths_and_ranges_outside() {
    const PARENTS: [u32; 10] = [0; 10];
    #[expect(clippy::reversed_empty_ranges, reason = "it must be rejected")]
    let backwards = 6..5;
    let cases = [
        (9, 0..5, "as many parents as matrices"),
        (10, 0..11, "a range within the matrices"),
        (10, 11..11, "a range within the matrices"),
        (10, backwards, "a range within the matrices"),
        (10, 3..usize::MAX, "a range within the matrices"),
    ];
    every_backend(|run| {
        for (parents, range, message) in cases.clone() {
            let parents = &PARENTS[..parents];
            assert_rejects(&run, message, guarded(10), |kernels, matrices| {
                kernels.local_to_model(LocalToModel { parents, range: range.clone(), matrices });
            });
            assert_rejects(&run, message, guarded(10), |kernels, matrices| {
                kernels.rigid_model_to_local(ModelToLocal { parents, range: range.clone(), matrices });
            });
            assert_rejects(&run, message, guarded(10), |kernels, matrices| {
                kernels.model_to_local(ModelToLocal { parents, range: range.clone(), matrices });
            });
            assert_rejects(&run, message, guarded(10), |kernels, matrices| {
                kernels.pose_to_model(PoseToModel {
                    rotations: &ROTATIONS[..2],
                    translations: &VECTORS[..2],
                    scales: None,
                    parents,
                    range: range.clone(),
                    plan: None,
                    root: None,
                    matrices,
                });
            });
        }
    });
}

#[test]
fn palettes_reject_mismatched_lengths() {
    every_backend(|run| {
        for (models, joints, binds, message) in [
            (10, 9, 10, "as many joints as palette matrices"),
            (10, 10, 9, "as many inverse binds as palette matrices"),
            (3, 10, 10, "a model matrix for every joint of the list"),
            (0, 10, 10, "a model matrix for every joint of the list"),
        ] {
            assert_rejects(&run, message, guarded(10), |kernels, palette| {
                let (joints, inverse_binds) =
                    ([0, 3, 1][..].repeat(4)[..joints].to_vec(), &MATRICES[..binds]);
                let joints = &JointList::from(joints);
                kernels.palette(ToPalette { models: &MATRICES[..models], joints, inverse_binds, palette });
            });
        }
    });
}

#[test]
fn poses_to_model_reject_mismatched_lengths() {
    every_backend(|run| {
        for (rotations, translations, scales, message) in [
            (1, 2, 2, "as many joints as matrices"),
            (2, 1, 2, "as many translations as rotations"),
            (2, 2, 1, "as many scales as rotations"),
        ] {
            assert_rejects(&run, message, guarded(10), |kernels, matrices| {
                kernels.pose_to_model(PoseToModel {
                    rotations: &ROTATIONS[..rotations],
                    translations: &VECTORS[..translations],
                    scales: Some(&VECTORS[..scales]),
                    parents: &[0; 10],
                    range: 0..10,
                    plan: None,
                    root: None,
                    matrices,
                });
            });
        }
    });
}

fn blocks(rotations: usize, translations: usize, scales: usize) -> PoseBlocks<'static> {
    PoseBlocks {
        rotations: &ROTATIONS[..rotations],
        translations: &VECTORS[..translations],
        scales: &VECTORS[..scales],
    }
}

#[test]
fn interpolation_rejects_mismatched_lengths() {
    every_backend(|run| {
        let sound = blocks(3, 3, 3);
        for (odd, factors, message) in [
            (blocks(2, 3, 3), 24, "as many rotations in `from` and `to` as to write"),
            (blocks(3, 2, 3), 24, "as many translations in `from` and `to` as to write"),
            (blocks(3, 3, 2), 24, "as many scales in `from` and `to` as to write"),
            (blocks(3, 3, 3), 23, "eight factors for each block"),
        ] {
            for (from, to) in [(sound, odd), (odd, sound)] {
                assert_rejects(&run, message, guarded(3), |kernels, rotations| {
                    let (translations, scales) = (&mut { VECTORS }, &mut { VECTORS });
                    let factor = Factor::Each(&[0.5; 24][..factors]);
                    kernels.slerp_poses(SlerpPoses { from, to, factor, rotations, translations, scales });
                });
            }
        }
        for (moves, factors, message) in
            [(2, 3, "as many translations as rotations"), (3, 2, "as many scales as rotations, or none")]
        {
            assert_rejects(&run, message, guarded(3), |kernels, rotations| {
                kernels.slerp_poses(SlerpPoses {
                    from: sound,
                    to: sound,
                    factor: Factor::All(0.5),
                    rotations,
                    translations: &mut { VECTORS }[..moves],
                    scales: &mut { VECTORS }[..factors],
                });
            });
        }
    });
}

#[test]
fn a_plan_of_products_is_of_all_joints() {
    every_backend(|run| {
        for len in [9, 11] {
            let plan = ProductPlan::new(&vec![0; len as usize], &(0..len).collect::<Vec<_>>());
            for range in [0..10, 0..1, 3..10] {
                assert_rejects(&run, "a plan of all joints", guarded(10), |kernels, matrices| {
                    kernels.pose_to_model(PoseToModel {
                        rotations: &ROTATIONS[..2],
                        translations: &VECTORS[..2],
                        scales: None,
                        parents: &[0; 10],
                        range: range.clone(),
                        plan: Some(&plan),
                        root: None,
                        matrices,
                    });
                });
            }
        }
    });
}

#[test]
fn plans_of_products_reject_other_orders() {
    let own: Vec<u32> = (0..130).collect();
    let swapped = |a: usize, b: usize| {
        let mut order = own.clone();
        order.swap(a, b);
        order
    };
    let with = |place: usize, joint: u32| {
        let mut order = own.clone();
        order[place] = joint;
        order
    };
    let cases = [
        (own[..129].to_vec(), "as many joints in the order as parents"),
        (swapped(3, 4), "parents before their children"),
        (swapped(127, 128), "a joint of the segment"),
        (with(5, 4), "each joint once"),
        (with(5, 130), "a joint of the segment"),
        (with(5, u32::MAX), "a joint of the segment"),
    ];
    for (order, message) in cases {
        let parents: Vec<u32> = (0..130_u32).map(|joint| joint.wrapping_sub(1)).collect();
        let error = panic::catch_unwind(|| ProductPlan::new(&parents, &order)).expect_err(message);
        let found = error.downcast_ref::<&str>().copied();
        let found = found.or(error.downcast_ref::<String>().map(String::as_str));
        assert_eq!(found, Some(message));
    }
}

#[test]
fn blends_of_two_poses_reject_mismatched_lengths() {
    every_backend(|run| {
        let sound = blocks(3, 3, 3);
        for (odd, moves, factors, joints, message) in [
            (blocks(2, 3, 3), 3, 3, 24, "as many rotations of each pose as to write"),
            (blocks(3, 2, 3), 3, 3, 24, "as many translations of each pose as to write"),
            (blocks(3, 3, 2), 3, 3, 24, "as many scales of each pose as to write"),
            (sound, 2, 3, 24, "as many translations as rotations"),
            (sound, 3, 2, 24, "as many scales as rotations, or none"),
            (sound, 3, 3, 25, "no more joints than lanes"),
        ] {
            for [one, other] in [[sound, odd], [odd, sound]] {
                assert_rejects(&run, message, guarded(3), |kernels, rotations| {
                    kernels.blend_two_poses(BlendTwoPoses {
                        one,
                        other,
                        weights: [&0.5, &0.5],
                        joints,
                        rotations,
                        translations: &mut { VECTORS }[..moves],
                        scales: &mut { VECTORS }[..factors],
                    });
                });
            }
        }
    });
}

#[test]
fn blends_reject_mismatched_lengths() {
    every_backend(|run| {
        let (all, each) = (Factor::All(0.5), Factor::Each(&[0.5; 24]));
        let few = Factor::Each(&[0.5; 16]);
        for (odd, moves, factors, joints, weights, message) in [
            (blocks(2, 3, 3), 3, 3, 24, &[all, each][..], "as many rotations of each layer as to write"),
            (blocks(3, 2, 3), 3, 3, 24, &[all, each], "as many translations of each layer as to write"),
            (blocks(3, 3, 2), 3, 3, 24, &[all, each], "as many scales of each layer as to write"),
            (blocks(3, 3, 3), 2, 3, 24, &[all, each], "as many translations as rotations"),
            (blocks(3, 3, 3), 3, 2, 24, &[all, each], "as many scales as rotations, or none"),
            (blocks(3, 3, 3), 3, 3, 25, &[all, each], "no more joints than lanes"),
            (blocks(3, 3, 3), 3, 3, 24, &[few], "eight factors for each block"),
        ] {
            let sound = BlendLayer { pose: blocks(3, 3, 3), weight: all };
            for &weight in weights {
                let odd = BlendLayer { pose: odd, weight };
                for layers in [[sound, odd], [odd, sound]] {
                    assert_rejects(&run, message, guarded(3), |kernels, rotations| {
                        kernels.blend_poses(BlendPoses {
                            layers: &layers,
                            part: BlendPart::All,
                            joints,
                            rotations,
                            translations: &mut { VECTORS }[..moves],
                            scales: &mut { VECTORS }[..factors],
                        });
                    });
                }
            }
        }
    });
}

#[test]
fn additive_layers_and_offsets_reject_mismatched_lengths() {
    every_backend(|run| {
        for (odd, moves, factors, weights, message) in [
            (blocks(2, 3, 3), 3, 3, 24, "as many rotations in both poses as to write"),
            (blocks(3, 2, 3), 3, 3, 24, "as many translations in both poses as to write"),
            (blocks(3, 3, 2), 3, 3, 24, "as many scales in both poses as to write"),
            (blocks(3, 3, 3), 2, 3, 24, "as many translations as rotations"),
            (blocks(3, 3, 3), 3, 2, 24, "as many scales as rotations, or none"),
            (blocks(3, 3, 3), 3, 3, 16, "eight factors for each block"),
        ] {
            for [pose, reference] in [[odd, blocks(3, 3, 3)], [blocks(3, 3, 3), odd]] {
                assert_rejects(&run, message, guarded(3), |kernels, rotations| {
                    kernels.add_poses(AddPoses {
                        pose,
                        reference,
                        weight: Factor::Each(&[0.5; 24][..weights]),
                        rotations,
                        translations: &mut { VECTORS }[..moves],
                        scales: &mut { VECTORS }[..factors],
                    });
                });
                if weights != 24 {
                    continue;
                }
                let message = message.replace("both poses", "both offsets");
                assert_rejects(&run, &message, guarded(3), |kernels, rotations| {
                    kernels.add_pose_offsets(AddPoseOffsets {
                        offset: pose,
                        velocity: reference,
                        factors: [0.5, 0.2],
                        rotations,
                        translations: &mut { VECTORS }[..moves],
                        scales: &mut { VECTORS }[..factors],
                    });
                });
            }
        }
    });
}

#[test]
fn sampling_rejects_mismatched_lengths() {
    const KEYS: [RotationKeyBlock; 3] =
        [RotationKeyBlock { rotation: RotationBlock::IDENTITY, angle_squared: [0.0; BLOCK] }; 3];
    const TARGETS: [KeyTarget; 3] = [KeyTarget { block: 0, full: true, lanes: [1.0; BLOCK] }; 3];
    every_backend(|run| {
        for (from, to, times, message) in [
            (2, 3, 3, "as many keys as targets"),
            (3, 2, 3, "as many keys as targets"),
            (3, 3, 2, "as many times as keys"),
        ] {
            let factor = KeyFactor::Times(0.5, &VECTORS[..times]);
            assert_rejects(&run, message, guarded(3), |kernels, rotations| {
                let (from, to) = (&KEYS[..from], &KEYS[..to]);
                kernels.sample_rotations(SampleRotations { from, to, factor, targets: &TARGETS, rotations });
            });
            assert_rejects(&run, message, guarded(3), |kernels, rotations| {
                let keys = KEYS.map(|key| key.rotation);
                let (from, to) = (&keys[..from], &keys[..to]);
                kernels.nlerp_rotations(NlerpRotations { from, to, factor, targets: &TARGETS, rotations });
            });
            assert_rejects(&run, message, guarded(3), |kernels, vectors| {
                let (from, to) = (&VECTORS[..from], &VECTORS[..to]);
                kernels.sample_vectors(SampleVectors { from, to, factor, targets: &TARGETS, vectors });
            });
        }
        assert_rejects(&run, "a bit for each track", guarded(1), |kernels, stale| {
            let (times, stale) = (&[VectorBlock::default(); BLOCK + 1], &mut stale[0]);
            kernels.find_stale_keys(FindStaleKeys { seconds: 0.5, times, stale });
        });
    });
}

#[test]
fn springs_reject_too_many_characters_and_missing_memory() {
    every_backend(|run| {
        let shape = ColliderShape::Sphere { offset: [0.0; 3], radius: 1.0, inside: false };
        let colliders = [PlannedCollider { shape, world: 0 }];
        for (characters, placed, message) in
            [(9, 1, "at most eight characters"), (8, 0, "memory for every collider")]
        {
            assert_rejects(&run, message, guarded(3), |kernels, worlds| {
                kernels.simulate_springs(SimulateSprings {
                    plan: SpringPlan { inputs: &[1], colliders: &colliders, ..SpringPlan::default() },
                    characters,
                    seconds: [0.0; BLOCK],
                    sub_steps: [1; BLOCK],
                    starts: [true; BLOCK],
                    worlds,
                    locals: &[],
                    bones: &mut [],
                    colliders: &mut vec![ColliderBlock::default(); placed],
                    centers: &mut [],
                });
            });
        }
    });
}
