//! The estimated cost of skinning in source order, by which its segments are chosen.
//!
//! Costs are in tenths of a cycle for position, normal and tangent, measured on an Intel Emerald
//! Rapids (2.3 GHz) with AVX2. They are constants, so that a mesh has the same segments on every
//! machine.

/// The most joints that a segment shares, unless nothing else is possible.
pub(super) const MAX_SHARED: usize = 8;
/// The most influences of a vertex in a column segment.
pub(super) const MAX_COLUMNS: usize = 64;

/// A block of vertices that share joints, by rows of weights: one for each joint, or none if one
/// joint has all the weight.
const SHARED_BLOCK: [u64; MAX_SHARED + 1] = [208, 240, 280, 350, 415, 475, 532, 590, 650];
/// Each joint beyond these, per block.
const SHARED_BLOCK_EXTRA: u64 = 60;
/// A block of vertices with 1 to 4 joints of their own.
const COLUMN_BLOCK: [u64; 4] = [376, 484, 580, 656];
/// The same with more joints: this much, and so much for each of them.
const COLUMN_BLOCK_MORE: (u64, u64) = (250, 100);
/// A segment, in addition to its blocks.
const SEGMENT: u64 = 250;
/// Each joint that a segment shares, in addition to its blocks.
const SEGMENT_JOINT: u64 = 10;

/// The cost of a block of a segment that shares joints.
pub(super) fn shared_block(rows: usize) -> u64 {
    let extra = rows.saturating_sub(MAX_SHARED) as u64;
    SHARED_BLOCK[rows.min(MAX_SHARED)] + SHARED_BLOCK_EXTRA * extra
}

/// The cost of beginning a segment that shares joints.
pub(super) fn shared_segment(rows: usize) -> u64 {
    SEGMENT + SEGMENT_JOINT * rows.max(1) as u64
}

/// The cost of a block of a column segment.
pub(super) fn column_block(influences: usize) -> u64 {
    let (base, each) = COLUMN_BLOCK_MORE;
    let more = base + each * influences as u64;
    COLUMN_BLOCK.get(influences.saturating_sub(1)).copied().unwrap_or(more)
}

/// The cost of beginning a column segment.
pub(super) fn column_segment() -> u64 {
    SEGMENT
}
