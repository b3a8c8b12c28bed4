//! How things are skinned and played.

use sinew::animation::{Repeat, RootParts, RootRotation};
use sinew::mesh::Attributes;
use sinew::skinning::{DirectionLength, NormalTransform, SkinMethod};
use sinew::{FloatMode, InstanceOptions};

use crate::Error;

/// How an instance, a crowd's members or a skinned mesh are skinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct SkinSettings {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The attributes that are kept: 0 all; 1 positions; 2 and normals; 3 and tangents; 4 and
    /// bitangents. Skinning into a layout skins what the layout names.
    pub attributes: u32,
    /// 0: normals and tangents have the length that blending leaves. 1: they are renormalized.
    pub unit_directions: u32,
    /// 0: normals by the blended matrix. 1: by its cofactors, for nonuniform scale.
    pub cofactor_normals: u32,
    /// 0: linear blending. 1: dual quaternions.
    pub dual_quaternions: u32,
    /// The most influences per vertex, a level that the model was built with; 0 for all.
    pub max_influences: u32,
}

impl Default for SkinSettings {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            attributes: 0,
            unit_directions: 0,
            cofactor_normals: 0,
            dual_quaternions: 0,
            max_influences: 0,
        }
    }
}

impl SkinSettings {
    pub(crate) fn to_library(self) -> Result<InstanceOptions, Error> {
        let attributes = match self.attributes {
            1 => Attributes::Positions,
            2 => Attributes::Normals,
            0 | 3 => Attributes::Tangents,
            4 => Attributes::Bitangents,
            found => return Err(Error::invalid("attributes to skin", "0 to 4", found)),
        };
        let options = InstanceOptions::default()
            .with_attributes(attributes)
            .with_directions(self.directions()?)
            .with_normals(self.normals()?);
        let options = match flag("dual quaternions", self.dual_quaternions)? {
            true => options.with_skin_method(SkinMethod::DualQuaternion),
            false => options,
        };
        Ok(match self.max_influences {
            0 => options,
            most => options.with_max_influences(most as usize),
        })
    }

    pub(crate) fn directions(self) -> Result<DirectionLength, Error> {
        Ok(match flag("unit directions", self.unit_directions)? {
            true => DirectionLength::Unit,
            false => DirectionLength::AsBlended,
        })
    }

    pub(crate) fn normals(self) -> Result<NormalTransform, Error> {
        Ok(match flag("cofactor normals", self.cofactor_normals)? {
            true => NormalTransform::Cofactor,
            false => NormalTransform::BlendedMatrix,
        })
    }
}

/// A number that must be 0 or 1.
pub(crate) fn flag(what: &str, found: u32) -> Result<bool, Error> {
    match found {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Error::invalid(what, "0 or 1", found)),
    }
}

/// The float mode of a number: 0 fast, 1 reproducible.
pub(crate) fn float_mode(found: u32) -> Result<FloatMode, Error> {
    Ok(match flag("reproducible", found)? {
        true => FloatMode::Reproducible,
        false => FloatMode::Fast,
    })
}

/// How a clip is started.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct PlaySettings {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// 0: all other clips stop. 1: they fade out while this one fades in. 2: it is blended with
    /// them. 3: it is added to them, as the difference from its first frame. 4: it takes their
    /// place at once, and what is left of their motion decays, so that no joint jumps.
    pub mode: u32,
    /// Seconds of the fade in mode 1, of the decay in mode 4.
    pub fade_seconds: f32,
    /// Times the clip's own speed; may be negative.
    pub speed: f32,
    /// The weight in blends.
    pub weight: f32,
    /// 0: the clip loops. 1: it stops at its end.
    pub clamp: u32,
    /// The time at which the clip starts.
    pub seconds: f64,
}

impl Default for PlaySettings {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            mode: 0,
            fade_seconds: 0.0,
            speed: 1.0,
            weight: 1.0,
            clamp: 0,
            seconds: 0.0,
        }
    }
}

impl PlaySettings {
    pub(crate) fn repeat(self) -> Result<Repeat, Error> {
        repeat(self.clamp)
    }
}

pub(crate) fn repeat(clamp: u32) -> Result<Repeat, Error> {
    Ok(if flag("clamp", clamp)? { Repeat::Clamp } else { Repeat::Loop })
}

/// Which parts of a root's motion are taken out of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct RootMotionSettings {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// 1 to take out the motion along x.
    pub x: u32,
    /// 1 to take out the motion along y.
    pub y: u32,
    /// 1 to take out the motion along z.
    pub z: u32,
    /// 0: no rotation. 1: the rotation about the axis. 2: all of it.
    pub rotation: u32,
    /// The axis of rotation.
    pub axis: [f32; 3],
}

impl Default for RootMotionSettings {
    /// Along the ground: x, z and the rotation about y.
    fn default() -> Self {
        Self { struct_size: size_of::<Self>() as u32, x: 1, y: 0, z: 1, rotation: 1, axis: [0.0, 1.0, 0.0] }
    }
}

impl RootMotionSettings {
    pub(crate) fn to_library(self) -> Result<RootParts, Error> {
        let rotation = match self.rotation {
            0 => RootRotation::None,
            1 => RootRotation::About(self.axis),
            2 => RootRotation::All,
            found => return Err(Error::invalid("rotation of the root motion", "0 to 2", found)),
        };
        Ok(RootParts {
            x: flag("x of the root motion", self.x)?,
            y: flag("y of the root motion", self.y)?,
            z: flag("z of the root motion", self.z)?,
            rotation,
        })
    }
}
