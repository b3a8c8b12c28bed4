//! What a pose modifier reads and changes.

use std::ops::RangeBounds;

use sinew_kernels::Matrix;

use super::SpringScratch;
use crate::skeleton::{JointId, ModelMatrices, Pose, Skeleton, SkeletonError, Transform, resolve_range};

/// What a [`PoseModifier`](super::PoseModifier) reads and changes: the pose, its model matrices,
/// and the time of the step.
///
/// Model matrices are computed when they are asked for, up to the last joint that is asked for. A
/// change of a joint makes its matrix and those after it stale.
#[derive(Debug)]
pub struct ModifierContext<'a> {
    pub(super) skeleton: &'a Skeleton,
    pub(super) pose: &'a mut Pose,
    pub(super) matrices: &'a mut ModelMatrices,
    pub(super) seconds: f32,
    pub(super) world_from_model: &'a Matrix,
    pub(super) scratch: &'a mut SpringScratch,
}

impl<'a> ModifierContext<'a> {
    /// A context of a pose and matrices that were built for the skeleton. Seconds that are
    /// negative, infinite or NaN count as zero: modifiers do not run backwards.
    pub(crate) fn new(
        skeleton: &'a Skeleton,
        pose: &'a mut Pose,
        matrices: &'a mut ModelMatrices,
        seconds: f64,
        world_from_model: &'a Matrix,
        scratch: &'a mut SpringScratch,
    ) -> Self {
        let seconds = if seconds.is_finite() { seconds.max(0.0) as f32 } else { 0.0 };
        Self { skeleton, pose, matrices, seconds, world_from_model, scratch }
    }

    /// The time of this step, from zero up. A member of a crowd that is not updated in every step
    /// gets the time since its last update.
    #[must_use]
    pub fn seconds(&self) -> f32 {
        self.seconds
    }

    /// The skeleton.
    #[must_use]
    pub fn skeleton(&self) -> &'a Skeleton {
        self.skeleton
    }

    /// The matrix from model space to world space, which the program sets. See
    /// [`Instance::set_world`](crate::Instance::set_world).
    #[must_use]
    pub fn world_from_model(&self) -> &'a Matrix {
        self.world_from_model
    }

    /// The joints relative to their parents.
    #[must_use]
    pub fn pose(&self) -> &Pose {
        self.pose
    }

    /// Mutable access to the pose. Makes all model matrices stale; to change a few joints, the
    /// setters below are cheaper.
    pub fn pose_mut(&mut self) -> &mut Pose {
        self.matrices.invalidate_from(0);
        self.pose
    }

    /// Sets a joint's rotation relative to its parent, which must be a unit quaternion.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    pub fn set_rotation(&mut self, joint: JointId, rotation: [f32; 4]) {
        self.pose.set_rotation(joint, rotation);
        self.matrices.invalidate_from(joint.index());
    }

    /// Sets a joint's translation relative to its parent.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    pub fn set_translation(&mut self, joint: JointId, translation: [f32; 3]) {
        self.pose.set_translation(joint, translation);
        self.matrices.invalidate_from(joint.index());
    }

    /// Sets a joint's transform relative to its parent. The rotation must be a unit quaternion.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    pub fn set_transform(&mut self, joint: JointId, transform: &Transform) {
        self.pose.set_transform(joint, transform);
        self.matrices.invalidate_from(joint.index());
    }

    /// Mutable access to the weights of the morph targets.
    pub fn morph_weights_mut(&mut self) -> &mut [f32] {
        self.pose.morph_weights_mut()
    }

    /// The model matrix of a joint, computed if it is stale, with those before it.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    pub fn model_from_joint(&mut self, joint: JointId) -> &Matrix {
        &self.matrices.through(joint, self.skeleton, self.pose)[joint.index()]
    }

    /// The model matrices of a range of joints. Computes those that are stale up to the end of the
    /// range.
    ///
    /// # Errors
    ///
    /// When the range is out of bounds.
    pub fn model_matrices(&mut self, range: impl RangeBounds<JointId>) -> Result<&[Matrix], SkeletonError> {
        let range = resolve_range(range, self.skeleton.len())?;
        if let Some(last) = range.end.checked_sub(1) {
            self.matrices.through(JointId::new(last), self.skeleton, self.pose);
        }
        Ok(&self.matrices.as_slice()[range])
    }

    /// Calls an edit of joints from `joint` on, with the model matrices up to `joint`.
    pub(crate) fn edit_from<T>(
        &mut self,
        joint: JointId,
        edit: impl FnOnce(&Skeleton, &mut Pose, &[Matrix]) -> T,
    ) -> T {
        let matrices = self.matrices.through(joint, self.skeleton, self.pose);
        let result = edit(self.skeleton, self.pose, matrices);
        self.matrices.invalidate_from(joint.index());
        result
    }
}
