//! Reads the pose of a mesh from Bevy's components: joints, transforms and morph weights.

use bevy_asset::{AssetId, Assets};
use bevy_ecs::change_detection::{DetectChanges, Ref, Tick};
use bevy_ecs::entity::Entity;
use bevy_ecs::system::{Query, Res, SystemChangeTick, SystemParam};
use bevy_math::Affine3A;
use bevy_mesh::morph::{MeshMorphWeights, MorphWeights};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Mesh, Mesh3d};
use bevy_transform::components::GlobalTransform;
use sinew::Matrix;

use crate::Problem;
use crate::shape::{ShapeKey, Vertices};

/// All that the pose of a mesh depends on.
#[derive(SystemParam)]
pub(crate) struct PoseReader<'w, 's> {
    meshes: Option<Res<'w, Assets<Mesh>>>,
    bind_poses: Option<Res<'w, Assets<SkinnedMeshInverseBindposes>>>,
    posed: Query<
        'w,
        's,
        (
            Ref<'static, Mesh3d>,
            Ref<'static, GlobalTransform>,
            Option<Ref<'static, SkinnedMesh>>,
            Option<Ref<'static, MeshMorphWeights>>,
        ),
    >,
    transforms: Query<'w, 's, Ref<'static, GlobalTransform>>,
    morph_weights: Query<'w, 's, Ref<'static, MorphWeights>>,
    ticks: SystemChangeTick,
}

/// The components of one entity with a mesh.
pub(crate) struct PosedEntity<'a> {
    mesh: Ref<'a, Mesh3d>,
    transform: Ref<'a, GlobalTransform>,
    skin: Option<Ref<'a, SkinnedMesh>>,
    morph: Option<Ref<'a, MeshMorphWeights>>,
}

/// What a pose is relative to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Space {
    World,
    /// The space of an entity.
    Entity(Entity),
}

impl PoseReader<'_, '_> {
    /// The tick of this run of the system. During a run nothing that is read here can change.
    pub(crate) fn this_run(&self) -> Tick {
        self.ticks.this_run()
    }

    pub(crate) fn entity(&self, entity: Entity) -> Result<PosedEntity<'_>, Problem> {
        let (mesh, transform, skin, morph) = self.posed.get(entity).map_err(|_| Problem::NoMesh)?;
        Ok(PosedEntity { mesh, transform, skin, morph })
    }

    pub(crate) fn mesh(&self, entity: &PosedEntity<'_>) -> Result<&Mesh, Problem> {
        let meshes = self.meshes.as_ref().ok_or(Problem::MeshNotLoaded)?;
        meshes.get(&entity.mesh.0).ok_or(Problem::MeshNotLoaded)
    }

    /// Whether the pose may have changed since a tick: joints, transforms, weights or components.
    pub(crate) fn is_changed(&self, entity: &PosedEntity<'_>, space: Space, since: Tick) -> bool {
        let is_newer = |changed: Tick| changed.is_newer_than(since, self.this_run());
        let is_moved = |entity: Entity| {
            self.transforms.get(entity).map_or(true, |transform| is_newer(transform.last_changed()))
        };
        let PosedEntity { mesh, transform, skin, morph } = entity;
        is_newer(mesh.last_changed())
            || match skin {
                Some(skin) => {
                    is_newer(skin.last_changed()) || skin.joints.iter().any(|&joint| is_moved(joint))
                }
                None => is_newer(transform.last_changed()),
            }
            || match space {
                Space::World => false,
                Space::Entity(entity) => is_moved(entity),
            }
            || morph.as_ref().is_some_and(|morph| {
                is_newer(morph.last_changed())
                    || match **morph {
                        MeshMorphWeights::Value { .. } => false,
                        MeshMorphWeights::Reference(entity) => self
                            .morph_weights
                            .get(entity)
                            .map_or(true, |weights| is_newer(weights.last_changed())),
                    }
            })
    }

    /// Writes one matrix per joint, from the mesh at rest to the posed mesh; for a mesh without a
    /// skin, the transform of its entity.
    pub(crate) fn read_matrices(
        &self,
        entity: &PosedEntity<'_>,
        space: Space,
        to: &mut Vec<Matrix>,
    ) -> Result<(), Problem> {
        to.clear();
        let space_from_world = match space {
            Space::World => None,
            Space::Entity(entity) => {
                let transform = self.transforms.get(entity).map_err(|_| Problem::NoMesh)?;
                Some(transform.affine().inverse())
            }
        };
        let relative = |world_from_mesh: Affine3A| match space_from_world {
            None => Matrix::from(world_from_mesh),
            Some(space_from_world) => Matrix::from(space_from_world * world_from_mesh),
        };
        let Some(skin) = &entity.skin else {
            to.push(relative(entity.transform.affine()));
            return Ok(());
        };
        let bind_poses = self.bind_poses.as_ref().and_then(|all| all.get(&skin.inverse_bindposes));
        let bind_poses = bind_poses.ok_or(Problem::BindPosesNotLoaded)?;
        if bind_poses.len() < skin.joints.len() {
            let found = format!("it has {} joints and {} bind poses", skin.joints.len(), bind_poses.len());
            return Err(Problem::UnsupportedMesh(found.into()));
        }
        for (&joint, &joint_from_mesh) in skin.joints.iter().zip(bind_poses.iter()) {
            let world_from_joint = self.transforms.get(joint).map_err(|_| Problem::JointMissing(joint))?;
            to.push(relative(world_from_joint.affine() * Affine3A::from_mat4(joint_from_mesh)));
        }
        Ok(())
    }

    /// Writes the weight of each morph target. Weights that are missing or not finite are zero.
    pub(crate) fn read_morph_weights(&self, entity: &PosedEntity<'_>, to: &mut [f32]) {
        to.fill(0.0);
        let referenced;
        let weights = match entity.morph.as_deref() {
            None => &[],
            Some(MeshMorphWeights::Value { weights }) => weights.as_slice(),
            Some(&MeshMorphWeights::Reference(entity)) => match self.morph_weights.get(entity) {
                Ok(weights) => {
                    referenced = weights;
                    referenced.weights()
                }
                Err(_) => &[],
            },
        };
        for (to, &weight) in to.iter_mut().zip(weights) {
            *to = if weight.is_finite() { weight } else { 0.0 };
        }
    }

    /// The entity of a joint of the skin.
    pub(crate) fn joint(&self, entity: Entity, joint: usize) -> Option<Entity> {
        let (_, _, skin, _) = self.posed.get(entity).ok()?;
        skin?.joints.get(joint).copied()
    }
}

impl PosedEntity<'_> {
    pub(crate) fn shape_key(&self, vertices: Vertices) -> ShapeKey {
        ShapeKey {
            mesh: self.mesh.0.id(),
            joints: self.skin.as_ref().map(|skin| skin.joints.len()),
            vertices,
        }
    }

    pub(crate) fn has_morph_weights(&self) -> bool {
        self.morph.is_some()
    }

    pub(crate) fn bind_poses(&self) -> Option<AssetId<SkinnedMeshInverseBindposes>> {
        self.skin.as_ref().map(|skin| skin.inverse_bindposes.id())
    }
}
