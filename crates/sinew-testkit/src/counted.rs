//! Random vertices with joints of their own, and a way to skin them in any number of calls.

use std::ops::Range;

use sinew_kernels::{
    BLOCK, JointIndexBlock, Kernels, Matrix, Run, ScalarBlock, SkinPerVertexJoints, VectorBlock,
};

use crate::random::Random;
use crate::runs::{BASE_VECTORS, Call, Runs, skin_windows};
use crate::subject::Subject;

/// Vertices of one number of influences, with what skins them.
#[derive(Clone, Debug)]
pub struct Counted {
    /// One for each joint of the skin.
    pub palette: Vec<Matrix>,
    /// Joints of each vertex.
    pub influences: usize,
    /// One after the other; some have no blocks.
    pub runs: Vec<Run>,
    /// Of each block a row for each influence.
    pub joints: Vec<JointIndexBlock>,
    /// As `joints`.
    pub weights: Vec<ScalarBlock>,
    /// Position, normal, tangent and bitangent of each block.
    pub base: Vec<VectorBlock>,
}

impl Counted {
    /// The same vertices, each with the joints of its run.
    #[must_use]
    pub fn of_runs(runs: &Runs) -> Self {
        let influences = runs.influences;
        let mut joints = vec![JointIndexBlock::default(); runs.blocks() * influences];
        let mut weights = vec![ScalarBlock::default(); runs.blocks() * influences];
        for (block, set) in runs.joints_of_blocks() {
            for (q, &joint) in set.iter().enumerate() {
                joints[block * influences + q] = JointIndexBlock([joint; BLOCK]);
                weights[block * influences + q] =
                    ScalarBlock(std::array::from_fn(|lane| runs.weight(block, lane, q)));
            }
        }
        Self {
            palette: runs.palette.clone(),
            influences,
            runs: runs.runs.clone(),
            joints,
            weights,
            base: runs.base.clone(),
        }
    }
}

impl Subject for Counted {
    /// As many runs of zero to four blocks, with any joints, some not in the palette, and any weights up to one.
    fn new(runs: usize, influences: usize, random: &mut Random) -> Self {
        let mut counted = Self::of_runs(&Runs::new(runs, influences, random));
        for (joints, weights) in counted.joints.iter_mut().zip(&mut counted.weights) {
            for lane in 0..BLOCK {
                joints.0[lane] = random.below(10) as u32;
                weights.0[lane] = random.between(-0.25, 1.0);
            }
        }
        counted
    }

    fn blocks(&self) -> usize {
        self.base.len() / BASE_VECTORS
    }

    fn skin(&self, kernels: &Kernels, call: Call, windows: &[Range<usize>]) -> Vec<VectorBlock> {
        skin_windows(&self.base, call, windows, |vertices| {
            kernels.skin_per_vertex_joints(SkinPerVertexJoints {
                palette: &self.palette,
                influences: self.influences,
                runs: &self.runs,
                joints: &self.joints,
                weights: &self.weights,
                vertices,
            });
        })
    }
}
