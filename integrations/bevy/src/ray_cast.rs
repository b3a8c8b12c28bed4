//! Ray casts against meshes as Bevy animates them.

use bevy_camera::visibility::{InheritedVisibility, ViewVisibility};
use bevy_ecs::entity::Entity;
use bevy_ecs::query::{Has, With};
use bevy_ecs::system::{Query, ResMut, SystemParam};
use bevy_math::{Ray3d, Vec3};
use bevy_mesh::Mesh3d;
use bevy_mesh::morph::MeshMorphWeights;
use bevy_mesh::skinning::SkinnedMesh;
use sinew::Ray;
use sinew::geometry::Side;
use sinew::query::{Faces, TriangleHit};

use crate::Problem;
use crate::followed::FollowedMeshes;
use crate::pose_reader::PoseReader;

/// A hit of a ray on a mesh, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinnedHit {
    /// The entity with the mesh.
    pub entity: Entity,
    /// The joint with the largest weight at the point; `None` for a mesh without a skin.
    pub joint: Option<Entity>,
    /// The index of that joint in [`SkinnedMesh::joints`].
    pub joint_index: Option<usize>,
    /// The index of the triangle in the mesh.
    pub triangle: usize,
    /// The weights of the triangle's corners at the point: each from 0 to 1, with a sum of 1 up to
    /// rounding. They interpolate texture coordinates and any other attribute.
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

/// Which entities a ray can hit, and how far it reaches. The default reaches all meshes at any
/// distance, from both sides, hidden ones too.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct RayCastSettings<'a> {
    /// The largest distance of a hit.
    pub max_distance: f32,
    /// The sides of triangles that the ray hits, as they are in the world: a mirrored mesh shows
    /// its backs.
    pub faces: Faces,
    /// The kinds of meshes that the ray hits.
    pub meshes: MeshKinds,
    /// The visibility that an entity must have.
    pub visibility: CastVisibility,
    /// Whether the ray can hit an entity. Nothing is computed for entities that it cannot.
    pub filter: &'a dyn Fn(Entity) -> bool,
}

/// The kinds of meshes that a ray hits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeshKinds {
    /// All of them.
    #[default]
    All,
    /// Meshes with a skin or with morph weights.
    Animated,
}

/// The visibility that an entity must have to be hit. Entities without the component pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CastVisibility {
    /// Any.
    #[default]
    Any,
    /// Not hidden, nor in a hidden parent: [`InheritedVisibility`].
    Visible,
    /// Seen by a camera or light in the last frame: [`ViewVisibility`].
    VisibleInView,
}

impl Default for RayCastSettings<'_> {
    fn default() -> Self {
        Self {
            max_distance: f32::INFINITY,
            faces: Faces::Both,
            meshes: MeshKinds::All,
            visibility: CastVisibility::Any,
            filter: &|_| true,
        }
    }
}

impl<'a> RayCastSettings<'a> {
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

    /// Sets the kinds of meshes that the ray hits.
    #[must_use]
    pub fn with_meshes(mut self, meshes: MeshKinds) -> Self {
        self.meshes = meshes;
        self
    }

    /// Sets the visibility that an entity must have.
    #[must_use]
    pub fn with_visibility(mut self, visibility: CastVisibility) -> Self {
        self.visibility = visibility;
        self
    }

    /// Sets which entities the ray can hit.
    #[must_use]
    pub fn with_filter(mut self, filter: &'a dyn Fn(Entity) -> bool) -> Self {
        self.filter = filter;
        self
    }

    fn ray(&self, ray: Ray3d) -> Ray {
        let mut cast = Ray::new(ray.origin.to_array(), ray.direction.to_array());
        (cast.max_distance, cast.faces) = (self.max_distance, self.faces);
        cast
    }
}

/// Casts rays against meshes as they are drawn: skinned by their joints, morphed by their weights.
///
/// Nothing is computed ahead. A ray reads the joints of the entities that its settings let it hit,
/// unless none has moved since the last ray, and skins only vertices near it. The first ray against
/// a mesh asset builds a BVH of it, which takes milliseconds; [`prepare`](Self::prepare) does that
/// at a better time.
///
/// Joints are where the last transform propagation put them: in `Update`, where they were drawn in
/// the last frame.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_math::{Dir3, Ray3d, Vec3};
/// use bevy_sinew::{RayCastSettings, SkinnedRayCast};
///
/// #[derive(Component)]
/// struct Health(f32);
///
/// fn shoot(mut rays: SkinnedRayCast, mut healths: Query<&mut Health>) {
///     let ray = Ray3d::new(Vec3::new(0.0, 1.5, 10.0), Dir3::NEG_Z);
///     let settings = RayCastSettings::default().with_max_distance(100.0);
///     if let Some(hit) = rays.cast(ray, &settings)
///         && let Ok(mut health) = healths.get_mut(hit.entity)
///     {
///         health.0 -= 10.0; // More, if `hit.joint` is the head.
///     }
/// }
/// ```
#[derive(SystemParam)]
pub struct SkinnedRayCast<'w, 's> {
    followed: ResMut<'w, FollowedMeshes>,
    reader: PoseReader<'w, 's>,
    candidates: Query<
        'w,
        's,
        (
            Entity,
            Has<SkinnedMesh>,
            Has<MeshMorphWeights>,
            Option<&'static InheritedVisibility>,
            Option<&'static ViewVisibility>,
        ),
        With<Mesh3d>,
    >,
}

