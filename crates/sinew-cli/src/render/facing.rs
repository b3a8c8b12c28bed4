//! Which triangles face a light or the camera, and where those end.

use sinew::{Edges, Facing, Light, Model, Points, Up};

use crate::Failure;

/// The edges of each part's surface, with memory for facing bits.
pub(super) struct Faced {
    pub(super) edges: Vec<Edges>,
    facing: Vec<Facing>,
}

impl Faced {
    pub(super) fn new(model: &Model) -> Result<Self, Failure> {
        let edges = (0..model.parts().len()).map(|part| Edges::new(&model.surface(part).mesh));
        let edges = edges.collect::<Result<Vec<_>, _>>()?;
        let facing = edges.iter().map(|edges| Facing::new(edges.triangles().len())).collect();
        Ok(Self { edges, facing })
    }

    /// Finds which triangles of a part face a light.
    pub(super) fn face(&mut self, part: usize, points: &Points<'_>, light: Light) -> (&Edges, &Facing) {
        let (edges, facing) = (&self.edges[part], &mut self.facing[part]);
        let light = light.homogeneous().map(f64::from);
        for (triangle, corners) in edges.triangles().iter().enumerate() {
            let corners = corners.map(|place| points.point(place as usize).map(f64::from));
            facing.set(triangle, is_front(corners, light));
        }
        (edges, facing)
    }
}

fn is_front([a, b, c]: [[f64; 3]; 3], [x, y, z, w]: [f64; 4]) -> bool {
    let [u, v] = [b, c].map(|to| [to[0] - a[0], to[1] - a[1], to[2] - a[2]]);
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let towards = [x - a[0] * w, y - a[1] * w, z - a[2] * w];
    normal[0] * towards[0] + normal[1] * towards[1] + normal[2] * towards[2] > 0.0
}

/// From the picture's space, which has +Y up, to the model's.
pub(super) fn as_modelled(up: Up, [x, y, z]: [f32; 3]) -> [f32; 3] {
    match up {
        Up::Y => [x, y, z],
        Up::Z => [z, x, y],
    }
}
