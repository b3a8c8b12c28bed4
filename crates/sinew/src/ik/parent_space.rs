//! The space in which a joint's rotation is a rotation: its parent's, whatever scale and shear are above it.

use sinew_kernels::Matrix;

use crate::error::check_len;
use crate::linear::Linear;
use crate::quaternion::{Quaternion, narrow, nlerp, rotate, turn, wide};
use crate::vector::{self, Vector, add, cross, dot, stretch, sub, unit_beside};
use crate::{Error, Pose, Skeleton};

/// From model space to the parent of a joint, with the joint as origin.
pub(super) struct ParentSpace {
    /// Where the joint is in model space.
    origin: Vector,
    parent_from_model: Linear,
}

impl ParentSpace {
    /// `None` where the parent's matrix has no inverse or a number is not finite.
    pub(super) fn new(skeleton: &Skeleton, joint: usize, model_from_joint: &[Matrix]) -> Option<Self> {
        let origin = vector::wide(model_from_joint[joint].translation());
        let parent = skeleton.parent(joint).map(|parent| Linear::of(&model_from_joint[parent]));
        let parent_from_model = parent.unwrap_or(Linear::IDENTITY).inverse()?;
        origin.iter().all(|element| element.is_finite()).then_some(Self { origin, parent_from_model })
    }

    /// A point, relative to the joint.
    pub(super) fn point(&self, in_model: [f32; 3]) -> Vector {
        self.parent_from_model.apply(sub(vector::wide(in_model), self.origin))
    }

    /// A direction: what pointed to a far point still does.
    pub(super) fn direction(&self, in_model: [f32; 3]) -> Vector {
        self.parent_from_model.apply(vector::wide(in_model))
    }
}

/// A point of a joint's space in its parent's.
pub(super) fn point_to_parent(pose: &Pose, joint: usize, point: Vector) -> Vector {
    add(vector::wide(pose.joints[joint].translation), vector_to_parent(pose, joint, point))
}

/// A vector of a joint's space in its parent's.
pub(super) fn vector_to_parent(pose: &Pose, joint: usize, v: Vector) -> Vector {
    rotate(wide(pose.joints[joint].rotation), stretch(v, vector::wide(pose.scales[joint].factors)))
}

/// Checks of constant cost that a skeleton, a pose and matrices belong together and have the joint.
pub(super) fn check(
    skeleton: &Skeleton,
    joint: usize,
    pose: &Pose,
    model_from_joint: &[Matrix],
) -> Result<(), Error> {
    let len = skeleton.len();
    check_len("joints of the pose", len, pose.len())?;
    check_len("model matrices", len, model_from_joint.len())?;
    if joint < len { Ok(()) } else { Err(Error::JointOutOfRange { joint, len }) }
}

/// Part of the way from the rotation that is there to another.
pub(super) fn turn_toward(pose: &mut Pose, joint: usize, rotation: Quaternion, weight: f32) {
    let current = &mut pose.joints[joint].rotation;
    *current = narrow(nlerp(wide(*current), rotation, f64::from(weight)));
}

/// The turn about an axis that takes one vector to the side of it to another; `None` where one has no side.
pub(super) fn twist_between(from: Vector, to: Vector, axis: Vector) -> Option<Quaternion> {
    let (from, to) = (unit_beside(from, axis, 1e-6)?, unit_beside(to, axis, 1e-6)?);
    Some(turn(axis, dot(from, to), dot(cross(from, to), axis)))
}
