//! Meshes skinned on the CPU: copies of animated meshes that anything can read.

use bevy_asset::{AssetId, Assets, Handle};
use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::system::{Commands, Query, ResMut};
use bevy_mesh::{Mesh, Mesh3d, VertexAttributeValues};
use bevy_transform::components::Transform;
use sinew::SkinOptions;
use sinew::mesh::Attributes;
use sinew::skinning::{DirectionLength, NormalTransform, Skinned};

use crate::Problem;
use crate::followed::FollowedMeshes;
use crate::pose_reader::{PoseReader, Space};
use crate::posed_mesh::{FollowedPose, PoseChange, PosedMesh};
use crate::shape::Vertices;

/// Gives an entity a [`Mesh3d`] of its own with the vertices of another entity's mesh, skinned and
/// morphed on the CPU: positions, normals and tangents, in the space of this entity. All other
/// attributes are copied once. For what reads meshes and knows no skins: exporters, particles,
/// decals, physics, ray tracing.
///
/// It is skinned only when the source's joints or weights, or this entity's transform, have
/// changed. Exclude the copy from ray casts by a filter, and from picking by `Pickable::IGNORE`: it
/// is where its source is, and after each change a ray would have to build its BVH again.
///
/// ```
/// # use bevy_ecs::prelude::*;
/// # use bevy_sinew::CpuSkinned;
/// # fn spawn(mut commands: Commands, fox: Entity) {
/// commands.spawn(CpuSkinned::new(fox)); // Without a transform of its own, in world space.
/// # }
/// ```
#[derive(Component, Debug)]
#[require(Transform)]
pub struct CpuSkinned {
    source: Entity,
    pose: FollowedPose,
    skinned: Option<Skinned>,
    /// The copy, and the mesh that it copies.
    copy: Option<(Handle<Mesh>, AssetId<Mesh>)>,
    /// What has to be written to the copy.
    pending: PoseChange,
}

impl CpuSkinned {
    /// A copy of the mesh of an entity, which must be another one than this.
    #[must_use]
    pub fn new(source: Entity) -> Self {
        Self { source, pose: FollowedPose::default(), skinned: None, copy: None, pending: PoseChange::None }
    }

    /// The entity whose mesh is copied.
    #[must_use]
    pub fn source(&self) -> Entity {
        self.source
    }

    pub(crate) fn pose_mut(&mut self) -> &mut FollowedPose {
        &mut self.pose
    }

    fn skin(
        &mut self,
        entity: Entity,
        reader: &PoseReader<'_, '_>,
        followed: &mut FollowedMeshes,
    ) -> Result<(), Problem> {
        if self.source == entity {
            return Err(Problem::NoMesh);
        }
        let what = (self.source, Space::Entity(entity), Vertices::All);
        let FollowedMeshes { shapes, scratch, .. } = followed;
        let (pose, change) = self.pose.update(what, reader, shapes, scratch)?;
        if change == PoseChange::None {
            return Ok(());
        }
        if change == PoseChange::Mesh {
            self.skinned = None;
        }
        skin(pose, &mut self.skinned)?;
        self.pending = self.pending.max(change);
        Ok(())
    }

    /// Writes the skinned vertices to the copy. Returns the copy if it is new.
    fn write(&mut self, meshes: &mut Assets<Mesh>) -> Option<Handle<Mesh>> {
        let pending = std::mem::take(&mut self.pending);
        let (pose, skinned) = (self.pose.pose()?, self.skinned.as_ref()?);
        let source = pose.mesh_asset();
        let is_kept = pending == PoseChange::Pose
            && self.copy.as_ref().is_some_and(|(copy, of)| *of == source && meshes.contains(copy));
        match &self.copy {
            _ if pending == PoseChange::None => None,
            Some((copy, _)) if is_kept => {
                write_vertices(pose, skinned, &mut *meshes.get_mut(copy)?);
                None
            }
            _ => {
                let mut copy = copy_without_skin(meshes.get(source)?)?;
                write_vertices(pose, skinned, &mut copy);
                let copy = meshes.add(copy);
                self.copy = Some((copy.clone(), source));
                Some(copy)
            }
        }
    }
}

