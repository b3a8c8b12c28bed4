//! Dual quaternion skinning: rotations are blended along an arc, so that twisted joints keep their
//! volume.

use std::hint::black_box;

use super::blend_dual_quaternions::{
    BlendSums, DifferenceScratch, DifferenceTable, JointByJoint, JointTransforms, PerVertexJoints,
    SharedJoints, WeightedTable, blend_matrices, element_or_identity,
};
use super::skin_vertices::{DirectionOptions, Run, SkinVertices, broadcast_matrix, transform_block};
use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;
use crate::lanes::quads::Quads;
use crate::{DualQuaternion, JointIndexBlock, Matrix, ScalarBlock, VectorBlock};

/// Skins runs of vertices with the same number of influences by dual quaternions.
/// `palette_to_dual_quaternions` computes the inputs from a palette.
///
/// A vertex is transformed by the sum of weight x scale-shear matrix, then by the rigid transform
/// of the sum of weight x dual quaternion. A dual quaternion and its negative are the same
/// transform; each is added with the sign nearer to the vertex's strongest joint (the first of
/// equals). So the sum is never shorter than the strongest weight, nothing cancels, and two joints
/// half a turn apart blend to a quarter turn, in one direction or the other. A vertex whose weights
/// are all zero is not moved.
#[derive(Debug)]
pub struct SkinDualQuaternions<'a> {
    /// One matrix per joint of the skin. Only read for runs with one joint, and if there is a
    /// `mix`.
    pub palette: &'a [Matrix],
    /// One per joint of the skin, with a unit real part.
    pub dual_quaternions: &'a [DualQuaternion],
    /// Scale and shear, one matrix per joint of the skin. `None`: all joints are rigid, which is
    /// faster.
    pub scale_shears: Option<&'a [Matrix]>,
    /// Joints per vertex: one or more.
    pub influences: usize,
    /// The runs. Weights, and the joints of [`DualJoints::PerVertex`], are indexed in blocks.
    pub runs: &'a [Run],
    /// The joints. A joint outside `palette`, `dual_quaternions` or `scale_shears` counts as the
    /// identity there.
    pub joints: DualJoints<'a>,
    /// `influences` scalar blocks per vertex block, or one less: see [`DualJoints`].
    pub weights: &'a [ScalarBlock],
    /// Each vertex's weight of dual quaternion skinning, for each block of the mesh: 1 is all, 0 is
    /// linear blending. `None`: 1 everywhere.
    pub mix: Option<&'a [ScalarBlock]>,
    /// The vertices.
    pub vertices: SkinVertices<'a>,
}

