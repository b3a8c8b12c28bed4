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
        // The weights of the joint that was found last, for each block.
        let mut last = Vec::new();
        for (index, &span) in spans.iter().enumerate() {
            let rows = span.influences - 1;
            let group = group_with(&mut groups, span.influences, |group| {
                group.weights.reserve_exact(rows * blocks_of_group(&spans[index..]));
            });
            push_run(&mut group.runs, span);
            let first = group.weights.len();
            group.weights.resize(first + rows * span.blocks, ScalarBlock::default());
            let weights = &mut group.weights[first..];
            last.clear();
            last.resize(if rows > 0 { span.blocks } else { 0 }, ScalarBlock::default());
            // Influences are read once: those of a large mesh are far apart.
            run_joints.assign(self, span, |slot, found, weight| {
                let (block, lane) = (slot / BLOCK, slot % BLOCK);
                let row = if found < rows { &mut weights[rows * block + found] } else { &mut last[block] };
                row.0[lane] = weight;
            });
            group.joints.extend(run_joints.joints());
            run_joints.sort_rows(weights, &last);
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
            run_joints.assign(self, span, |_, _, _| {});
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
    /// How many joints of the run were found before this one.
    found: usize,
}

/// The index of a joint that is not in the run.
const UNASSIGNED: u32 = u32::MAX;

impl RunJoints {
    fn new(skin_len: usize) -> Self {
        Self { index_of_joint: vec![UNASSIGNED; skin_len], totals: Vec::new() }
    }

    /// Replaces the joints with those of another span. Calls `store` with the slot within the span,
    /// how many joints were found before this one, and the weight, for each influence of each slot;
    /// not if there is only one joint.
    fn assign(
        &mut self,
        slot_influences: &SlotInfluences<'_>,
        span: RunSpan,
        mut store: impl FnMut(usize, usize, f32),
    ) {
        for total in &self.totals {
            self.index_of_joint[total.joint as usize] = UNASSIGNED;
        }
        self.totals.clear();
        if span.influences == 1 {
            let joint = slot_influences.strongest(BLOCK * span.first).joints[0];
            self.totals.push(JointTotal { weight: 0, vertices: 0, joint, found: 0 });
            self.index_of_joint[joint as usize] = 0;
            return;
        }
        let mut vertices = 0;
        for slot in 0..BLOCK * span.blocks {
            let counts = !slot_influences.is_pad(BLOCK * span.first + slot);
            vertices += usize::from(counts);
            let strongest = slot_influences.strongest(BLOCK * span.first + slot);
            for (i, &joint) in strongest.joints.iter().enumerate() {
                let index = &mut self.index_of_joint[joint as usize];
                if *index == UNASSIGNED {
                    let found = self.totals.len();
                    *index = found as u32;
                    self.totals.push(JointTotal { weight: 0, vertices: 0, joint, found });
                }
                let found = *index as usize;
                let total = &mut self.totals[found];
                if counts {
                    total.weight += strongest.relative_weight(i);
                    total.vertices += 1;
                }
                store(slot, found, strongest.weight(i));
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

    /// Puts the weights of each block into the order of the joints. They are in the order in which
    /// joints were found, the last of which has its weights in `last`. The weight of the last joint
    /// of the run is implied.
    fn sort_rows(&self, weights: &mut [ScalarBlock], last: &[ScalarBlock]) {
        let rows = self.totals.len() - 1;
        if rows == 0 || self.totals.iter().map(|total| total.found).is_sorted() {
            return;
        }
        let mut found = Vec::with_capacity(rows + 1);
        for (weights, last) in weights.chunks_exact_mut(rows).zip(last) {
            found.clear();
            found.extend_from_slice(weights);
            found.push(*last);
            for (row, total) in weights.iter_mut().zip(&self.totals) {
                *row = found[total.found];
            }
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
