//! Joints to matrices and back.

use std::hint::black_box;

#[cfg(not(target_arch = "x86_64"))]
use sinew_kernels::papers::plain as sse2;
use sinew_kernels::papers::plain;
#[cfg(target_arch = "x86_64")]
use sinew_kernels::papers::sse2;
use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{Joint, JointsToMatrices, MatricesToJoints, Matrix, Scale};

use super::{Method, Routine, Worst};
use crate::random::Random;
use crate::rigs;

/// `ConvertJointQuatsToJointMats`.
#[derive(Clone, Debug)]
pub struct ToMatrices {
    joints: Vec<Joint>,
}

impl ToMatrices {
    /// Of so many joints.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self { joints: rigs::joints(len, &mut Random::new(1)) }
    }

    fn run(method: Method, joints: &[Joint], matrices: &mut [Matrix]) {
        match method.kernels() {
            Some(kernels) => kernels.joints_to_matrices(JointsToMatrices { joints, scales: None, matrices }),
            None if matches!(method, Method::Plain) => plain::joints_to_matrices(joints, matrices),
            None => sse2::joints_to_matrices(joints, matrices),
        }
    }
}

impl Routine for ToMatrices {
    fn elements(&self) -> usize {
        self.joints.len()
    }

    fn contender(&self, method: Method) -> Box<dyn FnMut() + '_> {
        let (joints, mut matrices) = (self.joints.clone(), vec![Matrix::IDENTITY; self.joints.len()]);
        Box::new(move || Self::run(method, black_box(&joints), &mut matrices))
    }

    fn error(&self, method: Method) -> f64 {
        let mut matrices = vec![Matrix::IDENTITY; self.joints.len()];
        Self::run(method, &self.joints, &mut matrices);
        let expected: Vec<_> = self
            .joints
            .iter()
            .map(|joint| {
                let rotation = in_convention(method, joint.rotation);
                reference::joint_to_matrix(&Joint::new(rotation, joint.translation), Scale::ONE)
            })
            .collect();
        let mut worst = Worst::default();
        worst.compare_matrices(&expected, &matrices);
        worst.share()
    }
}

/// `ConvertJointMatsToJointQuats`.
#[derive(Clone, Debug)]
pub struct ToJoints {
    matrices: Vec<Matrix>,
}

impl ToJoints {
    /// Of so many joints.
    #[must_use]
    pub fn new(len: usize) -> Self {
        let joints = rigs::joints(len, &mut Random::new(1));
        Self { matrices: joints.iter().map(|joint| Matrix::from_joint(joint, Scale::ONE)).collect() }
    }

    fn run(method: Method, matrices: &[Matrix], joints: &mut [Joint]) {
        match method.kernels() {
            Some(kernels) => kernels.matrices_to_joints(MatricesToJoints { matrices, joints }),
            None if matches!(method, Method::Plain) => plain::matrices_to_joints(matrices, joints),
            None => sse2::matrices_to_joints(matrices, joints),
        }
    }

    fn joints(&self) -> Vec<Joint> {
        vec![Joint::new([0.0, 0.0, 0.0, 1.0], [0.0; 3]); self.matrices.len()]
    }
}

impl Routine for ToJoints {
    fn elements(&self) -> usize {
        self.matrices.len()
    }

    fn contender(&self, method: Method) -> Box<dyn FnMut() + '_> {
        let (matrices, mut joints) = (self.matrices.clone(), self.joints());
        Box::new(move || Self::run(method, black_box(&matrices), &mut joints))
    }

    fn error(&self, method: Method) -> f64 {
        let mut joints = self.joints();
        Self::run(method, &self.matrices, &mut joints);
        let mut worst = Worst::default();
        for (matrix, joint) in self.matrices.iter().zip(&joints) {
            let expected = reference::matrix_to_rotation(&algebra::widen(matrix));
            let found = in_convention(method, joint.rotation);
            let sign = algebra::dot(expected, found.map(f64::from)).signum();
            worst.compare_all(expected.map(|component| component * sign), found);
            worst.compare_all(matrix.translation().map(f64::from), joint.translation);
        }
        worst.share()
    }
}

/// The papers' quaternion of a rotation is the conjugate of ours.
fn in_convention(method: Method, [x, y, z, w]: [f32; 4]) -> [f32; 4] {
    if method.is_of_papers() { [-x, -y, -z, w] } else { [x, y, z, w] }
}
