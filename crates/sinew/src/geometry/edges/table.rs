//! The edge table: each edge once, with its triangles.

use super::groups::EdgeGroups;
use super::motion_weld::weld_by_motion;
use crate::geometry::{Facing, GeometryError, Weld};
use crate::mesh::{Mesh, VertexOrder};

/// An edge of two triangles with opposite directions, as most edges are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedEdge {
    /// Start vertex; `left` runs along the edge, `right` against it.
    pub from: u32,
    /// End vertex.
    pub to: u32,
    /// The triangle on the left, looking along the edge on the front of the surface.
    pub left: u32,
    /// The triangle on the right.
    pub right: u32,
}

/// An edge of a single triangle, where the surface ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundaryEdge {
    /// Start vertex, in the direction of the triangle.
    pub from: u32,
    /// End vertex.
    pub to: u32,
    /// Index of the triangle.
    pub triangle: u32,
}

/// A non-manifold edge: it has more than two triangles, or two with the same direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NonManifoldEdge<'a> {
    /// Start vertex: the one with the lower index.
    pub from: u32,
    /// End vertex.
    pub to: u32,
    /// The half-edges, two or more, in ascending triangle order.
    pub half_edges: &'a [HalfEdge],
}

/// The use of an edge by one triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfEdge {
    /// Index of the triangle.
    pub triangle: u32,
    /// 1 along the edge, -1 against it.
    pub direction: i32,
}

/// The edges of a mesh: each once, with its triangles and their directions. Built once; independent
/// of the pose.
///
/// Welded vertices count as one, the first of them. A triangle with two corners at the same welded
/// vertex is *degenerate*: it has no area in any pose, and two of its sides are the same edge in
/// opposite directions. Edges, silhouettes and shadow volumes skip it, whatever its facing bit is.
/// A triangle with three different vertices is kept even if its area is zero.
#[derive(Clone, Debug)]
pub struct Edges {
    pub(super) vertex_count: usize,
    pub(super) welded: usize,
    /// Welded vertex indices, in the order of the given triangles.
    pub(super) corners: Vec<[u32; 3]>,
    /// One bit per triangle that is not degenerate, stored as [`Facing`].
    pub(super) non_degenerate: Facing,
    pub(super) degenerate: usize,
    /// Sorted by lowest triangle, so that a frame reads facing bits nearly in order.
    pub(super) shared: Vec<SharedEdge>,
    pub(super) groups: EdgeGroups,
    pub(super) boundary: Vec<BoundaryEdge>,
    pub(super) non_manifold: Vec<NonManifoldRange>,
    /// Half-edges of the non-manifold edges, grouped by edge.
    pub(super) half_edges: Vec<HalfEdge>,
}

/// The stored form of a [`NonManifoldEdge`]: a range of `half_edges`.
#[derive(Clone, Copy, Debug)]
pub(super) struct NonManifoldRange {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) first: usize,
    pub(super) len: usize,
}

impl Edges {
    /// Builds the edges of a mesh, with vertex indices in run order, as in [`Mesh::triangles`].
    ///
    /// Vertices are welded if they coincide in the rest pose *and* move together in every pose:
    /// they have the same influences and the same morph deltas. Vertices that files split at
    /// texture or normal seams satisfy both. Vertices that only touch in the rest pose, such as
    /// those of lips, stay separate, and the surface between them stays open.
    ///
    /// # Errors
    ///
    /// If there are more than 2^31 vertices (a shadow volume indexes each twice) or more than 2^32
    /// - 1 triangles.
    pub fn new(mesh: &Mesh) -> Result<Self, GeometryError> {
        Self::in_order(mesh, VertexOrder::Run)
    }

    /// As [`new`](Self::new), with the vertex indices of an order: that of the positions of a
    /// frame.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn in_order(mesh: &Mesh, order: VertexOrder) -> Result<Self, GeometryError> {
        let weld = Weld::new(mesh.rest_positions())?;
        let mut remap = weld_by_motion(mesh, &weld)?;
        if order == VertexOrder::Source {
            // The first vertex of a weld is no pad, so it has a slot of its own.
            let welded = |&slot: &u32| mesh.inverse_remap()[remap[slot as usize] as usize];
            remap = mesh.remap().iter().map(welded).collect();
        }
        Self::build(&mesh.triangles_in(order), &remap)
    }

    /// Builds the edges of any triangles with welded vertices. [`Weld::new`] welds all vertices
    /// that coincide, [`Weld::none`] none. The positions of a frame must have the same vertex order
    /// as the weld.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and if a triangle index is out of range.
    pub fn from_triangles(triangles: &[[u32; 3]], weld: &Weld) -> Result<Self, GeometryError> {
        Self::build(triangles, weld.remap())
    }

    /// The number of edges of all kinds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shared.len() + self.boundary.len() + self.non_manifold.len()
    }

    /// Whether there are no edges.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of vertices, including padding and welded vertices. A frame must have as many
    /// positions.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// The triangles with welded vertex indices, in the given order. A frame must have as many
    /// facing bits.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.corners
    }

    /// The triangles that are not degenerate.
    pub(crate) fn non_degenerate(&self) -> &Facing {
        &self.non_degenerate
    }

    /// Edges of two triangles with opposite directions.
    #[must_use]
    pub fn shared(&self) -> &[SharedEdge] {
        &self.shared
    }

    /// Edges of a single triangle, where the surface ends.
    #[must_use]
    pub fn boundary(&self) -> &[BoundaryEdge] {
        &self.boundary
    }

    /// Non-manifold edges.
    pub fn non_manifold(&self) -> impl ExactSizeIterator<Item = NonManifoldEdge<'_>> {
        self.non_manifold.iter().map(|&NonManifoldRange { from, to, first, len }| NonManifoldEdge {
            from,
            to,
            half_edges: &self.half_edges[first..first + len],
        })
    }
}
