//! Builds groups from the influences of slots.

use sinew_kernels::{BLOCK, JointIndexBlock, PreWeightedBlock, Run, ScalarBlock};

use super::costs;
use super::groups::{Group, Groups, PerVertexJointsGroup, PreWeightedGroup, SharedJointsGroup};
use super::report::Grouping;
use crate::math::sort::heap_sort;
use crate::mesh::influences::{Ascending, StrongestInfluences, VertexInfluences};

/// The blocks of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunSpan {
    pub(super) influences: usize,
    pub(super) first: usize,
    pub(super) blocks: usize,
}

impl RunSpan {
    pub(super) fn shared_joints_cost(self) -> u64 {
        costs::shared_joints(self.influences, self.blocks)
    }

    pub(super) fn per_vertex_joints_cost(self) -> u64 {
        costs::per_vertex_joints(self.influences, self.blocks)
    }
}

/// The influences of all slots, limited to a maximum per vertex.
#[derive(Clone, Copy)]
pub(super) struct SlotInfluences<'a> {
    /// One row per vertex.
    pub(super) influences: &'a VertexInfluences,
    pub(super) inverse_remap: &'a [u32],
    /// The maximum number of influences per vertex.
    pub(super) max_influences: usize,
}

impl<'a> SlotInfluences<'a> {
    /// The strongest influences of a slot.
    #[inline(always)]
    pub(super) fn strongest(&self, slot: usize) -> StrongestInfluences<'a> {
        self.influences.strongest(self.inverse_remap[slot] as usize, self.max_influences)
    }

    /// Whether a slot is a pad, which repeats the vertex before it. The first slot of a block never
    /// is.
    fn is_pad(&self, slot: usize) -> bool {
        !slot.is_multiple_of(BLOCK) && self.inverse_remap[slot] == self.inverse_remap[slot - 1]
    }

    /// Builds groups of one kind from spans, which are sorted by their number of influences.
    pub(super) fn groups(&self, grouping: Grouping, spans: &[RunSpan]) -> Groups {
        match grouping {
            Grouping::SharedJoints => Groups::SharedJoints(self.shared_joints(spans)),
            Grouping::PerVertexJoints => Groups::PerVertexJoints(self.per_vertex_joints(spans)),
            Grouping::PreWeighted => Groups::PreWeighted(self.pre_weighted(spans)),
        }
    }

    fn shared_joints(&self, spans: &[RunSpan]) -> Vec<SharedJointsGroup> {
        let mut groups: Vec<SharedJointsGroup> = Vec::new();
        let mut run_joints = RunJoints::new(self.influences.skin_len());
        for (index, &span) in spans.iter().enumerate() {
            let rows = span.influences - 1;
            let group = group_with(&mut groups, span.influences, |group| {
                group.weights.reserve_exact(rows * blocks_of_group(&spans[index..]));
            });
            push_run(&mut group.runs, span);
            run_joints.assign(self, span);
            group.joints.extend(run_joints.joints());
            for block in span.first..span.first + span.blocks {
                let first = group.weights.len();
                group.weights.resize(first + rows, ScalarBlock::default());
                for lane in 0..BLOCK {
                    let strongest = self.strongest(BLOCK * block + lane);
                    for (i, &joint) in strongest.joints.iter().enumerate() {
                        // The weight of the last joint is implied.
                        if let Some(row) = group.weights[first..].get_mut(run_joints.index_of(joint)) {
                            row.0[lane] = strongest.weight(i);
                        }
                    }
                }
            }
        }
        groups
    }

    fn pre_weighted(&self, spans: &[RunSpan]) -> Vec<PreWeightedGroup> {
        let mut groups: Vec<PreWeightedGroup> = Vec::new();
        let mut run_joints = RunJoints::new(self.influences.skin_len());
        for (index, &span) in spans.iter().enumerate() {
            let group = group_with(&mut groups, span.influences, |group| {
                group.blocks.reserve_exact(span.influences * blocks_of_group(&spans[index..]));
            });
            push_run(&mut group.runs, span);
            run_joints.assign(self, span);
            group.joints.extend(run_joints.joints());
            for block in span.first..span.first + span.blocks {
                let first = group.blocks.len();
                group.blocks.resize(first + span.influences, PreWeightedBlock::default());
                for lane in 0..BLOCK {
                    let strongest = self.strongest(BLOCK * block + lane);
                    for (i, &joint) in strongest.joints.iter().enumerate() {
                        let block = &mut group.blocks[first + run_joints.index_of(joint)];
                        for (row, component) in block.rows.iter_mut().zip(strongest.weighted_vector(i)) {
                            row[lane] = component;
                        }
                    }
                }
            }
        }
        groups
    }

    /// The joints of a vertex are in ascending order, as in segments, so that both give the same
    /// bits.
    fn per_vertex_joints(&self, spans: &[RunSpan]) -> Vec<PerVertexJointsGroup> {
        let mut groups: Vec<PerVertexJointsGroup> = Vec::new();
        // A joint, then its weight.
        let mut ascending = Ascending::new(u64::MAX);
        for (index, &span) in spans.iter().enumerate() {
            let group = group_with(&mut groups, span.influences, |group| {
                let rows = span.influences * blocks_of_group(&spans[index..]);
                group.joints.reserve_exact(rows);
                group.weights.reserve_exact(rows);
            });
            push_run(&mut group.runs, span);
            for block in span.first..span.first + span.blocks {
                let first = group.joints.len();
                group.joints.resize(first + span.influences, JointIndexBlock::default());
                group.weights.resize(first + span.influences, ScalarBlock::default());
                for lane in 0..BLOCK {
                    let strongest = self.strongest(BLOCK * block + lane);
                    let own =
                        strongest.joints.iter().enumerate().map(|(i, &joint)| {
                            u64::from(joint) << 32 | u64::from(strongest.weight(i).to_bits())
                        });
                    let own = ascending.sort(own);
                    for (i, &key) in own.iter().enumerate() {
                        group.joints[first + i].0[lane] = (key >> 32) as u32;
                        group.weights[first + i].0[lane] = f32::from_bits(key as u32);
                    }
                    // A vertex with fewer influences has its last joint again, with weight zero.
                    if let Some(&last) = own.last() {
                        for unused in &mut group.joints[first + own.len()..] {
                            unused.0[lane] = (last >> 32) as u32;
                        }
                    }
                }
            }
        }
        groups
    }
}

