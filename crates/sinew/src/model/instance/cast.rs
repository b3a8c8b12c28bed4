//! Ray casts against an instance in its current pose.

use super::Instance;
use crate::geometry::{PositionView, Side};
use crate::model::{Model, ModelError};
use crate::query::{LazyBvh, LazyRayCast, Ray, TriangleHit};
use crate::skeleton::JointId;
use crate::skinning::VertexOrder;

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
    /// The version of the skin state that each BVH was begun for; 0 if never.
    versions: Vec<u64>,
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
    /// Vertices that [`skin`](Self::skin) has skinned in this pose are used. Otherwise only
    /// vertices near the ray are skinned, and later rays reuse them until the pose changes. With
    /// many rays, dual quaternions or morph weights, the whole instance is skinned once. See
    /// [`LazyBvh`].
    ///
    /// The first call allocates and builds the BVH topology of each primitive that has none yet;
    /// later calls do not allocate. A ray with a number that is not finite, or with a zero
    /// direction, hits nothing. Triangles with such a corner are never hit. Whether a triangle that
    /// is edge-on or has no area is hit depends on rounding.
    pub fn cast(&mut self, ray: &Ray) -> Option<Hit> {
        let mut ray = *ray;
        let mut nearest: Option<(usize, TriangleHit)> = None;
        for mesh_instance in 0..self.model.mesh_instances().len() {
            self.prepare_cast(mesh_instance);
            let mut cast = self.begin_cast(mesh_instance);
            let Some(hit) = cast.closest_hit(&ray) else { continue };
            if nearest.as_ref().is_none_or(|(_, other)| hit.distance < other.distance) {
                ray.max_distance = hit.distance;
                nearest = Some((mesh_instance, hit));
            }
        }
        nearest.map(|(mesh_instance, hit)| Hit::new(&self.model, mesh_instance, &hit))
    }

    /// Finds the nearest hit of a ray with one mesh instance whose vertices are already skinned:
    /// what [`skin_into`](Self::skin_into) wrote in the current pose, in the order that it was
    /// asked for. Skins nothing, and reads only vertices near the ray; later rays do not read them
    /// again until the pose changes. With many rays, dual quaternions or morph weights, all
    /// vertices are read once. Positions of another pose give wrong hits.
    ///
    /// Else as [`cast`](Self::cast). To cast against several mesh instances, shorten
    /// [`Ray::max_distance`] to the nearest hit so far.
    ///
    /// # Errors
    ///
    /// If there is no such mesh instance, or not one position for each of its vertices; in run
    /// order, including pads.
    pub fn cast_in(
        &mut self,
        mesh_instance: usize,
        positions: PositionView<'_>,
        order: VertexOrder,
        ray: &Ray,
    ) -> Result<Option<Hit>, ModelError> {
        self.model.check_mesh_instance(mesh_instance)?;
        self.prepare_cast(mesh_instance);
        let hit = self.begin_cast(mesh_instance).reading(positions, order)?.closest_hit(ray);
        Ok(hit.map(|hit| Hit::new(&self.model, mesh_instance, &hit)))
    }

    /// Updates palettes and morphed vertices, and builds the BVHs on first use.
    fn prepare_cast(&mut self, mesh_instance: usize) {
        self.prepare(mesh_instance, VertexOrder::Run);
        let Self { model, ray_cast, .. } = self;
        ray_cast.get_or_insert_with(|| {
            let bvhs = build_bvhs(model);
            RayCastState { versions: vec![0; bvhs.len()], bvhs }
        });
    }

    /// Begins or continues a frame of a prepared mesh instance.
    fn begin_cast(&mut self, mesh_instance: usize) -> LazyRayCast<'_> {
        const BUILT_FOR: &str = "BVH, palette and vertices were built for the mesh instance";
        let Self { model, skinning, ray_cast, .. } = self;
        let RayCastState { bvhs, versions } = ray_cast.as_mut().expect("prepared");
        let (palette, options) = skinning.state.skin_inputs(model, mesh_instance, VertexOrder::Run);
        let (mesh, bvh) = (&model.primitive(mesh_instance).mesh, &mut bvhs[mesh_instance]);
        let last = std::mem::replace(&mut versions[mesh_instance], skinning.state.version);
        let cast = if last == skinning.state.version {
            bvh.resume(mesh, palette, &options)
        } else {
            bvh.begin(mesh, palette, &options)
        };
        let cast = cast.expect(BUILT_FOR);
        match skinning.skinned(mesh_instance) {
            Some(skinned) => cast.reading(skinned.position_view(), VertexOrder::Run).expect(BUILT_FOR),
            None => cast,
        }
    }
}
