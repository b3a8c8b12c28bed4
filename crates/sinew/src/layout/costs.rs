//! What skinning costs, computed: a layout is chosen by it.
//!
//! Hundredths of a nanosecond for position, normal and tangent, measured on an AMD EPYC (Zen 3, 2.45 GHz) with AVX2 at version 0.1.0, by
//! `cargo bench -p sinew-kernels --features papers --bench skin_ratios -- 'runs of'`. They are the same numbers everywhere,
//! so that a mesh has the same layout on every machine.

/// A block in a run of 1 to 4 joints.
const RUN_BLOCK: [u64; 4] = [570, 800, 1000, 1240];
/// Each joint of a run beyond four, for a block.
const RUN_BLOCK_MORE: u64 = 400;
/// A run of 1 to 4 joints, beside its blocks; with more joints as with four.
const RUN: [u64; 4] = [500, 770, 890, 1060];
/// A block of vertices with their own 1 to 4 joints each.
const COUNTED_BLOCK: [u64; 4] = [1410, 2000, 2540, 3170];
/// Each influence of such a vertex beyond four, for a block.
const COUNTED_BLOCK_MORE: u64 = 570;

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

/// As reports show it: nanoseconds.
pub(super) fn nanoseconds(cost: u64) -> f64 {
    cost as f64 / 100.0
}
