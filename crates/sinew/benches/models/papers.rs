//! The papers' methods on the same surface, and copies of as many bytes.

use std::error::Error;
use std::hint::black_box;

use sinew::{Attributes, Matrix, SkinOptions, Skinned, VectorBlock};
#[cfg(not(target_arch = "x86_64"))]
use sinew_kernels::papers::plain as method;
#[cfg(target_arch = "x86_64")]
use sinew_kernels::papers::sse2 as method;
use sinew_kernels::papers::{BindPose, Influences, Vertex, WeightedPositions};

use crate::surface::{Rig, Surface};

/// A surface as the papers have it: vertices in the source's order.
pub(crate) struct Papers {
    bind: BindPose,
    weighted: WeightedPositions,
    palette: Vec<Matrix>,
}

impl Papers {
    pub(crate) fn new(surface: &Surface) -> Self {
        let mut influences = surface.joints.iter().copied().zip(surface.weights.iter().copied());
        let lists: Vec<Vec<_>> =
            surface.counts.iter().map(|&count| influences.by_ref().take(count as usize).collect()).collect();
        let tangents: Vec<_> = surface.tangents.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
        let (list, positions) = (Influences::of_vertices(&lists), &surface.positions);
        Self {
            bind: BindPose::new(list.clone(), positions, &surface.normals, &tangents),
            weighted: WeightedPositions::in_bind_pose(
                list,
                positions,
                &vec![Matrix::IDENTITY; surface.skin_len],
            ),
            palette: surface.model_from_joint(),
        }
    }

    /// To be called again and again: position, normal and tangent.
    pub(crate) fn vertices(&self) -> impl FnMut() {
        let mut to = self.memory();
        move || method::skin_vertices(&self.bind, black_box(&self.palette), &mut to)
    }

    /// To be called again and again: positions alone.
    pub(crate) fn positions(&self) -> impl FnMut() {
        let mut to = self.memory();
        move || method::skin_positions(&self.weighted, black_box(&self.palette), &mut to)
    }

    fn memory(&self) -> Vec<Vertex> {
        vec![Vertex::default(); self.bind.vertices()]
    }

    /// Demands that the mesh goes where the papers take it.
    pub(crate) fn check(&self, rig: &Rig) -> Result<(), Box<dyn Error>> {
        let mut expected = self.memory();
        method::skin_vertices(&self.bind, &self.palette, &mut expected);
        let mut skinned = Skinned::new(&rig.mesh, Attributes::Tangents)?;
        rig.mesh.skin(&rig.palette, &SkinOptions::default(), &mut skinned)?;
        let mut found = vec![[0.0; 3]; rig.mesh.len()];
        skinned.positions(&rig.mesh, &mut found)?;
        let (mut size, mut largest) = (1.0_f32, 0.0_f32);
        for (expected, found) in expected.iter().zip(&found) {
            for (expected, found) in expected.position.iter().zip(found) {
                size = size.max(expected.abs());
                largest = largest.max((expected - found).abs());
            }
        }
        if largest <= 1e-5 * size {
            return Ok(());
        }
        Err(format!("a vertex is {largest} from where the papers take it, in a model of size {size}").into())
    }
}

/// To be called again and again: a copy that reads and writes as many bytes together.
pub(crate) fn copy(bytes: usize) -> impl FnMut() {
    let from = vec![VectorBlock::default(); bytes / 2 / size_of::<VectorBlock>()];
    let mut to = from.clone();
    move || black_box(&mut to).copy_from_slice(black_box(&from))
}