impl SkinnedRayCast<'_, '_> {
    /// The nearest hit of a ray. Among hits at the same distance, the lowest entity wins.
    pub fn cast(&mut self, ray: Ray3d, settings: &RayCastSettings<'_>) -> Option<SkinnedHit> {
        let mut ray = settings.ray(ray);
        let mut nearest: Option<(Entity, TriangleHit)> = None;
        let Self { followed, reader, candidates } = self;
        for entity in candidates.iter().filter_map(|candidate| admit(candidate, settings)) {
            let Ok(Some(hit)) = followed.cast(entity, &ray, reader) else { continue };
            let is_nearer = |&(other, nearest): &(Entity, TriangleHit)| {
                hit.distance < nearest.distance || (hit.distance == nearest.distance && entity < other)
            };
            if nearest.as_ref().is_none_or(is_nearer) {
                ray.max_distance = hit.distance;
                nearest = Some((entity, hit));
            }
        }
        nearest.map(|(entity, hit)| self.hit(entity, &hit))
    }

    /// The nearest hit on each entity, nearest first. Clears `hits` first.
    pub fn cast_all(&mut self, ray: Ray3d, settings: &RayCastSettings<'_>, hits: &mut Vec<SkinnedHit>) {
        hits.clear();
        let ray = settings.ray(ray);
        let Self { followed, reader, candidates } = self;
        for entity in candidates.iter().filter_map(|candidate| admit(candidate, settings)) {
            if let Ok(Some(hit)) = followed.cast(entity, &ray, reader) {
                hits.push(skinned_hit(entity, &hit, followed, reader));
            }
        }
        hits.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.entity.cmp(&b.entity)));
    }

    /// The nearest hit on one entity. Its kind, its visibility and the filter are not tested.
    pub fn cast_entity(
        &mut self,
        entity: Entity,
        ray: Ray3d,
        settings: &RayCastSettings<'_>,
    ) -> Option<SkinnedHit> {
        let ray = settings.ray(ray);
        let hit = self.followed.cast(entity, &ray, &self.reader).ok()??;
        Some(self.hit(entity, &hit))
    }

    /// Builds all that rays need of an entity's mesh, so that the first ray takes no longer than
    /// others.
    ///
    /// # Errors
    ///
    /// If rays cannot hit the entity; says why. Casts skip such an entity without a word, and try
    /// again in the next run.
    pub fn prepare(&mut self, entity: Entity) -> Result<(), Problem> {
        self.followed.prepare(entity, &self.reader)
    }

    fn hit(&self, entity: Entity, hit: &TriangleHit) -> SkinnedHit {
        skinned_hit(entity, hit, &self.followed, &self.reader)
    }
}

type Candidate<'a> = (Entity, bool, bool, Option<&'a InheritedVisibility>, Option<&'a ViewVisibility>);

/// The entity, if a ray can hit it.
fn admit(
    (entity, is_skinned, is_morphed, inherited, in_view): Candidate<'_>,
    settings: &RayCastSettings<'_>,
) -> Option<Entity> {
    let is_visible = match settings.visibility {
        CastVisibility::Any => true,
        CastVisibility::Visible => inherited.is_none_or(|visibility| visibility.get()),
        CastVisibility::VisibleInView => in_view.is_none_or(|visibility| visibility.get()),
    };
    let is_kind = is_skinned || is_morphed || settings.meshes == MeshKinds::All;
    (is_visible && is_kind && (settings.filter)(entity)).then_some(entity)
}

fn skinned_hit(
    entity: Entity,
    hit: &TriangleHit,
    followed: &FollowedMeshes,
    reader: &PoseReader<'_, '_>,
) -> SkinnedHit {
    let dominant = followed.dominant_joint(entity, hit);
    let joint = dominant.and_then(|joint| reader.joint(entity, joint));
    SkinnedHit {
        entity,
        joint,
        joint_index: joint.and(dominant),
        triangle: hit.triangle,
        barycentrics: Vec3::from_array(hit.barycentrics),
        point: Vec3::from_array(hit.point),
        normal: Vec3::from_array(hit.normal),
        distance: hit.distance,
        side: hit.side,
    }
}
