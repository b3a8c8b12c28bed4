//! Cuts the source order into segments of blocks: those whose vertices share a few joints, and
//! those whose vertices have joints of their own.
//!
//! A dynamic program finds the cheapest cut: the cost of the first blocks is that of the blocks
//! before some segment, plus that of the segment. Instead of trying every beginning of a segment
//! for every end, it keeps the beginnings that may still be part of the cheapest cut. Of segments
//! that share joints, a later beginning needs a subset of the joints, so an earlier one is kept
//! only if it costs less than the later one with the joints of both. A segment of columns depends
//! on nothing but its number of influences, so one beginning for each number is enough.

use super::source_costs::{MAX_COLUMNS, MAX_SHARED, SourceCosts};

/// Consecutive blocks that are skinned alike. Very many become several segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlannedSegment {
    pub(super) first: usize,
    pub(super) blocks: usize,
    /// Whether vertices have joints of their own.
    pub(super) columns: bool,
}

/// What a block needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockNeeds {
    /// The joints of all vertices; `None` if there are too many to share.
    pub(super) shared: Option<SharedJoints>,
    /// The number of influences that the vertices need as columns.
    pub(super) influences: usize,
}

/// A few joints in no order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SharedJoints {
    joints: [u32; MAX_SHARED],
    len: usize,
    /// Whether any weight is not one.
    pub(super) weighted: bool,
}

/// Fills [`SharedJoints`] after the last joint.
const NONE: u32 = u32::MAX;

impl SharedJoints {
    pub(super) const EMPTY: Self = Self { joints: [NONE; MAX_SHARED], len: 0, weighted: false };

    /// Adds a joint. Returns false if there is no room for it.
    #[inline(always)]
    pub(super) fn insert(&mut self, joint: u32) -> bool {
        // Without branches, for all of them at once.
        if self.joints.iter().fold(false, |found, &other| found | (other == joint)) {
            return true;
        }
        let Some(to) = self.joints.get_mut(self.len) else { return false };
        *to = joint;
        self.len += 1;
        true
    }

    fn joints(&self) -> &[u32] {
        &self.joints[..self.len]
    }

    /// The joints of both; `None` if there are too many.
    pub(super) fn union(mut self, other: &Self) -> Option<Self> {
        self.weighted |= other.weighted;
        other.joints().iter().all(|&joint| self.insert(joint)).then_some(self)
    }

    /// The number of rows of weights.
    pub(super) fn rows(&self) -> usize {
        if self.len == 1 && !self.weighted { 0 } else { self.len }
    }
}

/// Finds the cheapest cut, block by block.
pub(super) struct SegmentPlanner {
    costs: &'static SourceCosts,
    /// The last segment of the cheapest cut that ends after each block: its first block, and
    /// whether it is of columns.
    last: Vec<(u32, bool)>,
    /// The cost of that cut after all blocks so far.
    cost: u64,
    /// Segments that may go on, earliest first.
    shared: Vec<SharedCandidate>,
    columns: Vec<ColumnCandidate>,
}

/// A segment that shares joints, and all before it.
struct SharedCandidate {
    first: usize,
    joints: SharedJoints,
    cost: u64,
}

/// A segment of columns, and all before it.
struct ColumnCandidate {
    influences: usize,
    first: usize,
    cost: u64,
}

/// The cost of what is not possible.
const IMPOSSIBLE: u64 = u64::MAX / 2;
/// The most shared segments that are kept. Meshes have about four; this bounds the others.
const MAX_OPEN: usize = 16;

impl SegmentPlanner {
    /// No blocks. `influences` are the numbers that column segments may have.
    pub(super) fn new(
        costs: &'static SourceCosts,
        blocks: usize,
        influences: impl Iterator<Item = usize>,
    ) -> Self {
        let column = |influences| ColumnCandidate { influences, first: 0, cost: IMPOSSIBLE };
        Self {
            costs,
            last: Vec::with_capacity(blocks),
            cost: 0,
            shared: Vec::with_capacity(MAX_OPEN + 1),
            columns: influences.filter(|&influences| influences <= MAX_COLUMNS).map(column).collect(),
        }
    }

