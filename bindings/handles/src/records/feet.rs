//! Feet on uneven ground.

use sinew::JointId;
use sinew::animation::FootPlacement;

use super::flag;
use crate::Error;

/// A leg whose foot is put on the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Leg {
    /// The hip joint.
    pub hip: u32,
    /// The knee, below the hip.
    pub knee: u32,
    /// The ankle, below the knee.
    pub foot: u32,
    /// 1: the knee bends about `hinge`; 0: in the plane in which it is bent.
    pub has_hinge: u32,
    /// The axis that the knee bends about, in its own space.
    pub hinge: [f32; 3],
}

impl Leg {
    pub(crate) fn to_library(self) -> Result<sinew::animation::Leg, Error> {
        let joints = [self.hip, self.knee, self.foot].map(|joint| JointId::new(joint as usize));
        let hinge = flag("has_hinge", self.has_hinge)?.then_some(self.hinge);
        Ok(sinew::animation::Leg { hinge, ..sinew::animation::Leg::new(joints) })
    }
}

/// How feet are put on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct FeetSettings {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The joint that sinks so that the lower foot reaches the ground, above all legs.
    pub pelvis: u32,
    /// How far above and below the plane of the model ground is searched, in meters.
    pub range: f32,
    /// How fast feet and pelvis follow changes of the ground, in meters per second.
    pub speed: f32,
    /// How much feet tilt to the slope, from 0 to 1.
    pub tilt: f32,
}

impl Default for FeetSettings {
    fn default() -> Self {
        let FootPlacement { range, speed, tilt, .. } =
            FootPlacement::new(JointId::new(0), &[], |_, _, _| None);
        Self { struct_size: size_of::<Self>() as u32, pelvis: 0, range, speed, tilt }
    }
}

/// A point of the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct GroundHit {
    /// The point in world space.
    pub point: [f32; 3],
    /// The direction away from the ground in world space; any length but zero.
    pub normal: [f32; 3],
}
