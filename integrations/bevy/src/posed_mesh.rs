//! The pose of one mesh, as of the last time that it was asked for.

use std::sync::Arc;

use bevy_asset::AssetId;
use bevy_ecs::change_detection::{CheckChangeTicks, Tick};
use bevy_ecs::entity::Entity;
use bevy_mesh::Mesh;
use bevy_mesh::skinning::SkinnedMeshInverseBindposes;
use sinew::mesh::Morphed;
use sinew::{Matrix, Palette, SkinOptions};

use crate::Problem;
use crate::pose_reader::{PoseReader, Space};
use crate::shape::{Shape, ShapeKey, Shapes, Vertices};

/// The pose of a mesh: its shape, palette and morphed vertices.
#[derive(Debug)]
pub(crate) struct PosedMesh {
    pub(crate) shape: Arc<Shape>,
    pub(crate) palette: Palette,
    pub(crate) morph_weights: Vec<f32>,
    /// Whether the entity has a component with weights: that one is gone is no change of it.
    has_morph_weights: bool,
    pub(crate) morphed: Option<Morphed>,
    key: ShapeKey,
    bind_poses: Option<AssetId<SkinnedMeshInverseBindposes>>,
}

/// A pose that follows an entity, and is computed when it is asked for.
#[derive(Debug, Default)]
pub(crate) struct FollowedPose {
    /// The run in which it was last checked, and what was found then.
    checked: Option<(Tick, Option<Problem>)>,
    pose: Option<PosedMesh>,
}

/// Whether a pose differs from the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PoseChange {
    /// The same mesh in the same pose.
    #[default]
    None,
    /// The same mesh in another pose.
    Pose,
    /// Another mesh.
    Mesh,
}

impl FollowedPose {
    /// Brings the pose up to date. Within one run of a system, only the first call looks.
    pub(crate) fn update(
        &mut self,
        (entity, space, vertices): (Entity, Space, Vertices),
        reader: &PoseReader<'_, '_>,
        shapes: &mut Shapes,
        scratch: &mut Vec<Matrix>,
    ) -> Result<(&mut PosedMesh, PoseChange), Problem> {
        let this_run = reader.this_run();
        if let Some((last, problem)) = &self.checked
            && *last == this_run
        {
            return match (problem, &mut self.pose) {
                (None, Some(pose)) => Ok((pose, PoseChange::None)),
                (problem, _) => Err(problem.clone().unwrap_or(Problem::NoMesh)),
            };
        }
        let change = self.refresh((entity, space, vertices), reader, shapes, scratch);
        self.checked = Some((this_run, change.as_ref().err().cloned()));
        match (change, &mut self.pose) {
            (Ok(change), Some(pose)) => Ok((pose, change)),
            (change, _) => Err(change.err().unwrap_or(Problem::NoMesh)),
        }
    }

    fn refresh(
        &mut self,
        (entity, space, vertices): (Entity, Space, Vertices),
        reader: &PoseReader<'_, '_>,
        shapes: &mut Shapes,
        scratch: &mut Vec<Matrix>,
    ) -> Result<PoseChange, Problem> {
        let entity = reader.entity(entity)?;
        let (key, bind_poses) = (entity.shape_key(vertices), entity.bind_poses());
        self.pose.take_if(|pose| pose.key != key || pose.bind_poses != bind_poses);
        let has_morph_weights = entity.has_morph_weights();
        if self.pose.as_ref().is_some_and(|pose| pose.has_morph_weights == has_morph_weights)
            && let Some((last, None)) = self.checked
            && !reader.is_changed(&entity, space, last)
        {
            return Ok(PoseChange::None);
        }
        reader.read_matrices(&entity, space, scratch)?;
        let change = if self.pose.is_some() { PoseChange::Pose } else { PoseChange::Mesh };
        let pose = match &mut self.pose {
            Some(pose) => pose,
            pose => {
                let shape = shapes.get(key, reader.mesh(&entity)?)?;
                pose.insert(PosedMesh::new(shape, key, bind_poses, scratch))
            }
        };
        // The lengths are equal: both follow from the key.
        pose.palette.copy_from_matrices(scratch).map_err(|_| Problem::NoMesh)?;
        pose.has_morph_weights = has_morph_weights;
        reader.read_morph_weights(&entity, &mut pose.morph_weights);
        if let Some(morphed) = &mut pose.morphed {
            let all_finite = pose.shape.mesh.morph(&pose.morph_weights, morphed);
            all_finite.map_err(|error| Problem::UnsupportedMesh(error.to_string().into()))?;
        }
        Ok(change)
    }

    /// The pose of the last update that succeeded.
    pub(crate) fn pose(&self) -> Option<&PosedMesh> {
        self.pose.as_ref()
    }

    /// Whether it uses a mesh.
    pub(crate) fn uses_mesh(&self, mesh: AssetId<Mesh>) -> bool {
        self.pose.as_ref().is_some_and(|pose| pose.key.mesh == mesh)
    }

    /// Whether it uses these bind poses.
    pub(crate) fn uses_bind_poses(&self, bind_poses: AssetId<SkinnedMeshInverseBindposes>) -> bool {
        self.pose.as_ref().is_some_and(|pose| pose.bind_poses == Some(bind_poses))
    }

    /// Keeps the tick of the last check comparable, as Bevy does with its own in long runs.
    pub(crate) fn check_ticks(&mut self, check: CheckChangeTicks) {
        self.checked.take_if(|(tick, _)| tick.check_tick(check));
    }

    /// Forgets the pose, so that the next update begins anew.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

impl PosedMesh {
    fn new(
        shape: Arc<Shape>,
        key: ShapeKey,
        bind_poses: Option<AssetId<SkinnedMeshInverseBindposes>>,
        matrices: &[Matrix],
    ) -> Self {
        let targets = shape.mesh.morph_count();
        Self {
            palette: Palette::from_matrices(matrices.to_vec()),
            morph_weights: vec![0.0; targets],
            has_morph_weights: false,
            morphed: (targets > 0).then(|| Morphed::new(&shape.mesh)),
            shape,
            key,
            bind_poses,
        }
    }

    pub(crate) fn skin_options(&self) -> SkinOptions<'_> {
        let options = SkinOptions::default();
        match &self.morphed {
            // Zero weights leave the mesh as it is, and then rays need not skin all of it.
            Some(morphed) if self.is_morphed() => options.with_morphed(morphed),
            _ => options,
        }
    }

    pub(crate) fn mesh_asset(&self) -> AssetId<Mesh> {
        self.key.mesh
    }

    /// Whether joints move it, not its own transform.
    pub(crate) fn is_skinned(&self) -> bool {
        self.key.joints.is_some()
    }

    fn is_morphed(&self) -> bool {
        self.morph_weights.iter().any(|&weight| weight != 0.0)
    }
}
