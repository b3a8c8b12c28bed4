//! The table of edges: each once, with the triangles that use it.

use crate::{Error, Facing, Mesh, Weld};

use super::groups::Groups;
use super::moved_alike::moved_alike;

/// An edge between two triangles that use it in opposite directions, as nearly all do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedEdge {
    /// The place it begins at; `left` goes along the edge, `right` against it.
    pub from: u32,
    /// The place it ends at.
    pub to: u32,
    /// The triangle on the left of who walks along the edge on the front of the surface.
    pub left: u32,
    /// The triangle on the right.
    pub right: u32,
}

/// An edge of one triangle alone: the surface ends there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BorderEdge {
    /// The place it begins at, in the direction of its triangle.
    pub from: u32,
    /// The place it ends at.
    pub to: u32,
    /// The triangle.
    pub triangle: u32,
}

/// An edge that is not manifold: of more than two triangles, or of two that go in the same direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnotEdge<'a> {
    /// The place it begins at: the lower one.
    pub from: u32,
    /// The place it ends at.
    pub to: u32,
    /// The triangles, two or more, in ascending order.
    pub uses: &'a [Use],
}

/// How a triangle uses an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The triangle.
    pub triangle: u32,
    /// 1 along the edge, -1 against it.
    pub sense: i32,
}

/// The edges of a mesh: each once, with its triangles and their directions. Made once; no pose changes it.
///
/// Places that were welded count as one, the first of them. A triangle of which two corners are one place is *degenerate*:
/// it has no area in any pose, two of its sides are one edge there and back, and so it is left out of edges, silhouettes
/// and shadow volumes, whatever its facing bit says. A triangle of three different places stays, be its area zero or not.
#[derive(Clone, Debug)]
pub struct Edges {
    pub(super) places: usize,
    pub(super) welded: usize,
    /// After welding, in the order of the triangles that were given.
    pub(super) corners: Vec<[u32; 3]>,
    /// A bit for each triangle that is not degenerate, as [`Facing`] has them.
    pub(super) sound: Facing,
    pub(super) degenerate: usize,
    /// Those of the lowest triangles first, so that a frame reads facing bits nearly in order.
    pub(super) shared: Vec<SharedEdge>,
    pub(super) groups: Groups,
    pub(super) border: Vec<BorderEdge>,
    pub(super) knots: Vec<Knot>,
    /// Those of one knot after those of the other.
    pub(super) uses: Vec<Use>,
}

/// A [`KnotEdge`] as it is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knot {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) first: usize,
    pub(super) len: usize,
}

impl Edges {
    /// The edges of a mesh, with places in run order, as [`Mesh::triangles`] has them.
    ///
    /// Vertices are welded that coincide at rest *and* that every pose moves alike: that have the same influences and the
    /// same morph deltas. Files split vertices at seams of texture and normals, and keep both alike. Vertices that only
    /// touch at rest, as lips do, stay two, and the surface between them open, as it is once they part.
    ///
    /// # Errors
    ///
    /// When there are more than 2^31 places: a shadow volume numbers each twice. Or more than 2^32 - 1 triangles.
    pub fn new(mesh: &Mesh) -> Result<Self, Error> {
        let weld = Weld::new(mesh.rest_points())?;
        Self::build(mesh.triangles(), &moved_alike(mesh, &weld)?)
    }

    /// The edges of any triangles over welded places; [`Weld::new`] welds all that coincide, [`Weld::none`] nothing. The
    /// places of a frame's points must be those of the weld.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and when a triangle names a place that there is not.
    pub fn welded(triangles: &[[u32; 3]], weld: &Weld) -> Result<Self, Error> {
        Self::build(triangles, weld.first())
    }

    /// The number of edges of all kinds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shared.len() + self.border.len() + self.knots.len()
    }

    /// Whether there are no edges.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of places over which the triangles were given, pads and welded ones included: as many points must a
    /// frame have.
    #[must_use]
    pub fn places(&self) -> usize {
        self.places
    }

    /// The triangles with welded places for corners, in the order in which they were given: as many facing bits must a
    /// frame have.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.corners
    }

    /// Which triangles are not degenerate.
    pub(crate) fn sound(&self) -> &Facing {
        &self.sound
    }

    /// Edges between two triangles in opposite directions.
    #[must_use]
    pub fn shared(&self) -> &[SharedEdge] {
        &self.shared
    }

    /// Edges of one triangle, where the surface ends.
    #[must_use]
    pub fn border(&self) -> &[BorderEdge] {
        &self.border
    }

    /// Edges that are not manifold.
    pub fn knots(&self) -> impl ExactSizeIterator<Item = KnotEdge<'_>> {
        self.knots.iter().map(|&Knot { from, to, first, len }| KnotEdge {
            from,
            to,
            uses: &self.uses[first..first + len],
        })
    }
}
