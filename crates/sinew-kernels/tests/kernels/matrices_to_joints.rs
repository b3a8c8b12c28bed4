//! Rigid matrices to joints: against `f64`, and the round trip.

use sinew_kernels::reference::{algebra, matrix_to_rotation};
use sinew_kernels::{Joint, JointsToMatrices, Kernels, MatricesToJoints, Matrix, Scale};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

const CASES: usize = if EMULATED { 300 } else { 5000 };

fn joints_of(kernels: &Kernels, matrices: &[Matrix]) -> Vec<Joint> {
    let mut joints = vec![Joint::IDENTITY; matrices.len()];
    kernels.matrices_to_joints(MatricesToJoints { matrices, joints: &mut joints });
    joints
}

#[test]
fn rotations_match_the_reference() {
    let matrices: Vec<_> = rigs::special_and_random_joints(CASES, &mut Random::new(20))
        .iter()
        .map(|joint| Matrix::from_joint(joint, Scale::ONE))
        .collect();
    every_backend(|run| {
        let mut tolerance = Tolerance::new(format!("{run}: matrices_to_joints"));
        for (matrix, found) in matrices.iter().zip(joints_of(run.kernels, &matrices)) {
            let expected = matrix_to_rotation(&algebra::widen(matrix));
            tolerance.same_rotation(format_args!("{matrix:?}"), expected, found.rotation, 1e-6);
            assert_eq!(found.translation, matrix.translation(), "translations are copied");
        }
        tolerance.report();
    });
}

#[test]
fn rotations_come_back_from_their_matrices() {
    let joints = rigs::special_and_random_joints(CASES, &mut Random::new(21));
    every_backend(|run| {
        let mut matrices = vec![Matrix::ZERO; joints.len()];
        run.kernels.joints_to_matrices(JointsToMatrices {
            joints: &joints,
            scales: None,
            matrices: &mut matrices,
        });
        let mut tolerance = Tolerance::new(format!("{run}: there and back"));
        for (joint, found) in joints.iter().zip(joints_of(run.kernels, &matrices)) {
            let expected = joint.rotation.map(f64::from);
            tolerance.same_rotation(format_args!("{joint:?}"), expected, found.rotation, 1e-6);
            assert_eq!(found.translation, joint.translation, "translations are copied");
        }
        tolerance.report();
    });
}

#[test]
fn each_component_can_be_the_divisor() {
    // Each of the four cases, at every index of a block and of a tail.
    every_backend(|run| {
        for axis in 0..4 {
            let mut q = [0.0; 4];
            q[axis] = 1.0;
            let matrices = vec![Matrix::from_joint(&Joint::new(q, [0.0; 3]), Scale::ONE); 21];
            let mut tolerance = Tolerance::new(format!("{run}: axis {axis}"));
            for joint in joints_of(run.kernels, &matrices) {
                tolerance.same_rotation(
                    "half turn",
                    q.map(f64::from),
                    joint.rotation,
                    2.0 * f64::from(f32::EPSILON),
                );
            }
        }
    });
}

#[test]
fn results_have_length_one() {
    let matrices: Vec<_> = rigs::special_and_random_joints(CASES, &mut Random::new(22))
        .iter()
        .map(|joint| Matrix::from_joint(joint, Scale::ONE))
        .collect();
    every_backend(|run| {
        let mut tolerance = Tolerance::new(format!("{run}: length of a quaternion"));
        for (i, joint) in joints_of(run.kernels, &matrices).into_iter().enumerate() {
            let length = algebra::length(joint.rotation.map(f64::from));
            tolerance.close(i, 1.0, length as f32, 1e-6);
        }
        tolerance.report();
    });
}
