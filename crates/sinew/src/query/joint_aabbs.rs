//! Joint AABBs: for each child of the upper BVH nodes, the rest AABBs of what each joint moves in
//! it.
//!
//! They give the AABBs of a single node in a pose before any vertex is skinned.

use std::ops::Range;

use super::aabb4::{PaddedAabb, WIDTH};
use super::affine_columns::AffineColumns;
use crate::bounds::{CenterExtents, max, min};

/// The upper nodes of a BVH, down to clusters of triangles, with the joint AABBs of every child.
#[derive(Clone, Debug, Default)]
pub(crate) struct JointAabbs {
    /// Children come after their parents; siblings are adjacent.
    pub(super) nodes: Vec<LazyNode>,
    /// Grouped by node, then by child.
    pub(super) aabbs: Vec<JointAabb>,
    pub(super) block_ranges: Vec<BlockRange>,
}

/// An upper node. A ray reads exactly one cache line per node, because memory access dominates the
/// time of a ray.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct LazyNode {
    /// Index of the child node, or first triangle of the cluster in leaf order.
    pub(super) first: [u32; WIDTH],
    /// First joint AABB of the child node, so that reading it does not depend on loading the child.
    pub(super) child_first_aabb: [u32; WIDTH],
    /// End of each child's joint AABBs, where those of the next child begin.
    pub(super) aabb_ends: [u32; WIDTH],
    /// First block range of this node's clusters.
    pub(super) first_block_range: u32,
    /// End of each child's block ranges, relative to `first_block_range`.
    pub(super) block_range_ends: [u8; WIDTH],
    /// Number of triangles in the cluster; zero if the child is a node.
    pub(super) len: [u8; WIDTH],
    /// Number of children.
    pub(super) used: u8,
}

const _: () = assert!(size_of::<LazyNode>() == 64);

/// The AABB of the vertices of one child that one joint influences.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointAabb {
    pub(super) joint: u32,
    /// In the rest pose.
    pub(super) rest: CenterExtents,
}

/// Consecutive blocks of vertices.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockRange {
    pub(super) first: u32,
    pub(super) len: u32,
}

impl JointAabbs {
    /// An AABB of a child's vertices in a pose, up to rounding: the union of its transformed joint
    /// AABBs. It contains every vertex because a skinned vertex is a weighted mean of the positions
    /// to which its joints move it.
    #[inline]
    pub(super) fn posed_aabb(&self, range: Range<usize>, matrices: &[AffineColumns]) -> PaddedAabb {
        let mut all = PaddedAabb::EMPTY;
        for aabb in &self.aabbs[range] {
            let posed = matrices[aabb.joint as usize].transform(&aabb.rest);
            for row in 0..4 {
                all.min[row] = min(posed.min[row], all.min[row]);
                all.max[row] = max(posed.max[row], all.max[row]);
            }
        }
        all
    }

    /// The block ranges that contain the vertices of a cluster.
    #[inline]
    pub(super) fn block_ranges(&self, node: &LazyNode, lane: usize) -> &[BlockRange] {
        let start = if lane == 0 { 0 } else { node.block_range_ends[lane - 1] };
        let first = node.first_block_range as usize;
        &self.block_ranges[first + usize::from(start)..first + usize::from(node.block_range_ends[lane])]
    }
}
