//! Which triangles face a light or the camera, and where those end.

use sinew::{Edges, Facing, Light, Model, PlaneNormals, Planes, Points, Triangles, Up};

use crate::Failure;

/// The edges of each part's surface, with memory for planes and facing bits.
pub(super) struct Faced {
    pub(super) edges: Vec<Edges>,
    parts: Vec<Part>,
}

struct Part {
    triangles: Triangles,
    planes: Planes,
    facing: Facing,
}

impl Faced {
    pub(super) fn new(model: &Model) -> Result<Self, Failure> {
        let mut faced = Self { edges: Vec::new(), parts: Vec::new() };
        for part in 0..model.parts().len() {
            let mesh = &model.surface(part).mesh;
            let edges = Edges::new(mesh).map_err(|error| Failure::Input(error.to_string()))?;
            let triangles = Triangles::narrowest(edges.triangles());
            let planes = Planes::new(&triangles, mesh.kernels());
            faced.parts.push(Part { facing: Facing::new(triangles.len()), triangles, planes });
            faced.edges.push(edges);
        }
        Ok(faced)
    }

    /// Finds which triangles of a part face a light.
    pub(super) fn face(
        &mut self,
        part: usize,
        points: Points<'_>,
        light: Light,
    ) -> Result<(&Edges, &Facing), Failure> {
        let Part { triangles, planes, facing } = &mut self.parts[part];
        planes.derive(points, triangles, PlaneNormals::TwiceArea)?;
        planes.facing(light, facing)?;
        Ok((&self.edges[part], facing))
    }
}

/// From the picture's space, which has +Y up, to the model's.
pub(super) fn as_modelled(up: Up, [x, y, z]: [f32; 3]) -> [f32; 3] {
    match up {
        Up::Y => [x, y, z],
        Up::Z => [z, x, y],
    }
}
