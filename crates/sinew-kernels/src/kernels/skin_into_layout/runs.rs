//! The runs of a window.

use std::ops::Range;

use super::RunGroup;
use crate::VectorBlock;
use crate::lanes::segments::SharedSegment;

/// Walks the runs of a part of a window, clipped to it.
pub(super) struct Runs<'a> {
    groups: &'a [RunGroup<'a>],
    base: &'a [VectorBlock],
    base_vectors: usize,
    window: Range<usize>,
    part: Range<usize>,
    group: usize,
    /// The next run of the group.
    next: usize,
}

impl<'a> Runs<'a> {
    #[inline(always)]
    pub(super) fn new(
        groups: &'a [RunGroup<'a>],
        base: &'a [VectorBlock],
        base_vectors: usize,
        window: Range<usize>,
        part: Range<usize>,
    ) -> Self {
        Self { groups, base, base_vectors, window, part, group: 0, next: 0 }
    }

    /// Vectors per block of the base.
    #[inline(always)]
    pub(super) fn base_vectors(&self) -> usize {
        self.base_vectors
    }

    /// The next run that has blocks in the part: which, counted from the part's first, and the run.
    /// Runs of a level of detail are not in the order of their blocks. A run that lacks weights of
    /// blocks in the window is skipped.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<(Range<usize>, SharedSegment<'a>)> {
        let Self { groups, base, base_vectors, .. } = *self;
        loop {
            let group = groups.get(self.group)?;
            let Some(run) = group.runs.get(self.next) else {
                self.group += 1;
                self.next = 0;
                continue;
            };
            let (joints, rows) = (self.next * group.influences, group.influences - 1);
            self.next += 1;
            let first = run.first as usize;
            let last = first.saturating_add(run.blocks as usize);
            let clip = |range: &Range<usize>| (first.max(range.start), last.min(range.end));
            let (start, end) = clip(&self.part);
            if start >= end {
                continue;
            }
            let (window_start, window_end) = clip(&self.window);
            let row =
                |block: usize| (run.weights as usize).saturating_add(block - first).saturating_mul(rows);
            let weights = group.weights.get(row(start)..).and_then(|w| w.get(..(end - start) * rows));
            let base = base.get(start * base_vectors..end * base_vectors);
            let joints = group.joints.get(joints..joints + group.influences);
            let (Some(weights), Some(base), Some(joints)) = (weights, base, joints) else { continue };
            if group.weights.get(row(window_start)..row(window_end)).is_none() {
                continue;
            }
            let blocks = start - self.part.start..end - self.part.start;
            return Some((blocks, SharedSegment { joints, weights, base }));
        }
    }
}
