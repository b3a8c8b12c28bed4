//! The skin: positions alone, or positions, normals and tangents.

use std::hint::black_box;

use sinew_kernels::papers::{Vertex, plain};
#[cfg(not(target_arch = "x86_64"))]
use sinew_kernels::papers::{plain as sse2, plain as sse3};
#[cfg(target_arch = "x86_64")]
use sinew_kernels::papers::{sse2, sse3};
use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{BLOCK, VectorBlock};

use super::{Method, Routine, SkinScene, Worst};

/// `TransformVerts` where there is one vector for each vertex, `TransformVertsAndTangents` where there are three.
impl Routine for SkinScene {
    fn elements(&self) -> usize {
        self.lists.len()
    }

    fn has(&self, _: Method) -> bool {
        true
    }

    fn contender(&self, method: Method) -> Box<dyn FnMut() + '_> {
        match method.kernels() {
            Some(kernels) => {
                let mut output = self.base().to_vec();
                Box::new(move || self.skin(kernels, &mut output))
            }
            None => {
                let mut vertices = vec![Vertex::default(); self.elements()];
                Box::new(move || self.skin_as_papers(method, &mut vertices))
            }
        }
    }

    fn error(&self, method: Method) -> f64 {
        let found: Vec<[[f32; 3]; 3]> = match method.kernels() {
            Some(kernels) => {
                let mut output = self.base().to_vec();
                self.skin(kernels, &mut output);
                (0..self.elements()).map(|vertex| self.of_blocks(&output, vertex)).collect()
            }
            None => {
                let mut vertices = vec![Vertex::default(); self.elements()];
                self.skin_as_papers(method, &mut vertices);
                vertices.iter().map(vectors_of).collect()
            }
        };
        self.worst(&found).share()
    }
}

impl SkinScene {
    fn skin_as_papers(&self, method: Method, vertices: &mut [Vertex]) {
        let palette = black_box(self.palette.as_slice());
        match (self.vectors(), method) {
            (1, Method::Plain) => plain::skin_positions(&self.weighted, palette, vertices),
            (1, Method::Sse3) => sse3::skin_positions(&self.weighted, palette, vertices),
            (1, _) => sse2::skin_positions(&self.weighted, palette, vertices),
            (_, Method::Plain) => plain::skin_vertices(&self.bind, palette, vertices),
            (_, Method::Sse3) => sse3::skin_vertices(&self.bind, palette, vertices),
            (_, _) => sse2::skin_vertices(&self.bind, palette, vertices),
        }
    }

    fn of_blocks(&self, output: &[VectorBlock], vertex: usize) -> [[f32; 3]; 3] {
        let blocks = &output[vertex / BLOCK * self.vectors()..][..self.vectors()];
        std::array::from_fn(|v| blocks.get(v).map_or([0.0; 3], |block| block.vector(vertex % BLOCK)))
    }

    fn worst(&self, found: &[[[f32; 3]; 3]]) -> Worst {
        let mut worst = Worst::default();
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
                worst.compare_all(expected, *found);
            }
        }
        worst
    }
}

fn vectors_of(vertex: &Vertex) -> [[f32; 3]; 3] {
    [vertex.position, vertex.normal, vertex.tangent].map(|[x, y, z, _]| [x, y, z])
}
