//! Linear blend skinning of a batch of poses.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use sinew::mesh::{Morphed, VertexOrder, Weights};
use sinew::skinning::{Target, VertexLayout, VertexWriter};
use sinew::{Bone, JointId, Matrix, Mesh, MeshSource, Palette, Skeleton, Skin, SkinOptions, Transform};

use super::influences::Influences;
use super::kinematics::{PosedJoints, RestSkeleton, Rotations};
use crate::errors::refused;
use crate::interrupts::{Schedule, run, thread_count};

/// Work below this many vertices is done by the calling thread.
const BRIEF: usize = 400_000;

/// A body: what does not change from pose to pose, arranged for the kernels.
pub(super) struct Body {
    pub(super) vertices: Vec<[f32; 3]>,
    pub(super) parents: Vec<Option<usize>>,
    pub(super) rest: Vec<[f32; 3]>,
    pub(super) influences: Influences,
    mesh: Mesh,
    skin: Skin,
}

/// A batch of poses.
#[derive(Clone, Copy)]
pub(super) struct Batch<'a> {
    pub(super) len: usize,
    pub(super) rotations: Rotations<'a>,
    /// Added to the vertices before skinning: for all poses, or for each.
    pub(super) offsets: Option<&'a [[f32; 3]]>,
    /// The joints at rest: for all poses, or for each.
    pub(super) rest: &'a [[f32; 3]],
    /// Added to each posed vertex, one per pose.
    pub(super) translations: Option<&'a [[f32; 3]]>,
}

impl<'a> Batch<'a> {
    pub(super) fn pose(&self, pose: usize, joints: usize) -> Rotations<'a> {
        match self.rotations {
            Rotations::Vectors(all) => Rotations::Vectors(&all[3 * joints * pose..3 * joints * (pose + 1)]),
            Rotations::Matrices(all) => Rotations::Matrices(&all[9 * joints * pose..9 * joints * (pose + 1)]),
        }
    }

    /// The part of an array for one pose, if there is one for each.
    fn part<T>(all: &'a [T], per_pose: usize, pose: usize) -> &'a [T] {
        if all.len() == per_pose { all } else { &all[per_pose * pose..per_pose * (pose + 1)] }
    }

    pub(super) fn rest_of(&self, pose: usize, joints: usize) -> &'a [[f32; 3]] {
        Self::part(self.rest, joints, pose)
    }

    pub(super) fn offsets_of(&self, pose: usize, vertices: usize) -> Option<&'a [[f32; 3]]> {
        self.offsets.map(|offsets| Self::part(offsets, vertices, pose))
    }

    pub(super) fn translation_of(&self, pose: usize) -> [f64; 3] {
        self.translations.map_or([0.0; 3], |all| all[pose].map(f64::from))
    }
}

impl Body {
    pub(super) fn new(
        vertices: &[[f32; 3]],
        influences: Influences,
        parents: Vec<Option<usize>>,
        rest: &[[f32; 3]],
    ) -> PyResult<Self> {
        // The kernels take the matrices of each pose as they are: the skeleton only counts joints.
        let bones: Vec<_> = parents.iter().map(|_| Bone::new("", None, Transform::IDENTITY)).collect();
        let skeleton = Skeleton::new(&bones).map_err(refused)?;
        let joints: Vec<_> = (0..bones.len()).map(JointId::new).collect();
        let skin = Skin::new(&skeleton, &joints).map_err(refused)?;
        let source =
            MeshSource { weights: Weights::AsStored, ..MeshSource::new(vertices, influences.source()) };
        let mesh = Mesh::new(&source, &skin).map_err(refused)?;
        Ok(Self { vertices: vertices.to_vec(), parents, rest: rest.to_vec(), influences, mesh, skin })
    }

    pub(super) fn skeleton<'a>(&'a self, rest: &'a [[f32; 3]]) -> RestSkeleton<'a> {
        RestSkeleton { parents: &self.parents, rest }
    }

    /// Skins each pose into its part of `to`.
    pub(super) fn lbs(
        &self,
        py: Python<'_>,
        batch: &Batch<'_>,
        threads: Option<usize>,
        to: &mut [f32],
    ) -> PyResult<()> {
        let vertices = self.vertices.len();
        if vertices == 0 || batch.len == 0 {
            return Ok(());
        }
        let brief = vertices * batch.len < BRIEF;
        let threads = thread_count(threads, batch.len)?;
        let schedule = Schedule { threads, total: batch.len, progress: None, brief };
        let queue = Mutex::new(to.chunks_exact_mut(3 * vertices).enumerate());
        run(py, &schedule, refused::<sinew::Error>, |monitor| {
            let mut poser = BodyPoser::new(self);
            loop {
                let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((pose, to)) = next else { return Ok(()) };
                poser.skin(batch, pose, to)?;
                if !monitor.advance() {
                    return Ok(());
                }
            }
        })
    }
}

/// The memory of one thread.
struct BodyPoser<'a> {
    body: &'a Body,
    joints: PosedJoints,
    matrices: Vec<Matrix>,
    palette: Palette,
    /// The vertices with their offsets, for bodies that have some.
    shape: Vec<[f32; 3]>,
    morphed: Option<Morphed>,
}

impl<'a> BodyPoser<'a> {
    fn new(body: &'a Body) -> Self {
        Self {
            body,
            joints: PosedJoints::default(),
            matrices: vec![Matrix::IDENTITY; body.parents.len()],
            palette: Palette::new(&body.skin),
            shape: Vec::new(),
            morphed: None,
        }
    }

    fn skin(&mut self, batch: &Batch<'_>, pose: usize, to: &mut [f32]) -> Result<(), sinew::Error> {
        let body = self.body;
        let joints = body.parents.len();
        let skeleton = body.skeleton(batch.rest_of(pose, joints));
        skeleton.pose(batch.pose(pose, joints), &mut self.joints);
        let moved = batch.translation_of(pose);
        for (joint, matrix) in self.matrices.iter_mut().enumerate() {
            let (rotation, translation) = skeleton.skinning_transform(&self.joints, joint);
            for row in 0..3 {
                let [x, y, z] = rotation[row].map(|value| value as f32);
                matrix.rows[row] = [x, y, z, (translation[row] + moved[row]) as f32];
            }
        }
        self.palette.copy_from_matrices(&self.matrices)?;
        self.set_shape(batch, pose)?;
        let writer = VertexWriter::new(&VertexLayout::packed(1), [to], body.vertices.len())
            .expect("three floats for each vertex");
        let options = match &self.morphed {
            Some(morphed) => SkinOptions::default().with_morphed(morphed),
            None => SkinOptions::default(),
        };
        Ok(body.mesh.skin_into(&self.palette, &options, Target::vertices(writer))?)
    }

    /// Adds the offsets of a pose to the vertices, unless they are the same for all and were added.
    fn set_shape(&mut self, batch: &Batch<'_>, pose: usize) -> Result<(), sinew::Error> {
        let body = self.body;
        let Some(offsets) = batch.offsets_of(pose, body.vertices.len()) else { return Ok(()) };
        let same_for_all = batch.offsets.is_some_and(|all| all.len() == body.vertices.len());
        if same_for_all && self.morphed.is_some() {
            return Ok(());
        }
        self.shape.clear();
        self.shape
            .extend(body.vertices.iter().zip(offsets).map(|(v, o)| [v[0] + o[0], v[1] + o[1], v[2] + o[2]]));
        let morphed = self.morphed.get_or_insert_with(|| Morphed::in_order(&body.mesh, VertexOrder::Source));
        Ok(body.mesh.replace_positions(&self.shape, morphed)?)
    }
}
