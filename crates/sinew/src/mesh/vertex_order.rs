//! The two orders of vertices, and the triangles of a mesh in either.

use std::borrow::Cow;

use sinew_kernels::Triangles;

use crate::mesh::{Attributes, Mesh};

/// The order of vertices in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VertexOrder {
    /// Slots of the mesh, including pads. [`Mesh::triangles`] indexes this order.
    #[default]
    Run,
    /// Vertices of the source, without pads. Slower, unless joint sets are hardly shared.
    Source,
}

impl Mesh {
    /// The triangles, whose indices are those of vertices in an order: as stored for run order, and
    /// as in the source, which allocates, for source order.
    #[must_use]
    pub fn triangles_in(&self, order: VertexOrder) -> Cow<'_, [[u32; 3]]> {
        match order {
            VertexOrder::Run => Cow::Borrowed(self.triangles()),
            VertexOrder::Source => {
                let vertex = |slot: u32| self.inverse_remap()[slot as usize];
                Cow::Owned(self.triangles().iter().map(|corners| corners.map(vertex)).collect())
            }
        }
    }

    /// The triangles as an index list that stores its required vertex count, in run order, with
    /// 16-bit indices if they suffice. Allocates.
    #[must_use]
    pub fn triangle_list(&self) -> Triangles {
        Triangles::narrowest(self.triangles())
    }

    /// The number of vertices in an order: in run order with pads.
    #[must_use]
    pub fn len_in(&self, order: VertexOrder) -> usize {
        match order {
            VertexOrder::Run => self.padded_len(),
            VertexOrder::Source => self.len(),
        }
    }

    /// The rest positions in source order.
    pub(crate) fn rest_in_source_order(&self) -> Vec<[f32; 3]> {
        self.rest(Attributes::Positions).expect("every mesh has positions")
    }
}
