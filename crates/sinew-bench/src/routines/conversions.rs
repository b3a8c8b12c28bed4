//! Joints to matrices and back.

use std::hint::black_box;

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{Joint, JointsToMatrices, MatricesToJoints, Matrix, Scale};
#[cfg(not(target_arch = "x86_64"))]
use sinew_papers::plain as sse2;
use sinew_papers::plain;
#[cfg(target_arch = "x86_64")]
use sinew_papers::sse2;

use super::{Implementation, MaxError, Routine};
use crate::workload::{self, Random};

/// `ConvertJointQuatsToJointMats`.
#[derive(Clone, Debug)]
pub struct ToMatrices {
    joints: Vec<Joint>,
}

impl ToMatrices {
    /// The routine on `len` joints.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self { joints: workload::joints(len, &mut Random::new(1)) }
    }

    fn run(implementation: Implementation, joints: &[Joint], matrices: &mut [Matrix]) {
        match implementation.kernels() {
            Some(kernels) => kernels.joints_to_matrices(JointsToMatrices { joints, scales: None, matrices }),
            None if matches!(implementation, Implementation::Plain) => {
                plain::joints_to_matrices(joints, matrices)
            }
            None => sse2::joints_to_matrices(joints, matrices),
        }
    }
}

impl Routine for ToMatrices {
    fn elements(&self) -> usize {
        self.joints.len()
    }

    fn runner(&self, implementation: Implementation) -> Box<dyn FnMut() + '_> {
        let (joints, mut matrices) = (self.joints.clone(), vec![Matrix::IDENTITY; self.joints.len()]);
        Box::new(move || Self::run(implementation, black_box(&joints), &mut matrices))
    }

    fn error(&self, implementation: Implementation) -> f64 {
        let mut matrices = vec![Matrix::IDENTITY; self.joints.len()];
        Self::run(implementation, &self.joints, &mut matrices);
        let expected: Vec<_> = self
            .joints
            .iter()
            .map(|joint| {
                let rotation = to_sinew_convention(implementation, joint.rotation);
                reference::joint_to_matrix(&Joint::new(rotation, joint.translation), Scale::ONE)
            })
            .collect();
        let mut error = MaxError::default();
        error.compare_matrices(&expected, &matrices);
        error.relative()
    }
}

/// `ConvertJointMatsToJointQuats`.
#[derive(Clone, Debug)]
pub struct ToJoints {
    matrices: Vec<Matrix>,
}

impl ToJoints {
    /// The routine on `len` joints.
    #[must_use]
    pub fn new(len: usize) -> Self {
        let joints = workload::joints(len, &mut Random::new(1));
        Self { matrices: joints.iter().map(|joint| Matrix::from_joint(joint, Scale::ONE)).collect() }
    }

    fn run(implementation: Implementation, matrices: &[Matrix], joints: &mut [Joint]) {
        match implementation.kernels() {
            Some(kernels) => kernels.matrices_to_joints(MatricesToJoints { matrices, joints }),
            None if matches!(implementation, Implementation::Plain) => {
                plain::matrices_to_joints(matrices, joints)
            }
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

    fn runner(&self, implementation: Implementation) -> Box<dyn FnMut() + '_> {
        let (matrices, mut joints) = (self.matrices.clone(), self.joints());
        Box::new(move || Self::run(implementation, black_box(&matrices), &mut joints))
    }

    fn error(&self, implementation: Implementation) -> f64 {
        let mut joints = self.joints();
        Self::run(implementation, &self.matrices, &mut joints);
        let mut error = MaxError::default();
        for (matrix, joint) in self.matrices.iter().zip(&joints) {
            let expected = reference::matrix_to_rotation(&algebra::widen(matrix));
            let found = to_sinew_convention(implementation, joint.rotation);
            let sign = algebra::dot(expected, found.map(f64::from)).signum();
            error.compare_all(expected.map(|component| component * sign), found);
            error.compare_all(matrix.translation().map(f64::from), joint.translation);
        }
        error.relative()
    }
}

/// Converts to sinew's quaternions: the papers' are conjugated.
fn to_sinew_convention(implementation: Implementation, [x, y, z, w]: [f32; 4]) -> [f32; 4] {
    if implementation.is_published() { [-x, -y, -z, w] } else { [x, y, z, w] }
}
