//! Skinned positions in run order, independent of the order in which a method writes vertices.

use sinew::Mesh;
use sinew::geometry::PositionView;

use crate::draw::{Order, SurfaceInput};

/// Positions of the vertices of one mesh instance of one copy, in run order.
#[derive(Clone, Debug, Default)]
pub struct RunPositions {
    positions: Vec<[f32; 3]>,
}

impl RunPositions {
    /// The positions as a view for the library's geometry queries.
    #[must_use]
    pub fn points(&self) -> PositionView<'_> {
        PositionView::Packed(&self.positions)
    }

    /// Copies the positions of one copy out of the vertices that are drawn, reordered to run order.
    ///
    /// The result is empty if the GPU skins the surface: there are no skinned vertices to read.
    pub fn copy_from(&mut self, mesh: &Mesh, input: &SurfaceInput, copy: usize) {
        self.positions.clear();
        let SurfaceInput::Skinned { order, floats } = input else { return };
        let (vertices, _) = floats.as_chunks::<6>();
        let position = |vertex: &[f32; 6]| [vertex[0], vertex[1], vertex[2]];
        match order {
            Order::Run => {
                let len = mesh.padded_len();
                self.positions.extend(vertices.iter().skip(copy * len).take(len).map(position));
            }
            Order::Source => {
                let source = vertices.get(copy * mesh.len()..).unwrap_or_default();
                let read = |&vertex: &u32| source.get(vertex as usize).map_or([0.0; 3], position);
                self.positions.extend(mesh.inverse_remap().iter().map(read));
            }
        }
    }
}
