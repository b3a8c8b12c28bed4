//! Transforms, bounds, rays and hits.

use sinew::Aabb;
use sinew::query::Faces;

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
