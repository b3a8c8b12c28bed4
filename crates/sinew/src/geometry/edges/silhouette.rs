//! Silhouettes: the edges between front-facing and back-facing triangles.

use super::table::{BoundaryEdge, SharedEdge};
use crate::geometry::{Casters, Edges, Facing, GeometryError};
use crate::length::check_len;

/// The silhouette of a mesh as seen from a light: a buffer that is allocated once and rewritten
/// each frame.
///
/// Each edge is two vertex indices, from and to, in the direction of its front-facing triangle,
/// which lies on the left as seen from the light. The edges always form closed loops: at each
/// vertex, as many edges end as begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Silhouette {
    edges: Vec<[u32; 2]>,
    shared: usize,
}

impl Silhouette {
    /// Allocates memory for every possible silhouette of a mesh.
    #[must_use]
    pub fn new(edges: &Edges) -> Self {
        Self { edges: Vec::with_capacity(edges.max_silhouette_edges(Casters::Front)), shared: 0 }
    }

    /// All edges: first those of [`outline`](Self::outline), then those of
    /// [`boundary`](Self::boundary).
    #[must_use]
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// Edges between a front-facing and a back-facing triangle. A closed mesh has no other
    /// silhouette edges.
    #[must_use]
    pub fn outline(&self) -> &[[u32; 2]] {
        &self.edges[..self.shared]
    }

    /// Boundary edges of front-facing triangles, and non-manifold edges. A non-manifold edge is
    /// repeated: its count is the number of front-facing triangles along it minus the number
    /// against it.
    #[must_use]
    pub fn boundary(&self) -> &[[u32; 2]] {
        &self.edges[self.shared..]
    }
}

impl Edges {
    /// Finds the silhouette. Allocates only if `to` was created for other edges.
    ///
    /// Any facing bits give closed loops. The bits of degenerate triangles are ignored.
    ///
    /// # Errors
    ///
    /// If the number of facing bits differs from the number of triangles.
    pub fn silhouette(&self, facing: &Facing, to: &mut Silhouette) -> Result<(), GeometryError> {
        check_len("facing bits", self.triangles().len(), facing.len())?;
        let Silhouette { edges, shared } = to;
        edges.clear();
        edges.reserve(self.max_silhouette_edges(Casters::Front));
        self.for_each_shared_silhouette_edge(facing.words(), |from, to| edges.push([from, to]));
        *shared = edges.len();
        self.for_each_other_silhouette_edge(facing.words(), Casters::Front, |from, to| {
            edges.push([from, to])
        });
        Ok(())
    }

    /// The largest number of silhouette edges for any facing bits, counting repeats.
    pub(crate) fn max_silhouette_edges(&self, casters: Casters) -> usize {
        let each = match casters {
            Casters::Front => 1,
            Casters::All => 2,
        };
        each * self.shared.len() + self.boundary.len() + self.half_edges.len()
    }

    /// Visits each shared edge between front and back, in the direction of the front-facing
    /// triangle.
    #[inline]
    pub(crate) fn for_each_shared_silhouette_edge(&self, words: &[u64], mut visit: impl FnMut(u32, u32)) {
        for group in self.groups.mixed_facing(&self.shared, words) {
            for &SharedEdge { from, to, left, right } in group {
                let (left, right) = (is_front(words, left), is_front(words, right));
                if left != right {
                    if left == 1 { visit(from, to) } else { visit(to, from) }
                }
            }
        }
    }

    /// Visits the other silhouette edges of the casters, each as often as it counts.
    #[inline]
    pub(crate) fn for_each_other_silhouette_edge(
        &self,
        words: &[u64],
        casters: Casters,
        mut visit: impl FnMut(u32, u32),
    ) {
        // The count of a back-facing and of a front-facing triangle.
        let counts = match casters {
            Casters::Front => [0, 1],
            Casters::All => [-1, 1],
        };
        let count = |triangle: u32| counts[is_front(words, triangle) as usize];
        for &BoundaryEdge { from, to, triangle } in &self.boundary {
            visit_times(count(triangle), from, to, &mut visit);
        }
        for edge in self.non_manifold() {
            let sum: i32 =
                edge.half_edges.iter().map(|half_edge| half_edge.direction * count(half_edge.triangle)).sum();
            visit_times(sum, edge.from, edge.to, &mut visit);
        }
    }
}

/// Visits an edge `times` times, in the opposite direction if negative.
#[inline]
fn visit_times(times: i32, from: u32, to: u32, visit: &mut impl FnMut(u32, u32)) {
    for _ in 0..times {
        visit(from, to);
    }
    for _ in times..0 {
        visit(to, from);
    }
}

/// The facing bit of a triangle: 1 if front-facing, otherwise 0.
#[inline]
fn is_front(words: &[u64], triangle: u32) -> u64 {
    words[triangle as usize / 64] >> (triangle % 64) & 1
}
