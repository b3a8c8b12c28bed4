//! Random runs for dual quaternion skinning, with shared and per-vertex joints.

use std::ops::Range;

use sinew_kernels::{
    BLOCK, DualJoints, DualQuaternion, FloatMode, JointIndexBlock, Kernels, Matrix, PaletteToDualQuaternions,
    ScalarBlock, SkinDualQuaternions, SkinVertices, VectorBlock, backend,
};

use crate::guarded::Guarded;
use crate::random::Random;
use crate::shared_joints::{BASE_VECTORS, SharedJointsInput, SkinCall};
use crate::skin_properties::SkinInput;

/// The input of `SkinDualQuaternions`.
#[derive(Clone, Debug)]
pub struct DualQuaternionInput {
    /// Palette, runs, joints, weights and vertices.
    pub runs: SharedJointsInput,
    /// Those of the palette, computed in reproducible mode, so that all backends get the same.
    pub dual_quaternions: Vec<DualQuaternion>,
    /// The scale and shear of each matrix of the palette.
    pub scale_shears: Option<Vec<Matrix>>,
    /// The mix weight of each vertex.
    pub mix: Option<Vec<ScalarBlock>>,
    /// The joints of each vertex, for the other layout.
    pub per_vertex_joints: Vec<JointIndexBlock>,
    /// All weights of each vertex, the last included.
    pub per_vertex_weights: Vec<ScalarBlock>,
}

/// The layout of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointLayout {
    /// Per run.
    Shared,
    /// Per vertex.
    PerVertex,
}

impl JointLayout {
    /// Both layouts.
    pub const ALL: [Self; 2] = [Self::Shared, Self::PerVertex];
}

/// Dual quaternions, scales and shears of a palette, and the max_deviation deviation of the latter
/// from the identity.
#[must_use]
pub fn decompose_palette(kernels: &Kernels, palette: &[Matrix]) -> (Vec<DualQuaternion>, Vec<Matrix>, f32) {
    let mut dual_quaternions = Guarded::new(palette.len(), 1);
    let mut scale_shears = Guarded::new(palette.len(), 1);
    let mut max_deviation = f32::NAN;
    kernels.palette_to_dual_quaternions(PaletteToDualQuaternions {
        palette,
        dual_quaternions: &mut dual_quaternions,
        scale_shears: &mut scale_shears,
        max_deviation: &mut max_deviation,
    });
    dual_quaternions.check();
    scale_shears.check();
    (dual_quaternions.to_vec(), scale_shears.to_vec(), max_deviation)
}

fn reproducible_kernels() -> &'static Kernels {
    backend::baseline().kernels(FloatMode::Reproducible)
}

impl DualQuaternionInput {
    /// Ignores scale and shear; no mix weights.
    #[must_use]
    pub fn rigid(runs: SharedJointsInput) -> Self {
        let (dual_quaternions, _, _) = decompose_palette(reproducible_kernels(), &runs.palette);
        let influences = runs.influences;
        let mut per_vertex_joints = vec![JointIndexBlock::default(); runs.blocks() * influences];
        let mut per_vertex_weights = vec![ScalarBlock::default(); runs.blocks() * influences];
        for (joints, run) in runs.joints.chunks(influences).zip(&runs.runs) {
            for block in run.first as usize..(run.first + run.blocks) as usize {
                let rows = &mut per_vertex_joints[block * influences..][..influences];
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
                    per_vertex_weights[block * influences + i] = row;
                }
            }
        }
        Self { runs, dual_quaternions, scale_shears: None, mix: None, per_vertex_joints, per_vertex_weights }
    }

    /// Replaces the palette by one that may scale, shear and mirror.
    #[must_use]
    pub fn with_scale(mut runs: SharedJointsInput, palette: Vec<Matrix>) -> Self {
        runs.palette = palette;
        let (_, scale_shears, _) = decompose_palette(reproducible_kernels(), &runs.palette);
        Self { scale_shears: Some(scale_shears), ..Self::rigid(runs) }
    }

    /// Skins all blocks in one call.
    #[must_use]
    pub fn skin_all(&self, kernels: &Kernels, layout: JointLayout, call: SkinCall) -> Vec<VectorBlock> {
        self.skin(kernels, layout, call, std::slice::from_ref(&(0..self.runs.blocks())))
    }

    /// Adds random mix weights, 0 and 1 among them.
    #[must_use]
    pub fn with_random_mix(mut self, random: &mut Random) -> Self {
        let mut rows = vec![ScalarBlock::default(); self.runs.blocks()];
        for weight in rows.iter_mut().flat_map(|row| &mut row.0) {
            *weight = (2.0 * random.fraction() - 0.5).clamp(0.0, 1.0);
        }
        self.mix = Some(rows);
        self
    }

    /// Adds the same mix weight for all vertices.
    #[must_use]
    pub fn with_uniform_mix(mut self, weight: f32) -> Self {
        self.mix = Some(vec![ScalarBlock([weight; BLOCK]); self.runs.blocks()]);
        self
    }

    /// Gives every vertex random joints, in the per-vertex layout only.
    #[must_use]
    pub fn with_random_per_vertex_joints(mut self, random: &mut Random) -> Self {
        for joint in self.per_vertex_joints.iter_mut().flat_map(|row| &mut row.0) {
            *joint = random.below(self.dual_quaternions.len() + 1) as u32;
        }
        self
    }

    /// Skins each range of blocks with one call, into a buffer between guard values.
    ///
    /// # Panics
    ///
    /// When the kernel writes outside the buffer.
    #[must_use]
    pub fn skin(
        &self,
        kernels: &Kernels,
        layout: JointLayout,
        call: SkinCall,
        windows: &[Range<usize>],
    ) -> Vec<VectorBlock> {
        let mut output = Guarded::new(self.runs.blocks() * call.vectors, 1);
        for window in windows {
            kernels.skin_dual_quaternions(SkinDualQuaternions {
                palette: &self.runs.palette,
                dual_quaternions: &self.dual_quaternions,
                scale_shears: self.scale_shears.as_deref(),
                influences: self.runs.influences,
                runs: &self.runs.runs,
                joints: match layout {
                    JointLayout::Shared => DualJoints::Shared(&self.runs.joints),
                    JointLayout::PerVertex => DualJoints::PerVertex(&self.per_vertex_joints),
                },
                weights: match layout {
                    JointLayout::Shared => &self.runs.weights,
                    JointLayout::PerVertex => &self.per_vertex_weights,
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
