//! The vertices of a model in plain arrays: the input of the papers' methods, and of sinew's mesh
//! on every backend.

use std::hint::black_box;

use sinew::Runtime;
use sinew::kernels::reference::{self, algebra};
use sinew::mesh::Attributes;
use sinew::skinning::{DualQuaternionPalette, Skinned};
use sinew::{Bone, Matrix, Mesh, MeshSource, Model, Palette, Skeleton, Skin, SkinOptions, Transform};
#[cfg(not(target_arch = "x86_64"))]
use sinew_papers::plain as method;
#[cfg(target_arch = "x86_64")]
use sinew_papers::sse2 as method;
use sinew_papers::{BindPose, Influences, Vertex, WeightedPositions};

use crate::Error;
use crate::routines::MaxError;
use crate::workload::{self, Random};

/// All meshes of a model, merged into one.
#[derive(Clone, Default)]
pub(super) struct MeshArrays {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 4]>,
    /// The (joint, weight) pairs of each vertex.
    lists: Vec<Vec<(u32, f32)>>,
    skin_len: usize,
}

impl MeshArrays {
    /// Merges all mesh instances of the model; each gets its own joints. Missing normals and
    /// tangents get a constant.
    pub(super) fn from_model(model: &Model) -> Self {
        let mut arrays = Self::default();
        for mesh_instance in 0..model.mesh_instances().len() {
            arrays.add(&model.primitive(mesh_instance).mesh);
        }
        arrays
    }

    fn add(&mut self, mesh: &Mesh) {
        let len = mesh.len();
        let rest = |attributes, otherwise| mesh.rest(attributes).unwrap_or_else(|| vec![otherwise; len]);
        self.positions.extend(rest(Attributes::Positions, [0.0; 3]));
        self.normals.extend(rest(Attributes::Normals, [0.0, 0.0, 1.0]));
        let tangents = rest(Attributes::Tangents, [1.0, 0.0, 0.0]);
        self.tangents.extend(tangents.into_iter().map(|[x, y, z]| [x, y, z, 1.0]));
        let first = self.skin_len as u32;
        let data = mesh.influences();
        let mut influences = data.joints.iter().map(|joint| first + joint).zip(data.weights);
        for &count in &data.counts {
            let mut list: Vec<(u32, f32)> = influences.by_ref().take(count as usize).collect();
            // Weights that do not sum to one are normalized, so that all methods do the same work.
            let sum: f32 = list.iter().map(|influence| influence.1).sum();
            list.iter_mut().for_each(|influence| influence.1 /= sum);
            self.lists.push(list);
        }
        self.skin_len += mesh.skin_len();
    }

    /// Appends a copy of all vertices, on its own joints.
    pub(super) fn twice(mut self) -> Self {
        let first = self.skin_len as u32;
        let second: Vec<Vec<_>> = self
            .lists
            .iter()
            .map(|list| list.iter().map(|&(joint, weight)| (first + joint, weight)).collect())
            .collect();
        self.positions.extend_from_within(..);
        self.normals.extend_from_within(..);
        self.tangents.extend_from_within(..);
        self.lists.extend(second);
        self.skin_len *= 2;
        self
    }

    /// Vertices at random places, with these influences.
    pub(super) fn random(lists: Vec<Vec<(u32, f32)>>, skin_len: usize, random: &mut Random) -> Self {
        let vector = |random: &mut Random| random.vector(1.0);
        let positions = lists.iter().map(|_| vector(random)).collect();
        let normals = lists.iter().map(|_| vector(random)).collect();
        let tangents = lists.iter().map(|_| vector(random)).map(|[x, y, z]| [x, y, z, 1.0]).collect();
        Self { positions, normals, tangents, lists, skin_len }
    }

    /// So many vertices from the middle, or all.
    pub(super) fn middle(mut self, len: usize) -> Self {
        let first = (self.len() / 3).min(self.len().saturating_sub(len));
        let range = first..self.len().min(first + len);
        self.positions = self.positions[range.clone()].to_vec();
        self.normals = self.normals[range.clone()].to_vec();
        self.tangents = self.tangents[range.clone()].to_vec();
        self.lists = self.lists[range].to_vec();
        self
    }

