//! The stack of a BVH traversal.

use super::aabb4::WIDTH;
use super::bvh_topology::MAX_DEPTH;

/// At most three waiting nodes per level.
const CAPACITY: usize = (WIDTH - 1) * MAX_DEPTH + 1;

/// Nodes to visit with their entry distances; the next one is last.
pub(super) struct TraversalStack {
    nodes: [(u32, f32); CAPACITY],
    len: usize,
}

/// Up to four children, sorted from the farthest to the nearest.
#[derive(Default)]
pub(super) struct SortedChildren {
    nodes: [(u32, f32); WIDTH],
    len: usize,
}

impl TraversalStack {
    /// A stack with the root node, or empty if there are no nodes.
    pub(super) fn with_root<T>(nodes: &[T]) -> Self {
        Self { nodes: [(0, 0.0); CAPACITY], len: usize::from(!nodes.is_empty()) }
    }

    /// An empty stack.
    pub(super) fn empty() -> Self {
        Self { nodes: [(0, 0.0); CAPACITY], len: 0 }
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<(usize, f32)> {
        self.len = self.len.checked_sub(1)?;
        let (node, entry) = self.nodes[self.len];
        Some((node as usize, entry))
    }

    #[inline]
    pub(super) fn push(&mut self, node: u32, entry: f32) {
        self.nodes[self.len] = (node, entry);
        self.len += 1;
    }

    #[inline]
    pub(super) fn push_all(&mut self, sorted: &SortedChildren) {
        for &(node, entry) in &sorted.nodes[..sorted.len] {
            self.push(node, entry);
        }
    }
}

impl SortedChildren {
    #[inline]
    pub(super) fn insert(&mut self, node: u32, entry: f32) {
        let mut slot = self.len;
        while slot > 0 && self.nodes[slot - 1].1 < entry {
            self.nodes[slot] = self.nodes[slot - 1];
            slot -= 1;
        }
        self.nodes[slot] = (node, entry);
        self.len += 1;
    }
}
