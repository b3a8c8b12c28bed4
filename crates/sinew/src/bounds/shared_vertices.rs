//! The vertices that each joint influences, and those that it shares with each other joint.

use sinew_kernels::Aabb;

use super::center_extents::CenterExtents;
use super::joint_boxes::InfluencedSlot;
use super::min_max::max;
use crate::mesh::Mesh;

/// The vertices that a joint influences.
#[derive(Clone, Debug)]
pub(super) struct JointVertices {
    pub(super) bounds: Aabb,
    /// Largest number of influences of such a vertex.
    pub(super) influences: usize,
    pub(super) shared: Vec<SharedVertices>,
}

/// The vertices that a joint shares with another.
#[derive(Clone, Debug)]
pub(super) struct SharedVertices {
    /// The other joint.
    pub(super) joint: u32,
    pub(super) bounds: Aabb,
    /// The center of `bounds`.
    center: [f32; 3],
    /// Bounds of the offsets from the center, times w (1 - w) with the other joint's weight w.
    pub(super) weighted: Aabb,
    /// The largest w (1 - w).
    pub(super) max_product: f32,
}

/// Finds the vertices of all joints, in the order of the skin. For meshes whose vertices have one
/// position, not one for each joint.
pub(super) fn joint_vertices(mesh: &Mesh) -> Vec<JointVertices> {
    let none = JointVertices { bounds: Aabb::EMPTY, influences: 0, shared: Vec::new() };
    let mut joints = vec![none; mesh.skin_len];
    let mut run = Run::default();
    let (mut bounds, mut influences) = (Aabb::EMPTY, 0);
    mesh.for_each_slot_of_levels(|slot| {
        if !run.continues_with(slot) {
            run.add_to(&mut joints, &bounds, influences);
            run.begin(slot, &mut joints);
            (bounds, influences) = (Aabb::EMPTY, 0);
        }
        if let Some((_, position, _)) = slot.weighted_rest_positions().next() {
            bounds = bounds.union(&Aabb { min: position, max: position });
            influences = influences.max(slot.influences.len());
        }
    });
    run.add_to(&mut joints, &bounds, influences);
    for shared in joints.iter_mut().flat_map(|joint| &mut joint.shared) {
        shared.center = CenterExtents::from_aabb(&shared.bounds).center;
    }
    let mut products = Vec::new();
    // Levels of detail have different weights.
    mesh.for_each_slot_of_levels(|slot| {
        if !run.continues_with(slot) {
            run.begin(slot, &mut joints);
        }
        products.clear();
        products.extend(
            slot.weighted_rest_positions()
                .map(|(_, position, weight)| (position, max(weight * (1.0 - weight), 0.0))),
        );
        for pair in &run.pairs {
            let (position, product) = products[pair.other];
            joints[pair.joint].shared[pair.shared].add(position, product);
        }
    });
    joints
}

impl SharedVertices {
    fn add(&mut self, position: [f32; 3], product: f32) {
        let offset = std::array::from_fn(|axis| product * (position[axis] - self.center[axis]));
        self.weighted = self.weighted.union(&Aabb { min: offset, max: offset });
        self.max_product = max(product, self.max_product);
    }
}

/// Slots in a row with the same joints. Their pairs are looked up once.
#[derive(Default)]
struct Run {
    joints: Vec<u32>,
    pairs: Vec<Pair>,
}

/// Two joints of a run.
struct Pair {
    joint: usize,
    /// The index among the joint's shared vertices.
    shared: usize,
    /// The index of the other joint in the run.
    other: usize,
}

impl Run {
    fn continues_with(&self, slot: &InfluencedSlot<'_>) -> bool {
        slot.weighted_rest_positions().map(|(joint, ..)| joint).eq(self.joints.iter().copied())
    }

    fn begin(&mut self, slot: &InfluencedSlot<'_>, joints: &mut [JointVertices]) {
        self.joints.clear();
        self.joints.extend(slot.weighted_rest_positions().map(|(joint, ..)| joint));
        self.pairs.clear();
        for &joint in &self.joints {
            for (other, &other_joint) in self.joints.iter().enumerate().filter(|(_, other)| **other != joint)
            {
                let shared = shared_index(&mut joints[joint as usize].shared, other_joint);
                self.pairs.push(Pair { joint: joint as usize, shared, other });
            }
        }
    }

    /// Adds the bounds of the run's vertices to all of its joints and pairs.
    fn add_to(&self, joints: &mut [JointVertices], bounds: &Aabb, influences: usize) {
        for &joint in &self.joints {
            let joint = &mut joints[joint as usize];
            joint.bounds = joint.bounds.union(bounds);
            joint.influences = joint.influences.max(influences);
        }
        for pair in &self.pairs {
            let shared = &mut joints[pair.joint].shared[pair.shared];
            shared.bounds = shared.bounds.union(bounds);
        }
    }
}

/// The index of the vertices shared with a joint, added if missing.
fn shared_index(shared: &mut Vec<SharedVertices>, joint: u32) -> usize {
    shared.iter().position(|shared| shared.joint == joint).unwrap_or_else(|| {
        shared.push(SharedVertices {
            joint,
            bounds: Aabb::EMPTY,
            center: [0.0; 3],
            weighted: Aabb::EMPTY,
            max_product: 0.0,
        });
        shared.len() - 1
    })
}