/// Skins the sources of all copies whose pose has changed, after joints have moved.
pub(crate) fn skin_copies(
    mut followed: ResMut<FollowedMeshes>,
    reader: PoseReader,
    mut copies: Query<(Entity, &mut CpuSkinned)>,
) {
    for (entity, mut copy) in &mut copies {
        // Not loaded yet, or without its joints: it stays as it is.
        let _ = copy.bypass_change_detection().skin(entity, &reader, &mut followed);
    }
}

/// Writes what was skinned to the meshes of the copies.
pub(crate) fn write_copies(
    meshes: Option<ResMut<Assets<Mesh>>>,
    mut copies: Query<(Entity, &mut CpuSkinned)>,
    mut commands: Commands,
) {
    let Some(mut meshes) = meshes else { return };
    for (entity, mut copy) in &mut copies {
        let copy = copy.bypass_change_detection();
        // Else the resource would count as changed in every frame.
        if copy.pending == PoseChange::None {
            continue;
        }
        if let Some(mesh) = copy.write(&mut meshes) {
            commands.entity(entity).try_insert(Mesh3d(mesh));
        }
    }
}

fn skin(pose: &PosedMesh, skinned: &mut Option<Skinned>) -> Result<(), Problem> {
    let unsupported = |error: &dyn std::fmt::Display| Problem::UnsupportedMesh(error.to_string().into());
    let mesh = &pose.shape.mesh;
    let skinned = match skinned {
        Some(skinned) => skinned,
        skinned => {
            let buffer = Skinned::new(mesh, Attributes::stored_in(mesh));
            skinned.insert(buffer.map_err(|error| unsupported(&error))?)
        }
    };
    // As Bevy's shaders: normals by the inverse transpose, and unit length afterwards.
    let options: SkinOptions<'_> =
        pose.skin_options().with_normals(NormalTransform::Cofactor).with_directions(DirectionLength::Unit);
    mesh.skin(&pose.palette, &options, skinned).map_err(|error| unsupported(&error))
}

/// A copy that keeps its shape by itself.
fn copy_without_skin(source: &Mesh) -> Option<Mesh> {
    let mut copy = Mesh::new(source.primitive_topology(), source.asset_usage);
    for (attribute, values) in source.try_attributes().ok()? {
        if attribute.id != Mesh::ATTRIBUTE_JOINT_INDEX.id && attribute.id != Mesh::ATTRIBUTE_JOINT_WEIGHT.id {
            copy.insert_attribute(*attribute, values.clone());
        }
    }
    if let Some(indices) = source.try_indices_option().ok()? {
        copy.insert_indices(indices.clone());
    }
    Some(copy)
}

fn write_vertices(pose: &PosedMesh, skinned: &Skinned, to: &mut Mesh) {
    const SKINNED: &str = "the buffer was made for the mesh, and the copy has as many vertices";
    let mesh = &pose.shape.mesh;
    if let Ok(VertexAttributeValues::Float32x3(positions)) = to.try_attribute_mut(Mesh::ATTRIBUTE_POSITION) {
        skinned.positions(mesh, positions).expect(SKINNED);
    }
    if skinned.attributes() >= Attributes::Normals
        && let Ok(VertexAttributeValues::Float32x3(normals)) = to.try_attribute_mut(Mesh::ATTRIBUTE_NORMAL)
    {
        skinned.normals(mesh, normals).expect(SKINNED);
    }
    if skinned.attributes() >= Attributes::Tangents
        && let Ok(VertexAttributeValues::Float32x4(tangents)) = to.try_attribute_mut(Mesh::ATTRIBUTE_TANGENT)
    {
        let mut skinned_tangents = vec![[0.0; 3]; tangents.len()];
        skinned.tangents(mesh, &mut skinned_tangents).expect(SKINNED);
        for (to, [x, y, z]) in tangents.iter_mut().zip(skinned_tangents) {
            // The sign of the bitangent stays.
            *to = [x, y, z, to[3]];
        }
    }
}
