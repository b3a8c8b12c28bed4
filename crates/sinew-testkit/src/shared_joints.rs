//! Random vertices in runs with shared joints, and the kernel that skins them in any number of
//! calls.

use std::ops::Range;

use sinew_kernels::{
    BLOCK, DirectionLength, Kernels, Matrix, NormalTransform, Run, ScalarBlock, SkinSharedJoints,
    SkinVertices, VectorBlock,
};

use crate::guarded::Guarded;
use crate::random::Random;
use crate::rigs;
use crate::skin_properties::SkinInput;

/// The input of `SkinSharedJoints`: runs with the same number of influences.
#[derive(Clone, Debug)]
pub struct SharedJointsInput {
    /// One matrix per joint of the skin; few, so that joint sets recur.
    pub palette: Vec<Matrix>,
    /// The number of joints per run.
    pub influences: usize,
    /// Consecutive runs; some have no blocks.
    pub runs: Vec<Run>,
    /// The joints of each run; some are not in the palette.
    pub joints: Vec<u32>,
    /// The weights of each block, except those of the last joint.
    pub weights: Vec<ScalarBlock>,
    /// Position, normal, tangent and bitangent of each block.
    pub base: Vec<VectorBlock>,
}

/// The number of vectors per block in [`SharedJointsInput::base`].
pub const BASE_VECTORS: usize = 4;

/// The options of a call of a skinning kernel.
#[derive(Clone, Copy, Debug)]
pub struct SkinCall {
    /// The number of output vectors.
    pub vectors: usize,
    /// Whether directions are renormalized.
    pub directions: DirectionLength,
    /// What transforms normals.
    pub normals: NormalTransform,
}

impl SkinCall {
    /// Every combination of options.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut calls = Vec::new();
        for vectors in 1..=BASE_VECTORS {
            for directions in [DirectionLength::AsBlended, DirectionLength::Unit] {
                for normals in [NormalTransform::BlendedMatrix, NormalTransform::Cofactor] {
                    calls.push(Self { vectors, directions, normals });
                }
            }
        }
        calls
    }
}

impl SharedJointsInput {
    /// Random runs with these numbers of blocks.
    pub fn from_run_lengths(sizes: Vec<u32>, influences: usize, random: &mut Random) -> Self {
        let mut blocks = 0;
        let mut runs = Vec::new();
        for size in sizes {
            runs.push(Run { first: blocks, blocks: size, weights: blocks });
            blocks += size;
        }
        let blocks = blocks as usize;
        let mut weights = vec![ScalarBlock::default(); blocks * (influences - 1)];
        for block in weights.chunks_mut((influences - 1).max(1)) {
            for lane in 0..BLOCK {
                let mut left = 1.0;
                for row in block.iter_mut() {
                    row.0[lane] = left * random.fraction();
                    left -= row.0[lane];
                }
            }
        }
        let mut base = vec![VectorBlock::default(); blocks * BASE_VECTORS];
        for vectors in base.chunks_mut(BASE_VECTORS) {
            for lane in 0..BLOCK {
                vectors[0].set_vector(lane, random.vector(2.0));
                for direction in &mut vectors[1..] {
                    let [x, y, z, w] = rigs::rotation(random);
                    // The rotated x axis, a unit vector.
                    let unit = [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)];
                    direction.set_vector(lane, unit);
                }
            }
        }
        Self {
            palette: rigs::rigid_matrices(9, random),
            influences,
            joints: (0..runs.len() * influences).map(|_| random.below(10) as u32).collect(),
            runs,
            weights,
            base,
        }
    }

    /// The weight of one joint of a vertex. The last weight is one minus the others.
    #[must_use]
    pub fn weight(&self, block: usize, lane: usize, joint: usize) -> f32 {
        let own = &self.weights[block * (self.influences - 1)..][..self.influences - 1];
        own.get(joint).map_or_else(|| own.iter().fold(1.0, |left, row| left - row.0[lane]), |row| row.0[lane])
    }

    /// The index of each block with the joints of its run.
    pub(crate) fn joints_of_blocks(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let runs = self.joints.chunks(self.influences).zip(&self.runs);
        runs.flat_map(|(joints, run)| (run.first..run.first + run.blocks).map(move |i| (i as usize, joints)))
    }
}

impl SkinInput for SharedJointsInput {
    fn new(runs: usize, influences: usize, random: &mut Random) -> Self {
        let sizes = (0..runs).map(|_| random.below(5) as u32).collect();
        Self::from_run_lengths(sizes, influences, random)
    }

    fn blocks(&self) -> usize {
        self.base.len() / BASE_VECTORS
    }

    fn skin(&self, kernels: &Kernels, call: SkinCall, windows: &[Range<usize>]) -> Vec<VectorBlock> {
        skin_windows(&self.base, call, windows, |vertices| {
            kernels.skin_shared_joints(SkinSharedJoints {
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

/// Skins each range of blocks with one call, into a buffer between guard values.
///
/// # Panics
///
/// When the kernel writes outside the buffer.
pub(crate) fn skin_windows(
    base: &[VectorBlock],
    call: SkinCall,
    windows: &[Range<usize>],
    skin: impl Fn(SkinVertices<'_>),
) -> Vec<VectorBlock> {
    let mut output = Guarded::new(base.len() / BASE_VECTORS * call.vectors, 1);
    for window in windows {
        skin(SkinVertices {
            base,
            base_vectors: BASE_VECTORS,
            window: window.clone(),
            output: &mut output[call.vectors * window.start..call.vectors * window.end],
            vectors: call.vectors,
            directions: call.directions,
            normals: call.normals,
        });
    }
    output.check();
    output.to_vec()
}
