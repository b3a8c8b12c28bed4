//! Random vertices with per-vertex joints, and the kernel that skins them in any number of calls.

use std::ops::Range;

use sinew_kernels::{
    BLOCK, JointIndexBlock, Kernels, Matrix, Run, ScalarBlock, SkinPerVertexJoints, VectorBlock,
};

use crate::random::Random;
use crate::shared_joints::{BASE_VECTORS, SharedJointsInput, SkinCall, skin_windows};
use crate::skin_properties::SkinInput;

/// The input of `SkinPerVertexJoints`: vertices with the same number of influences.
#[derive(Clone, Debug)]
pub struct PerVertexJointsInput {
    /// One matrix per joint of the skin.
    pub palette: Vec<Matrix>,
    /// The number of joints per vertex.
    pub influences: usize,
    /// Consecutive runs; some have no blocks.
    pub runs: Vec<Run>,
    /// One element per block and influence.
    pub joints: Vec<JointIndexBlock>,
    /// One element per block and influence.
    pub weights: Vec<ScalarBlock>,
    /// Position, normal, tangent and bitangent of each block.
    pub base: Vec<VectorBlock>,
}

impl PerVertexJointsInput {
    /// Converts runs with shared joints.
    #[must_use]
    pub fn from_shared_joints(runs: &SharedJointsInput) -> Self {
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

impl SkinInput for PerVertexJointsInput {
    /// Random joints, some not in the palette, and weights from -0.25 to 1.
    fn new(runs: usize, influences: usize, random: &mut Random) -> Self {
        let mut input = Self::from_shared_joints(&SharedJointsInput::new(runs, influences, random));
        for (joints, weights) in input.joints.iter_mut().zip(&mut input.weights) {
            for lane in 0..BLOCK {
                joints.0[lane] = random.below(10) as u32;
                weights.0[lane] = random.between(-0.25, 1.0);
            }
        }
        input
    }

    fn blocks(&self) -> usize {
        self.base.len() / BASE_VECTORS
    }

    fn skin(&self, kernels: &Kernels, call: SkinCall, windows: &[Range<usize>]) -> Vec<VectorBlock> {
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
