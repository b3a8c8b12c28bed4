//! Bounds of animated meshes that follow the pose.

use bevy_camera::primitives::Aabb;
use bevy_ecs::change_detection::{DetectChangesMut, Mut};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::system::{Commands, Query, ResMut};
use bevy_math::Vec3;
use sinew::bounds::BoundsOptions;
use sinew::mesh::Attributes;
use sinew::skinning::Skinned;

use crate::Problem;
use crate::followed::FollowedMeshes;
use crate::pose_reader::{PoseReader, Space};
use crate::posed_mesh::{FollowedPose, PoseChange, PosedMesh};
use crate::shape::Vertices;

/// Keeps the [`Aabb`] of an entity with a mesh around its pose, morph targets included, so that
/// Bevy culls it when it is out of view and only then. It is computed only for entities with this
/// component, when their joints or weights have changed.
///
/// Bevy's own `DynamicSkinnedMeshBounds` ignores morph targets. Remove it from the entity.
#[derive(Component, Debug, Default)]
pub struct TightBounds {
    precision: BoundsPrecision,
    pose: FollowedPose,
    /// Memory for the skinned positions, which only bounds of all vertices need.
    skinned: Option<Skinned>,
    last: Option<Aabb>,
}

/// What bounds are computed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoundsPrecision {
    /// The joints: a box that contains all vertices and is a little larger. Its cost does not grow
    /// with the number of vertices.
    #[default]
    Joints,
    /// All vertices: the smallest box. Skins the whole mesh.
    Vertices,
}

impl TightBounds {
    /// Bounds of a precision.
    #[must_use]
    pub fn new(precision: BoundsPrecision) -> Self {
        Self { precision, ..Self::default() }
    }
}

/// Updates all [`Aabb`]s, after joints have moved and before Bevy culls.
pub(crate) fn update_tight_bounds(
    mut followed: ResMut<FollowedMeshes>,
    reader: PoseReader,
    mut entities: Query<(Entity, &mut TightBounds, Option<&mut Aabb>)>,
    mut commands: Commands,
) {
    for (entity, mut bounds, aabb) in &mut entities {
        // What changes here is of no concern to others.
        let bounds = bounds.bypass_change_detection();
        let Ok(computed) = bounds.update(entity, &reader, &mut followed) else { continue };
        let Some(computed) = computed else { continue };
        match aabb {
            Some(aabb) => set_if_other(aabb, computed),
            None => _ = commands.entity(entity).try_insert(computed),
        }
    }
}

fn set_if_other(mut aabb: Mut<'_, Aabb>, computed: Aabb) {
    if *aabb.bypass_change_detection() != computed {
        *aabb = computed;
    }
}

impl TightBounds {
    /// The AABB in the space of the entity; `None` if it has no vertices or is not finite.
    fn update(
        &mut self,
        entity: Entity,
        reader: &PoseReader<'_, '_>,
        followed: &mut FollowedMeshes,
    ) -> Result<Option<Aabb>, Problem> {
        let what = (entity, Space::Entity(entity), Vertices::Positions);
        let FollowedMeshes { shapes, scratch, .. } = followed;
        let (pose, change) = self.pose.update(what, reader, shapes, scratch)?;
        if change == PoseChange::Mesh {
            self.skinned = None;
        }
        if change != PoseChange::None || self.last.is_none() {
            let aabb = match self.precision {
                BoundsPrecision::Joints => joint_bounds(pose),
                BoundsPrecision::Vertices => vertex_bounds(pose, &mut self.skinned),
            }?;
            let is_finite = aabb.min.iter().chain(&aabb.max).all(|value| value.is_finite());
            self.last =
                is_finite.then(|| Aabb::from_min_max(Vec3::from_array(aabb.min), Vec3::from_array(aabb.max)));
        }
        Ok(self.last)
    }

    pub(crate) fn pose_mut(&mut self) -> &mut FollowedPose {
        &mut self.pose
    }
}

fn joint_bounds(pose: &PosedMesh) -> Result<sinew::Aabb, Problem> {
    let options = BoundsOptions::default().with_morph_weights(&pose.morph_weights);
    pose.shape.joint_bounds().aabb(&pose.palette, &options).map_err(unsupported)
}

fn vertex_bounds(pose: &PosedMesh, skinned: &mut Option<Skinned>) -> Result<sinew::Aabb, Problem> {
    let mesh = &pose.shape.mesh;
    let skinned = match skinned {
        Some(skinned) => skinned,
        skinned => skinned.insert(Skinned::new(mesh, Attributes::Positions).map_err(unsupported)?),
    };
    mesh.skin(&pose.palette, &pose.skin_options(), skinned).map_err(unsupported)?;
    Ok(skinned.bounds())
}

fn unsupported(error: impl std::fmt::Display) -> Problem {
    Problem::UnsupportedMesh(error.to_string().into())
}
