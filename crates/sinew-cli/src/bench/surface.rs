//! A surface in plain arrays, as the papers' methods take it, and as meshes on every instruction set are made of it.

use std::hint::black_box;

use sinew::kernels::BLOCK;
#[cfg(not(target_arch = "x86_64"))]
use sinew::kernels::papers::plain as method;
#[cfg(target_arch = "x86_64")]
use sinew::kernels::papers::sse2 as method;
use sinew::kernels::papers::{BindPose, Influences, Vertex, WeightedPositions};
use sinew::kernels::reference::{self, algebra};
use sinew::{
    Attributes, Bone, DualPalette, Kernels, Matrix, Mesh, MeshSource, Model, Palette, Skeleton, Skin,
    SkinOptions, Skinned, Transform, VectorBlock,
};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::routines::Worst;

use crate::Failure;

/// All that a model has of what is skinned, in one mesh.
#[derive(Clone, Default)]
pub(super) struct Surface {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 4]>,
    /// Joint and weight of every influence of each vertex.
    lists: Vec<Vec<(u32, f32)>>,
    skin_len: usize,
}

impl Surface {
    /// Of every part, each on joints of its own. Normals and tangents that are not there are made up.
    pub(super) fn of_model(model: &Model) -> Self {
        let mut surface = Self::default();
        for part in 0..model.parts().len() {
            surface.add(&model.surface(part).mesh);
        }
        surface
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
            // Of models that keep other sums, too: the papers' methods and ours must do the same.
            let sum: f32 = list.iter().map(|influence| influence.1).sum();
            list.iter_mut().for_each(|influence| influence.1 /= sum);
            self.lists.push(list);
        }
        self.skin_len += mesh.skin_len();
    }

    /// The surface and a second one like it, on joints of its own.
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

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Where the joints are: anywhere, which does not matter to the time.
    fn model_from_joint(&self) -> Vec<Matrix> {
        rigs::rigid_matrices(self.skin_len, &mut Random::new(1))
    }

    /// As the papers' methods take it.
    pub(super) fn papers(&self) -> Papers {
        let tangents: Vec<_> = self.tangents.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
        let (list, at_rest) = (Influences::of_vertices(&self.lists), vec![Matrix::IDENTITY; self.skin_len]);
        Papers {
            bind: BindPose::new(list.clone(), &self.positions, &self.normals, &tangents),
            weighted: WeightedPositions::in_bind_pose(list, &self.positions, &at_rest),
            palette: self.model_from_joint(),
        }
    }

    /// The mesh on these kernels.
    pub(super) fn rig(&self, kernels: &'static Kernels, levels: &[usize]) -> Result<Rig, Failure> {
        let bone = Bone::new("", None, Transform::IDENTITY);
        let skeleton = Skeleton::new(&vec![bone; self.skin_len])?.with_kernels(kernels);
        let skin = Skin::new(&skeleton, &(0..self.skin_len).collect::<Vec<_>>())?;
        let mut palette = Palette::new(&skin);
        palette.update(&self.model_from_joint(), &skin)?;
        let mut duals = DualPalette::new(&skin);
        duals.update(&palette)?;
        let counts: Vec<u32> = self.lists.iter().map(|list| list.len() as u32).collect();
        let (joints, weights): (Vec<u32>, Vec<f32>) = self.lists.iter().flatten().copied().unzip();
        let influences = sinew::Influences::Listed { counts: &counts, joints: &joints, weights: &weights };
        let source = MeshSource {
            normals: Some(&self.normals),
            tangents: Some(&self.tangents),
            levels,
            ..MeshSource::new(&self.positions, influences)
        };
        Ok(Rig { mesh: Mesh::new(&source, &skin)?, palette, duals })
    }

    /// The largest distance of a position from where `f64` takes it, as a share of the largest coordinate.
    pub(super) fn error(&self, rig: &Rig) -> Result<f64, Failure> {
        let mut skinned = Skinned::new(&rig.mesh, Attributes::Positions)?;
        rig.mesh.skin(&rig.palette, &SkinOptions::default(), &mut skinned)?;
        let palette: Vec<_> = self.model_from_joint().iter().map(algebra::widen).collect();
        let mut worst = Worst::default();
        for (vertex, list) in self.lists.iter().enumerate() {
            let list: Vec<_> =
                list.iter().map(|&(joint, weight)| (f64::from(weight), palette[joint as usize])).collect();
            let position = self.positions[vertex].map(f64::from);
            let expected = reference::skin_position(&reference::blend(&list), position);
            worst.compare_all(expected, skinned.position(&rig.mesh, vertex));
        }
        Ok(worst.share())
    }
}

/// A surface as the papers have it: vertices in the source's order.
pub(super) struct Papers {
    bind: BindPose,
    weighted: WeightedPositions,
    palette: Vec<Matrix>,
}

impl Papers {
    /// To be called again and again: position, normal and tangent.
    pub(super) fn vertices(&self) -> impl FnMut() {
        let mut to = vec![Vertex::default(); self.bind.vertices()];
        move || method::skin_vertices(&self.bind, black_box(&self.palette), &mut to)
    }

    /// To be called again and again: positions alone.
    pub(super) fn positions(&self) -> impl FnMut() {
        let mut to = vec![Vertex::default(); self.bind.vertices()];
        move || method::skin_positions(&self.weighted, black_box(&self.palette), &mut to)
    }
}

/// A mesh and where to take it, on the kernels of one instruction set and rounding.
pub(super) struct Rig {
    pub(super) mesh: Mesh,
    pub(super) palette: Palette,
    pub(super) duals: DualPalette,
}

impl Rig {
    /// The bytes that a frame reads of so many vectors, and those of the blocks that it writes.
    pub(super) fn bytes(&self, vectors: usize) -> usize {
        let floats_of_weights = (self.mesh.layout().skinned_influences - 1.0).max(0.0);
        let floats_of_place = floats_of_weights + 2.0 * 3.0 * vectors as f64;
        (self.mesh.padded_len() as f64 * 4.0 * floats_of_place) as usize
    }
}

/// To be called again and again: a copy that reads and writes as many bytes together. Not of zeros: there are processors
/// that write those twice as fast as any other number.
pub(super) fn copy(bytes: usize) -> impl FnMut() {
    let from = vec![VectorBlock { rows: [[0.3; BLOCK]; 3] }; bytes / 2 / size_of::<VectorBlock>()];
    let mut to = from.clone();
    move || black_box(&mut to).copy_from_slice(black_box(&from))
}
