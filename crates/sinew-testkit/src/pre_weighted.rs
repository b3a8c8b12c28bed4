//! Random vertices with a pre-weighted position per joint, and the kernel that skins them in any
//! number of calls.

use std::ops::Range;

use sinew_kernels::{BLOCK, Kernels, Matrix, PreWeightedBlock, Run, SkinPreWeighted, VectorBlock};

use crate::random::Random;
use crate::shared_joints::{BASE_VECTORS, SharedJointsInput, SkinCall, skin_windows};
use crate::skin_properties::SkinInput;

/// The input of `SkinPreWeighted`: runs with the same number of influences.
#[derive(Clone, Debug)]
pub struct PreWeightedInput {
    /// One matrix per joint of the skin.
    pub palette: Vec<Matrix>,
    /// The number of joints per run.
    pub influences: usize,
    /// Consecutive runs; some have no blocks.
    pub runs: Vec<Run>,
    /// The joints of each run; some are not in the palette.
    pub joints: Vec<u32>,
    /// One element per block and joint.
    pub weighted: Vec<PreWeightedBlock>,
    /// An unused position, then normal, tangent and bitangent of each block.
    pub base: Vec<VectorBlock>,
}

impl PreWeightedInput {
    /// Converts runs with shared joints: all joints of a vertex get its position.
    #[must_use]
    pub fn from_shared_joints(runs: &SharedJointsInput) -> Self {
        let influences = runs.influences;
        let mut weighted = vec![PreWeightedBlock::default(); runs.blocks() * influences];
        let mut base = runs.base.clone();
        for block in 0..runs.blocks() {
            let position = &mut base[block * BASE_VECTORS];
            for q in 0..influences {
                for lane in 0..BLOCK {
                    let weight = runs.weight(block, lane, q);
                    store_weighted(
                        &mut weighted[block * influences + q],
                        lane,
                        position.vector(lane),
                        weight,
                    );
                }
            }
            // A kernel that read it would fail the tests.
            *position = VectorBlock { rows: [[f32::NAN; BLOCK]; 3] };
        }
        Self {
            palette: runs.palette.clone(),
            influences,
            runs: runs.runs.clone(),
            joints: runs.joints.clone(),
            weighted,
            base,
        }
    }
}

impl SkinInput for PreWeightedInput {
    /// A random position per joint, and weights from -0.25 to 1.
    fn new(runs: usize, influences: usize, random: &mut Random) -> Self {
        let mut input = Self::from_shared_joints(&SharedJointsInput::new(runs, influences, random));
        for block in &mut input.weighted {
            for lane in 0..BLOCK {
                store_weighted(block, lane, random.vector(2.0), random.between(-0.25, 1.0));
            }
        }
        input
    }

    fn blocks(&self) -> usize {
        self.base.len() / BASE_VECTORS
    }

    fn skin(&self, kernels: &Kernels, call: SkinCall, windows: &[Range<usize>]) -> Vec<VectorBlock> {
        skin_windows(&self.base, call, windows, |vertices| {
            kernels.skin_pre_weighted(SkinPreWeighted {
                palette: &self.palette,
                influences: self.influences,
                runs: &self.runs,
                joints: &self.joints,
                weighted: &self.weighted,
                vertices,
            });
        })
    }
}

/// Stores the pre-weighted position of a vertex.
fn store_weighted(block: &mut PreWeightedBlock, lane: usize, [x, y, z]: [f32; 3], weight: f32) {
    for (row, component) in block.rows.iter_mut().zip([x, y, z, 1.0]) {
        row[lane] = weight * component;
    }
}
