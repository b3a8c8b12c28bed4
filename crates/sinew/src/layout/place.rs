//! Groups from vertices in their places.

use sinew_kernels::{BLOCK, JointIndexBlock, PreWeightedBlock, Run, ScalarBlock};

use super::costs;
use super::groups::{CountGroup, Group, Groups, RunGroup, WeightedGroup};
use super::report::Grouping;
use crate::hanging::{Hanging, Strongest};

/// Blocks that one run record stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) influences: usize,
    pub(super) first: usize,
    pub(super) blocks: usize,
}

impl Segment {
    pub(super) fn cost_of_run(self) -> u64 {
        costs::of_run(self.influences, self.blocks)
    }

    pub(super) fn cost_of_counted(self) -> u64 {
        costs::of_counted(self.influences, self.blocks)
    }
}

/// Vertices in their places, and how many influences of each to take.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    /// By place.
    pub(super) hanging: &'a Hanging,
    pub(super) vertex_of_place: &'a [u32],
    /// The most influences of a vertex.
    pub(super) most: usize,
}

impl<'a> Placed<'a> {
    /// The strongest influences at a place.
    pub(super) fn strongest(&self, place: usize) -> Strongest<'a> {
        self.hanging.strongest(place, self.most)
    }

    /// Whether a place repeats the vertex before it. Every block begins with a vertex of its own.
    fn is_pad(&self, place: usize) -> bool {
        !place.is_multiple_of(BLOCK) && self.vertex_of_place[place] == self.vertex_of_place[place - 1]
    }

    /// Segments, by rising number of influences, in one of the forms.
    pub(super) fn groups(&self, form: Grouping, segments: &[Segment]) -> Groups {
        match form {
            Grouping::Runs => Groups::Runs(self.runs(segments)),
            Grouping::Counts => Groups::Counts(self.counts(segments)),
            Grouping::Weighted => Groups::Weighted(self.weighted(segments)),
        }
    }

    fn runs(&self, segments: &[Segment]) -> Vec<RunGroup> {
        let mut groups: Vec<RunGroup> = Vec::new();
        let mut slots = Slots::new(self.hanging.skin_len());
        for &segment in segments {
            let group = last_of(&mut groups, segment.influences);
            push_run(&mut group.runs, segment);
            slots.assign(self, segment);
            group.joints.extend(slots.joints());
            let rows = segment.influences - 1;
            for block in segment.first..segment.first + segment.blocks {
                let from = group.weights.len();
                group.weights.resize(from + rows, ScalarBlock::default());
                for lane in 0..BLOCK {
                    let strongest = self.strongest(BLOCK * block + lane);
                    for (i, &joint) in strongest.joints.iter().enumerate() {
                        // The weight of the last joint is implied.
                        if let Some(row) = group.weights[from..].get_mut(slots.of(joint)) {
                            row.0[lane] = strongest.weight(i);
                        }
                    }
                }
            }
        }
        groups
    }

    fn weighted(&self, segments: &[Segment]) -> Vec<WeightedGroup> {
        let mut groups: Vec<WeightedGroup> = Vec::new();
        let mut slots = Slots::new(self.hanging.skin_len());
        for &segment in segments {
            let group = last_of(&mut groups, segment.influences);
            push_run(&mut group.runs, segment);
            slots.assign(self, segment);
            group.joints.extend(slots.joints());
            for block in segment.first..segment.first + segment.blocks {
                let from = group.blocks.len();
                group.blocks.resize(from + segment.influences, PreWeightedBlock::default());
                for lane in 0..BLOCK {
                    let strongest = self.strongest(BLOCK * block + lane);
                    for (i, &joint) in strongest.joints.iter().enumerate() {
                        let block = &mut group.blocks[from + slots.of(joint)];
                        for (row, component) in block.rows.iter_mut().zip(strongest.weighted_vector(i)) {
                            row[lane] = component;
                        }
                    }
                }
            }
        }
        groups
    }

    fn counts(&self, segments: &[Segment]) -> Vec<CountGroup> {
        let mut groups: Vec<CountGroup> = Vec::new();
        for &segment in segments {
            let group = last_of(&mut groups, segment.influences);
            push_run(&mut group.runs, segment);
            for block in segment.first..segment.first + segment.blocks {
                let from = group.joints.len();
                group.joints.resize(from + segment.influences, JointIndexBlock::default());
                group.weights.resize(from + segment.influences, ScalarBlock::default());
                for lane in 0..BLOCK {
                    let strongest = self.strongest(BLOCK * block + lane);
                    for (i, &joint) in strongest.joints.iter().enumerate() {
                        group.joints[from + i].0[lane] = joint;
                        group.weights[from + i].0[lane] = strongest.weight(i);
                    }
                }
            }
        }
        groups
    }
}

/// Where a segment's joints stand among themselves.
struct Slots {
    /// For each joint of the skin.
    of_joint: Vec<u32>,
    /// By falling share, of equal shares the lower joint first; but the last is one that all vertices hang on, if
    /// there is one. Against it kernels take the others.
    shares: Vec<Share>,
}

/// What hangs on a joint.
#[derive(Clone, Copy)]
struct Share {
    share: u64,
    vertices: usize,
    joint: u32,
}

/// A joint without a slot.
const NO_SLOT: u32 = u32::MAX;

impl Slots {
    fn new(skin_len: usize) -> Self {
        Self { of_joint: vec![NO_SLOT; skin_len], shares: Vec::new() }
    }

    /// Forgets the segment before, and gives the joints of this one their slots.
    fn assign(&mut self, placed: &Placed<'_>, segment: Segment) {
        for share in &self.shares {
            self.of_joint[share.joint as usize] = NO_SLOT;
        }
        self.shares.clear();
        let mut vertices = 0;
        for place in BLOCK * segment.first..BLOCK * (segment.first + segment.blocks) {
            if placed.is_pad(place) {
                continue;
            }
            vertices += 1;
            let strongest = placed.strongest(place);
            for (i, &joint) in strongest.joints.iter().enumerate() {
                let slot = &mut self.of_joint[joint as usize];
                if *slot == NO_SLOT {
                    *slot = self.shares.len() as u32;
                    self.shares.push(Share { share: 0, vertices: 0, joint });
                }
                let share = &mut self.shares[*slot as usize];
                share.share += strongest.share(i);
                share.vertices += 1;
            }
        }
        self.shares.sort_by(|a, b| b.share.cmp(&a.share).then(a.joint.cmp(&b.joint)));
        if let Some(common) = self.shares.iter().rposition(|share| share.vertices == vertices) {
            self.shares[common..].rotate_left(1);
        }
        for (slot, share) in self.shares.iter().enumerate() {
            self.of_joint[share.joint as usize] = slot as u32;
        }
    }

    fn joints(&self) -> impl Iterator<Item = u32> {
        self.shares.iter().map(|share| share.joint)
    }

    fn of(&self, joint: u32) -> usize {
        self.of_joint[joint as usize] as usize
    }
}

/// The group of this number of influences: the last, or a new one.
fn last_of<G: Group>(groups: &mut Vec<G>, influences: usize) -> &mut G {
    if groups.last().is_none_or(|group| group.influences() != influences) {
        groups.push(G::of(influences));
    }
    let last = groups.len() - 1;
    &mut groups[last]
}

fn push_run(runs: &mut Vec<Run>, Segment { first, blocks, .. }: Segment) {
    let weights = runs.last().map_or(0, |run| run.weights + run.blocks);
    runs.push(Run { first: first as u32, blocks: blocks as u32, weights });
}
