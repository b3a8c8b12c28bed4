//! Joints that the program sets itself, wholly or in part.

use sinew_kernels::{Matrix, Scale};

use crate::blend::check_factor;
use crate::error::check_len;
use crate::quaternion::{IDENTITY, conjugate, multiply, narrow, nlerp, wide};
use crate::{Error, Pose, Skeleton, Transform};

/// Parts of one joint's transform, in its parent's space, in place of what a pose has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Override {
    /// The joint.
    pub joint: usize,
    /// Unit quaternion (x, y, z, w); `None` leaves the pose's.
    pub rotation: Option<[f32; 4]>,
    /// `None` leaves the pose's.
    pub translation: Option<[f32; 3]>,
    /// `None` leaves the pose's.
    pub scale: Option<[f32; 3]>,
    /// From 0, which changes nothing, to 1, which takes the place of what was there.
    pub weight: f32,
}

impl Override {
    /// Nothing of a joint, to be filled.
    #[must_use]
    pub fn new(joint: usize) -> Self {
        Self { joint, rotation: None, translation: None, scale: None, weight: 1.0 }
    }
}

/// The rotation that a joint should have in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelRotation {
    /// The joint.
    pub joint: usize,
    /// Unit quaternion (x, y, z, w).
    pub rotation: [f32; 4],
    /// From 0, which changes nothing, to 1, which gives the joint this rotation.
    pub weight: f32,
}

impl Pose {
    /// Sets parts of joints, one override after the other. Rotations go the short way where the weight is less than one, and
    /// are brought to length one. All are checked before the first is applied.
    ///
    /// # Errors
    ///
    /// When a joint is not there, a weight is not from 0 to 1, a number is not finite, or a rotation has no length.
    pub fn override_joints(&mut self, overrides: &[Override]) -> Result<(), Error> {
        for part in overrides {
            self.overridden(part)?;
        }
        for part in overrides {
            let transform = self.overridden(part)?;
            if part.weight > 0.0 {
                self.set_override(part, &transform);
            }
        }
        Ok(())
    }

    /// What an override of weight one gives.
    pub(crate) fn overridden(&self, part: &Override) -> Result<Transform, Error> {
        let (joint, len) = (part.joint, self.len());
        if joint >= len {
            return Err(Error::JointOutOfRange { joint, len });
        }
        check_factor("weight of the override", part.weight)?;
        let identity = Transform::IDENTITY;
        Transform {
            rotation: part.rotation.unwrap_or(identity.rotation),
            translation: part.translation.unwrap_or(identity.translation),
            scale: part.scale.unwrap_or(identity.scale),
        }
        .checked(joint, "")
    }

    fn set_override(&mut self, part: &Override, to: &Transform) {
        let (current, weight) = (&mut self.joints[part.joint], part.weight);
        if part.rotation.is_some() {
            current.rotation = rotation_toward(current.rotation, to.rotation, weight);
        }
        if part.translation.is_some() {
            current.translation = toward(current.translation, to.translation, weight);
        }
        if part.scale.is_some() {
            let factors = toward(self.scales[part.joint].factors, to.scale, weight);
            self.scales[part.joint] = Scale::new(factors);
            self.scaled |= factors != [1.0; 3];
        }
    }
}

impl Skeleton {
    /// Turns a joint so that it has a rotation in model space: the product of the rotations of all joints above it and its
    /// own. That is what its model matrix shows, unless scales shear it.
    ///
    /// From the joint on, `model_from_joint` is made again; joints before it must be in model space already.
    ///
    /// # Errors
    ///
    /// When the pose or the matrices are not as many as the joints, there is no such joint, the weight is not from 0 to 1, a
    /// number is not finite, or the rotation has no length.
    pub fn turn_in_model(
        &self,
        turn: &ModelRotation,
        pose: &mut Pose,
        model_from_joint: &mut [Matrix],
    ) -> Result<(), Error> {
        let &ModelRotation { joint, weight, .. } = turn;
        check_len("joints of the pose", self.len(), pose.len())?;
        check_len("model matrices", self.len(), model_from_joint.len())?;
        let asked = wide(self.check_turn(turn)?);
        let (mut parent, mut above) = (IDENTITY, self.parent(joint));
        while let Some(joint) = above {
            parent = multiply(wide(pose.joints[joint].rotation), parent);
            above = self.parent(joint);
        }
        if weight > 0.0 {
            let local = multiply(conjugate(parent), asked);
            let current = &mut pose.joints[joint].rotation;
            *current = narrow(nlerp(wide(*current), local, f64::from(weight)));
            self.to_model(pose, joint.., model_from_joint)?;
        }
        Ok(())
    }

    /// The rotation that is asked for, at length one.
    pub(crate) fn check_turn(&self, turn: &ModelRotation) -> Result<[f32; 4], Error> {
        let &ModelRotation { joint, rotation, weight } = turn;
        if joint >= self.len() {
            return Err(Error::JointOutOfRange { joint, len: self.len() });
        }
        check_factor("weight of the rotation", weight)?;
        let asked = Transform { rotation, ..Transform::IDENTITY };
        Ok(asked.checked(joint, self.name(joint))?.rotation)
    }
}

fn rotation_toward(from: [f32; 4], to: [f32; 4], weight: f32) -> [f32; 4] {
    // All of it, to the bit.
    if weight == 1.0 { to } else { narrow(nlerp(wide(from), wide(to), f64::from(weight))) }
}

fn toward(from: [f32; 3], to: [f32; 3], weight: f32) -> [f32; 3] {
    [0, 1, 2].map(|i| (1.0 - weight) * from[i] + weight * to[i])
}
