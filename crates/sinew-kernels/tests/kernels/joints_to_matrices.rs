//! Joints to matrices: against `f64`, and properties of rotations.

use sinew_kernels::reference::{algebra, joint_to_matrix};
use sinew_kernels::{Joint, JointsToMatrices, Kernels, Matrix, Scale};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

const CASES: usize = if EMULATED { 300 } else { 5000 };

fn matrices_of(kernels: &Kernels, joints: &[Joint], scales: Option<&[Scale]>) -> Vec<Matrix> {
    let mut matrices = vec![Matrix::ZERO; joints.len()];
    kernels.joints_to_matrices(JointsToMatrices { joints, scales, matrices: &mut matrices });
    matrices
}

#[test]
fn rotations_match_the_reference() {
    let joints = rigs::special_and_random_joints(CASES, &mut Random::new(10));
    every_backend(|run| {
        let mut tolerance = Tolerance::new(format!("{run}: joints_to_matrices"));
        for (joint, found) in joints.iter().zip(matrices_of(run.kernels, &joints, None)) {
            let expected = joint_to_matrix(joint, Scale::ONE);
            tolerance.matrix_close(format_args!("{joint:?}"), &expected, &found, |_, _| 1e-6);
            assert_eq!(found.translation(), joint.translation, "translations are copied");
        }
        tolerance.report();
    });
}

#[test]
fn scaled_rotations_match_the_reference() {
    let joints = rigs::special_and_random_joints(CASES, &mut Random::new(11));
    let scales = rigs::scales(joints.len(), &mut Random::new(12));
    every_backend(|run| {
        let mut tolerance = Tolerance::new(format!("{run}: joints_to_matrices with scales"));
        let matrices = matrices_of(run.kernels, &joints, Some(&scales));
        for ((joint, scale), found) in joints.iter().zip(&scales).zip(matrices) {
            let expected = joint_to_matrix(joint, *scale);
            let allowed = |_, c: usize| scale.factors.get(c).map_or(0.0, |s| 1e-6 * f64::from(s.abs()));
            tolerance.matrix_close(format_args!("{joint:?} {scale:?}"), &expected, &found, allowed);
            assert_eq!(found.translation(), joint.translation, "translations are copied");
        }
        tolerance.report();
    });
}

#[test]
fn a_scale_of_one_changes_nothing() {
    let joints = rigs::special_and_random_joints(CASES, &mut Random::new(13));
    let ones = vec![Scale::ONE; joints.len()];
    every_backend(|run| {
        let with = matrices_of(run.kernels, &joints, Some(&ones));
        assert_eq!(with, matrices_of(run.kernels, &joints, None), "{run}");
    });
}

#[test]
fn both_signs_of_a_quaternion_are_the_same_rotation() {
    let joints = rigs::special_and_random_joints(CASES, &mut Random::new(14));
    let negative: Vec<_> =
        joints.iter().map(|joint| Joint::new(joint.rotation.map(|c| -c), joint.translation)).collect();
    every_backend(|run| {
        let (a, b) = (matrices_of(run.kernels, &joints, None), matrices_of(run.kernels, &negative, None));
        assert_eq!(a, b, "{run}");
    });
}

#[test]
fn exact_half_and_quarter_turns_are_exact() {
    let half = |axis: usize| {
        let mut q = [0.0; 4];
        q[axis] = 1.0;
        Joint::new(q, [1.0, 2.0, 3.0])
    };
    every_backend(|run| {
        let matrices = matrices_of(run.kernels, &[half(0), half(1), half(2), half(3)], None);
        for (axis, matrix) in matrices.into_iter().enumerate() {
            for (r, row) in matrix.rows.into_iter().enumerate() {
                let mut expected = [0.0, 0.0, 0.0, [1.0, 2.0, 3.0][r]];
                expected[r] = if axis == 3 || axis == r { 1.0 } else { -1.0 };
                assert_eq!(row, expected, "{run}, axis {axis}");
            }
        }
        // A third of a turn about the diagonal takes x to y, y to z, z to x.
        let third = matrices_of(run.kernels, &[Joint::new([0.5; 4], [0.0; 3])], None)[0];
        assert_eq!(third.transform_vector([1.0, 2.0, 3.0]), [3.0, 1.0, 2.0], "{run}");
    });
}

#[test]
fn the_convention_is_the_usual_one() {
    // A quarter turn about +z, counter-clockwise seen from +z: x goes to y.
    let q = rigs::unit([0.0, 0.0, 1.0, 1.0]);
    every_backend(|run| {
        let [x, y, z] =
            matrices_of(run.kernels, &[Joint::new(q, [0.0; 3])], None)[0].transform_vector([1.0, 0.0, 0.0]);
        let mut tolerance = Tolerance::new(run);
        tolerance.all_close("x axis", [0.0, 1.0, 0.0], [x, y, z], 1e-6);
    });
}

/// The papers' matrix of (x, y, z, w) has `2xy + 2wz` in row 0, column 1: the transpose of ours.
fn papers_matrix([x, y, z, w]: [f64; 4]) -> [[f64; 3]; 3] {
    let (x2, y2, z2) = (x + x, y + y, z + z);
    [
        [1.0 - y2 * y - z2 * z, x2 * y + z2 * w, x2 * z - y2 * w],
        [x2 * y - z2 * w, 1.0 - x2 * x - z2 * z, y2 * z + x2 * w],
        [x2 * z + y2 * w, y2 * z - x2 * w, 1.0 - x2 * x - y2 * y],
    ]
}

#[test]
fn the_papers_matrix_is_ours_of_the_conjugate() {
    let joints = rigs::special_and_random_joints(CASES, &mut Random::new(15));
    let conjugates: Vec<_> = joints
        .iter()
        .map(|joint| {
            let [x, y, z, w] = joint.rotation;
            Joint::new([-x, -y, -z, w], joint.translation)
        })
        .collect();
    every_backend(|run| {
        let mut tolerance = Tolerance::new(format!("{run}: the papers' convention"));
        for (joint, ours) in joints.iter().zip(matrices_of(run.kernels, &conjugates, None)) {
            let papers = papers_matrix(joint.rotation.map(f64::from));
            for (papers, [x, y, z, _]) in papers.into_iter().zip(ours.rows) {
                tolerance.all_close(format_args!("{joint:?}"), papers, [x, y, z], 1e-6);
            }
        }
    });
}

#[test]
fn matrices_of_single_joints_match_the_reference() {
    let joints = rigs::special_and_random_joints(CASES, &mut Random::new(16));
    let scales = rigs::scales(joints.len(), &mut Random::new(17));
    let mut tolerance = Tolerance::new("Matrix::from_joint");
    for (joint, scale) in joints.iter().zip(&scales) {
        let expected = joint_to_matrix(joint, *scale);
        let found = Matrix::from_joint(joint, *scale);
        tolerance.matrix_close(format_args!("{joint:?} {scale:?}"), &expected, &found, |_, _| 2e-6);
    }
    let random = &mut Random::new(18);
    for matrix in rigs::sheared_matrices(200, random) {
        let expected = algebra::inverse(&algebra::widen(&matrix)).expect("the columns do not lie in a plane");
        let found = matrix.inverse().expect("the columns do not lie in a plane");
        tolerance.matrix_close(format_args!("inverse of {matrix:?}"), &expected, &found, |_, _| 1e-6);
    }
    assert_eq!(Matrix::ZERO.inverse(), None);
}
