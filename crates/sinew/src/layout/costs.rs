//! What skinning costs, computed: a layout is chosen by it.
//!
//! Tenths of a cycle for position, normal and tangent, measured on one machine with 256-bit registers. They are the
//! same numbers everywhere, so that a mesh has the same layout on every machine.

/// A block in a run of 1 to 4 joints.
const RUN_BLOCK: [u64; 4] = [167, 190, 240, 280];
/// Each joint of a run beyond four, for a block.
const RUN_BLOCK_MORE: u64 = 80;
/// A run of 1 to 4 joints, beside its blocks; with more joints as with four.
const RUN: [u64; 4] = [90, 130, 150, 170];
/// A block of vertices with their own 1 to 4 joints each. To be set from measurements.
const COUNTED_BLOCK: [u64; 4] = [320, 400, 480, 560];
/// Each influence of such a vertex beyond four, for a block.
const COUNTED_BLOCK_MORE: u64 = 80;

/// A run of so many blocks.
pub(super) fn of_run(influences: usize, blocks: usize) -> u64 {
    let (four, more) = (influences.min(4), influences.saturating_sub(4));
    blocks as u64 * (RUN_BLOCK[four - 1] + RUN_BLOCK_MORE * more as u64) + RUN[four - 1]
}

/// Blocks of vertices that have nothing but the number of their influences in common.
pub(super) fn of_counted(influences: usize, blocks: usize) -> u64 {
    let (four, more) = (influences.min(4), influences.saturating_sub(4));
    blocks as u64 * (COUNTED_BLOCK[four - 1] + COUNTED_BLOCK_MORE * more as u64)
}

/// As reports show it: cycles.
pub(super) fn cycles(cost: u64) -> f64 {
    cost as f64 / 10.0
}
