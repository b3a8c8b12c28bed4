//! The mesh of a closed cylinder around the y axis.

use crate::MeshArrays;
use crate::math::sin_cos_turns;

/// The parameters of the cylinder.
pub(crate) struct CappedCylinder<'a> {
    pub(crate) height: f64,
    pub(crate) radius: f64,
    pub(crate) sides: usize,
    /// Rings of vertices on the wall, including both ends.
    pub(crate) rings: usize,
    /// The joints and weights of vertices at a height.
    pub(crate) influences: &'a dyn Fn(f64) -> Vec<(u32, f64)>,
}

struct Vertex {
    position: [f64; 3],
    normal: [f64; 3],
    uv: [f64; 2],
}

impl CappedCylinder<'_> {
    /// The mesh, standing on the origin. Caps have their own vertices, because their normals
    /// differ.
    pub(crate) fn mesh(&self) -> MeshArrays {
        let mut mesh = MeshArrays::default();
        self.push_wall(&mut mesh);
        self.push_cap(&mut mesh, 0.0);
        self.push_cap(&mut mesh, self.height);
        mesh.push_tangents();
        mesh
    }

    /// A point of the unit circle. The last point equals the first, to the bit.
    fn circle(&self, side: usize) -> (f64, f64) {
        sin_cos_turns((side % self.sides) as f64 / self.sides as f64)
    }

    fn push_wall(&self, mesh: &mut MeshArrays) {
        for ring in 0..self.rings {
            let fraction = ring as f64 / (self.rings - 1) as f64;
            for side in 0..=self.sides {
                let (x, z) = self.circle(side);
                let vertex = Vertex {
                    position: [self.radius * x, self.height * fraction, self.radius * z],
                    normal: [x, 0.0, z],
                    uv: [side as f64 / self.sides as f64, 0.75 * (1.0 - fraction)],
                };
                self.push_vertex(mesh, &vertex);
            }
        }
        let row = self.sides as u32 + 1;
        for ring in 0..self.rings as u32 - 1 {
            for side in 0..self.sides as u32 {
                let (a, b) = (ring * row + side, ring * row + side + 1);
                mesh.triangles.extend([[a, b, b + row], [a, b + row, a + row]]);
            }
        }
    }

    fn push_cap(&self, mesh: &mut MeshArrays, height: f64) {
        let center = mesh.positions.len() as u32;
        let (up, left) = if height > 0.0 { (1.0, 0.25) } else { (-1.0, 0.75) };
        let mut vertex = |x: f64, z: f64| {
            let vertex = Vertex {
                position: [self.radius * x, height, self.radius * z],
                normal: [0.0, up, 0.0],
                uv: [left + 0.12 * x, 0.875 + 0.12 * z * up],
            };
            self.push_vertex(mesh, &vertex);
        };
        vertex(0.0, 0.0);
        for side in 0..self.sides {
            let (x, z) = self.circle(side);
            vertex(x, z);
        }
        let sides = self.sides as u32;
        for side in 0..sides {
            let (a, b) = (center + 1 + side, center + 1 + (side + 1) % sides);
            mesh.triangles.push(if height > 0.0 { [center, a, b] } else { [center, b, a] });
        }
    }

    fn push_vertex(&self, mesh: &mut MeshArrays, vertex: &Vertex) {
        mesh.positions.push(vertex.position.map(|element| element as f32));
        mesh.normals.push(vertex.normal.map(|element| element as f32));
        mesh.texture_coordinates.push(vertex.uv.map(|element| element as f32));
        mesh.push_influences(&mut (self.influences)(vertex.position[1]));
    }
}
