//! Slices of joints with mismatched lengths are rejected before anything is written.

#![cfg(panic = "unwind")]

use crate::support::rejection::{assert_rejects, guarded};
use sinew_kernels::*;
use sinew_testkit::backends::every_backend;

const JOINTS: [Joint; 10] = [Joint::IDENTITY; 10];
const SCALES: [Scale; 10] = [Scale::ONE; 10];
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
                kernels.crowd_local_to_model(CrowdLocalToModel { parents, range: range.clone(), matrices });
            });
        }
    });
}

#[test]
fn palettes_reject_mismatched_lengths() {
    every_backend(|run| {
        for (joints, binds, message) in [
            (9, 10, "as many joints as palette matrices"),
            (10, 9, "as many inverse binds as palette matrices"),
        ] {
            assert_rejects(&run, message, guarded(10), |kernels, palette| {
                let (joints, inverse_binds) = (&[0; 10][..joints], &MATRICES[..binds]);
                kernels.palette(ToPalette { models: &MATRICES, joints, inverse_binds, palette });
            });
        }
    });
}

#[test]
fn interpolation_rejects_mismatched_lengths() {
    let both: [fn(&Kernels, Interpolate<'_>); 2] = [Kernels::nlerp, Kernels::slerp];
    every_backend(|run| {
        for kernel in both {
            for (from, to, factors, message) in [
                (9, 10, 10, "as many joints in `from` and `to` as to write"),
                (10, 9, 10, "as many joints in `from` and `to` as to write"),
                (10, 10, 9, "as many factors as joints"),
            ] {
                assert_rejects(&run, message, guarded(10), |kernels, joints| {
                    let factor = Factor::Each(&[0.5; 10][..factors]);
                    let (from, to) = (&JOINTS[..from], &JOINTS[..to]);
                    kernel(kernels, Interpolate { from, to, factor, joints, scales: None });
                });
            }
            for (from, to, len, message) in [
                (9, 10, 10, "as many scales in `from` and `to` as to write"),
                (10, 9, 10, "as many scales in `from` and `to` as to write"),
                (10, 10, 9, "as many scales as joints"),
            ] {
                assert_rejects(&run, message, guarded(len), |kernels, scales| {
                    let scales = InterpolateScales { from: &SCALES[..from], to: &SCALES[..to], scales };
                    kernel(
                        kernels,
                        Interpolate {
                            from: &JOINTS,
                            to: &JOINTS,
                            factor: Factor::All(0.5),
                            joints: &mut [Joint::IDENTITY; 10],
                            scales: Some(scales),
                        },
                    );
                });
            }
        }
    });
}

#[test]
fn rotations_reject_mismatched_lengths() {
    const ROTATIONS: [[f32; 4]; 10] = [[0.0, 0.0, 0.0, 1.0]; 10];
    every_backend(|run| {
        for (from, to, factors, message) in [
            (9, 10, 10, "as many rotations in `from` and `to` as to write"),
            (10, 9, 10, "as many rotations in `from` and `to` as to write"),
            (11, 10, 10, "as many rotations in `from` and `to` as to write"),
            (10, 10, 9, "as many factors as rotations"),
        ] {
            let long = [ROTATIONS[0]; 11];
            assert_rejects(&run, message, guarded(10), |kernels, rotations| {
                let factor = Factor::Each(&[0.5; 10][..factors]);
                let (from, to) = (&long[..from], &ROTATIONS[..to]);
                kernels.slerp_rotations(SlerpRotations { from, to, factor, rotations });
            });
        }
    });
}

#[test]
fn blends_reject_mismatched_lengths() {
    every_backend(|run| {
        for (joints, layer_scales, scales, shares, message) in [
            (9, 10, 10, 10, "as many joints of each layer as to write"),
            (10, 9, 10, 10, "as many scales of each layer as to write"),
            (10, 10, 9, 10, "as many scales as joints"),
            (10, 10, 10, 9, "as many weights as joints"),
        ] {
            let sound = BlendLayer { joints: &JOINTS, scales: &SCALES, weight: Factor::All(0.5) };
            let odd = BlendLayer {
                joints: &JOINTS[..joints],
                scales: &SCALES[..layer_scales],
                weight: Factor::Each(&[0.5; 10][..shares]),
            };
            assert_rejects(&run, message, guarded(10), |kernels, joints| {
                let (layers, scales) = (&[sound, odd], Some(&mut [Scale::ONE; 10][..scales]));
                kernels.blend_joints(BlendJoints { layers, part: BlendPart::All, joints, scales });
            });
        }
    });
}

#[test]
fn crowds_reject_mismatched_lengths() {
    every_backend(|run| {
        for odd in 0..BLOCK {
            assert_rejects(
                &run,
                "as many joints of each instance as matrices",
                guarded(10),
                |kernels, matrices| {
                    let mut joints = [&JOINTS[..]; BLOCK];
                    joints[odd] = &JOINTS[..9];
                    kernels.crowd_joints_to_matrices(CrowdJointsToMatrices {
                        joints,
                        scales: None,
                        matrices,
                    });
                },
            );
            assert_rejects(
                &run,
                "as many scales of each instance as matrices",
                guarded(10),
                |kernels, matrices| {
                    let (joints, mut scales) = ([&JOINTS[..]; BLOCK], [&SCALES[..]; BLOCK]);
                    scales[odd] = &SCALES[..9];
                    kernels.crowd_joints_to_matrices(CrowdJointsToMatrices {
                        joints,
                        scales: Some(scales),
                        matrices,
                    });
                },
            );
        }
        for (palettes, len, binds, message) in [
            (0, 10, 10, "one to eight palettes"),
            (9, 10, 10, "one to eight palettes"),
            (8, 10, 9, "as many inverse binds as joints"),
            (8, 9, 10, "as many matrices in each palette as joints"),
        ] {
            assert_rejects(&run, message, guarded(len * palettes), |kernels, matrices| {
                let mut palettes: Vec<_> = matrices.chunks_mut(len).collect();
                kernels.crowd_palette(CrowdToPalette {
                    models: &[MatrixBlock::IDENTITY; 3],
                    joints: &[0; 10],
                    inverse_binds: &MATRICES[..binds],
                    palettes: &mut palettes,
                });
            });
        }
    });
}
