//! Joint overrides: transforms that the program sets itself, fully or by a weight.

use sinew_kernels::Matrix;

use crate::animation::blend::check_factor;
use crate::animation::ik::parent_rotation;
use crate::animation::{AnimationError, ModifierContext, PoseModifier};
use crate::length::check_len;
use crate::math::quaternion::{conjugate, multiply, nlerp, to_f32, to_unit_f64};
use crate::skeleton::{JointId, Pose, Skeleton, Transform, check_joint};

/// New values for parts of a joint's local transform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Override {
    /// The joint.
    pub joint: JointId,
    /// Unit quaternion (x, y, z, w); `None` keeps the pose's rotation.
    pub rotation: Option<[f32; 4]>,
    /// `None` keeps the pose's translation.
    pub translation: Option<[f32; 3]>,
    /// `None` keeps the pose's scale.
    pub scale: Option<[f32; 3]>,
    /// From 0, which changes nothing, to 1, which replaces the pose's values.
    pub weight: f32,
}

impl Override {
    /// An override that changes nothing yet.
    #[must_use]
    pub fn new(joint: JointId) -> Self {
        Self { joint, rotation: None, translation: None, scale: None, weight: 1.0 }
    }
}

/// A target rotation of a joint in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelRotation {
    /// The joint.
    pub joint: JointId,
    /// Unit quaternion (x, y, z, w).
    pub rotation: [f32; 4],
    /// From 0, which changes nothing, to 1, which gives the joint this rotation.
    pub weight: f32,
}

impl Pose {
    /// Applies overrides in order. With a weight below one, rotations are interpolated along the
    /// shorter path. Rotations are normalized. All overrides are checked before the first one is
    /// applied.
    ///
    /// # Errors
    ///
    /// When a joint does not exist, a weight is not from 0 to 1, a number is not finite, or a
    /// rotation has length zero.
    pub fn override_joints(&mut self, overrides: &[Override]) -> Result<(), AnimationError> {
        for joint_override in overrides {
            self.validate_override(joint_override)?;
        }
        for joint_override in overrides {
            let transform = self.validate_override(joint_override)?;
            if joint_override.weight > 0.0 {
                self.apply_override(joint_override, &transform);
            }
        }
        Ok(())
    }

    /// Checks an override and returns the transform that it gives at weight one.
    fn validate_override(&self, joint_override: &Override) -> Result<Transform, AnimationError> {
        let joint = check_joint(joint_override.joint, self.len())?;
        check_factor("weight of the override", joint_override.weight)?;
        let identity = Transform::IDENTITY;
        let transform = Transform {
            rotation: joint_override.rotation.unwrap_or(identity.rotation),
            translation: joint_override.translation.unwrap_or(identity.translation),
            scale: joint_override.scale.unwrap_or(identity.scale),
        };
        Ok(transform.validate(joint, "")?)
    }

    fn apply_override(&mut self, joint_override: &Override, to: &Transform) {
        let (joint, weight) = (joint_override.joint, joint_override.weight);
        if joint_override.rotation.is_some() {
            self.set_rotation(joint, nlerp_rotation(self.rotation(joint), to.rotation, weight));
        }
        if joint_override.translation.is_some() {
            self.set_translation(joint, lerp(self.translation(joint), to.translation, weight));
        }
        if joint_override.scale.is_some() {
            self.set_scale(joint, lerp(self.scale(joint), to.scale, weight));
        }
    }
}

impl Skeleton {
    /// Rotates a joint so that it has a given rotation in model space: the product of its own
    /// rotation and those of all its ancestors. The joint's model matrix has this rotation too,
    /// unless scales shear it.
    ///
    /// Recomputes `model_from_joint` from the joint on. Joints before it must already be in model
    /// space.
    ///
    /// # Errors
    ///
    /// When the number of joints in the pose or the number of matrices differs from the skeleton's,
    /// the joint does not exist, the weight is not from 0 to 1, a number is not finite, or the
    /// rotation has length zero.
    pub fn set_model_rotation(
        &self,
        target: &ModelRotation,
        pose: &mut Pose,
        model_from_joint: &mut [Matrix],
    ) -> Result<(), AnimationError> {
        check_len("joints of the pose", self.len(), pose.len())?;
        check_len("model matrices", self.len(), model_from_joint.len())?;
        let rotation_in_model = self.check_model_rotation(target)?;
        target.rotate(rotation_in_model, self, pose);
        if target.weight > 0.0 {
            self.to_model(pose, target.joint.., model_from_joint)?;
        }
        Ok(())
    }

    /// Checks a target rotation and returns it normalized.
    fn check_model_rotation(&self, target: &ModelRotation) -> Result<[f32; 4], AnimationError> {
        let &ModelRotation { joint, rotation, weight } = target;
        let index = check_joint(joint, self.len())?;
        check_factor("weight of the rotation", weight)?;
        let transform = Transform { rotation, ..Transform::IDENTITY };
        Ok(transform.validate(index, self.name(joint))?.rotation)
    }
}

impl ModelRotation {
    /// Rotates the joint to a normalized rotation in model space.
    fn rotate(&self, rotation_in_model: [f32; 4], skeleton: &Skeleton, pose: &mut Pose) {
        let parent = parent_rotation(skeleton, pose, self.joint);
        if self.weight > 0.0 {
            let local = multiply(conjugate(parent), to_unit_f64(rotation_in_model));
            let current = to_unit_f64(pose.rotation(self.joint));
            pose.set_rotation(self.joint, to_f32(nlerp(current, local, f64::from(self.weight))));
        }
    }
}

/// Sets the joint's rotation in model space in each step. With an invalid number, changes nothing.
impl PoseModifier for ModelRotation {
    fn modify(&mut self, context: &mut ModifierContext<'_>) {
        if let Ok(rotation) = context.skeleton().check_model_rotation(self) {
            context.edit_from(self.joint, |skeleton, pose, _| self.rotate(rotation, skeleton, pose));
        }
    }

    fn check(&self, skeleton: &Skeleton) -> Result<(), AnimationError> {
        skeleton.check_model_rotation(self).map(drop)
    }
}

/// Sets components of the joint's local transform in each step. With an invalid number, changes
/// nothing.
impl PoseModifier for Override {
    fn modify(&mut self, context: &mut ModifierContext<'_>) {
        if self.check(context.skeleton()).is_ok() {
            context.edit_from(self.joint, |_, pose, _| pose.override_joints(&[*self]).is_ok());
        }
    }

    fn check(&self, skeleton: &Skeleton) -> Result<(), AnimationError> {
        skeleton.rest().validate_override(self).map(drop)
    }
}

fn nlerp_rotation(from: [f32; 4], to: [f32; 4], weight: f32) -> [f32; 4] {
    // Weight one gives exactly the bits of `to`.
    if weight == 1.0 { to } else { to_f32(nlerp(to_unit_f64(from), to_unit_f64(to), f64::from(weight))) }
}

fn lerp(from: [f32; 3], to: [f32; 3], weight: f32) -> [f32; 3] {
    [0, 1, 2].map(|i| (1.0 - weight) * from[i] + weight * to[i])
}
