//! The stretches of blocks in a window, from runs or from segments.

use std::ops::Range;

use super::SkinSource;
use crate::lanes::segments::{SegmentSlice, SharedSegment};

/// Walks the stretches of a window.
pub(super) struct Stretches<'a> {
    source: SkinSource<'a>,
    window: Range<usize>,
    /// The next segment, or the next run of the group.
    next: usize,
    /// The end of the segments in the window.
    end: usize,
    group: usize,
}

impl<'a> Stretches<'a> {
    #[inline(always)]
    pub(super) fn new(source: &SkinSource<'a>, window: &Range<usize>) -> Self {
        let range = match source {
            SkinSource::Runs { .. } => 0..0,
            SkinSource::Segments(segments) => segments.in_window(window),
        };
        Self { source: *source, window: window.clone(), next: range.start, end: range.end, group: 0 }
    }

    /// Vectors per block, or per vertex, of the base.
    #[inline(always)]
    pub(super) fn base_vectors(&self) -> usize {
        match self.source {
            SkinSource::Runs { base_vectors, .. } => base_vectors,
            SkinSource::Segments(segments) => segments.vectors(),
        }
    }

    /// The next stretch that has blocks in the window.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<SegmentSlice<'a>> {
        match self.source {
            SkinSource::Segments(segments) => {
                while self.next < self.end {
                    self.next += 1;
                    if let Some(slice) = segments.slice(self.next - 1, &self.window) {
                        return Some(slice);
                    }
                }
                None
            }
            SkinSource::Runs { .. } => self.next_run().map(SegmentSlice::Shared),
        }
    }

    #[inline(always)]
    fn next_run(&mut self) -> Option<SharedSegment<'a>> {
        let SkinSource::Runs { groups, base, base_vectors } = self.source else { return None };
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
            let start = first.max(self.window.start);
            let end = first.saturating_add(run.blocks as usize).min(self.window.end);
            if start >= end {
                continue;
            }
            let weights = (run.weights as usize).saturating_add(start - first).saturating_mul(rows);
            let weights = group.weights.get(weights..).and_then(|w| w.get(..(end - start) * rows));
            let base = base.get(start * base_vectors..end * base_vectors);
            let joints = group.joints.get(joints..joints + group.influences);
            let (Some(weights), Some(base), Some(joints)) = (weights, base, joints) else { continue };
            let blocks = start - self.window.start..end - self.window.start;
            return Some(SharedSegment { blocks, joints, weights, base });
        }
    }
}
