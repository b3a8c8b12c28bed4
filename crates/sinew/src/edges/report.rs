//! What kind of surface a mesh is.

use crate::{Casters, Edges};

/// Whether a surface has an inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topology {
    /// Every edge lies between two triangles that go in opposite directions.
    Closed,
    /// Some edges have one triangle; none is a knot.
    Open,
    /// Some edges have more than two triangles, or two in the same direction.
    NonManifold,
}

/// What a mesh's edges are, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeReport {
    /// Edges between two triangles in opposite directions.
    pub shared: usize,
    /// Edges of one triangle.
    pub border: usize,
    /// Edges of more than two triangles, or of two in the same direction.
    pub knots: usize,
    /// Edges that are not used as often in one direction as in the other; all of `border` among them.
    pub unbalanced: usize,
    /// Triangles that were left out: two of their corners are one place.
    pub degenerate: usize,
    /// Places of triangles for which others stand.
    pub welded: usize,
}

impl EdgeReport {
    /// The kind of surface; one without edges is closed.
    #[must_use]
    pub fn topology(&self) -> Topology {
        match self {
            Self { knots: 1.., .. } => Topology::NonManifold,
            Self { border: 1.., .. } => Topology::Open,
            _ => Topology::Closed,
        }
    }

    /// Which triangles must cast for a shadow without gaps, with the light outside and the surface facing outwards: those in
    /// front where every edge is used as often in one direction as in the other, as in closed surfaces and in several that touch;
    /// all others cast with every triangle. So does any surface with the light inside it.
    #[must_use]
    pub fn casters(&self) -> Casters {
        if self.unbalanced == 0 { Casters::Front } else { Casters::All }
    }
}

impl Edges {
    /// What the edges are, counted. Costs as much as there are knots.
    #[must_use]
    pub fn report(&self) -> EdgeReport {
        let uneven = |edge: &crate::KnotEdge<'_>| edge.uses.iter().map(|used| used.sense).sum::<i32>() != 0;
        EdgeReport {
            shared: self.shared.len(),
            border: self.border.len(),
            knots: self.knots.len(),
            unbalanced: self.border.len() + self.knots().filter(uneven).count(),
            degenerate: self.degenerate,
            welded: self.welded,
        }
    }
}
