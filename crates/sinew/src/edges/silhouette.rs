//! Silhouettes: where the part that faces the light ends.

use crate::error::check_len;
use crate::{Casters, Edges, Error, Facing};

use super::table::{BorderEdge, SharedEdge};

/// The edges at which the part of a mesh that faces a light ends: memory that is taken once and written each frame.
///
/// An edge is two places, from and to, in the direction in which its triangle in front goes; seen from the light that
/// triangle is on the left. The edges of a frame always form closed loops: at each place as many end as begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Silhouette {
    edges: Vec<[u32; 2]>,
    shared: usize,
}

impl Silhouette {
    /// Memory for all the silhouettes that a mesh can have.
    #[must_use]
    pub fn new(edges: &Edges) -> Self {
        Self { edges: Vec::with_capacity(edges.most_sides(Casters::Front)), shared: 0 }
    }

    /// All edges: first those of [`outline`](Self::outline), then those of [`border`](Self::border).
    #[must_use]
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// Edges between a triangle in front and one that is not: all there are where the mesh is closed.
    #[must_use]
    pub fn outline(&self) -> &[[u32; 2]] {
        &self.edges[..self.shared]
    }

    /// Edges of triangles in front at which the surface itself ends, and edges that are not manifold, each as often as
    /// it has more triangles in front in its direction than against it.
    #[must_use]
    pub fn border(&self) -> &[[u32; 2]] {
        &self.edges[self.shared..]
    }
}

impl Edges {
    /// Finds the silhouette. Takes memory only where the silhouette was not made for these edges.
    ///
    /// Any facing bits give closed loops; those of degenerate triangles count for nothing.
    ///
    /// # Errors
    ///
    /// When there are not as many facing bits as triangles.
    pub fn silhouette(&self, facing: &Facing, to: &mut Silhouette) -> Result<(), Error> {
        check_len("facing bits", self.triangles().len(), facing.len())?;
        let Silhouette { edges, shared } = to;
        edges.clear();
        edges.reserve(self.most_sides(Casters::Front));
        self.shared_ends(facing.words(), |from, to| edges.push([from, to]));
        *shared = edges.len();
        self.other_ends(facing.words(), Casters::Front, |from, to| edges.push([from, to]));
        Ok(())
    }

    /// The most ends that any facing bits give, one for each time that an edge is named.
    pub(crate) fn most_sides(&self, casters: Casters) -> usize {
        let each = match casters {
            Casters::Front => 1,
            Casters::All => 2,
        };
        each * self.shared.len() + self.border.len() + self.uses.len()
    }

    /// Calls with each shared edge between front and back, along the triangle in front.
    #[inline]
    pub(crate) fn shared_ends(&self, words: &[u64], mut end: impl FnMut(u32, u32)) {
        for group in self.groups.parted(&self.shared, words) {
            for &SharedEdge { from, to, left, right } in group {
                let (left, right) = (bit(words, left), bit(words, right));
                if left != right {
                    if left == 1 { end(from, to) } else { end(to, from) }
                }
            }
        }
    }

    /// Calls with each other edge at which what casts ends, as often as it does.
    #[inline]
    pub(crate) fn other_ends(&self, words: &[u64], casters: Casters, mut end: impl FnMut(u32, u32)) {
        // What a triangle counts: in front, and otherwise.
        let counts = match casters {
            Casters::Front => [0, 1],
            Casters::All => [-1, 1],
        };
        let count = |triangle: u32| counts[bit(words, triangle) as usize];
        for &BorderEdge { from, to, triangle } in &self.border {
            repeat(count(triangle), from, to, &mut end);
        }
        for edge in self.knots() {
            let sum: i32 = edge.uses.iter().map(|used| used.sense * count(used.triangle)).sum();
            repeat(sum, edge.from, edge.to, &mut end);
        }
    }
}

/// Names an edge so many times; in its other direction where the number is negative.
#[inline]
fn repeat(times: i32, from: u32, to: u32, end: &mut impl FnMut(u32, u32)) {
    for _ in 0..times {
        end(from, to);
    }
    for _ in times..0 {
        end(to, from);
    }
}

/// Whether a triangle is in front: 1 or 0.
#[inline]
fn bit(words: &[u64], triangle: u32) -> u64 {
    words[triangle as usize / 64] >> (triangle % 64) & 1
}
