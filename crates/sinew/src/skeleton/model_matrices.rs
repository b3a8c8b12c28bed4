//! The model matrices of a pose, computed on demand.

use sinew_kernels::Matrix;

use crate::skeleton::{JointId, Pose, Skeleton};

/// One model matrix for each joint, and how many of them, from the first on, are those of the pose.
#[derive(Clone, Debug)]
pub(crate) struct ModelMatrices {
    matrices: Vec<Matrix>,
    /// The first joint whose matrix is older than the pose.
    stale: usize,
}

impl ModelMatrices {
    /// Matrices of which none is computed yet.
    pub(crate) fn new(skeleton: &Skeleton) -> Self {
        Self { matrices: skeleton.identity_matrices(), stale: 0 }
    }

    /// Says that the transform of a joint, and of any joint after it, may have changed.
    pub(crate) fn invalidate_from(&mut self, joint: usize) {
        self.stale = self.stale.min(joint);
    }

    /// Whether all matrices are those of the pose.
    pub(crate) fn is_current(&self) -> bool {
        self.stale == self.matrices.len()
    }

    /// All matrices, computed up to a joint, which must exist.
    pub(crate) fn through(&mut self, joint: JointId, skeleton: &Skeleton, pose: &Pose) -> &mut [Matrix] {
        if self.stale <= joint.index() {
            skeleton
                .to_model(pose, JointId::new(self.stale)..=joint, &mut self.matrices)
                .expect("pose and matrices were built for the skeleton, which has the joint");
            self.stale = joint.index() + 1;
        }
        &mut self.matrices
    }

    /// All matrices of the pose.
    pub(crate) fn all(&mut self, skeleton: &Skeleton, pose: &Pose) -> &mut [Matrix] {
        self.through(JointId::new(skeleton.len() - 1), skeleton, pose)
    }

    /// All matrices, those of stale joints included.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [Matrix] {
        &mut self.matrices
    }

    /// All matrices, those of stale joints included.
    pub(crate) fn as_slice(&self) -> &[Matrix] {
        &self.matrices
    }
}