    /// Copies beside each other, on the same joints: at least so many vertices.
    pub(super) fn repeated(mut self, len: usize) -> Self {
        let (own, copies) = (self.len(), len.div_ceil(self.len().max(1)));
        for copy in 1..copies {
            let (x, z) = (2.0 * (copy % 32) as f32, 2.0 * (copy / 32) as f32);
            self.positions.extend_from_within(..own);
            self.positions[copy * own..].iter_mut().for_each(|p| *p = [p[0] + x, p[1], p[2] + z]);
            self.normals.extend_from_within(..own);
            self.tangents.extend_from_within(..own);
            self.lists.extend_from_within(..own);
        }
        self
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Random joint matrices: they do not affect the time.
    fn model_from_joint(&self) -> Vec<Matrix> {
        workload::rigid_matrices(self.skin_len, &mut Random::new(1))
    }

    /// The input of the papers' methods.
    pub(super) fn papers(&self) -> PublishedMesh {
        let tangents: Vec<_> = self.tangents.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
        let (list, at_rest) = (Influences::from_lists(&self.lists), vec![Matrix::IDENTITY; self.skin_len]);
        PublishedMesh {
            bind: BindPose::new(list.clone(), &self.positions, &self.normals, &tangents),
            weighted: WeightedPositions::in_bind_pose(list, &self.positions, &at_rest),
            palette: self.model_from_joint(),
        }
    }

    /// The input of sinew on this runtime.
    pub(super) fn rig(&self, runtime: Runtime, levels: &[usize]) -> Result<Rig, Error> {
        let bone = Bone::new("", None, Transform::IDENTITY);
        let skeleton = Skeleton::new(&vec![bone; self.skin_len])?.with_runtime(runtime);
        let skin = Skin::new(&skeleton, &skeleton.joints().collect::<Vec<_>>())?;
        let mut palette = Palette::new(&skin);
        palette.update(&self.model_from_joint(), &skin)?;
        let mut dual_quaternions = DualQuaternionPalette::new(&skin);
        dual_quaternions.update(&palette)?;
        let counts: Vec<u32> = self.lists.iter().map(|list| list.len() as u32).collect();
        let (joints, weights): (Vec<u32>, Vec<f32>) = self.lists.iter().flatten().copied().unzip();
        let influences = sinew::Influences::Variable { counts: &counts, joints: &joints, weights: &weights };
        let source = MeshSource {
            normals: Some(&self.normals),
            tangents: Some(&self.tangents),
            levels,
            ..MeshSource::new(&self.positions, influences)
        };
        Ok(Rig { mesh: Mesh::new(&source, &skin)?, palette, dual_quaternions })
    }

    /// The largest error of a position against `f64`, relative to the largest coordinate.
    pub(super) fn error(&self, rig: &Rig) -> Result<f64, Error> {
        let mut skinned = Skinned::new(&rig.mesh, Attributes::Positions)?;
        rig.mesh.skin(&rig.palette, &SkinOptions::default(), &mut skinned)?;
        let palette: Vec<_> = self.model_from_joint().iter().map(algebra::widen).collect();
        let mut error = MaxError::default();
        for (vertex, list) in self.lists.iter().enumerate() {
            let list: Vec<_> =
                list.iter().map(|&(joint, weight)| (f64::from(weight), palette[joint as usize])).collect();
            let position = self.positions[vertex].map(f64::from);
            let expected = reference::skin_position(&reference::blend(&list), position);
            error.compare_all(expected, skinned.position(&rig.mesh, vertex));
        }
        Ok(error.relative())
    }
}

/// The input of the papers' methods, in source order.
pub(super) struct PublishedMesh {
    bind: BindPose,
    weighted: WeightedPositions,
    palette: Vec<Matrix>,
}

impl PublishedMesh {
    /// A closure that skins position, normal and tangent.
    pub(super) fn vertex_runner(&self) -> impl FnMut() {
        let mut to = vec![Vertex::default(); self.bind.vertices()];
        move || method::skin_vertices(&self.bind, black_box(&self.palette), &mut to)
    }

    /// A closure that skins positions alone.
    pub(super) fn position_runner(&self) -> impl FnMut() {
        let mut to = vec![Vertex::default(); self.bind.vertices()];
        move || method::skin_positions(&self.weighted, black_box(&self.palette), &mut to)
    }
}

/// A mesh and its palettes, on the kernels of one backend and float mode.
pub(super) struct Rig {
    pub(super) mesh: Mesh,
    pub(super) palette: Palette,
    pub(super) dual_quaternions: DualQuaternionPalette,
}

impl Rig {
    /// The bytes that skinning reads and writes, with blocks of `vectors` vectors as output.
    pub(super) fn bytes(&self, vectors: usize) -> usize {
        let weight_floats = (self.mesh.layout().skinned_influences - 1.0).max(0.0);
        let slot_floats = weight_floats + 2.0 * 3.0 * vectors as f64;
        (self.mesh.padded_len() as f64 * 4.0 * slot_floats) as usize
    }
}

/// The floats that are copied at once. Longer pieces are copied by a string instruction, which on
/// Zen 3 takes twenty times as long for some pairs of addresses.
const PIECE: usize = 256;

/// A closure that copies half of `bytes`, which reads and writes `bytes` in total. It does not copy
/// zeros, because some CPUs write these twice as fast as other numbers.
pub(super) fn copy_runner(bytes: usize) -> impl FnMut() {
    let from = vec![0.3_f32; bytes / 2 / size_of::<f32>()];
    let mut to = from.clone();
    move || {
        let pieces = black_box(&mut to).chunks_mut(PIECE).zip(black_box(&from).chunks(PIECE));
        pieces.for_each(|(to, from)| to.copy_from_slice(from));
    }
}
