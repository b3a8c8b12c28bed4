//! How far morph targets move what hangs on each joint.

use std::ops::Range;

use sinew_kernels::{Aabb, BLOCK};

use super::boxes::JointBox;
use super::extent::Extent;
use super::moved::higher;
use crate::Mesh;

/// What morph targets add: a box for each joint that a target moves something of, so that a face does not widen the feet.
#[derive(Clone, Debug, Default)]
pub(super) struct Shapes {
    /// Of each joint, by place among the joints that something hangs on; empty without morph targets.
    of_joint: Vec<Range<usize>>,
    /// One joint after the other.
    deltas: Vec<Delta>,
    /// Of each target the largest magnitudes of its deltas, axis by axis.
    extents: Vec<[f32; 3]>,
}

/// The box of a target's deltas on a joint, the zero of what it leaves in place among them.
#[derive(Clone, Copy, Debug)]
struct Delta {
    target: u32,
    by: Extent,
}

/// What morph weights do to a box: it is moved, and made larger on each side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Grown {
    pub(super) by: [f32; 3],
    pub(super) half: [f32; 3],
}

impl Shapes {
    pub(super) fn new(mesh: &Mesh, joints: &[JointBox]) -> Self {
        if mesh.morph_count() == 0 {
            return Self::default();
        }
        let holders = Holders::new(mesh);
        let mut found = Vec::new();
        let mut extents = Vec::new();
        for target in 0..mesh.morph_count() {
            extents.push(boxes_of(mesh, target, &holders, &mut found));
        }
        // Stable, so that targets of a joint stay in order.
        found.sort_by_key(|(joint, _)| *joint);
        let mut end = 0;
        let own = |joint: &JointBox| {
            let start = end;
            end += found[start..].iter().take_while(|(of, _)| *of == joint.joint).count();
            start..end
        };
        let of_joint = joints.iter().map(own).collect();
        Self { of_joint, deltas: found.into_iter().map(|(_, delta)| delta).collect(), extents }
    }

    /// What the weights do to the boxes of a joint, by its place; none at all do nothing.
    pub(super) fn grown(&self, joint: usize, weights: &[f32]) -> Grown {
        let mut grown = Grown::default();
        let Some(own) = self.of_joint.get(joint).filter(|_| !weights.is_empty()) else { return grown };
        for delta in &self.deltas[own.clone()] {
            let weight = weights[delta.target as usize];
            if weight != 0.0 {
                for axis in 0..3 {
                    grown.by[axis] += weight * delta.by.middle[axis];
                    grown.half[axis] += weight.abs() * delta.by.half[axis];
                }
            }
        }
        grown
    }

    /// How much larger the largest magnitudes of coordinates may become.
    pub(super) fn extent(&self, weights: &[f32]) -> [f32; 3] {
        let mut sum = [0.0; 3];
        for (extent, weight) in self.extents.iter().zip(weights) {
            sum = std::array::from_fn(|axis| sum[axis] + weight.abs() * extent[axis]);
        }
        sum
    }
}

/// The joints that hold each place.
struct Holders {
    starts: Vec<u32>,
    joints: Vec<u32>,
}

impl Holders {
    fn new(mesh: &Mesh) -> Self {
        let mut starts = vec![0; mesh.padded_len() + 1];
        mesh.each_hold(|hold| starts[hold.place + 1] = hold.points().count() as u32);
        for place in 0..mesh.padded_len() {
            starts[place + 1] += starts[place];
        }
        let mut joints = vec![0; starts[mesh.padded_len()] as usize];
        mesh.each_hold(|hold| {
            let own = &mut joints[starts[hold.place] as usize..];
            own.iter_mut().zip(hold.points()).for_each(|(to, (joint, _))| *to = joint);
        });
        Self { starts, joints }
    }

    fn of(&self, place: usize) -> &[u32] {
        &self.joints[self.starts[place] as usize..self.starts[place + 1] as usize]
    }
}

/// Finds the boxes of a target's deltas, joint by joint, and gives their largest magnitudes.
fn boxes_of(mesh: &Mesh, target: usize, holders: &Holders, to: &mut Vec<(u32, Delta)>) -> [f32; 3] {
    const STILL: Aabb = Aabb { min: [0.0; 3], max: [0.0; 3] };
    let mut boxes = vec![STILL; mesh.skin_len];
    let mut extent = [0.0; 3];
    let (vectors, blocks, deltas) = mesh.morphs.of_target(target);
    for (&block, delta) in blocks.iter().zip(deltas.iter().step_by(vectors)) {
        for lane in 0..BLOCK {
            let delta = delta.vector(lane);
            extent = std::array::from_fn(|axis| higher(extent[axis], delta[axis].abs()));
            for &joint in holders.of(block as usize * BLOCK + lane) {
                let bounds = &mut boxes[joint as usize];
                *bounds = bounds.union(&Aabb { min: delta, max: delta });
            }
        }
    }
    let moved = boxes.iter().enumerate().filter(|(_, bounds)| **bounds != STILL);
    to.extend(moved.map(|(joint, bounds)| {
        let delta = Delta { target: target as u32, by: Extent::of(bounds) };
        (joint as u32, delta)
    }));
    extent
}
