//! The meshes that rays have been cast against, and what is known of them.

use bevy_asset::{Asset, AssetEvent, AssetId};
use bevy_ecs::change_detection::{CheckChangeTicks, DetectChangesMut};
use bevy_ecs::entity::{Entity, EntityHashMap};
use bevy_ecs::lifecycle::RemovedComponents;
use bevy_ecs::message::MessageReader;
use bevy_ecs::observer::On;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, ResMut};
use bevy_mesh::skinning::SkinnedMeshInverseBindposes;
use bevy_mesh::{Mesh, Mesh3d};
use sinew::query::{LazyBvh, TriangleHit};
use sinew::{Matrix, Ray};

use crate::pose_reader::{PoseReader, Space};
use crate::posed_mesh::{FollowedPose, PoseChange, PosedMesh};
use crate::shape::{Shapes, Vertices};
use crate::{CpuSkinned, Problem, TightBounds};

/// What rays have needed so far: a shape of each mesh asset, and a pose and a BVH of each entity.
/// An entity that no ray has been cast against is not in it.
#[derive(Debug, Default, Resource)]
pub struct FollowedMeshes {
    pub(crate) shapes: Shapes,
    entities: EntityHashMap<FollowedMesh>,
    pub(crate) scratch: Vec<Matrix>,
    poses_read: u64,
}

#[derive(Debug, Default)]
struct FollowedMesh {
    pose: FollowedPose,
    bvh: Option<LazyBvh>,
    /// Whether the BVH is of the current pose.
    is_begun: bool,
}

impl FollowedMeshes {
    /// The number of entities that rays have been cast against and that can be hit.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entities.values().filter(|mesh| mesh.bvh.is_some()).count()
    }

    /// Whether no ray has been cast against any entity that can be hit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of shapes built, of mesh assets and numbers of joints.
    #[must_use]
    pub fn shapes(&self) -> usize {
        self.shapes.len()
    }

    /// How many times rays have read the joints of an entity because they had moved, or were new.
    #[must_use]
    pub fn poses_read(&self) -> u64 {
        self.poses_read
    }

    pub(crate) fn cast(
        &mut self,
        entity: Entity,
        ray: &Ray,
        reader: &PoseReader<'_, '_>,
    ) -> Result<Option<TriangleHit>, Problem> {
        let (pose, bvh, is_begun) = self.update(entity, reader)?;
        let (mesh, options) = (&pose.shape.mesh, pose.skin_options());
        let cast = if std::mem::replace(is_begun, true) {
            bvh.resume(mesh, &pose.palette, &options)
        } else {
            bvh.begin(mesh, &pose.palette, &options)
        };
        let mut cast = cast.map_err(|error| Problem::UnsupportedMesh(error.to_string().into()))?;
        Ok(cast.closest_hit(ray))
    }

    pub(crate) fn prepare(&mut self, entity: Entity, reader: &PoseReader<'_, '_>) -> Result<(), Problem> {
        self.update(entity, reader).map(|_| ())
    }

    /// Brings the pose of an entity up to date, and builds its BVH on first use.
    fn update(
        &mut self,
        entity: Entity,
        reader: &PoseReader<'_, '_>,
    ) -> Result<(&PosedMesh, &mut LazyBvh, &mut bool), Problem> {
        let FollowedMesh { pose, bvh, is_begun } = self.entities.entry(entity).or_default();
        let what = (entity, Space::World, Vertices::Positions);
        let (pose, change) = match pose.update(what, reader, &mut self.shapes, &mut self.scratch) {
            Ok(updated) => updated,
            Err(problem) => {
                *is_begun = false;
                return Err(problem);
            }
        };
        if change != PoseChange::None {
            self.poses_read += 1;
            *is_begun = false;
        }
        if change == PoseChange::Mesh {
            *bvh = None;
        }
        Ok((pose, bvh.get_or_insert_with(|| pose.shape.lazy_bvh()), is_begun))
    }

    /// The joint of the skin with the largest weight at a hit; `None` without a skin.
    pub(crate) fn dominant_joint(&self, entity: Entity, hit: &TriangleHit) -> Option<usize> {
        let pose = self.entities.get(&entity)?.pose.pose()?;
        let is_hit = pose.is_skinned() && hit.triangle < pose.shape.mesh.triangles().len();
        is_hit.then(|| pose.shape.mesh.dominant_joint(hit.triangle, hit.barycentrics).index())
    }
}

/// Forgets meshes that have changed, and entities that have lost theirs.
pub(crate) fn forget_changed(
    mut followed: ResMut<FollowedMeshes>,
    mut bounds: Query<&mut TightBounds>,
    mut copies: Query<&mut CpuSkinned>,
    mut meshes: MessageReader<AssetEvent<Mesh>>,
    mut bind_poses: MessageReader<AssetEvent<SkinnedMeshInverseBindposes>>,
    mut removed: RemovedComponents<Mesh3d>,
) {
    let meshes: Vec<_> = meshes.read().filter_map(changed_asset).collect();
    let bind_poses: Vec<_> = bind_poses.read().filter_map(changed_asset).collect();
    let FollowedMeshes { shapes, entities, .. } = &mut *followed;
    if !meshes.is_empty() || !bind_poses.is_empty() {
        let is_changed = |pose: &FollowedPose| {
            meshes.iter().any(|&mesh| pose.uses_mesh(mesh))
                || bind_poses.iter().any(|&bind_poses| pose.uses_bind_poses(bind_poses))
        };
        meshes.iter().for_each(|&mesh| shapes.forget(mesh));
        entities.retain(|_, mesh| !is_changed(&mesh.pose));
        let bounds = bounds.iter_mut().map(|bounds| bounds.into_inner().pose_mut());
        let copies = copies.iter_mut().map(|copy| copy.into_inner().pose_mut());
        bounds.chain(copies).filter(|pose| is_changed(pose)).for_each(FollowedPose::forget);
    }
    for entity in removed.read() {
        entities.remove(&entity);
    }
}

/// Keeps all stored ticks comparable.
pub(crate) fn check_ticks(
    check: On<CheckChangeTicks>,
    mut followed: ResMut<FollowedMeshes>,
    mut bounds: Query<&mut TightBounds>,
    mut copies: Query<&mut CpuSkinned>,
) {
    let meshes = followed.entities.values_mut().map(|mesh| &mut mesh.pose);
    meshes.for_each(|pose| pose.check_ticks(*check));
    bounds.iter_mut().for_each(|mut bounds| bounds.bypass_change_detection().pose_mut().check_ticks(*check));
    copies.iter_mut().for_each(|mut copy| copy.bypass_change_detection().pose_mut().check_ticks(*check));
}

/// The asset of an event after which it is not what it was.
fn changed_asset<A: Asset>(event: &AssetEvent<A>) -> Option<AssetId<A>> {
    match *event {
        AssetEvent::Modified { id } | AssetEvent::Removed { id } => Some(id),
        _ => None,
    }
}
