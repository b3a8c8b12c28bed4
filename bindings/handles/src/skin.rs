//! Vertex layouts of the caller, checked once and kept until another one is used.

use sinew::skinning::{Target, VertexLayout, VertexOrder, VertexWriter};
use sinew::{Aabb, Mesh};

use crate::Error;
use crate::model::vertex_order;
use crate::records::{Bounds, Layout};

/// The layout of the last call, so that calls with the same one do not check it again.
#[derive(Debug, Default)]
pub(crate) struct LayoutCache {
    last: Option<(Layout, VertexLayout)>,
}

impl LayoutCache {
    /// Calls a function with a target of a whole mesh of these lengths, in a layout and buffers of
    /// the caller.
    #[inline]
    pub(crate) fn with_target<'a>(
        &mut self,
        lengths: MeshLengths,
        layout: &Layout,
        buffers: impl IntoIterator<Item = &'a mut [u8]>,
        bounds: Option<&mut Bounds>,
        skin: impl FnOnce(Target<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let order = vertex_order(layout.order)?;
        let checked = match &self.last {
            Some((last, checked)) if last == layout => checked,
            _ => &self.last.insert((*layout, layout.to_library()?)).1,
        };
        let writer = VertexWriter::new(checked, buffers, lengths.in_order(order))?;
        let target = Target::vertices(writer).in_order(order);
        let Some(bounds) = bounds else { return skin(target) };
        let mut exact = Aabb::EMPTY;
        skin(target.with_bounds(&mut exact))?;
        *bounds = exact.into();
        Ok(())
    }
}

/// The number of vertices of a mesh in either order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeshLengths {
    source: usize,
    run: usize,
}

impl MeshLengths {
    pub(crate) fn new(mesh: &Mesh) -> Self {
        Self { source: mesh.len(), run: mesh.padded_len() }
    }

    fn in_order(self, order: VertexOrder) -> usize {
        match order {
            VertexOrder::Source => self.source,
            VertexOrder::Run => self.run,
        }
    }
}
