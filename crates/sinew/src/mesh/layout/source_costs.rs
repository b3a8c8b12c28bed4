//! The estimated cost of skinning in source order, by which its segments are chosen.
//!
//! Costs are for position, normal and tangent. They are constants, so that a mesh has the same
//! segments on every machine.

use sinew_kernels::{Backend, FloatMode};

use crate::runtime::Runtime;

/// The most joints that a segment shares, unless nothing else is possible.
pub(super) const MAX_SHARED: usize = 8;
/// The most influences of a vertex in a column segment.
pub(super) const MAX_COLUMNS: usize = 64;

/// The costs on registers of one width, in units of their own.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SourceCosts {
    /// A block of vertices that share joints, by rows of weights: one for each joint, or none if
    /// one joint has all the weight.
    shared_block: [u64; MAX_SHARED + 1],
    /// Each joint beyond these, per block.
    shared_block_extra: u64,
    /// A block of vertices with 1 to 4 joints of their own.
    column_block: [u64; 4],
    /// The same with more joints: this much, and so much for each of them.
    column_block_more: (u64, u64),
    /// A segment, in addition to its blocks.
    segment: u64,
    /// Each joint that a segment shares, in addition to its blocks.
    segment_joint: u64,
    /// Copying the positions of a block of vertices.
    copied_block: u64,
    /// A window of such blocks.
    copied_window: u64,
}

impl SourceCosts {
    /// Registers of eight lanes: AVX2, in tenths of a cycle of an Intel Emerald Rapids at 2.3 GHz.
    pub(super) const EIGHT_LANES: Self = Self {
        shared_block: [208, 240, 280, 350, 415, 475, 532, 590, 650],
        shared_block_extra: 60,
        column_block: [376, 484, 580, 656],
        column_block_more: (250, 100),
        segment: 250,
        segment_joint: 10,
        copied_block: 0,
        copied_window: 0,
    };

    /// Positions alone on registers of eight lanes: AVX2, in tenths of a cycle of an AMD Zen 5 at
    /// 2.6 GHz. Two to seven shared joints were measured, and three and four of each vertex; the
    /// others follow from the number of operations.
    pub(super) const POSITIONS_EIGHT_LANES: Self = Self {
        shared_block: [50, 70, 110, 140, 203, 235, 290, 360, 410],
        shared_block_extra: 50,
        column_block: [120, 205, 268, 344],
        column_block_more: (60, 72),
        segment: 120,
        segment_joint: 5,
        copied_block: 56,
        copied_window: 1500,
    };

    /// Registers of four lanes: SSE2, in tenths of a cycle of an AMD Zen 5 at 2.6 GHz. More than
    /// four shared joints cost more than joints of each vertex, since every matrix element is
    /// broadcast for every four vertices.
    pub(super) const FOUR_LANES: Self = Self {
        shared_block: [304, 360, 429, 523, 614, 841, 962, 1065, 1172],
        shared_block_extra: 110,
        column_block: [332, 516, 660, 803],
        column_block_more: (260, 134),
        segment: 150,
        segment_joint: 10,
        copied_block: 0,
        copied_window: 0,
    };

    /// Positions alone on registers of four lanes: SSE2, in the same units. Three and four joints of
    /// each vertex were measured; the others follow from the number of operations.
    pub(super) const POSITIONS_FOUR_LANES: Self = Self {
        shared_block: [90, 180, 270, 370, 470, 660, 760, 860, 960],
        shared_block_extra: 100,
        column_block: [170, 330, 446, 588],
        column_block_more: (60, 134),
        segment: 150,
        segment_joint: 10,
        copied_block: 56,
        copied_window: 1500,
    };

    /// The costs on a runtime. Segments show in the signs of zeros and in the vertices that a NaN
    /// of a matrix reaches. So reproducible mode cuts alike on every backend, and so do backends
    /// that fuse.
    pub(crate) fn for_runtime(runtime: Runtime) -> &'static Self {
        if cuts_for_four_lanes(runtime) { &Self::FOUR_LANES } else { &Self::EIGHT_LANES }
    }

    /// The same for positions alone.
    pub(crate) fn of_positions(runtime: Runtime) -> &'static Self {
        if cuts_for_four_lanes(runtime) { &Self::POSITIONS_FOUR_LANES } else { &Self::POSITIONS_EIGHT_LANES }
    }

    /// The cost of copying positions to so many blocks of vertices, in so many windows.
    pub(super) fn copies(&self, blocks: usize, windows: usize) -> u64 {
        self.copied_block * blocks as u64 + self.copied_window * windows as u64
    }

    /// The cost of a block of a segment that shares joints.
    pub(super) fn shared_block(&self, rows: usize) -> u64 {
        let extra = rows.saturating_sub(MAX_SHARED) as u64;
        self.shared_block[rows.min(MAX_SHARED)] + self.shared_block_extra * extra
    }

    /// The cost of beginning a segment that shares joints.
    pub(super) fn shared_segment(&self, rows: usize) -> u64 {
        self.segment + self.segment_joint * rows.max(1) as u64
    }

    /// The cost of a block of a column segment.
    pub(super) fn column_block(&self, influences: usize) -> u64 {
        let (base, each) = self.column_block_more;
        let more = base + each * influences as u64;
        self.column_block.get(influences.saturating_sub(1)).copied().unwrap_or(more)
    }

    /// The cost of beginning a column segment.
    pub(super) fn column_segment(&self) -> u64 {
        self.segment
    }
}

fn cuts_for_four_lanes(runtime: Runtime) -> bool {
    let four_lanes = |backend: &Backend| !backend.fuses() && backend.lanes() <= 4;
    runtime.float_mode() == FloatMode::Fast && runtime.backend().is_some_and(four_lanes)
}
