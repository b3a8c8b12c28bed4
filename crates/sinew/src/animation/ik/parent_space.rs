//! The parent space of a joint, in which its rotation is a pure rotation whatever the scale and
//! shear of its ancestors.

use sinew_kernels::Matrix;

use crate::animation::AnimationError;
use crate::length::check_len;
use crate::math::linear::{inverse, linear_part};
use crate::math::quaternion::{
    IDENTITY, Quaternion, multiply, nlerp, rotate, rotation_about, to_f32, to_unit_f64,
};
use crate::math::vector::{self, Vector, perpendicular_part};
use crate::skeleton::{JointId, Pose, Skeleton, check_joint};
use glam::DMat3;

/// The transform from model space to the parent space of a joint, with the joint at the origin.
pub(super) struct ParentSpace {
    /// The joint's position in model space.
    origin: Vector,
    parent_from_model: DMat3,
}

impl ParentSpace {
    /// `None` if the parent's matrix is singular or a number is not finite.
    pub(super) fn new(skeleton: &Skeleton, joint: JointId, model_from_joint: &[Matrix]) -> Option<Self> {
        let origin = vector::to_f64(model_from_joint[joint.index()].translation());
        let parent = skeleton.parent(joint).map(|parent| linear_part(&model_from_joint[parent.index()]));
        let parent_from_model = inverse(&parent.unwrap_or(DMat3::IDENTITY))?;
        origin.is_finite().then_some(Self { origin, parent_from_model })
    }

    /// Transforms a point. The result is relative to the joint.
    pub(super) fn point(&self, in_model: [f32; 3]) -> Vector {
        self.parent_from_model.mul_vec3(vector::to_f64(in_model) - self.origin)
    }

    /// Transforms a direction as a vector between two points.
    pub(super) fn direction(&self, in_model: [f32; 3]) -> Vector {
        self.parent_from_model.mul_vec3(vector::to_f64(in_model))
    }
}

/// Transforms a point from a joint's space to its parent's space.
pub(super) fn point_to_parent(pose: &Pose, joint: JointId, point: Vector) -> Vector {
    vector::to_f64(pose.translation(joint)) + vector_to_parent(pose, joint, point)
}

/// Transforms a vector from a joint's space to its parent's space.
pub(super) fn vector_to_parent(pose: &Pose, joint: JointId, v: Vector) -> Vector {
    rotate(to_unit_f64(pose.rotation(joint)), v * vector::to_f64(pose.scale(joint)))
}

/// The model rotation of a joint's parent: the product of the rotations of all joints above.
pub(crate) fn parent_rotation(skeleton: &Skeleton, pose: &Pose, joint: JointId) -> Quaternion {
    let (mut rotation, mut above) = (IDENTITY, skeleton.parent(joint));
    while let Some(joint) = above {
        rotation = multiply(to_unit_f64(pose.rotation(joint)), rotation);
        above = skeleton.parent(joint);
    }
    rotation
}

/// Checks in constant time that the pose and the matrices match the skeleton and that the joint
/// exists.
pub(super) fn check_inputs(
    skeleton: &Skeleton,
    joint: JointId,
    pose: &Pose,
    model_from_joint: &[Matrix],
) -> Result<(), AnimationError> {
    let len = skeleton.len();
    check_len("joints of the pose", len, pose.len())?;
    check_len("model matrices", len, model_from_joint.len())?;
    check_joint(joint, len)?;
    Ok(())
}

/// Interpolates a joint's rotation toward another by a weight.
pub(super) fn blend_rotation(pose: &mut Pose, joint: JointId, rotation: Quaternion, weight: f32) {
    let current = to_unit_f64(pose.rotation(joint));
    pose.set_rotation(joint, to_f32(nlerp(current, rotation, f64::from(weight))));
}

/// The rotation about a unit axis that takes the perpendicular part of `from` to that of `to`.
/// `None` if one of them is parallel to the axis.
pub(super) fn twist_arc(from: Vector, to: Vector, axis: Vector) -> Option<Quaternion> {
    let (from, to) = (perpendicular_part(from, axis, 1e-6)?, perpendicular_part(to, axis, 1e-6)?);
    Some(rotation_about(axis, from.dot(to), from.cross(to).dot(axis)))
}
