//! What a tree of boxes hangs on: for each box the joints that move what is in it, and where that is at rest.
//!
//! From these the boxes of a frame can be had one by one, before any vertex is skinned.

use sinew_kernels::{BLOCK, Bounds};

use super::boxes::WIDTH;
use super::build::{Node, Shape};
use crate::Mesh;

/// Triangles that are skinned together, at most.
const CLUSTER: u32 = 16;

/// The upper part of a tree, down to clusters of triangles, and what each of its boxes hangs on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Claims {
    /// Children come after their parents; leaves are clusters.
    pub(super) nodes: Vec<Node>,
    /// Of each box the end of its claims; those of the next begin there.
    ends: Vec<u32>,
    claims: Vec<Claim>,
    /// Of each box the end of the windows that a cluster needs.
    window_ends: Vec<u32>,
    windows: Vec<Window>,
}

/// What a joint moves of a box: a box of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    pub(super) joint: u32,
    pub(super) middle: [f32; 3],
    pub(super) half: [f32; 3],
}

/// Blocks of vertices beside each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) first: u32,
    pub(super) len: u32,
}

impl Claims {
    pub(crate) fn new(mesh: &Mesh) -> Self {
        let shape: &Shape = mesh.tree_shape();
        let mut claims = Self::default();
        if shape.nodes.is_empty() {
            return claims;
        }
        let ranges = ranges(&shape.nodes);
        let mut gather = Gather::new(mesh);
        // Nodes of the upper part, by their places in the whole tree.
        let mut of = vec![0];
        let mut next = 0;
        while next < of.len() {
            let own = shape.nodes[of[next]];
            let mut node = Node { first: [0; WIDTH], len: [0; WIDTH], used: own.used };
            for lane in 0..WIDTH {
                let (first, len) = match own.len[lane] {
                    _ if lane >= own.used as usize => (0, 0),
                    0 => ranges[own.first[lane] as usize],
                    len => (own.first[lane], len),
                };
                let triangles = &shape.corners[first as usize..(first + len) as usize];
                gather.claims_of(triangles, &mut claims.claims);
                if len <= CLUSTER {
                    (node.first[lane], node.len[lane]) = (first, len);
                    gather.windows_of(triangles, &mut claims.windows);
                } else {
                    node.first[lane] = of.len() as u32;
                    of.push(own.first[lane] as usize);
                }
                claims.ends.push(claims.claims.len() as u32);
                claims.window_ends.push(claims.windows.len() as u32);
            }
            claims.nodes.push(node);
            next += 1;
        }
        claims
    }

    /// The claims of a box.
    #[inline]
    pub(super) fn of(&self, node: usize, lane: usize) -> &[Claim] {
        &self.claims[range(&self.ends, WIDTH * node + lane)]
    }

    /// The windows that the triangles of a cluster need.
    #[inline]
    pub(super) fn windows(&self, node: usize, lane: usize) -> &[Window] {
        &self.windows[range(&self.window_ends, WIDTH * node + lane)]
    }
}

#[inline]
fn range(ends: &[u32], place: usize) -> std::ops::Range<usize> {
    let start = if place == 0 { 0 } else { ends[place - 1] as usize };
    start..ends[place] as usize
}

/// Of each node the first of its triangles and their number.
fn ranges(nodes: &[Node]) -> Vec<(u32, u32)> {
    let mut ranges = vec![(u32::MAX, 0); nodes.len()];
    for (place, node) in nodes.iter().enumerate().rev() {
        for lane in 0..node.used as usize {
            let (first, len) = match node.len[lane] {
                0 => ranges[node.first[lane] as usize],
                len => (node.first[lane], len),
            };
            ranges[place] = (ranges[place].0.min(first), ranges[place].1 + len);
        }
    }
    ranges
}

/// What holds each place, and memory to gather boxes in.
struct Gather {
    starts: Vec<u32>,
    held: Vec<(u32, [f32; 3])>,
    boxes: Vec<Bounds>,
    joints: Vec<u32>,
    blocks: Vec<u32>,
}

impl Gather {
    fn new(mesh: &Mesh) -> Self {
        let mut starts = vec![0; mesh.padded_len() + 1];
        mesh.each_hold_of_levels(|hold| starts[hold.place + 1] += hold.points().count() as u32);
        for place in 0..mesh.padded_len() {
            starts[place + 1] += starts[place];
        }
        let mut held = vec![(0, [0.0; 3]); starts[mesh.padded_len()] as usize];
        let mut next = starts.clone();
        mesh.each_hold_of_levels(|hold| {
            for one in hold.points() {
                held[next[hold.place] as usize] = one;
                next[hold.place] += 1;
            }
        });
        Self {
            starts,
            held,
            boxes: vec![Bounds::EMPTY; mesh.skin_len()],
            joints: Vec::new(),
            blocks: Vec::new(),
        }
    }

    fn claims_of(&mut self, triangles: &[[u32; 3]], to: &mut Vec<Claim>) {
        let Self { starts, held, boxes, joints, .. } = self;
        for &place in triangles.as_flattened() {
            let place = place as usize;
            for &(joint, point) in &held[starts[place] as usize..starts[place + 1] as usize] {
                let bounds = &mut boxes[joint as usize];
                if bounds.is_empty() {
                    joints.push(joint);
                }
                *bounds = bounds.union(&Bounds { min: point, max: point });
            }
        }
        for joint in joints.drain(..) {
            let Bounds { min, max } = std::mem::replace(&mut boxes[joint as usize], Bounds::EMPTY);
            let middle = std::array::from_fn(|axis| 0.5 * min[axis] + 0.5 * max[axis]);
            let half = std::array::from_fn(|axis| 0.5 * max[axis] - 0.5 * min[axis]);
            to.push(Claim { joint, middle, half });
        }
    }

    fn windows_of(&mut self, triangles: &[[u32; 3]], to: &mut Vec<Window>) {
        self.blocks.clear();
        self.blocks.extend(triangles.as_flattened().iter().map(|&place| place / BLOCK as u32));
        self.blocks.sort_unstable();
        self.blocks.dedup();
        for run in self.blocks.chunk_by(|a, b| a + 1 == *b) {
            to.push(Window { first: run[0], len: run.len() as u32 });
        }
    }
}
