//! Between step and skin: joints that the caller moves.

use super::Instance;
use crate::quaternion::{multiply, narrow, unit, wide};
use crate::{Aim, Aimed, Error, Matrix, Pose, Reach, Skeleton, Transform, TwoBone};

/// A joint of an instance, to be moved.
#[derive(Debug)]
pub struct JointMut<'a> {
    pose: &'a mut Pose,
    joint: usize,
}

impl JointMut<'_> {
    /// Where it stands in its parent's space.
    #[must_use]
    pub fn transform(&self) -> Transform {
        self.pose.transform(self.joint)
    }

    /// Puts it elsewhere in its parent's space. The rotation must have length one.
    pub fn set(&mut self, transform: &Transform) -> &mut Self {
        self.pose.set_transform(self.joint, transform);
        self
    }

    /// Turns it further, about its own axes, by a rotation of length one.
    pub fn rotate(&mut self, rotation: [f32; 4]) -> &mut Self {
        let joint = &mut self.pose.joints_mut()[self.joint];
        joint.rotation = narrow(unit(multiply(wide(joint.rotation), wide(rotation))));
        self
    }

    /// Moves it along its parent's axes.
    pub fn translate(&mut self, by: [f32; 3]) -> &mut Self {
        let translation = &mut self.pose.joints_mut()[self.joint].translation;
        *translation = std::array::from_fn(|axis| translation[axis] + by[axis]);
        self
    }
}

impl Instance {
    /// A joint, to be moved: until the next step, which poses all joints anew.
    ///
    /// # Panics
    ///
    /// When there is no such joint.
    pub fn joint_mut(&mut self, joint: usize) -> JointMut<'_> {
        let pose = self.posed.change();
        assert!(joint < pose.len(), "joint {joint} of {}", pose.len());
        self.stale = self.stale.min(joint);
        JointMut { pose, joint }
    }

    /// Its pose, to be changed in any way: until the next step.
    pub fn pose_mut(&mut self) -> &mut Pose {
        self.stale = 0;
        self.posed.change()
    }

    /// Bends a limb so that its end is at a target: until the next step. See [`Skeleton::reach`](crate::Skeleton::reach).
    ///
    /// # Errors
    ///
    /// When a joint is not there or not below the one it should be, or the weight is not from 0 to 1.
    pub fn reach(&mut self, limb: &TwoBone) -> Result<Reach, Error> {
        self.with_matrices(|skeleton, pose, matrices| skeleton.reach(limb, pose, matrices))
    }

    /// Turns a joint so that it points at a target: until the next step. See [`Skeleton::aim`](crate::Skeleton::aim).
    ///
    /// # Errors
    ///
    /// When there is no such joint, the weight is not from 0 to 1, or the limit not from -1 to 1.
    pub fn aim(&mut self, aim: &Aim) -> Result<Aimed, Error> {
        self.with_matrices(|skeleton, pose, matrices| skeleton.aim(aim, pose, matrices))
    }

    /// What changes the pose and brings its matrices up to date itself.
    fn with_matrices<T>(&mut self, change: impl FnOnce(&Skeleton, &mut Pose, &mut [Matrix]) -> T) -> T {
        self.refresh();
        self.skinning.moved.stale = true;
        change(self.model.skeleton(), self.posed.change(), &mut self.model_from_joint)
    }
}
