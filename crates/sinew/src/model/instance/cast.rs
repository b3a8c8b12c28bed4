//! Ray casts against an instance in its current pose.

use super::Instance;
use super::skin::SkinState;
use crate::geometry::Side;
use crate::model::Model;
use crate::query::{LazyBvh, LazyRayCast, Ray, TriangleHit};
use crate::skeleton::JointId;

/// A hit of a ray cast against an instance, in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The index of the mesh instance.
    pub mesh_instance: usize,
    /// The joint with the largest weight at the point. See
    /// [`Mesh::dominant_joint`](crate::Mesh::dominant_joint).
    pub joint: JointId,
    /// The index of the triangle in the primitive.
    pub triangle: usize,
    /// The barycentric coordinates of the point: each from 0 to 1, with a sum of 1 up to rounding.
    pub barycentrics: [f32; 3],
    /// The point on the triangle.
    pub point: [f32; 3],
    /// The unit normal of the triangle's front, whichever side is hit. Zero for a triangle without
    /// area.
    pub normal: [f32; 3],
    /// The distance from the ray's origin, in units of the model.
    pub distance: f32,
    /// The side of the triangle that is hit.
    pub side: Side,
}

/// The data for ray casts.
#[derive(Clone, Debug)]
pub(super) struct RayCastState {
    /// One per mesh instance.
    bvhs: Vec<LazyBvh>,
    /// The version of the skin state that the BVHs are refitted to.
    version: u64,
}

/// Builds one BVH per mesh instance of a model.
pub(crate) fn build_bvhs(model: &Model) -> Vec<LazyBvh> {
    (0..model.mesh_instances().len()).map(|mesh_instance| model.lazy_bvh(mesh_instance)).collect()
}

impl Hit {
    pub(crate) fn new(model: &Model, mesh_instance: usize, hit: &TriangleHit) -> Self {
        let &TriangleHit { triangle, barycentrics, point, normal, distance, side } = hit;
        let skin_joint = model.primitive(mesh_instance).mesh.dominant_joint(triangle, barycentrics);
        let skin = &model.skins()[model.mesh_instances()[mesh_instance].skin];
        let joint = skin.joint(skin_joint);
        Self { mesh_instance, joint, triangle, barycentrics, point, normal, distance, side }
    }
}

impl Instance {
    /// Finds the nearest hit of a ray in model space with the instance in its current pose; `None`
    /// if it misses. Among hits at the same distance, the first mesh instance and then the first
    /// triangle wins.
    ///
    /// Only vertices near the ray are skinned, and later rays reuse them until the pose changes.
    /// With many rays, dual quaternions or morph weights, the whole instance is skinned once. See
    /// [`LazyBvh`].
    ///
    /// The first call allocates and builds the BVH topology of each primitive that has none yet;
    /// later calls do not allocate. A ray with a number that is not finite, or with a zero
    /// direction, hits nothing. Triangles with such a corner are never hit. Whether a triangle that
    /// is edge-on or has no area is hit depends on rounding.
    pub fn cast(&mut self, ray: &Ray) -> Option<Hit> {
        let change = self.prepare_cast();
        let Self { model, skinning, ray_cast, .. } = self;
        let mut ray = *ray;
        let mut nearest: Option<(usize, TriangleHit)> = None;
        for (mesh_instance, bvh) in ray_cast.iter_mut().flat_map(|ray_cast| &mut ray_cast.bvhs).enumerate() {
            let mut cast = change.begin_cast(bvh, model, &skinning.state, mesh_instance);
            let Some(hit) = cast.closest_hit(&ray) else { continue };
            if nearest.as_ref().is_none_or(|(_, other)| hit.distance < other.distance) {
                ray.max_distance = hit.distance;
                nearest = Some((mesh_instance, hit));
            }
        }
        nearest.map(|(mesh_instance, hit)| Hit::new(&self.model, mesh_instance, &hit))
    }

    /// Updates palettes and morphed vertices, and builds the BVHs on first use.
    fn prepare_cast(&mut self) -> PoseChange {
        self.update_palettes();
        let Self { model, posed, skinning, ray_cast, .. } = self;
        let ray_cast = ray_cast.get_or_insert_with(|| RayCastState { bvhs: build_bvhs(model), version: 0 });
        if ray_cast.version == skinning.state.version {
            return PoseChange::Unchanged;
        }
        ray_cast.version = skinning.state.version;
        for mesh_instance in 0..model.mesh_instances().len() {
            skinning.state.morph(model, mesh_instance, posed.pose.morph_weights());
        }
        PoseChange::Changed
    }
}

/// Whether the pose has changed since the last ray cast.
#[derive(Clone, Copy)]
enum PoseChange {
    Changed,
    Unchanged,
}

impl PoseChange {
    fn begin_cast<'a>(
        self,
        bvh: &'a mut LazyBvh,
        model: &'a Model,
        state: &'a SkinState,
        mesh_instance: usize,
    ) -> LazyRayCast<'a> {
        let (palette, options) = state.skin_inputs(model, mesh_instance);
        let mesh = &model.primitive(mesh_instance).mesh;
        let cast = match self {
            Self::Changed => bvh.begin(mesh, palette, &options),
            Self::Unchanged => bvh.resume(mesh, palette, &options),
        };
        cast.expect("BVH and palette were built for the mesh instance")
    }
}
