//! Triangles of a shadow volume: caps and sides.
//!
//! The front cap is a set of directed triangles. Its half-edges that do not cancel form its
//! outline, and each of those gets a side that runs the other way. The back cap is the flipped
//! front cap. So the volume is closed for any set of triangles.

use super::volume::ShadowCast;
use crate::geometry::set_bits::SetBits;
use crate::geometry::{Casters, Edges};

/// A triangle buffer, filled from the start.
pub(super) struct VolumeTriangles<'a> {
    to: &'a mut [[u32; 3]],
    len: usize,
}

impl<'a> VolumeTriangles<'a> {
    pub(super) fn new(to: &'a mut [[u32; 3]]) -> Self {
        Self { to, len: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn push(&mut self, triangle: [u32; 3]) {
        self.to[self.len] = triangle;
        self.len += 1;
    }

    /// Pushes the front cap: the casters, as seen from the light.
    pub(super) fn push_cap(&mut self, edges: &Edges, cast: &ShadowCast<'_>) {
        let words = edges.non_degenerate().words().iter().zip(cast.facing.words());
        for ((&non_degenerate, &front), corners) in words.zip(edges.triangles().chunks(64)) {
            match cast.casters {
                Casters::Front if non_degenerate & front == u64::MAX => self.push_all(corners),
                Casters::Front => SetBits(non_degenerate & front).for_each(|i| self.push(corners[i])),
                Casters::All => SetBits(non_degenerate).for_each(|i| {
                    let [a, b, c] = corners[i];
                    self.push(if front >> i & 1 == 1 { [a, b, c] } else { [a, c, b] });
                }),
            }
        }
    }

    fn push_all(&mut self, triangles: &[[u32; 3]]) {
        self.to[self.len..][..triangles.len()].copy_from_slice(triangles);
        self.len += triangles.len();
    }

    /// Pushes a quad from each outline edge of the cap to the same edge at infinity.
    pub(super) fn push_sides(&mut self, edges: &Edges, cast: &ShadowCast<'_>) {
        let far = edges.vertex_count() as u32;
        for_each_silhouette_edge(edges, cast, |from, to| {
            self.push([to, from, far + from]);
            self.push([to, far + from, far + to]);
        });
    }

    /// Pushes a triangle from each outline edge of the cap to the single point at infinity.
    pub(super) fn push_side_fan(&mut self, edges: &Edges, cast: &ShadowCast<'_>) {
        let far = edges.vertex_count() as u32;
        for_each_silhouette_edge(edges, cast, |from, to| self.push([to, from, far]));
    }

    /// Pushes the back cap: the first `cap` triangles, at infinity and flipped.
    pub(super) fn push_back_cap(&mut self, cap: usize, far: u32) {
        let (done, to) = self.to.split_at_mut(self.len);
        for (to, &[a, b, c]) in to.iter_mut().zip(&done[..cap]) {
            *to = [far + c, far + b, far + a];
        }
        self.len += cap;
    }
}

/// Visits the outline edges of the casters, each as often as it counts.
#[inline]
fn for_each_silhouette_edge(edges: &Edges, cast: &ShadowCast<'_>, mut visit: impl FnMut(u32, u32)) {
    let words = cast.facing.words();
    edges.for_each_shared_silhouette_edge(words, |from, to| {
        visit(from, to);
        // The back-facing triangle, flipped, has the same outline edge.
        if cast.casters == Casters::All {
            visit(from, to);
        }
    });
    edges.for_each_other_silhouette_edge(words, cast.casters, visit);
}
