//! Edits of joints between step and skin.

use sinew_kernels::Matrix;

use super::Instance;
use crate::animation::{Aim, Aimed, AnimationError, Reach, TwoBone};
use crate::math::quaternion::{multiply, normalize_or_identity, to_f32, to_unit_f64};
use crate::model::Model;
use crate::skeleton::{JointId, Pose, Skeleton, Transform};

/// Mutable access to a joint of an instance.
#[derive(Debug)]
pub struct JointMut<'a> {
    pose: &'a mut Pose,
    joint: JointId,
}

impl JointMut<'_> {
    /// The transform relative to the parent.
    #[must_use]
    pub fn transform(&self) -> Transform {
        self.pose.transform(self.joint)
    }

    /// Sets the transform relative to the parent. The rotation must be a unit quaternion.
    pub fn set_transform(&mut self, transform: &Transform) -> &mut Self {
        self.pose.set_transform(self.joint, transform);
        self
    }

    /// Rotates the joint about its own axes by a unit quaternion.
    pub fn rotate(&mut self, rotation: [f32; 4]) -> &mut Self {
        let current = self.pose.rotation(self.joint);
        self.pose.set_rotation(
            self.joint,
            to_f32(normalize_or_identity(multiply(to_unit_f64(current), to_unit_f64(rotation)))),
        );
        self
    }

    /// Moves the joint along its parent's axes.
    pub fn translate(&mut self, by: [f32; 3]) -> &mut Self {
        let current = self.pose.translation(self.joint);
        self.pose.set_translation(self.joint, std::array::from_fn(|axis| current[axis] + by[axis]));
        self
    }
}

impl Instance {
    /// Mutable access to a joint. The next step overwrites all edits.
    ///
    /// # Panics
    ///
    /// If there is no such joint.
    pub fn joint_mut(&mut self, joint: JointId) -> JointMut<'_> {
        let pose = self.posed.pose_mut();
        assert!(joint.index() < pose.len(), "joint {joint} of {}", pose.len());
        self.matrices.invalidate_from(joint.index());
        JointMut { pose, joint }
    }

    /// Mutable access to the pose. The next step overwrites all edits.
    pub fn pose_mut(&mut self) -> &mut Pose {
        self.matrices.invalidate_from(0);
        self.posed.pose_mut()
    }

    /// The model, and mutable access to the pose.
    pub(in crate::model) fn model_and_pose_mut(&mut self) -> (&Model, &mut Pose) {
        self.matrices.invalidate_from(0);
        (&self.model, self.posed.pose_mut())
    }

    /// Bends a limb by two-bone IK until its end reaches a target. The next step overwrites it. See
    /// [`Skeleton::reach`](crate::Skeleton::reach).
    ///
    /// # Errors
    ///
    /// If a joint does not exist or is not below the one it should be, or the weight is not from 0
    /// to 1.
    pub fn reach(&mut self, limb: &TwoBone) -> Result<Reach, AnimationError> {
        self.with_matrices(|skeleton, pose, matrices| skeleton.reach(limb, pose, matrices))
    }

    /// Rotates a joint until it points at a target. The next step overwrites it. See
    /// [`Skeleton::aim`](crate::Skeleton::aim).
    ///
    /// # Errors
    ///
    /// If there is no such joint, the weight is not from 0 to 1, or the limit is not from -1 to 1.
    pub fn aim(&mut self, aim: &Aim) -> Result<Aimed, AnimationError> {
        self.with_matrices(|skeleton, pose, matrices| skeleton.aim(aim, pose, matrices))
    }

    /// Calls an edit that updates both the pose and its model-space matrices.
    fn with_matrices<T>(&mut self, edit: impl FnOnce(&Skeleton, &mut Pose, &mut [Matrix]) -> T) -> T {
        self.refresh();
        self.skinning.state.stale = true;
        edit(self.model.skeleton(), self.posed.pose_mut(), self.matrices.as_mut_slice())
    }
}
