//! Any matrices to joints, scales and residuals: against `f64`, and degenerate matrices.

use sinew_kernels::reference::{algebra, joint_to_matrix, matrix_to_scaled_joint};
use sinew_kernels::{Joint, JointsToMatrices, Kernels, MatricesToScaledJoints, Matrix, Scale};
use sinew_testkit::backends::{BackendRun, EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

const CASES: usize = if EMULATED { 300 } else { 5000 };

struct Parts {
    joint: Joint,
    scale: Scale,
    residual: f32,
}

fn parts_of(kernels: &Kernels, matrices: &[Matrix]) -> Vec<Parts> {
    let len = matrices.len();
    let (mut joints, mut scales) = (vec![Joint::IDENTITY; len], vec![Scale::ONE; len]);
    let mut residuals = vec![0.0; len];
    kernels.matrices_to_scaled_joints(MatricesToScaledJoints {
        matrices,
        joints: &mut joints,
        scales: &mut scales,
        residuals: &mut residuals,
    });
    let parts = joints.into_iter().zip(scales).zip(residuals);
    parts.map(|((joint, scale), residual)| Parts { joint, scale, residual }).collect()
}

/// A matrix from its columns.
fn from_columns(columns: [[f32; 3]; 3]) -> Matrix {
    Matrix { rows: std::array::from_fn(|r| [columns[0][r], columns[1][r], columns[2][r], r as f32]) }
}

fn column(matrix: &Matrix, c: usize) -> [f64; 3] {
    matrix.rows.map(|row| f64::from(row[c]))
}

/// Root of the sum of squares of the matrix without its translation.
fn size(matrix: &Matrix) -> f64 {
    algebra::length([0, 1, 2].map(|c| algebra::length(column(matrix, c))))
}

/// Root of the sum of squares of matrix minus rotation x scale.
fn distance(matrix: &Matrix, parts: &Parts) -> f64 {
    let rebuilt = joint_to_matrix(&parts.joint, parts.scale);
    let column = |c: usize| [0, 1, 2].map(|r| f64::from(matrix.rows[r][c]) - rebuilt[r][c]);
    algebra::length([0, 1, 2].map(|c| algebra::length(column(c))))
}

/// Properties of every result, however degenerate the matrix.
fn assert_sound(run: &BackendRun, matrix: &Matrix, parts: &Parts) {
    let length = algebra::length(parts.joint.rotation.map(f64::from));
    let mut tolerance = Tolerance::new(format!("{run}: {matrix:?}"));
    tolerance.close("length of the rotation", 1.0, length as f32, 2e-6);
    tolerance.close("residual", distance(matrix, parts), parts.residual, 4e-6 * size(matrix));
    assert!(parts.scale.factors.iter().all(|s| s.is_finite()), "{run}: {matrix:?}: {:?}", parts.scale);
    let sheared = Matrix { rows: matrix.rows.map(|[x, y, z, _]| [x, y, z, 0.0]) };
    assert!(parts.residual <= 1.0001 * size(&sheared) as f32, "{run}: {matrix:?}: {}", parts.residual);
}

#[test]
fn sheared_matrices_match_the_reference() {
    let matrices = rigs::sheared_matrices(CASES, &mut Random::new(40));
    every_backend(|run| {
        let mut rotation = Tolerance::new(format!("{run}: matrices_to_scaled_joints, rotation"));
        let mut scale = Tolerance::new(format!("{run}: matrices_to_scaled_joints, scale"));
        let mut residual = Tolerance::new(format!("{run}: matrices_to_scaled_joints, residual"));
        for (matrix, found) in matrices.iter().zip(parts_of(run.kernels, &matrices)) {
            let expected = matrix_to_scaled_joint(&algebra::widen(matrix));
            let size = size(matrix);
            rotation.same_rotation(format_args!("{matrix:?}"), expected.rotation, found.joint.rotation, 1e-6);
            scale.all_close(format_args!("{matrix:?}"), expected.scale, found.scale.factors, 1e-6 * size);
            residual.close(format_args!("{matrix:?}"), expected.residual, found.residual, 1e-6 * size);
            assert_eq!(found.joint.translation, matrix.translation(), "translations are copied");
        }
        rotation.report();
        scale.report();
        residual.report();
    });
}

#[test]
fn the_residual_is_the_distance_from_rotation_times_scale() {
    let matrices = rigs::sheared_matrices(CASES, &mut Random::new(41));
    every_backend(|run| {
        let mut tolerance = Tolerance::new(format!("{run}: residual and distance"));
        for (matrix, parts) in matrices.iter().zip(parts_of(run.kernels, &matrices)) {
            let allowed = 2e-6 * size(matrix);
            tolerance.close(format_args!("{matrix:?}"), distance(matrix, &parts), parts.residual, allowed);
        }
        tolerance.report();
    });
}

#[test]
fn joints_and_scales_come_back_from_their_matrices() {
    let random = &mut Random::new(42);
    let mut joints: Vec<_> =
        rigs::special_rotations().into_iter().map(|q| Joint::new(q, random.vector(10.0))).collect();
    joints.extend(rigs::joints(CASES, random));
    // Only a mirror along x is returned unchanged.
    let scales: Vec<_> = (0..joints.len())
        .map(|i| {
            let [x, y, z] = rigs::scale(random).factors.map(f32::abs);
            Scale::new([if i % 3 == 0 { -x } else { x }, 100.0 * y, 0.01 * z])
        })
        .collect();
    every_backend(|run| {
        let mut matrices = vec![Matrix::ZERO; joints.len()];
        let contract = JointsToMatrices { joints: &joints, scales: Some(&scales), matrices: &mut matrices };
        run.kernels.joints_to_matrices(contract);
        let mut tolerance = Tolerance::new(format!("{run}: scaled joints there and back"));
        for (i, parts) in parts_of(run.kernels, &matrices).into_iter().enumerate() {
            let (joint, scale) = (joints[i], scales[i]);
            let element = format!("{joint:?} {scale:?}");
            let rotation = joint.rotation.map(f64::from);
            tolerance.same_rotation(&element, rotation, parts.joint.rotation, 1e-6);
            for (expected, found) in scale.factors.into_iter().zip(parts.scale.factors) {
                tolerance.close(&element, expected.into(), found, 1e-6 * f64::from(expected.abs()));
            }
            tolerance.close(&element, 0.0, parts.residual, 1e-6 * size(&matrices[i]));
        }
        tolerance.report();
    });
}

#[test]
fn a_mirror_is_a_negative_x_scale_at_any_size() {
    let random = &mut Random::new(43);
    every_backend(|run| {
        for exponent in [-59, -50, -45, -40, -21, 0, 21, 40, 43, 50, 59] {
            let size = 2.0_f32.powi(exponent);
            for axis in 0..3 {
                let mut factors = [size, 1.25 * size, 1.5 * size];
                factors[axis] *= -1.0;
                let joint = rigs::joint(random);
                let matrix = Matrix::from_joint(&joint, Scale::new(factors));
                for parts in parts_of(run.kernels, &[matrix; 9]) {
                    let [x, y, z] = parts.scale.factors;
                    assert!(
                        x < 0.0 && y > 0.0 && z > 0.0,
                        "{run}: {factors:?} came back as {:?}",
                        parts.scale
                    );
                    assert_sound(&run, &matrix, &parts);
                    for (expected, found) in factors.into_iter().zip([x, y, z]) {
                        assert!(
                            (found.abs() / expected.abs() - 1.0).abs() < 1e-6,
                            "{run}: {:?}",
                            parts.scale
                        );
                    }
                }
            }
        }
    });
}

#[test]
fn zero_scales_leave_a_rotation_that_fits() {
    let random = &mut Random::new(44);
    every_backend(|run| {
        for zeros in 1..8 {
            for exponent in [-59, -40, -31, -29, -20, 0, 20, 29, 31, 33, 40, 59] {
                let size = 2.0_f32.powi(exponent);
                let factors = std::array::from_fn(|i| if zeros >> i & 1 == 1 { 0.0 } else { size });
                let matrix = Matrix::from_joint(&rigs::joint(random), Scale::new(factors));
                for parts in parts_of(run.kernels, &[matrix; 5]) {
                    assert_sound(&run, &matrix, &parts);
                    let residual = f64::from(parts.residual);
                    assert!(
                        residual <= 2e-6 * self::size(&matrix),
                        "{run}: {factors:?}, residual {residual}"
                    );
                    for (expected, found) in factors.into_iter().zip(parts.scale.factors) {
                        assert!((found.abs() - expected).abs() <= 1e-6 * size, "{run}: {:?}", parts.scale);
                    }
                }
            }
        }
    });
}

#[test]
fn columns_in_a_line_or_a_plane_give_a_rotation() {
    let random = &mut Random::new(45);
    let mut matrices = Vec::new();
    for i in 0..if EMULATED { 50 } else { 500 } {
        let (a, b) = (random.vector(2.0), random.vector(2.0));
        let size = [1.0, 1e-6, 1e6][i % 3];
        let times = |v: [f32; 3], factor: f32| v.map(|c| c * factor * size);
        let sum = |s: f32, t: f32| [0, 1, 2].map(|c| (s * a[c] + t * b[c]) * size);
        let factor = random.between(-3.0, 3.0);
        matrices.extend([
            from_columns([times(a, 1.0), times(a, factor), times(b, 1.0)]),
            from_columns([times(a, 1.0), times(b, 1.0), times(a, factor)]),
            from_columns([times(b, 1.0), times(a, 1.0), times(a, factor)]),
            from_columns([times(a, 1.0), times(b, 1.0), sum(0.7, factor)]),
            from_columns([times(a, 1.0), times(a, -2.0), times(a, factor)]),
            from_columns([times(a, 1.0), times(a, factor), [0.0; 3]]),
            from_columns([[0.0; 3], times(a, 1.0), times(a, factor)]),
            from_columns([times(a, 1.0), times(a, 1.0 + 1e-6), times(b, 1.0)]),
            from_columns([times(a, 1.0), times(a, 1.0), times(a, 1.0)]),
        ]);
    }
    every_backend(|run| {
        for (matrix, parts) in matrices.iter().zip(parts_of(run.kernels, &matrices)) {
            assert_sound(&run, matrix, &parts);
        }
    });
}

#[test]
fn a_zero_matrix_gives_a_rotation_and_zero_scales() {
    every_backend(|run| {
        for parts in parts_of(run.kernels, &[Matrix::ZERO; 11]) {
            assert_sound(&run, &Matrix::ZERO, &parts);
            assert_eq!((parts.scale, parts.residual), (Scale::new([0.0; 3]), 0.0), "{run}");
        }
    });
}
