//! Ray casts against animated models, now and in the past.

use bevy_ecs::entity::Entity;
use bevy_ecs::system::{Query, SystemParam};
use bevy_math::{Affine3A, Ray3d, Vec3};
use bevy_transform::helper::TransformHelper;
use sinew::geometry::Side;
use sinew::query::Faces;
use sinew::{Hit, Instance, JointId, Ray};

use super::{Animator, PoseHistory};

/// A hit of a ray on a model, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelHit {
    /// The entity with the [`Animator`].
    pub entity: Entity,
    /// The joint of the model's skeleton with the largest weight at the point.
    pub joint: JointId,
    /// The index of the mesh instance in the model.
    pub mesh_instance: usize,
    /// The index of the triangle in that primitive.
    pub triangle: usize,
    /// The weights of the triangle's corners at the point: each from 0 to 1, with a sum of 1 up to
    /// rounding.
    pub barycentrics: Vec3,
    /// The point on the triangle.
    pub point: Vec3,
    /// The unit normal of the triangle's front, whichever side is hit. Zero for a triangle without
    /// area.
    pub normal: Vec3,
    /// The distance from the ray's origin.
    pub distance: f32,
    /// The side of the triangle that is hit.
    pub side: Side,
}

/// Which entities a ray can hit, and how far it reaches. The default reaches all of them at any
/// distance, from both sides.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct ModelCastSettings<'a> {
    /// The largest distance of a hit.
    pub max_distance: f32,
    /// The sides of triangles that the ray hits, as they were modeled.
    pub faces: Faces,
    /// Whether the ray can hit an entity. Nothing is computed for entities that it cannot.
    pub filter: &'a dyn Fn(Entity) -> bool,
}

impl Default for ModelCastSettings<'_> {
    fn default() -> Self {
        Self { max_distance: f32::INFINITY, faces: Faces::Both, filter: &|_| true }
    }
}

impl<'a> ModelCastSettings<'a> {
    /// Sets the largest distance of a hit.
    #[must_use]
    pub fn with_max_distance(mut self, max_distance: f32) -> Self {
        self.max_distance = max_distance;
        self
    }

    /// Sets the sides of triangles that the ray hits.
    #[must_use]
    pub fn with_faces(mut self, faces: Faces) -> Self {
        self.faces = faces;
        self
    }

    /// Sets which entities the ray can hit.
    #[must_use]
    pub fn with_filter(mut self, filter: &'a dyn Fn(Entity) -> bool) -> Self {
        self.filter = filter;
        self
    }
}

/// Casts rays against entities with an [`Animator`]: as they are now, or as they were at a past
/// tick.
///
/// Transforms are read through the hierarchy, so they need not be propagated. A system with this
/// parameter that also moves entities needs a `ParamSet`.
#[derive(SystemParam)]
pub struct ModelRayCast<'w, 's> {
    entities: Query<'w, 's, (Entity, &'static mut Animator, Option<&'static mut PoseHistory>)>,
    transforms: TransformHelper<'w, 's>,
}

impl ModelRayCast<'_, '_> {
    /// The nearest hit of a ray with the entities as they are now. Among hits at the same distance,
    /// the lowest entity wins.
    pub fn cast(&mut self, ray: Ray3d, settings: &ModelCastSettings<'_>) -> Option<ModelHit> {
        let mut nearest = NearestHit::new(ray, settings);
        for (entity, mut animator, _) in &mut self.entities {
            if !(settings.filter)(entity) {
                continue;
            }
            if let Ok(transform) = self.transforms.compute_global_transform(entity) {
                nearest.cast(entity, &mut animator, transform.affine());
            }
        }
        nearest.hit
    }

    /// The nearest hit of a ray with the entities as they were at the end of a past tick. Between
    /// two ticks, poses and transforms are interpolated. Entities without a [`PoseHistory`] that
    /// reaches to the tick are not hit.
    ///
    /// At a whole tick the hit equals, bit for bit, the one that [`cast`](Self::cast) gave when the
    /// tick ended.
    pub fn cast_at(&mut self, tick: f64, ray: Ray3d, settings: &ModelCastSettings<'_>) -> Option<ModelHit> {
        let mut nearest = NearestHit::new(ray, settings);
        for (entity, animator, history) in &mut self.entities {
            if !(settings.filter)(entity) {
                continue;
            }
            if let Some(mut history) = history
                && let Some(past) = history.at(tick, &animator)
            {
                nearest.cast(entity, &mut past.instance, past.world_from_model);
            }
        }
        nearest.hit
    }
}

/// The nearest hit so far.
struct NearestHit {
    ray: Ray3d,
    faces: Faces,
    max_distance: f32,
    hit: Option<ModelHit>,
}

impl NearestHit {
    fn new(ray: Ray3d, settings: &ModelCastSettings<'_>) -> Self {
        let &ModelCastSettings { max_distance, faces, .. } = settings;
        Self { ray, faces, max_distance, hit: None }
    }

    /// Casts the ray in the space of a model, where its triangles are.
    fn cast(&mut self, entity: Entity, instance: &mut Instance, world_from_model: Affine3A) {
        let model_from_world = world_from_model.inverse();
        let direction = model_from_world.transform_vector3(*self.ray.direction);
        // One unit of the world in units of the model. Not finite if the transform has no inverse.
        let scale = direction.length();
        if !(scale.is_finite() && scale > 0.0) {
            return;
        }
        let origin = model_from_world.transform_point3(self.ray.origin);
        let mut ray = Ray::new(origin.to_array(), direction.to_array());
        (ray.max_distance, ray.faces) = (self.max_distance * scale, self.faces);
        let Some(hit) = instance.cast(&ray) else { return };
        let distance = hit.distance / scale;
        let is_nearer = |nearest: &ModelHit| {
            distance < nearest.distance || (distance == nearest.distance && entity < nearest.entity)
        };
        if distance <= self.max_distance && self.hit.as_ref().is_none_or(is_nearer) {
            self.max_distance = distance;
            self.hit = Some(world_hit(entity, &hit, distance, world_from_model, model_from_world));
        }
    }
}

fn world_hit(
    entity: Entity,
    hit: &Hit,
    distance: f32,
    world_from_model: Affine3A,
    model_from_world: Affine3A,
) -> ModelHit {
    // By the inverse transpose, so that it stays on the side that is the front in the model.
    let normal = model_from_world.matrix3.transpose() * Vec3::from_array(hit.normal);
    ModelHit {
        entity,
        joint: hit.joint,
        mesh_instance: hit.mesh_instance,
        triangle: hit.triangle,
        barycentrics: Vec3::from_array(hit.barycentrics),
        point: world_from_model.transform_point3(Vec3::from_array(hit.point)),
        normal: normal.normalize_or_zero(),
        distance,
        side: hit.side,
    }
}
