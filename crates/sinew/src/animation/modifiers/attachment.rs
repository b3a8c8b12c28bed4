//! Attachments: a joint that follows another joint of the skeleton.

use sinew_kernels::Matrix;

use super::{ModifierContext, PoseModifier};
use crate::animation::AnimationError;
use crate::animation::blend::check_factor;
use crate::math::quaternion::{nlerp, to_f32, to_unit_f64};
use crate::skeleton::{JointId, Skeleton, Transform, check_joint};

/// A joint that follows another one as if it were its child: a sword that changes from the belt to
/// the hand, a hand that holds a door handle.
///
/// The joint takes rotation, translation and scale of the other joint times `offset`. Shear, which
/// joints cannot represent, is dropped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// The joint that follows.
    pub joint: JointId,
    /// The joint that it follows. Must be neither the joint itself nor below it.
    pub to: JointId,
    /// Where the joint is in the space of the joint that it follows.
    pub offset: Transform,
    /// From 0, which changes nothing, to 1, which follows.
    pub weight: f32,
}

impl Attachment {
    /// A joint that follows another one with full weight.
    #[must_use]
    pub fn new(joint: JointId, to: JointId, offset: Transform) -> Self {
        Self { joint, to, offset, weight: 1.0 }
    }

    /// The transform relative to the joint's parent; `None` if a matrix is singular or not finite.
    fn solve(&self, skeleton: &Skeleton, model_from_joint: &[Matrix]) -> Option<Transform> {
        let model = model_from_joint[self.to.index()] * self.offset.matrix();
        let local = match skeleton.parent(self.joint) {
            Some(parent) => model_from_joint[parent.index()].inverse()? * model,
            None => model,
        };
        let solved = Transform::decompose(&local, skeleton.runtime());
        // Normalizes the rotation.
        solved.validate(self.joint.index(), "").ok()
    }
}

impl PoseModifier for Attachment {
    fn modify(&mut self, context: &mut ModifierContext<'_>) {
        if self.check(context.skeleton()).is_err() || self.weight == 0.0 {
            return;
        }
        let last = self.joint.max(self.to);
        let matrices = context.matrices.through(last, context.skeleton, context.pose);
        let Some(mut to) = self.solve(context.skeleton, matrices) else { return };
        if self.weight < 1.0 {
            let from = context.pose().transform(self.joint);
            let [a, b] = [from.rotation, to.rotation].map(to_unit_f64);
            to.rotation = to_f32(nlerp(a, b, f64::from(self.weight)));
            let between = |from: [f32; 3], to: [f32; 3]| {
                std::array::from_fn(|axis| from[axis] + self.weight * (to[axis] - from[axis]))
            };
            to.translation = between(from.translation, to.translation);
            to.scale = between(from.scale, to.scale);
        }
        context.set_transform(self.joint, &to);
    }

    fn check(&self, skeleton: &Skeleton) -> Result<(), AnimationError> {
        let joint = check_joint(self.joint, skeleton.len())?;
        check_joint(self.to, skeleton.len())?;
        check_factor("weight of the attachment", self.weight)?;
        self.offset.validate(joint, skeleton.name(self.joint))?;
        let mut ancestor = Some(self.to);
        while let Some(found) = ancestor.filter(|&found| found >= self.joint) {
            if found == self.joint {
                return Err(AnimationError::AttachedToItself { joint: skeleton.joint_name(self.joint) });
            }
            ancestor = skeleton.parent(found);
        }
        Ok(())
    }
}
