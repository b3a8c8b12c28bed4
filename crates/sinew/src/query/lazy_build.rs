//! Construction of the joint AABBs of a lazy BVH.

use sinew_kernels::{Aabb, BLOCK};

use super::aabb4::WIDTH;
use super::bvh_topology::{BvhTopology, Node};
use super::joint_aabbs::{BlockRange, JointAabb, JointAabbs, LazyNode};
use crate::bounds::CenterExtents;
use crate::mesh::Mesh;

/// Largest number of triangles in a cluster, which is skinned as a unit.
const MAX_CLUSTER_TRIANGLES: u32 = 16;
// Each corner may need its own block range, and a byte counts the block ranges of a node.
const _: () = assert!(WIDTH as u32 * 3 * MAX_CLUSTER_TRIANGLES <= u8::MAX as u32);

impl JointAabbs {
    pub(super) fn new(mesh: &Mesh, topology: &BvhTopology) -> Self {
        let mut built = Self::default();
        if topology.nodes.is_empty() {
            return built;
        }
        let ranges = triangle_ranges(&topology.nodes);
        let mut builder = JointAabbBuilder::new(mesh);
        // Upper nodes in breadth-first order: the index in the whole BVH, and the parent and lane.
        let mut queue = vec![(0, None)];
        let mut next = 0;
        while next < queue.len() {
            let (index, parent) = queue[next];
            if let Some((parent, lane)) = parent {
                let parent: &mut LazyNode = &mut built.nodes[parent];
                parent.child_first_aabb[lane] = built.aabbs.len() as u32;
            }
            let source = &topology.nodes[index];
            let mut node = LazyNode::new(&built, source.used as u8);
            for lane in 0..source.used as usize {
                let (first, len) = match source.len[lane] {
                    0 => ranges[source.first[lane] as usize],
                    len => (source.first[lane], len),
                };
                let triangles = &topology.corners[first as usize..(first + len) as usize];
                builder.add_joint_aabbs(triangles, &mut built.aabbs);
                if len <= MAX_CLUSTER_TRIANGLES {
                    (node.first[lane], node.len[lane]) = (first, len as u8);
                    builder.add_block_ranges(triangles, &mut built.block_ranges);
                } else {
                    node.first[lane] = queue.len() as u32;
                    queue.push((source.first[lane] as usize, Some((next, lane))));
                }
                node.close_lane(lane, &built);
            }
            built.nodes.push(node);
            next += 1;
        }
        built
    }
}

impl LazyNode {
    /// A node whose joint AABBs and block ranges are the next to be added.
    fn new(built: &JointAabbs, used: u8) -> Self {
        Self {
            first: [0; WIDTH],
            child_first_aabb: [0; WIDTH],
            aabb_ends: [built.aabbs.len() as u32; WIDTH],
            first_block_range: built.block_ranges.len() as u32,
            block_range_ends: [0; WIDTH],
            len: [0; WIDTH],
            used,
        }
    }

    /// Records that the joint AABBs and block ranges of a child are complete.
    fn close_lane(&mut self, lane: usize, built: &JointAabbs) {
        self.aabb_ends[lane..].fill(built.aabbs.len() as u32);
        self.block_range_ends[lane..]
            .fill((built.block_ranges.len() - self.first_block_range as usize) as u8);
    }
}

/// The first triangle and the triangle count of each node, in leaf order.
fn triangle_ranges(nodes: &[Node]) -> Vec<(u32, u32)> {
    let mut ranges = vec![(u32::MAX, 0); nodes.len()];
    for (index, node) in nodes.iter().enumerate().rev() {
        for lane in 0..node.used as usize {
            let (first, len) = match node.len[lane] {
                0 => ranges[node.first[lane] as usize],
                len => (node.first[lane], len),
            };
            ranges[index] = (ranges[index].0.min(first), ranges[index].1 + len);
        }
    }
    ranges
}

/// The influences of each slot, and scratch memory.
struct JointAabbBuilder {
    starts: Vec<u32>,
    influences: Vec<(u32, [f32; 3])>,
    aabbs: Vec<Aabb>,
    joints: Vec<u32>,
    blocks: Vec<u32>,
}

impl JointAabbBuilder {
    fn new(mesh: &Mesh) -> Self {
        let mut starts = vec![0; mesh.padded_len() + 1];
        mesh.for_each_slot_of_levels(|slot| starts[slot.slot + 1] += slot.rest_positions().count() as u32);
        for slot in 0..mesh.padded_len() {
            starts[slot + 1] += starts[slot];
        }
        let mut influences = vec![(0, [0.0; 3]); starts[mesh.padded_len()] as usize];
        let mut next = starts.clone();
        mesh.for_each_slot_of_levels(|slot| {
            for influence in slot.rest_positions() {
                influences[next[slot.slot] as usize] = influence;
                next[slot.slot] += 1;
            }
        });
        Self {
            starts,
            influences,
            aabbs: vec![Aabb::EMPTY; mesh.skin_len()],
            joints: Vec::new(),
            blocks: Vec::new(),
        }
    }

    fn add_joint_aabbs(&mut self, triangles: &[[u32; 3]], to: &mut Vec<JointAabb>) {
        let Self { starts, influences, aabbs, joints, .. } = self;
        for &slot in triangles.as_flattened() {
            let slot = slot as usize;
            for &(joint, position) in &influences[starts[slot] as usize..starts[slot + 1] as usize] {
                let aabb = &mut aabbs[joint as usize];
                if aabb.is_empty() {
                    joints.push(joint);
                }
                *aabb = aabb.union(&Aabb { min: position, max: position });
            }
        }
        for joint in joints.drain(..) {
            let aabb = std::mem::replace(&mut aabbs[joint as usize], Aabb::EMPTY);
            to.push(JointAabb { joint, rest: CenterExtents::from_aabb(&aabb) });
        }
    }

    fn add_block_ranges(&mut self, triangles: &[[u32; 3]], to: &mut Vec<BlockRange>) {
        self.blocks.clear();
        self.blocks.extend(triangles.as_flattened().iter().map(|&slot| slot / BLOCK as u32));
        self.blocks.sort_unstable();
        self.blocks.dedup();
        for range in self.blocks.chunk_by(|a, b| a + 1 == *b) {
            to.push(BlockRange { first: range[0], len: range.len() as u32 });
        }
    }
}
