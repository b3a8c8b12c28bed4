//! Triangles of a volume: caps and sides.
//!
//! The front cap is a set of directed triangles; what of its edges does not cancel is where it ends, and each such
//! edge gets a side that runs the other way. The back cap is the front cap turned over. So all cancels, whatever the set.

use crate::bits::Bits;
use crate::{Casters, Edges};

use super::volume::ShadowCast;

/// Memory for triangles, filled from the first on.
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

    /// The triangles that cast, seen from the light.
    pub(super) fn push_cap(&mut self, edges: &Edges, cast: &ShadowCast<'_>) {
        let words = edges.sound().words().iter().zip(cast.facing.words());
        for ((&sound, &front), corners) in words.zip(edges.triangles().chunks(64)) {
            match cast.casters {
                Casters::Front if sound & front == u64::MAX => self.push_all(corners),
                Casters::Front => Bits(sound & front).for_each(|i| self.push(corners[i])),
                Casters::All => Bits(sound).for_each(|i| {
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

    /// From each edge at which the cap ends to the same edge far away.
    pub(super) fn push_sides(&mut self, edges: &Edges, cast: &ShadowCast<'_>) {
        let far = edges.places() as u32;
        each_end(edges, cast, |from, to| {
            self.push([to, from, far + from]);
            self.push([to, far + from, far + to]);
        });
    }

    /// From each edge at which the cap ends to the one point where all ends.
    pub(super) fn push_ends(&mut self, edges: &Edges, cast: &ShadowCast<'_>) {
        let far = edges.places() as u32;
        each_end(edges, cast, |from, to| self.push([to, from, far]));
    }

    /// The first `cap` triangles, far away and seen from behind.
    pub(super) fn push_back_cap(&mut self, cap: usize, far: u32) {
        let (done, to) = self.to.split_at_mut(self.len);
        for (to, &[a, b, c]) in to.iter_mut().zip(&done[..cap]) {
            *to = [far + c, far + b, far + a];
        }
        self.len += cap;
    }
}

/// Calls with each edge at which what casts ends, along it, as often as it does.
#[inline]
fn each_end(edges: &Edges, cast: &ShadowCast<'_>, mut end: impl FnMut(u32, u32)) {
    let words = cast.facing.words();
    edges.shared_ends(words, |from, to| {
        end(from, to);
        // The triangle behind, turned over, ends here as well.
        if cast.casters == Casters::All {
            end(from, to);
        }
    });
    edges.other_ends(words, cast.casters, end);
}
