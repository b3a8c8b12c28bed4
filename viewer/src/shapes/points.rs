//! Vertices in run order, whatever order a method writes.

use sinew::{Mesh, Points};

use crate::draw::{Moved, Order};

/// Where the vertices of one part of one copy are.
#[derive(Clone, Debug, Default)]
pub struct Places {
    positions: Vec<[f32; 3]>,
}

impl Places {
    /// In run order.
    #[must_use]
    pub fn points(&self) -> Points<'_> {
        Points::Packed(&self.positions)
    }
}

/// Takes the places of one copy out of what is drawn. Nothing is taken where the graphics processor skins.
pub fn places(mesh: &Mesh, moved: &Moved, copy: usize, to: &mut Places) {
    let Moved::Vertices { order, floats } = moved else { return to.positions.clear() };
    let (vertices, _) = floats.as_chunks::<6>();
    let position = |vertex: &[f32; 6]| [vertex[0], vertex[1], vertex[2]];
    to.positions.clear();
    match order {
        Order::Run => {
            let len = mesh.padded_len();
            to.positions.extend(vertices.iter().skip(copy * len).take(len).map(position));
        }
        Order::Source => {
            let own = vertices.get(copy * mesh.len()..).unwrap_or_default();
            let of_place = |&vertex: &u32| own.get(vertex as usize).map_or([0.0; 3], position);
            to.positions.extend(mesh.vertex_of_place().iter().map(of_place));
        }
    }
}
