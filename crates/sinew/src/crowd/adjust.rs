//! What the program changes between clips and palettes.

use crate::{Aim, Error, Matrix, ModelRotation, Override, Pose, Skeleton, TwoBone};

/// A change to the joints of a member, made after its clips each time it is animated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Adjustment {
    /// Parts of a joint's transform, in its parent's space.
    Override(Override),
    /// A joint's rotation in model space.
    Turn(ModelRotation),
    /// A limb that reaches for a point.
    Reach(TwoBone),
    /// A joint that points at something.
    Aim(Aim),
}

impl Adjustment {
    /// Demands joints of the skeleton, and numbers that make sense.
    pub(super) fn check(&self, skeleton: &Skeleton) -> Result<(), Error> {
        match self {
            Self::Override(part) => skeleton.rest().overridden(part).map(|_| ()),
            Self::Turn(turn) => skeleton.check_turn(turn).map(|_| ()),
            Self::Reach(limb) => skeleton.check_limb(limb),
            Self::Aim(aim) => skeleton.check_aim(aim),
        }
    }

    /// Changes the pose and brings its matrices up to date.
    pub(super) fn apply(
        &self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        model_from_joint: &mut [Matrix],
    ) -> Result<(), Error> {
        match self {
            Self::Override(part) => {
                pose.override_joints(&[*part])?;
                skeleton.to_model(pose, part.joint.., model_from_joint)
            }
            Self::Turn(turn) => skeleton.turn_in_model(turn, pose, model_from_joint),
            Self::Reach(limb) => skeleton.reach(limb, pose, model_from_joint).map(|_| ()),
            Self::Aim(aim) => skeleton.aim(aim, pose, model_from_joint).map(|_| ()),
        }
    }
}