/// The joints of a run, in the order that its weights are stored in.
struct RunJoints {
    /// The index in the run of each joint of the skin, or `UNASSIGNED`.
    index_of_joint: Vec<u32>,
    /// Sorted by total weight, largest first; the lower joint first among equal ones. The last
    /// joint is one that influences all vertices, if there is one: kernels compute the others
    /// relative to it.
    totals: Vec<JointTotal>,
}

/// The sum of weights of a joint, and the number of vertices it influences.
#[derive(Clone, Copy)]
struct JointTotal {
    weight: u64,
    vertices: usize,
    joint: u32,
}

/// The index of a joint that is not in the run.
const UNASSIGNED: u32 = u32::MAX;

impl RunJoints {
    fn new(skin_len: usize) -> Self {
        Self { index_of_joint: vec![UNASSIGNED; skin_len], totals: Vec::new() }
    }

    /// Replaces the joints with those of another span.
    fn assign(&mut self, slot_influences: &SlotInfluences<'_>, span: RunSpan) {
        for total in &self.totals {
            self.index_of_joint[total.joint as usize] = UNASSIGNED;
        }
        self.totals.clear();
        if span.influences == 1 {
            let joint = slot_influences.strongest(BLOCK * span.first).joints[0];
            self.totals.push(JointTotal { weight: 0, vertices: 0, joint });
            self.index_of_joint[joint as usize] = 0;
            return;
        }
        let mut vertices = 0;
        for slot in BLOCK * span.first..BLOCK * (span.first + span.blocks) {
            if slot_influences.is_pad(slot) {
                continue;
            }
            vertices += 1;
            let strongest = slot_influences.strongest(slot);
            for (i, &joint) in strongest.joints.iter().enumerate() {
                let index = &mut self.index_of_joint[joint as usize];
                if *index == UNASSIGNED {
                    *index = self.totals.len() as u32;
                    self.totals.push(JointTotal { weight: 0, vertices: 0, joint });
                }
                let total = &mut self.totals[*index as usize];
                total.weight += strongest.relative_weight(i);
                total.vertices += 1;
            }
        }
        heap_sort(&mut self.totals, |a, b| (b.weight, a.joint) < (a.weight, b.joint));
        if let Some(common) = self.totals.iter().rposition(|total| total.vertices == vertices) {
            self.totals[common..].rotate_left(1);
        }
        for (index, total) in self.totals.iter().enumerate() {
            self.index_of_joint[total.joint as usize] = index as u32;
        }
    }

    fn joints(&self) -> impl Iterator<Item = u32> {
        self.totals.iter().map(|total| total.joint)
    }

    fn index_of(&self, joint: u32) -> usize {
        self.index_of_joint[joint as usize] as usize
    }
}

/// The last group if it has this number of influences, or a new one, for which memory is reserved.
fn group_with<G: Group>(groups: &mut Vec<G>, influences: usize, reserve: impl FnOnce(&mut G)) -> &mut G {
    if groups.last().is_none_or(|group| group.influences() != influences) {
        let mut group = G::with_influences(influences);
        reserve(&mut group);
        groups.push(group);
    }
    let last = groups.len() - 1;
    &mut groups[last]
}

/// The number of blocks of the first group of these spans.
fn blocks_of_group(spans: &[RunSpan]) -> usize {
    let of_group = spans.iter().take_while(|span| span.influences == spans[0].influences);
    of_group.map(|span| span.blocks).sum()
}

fn push_run(runs: &mut Vec<Run>, RunSpan { first, blocks, .. }: RunSpan) {
    let weights = runs.last().map_or(0, |run| run.weights + run.blocks);
    runs.push(Run { first: first as u32, blocks: blocks as u32, weights });
}
