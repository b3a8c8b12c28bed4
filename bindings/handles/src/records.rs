//! Plain records that cross the border by value: C's structs, and views of JavaScript's memory.
//! They hold numbers only, so that any bytes are a valid record, and every function checks them.

use sinew::animation::{AimUp, Repeat, RootParts, RootRotation};
use sinew::mesh::Attributes;
use sinew::query::Faces;
use sinew::skinning::{
    DirectionLength, FourthComponent, NormalTransform, SkinMethod, VertexAttribute, VertexFormat,
    VertexLayout,
};
use sinew::{Aabb, FloatMode, InstanceOptions};

use crate::Error;

/// Stands for "none" where an index is expected.
pub const NONE: u32 = u32::MAX;

/// A transform relative to a parent: scale first, then rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Transform {
    /// Unit quaternion (x, y, z, w).
    pub rotation: [f32; 4],
    /// Meters along the parent's axes.
    pub translation: [f32; 3],
    /// Factors along the joint's own axes.
    pub scale: [f32; 3],
}

impl Transform {
    /// The identity.
    pub const IDENTITY: Self =
        Self { rotation: [0.0, 0.0, 0.0, 1.0], translation: [0.0; 3], scale: [1.0; 3] };
}

impl From<Transform> for sinew::Transform {
    fn from(Transform { rotation, translation, scale }: Transform) -> Self {
        Self { rotation, translation, scale }
    }
}

impl From<sinew::Transform> for Transform {
    fn from(sinew::Transform { rotation, translation, scale }: sinew::Transform) -> Self {
        Self { rotation, translation, scale }
    }
}

/// A matrix: 3 rows of 4 columns, row by row; column vectors, the translation in the last column.
pub type Matrix3x4 = [f32; 12];

/// An axis-aligned bounding box. An empty one has a minimum of plus infinity.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Bounds {
    /// The smallest coordinates.
    pub min: [f32; 3],
    /// The largest coordinates.
    pub max: [f32; 3],
}

impl From<Aabb> for Bounds {
    fn from(Aabb { min, max }: Aabb) -> Self {
        Self { min, max }
    }
}

/// A sphere; its radius is negative if there are no vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Sphere {
    /// The center.
    pub center: [f32; 3],
    /// The radius.
    pub radius: f32,
}

/// A ray.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Ray {
    /// The origin.
    pub origin: [f32; 3],
    /// The direction, of any length but zero.
    pub direction: [f32; 3],
    /// The largest distance of a hit; may be infinite.
    pub max_distance: f32,
    /// 0: both sides of triangles are hit. 1: only their fronts.
    pub faces: u32,
}

impl Ray {
    pub(crate) fn to_library(self) -> Result<sinew::Ray, Error> {
        let faces = match self.faces {
            0 => Faces::Both,
            1 => Faces::Front,
            found => return Err(Error::invalid("faces of a ray", "0 (both) or 1 (front)", found)),
        };
        let Self { origin, direction, max_distance, .. } = self;
        Ok(sinew::Ray { origin, direction, max_distance, faces })
    }
}

/// The nearest hit of a ray.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Hit {
    /// The member of the crowd that was hit; 0 in casts against anything else.
    pub member: u64,
    /// 1 for a hit. 0 for none: all other fields are zero then.
    pub is_hit: u32,
    /// The index of the mesh instance.
    pub mesh_instance: u32,
    /// The joint of the skeleton (of the palette for a skinned mesh) with the largest weight at the
    /// point.
    pub joint: u32,
    /// The index of the triangle in the primitive.
    pub triangle: u32,
    /// The barycentric coordinates of the point in the triangle.
    pub barycentrics: [f32; 3],
    /// The point.
    pub point: [f32; 3],
    /// The unit normal of the triangle's front.
    pub normal: [f32; 3],
    /// The distance from the ray's origin.
    pub distance: f32,
    /// 0: the front of the triangle was hit. 1: its back.
    pub side: u32,
    /// Zero.
    pub reserved: u32,
}

/// How one attribute of a vertex lies in memory. Sizes are in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Attribute {
    /// The format: 0 if the layout does not have the attribute; 1 three `f32`; 2 four `f32`; 3 four
    /// half floats; 4 four 16-bit normalized integers; 5 two such integers in octahedral encoding;
    /// 6 four 8-bit normalized integers.
    pub format: u32,
    /// The fourth component: 0 the usual one (1 for positions, the bitangent's sign for tangents, 0
    /// for others); 1 zero; 2 one; 3 the bitangent's sign.
    pub fourth: u32,
    /// The offset in a vertex.
    pub offset: u64,
    /// The stride in a buffer of its own; 0 for the size of the format. Ignored if the layout has a
    /// stride.
    pub stride: u64,
}

/// How vertices lie in memory. Sizes are in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Layout {
    /// From one vertex to the next in the only buffer; 0 if every attribute has a buffer of its
    /// own, in the order below.
    pub stride: u64,
    /// The position.
    pub position: Attribute,
    /// The normal.
    pub normal: Attribute,
    /// The tangent.
    pub tangent: Attribute,
    /// The bitangent.
    pub bitangent: Attribute,
    /// The order of vertices: 0 as in the source; 1 run order, which is faster: see
    /// [`MeshInstanceInfo::padded_vertices`].
    pub order: u32,
    /// Zero.
    pub reserved: u32,
}

