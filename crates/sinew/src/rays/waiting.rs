//! Nodes on the way through a tree.

use super::boxes::WIDTH;
use super::build::DEEPEST;

/// Three at most for each level.
const MOST: usize = (WIDTH - 1) * DEEPEST + 1;

/// Nodes that have not been looked at yet, the next one last, each with how far away it begins.
pub(super) struct Waiting {
    nodes: [(u32, f32); MOST],
    len: usize,
}

/// Up to four nodes, the farthest first.
#[derive(Default)]
pub(super) struct Sorted {
    nodes: [(u32, f32); WIDTH],
    len: usize,
}

impl Waiting {
    /// The first of the nodes, where there is one.
    pub(super) fn new<T>(nodes: &[T]) -> Self {
        Self { nodes: [(0, 0.0); MOST], len: usize::from(!nodes.is_empty()) }
    }

    /// None.
    pub(super) fn none() -> Self {
        Self { nodes: [(0, 0.0); MOST], len: 0 }
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
    pub(super) fn push_all(&mut self, sorted: &Sorted) {
        for &(node, entry) in &sorted.nodes[..sorted.len] {
            self.push(node, entry);
        }
    }
}

impl Sorted {
    #[inline]
    pub(super) fn add(&mut self, node: u32, entry: f32) {
        let mut place = self.len;
        while place > 0 && self.nodes[place - 1].1 < entry {
            self.nodes[place] = self.nodes[place - 1];
            place -= 1;
        }
        self.nodes[place] = (node, entry);
        self.len += 1;
    }
}