    /// Adds the next block.
    pub(super) fn push(&mut self, block: &BlockNeeds) {
        let before = self.cost;
        // The cost, the first block, and whether it is of columns.
        let mut best = (IMPOSSIBLE, self.last.len(), false);
        self.extend_columns(block.influences);
        for column in &self.columns {
            if column.cost < best.0 {
                best = (column.cost, column.first, true);
            }
        }
        match &block.shared {
            Some(joints) => self.extend_shared(joints, before),
            None => self.shared.clear(),
        }
        for shared in &self.shared {
            if shared.cost < best.0 {
                best = (shared.cost, shared.first, false);
            }
        }
        if best.0 == IMPOSSIBLE {
            // Too many influences for columns: the block shares all its joints.
            let rows = block.influences;
            best.0 = before + self.costs.shared_segment(rows) + self.costs.shared_block(rows);
        }
        self.cost = best.0;
        self.last.push((best.1 as u32, best.2));
        self.drop_hopeless();
    }

    /// Extends all segments of columns by a block, or begins them with it if that costs less.
    fn extend_columns(&mut self, influences: usize) {
        let begun = self.cost + self.costs.column_segment();
        for column in &mut self.columns {
            if column.influences < influences {
                column.cost = IMPOSSIBLE;
                continue;
            }
            if begun < column.cost {
                column.cost = begun;
                column.first = self.last.len();
            }
            column.cost += self.costs.column_block(column.influences);
        }
    }

    /// Extends all shared segments by a block that needs these joints, and begins one with it.
    fn extend_shared(&mut self, joints: &SharedJoints, before: u64) {
        let (index, costs) = (self.last.len(), self.costs);
        // A later beginning needs a subset of the joints.
        let all_have =
            self.shared.last().is_some_and(|latest| latest.joints.union(joints) == Some(latest.joints));
        self.shared.retain_mut(|shared| {
            if !all_have {
                let Some(union) = shared.joints.union(joints) else { return false };
                shared.cost += shared.growth(costs, union.rows(), index);
                shared.joints = union;
            }
            shared.cost += costs.shared_block(shared.joints.rows());
            true
        });
        let rows = joints.rows();
        let cost = before + self.costs.shared_segment(rows) + self.costs.shared_block(rows);
        self.shared.push(SharedCandidate { first: index, joints: *joints, cost });
    }

    /// Drops shared segments that cannot be part of the cheapest cut.
    fn drop_hopeless(&mut self) {
        let (end, cost, costs) = (self.last.len(), self.cost, self.costs);
        let mut kept = self.shared.len();
        for index in (0..self.shared.len()).rev() {
            let (shared, rows) = (&self.shared[index], self.shared[index].joints.rows());
            let costs_more =
                |later: &SharedCandidate| later.cost + later.growth(costs, rows, end) <= shared.cost;
            // A segment that begins now needs no more joints.
            let hopeless = shared.cost >= cost + self.costs.shared_segment(rows)
                || self.shared[kept..].iter().any(costs_more);
            if !hopeless {
                kept -= 1;
                self.shared.swap(index, kept);
            }
        }
        self.shared.drain(..kept);
        if self.shared.len() > MAX_OPEN {
            self.shared.remove(0);
        }
    }

    /// The cost of the cheapest cut.
    pub(super) fn cost(&self) -> u64 {
        self.cost
    }

    /// The segments of the cheapest cut.
    pub(super) fn finish(self) -> Vec<PlannedSegment> {
        let mut segments = Vec::new();
        let mut end = self.last.len();
        while let Some(&(first, columns)) = end.checked_sub(1).and_then(|block| self.last.get(block)) {
            let first = first as usize;
            segments.push(PlannedSegment { first, blocks: end - first, columns });
            end = first;
        }
        segments.reverse();
        segments
    }
}

impl SharedCandidate {
    /// The additional cost of the blocks up to `end` with more rows of weights.
    fn growth(&self, costs: &SourceCosts, rows: usize, end: usize) -> u64 {
        let own = self.joints.rows();
        let block = costs.shared_block(rows) - costs.shared_block(own);
        block * (end - self.first) as u64 + costs.shared_segment(rows) - costs.shared_segment(own)
    }
}
