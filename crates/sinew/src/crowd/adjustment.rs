//! Procedural changes to poses, between clips and palettes.

use sinew_kernels::Matrix;

use crate::animation::{Aim, AnimationError, ModelRotation, Override, TwoBone};
use crate::skeleton::{Pose, Skeleton};

/// A change to the pose of a member, applied after its clips each time it is animated.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Adjustment {
    /// Sets components of a joint's transform relative to its parent.
    Override(Override),
    /// Sets a joint's rotation in model space.
    Turn(ModelRotation),
    /// Bends a limb by two-bone IK to reach a point.
    Reach(TwoBone),
    /// Rotates a joint to point at a target.
    Aim(Aim),
}

impl Adjustment {
    /// Checks that the joints exist and that all numbers are valid.
    pub(super) fn check(&self, skeleton: &Skeleton) -> Result<(), AnimationError> {
        match self {
            Self::Override(part) => skeleton.rest().validate_override(part).map(|_| ()),
            Self::Turn(turn) => skeleton.check_model_rotation(turn).map(|_| ()),
            Self::Reach(limb) => skeleton.check_limb(limb),
            Self::Aim(aim) => skeleton.check_aim(aim),
        }
    }

    /// Changes the pose and updates its model-space matrices.
    pub(super) fn apply(
        &self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        model_from_joint: &mut [Matrix],
    ) -> Result<(), AnimationError> {
        match self {
            Self::Override(part) => {
                pose.override_joints(&[*part])?;
                Ok(skeleton.to_model(pose, part.joint.., model_from_joint)?)
            }
            Self::Turn(turn) => skeleton.set_model_rotation(turn, pose, model_from_joint),
            Self::Reach(limb) => skeleton.reach(limb, pose, model_from_joint).map(|_| ()),
            Self::Aim(aim) => skeleton.aim(aim, pose, model_from_joint).map(|_| ()),
        }
    }
}
