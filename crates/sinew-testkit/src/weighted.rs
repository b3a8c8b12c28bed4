//! Random vertices with a vector for each of their joints, and a way to skin them in any number of calls.

use std::ops::Range;

use sinew_kernels::{BLOCK, Kernels, Matrix, PreWeightedBlock, Run, SkinPreWeighted, VectorBlock};

use crate::random::Random;
use crate::runs::{BASE_VECTORS, Call, Runs, skin_windows};
use crate::subject::Subject;

/// Runs of one number of influences, with what skins them.
#[derive(Clone, Debug)]
pub struct Weighted {
    /// One for each joint of the skin.
    pub palette: Vec<Matrix>,
    /// Joints in each run.
    pub influences: usize,
    /// One after the other; some have no blocks.
    pub runs: Vec<Run>,
    /// Of each run; some are not in the palette.
    pub joints: Vec<u32>,
    /// Of each block one for each joint.
    pub weighted: Vec<PreWeightedBlock>,
    /// Nothing that counts, normal, tangent and bitangent of each block.
    pub base: Vec<VectorBlock>,
}

impl Weighted {
    /// The same vertices: every joint has the vertex's own position.
    #[must_use]
    pub fn of_runs(runs: &Runs) -> Self {
        let influences = runs.influences;
        let mut weighted = vec![PreWeightedBlock::default(); runs.blocks() * influences];
        let mut base = runs.base.clone();
        for block in 0..runs.blocks() {
            let position = &mut base[block * BASE_VECTORS];
            for q in 0..influences {
                for lane in 0..BLOCK {
                    let weight = runs.weight(block, lane, q);
                    set(&mut weighted[block * influences + q], lane, position.vector(lane), weight);
                }
            }
            // Whoever reads it is found out.
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

impl Subject for Weighted {
    /// As many runs of zero to four blocks, with a random vector for each joint and any weights up to one.
    fn new(runs: usize, influences: usize, random: &mut Random) -> Self {
        let mut weighted = Self::of_runs(&Runs::new(runs, influences, random));
        for block in &mut weighted.weighted {
            for lane in 0..BLOCK {
                set(block, lane, random.vector(2.0), random.between(-0.25, 1.0));
            }
        }
        weighted
    }

    fn blocks(&self) -> usize {
        self.base.len() / BASE_VECTORS
    }

    fn skin(&self, kernels: &Kernels, call: Call, windows: &[Range<usize>]) -> Vec<VectorBlock> {
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

/// What a joint holds of a vertex that it sees at this position.
fn set(block: &mut PreWeightedBlock, lane: usize, [x, y, z]: [f32; 3], weight: f32) {
    for (row, component) in block.rows.iter_mut().zip([x, y, z, 1.0]) {
        row[lane] = weight * component;
    }
}