/// The joints of dual quaternion skinning.
#[derive(Clone, Copy, Debug)]
pub enum DualJoints<'a> {
    /// `influences` joints per run. Weights have one scalar block less; the last joint's weight is
    /// one minus the others.
    Shared(&'a [u32]),
    /// `influences` index blocks per vertex block: every vertex has joints of its own. Weights have
    /// as many blocks. Weights that do not sum to one scale linear blends, but not dual
    /// quaternions. A run whose joints are out of range is skipped.
    PerVertex(&'a [JointIndexBlock]),
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut SkinDualQuaternions<'_>) {
    contract.vertices.check();
    let influences = contract.influences;
    assert!(influences >= 1, "one influence or more");
    if let Some(mix) = contract.mix {
        let blocks = contract.vertices.base.len() / contract.vertices.base_vectors;
        assert!(mix.len() == blocks, "a mix for each block of the mesh");
    }
    let transforms = JointTransforms {
        palette: contract.palette,
        dual_quaternions: contract.dual_quaternions,
        scale_shears: contract.scale_shears,
    };
    // Neither constants nor a tuple, which would be copied by a call or with 512-bit registers.
    let (dual, matrix) = (black_box(DualQuaternion::PADDING), black_box(Matrix::PADDING));
    let mut dual_quaternions = [*dual; 4];
    let mut scale_shears = [*matrix; 4];
    let mut palette = [*matrix; 4];
    let mut scratch = DifferenceScratch {
        dual_quaternions: &mut dual_quaternions,
        scale_shears: &mut scale_shears,
        palette: &mut palette,
    };
    match contract.joints {
        DualJoints::Shared(joints) => {
            let expected = contract.runs.len().checked_mul(influences);
            assert!(expected == Some(joints.len()), "the joints of every run");
            for (joints, &run) in joints.chunks_exact(influences).inline_zip(contract.runs) {
                let Some(blocks) = RunBlocks::new(&mut contract.vertices, contract.mix, run) else {
                    continue;
                };
                let Some(weights) = run_elements(contract.weights, &blocks, influences - 1) else { continue };
                let matrices = RunMatrices::new(&mut scratch, transforms, joints, contract.mix.is_some());
                skin_shared::<L>(token, transforms, matrices, influences - 1, weights, blocks);
            }
        }
        DualJoints::PerVertex(joints) => {
            for &run in contract.runs {
                let Some(blocks) = RunBlocks::new(&mut contract.vertices, contract.mix, run) else {
                    continue;
                };
                let Some(weights) = run_elements(contract.weights, &blocks, influences) else { continue };
                let Some(joints) = run_elements(joints, &blocks, influences) else { continue };
                skin_per_vertex::<L>(token, transforms, joints, influences, weights, blocks);
            }
        }
    }
}

/// How the matrices of a run are computed.
#[derive(Clone, Copy)]
enum RunMatrices<'a> {
    /// One joint: its own matrix; `mix` does not matter.
    One(&'a Matrix),
    /// Several joints: a weighted sum.
    Several(RunSum<'a>),
}

/// The terms of a weighted sum.
#[derive(Clone, Copy)]
enum RunSum<'a> {
    Two(DifferenceTable<'a>),
    Three(DifferenceTable<'a>),
    Four(DifferenceTable<'a>),
    /// Any number of joints.
    Many(&'a [u32]),
}

impl<'a> RunMatrices<'a> {
    #[inline(always)]
    fn new(
        scratch: &'a mut DifferenceScratch<'_>,
        transforms: JointTransforms<'a>,
        joints: &'a [u32],
        mixed: bool,
    ) -> Self {
        if let &[joint] = joints {
            return Self::One(element_or_identity(transforms.palette, joint));
        }
        if let Ok(joints) = <&[u32; 2]>::try_from(joints)
            && scratch.fill(transforms, joints, mixed)
        {
            return Self::Several(RunSum::Two(scratch.table()));
        }
        if let Ok(joints) = <&[u32; 3]>::try_from(joints)
            && scratch.fill(transforms, joints, mixed)
        {
            return Self::Several(RunSum::Three(scratch.table()));
        }
        if let Ok(joints) = <&[u32; 4]>::try_from(joints)
            && scratch.fill(transforms, joints, mixed)
        {
            return Self::Several(RunSum::Four(scratch.table()));
        }
        Self::Several(RunSum::Many(joints))
    }
}

/// The sums of one register of vertices of a run. Each sum branches on the number of joints again:
/// that costs little, and the code that follows is compiled only once.
struct RunSums<'a, L: Lanes> {
    token: L::Token,
    transforms: JointTransforms<'a>,
    summed: RunSum<'a>,
    weights: &'a [ScalarBlock],
    group: usize,
}

impl<L: Lanes> BlendSums<L> for RunSums<'_, L> {
    #[inline(always)]
    fn dual_quaternions(&self) -> [[L; 4]; 2] {
        match self.summed {
            RunSum::Two(table) => self.weighted::<2>(table).dual_quaternions(),
            RunSum::Three(table) => self.weighted::<3>(table).dual_quaternions(),
            RunSum::Four(table) => self.weighted::<4>(table).dual_quaternions(),
            RunSum::Many(joints) => self.joint_by_joint(joints).dual_quaternions(),
        }
    }

    #[inline(always)]
    fn scale_shears(&self, scale_shears: &[Matrix]) -> [[L; 4]; 3] {
        match self.summed {
            RunSum::Two(table) => self.weighted::<2>(table).scale_shears(scale_shears),
            RunSum::Three(table) => self.weighted::<3>(table).scale_shears(scale_shears),
            RunSum::Four(table) => self.weighted::<4>(table).scale_shears(scale_shears),
            RunSum::Many(joints) => self.joint_by_joint(joints).scale_shears(scale_shears),
        }
    }

    #[inline(always)]
    fn palette(&self) -> [[L; 4]; 3] {
        match self.summed {
            RunSum::Two(table) => self.weighted::<2>(table).palette(),
            RunSum::Three(table) => self.weighted::<3>(table).palette(),
            RunSum::Four(table) => self.weighted::<4>(table).palette(),
            RunSum::Many(joints) => self.joint_by_joint(joints).palette(),
        }
    }
}

impl<'a, L: Lanes> RunSums<'a, L> {
    #[inline(always)]
    fn weighted<const K: usize>(&self, table: DifferenceTable<'a>) -> WeightedTable<'a, L, K> {
        WeightedTable::new(self.token, table, self.weights, self.group)
    }

    #[inline(always)]
    fn joint_by_joint(&self, joints: &'a [u32]) -> JointByJoint<'a, L, SharedJoints<'a>> {
        let joints = SharedJoints { joints, weights: self.weights, group: self.group };
        JointByJoint { token: self.token, transforms: self.transforms, joints }
    }
}

/// Skins a run whose vertices share their joints.
#[inline(always)]
fn skin_shared<L: Lanes>(
    token: L::Token,
    transforms: JointTransforms<'_>,
    matrices: RunMatrices<'_>,
    each: usize,
    mut weights: &[ScalarBlock],
    mut blocks: RunBlocks<'_>,
) {
    while let (Some(block), Some((own, rest))) = (blocks.next(), weights.split_at_checked(each)) {
        weights = rest;
        for group in L::groups() {
            let mix = block.mix::<L>(token, group);
            let matrix = match matrices {
                RunMatrices::One(matrix) => broadcast_matrix(token, matrix),
                RunMatrices::Several(summed) => blend_matrices(
                    token,
                    &RunSums { token, transforms, summed, weights: own, group },
                    transforms,
                    mix,
                ),
            };
            transform_block(token, block.direction_options, &matrix, block.base, block.output, group);
        }
    }
}

/// Skins a run whose vertices have joints of their own.
#[inline(always)]
fn skin_per_vertex<L: Lanes>(
    token: L::Token,
    transforms: JointTransforms<'_>,
    mut joints: &[JointIndexBlock],
    influences: usize,
    mut weights: &[ScalarBlock],
    mut blocks: RunBlocks<'_>,
) {
    while let (Some(block), Some((own_joints, more_joints)), Some((own_weights, more_weights))) =
        (blocks.next(), joints.split_at_checked(influences), weights.split_at_checked(influences))
    {
        (joints, weights) = (more_joints, more_weights);
        for group in L::groups() {
            let mix = block.mix::<L>(token, group);
            let joints = PerVertexJoints { joints: own_joints, weights: own_weights, group };
            let matrix =
                blend_matrices(token, &JointByJoint::<L, _> { token, transforms, joints }, transforms, mix);
            transform_block(token, block.direction_options, &matrix, block.base, block.output, group);
        }
    }
}

/// The elements of a clipped run, `each` per block. `None` if they are out of range.
#[inline(always)]
fn run_elements<'a, T>(rows: &'a [T], blocks: &RunBlocks<'_>, each: usize) -> Option<&'a [T]> {
    let from = blocks.weights.checked_mul(each)?;
    rows.get(from..)?.get(..blocks.len.checked_mul(each)?)
}

/// The blocks of a run inside the window.
struct RunBlocks<'a> {
    base: &'a [VectorBlock],
    output: &'a mut [VectorBlock],
    mix: Option<&'a [ScalarBlock]>,
    len: usize,
    weights: usize,
    base_vectors: usize,
    vectors: usize,
    /// How directions are transformed.
    direction_options: DirectionOptions,
}

/// One block of a run.
struct RunBlock<'a> {
    base: &'a [VectorBlock],
    output: &'a mut [VectorBlock],
    mix: Option<&'a ScalarBlock>,
    direction_options: DirectionOptions,
}

impl<'a> RunBlocks<'a> {
    #[inline(always)]
    fn new(vertices: &'a mut SkinVertices<'_>, mix: Option<&'a [ScalarBlock]>, run: Run) -> Option<Self> {
        let (base_vectors, vectors) = (vertices.base_vectors, vertices.vectors);
        let direction_options = DirectionOptions::new(vertices);
        let first = (run.first as usize).max(vertices.window.start);
        let mix = match mix {
            Some(mix) => Some(mix.get(first..)?),
            None => None,
        };
        let slice = vertices.run_slice(run)?;
        let (len, weights) = (slice.blocks, slice.weights);
        Some(Self {
            base: slice.base,
            output: slice.output,
            mix,
            len,
            weights,
            base_vectors,
            vectors,
            direction_options,
        })
    }

    #[inline(always)]
    fn next(&mut self) -> Option<RunBlock<'_>> {
        let (base, rest) = self.base.split_at_checked(self.base_vectors)?;
        self.base = rest;
        let (output, rest) = std::mem::take(&mut self.output).split_at_mut_checked(self.vectors)?;
        self.output = rest;
        let mut mix = None;
        if let Some(rows) = self.mix {
            let (row, rest) = rows.split_first()?;
            (mix, self.mix) = (Some(row), Some(rest));
        }
        Some(RunBlock { base, output, mix, direction_options: self.direction_options })
    }
}

impl RunBlock<'_> {
    /// The mix of one register of vertices.
    #[inline(always)]
    fn mix<L: Lanes>(&self, token: L::Token, group: usize) -> Option<L> {
        let row = self.mix?;
        Some(L::load(token, &row.0, group))
    }
}