impl Layout {
    /// The library's layout.
    pub(crate) fn to_library(self) -> Result<VertexLayout, Error> {
        let mut layout = match self.stride {
            0 => VertexLayout::separate(),
            stride => VertexLayout::interleaved(size("stride", stride)?),
        };
        let attributes = [self.position, self.normal, self.tangent, self.bitangent];
        for (name, attribute) in VertexAttribute::ALL.into_iter().zip(attributes) {
            let format = match attribute.format {
                0 => continue,
                1 => VertexFormat::Float32x3,
                2 => VertexFormat::Float32x4,
                3 => VertexFormat::Float16x4,
                4 => VertexFormat::Snorm16x4,
                5 => VertexFormat::Snorm16x2Octahedral,
                6 => VertexFormat::Snorm8x4,
                found => return Err(Error::invalid("format of a vertex attribute", "0 to 6", found)),
            };
            layout = layout.with(name, format, size("offset of a vertex attribute", attribute.offset)?);
            if self.stride == 0 && attribute.stride != 0 {
                layout = layout.with_stride(name, size("stride of a vertex attribute", attribute.stride)?);
            }
            layout = match attribute.fourth {
                0 => layout,
                1 => layout.with_fourth(name, FourthComponent::Zero),
                2 => layout.with_fourth(name, FourthComponent::One),
                3 => layout.with_fourth(name, FourthComponent::TangentSign),
                found => return Err(Error::invalid("fourth component of an attribute", "0 to 3", found)),
            };
        }
        layout.check()?;
        Ok(layout)
    }
}

fn size(what: &str, found: u64) -> Result<usize, Error> {
    usize::try_from(found).map_err(|_| Error::invalid(what, "a size of this machine", found))
}

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
    /// them. 3: it is added to them, as the difference from its first frame.
    pub mode: u32,
    /// Seconds of the fade, in mode 1.
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

/// A clip that is being played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct PlaybackInfo {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The index of the clip.
    pub clip: u32,
    /// The time in the clip.
    pub seconds: f64,
    /// The weight times the level of its fade.
    pub effective_weight: f32,
    /// 1 if it stopped at its end.
    pub is_finished: u32,
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
    pub(crate) fn to_library(self) -> Result<sinew::Aim, Error> {
        let joint = sinew::JointId::new(self.joint as usize);
        let up = AimUp { axis: self.up_axis, toward: self.up_toward };
        Ok(sinew::Aim {
            offset: self.offset,
            up: flag("has_up", self.has_up)?.then_some(up),
            limit: self.limit,
            weight: self.weight,
            ..sinew::Aim::new(joint, self.forward, self.target)
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
    pub(crate) fn to_library(self) -> Result<sinew::animation::TwoBone, Error> {
        use sinew::animation::{Pole, TwoBone};
        let pole = match self.pole_mode {
            0 => Pole::Free,
            1 => Pole::Point(self.pole),
            2 => Pole::Direction(self.pole),
            found => return Err(Error::invalid("pole mode", "0 to 2", found)),
        };
        let joints = [self.start, self.middle, self.end].map(|joint| sinew::JointId::new(joint as usize));
        let hinge = flag("has_hinge", self.has_hinge)?.then_some(self.hinge);
        Ok(TwoBone { pole, hinge, weight: self.weight, ..TwoBone::new(joints, self.target) })
    }
}

/// What is in a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct ModelInfo {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The number of joints.
    pub joints: u32,
    /// The number of skins.
    pub skins: u32,
    /// The number of mesh instances.
    pub mesh_instances: u32,
    /// The number of clips.
    pub clips: u32,
    /// The number of morph weights of a pose.
    pub morph_weights: u32,
    /// The number of warnings of the import.
    pub warnings: u32,
    /// The axis that points up: 1 for y, 2 for z.
    pub up_axis: u32,
}

/// A mesh instance of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct MeshInstanceInfo {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The joint of its node.
    pub joint: u32,
    /// Its skin.
    pub skin: u32,
    /// Its primitive.
    pub primitive: u32,
    /// The number of vertices, in source order.
    pub vertices: u32,
    /// The number of vertices in run order, where some are repeated to fill blocks of eight.
    pub padded_vertices: u32,
    /// The number of triangles.
    pub triangles: u32,
    /// The number of attributes: 1 positions; 2 and normals; 3 and tangents; 4 and bitangents.
    pub attributes: u32,
    /// The first of its morph weights in a pose.
    pub first_morph_weight: u32,
    /// The number of its morph weights.
    pub morph_weights: u32,
    /// The number of sets of texture coordinates.
    pub texture_coordinate_sets: u32,
    /// The material, or `NONE`.
    pub material: u32,
    /// Linear RGBA of its material; white without one.
    pub base_color: [f32; 4],
}

/// A clip of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct ClipInfo {
    /// The size of this struct in bytes.
    pub struct_size: u32,
    /// The time of the first key frame.
    pub start: f32,
    /// The time of the last key frame.
    pub end: f32,
    /// The number of tracks.
    pub tracks: u32,
}
