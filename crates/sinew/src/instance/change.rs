//! Between step and skin: joints that the caller moves.

use super::Instance;
use crate::{Aim, Error, Pose, Reached, Transform, TwoBone};

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
        joint.rotation = crate::quaternion::turned(joint.rotation, rotation);
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
        assert!(joint < self.pose.len(), "joint {joint} of {}", self.pose.len());
        self.stale = self.stale.min(joint);
        JointMut { pose: &mut self.pose, joint }
    }

    /// Its pose, to be changed in any way: until the next step.
    pub fn pose_mut(&mut self) -> &mut Pose {
        self.stale = 0;
        &mut self.pose
    }

    /// Bends a limb so that its end reaches a place.
    ///
    /// # Errors
    ///
    /// When a joint is not there, or they are not above one another.
    pub fn reach(&mut self, limb: &TwoBone) -> Result<Reached, Error> {
        self.refresh();
        let skeleton = self.model.skeleton();
        skeleton.reach(limb, &mut self.pose, &mut self.model_from_joint)
    }

    /// Turns a joint toward a place.
    ///
    /// # Errors
    ///
    /// When the joint is not there.
    pub fn aim(&mut self, aim: &Aim) -> Result<(), Error> {
        self.refresh();
        let skeleton = self.model.skeleton();
        skeleton.aim(aim, &mut self.pose, &mut self.model_from_joint)
    }
}
