//! Groups: the input of one kernel call, with one number of influences. There are three kinds, one
//! for each kernel.

use std::mem::size_of_val;
use std::ops::Range;

use sinew_kernels::{JointIndexBlock, PreWeightedBlock, Run, ScalarBlock};

/// All groups of a mesh, those with the fewest influences first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Groups {
    /// Runs of vertices with the same joints.
    SharedJoints(Vec<SharedJointsGroup>),
    /// Vertices with the same number of influences, each with its own joints.
    PerVertexJoints(Vec<PerVertexJointsGroup>),
    /// Runs of vertices with the same joints, and a vector per vertex and joint.
    PreWeighted(Vec<PreWeightedGroup>),
}

/// Runs with the same number of influences.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SharedJointsGroup {
    /// The number of joints per run, at least one.
    pub(crate) influences: usize,
    pub(crate) runs: Vec<Run>,
    /// The joints of each run.
    pub(crate) joints: Vec<u32>,
    /// The weights of each block for all joints but the last, whose weight is one minus their sum.
    pub(crate) weights: Vec<ScalarBlock>,
}

/// Vertices with the same number of influences.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PerVertexJointsGroup {
    /// The number of joints per vertex, at least one.
    pub(crate) influences: usize,
    pub(crate) runs: Vec<Run>,
    /// The joints of the vertices of each block, in ascending order.
    pub(crate) joints: Vec<JointIndexBlock>,
    /// The weights of the vertices of each block.
    pub(crate) weights: Vec<ScalarBlock>,
}

/// Runs with the same number of influences, and weighted vectors.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PreWeightedGroup {
    /// The number of joints per run, at least one.
    pub(crate) influences: usize,
    pub(crate) runs: Vec<Run>,
    /// The joints of each run.
    pub(crate) joints: Vec<u32>,
    /// The weighted vectors of each block, one per joint; zero if the joint does not influence the
    /// vertex.
    pub(crate) blocks: Vec<PreWeightedBlock>,
}

impl Groups {
    /// The number of runs.
    pub(crate) fn runs(&self) -> usize {
        let mut len = 0;
        self.for_each_runs(|runs| len += runs.len());
        len
    }

    /// The first block of each run, fewest influences first.
    pub(crate) fn run_starts(&self) -> Vec<usize> {
        let mut starts = Vec::with_capacity(self.runs());
        self.for_each_runs(|runs| starts.extend(runs.iter().map(|run| run.first as usize)));
        starts
    }

    /// Calls a function with the runs of each group.
    fn for_each_runs(&self, mut visit: impl FnMut(&[Run])) {
        match self {
            Self::SharedJoints(groups) => groups.iter().for_each(|group| visit(&group.runs)),
            Self::PerVertexJoints(groups) => groups.iter().for_each(|group| visit(&group.runs)),
            Self::PreWeighted(groups) => groups.iter().for_each(|group| visit(&group.runs)),
        }
    }

    /// The number of bytes of all arrays.
    pub(crate) fn bytes(&self) -> usize {
        let shared_joints = |SharedJointsGroup { runs, joints, weights, .. }: &SharedJointsGroup| {
            size_of_val(&runs[..]) + size_of_val(&joints[..]) + size_of_val(&weights[..])
        };
        let per_vertex_joints =
            |PerVertexJointsGroup { runs, joints, weights, .. }: &PerVertexJointsGroup| {
                size_of_val(&runs[..]) + size_of_val(&joints[..]) + size_of_val(&weights[..])
            };
        let pre_weighted = |PreWeightedGroup { runs, joints, blocks, .. }: &PreWeightedGroup| {
            size_of_val(&runs[..]) + size_of_val(&joints[..]) + size_of_val(&blocks[..])
        };
        match self {
            Self::SharedJoints(groups) => groups.iter().map(shared_joints).sum(),
            Self::PerVertexJoints(groups) => groups.iter().map(per_vertex_joints).sum(),
            Self::PreWeighted(groups) => groups.iter().map(pre_weighted).sum(),
        }
    }
}

/// A group of any kind.
pub(crate) trait Group {
    fn with_influences(influences: usize) -> Self;
    fn influences(&self) -> usize;
    fn runs(&self) -> &[Run];
}

macro_rules! groups {
    ($($group:ident)*) => {
        $(impl Group for $group {
            fn with_influences(influences: usize) -> Self {
                Self { influences, ..Self::default() }
            }

            fn influences(&self) -> usize {
                self.influences
            }

            fn runs(&self) -> &[Run] {
                &self.runs
            }
        })*
    };
}

groups!(SharedJointsGroup PerVertexJointsGroup PreWeightedGroup);

/// The runs that have blocks in the window. Runs of a group are sorted by their blocks.
pub(crate) fn runs_in_window(runs: &[Run], window: &Range<usize>) -> Range<usize> {
    let start = runs.partition_point(|run| (run.first + run.blocks) as usize <= window.start);
    let end = runs.partition_point(|run| (run.first as usize) < window.end);
    start..end.max(start)
}
