//! Groups: what a kernel takes in one call, all of one number of influences. In three forms, one for each kernel.

use std::mem::size_of_val;

use sinew_kernels::{JointIndexBlock, PreWeightedBlock, Run, ScalarBlock};

/// What skins a mesh, fewest influences first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Groups {
    /// Runs of one joint set.
    Runs(Vec<RunGroup>),
    /// Vertices with the same number of joints, each with its own.
    Counts(Vec<CountGroup>),
    /// Runs of one joint set, every vertex with a vector for each joint.
    Weighted(Vec<WeightedGroup>),
}

/// Runs of one number of influences.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RunGroup {
    /// Joints of each run: one or more.
    pub(crate) influences: usize,
    pub(crate) runs: Vec<Run>,
    /// Joints of each run.
    pub(crate) joints: Vec<u32>,
    /// For each block the weights of all joints but the last, which has what they leave of one.
    pub(crate) weights: Vec<ScalarBlock>,
}

/// Vertices of one number of influences.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CountGroup {
    /// Joints of each vertex: one or more.
    pub(crate) influences: usize,
    pub(crate) runs: Vec<Run>,
    /// For each block the joints of its vertices, by falling weight.
    pub(crate) joints: Vec<JointIndexBlock>,
    /// For each block their weights.
    pub(crate) weights: Vec<ScalarBlock>,
}

/// Runs of one number of influences, with vectors.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WeightedGroup {
    /// Joints of each run: one or more.
    pub(crate) influences: usize,
    pub(crate) runs: Vec<Run>,
    /// Joints of each run.
    pub(crate) joints: Vec<u32>,
    /// For each block one for each joint; zero where a vertex does not hang on it.
    pub(crate) blocks: Vec<PreWeightedBlock>,
}

impl Groups {
    /// The number of run records.
    pub(crate) fn runs(&self) -> usize {
        let mut len = 0;
        self.each_runs(|runs| len += runs.len());
        len
    }

    /// The block that each run begins with, fewest influences first.
    pub(crate) fn run_starts(&self) -> Vec<usize> {
        let mut starts = Vec::with_capacity(self.runs());
        self.each_runs(|runs| starts.extend(runs.iter().map(|run| run.first as usize)));
        starts
    }

    /// The runs of each group.
    fn each_runs(&self, mut act: impl FnMut(&[Run])) {
        match self {
            Self::Runs(groups) => groups.iter().for_each(|group| act(&group.runs)),
            Self::Counts(groups) => groups.iter().for_each(|group| act(&group.runs)),
            Self::Weighted(groups) => groups.iter().for_each(|group| act(&group.runs)),
        }
    }

    /// The bytes of all arrays.
    pub(crate) fn bytes(&self) -> usize {
        let run_group = |RunGroup { runs, joints, weights, .. }: &RunGroup| {
            size_of_val(&runs[..]) + size_of_val(&joints[..]) + size_of_val(&weights[..])
        };
        let count_group = |CountGroup { runs, joints, weights, .. }: &CountGroup| {
            size_of_val(&runs[..]) + size_of_val(&joints[..]) + size_of_val(&weights[..])
        };
        let weighted_group = |WeightedGroup { runs, joints, blocks, .. }: &WeightedGroup| {
            size_of_val(&runs[..]) + size_of_val(&joints[..]) + size_of_val(&blocks[..])
        };
        match self {
            Self::Runs(groups) => groups.iter().map(run_group).sum(),
            Self::Counts(groups) => groups.iter().map(count_group).sum(),
            Self::Weighted(groups) => groups.iter().map(weighted_group).sum(),
        }
    }
}

/// A group of any form.
pub(super) trait Group {
    fn of(influences: usize) -> Self;
    fn influences(&self) -> usize;
    fn runs(&self) -> &[Run];
}

macro_rules! groups {
    ($($group:ident)*) => {
        $(impl Group for $group {
            fn of(influences: usize) -> Self {
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

groups!(RunGroup CountGroup WeightedGroup);
