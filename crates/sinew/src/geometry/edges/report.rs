//! Edge statistics and the topology of a surface.

use crate::geometry::{Casters, Edges, NonManifoldEdge};

/// The topology of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topology {
    /// Every edge has two triangles with opposite directions.
    Closed,
    /// Some edges have only one triangle; none is non-manifold.
    Open,
    /// Some edges have more than two triangles, or two with the same direction.
    NonManifold,
}

/// Edge counts of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeReport {
    /// Edges of two triangles with opposite directions.
    pub shared: usize,
    /// Edges of one triangle.
    pub boundary: usize,
    /// Edges of more than two triangles, or of two with the same direction.
    pub non_manifold: usize,
    /// Edges with a different number of half-edges in each direction, including all of `boundary`.
    pub unbalanced: usize,
    /// Triangles that were skipped because two of their corners are the same vertex.
    pub degenerate: usize,
    /// Vertices of triangles that are welded to another vertex.
    pub welded: usize,
}

impl EdgeReport {
    /// The topology of the surface. A surface without edges is closed.
    #[must_use]
    pub fn topology(&self) -> Topology {
        match self {
            Self { non_manifold: 1.., .. } => Topology::NonManifold,
            Self { boundary: 1.., .. } => Topology::Open,
            _ => Topology::Closed,
        }
    }

    /// The triangles that must cast a shadow to leave no gaps, if the light is outside and the
    /// surface faces outward. [`Casters::Front`] is enough if every edge has as many half-edges in
    /// one direction as in the other, as in closed surfaces, including several that touch. All
    /// other surfaces need [`Casters::All`], and so does any surface with the light inside.
    #[must_use]
    pub fn casters(&self) -> Casters {
        if self.unbalanced == 0 { Casters::Front } else { Casters::All }
    }
}

impl Edges {
    /// Counts the edges. The cost is proportional to the number of non-manifold edges.
    #[must_use]
    pub fn report(&self) -> EdgeReport {
        let unbalanced = |edge: &NonManifoldEdge<'_>| {
            edge.half_edges.iter().map(|half_edge| half_edge.direction).sum::<i32>() != 0
        };
        EdgeReport {
            shared: self.shared.len(),
            boundary: self.boundary.len(),
            non_manifold: self.non_manifold.len(),
            unbalanced: self.boundary.len() + self.non_manifold().filter(unbalanced).count(),
            degenerate: self.degenerate,
            welded: self.welded,
        }
    }
}
