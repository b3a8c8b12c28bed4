//! What a tree of boxes hangs on: for each box the joints that move what is in it, and where that is at rest.
//!
//! From these the boxes of a frame can be had one by one, before any vertex is skinned.

use std::ops::Range;

use super::boxes::{Span, WIDTH};
use super::columns::Columns;
use crate::bounds::{Extent, higher, lower};

/// The upper part of a tree, down to clusters of triangles, and what each of its boxes hangs on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Claims {
    /// Children come after their parents, brothers beside each other.
    pub(super) forks: Vec<Fork>,
    /// Those of a fork beside each other, box by box.
    pub(super) claims: Vec<Claim>,
    pub(super) windows: Vec<Window>,
}

/// A node of the upper part. What a ray asks of it lies in one cache line: that is what most of its time goes to.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Fork {
    /// Of each box a fork, or the first triangle of a cluster.
    pub(super) first: [u32; WIDTH],
    /// The first claim of that fork: so claims need not wait for the fork.
    pub(super) below: [u32; WIDTH],
    /// The end of the claims of each box; those of the next begin there.
    pub(super) claim_ends: [u32; WIDTH],
    /// The first of the windows that its clusters need.
    pub(super) windows: u32,
    /// Where those of each box end, from there on.
    pub(super) window_ends: [u8; WIDTH],
    /// The triangles of a cluster; zero for a fork.
    pub(super) len: [u8; WIDTH],
    /// How many of the boxes are in use.
    pub(super) used: u8,
}

const _: () = assert!(size_of::<Fork>() == 64);

/// What a joint moves of a box: a box of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    pub(super) joint: u32,
    /// Where that is at rest.
    pub(super) rest: Extent,
}

/// Blocks of vertices beside each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) first: u32,
    pub(super) len: u32,
}

impl Claims {
    /// A box that holds what is in a box with these claims, wherever the joints take it, but for rounding: the smallest around the
    /// claims' boxes, since a vertex is a mean of where its joints have it.
    #[inline]
    pub(super) fn span(&self, claims: Range<usize>, joints: &[Columns]) -> Span {
        let mut span = Span::EMPTY;
        for claim in &self.claims[claims] {
            let moved = joints[claim.joint as usize].moved(&claim.rest);
            for row in 0..4 {
                span.low[row] = lower(moved.low[row], span.low[row]);
                span.high[row] = higher(moved.high[row], span.high[row]);
            }
        }
        span
    }

    /// The windows that the triangles of a cluster need.
    #[inline]
    pub(super) fn windows(&self, fork: &Fork, lane: usize) -> &[Window] {
        let start = if lane == 0 { 0 } else { fork.window_ends[lane - 1] };
        let first = fork.windows as usize;
        &self.windows[first + usize::from(start)..first + usize::from(fork.window_ends[lane])]
    }
}
