//! The boxes of the vertices that each joint influences, built once per mesh.

use sinew_kernels::{Aabb, BLOCK};

use super::min_max::max;
use super::morph_bounds::MorphBounds;
use super::sub_boxes::{SubBoxGrid, SubBoxes};
use crate::mesh::Mesh;
use crate::mesh::influences::Influence;
use crate::mesh::layout::Groups;

/// Influences up to this fraction of a vertex's weight sum are excluded from the boxes; the
/// rounding margin covers them. Rounding may leave such weights on distant joints.
const MIN_RELATIVE_WEIGHT: f32 = 1.0 / (1 << 21) as f32;

/// The boxes of all joints of a mesh.
#[derive(Clone, Debug)]
pub(crate) struct JointBoxes {
    /// Boxes of the joints that influence vertices, in ascending joint order.
    pub(super) joints: Vec<JointBox>,
    /// All joints with any weight, including those whose influences are all excluded from the
    /// boxes.
    pub(super) weighted_joints: Vec<u32>,
    /// Largest coordinate magnitude per axis.
    pub(super) max_coordinates: [f32; 3],
    /// Smallest and largest weight sum of a vertex; `[1, 1]` if the weights are normalized.
    pub(super) weight_sums: [f32; 2],
    /// Largest number of joints that a kernel blends for one vertex.
    pub(super) influences: usize,
    /// How morph targets change the boxes.
    pub(super) morphs: MorphBounds,
}

/// The box of one joint.
#[derive(Clone, Debug)]
pub(super) struct JointBox {
    pub(super) joint: u32,
    pub(super) sub_boxes: SubBoxes,
}

impl JointBoxes {
    pub(crate) fn new(mesh: &Mesh) -> Self {
        let mut boxes = vec![Aabb::EMPTY; mesh.skin_len];
        let mut has_weight = vec![false; mesh.skin_len];
        let mut weight_sums = [f32::INFINITY, 0.0];
        let mut max_coordinates = [0.0; 3];
        mesh.for_each_slot(|slot| {
            weight_sums = [weight_sums[0].min(slot.weight_sum), weight_sums[1].max(slot.weight_sum)];
            slot.influences.iter().for_each(|influence| has_weight[influence.joint as usize] = true);
            for (joint, position) in slot.rest_positions() {
                boxes[joint as usize] = boxes[joint as usize].union(&Aabb { min: position, max: position });
                max_coordinates =
                    std::array::from_fn(|axis| max(max_coordinates[axis], position[axis].abs()));
            }
        });
        let mut grids: Vec<SubBoxGrid> = boxes.iter().map(SubBoxGrid::new).collect();
        mesh.for_each_slot(|slot| {
            slot.rest_positions().for_each(|(joint, position)| grids[joint as usize].add(position))
        });
        let used = grids.iter().enumerate().filter(|(joint, _)| !boxes[*joint].is_empty());
        let joints: Vec<JointBox> =
            used.map(|(joint, grid)| JointBox { joint: joint as u32, sub_boxes: grid.sub_boxes() }).collect();
        let weighted_joints =
            (0..).zip(&has_weight).filter(|(_, has_weight)| **has_weight).map(|(joint, _)| joint).collect();
        let (weight_sums, influences) = weight_sums_and_influences(&mesh.layout.full, weight_sums);
        Self {
            max_coordinates,
            weight_sums,
            influences,
            morphs: MorphBounds::new(mesh, &joints),
            joints,
            weighted_joints,
        }
    }
}

/// A slot with its influences.
pub(crate) struct InfluencedSlot<'a> {
    mesh: &'a Mesh,
    pub(crate) slot: usize,
    pub(super) influences: &'a [Influence],
    /// The sum of the weights of the influences.
    pub(super) weight_sum: f32,
}

impl InfluencedSlot<'_> {
    /// Each joint of the slot with the vertex's rest position for that joint. Skips influences
    /// below [`MIN_RELATIVE_WEIGHT`], except in joint space, where a small weight may belong to a
    /// distant position.
    pub(crate) fn rest_positions(&self) -> impl Iterator<Item = (u32, [f32; 3])> {
        self.weighted_rest_positions().map(|(joint, position, _)| (joint, position))
    }

    /// As [`rest_positions`](Self::rest_positions), with the relative weight of each joint.
    pub(crate) fn weighted_rest_positions(&self) -> impl Iterator<Item = (u32, [f32; 3], f32)> {
        let in_joint_space = self.mesh.has_joint_space_influences();
        let position = self.mesh.base[self.slot / BLOCK * self.mesh.base_vectors].vector(self.slot % BLOCK);
        let strong = self.influences.iter().filter(move |influence| {
            in_joint_space || influence.weight > MIN_RELATIVE_WEIGHT * self.weight_sum
        });
        strong.map(move |influence| {
            let joint_space_position =
                || influence.weighted.map(|c| (f64::from(c) / f64::from(influence.weight)) as f32);
            (
                influence.joint,
                if in_joint_space { joint_space_position() } else { position },
                influence.weight / self.weight_sum,
            )
        })
    }
}

impl Mesh {
    /// Visits all slots. This includes padding, which repeats vertices and so does not affect
    /// bounds.
    pub(super) fn for_each_slot(&self, visit: impl FnMut(&InfluencedSlot<'_>)) {
        self.for_each_slot_at(usize::MAX, visit);
    }

    /// Visits all slots with all influences, then with the influences of each level of detail.
    pub(crate) fn for_each_slot_of_levels(&self, mut visit: impl FnMut(&InfluencedSlot<'_>)) {
        self.for_each_slot_at(usize::MAX, &mut visit);
        for level in &self.layout.levels {
            self.for_each_slot_at(level.max_influences, &mut visit);
        }
    }

    fn for_each_slot_at(&self, max_influences: usize, mut visit: impl FnMut(&InfluencedSlot<'_>)) {
        let mut influences = Vec::new();
        for slot in 0..self.padded_len() {
            influences.clear();
            self.layout.strongest_of_slot(slot, max_influences).append_to(&mut influences);
            let weight_sum = influences.iter().map(|influence| influence.weight).sum();
            visit(&InfluencedSlot { mesh: self, slot, influences: &influences, weight_sum });
        }
    }
}

/// The range of weight sums, and the largest number of joints of a group.
///
/// The weights of shared-joint groups sum to one up to rounding, which the margin covers. The
/// weight sums of other groups are rounded outward.
fn weight_sums_and_influences(groups: &Groups, [low, high]: [f32; 2]) -> ([f32; 2], usize) {
    let (normalized, influences) = match groups {
        Groups::SharedJoints(groups) => (true, groups.iter().map(|group| group.influences).max()),
        Groups::PerVertexJoints(groups) => (false, groups.iter().map(|group| group.influences).max()),
        Groups::PreWeighted(groups) => (false, groups.iter().map(|group| group.influences).max()),
    };
    let sums = if normalized || low > high { [1.0; 2] } else { [low * (1.0 - 1e-6), high * (1.0 + 1e-6)] };
    (sums, influences.unwrap_or(0))
}
