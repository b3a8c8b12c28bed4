//! A closed cylinder around the y axis, ring by ring.

use crate::Shape;
use crate::portable::sine_cosine;

/// What such a cylinder is like.
pub(crate) struct Can<'a> {
    pub(crate) height: f64,
    pub(crate) radius: f64,
    pub(crate) sides: usize,
    /// Of vertices on the wall, those of both ends included.
    pub(crate) rings: usize,
    /// Which joints move what is at a height, and by how much.
    pub(crate) influences: &'a dyn Fn(f64) -> Vec<(u32, f64)>,
}

struct Vertex {
    position: [f64; 3],
    normal: [f64; 3],
    texture: [f64; 2],
}

impl Can<'_> {
    /// Stands on the origin. Lids have vertices of their own, since their normals differ.
    pub(crate) fn shape(&self) -> Shape {
        let mut shape = Shape::default();
        self.wall(&mut shape);
        self.lid(&mut shape, 0.0);
        self.lid(&mut shape, self.height);
        shape.push_tangents();
        shape
    }

    /// The place of a vertex on the unit circle; the last is the first again, to the bit.
    fn circle(&self, side: usize) -> (f64, f64) {
        sine_cosine((side % self.sides) as f64 / self.sides as f64)
    }

    fn wall(&self, shape: &mut Shape) {
        for ring in 0..self.rings {
            let part = ring as f64 / (self.rings - 1) as f64;
            for side in 0..=self.sides {
                let (x, z) = self.circle(side);
                let vertex = Vertex {
                    position: [self.radius * x, self.height * part, self.radius * z],
                    normal: [x, 0.0, z],
                    texture: [side as f64 / self.sides as f64, 0.75 * (1.0 - part)],
                };
                self.push(shape, &vertex);
            }
        }
        let row = self.sides as u32 + 1;
        for ring in 0..self.rings as u32 - 1 {
            for side in 0..self.sides as u32 {
                let (a, b) = (ring * row + side, ring * row + side + 1);
                shape.triangles.extend([[a, b, b + row], [a, b + row, a + row]]);
            }
        }
    }

    fn lid(&self, shape: &mut Shape, height: f64) {
        let centre = shape.positions.len() as u32;
        let (up, left) = if height > 0.0 { (1.0, 0.25) } else { (-1.0, 0.75) };
        let mut vertex = |x: f64, z: f64| {
            let vertex = Vertex {
                position: [self.radius * x, height, self.radius * z],
                normal: [0.0, up, 0.0],
                texture: [left + 0.12 * x, 0.875 + 0.12 * z * up],
            };
            self.push(shape, &vertex);
        };
        vertex(0.0, 0.0);
        for side in 0..self.sides {
            let (x, z) = self.circle(side);
            vertex(x, z);
        }
        let sides = self.sides as u32;
        for side in 0..sides {
            let (a, b) = (centre + 1 + side, centre + 1 + (side + 1) % sides);
            shape.triangles.push(if height > 0.0 { [centre, a, b] } else { [centre, b, a] });
        }
    }

    fn push(&self, shape: &mut Shape, vertex: &Vertex) {
        shape.positions.push(vertex.position.map(|element| element as f32));
        shape.normals.push(vertex.normal.map(|element| element as f32));
        shape.texture_coordinates.push(vertex.texture.map(|element| element as f32));
        shape.push_influences(&mut (self.influences)(vertex.position[1]));
    }
}
