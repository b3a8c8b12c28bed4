//! Random runs to be skinned by dual quaternions, in both layouts of joints.

use std::ops::Range;

use sinew_kernels::{
    BLOCK, DualJoints, DualQuaternion, FloatMode, JointIndexBlock, Kernels, Matrix, PaletteToDualQuaternions,
    ScalarBlock, SkinDualQuaternions, SkinVertices, VectorBlock, backend,
};

use crate::guarded::Guarded;
use crate::random::Random;
use crate::runs::{BASE_VECTORS, Call, Runs};
use crate::subject::Subject;

/// Runs with what dual quaternion skinning needs of them.
#[derive(Clone, Debug)]
pub struct Duals {
    /// Palette, runs, joints, weights and vertices.
    pub runs: Runs,
    /// Of the palette, in reproducible mode, so that they are the same for every row.
    pub duals: Vec<DualQuaternion>,
    /// Of the palette.
    pub stretches: Option<Vec<Matrix>>,
    /// Of each block.
    pub mix: Option<Vec<ScalarBlock>>,
    /// The joints once more, each vertex with its own.
    pub own_joints: Vec<JointIndexBlock>,
    /// The weights once more, none of them implied.
    pub own_weights: Vec<ScalarBlock>,
}

/// Which of the two layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Joints of a run.
    Sets,
    /// Joints of a vertex.
    Own,
}

impl Layout {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Sets, Self::Own];
}

/// Dual quaternions and stretches of a palette, and how far those are from the identity.
#[must_use]
pub fn take_apart(kernels: &Kernels, palette: &[Matrix]) -> (Vec<DualQuaternion>, Vec<Matrix>, f32) {
    let mut duals = Guarded::new(palette.len(), 1);
    let mut stretches = Guarded::new(palette.len(), 1);
    let mut largest = f32::NAN;
    kernels.palette_to_dual_quaternions(PaletteToDualQuaternions {
        palette,
        dual_quaternions: &mut duals,
        scale_shears: &mut stretches,
        max_deviation: &mut largest,
    });
    duals.check();
    stretches.check();
    (duals.to_vec(), stretches.to_vec(), largest)
}

fn reproducible() -> &'static Kernels {
    backend::baseline().kernels(FloatMode::Reproducible)
}

impl Duals {
    /// Of these runs, stretches left out, no mix.
    #[must_use]
    pub fn rigid(runs: Runs) -> Self {
        let (duals, _, _) = take_apart(reproducible(), &runs.palette);
        let influences = runs.influences;
        let mut own_joints = vec![JointIndexBlock::default(); runs.blocks() * influences];
        let mut own_weights = vec![ScalarBlock::default(); runs.blocks() * influences];
        for (joints, run) in runs.joints.chunks(influences).zip(&runs.runs) {
            for block in run.first as usize..(run.first + run.blocks) as usize {
                let rows = &mut own_joints[block * influences..][..influences];
                for (row, &joint) in rows.iter_mut().zip(joints) {
                    row.0 = [joint; BLOCK];
                }
                let mut left = [1.0; BLOCK];
                for i in 0..influences {
                    let mut row = ScalarBlock(left);
                    if i + 1 < influences {
                        row = runs.weights[block * (influences - 1) + i];
                    }
                    for (left, weight) in left.iter_mut().zip(row.0) {
                        *left -= weight;
                    }
                    own_weights[block * influences + i] = row;
                }
            }
        }
        Self { runs, duals, stretches: None, mix: None, own_joints, own_weights }
    }

    /// Of these runs with another palette, which may scale, shear and mirror.
    #[must_use]
    pub fn stretched(mut runs: Runs, palette: Vec<Matrix>) -> Self {
        runs.palette = palette;
        let (_, stretches, _) = take_apart(reproducible(), &runs.palette);
        Self { stretches: Some(stretches), ..Self::rigid(runs) }
    }

    /// Skins all blocks in one call.
    #[must_use]
    pub fn skin_all(&self, kernels: &Kernels, layout: Layout, call: Call) -> Vec<VectorBlock> {
        self.skin(kernels, layout, call, std::slice::from_ref(&(0..self.runs.blocks())))
    }

    /// The same with a random mix, nothing and all among it.
    #[must_use]
    pub fn mixed(mut self, random: &mut Random) -> Self {
        let mut rows = vec![ScalarBlock::default(); self.runs.blocks()];
        for share in rows.iter_mut().flat_map(|row| &mut row.0) {
            *share = (2.0 * random.fraction() - 0.5).clamp(0.0, 1.0);
        }
        self.mix = Some(rows);
        self
    }

    /// The same with one mix for all vertices.
    #[must_use]
    pub fn evenly_mixed(mut self, share: f32) -> Self {
        self.mix = Some(vec![ScalarBlock([share; BLOCK]); self.runs.blocks()]);
        self
    }

    /// Gives every vertex joints of its own, in the layout of vertices alone.
    #[must_use]
    pub fn with_own_joints(mut self, random: &mut Random) -> Self {
        for joint in self.own_joints.iter_mut().flat_map(|row| &mut row.0) {
            *joint = random.below(self.duals.len() + 1) as u32;
        }
        self
    }

    /// Skins windows of blocks, a call each, into a buffer between guards.
    ///
    /// # Panics
    ///
    /// When the kernel writes outside the buffer.
    #[must_use]
    pub fn skin(
        &self,
        kernels: &Kernels,
        layout: Layout,
        call: Call,
        windows: &[Range<usize>],
    ) -> Vec<VectorBlock> {
        let mut output = Guarded::new(self.runs.blocks() * call.vectors, 1);
        for window in windows {
            kernels.skin_dual_quaternions(SkinDualQuaternions {
                palette: &self.runs.palette,
                dual_quaternions: &self.duals,
                scale_shears: self.stretches.as_deref(),
                influences: self.runs.influences,
                runs: &self.runs.runs,
                joints: match layout {
                    Layout::Sets => DualJoints::Shared(&self.runs.joints),
                    Layout::Own => DualJoints::PerVertex(&self.own_joints),
                },
                weights: match layout {
                    Layout::Sets => &self.runs.weights,
                    Layout::Own => &self.own_weights,
                },
                mix: self.mix.as_deref(),
                vertices: SkinVertices {
                    base: &self.runs.base,
                    base_vectors: BASE_VECTORS,
                    window: window.clone(),
                    output: &mut output[call.vectors * window.start..call.vectors * window.end],
                    vectors: call.vectors,
                    directions: call.directions,
                    normals: call.normals,
                },
            });
        }
        output.check();
        output.to_vec()
    }
}
