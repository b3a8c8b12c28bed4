//! Spring bones, chains and events.

use sinew::JointId;
use sinew::animation::{ColliderShape, SpringCollider};

use super::flag;
use crate::Error;

/// A joint of a chain that swings. The names are those of VRMC_springBone 1.0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct SpringJoint {
    /// The joint.
    pub joint: u32,
    /// The radius with which the end of its bone collides, in meters; from zero up.
    pub hit_radius: f32,
    /// How strongly it returns to its rest rotation, in meters per second; from zero up.
    pub stiffness: f32,
    /// The strength of gravity, in meters per second.
    pub gravity_power: f32,
    /// The direction of gravity in world space.
    pub gravity_dir: [f32; 3],
    /// The part of the motion that is lost in each step, from 0 to 1.
    pub drag_force: f32,
}

impl SpringJoint {
    pub(crate) fn to_library(self) -> sinew::animation::SpringJoint {
        let Self { joint, hit_radius, stiffness, gravity_power, gravity_dir, drag_force } = self;
        let joint = JointId::new(joint as usize);
        sinew::animation::SpringJoint { joint, hit_radius, stiffness, gravity_power, gravity_dir, drag_force }
    }
}

/// A shape that springs collide with. Points and directions are in the space of its joint.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ColliderSettings {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The joint that it moves with.
    pub joint: u32,
    /// 0: a sphere. 1: a capsule. 2: a plane.
    pub shape: u32,
    /// 1: a sphere or a capsule keeps springs inside.
    pub inside: u32,
    /// The center of a sphere, an end of a capsule, or a point on a plane.
    pub offset: [f32; 3],
    /// The other end of a capsule, or the normal of a plane.
    pub tail: [f32; 3],
    /// The radius of a sphere or a capsule, in meters.
    pub radius: f32,
}

impl Default for ColliderSettings {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            joint: 0,
            shape: 0,
            inside: 0,
            offset: [0.0; 3],
            tail: [0.0; 3],
            radius: 0.0,
        }
    }
}

impl ColliderSettings {
    pub(crate) fn to_library(self) -> Result<SpringCollider, Error> {
        let Self { joint, shape, offset, tail, radius, .. } = self;
        let inside = flag("inside", self.inside)?;
        let shape = match shape {
            0 => ColliderShape::Sphere { offset, radius, inside },
            1 => ColliderShape::Capsule { offset, tail, radius, inside },
            2 => ColliderShape::Plane { offset, normal: tail },
            found => return Err(Error::invalid("shape of a collider", "0 to 2", found)),
        };
        Ok(SpringCollider { joint: JointId::new(joint as usize), shape })
    }
}

/// How a chain of joints reaches a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ChainSettings {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The most iterations of a step, at most 1000.
    pub iterations: u32,
    /// The target of the last joint, in model space.
    pub target: [f32; 3],
    /// From 0, no change, to 1.
    pub weight: f32,
}

impl Default for ChainSettings {
    fn default() -> Self {
        Self { struct_size: size_of::<Self>() as u32, iterations: 10, target: [0.0; 3], weight: 1.0 }
    }
}

/// An event of a clip that fired in the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Event {
    /// The clip.
    pub clip: u32,
    /// The event, among those of the clip in the order of their times.
    pub event: u32,
    /// How often the step passed it.
    pub passes: u64,
    /// Its time in the clip.
    pub seconds: f32,
    /// The weight of its clip.
    pub weight: f32,
    /// 1 if the clip was playing in reverse.
    pub reverse: u32,
    /// Zero.
    pub reserved: u32,
}
