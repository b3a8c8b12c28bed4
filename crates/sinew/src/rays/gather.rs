//! Finding out what the boxes of a tree hang on.

use sinew_kernels::{Aabb, BLOCK};

use super::boxes::WIDTH;
use super::build::{Node, Shape};
use super::claims::{Claim, Claims, Fork, Window};
use crate::Mesh;
use crate::bounds::Extent;

/// Triangles that are skinned together, at most.
const CLUSTER: u32 = 16;
// Each corner may need a window of its own, and a byte counts those of a fork.
const _: () = assert!(WIDTH as u32 * 3 * CLUSTER <= u8::MAX as u32);

impl Claims {
    pub(crate) fn new(mesh: &Mesh) -> Self {
        let shape: &Shape = mesh.tree_shape();
        let mut claims = Self::default();
        if shape.nodes.is_empty() {
            return claims;
        }
        let ranges = ranges(&shape.nodes);
        let mut gather = Gather::new(mesh);
        // Nodes of the upper part: their places in the whole tree, and the box that each is in.
        let mut of = vec![(0, None)];
        let mut next = 0;
        while next < of.len() {
            let (place, above) = of[next];
            if let Some((fork, lane)) = above {
                let above: &mut Fork = &mut claims.forks[fork];
                above.below[lane] = claims.claims.len() as u32;
            }
            let own = &shape.nodes[place];
            let mut fork = Fork::new(&claims, own.used as u8);
            for lane in 0..own.used as usize {
                let (first, len) = match own.len[lane] {
                    0 => ranges[own.first[lane] as usize],
                    len => (own.first[lane], len),
                };
                let triangles = &shape.corners[first as usize..(first + len) as usize];
                gather.claims_of(triangles, &mut claims.claims);
                if len <= CLUSTER {
                    (fork.first[lane], fork.len[lane]) = (first, len as u8);
                    gather.windows_of(triangles, &mut claims.windows);
                } else {
                    fork.first[lane] = of.len() as u32;
                    of.push((own.first[lane] as usize, Some((next, lane))));
                }
                fork.end(lane, &claims);
            }
            claims.forks.push(fork);
            next += 1;
        }
        claims
    }
}

impl Fork {
    /// Its claims and windows will be the next.
    fn new(claims: &Claims, used: u8) -> Self {
        Self {
            first: [0; WIDTH],
            below: [0; WIDTH],
            claim_ends: [claims.claims.len() as u32; WIDTH],
            windows: claims.windows.len() as u32,
            window_ends: [0; WIDTH],
            len: [0; WIDTH],
            used,
        }
    }

    /// The claims and windows of a box, and so of all before it, are there.
    fn end(&mut self, lane: usize, claims: &Claims) {
        self.claim_ends[lane..].fill(claims.claims.len() as u32);
        self.window_ends[lane..].fill((claims.windows.len() - self.windows as usize) as u8);
    }
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
    boxes: Vec<Aabb>,
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
            boxes: vec![Aabb::EMPTY; mesh.skin_len()],
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
                *bounds = bounds.union(&Aabb { min: point, max: point });
            }
        }
        for joint in joints.drain(..) {
            let bounds = std::mem::replace(&mut boxes[joint as usize], Aabb::EMPTY);
            to.push(Claim { joint, rest: Extent::of(&bounds) });
        }
    }

    fn windows_of(&mut self, triangles: &[[u32; 3]], to: &mut Vec<Window>) {
        self.blocks.clear();
        self.blocks.extend(triangles.as_flattened().iter().map(|&place| place / BLOCK as u32));
        self.blocks.sort_unstable();
        self.blocks.dedup();
        for window in self.blocks.chunk_by(|a, b| a + 1 == *b) {
            to.push(Window { first: window[0], len: window.len() as u32 });
        }
    }
}
