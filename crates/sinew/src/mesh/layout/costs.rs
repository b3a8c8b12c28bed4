//! The estimated cost of skinning, by which a layout is chosen.
//!
//! Costs are in hundredths of a nanosecond for position, normal and tangent, measured on an AMD
//! EPYC (Zen 3, 2.45 GHz) with AVX2 at version 0.1.0, by `cargo bench -p sinew-bench --bench
//! skin_ratios -- 'runs of'`. They are constants, so that a mesh has the same layout on every
//! machine.

/// A block in a run of 1 to 4 joints.
const SHARED_BLOCK: [u64; 4] = [570, 800, 1000, 1240];
/// Each joint of a run beyond four, per block.
const SHARED_BLOCK_EXTRA: u64 = 400;
/// A run of 1 to 4 joints, in addition to its blocks. Runs of more joints cost as much as those of
/// four.
const SHARED_RUN: [u64; 4] = [500, 770, 890, 1060];
/// A block of vertices with 1 to 4 joints of their own.
const PER_VERTEX_BLOCK: [u64; 4] = [1410, 2000, 2540, 3170];
/// Each influence of such vertices beyond four, per block.
const PER_VERTEX_BLOCK_EXTRA: u64 = 570;

/// The cost of a run whose vertices share their joints.
pub(super) fn shared_joints(influences: usize, blocks: usize) -> u64 {
    let (first_four, extra) = (influences.min(4), influences.saturating_sub(4));
    blocks as u64 * (SHARED_BLOCK[first_four - 1] + SHARED_BLOCK_EXTRA * extra as u64)
        + SHARED_RUN[first_four - 1]
}

/// The cost of blocks whose vertices have the same number of influences, but different joints.
pub(super) fn per_vertex_joints(influences: usize, blocks: usize) -> u64 {
    let (first_four, extra) = (influences.min(4), influences.saturating_sub(4));
    blocks as u64 * (PER_VERTEX_BLOCK[first_four - 1] + PER_VERTEX_BLOCK_EXTRA * extra as u64)
}

/// Converts a cost to nanoseconds.
pub(super) fn nanoseconds(cost: u64) -> f64 {
    cost as f64 / 100.0
}
