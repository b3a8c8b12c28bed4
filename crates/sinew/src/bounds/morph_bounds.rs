//! Bounds of morph target deltas per joint.

use std::ops::Range;

use sinew_kernels::{Aabb, BLOCK};

use super::center_extents::CenterExtents;
use super::joint_boxes::JointBox;
use super::min_max::max;
use crate::math::sort::sort_by_key;
use crate::mesh::Mesh;

/// Bounds of morph target deltas, per target and joint that it affects, so that a face target does
/// not expand the boxes of the feet.
#[derive(Clone, Debug, Default)]
pub(super) struct MorphBounds {
    /// Range in `deltas` of each joint that has a box; empty without morph targets.
    joint_ranges: Vec<Range<usize>>,
    /// Grouped by joint.
    deltas: Vec<JointDelta>,
    /// Largest delta magnitude of each target, per axis.
    max_deltas: Vec<[f32; 3]>,
}

/// Bounds of a target's deltas over the vertices of a joint, including zero for vertices that it
/// does not move.
#[derive(Clone, Copy, Debug)]
struct JointDelta {
    target: u32,
    bounds: CenterExtents,
}

/// How morph weights change a box: an offset, and an expansion on each side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MorphOffset {
    pub(super) offset: [f32; 3],
    pub(super) half_extents: [f32; 3],
}

impl MorphBounds {
    pub(super) fn new(mesh: &Mesh, joints: &[JointBox]) -> Self {
        if mesh.morph_count() == 0 {
            return Self::default();
        }
        let slot_joints = SlotJoints::new(mesh);
        let mut found = Vec::new();
        let mut max_deltas = Vec::new();
        for target in 0..mesh.morph_count() {
            max_deltas.push(target_bounds(mesh, target, &slot_joints, &mut found));
        }
        // The sort is stable, so the targets of a joint stay in order.
        sort_by_key(&mut found, |(joint, _)| u64::from(*joint));
        let mut end = 0;
        let joint_range = |joint: &JointBox| {
            let start = end;
            end += found[start..].iter().take_while(|(owner, _)| *owner == joint.joint).count();
            start..end
        };
        let joint_ranges = joints.iter().map(joint_range).collect();
        Self { joint_ranges, deltas: found.into_iter().map(|(_, delta)| delta).collect(), max_deltas }
    }

    /// How morph weights change the boxes of a joint, given by its index among the boxes. Without
    /// weights nothing changes.
    pub(super) fn offset(&self, joint: usize, weights: &[f32]) -> MorphOffset {
        let mut morph = MorphOffset::default();
        let Some(range) = self.joint_ranges.get(joint).filter(|_| !weights.is_empty()) else { return morph };
        for delta in &self.deltas[range.clone()] {
            let weight = weights[delta.target as usize];
            if weight != 0.0 {
                for axis in 0..3 {
                    morph.offset[axis] += weight * delta.bounds.center[axis];
                    morph.half_extents[axis] += weight.abs() * delta.bounds.half_extents[axis];
                }
            }
        }
        morph
    }

    /// Upper bound of the morph displacement per axis.
    pub(super) fn max_delta(&self, weights: &[f32]) -> [f32; 3] {
        let mut sum = [0.0; 3];
        for (max_delta, weight) in self.max_deltas.iter().zip(weights) {
            sum = std::array::from_fn(|axis| sum[axis] + weight.abs() * max_delta[axis]);
        }
        sum
    }
}

/// The joints that influence each slot, in CSR form.
struct SlotJoints {
    starts: Vec<u32>,
    joints: Vec<u32>,
}

impl SlotJoints {
    fn new(mesh: &Mesh) -> Self {
        let mut starts = vec![0; mesh.padded_len() + 1];
        mesh.for_each_slot(|slot| starts[slot.slot + 1] = slot.rest_positions().count() as u32);
        for slot in 0..mesh.padded_len() {
            starts[slot + 1] += starts[slot];
        }
        let mut joints = vec![0; starts[mesh.padded_len()] as usize];
        mesh.for_each_slot(|slot| {
            let slot_joints = &mut joints[starts[slot.slot] as usize..];
            slot_joints.iter_mut().zip(slot.rest_positions()).for_each(|(to, (joint, _))| *to = joint);
        });
        Self { starts, joints }
    }

    fn joints(&self, slot: usize) -> &[u32] {
        &self.joints[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }
}

/// Appends the bounds of a target's deltas per joint, and returns their largest magnitudes.
fn target_bounds(
    mesh: &Mesh,
    target: usize,
    slot_joints: &SlotJoints,
    found: &mut Vec<(u32, JointDelta)>,
) -> [f32; 3] {
    const ZERO: Aabb = Aabb { min: [0.0; 3], max: [0.0; 3] };
    let mut boxes = vec![ZERO; mesh.skin_len];
    let mut max_delta = [0.0; 3];
    let (vectors, blocks, deltas) = mesh.morphs.target(target);
    for (&block, delta) in blocks.iter().zip(deltas.iter().step_by(vectors)) {
        for lane in 0..BLOCK {
            let delta = delta.vector(lane);
            max_delta = std::array::from_fn(|axis| max(max_delta[axis], delta[axis].abs()));
            for &joint in slot_joints.joints(block as usize * BLOCK + lane) {
                let bounds = &mut boxes[joint as usize];
                *bounds = bounds.union(&Aabb { min: delta, max: delta });
            }
        }
    }
    let moved = boxes.iter().enumerate().filter(|(_, bounds)| **bounds != ZERO);
    found.extend(moved.map(|(joint, bounds)| {
        let delta = JointDelta { target: target as u32, bounds: CenterExtents::from_aabb(bounds) };
        (joint as u32, delta)
    }));
    max_delta
}
