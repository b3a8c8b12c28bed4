//! Skinning: positions alone, or positions, normals and tangents.

use std::hint::black_box;

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{BLOCK, VectorBlock};
use sinew_papers::{Vertex, plain};
#[cfg(not(target_arch = "x86_64"))]
use sinew_papers::{plain as sse2, plain as sse3};
#[cfg(target_arch = "x86_64")]
use sinew_papers::{sse2, sse3};

use super::{Implementation, MaxError, Routine, SkinMesh};

/// `TransformVerts` with one vector per vertex, `TransformVertsAndTangents` with three.
impl Routine for SkinMesh {
    fn elements(&self) -> usize {
        self.lists.len()
    }

    fn has(&self, _: Implementation) -> bool {
        true
    }

    fn runner(&self, implementation: Implementation) -> Box<dyn FnMut() + '_> {
        match implementation.kernels() {
            Some(kernels) => {
                let mut output = self.base().to_vec();
                Box::new(move || self.skin(kernels, &mut output))
            }
            None => {
                let mut vertices = vec![Vertex::default(); self.elements()];
                Box::new(move || self.skin_published(implementation, &mut vertices))
            }
        }
    }

    fn error(&self, implementation: Implementation) -> f64 {
        let found: Vec<[[f32; 3]; 3]> = match implementation.kernels() {
            Some(kernels) => {
                let mut output = self.base().to_vec();
                self.skin(kernels, &mut output);
                (0..self.elements()).map(|vertex| self.vertex_of_blocks(&output, vertex)).collect()
            }
            None => {
                let mut vertices = vec![Vertex::default(); self.elements()];
                self.skin_published(implementation, &mut vertices);
                vertices.iter().map(vertex_vectors).collect()
            }
        };
        self.max_error(&found).relative()
    }
}

impl SkinMesh {
    fn skin_published(&self, implementation: Implementation, vertices: &mut [Vertex]) {
        let palette = black_box(self.palette.as_slice());
        match (self.vectors(), implementation) {
            (1, Implementation::Plain) => plain::skin_positions(&self.weighted, palette, vertices),
            (1, Implementation::Sse3) => sse3::skin_positions(&self.weighted, palette, vertices),
            (1, _) => sse2::skin_positions(&self.weighted, palette, vertices),
            (_, Implementation::Plain) => plain::skin_vertices(&self.bind, palette, vertices),
            (_, Implementation::Sse3) => sse3::skin_vertices(&self.bind, palette, vertices),
            (_, _) => sse2::skin_vertices(&self.bind, palette, vertices),
        }
    }

    fn vertex_of_blocks(&self, output: &[VectorBlock], vertex: usize) -> [[f32; 3]; 3] {
        let blocks = &output[vertex / BLOCK * self.vectors()..][..self.vectors()];
        std::array::from_fn(|v| blocks.get(v).map_or([0.0; 3], |block| block.vector(vertex % BLOCK)))
    }

    fn max_error(&self, found: &[[[f32; 3]; 3]]) -> MaxError {
        let mut error = MaxError::default();
        for (vertex, (list, found)) in self.lists.iter().zip(found).enumerate() {
            let wide = |&(joint, weight): &(u32, f32)| {
                (f64::from(weight), algebra::widen(&self.palette[joint as usize]))
            };
            let matrix = reference::blend(&list.iter().map(wide).collect::<Vec<_>>());
            for (v, found) in found.iter().enumerate().take(self.vectors()) {
                let base = self.plain[v][vertex].map(f64::from);
                let expected = match v {
                    0 => reference::skin_position(&matrix, base),
                    _ => reference::skin_direction(&matrix, base),
                };
                error.compare_all(expected, *found);
            }
        }
        error
    }
}

fn vertex_vectors(vertex: &Vertex) -> [[f32; 3]; 3] {
    [vertex.position, vertex.normal, vertex.tangent].map(|[x, y, z, _]| [x, y, z])
}
