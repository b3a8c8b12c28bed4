//! Pose modifiers.

use sinew::animation::{AimUp, Attachment, ModelRotation, Override, Pole, TwoBone};
use sinew::{Aim, JointId};

use super::{Transform, flag};
use crate::Error;

/// How a joint is aimed at a point. Points and directions are in model space, except `forward`,
/// `offset` and `up_axis`, which are in the joint's own space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct AimSettings {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The joint.
    pub joint: u32,
    /// The axis that points at the target.
    pub forward: [f32; 3],
    /// Where that axis begins.
    pub offset: [f32; 3],
    /// The target.
    pub target: [f32; 3],
    /// 1 to turn `up_axis` toward `up_toward`.
    pub has_up: u32,
    /// The axis that points up.
    pub up_axis: [f32; 3],
    /// Where that axis points, as far as it can.
    pub up_toward: [f32; 3],
    /// The cosine of the largest angle from the joint's rotation before.
    pub limit: f32,
    /// From 0, no change, to 1.
    pub weight: f32,
}

impl Default for AimSettings {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            joint: 0,
            forward: [0.0, 0.0, 1.0],
            offset: [0.0; 3],
            target: [0.0; 3],
            has_up: 0,
            up_axis: [0.0, 1.0, 0.0],
            up_toward: [0.0, 1.0, 0.0],
            limit: -1.0,
            weight: 1.0,
        }
    }
}

impl AimSettings {
    pub(crate) fn to_library(self) -> Result<Aim, Error> {
        let joint = JointId::new(self.joint as usize);
        let up = AimUp { axis: self.up_axis, toward: self.up_toward };
        Ok(Aim {
            offset: self.offset,
            up: flag("has_up", self.has_up)?.then_some(up),
            limit: self.limit,
            weight: self.weight,
            ..Aim::new(joint, self.forward, self.target)
        })
    }
}

/// How a limb of two bones reaches a point, in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ReachSettings {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The joint at the start, such as the upper arm.
    pub start: u32,
    /// The joint that bends, such as the forearm.
    pub middle: u32,
    /// The joint that reaches, such as the hand.
    pub end: u32,
    /// The target.
    pub target: [f32; 3],
    /// 0: the limb bends in its own plane. 1: toward the point `pole`. 2: along the direction
    /// `pole`.
    pub pole_mode: u32,
    /// A point or a direction.
    pub pole: [f32; 3],
    /// 1 to bend about the axis `hinge` of the middle joint only.
    pub has_hinge: u32,
    /// The axis of a hinge.
    pub hinge: [f32; 3],
    /// From 0, no change, to 1.
    pub weight: f32,
}

impl Default for ReachSettings {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            start: 0,
            middle: 0,
            end: 0,
            target: [0.0; 3],
            pole_mode: 0,
            pole: [0.0; 3],
            has_hinge: 0,
            hinge: [0.0; 3],
            weight: 1.0,
        }
    }
}

impl ReachSettings {
    pub(crate) fn to_library(self) -> Result<TwoBone, Error> {
        let pole = match self.pole_mode {
            0 => Pole::Free,
            1 => Pole::Point(self.pole),
            2 => Pole::Direction(self.pole),
            found => return Err(Error::invalid("pole mode", "0 to 2", found)),
        };
        let joints = [self.start, self.middle, self.end].map(|joint| JointId::new(joint as usize));
        let hinge = flag("has_hinge", self.has_hinge)?.then_some(self.hinge);
        Ok(TwoBone { pole, hinge, weight: self.weight, ..TwoBone::new(joints, self.target) })
    }
}

/// New values for parts of a joint's transform relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct OverrideSettings {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The joint.
    pub joint: u32,
    /// 1 to set the rotation.
    pub has_rotation: u32,
    /// 1 to set the translation.
    pub has_translation: u32,
    /// 1 to set the scale.
    pub has_scale: u32,
    /// The values.
    pub transform: Transform,
    /// From 0, no change, to 1.
    pub weight: f32,
}

impl Default for OverrideSettings {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            joint: 0,
            has_rotation: 0,
            has_translation: 0,
            has_scale: 0,
            transform: Transform::IDENTITY,
            weight: 1.0,
        }
    }
}

impl OverrideSettings {
    pub(crate) fn to_library(self) -> Result<Override, Error> {
        let Transform { rotation, translation, scale } = self.transform;
        Ok(Override {
            rotation: flag("has_rotation", self.has_rotation)?.then_some(rotation),
            translation: flag("has_translation", self.has_translation)?.then_some(translation),
            scale: flag("has_scale", self.has_scale)?.then_some(scale),
            weight: self.weight,
            ..Override::new(JointId::new(self.joint as usize))
        })
    }
}

/// A rotation of a joint in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct TurnSettings {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The joint.
    pub joint: u32,
    /// Unit quaternion (x, y, z, w).
    pub rotation: [f32; 4],
    /// From 0, no change, to 1.
    pub weight: f32,
}

impl Default for TurnSettings {
    fn default() -> Self {
        let rotation = Transform::IDENTITY.rotation;
        Self { struct_size: size_of::<Self>() as u32, joint: 0, rotation, weight: 1.0 }
    }
}

impl TurnSettings {
    pub(crate) fn to_library(self) -> ModelRotation {
        let Self { joint, rotation, weight, .. } = self;
        ModelRotation { joint: JointId::new(joint as usize), rotation, weight }
    }
}

/// A joint that follows another one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct AttachmentSettings {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The joint that follows.
    pub joint: u32,
    /// The joint that it follows: neither the joint itself nor one below it.
    pub to: u32,
    /// Where the joint is in the space of the other one.
    pub offset: Transform,
    /// From 0, no change, to 1.
    pub weight: f32,
}

impl Default for AttachmentSettings {
    fn default() -> Self {
        let offset = Transform::IDENTITY;
        Self { struct_size: size_of::<Self>() as u32, joint: 0, to: 0, offset, weight: 1.0 }
    }
}

impl AttachmentSettings {
    pub(crate) fn to_library(self) -> Attachment {
        let [joint, to] = [self.joint, self.to].map(|joint| JointId::new(joint as usize));
        Attachment { weight: self.weight, ..Attachment::new(joint, to, self.offset.into()) }
    }
}
