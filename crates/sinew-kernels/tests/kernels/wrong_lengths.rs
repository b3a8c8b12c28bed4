//! Slices of joints whose lengths do not fit are refused before anything is written.

#![cfg(panic = "unwind")]

use crate::refusal::{out, refused};
use sinew_kernels::*;
use sinew_testkit::backends::every_backend;

const JOINTS: [Joint; 10] = [Joint::IDENTITY; 10];
const SCALES: [Scale; 10] = [Scale::ONE; 10];
const MATRICES: [Matrix; 10] = [Matrix::IDENTITY; 10];

#[test]
fn conversions_refuse_lengths_that_differ() {
    every_backend(|run| {
        for (joints, scales, matrices, sentence) in [
            (9, 10, 10, "as many matrices as joints"),
            (10, 10, 9, "as many matrices as joints"),
            (10, 9, 10, "as many scales as joints"),
        ] {
            refused(&run, sentence, out(matrices), |kernels, matrices| {
                let (joints, scales) = (&JOINTS[..joints], Some(&SCALES[..scales]));
                kernels.joints_to_matrices(JointsToMatrices { joints, scales, matrices });
            });
        }
        for (matrices, joints) in [(9, 10), (10, 9), (0, 1)] {
            refused(&run, "as many joints as matrices", out(joints), |kernels, joints| {
                kernels.matrices_to_joints(MatricesToJoints { matrices: &MATRICES[..matrices], joints });
            });
        }
        for (joints, scales, residuals, sentence) in [
            (9, 10, 10, "as many joints as matrices"),
            (10, 9, 10, "as many scales as matrices"),
            (10, 10, 9, "as many residuals as matrices"),
        ] {
            refused(&run, sentence, out(joints), |kernels, joints| {
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
fn spaces_refuse_lengths_that_differ_and_ranges_outside() {
    const PARENTS: [u32; 10] = [0; 10];
    #[expect(clippy::reversed_empty_ranges, reason = "it must be refused")]
    let backwards = 6..5;
    let cases = [
        (9, 0..5, "as many parents as matrices"),
        (10, 0..11, "a range within the matrices"),
        (10, 11..11, "a range within the matrices"),
        (10, backwards, "a range within the matrices"),
        (10, 3..usize::MAX, "a range within the matrices"),
    ];
    every_backend(|run| {
        for (parents, range, sentence) in cases.clone() {
            let parents = &PARENTS[..parents];
            refused(&run, sentence, out(10), |kernels, matrices| {
                kernels.local_to_model(LocalToModel { parents, range: range.clone(), matrices });
            });
            refused(&run, sentence, out(10), |kernels, matrices| {
                kernels.rigid_model_to_local(ModelToLocal { parents, range: range.clone(), matrices });
            });
            refused(&run, sentence, out(10), |kernels, matrices| {
                kernels.model_to_local(ModelToLocal { parents, range: range.clone(), matrices });
            });
            refused(&run, sentence, out(10), |kernels, matrices| {
                kernels.crowd_local_to_model(CrowdLocalToModel { parents, range: range.clone(), matrices });
            });
        }
    });
}

#[test]
fn palettes_refuse_lengths_that_differ() {
    every_backend(|run| {
        for (joints, binds, sentence) in [
            (9, 10, "as many joints as palette matrices"),
            (10, 9, "as many inverse binds as palette matrices"),
        ] {
            refused(&run, sentence, out(10), |kernels, palette| {
                let (joints, inverse_binds) = (&[0; 10][..joints], &MATRICES[..binds]);
                kernels.palette(ToPalette { models: &MATRICES, joints, inverse_binds, palette });
            });
        }
    });
}

#[test]
fn interpolation_refuses_lengths_that_differ() {
    let both: [fn(&Kernels, Interpolate<'_>); 2] = [Kernels::nlerp, Kernels::slerp];
    every_backend(|run| {
        for kernel in both {
            for (from, to, factors, sentence) in [
                (9, 10, 10, "as many joints in `from` and `to` as to write"),
                (10, 9, 10, "as many joints in `from` and `to` as to write"),
                (10, 10, 9, "as many factors as joints"),
            ] {
                refused(&run, sentence, out(10), |kernels, joints| {
                    let factor = Factor::Each(&[0.5; 10][..factors]);
                    let (from, to) = (&JOINTS[..from], &JOINTS[..to]);
                    kernel(kernels, Interpolate { from, to, factor, joints, scales: None });
                });
            }
            for (from, to, len, sentence) in [
                (9, 10, 10, "as many scales in `from` and `to` as to write"),
                (10, 9, 10, "as many scales in `from` and `to` as to write"),
                (10, 10, 9, "as many scales as joints"),
            ] {
                refused(&run, sentence, out(len), |kernels, scales| {
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
fn rotations_refuse_lengths_that_differ() {
    const ROTATIONS: [[f32; 4]; 10] = [[0.0, 0.0, 0.0, 1.0]; 10];
    every_backend(|run| {
        for (from, to, factors, sentence) in [
            (9, 10, 10, "as many rotations in `from` and `to` as to write"),
            (10, 9, 10, "as many rotations in `from` and `to` as to write"),
            (11, 10, 10, "as many rotations in `from` and `to` as to write"),
            (10, 10, 9, "as many factors as rotations"),
        ] {
            let long = [ROTATIONS[0]; 11];
            refused(&run, sentence, out(10), |kernels, rotations| {
                let factor = Factor::Each(&[0.5; 10][..factors]);
                let (from, to) = (&long[..from], &ROTATIONS[..to]);
                kernels.slerp_rotations(SlerpRotations { from, to, factor, rotations });
            });
        }
    });
}

#[test]
fn blends_refuse_lengths_that_differ() {
    every_backend(|run| {
        for (joints, layer_scales, scales, shares, sentence) in [
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
            refused(&run, sentence, out(10), |kernels, joints| {
                let (layers, scales) = (&[sound, odd], Some(&mut [Scale::ONE; 10][..scales]));
                kernels.blend_joints(BlendJoints { layers, part: BlendPart::All, joints, scales });
            });
        }
    });
}

#[test]
fn crowds_refuse_lengths_that_differ() {
    every_backend(|run| {
        for odd in 0..BLOCK {
            refused(&run, "as many joints of each instance as matrices", out(10), |kernels, matrices| {
                let mut joints = [&JOINTS[..]; BLOCK];
                joints[odd] = &JOINTS[..9];
                kernels.crowd_joints_to_matrices(CrowdJointsToMatrices { joints, scales: None, matrices });
            });
            refused(&run, "as many scales of each instance as matrices", out(10), |kernels, matrices| {
                let (joints, mut scales) = ([&JOINTS[..]; BLOCK], [&SCALES[..]; BLOCK]);
                scales[odd] = &SCALES[..9];
                kernels.crowd_joints_to_matrices(CrowdJointsToMatrices {
                    joints,
                    scales: Some(scales),
                    matrices,
                });
            });
        }
        for (palettes, len, binds, sentence) in [
            (0, 10, 10, "one to eight palettes"),
            (9, 10, 10, "one to eight palettes"),
            (8, 10, 9, "as many inverse binds as joints"),
            (8, 9, 10, "as many matrices in each palette as joints"),
        ] {
            refused(&run, sentence, out(len * palettes), |kernels, matrices| {
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
