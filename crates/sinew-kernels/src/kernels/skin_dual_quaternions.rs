//! Dual quaternion skinning: joints that are turned apart are blended along an arc, so that a twist keeps its volume.

use std::hint::black_box;

use super::blend_dual_quaternions::{OneByOne, Own, Room, Shared, Skin, Sums, Table, Weighted, blended, of};
use super::skin_vertices::{Asked, Run, SkinVertices, splatted, transform};
use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;
use crate::lanes::quads::Quads;
use crate::{DualQuaternion, JointIndexBlock, Matrix, ScalarBlock, VectorBlock};

/// Skins runs of vertices by dual quaternions, all with the same number of influences. `palette_to_dual_quaternions` makes what
/// it needs of a palette.
///
/// A vertex goes through the sum of weight x stretch, then through the move that the sum of weight x dual quaternion
/// stands for. A dual quaternion and its negative are the same move; each counts with the sign that is nearer to the
/// vertex's strongest joint, the first of equals. So the sum is never shorter than the strongest weight, nothing
/// cancels, and two joints half a turn apart give the quarter turn between them, one way or the other. A vertex whose
/// weights are all zero stays where it is.
#[derive(Debug)]
pub struct SkinDualQuaternions<'a> {
    /// One matrix for each joint of the skin. Only read where a run has one joint, or there is a `mix`.
    pub palette: &'a [Matrix],
    /// One for each joint of the skin, with a real part of length one.
    pub dual_quaternions: &'a [DualQuaternion],
    /// One for each joint of the skin. `None`: no joint scales, shears or mirrors, which is faster.
    pub scale_shears: Option<&'a [Matrix]>,
    /// Joints of each vertex: one or more.
    pub influences: usize,
    /// Which blocks each run has. Weights, and the joints of [`DualJoints::PerVertex`], are counted in blocks.
    pub runs: &'a [Run],
    /// Which joints; one that is not in the palette, the duals or the stretches counts as the identity there.
    pub joints: DualJoints<'a>,
    /// For each block `influences` rows, or one less: see [`DualJoints`].
    pub weights: &'a [ScalarBlock],
    /// For each block of the mesh each vertex's share of dual quaternions: 1 is all, 0 is linear blending. `None`: all.
    pub mix: Option<&'a [ScalarBlock]>,
    /// The vertices.
    pub vertices: SkinVertices<'a>,
}

/// Whose joints they are.
#[derive(Clone, Copy, Debug)]
pub enum DualJoints<'a> {
    /// `influences` joints for each run. Weights have a row less; the last joint has what the others leave of one.
    Shared(&'a [u32]),
    /// `influences` rows for each block, every vertex with its own joints; weights have as many. Weights that do not
    /// sum to one make a linear blend larger or smaller, but no dual quaternion. A run whose joints are not all there
    /// is left out.
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
    let skin = Skin {
        palette: contract.palette,
        dual_quaternions: contract.dual_quaternions,
        scale_shears: contract.scale_shears,
    };
    // Neither constants nor a tuple, which would be copied by a call or in 512-bit registers.
    let (dual, matrix) = (black_box(DualQuaternion::REST), black_box(Matrix::REST));
    let mut dual_quaternions = [*dual; 4];
    let mut scale_shears = [*matrix; 4];
    let mut palette = [*matrix; 4];
    let mut room = Room {
        dual_quaternions: &mut dual_quaternions,
        scale_shears: &mut scale_shears,
        palette: &mut palette,
    };
    match contract.joints {
        DualJoints::Shared(joints) => {
            let expected = contract.runs.len().checked_mul(influences);
            assert!(expected == Some(joints.len()), "the joints of every run");
            for (joints, &run) in joints.chunks_exact(influences).inline_zip(contract.runs) {
                let Some(blocks) = Blocks::new(&mut contract.vertices, contract.mix, run) else { continue };
                let Some(weights) = rows(contract.weights, &blocks, influences - 1) else { continue };
                let source = Source::of(&mut room, skin, joints, contract.mix.is_some());
                skin_run::<L>(token, skin, source, influences - 1, weights, blocks);
            }
        }
        DualJoints::PerVertex(joints) => {
            for &run in contract.runs {
                let Some(blocks) = Blocks::new(&mut contract.vertices, contract.mix, run) else { continue };
                let Some(weights) = rows(contract.weights, &blocks, influences) else { continue };
                let Some(joints) = rows(joints, &blocks, influences) else { continue };
                skin_own::<L>(token, skin, joints, influences, weights, blocks);
            }
        }
    }
}

/// Where the matrices of a run come from.
#[derive(Clone, Copy)]
enum Source<'a> {
    /// One joint: its own matrix, whatever the mix.
    One(&'a Matrix),
    /// Several: a sum.
    Several(Summed<'a>),
}

/// What is summed up.
#[derive(Clone, Copy)]
enum Summed<'a> {
    Two(Table<'a>),
    Three(Table<'a>),
    Four(Table<'a>),
    /// Any joints.
    Many(&'a [u32]),
}

impl<'a> Source<'a> {
    #[inline(always)]
    fn of(room: &'a mut Room<'_>, skin: Skin<'a>, joints: &'a [u32], mixed: bool) -> Self {
        if let &[joint] = joints {
            return Self::One(of(skin.palette, joint));
        }
        if let Ok(joints) = <&[u32; 2]>::try_from(joints)
            && room.fill(skin, joints, mixed)
        {
            return Self::Several(Summed::Two(room.table()));
        }
        if let Ok(joints) = <&[u32; 3]>::try_from(joints)
            && room.fill(skin, joints, mixed)
        {
            return Self::Several(Summed::Three(room.table()));
        }
        if let Ok(joints) = <&[u32; 4]>::try_from(joints)
            && room.fill(skin, joints, mixed)
        {
            return Self::Several(Summed::Four(room.table()));
        }
        Self::Several(Summed::Many(joints))
    }
}

/// The sums of one register of vertices of a run. Each asks anew what kind of run it is: that is little beside the sum, and
/// what follows is compiled once for all kinds.
struct OfRun<'a, L: Lanes> {
    token: L::Token,
    skin: Skin<'a>,
    summed: Summed<'a>,
    weights: &'a [ScalarBlock],
    group: usize,
}

impl<L: Lanes> Sums<L> for OfRun<'_, L> {
    #[inline(always)]
    fn duals(&self) -> [[L; 4]; 2] {
        match self.summed {
            Summed::Two(table) => self.weighted::<2>(table).duals(),
            Summed::Three(table) => self.weighted::<3>(table).duals(),
            Summed::Four(table) => self.weighted::<4>(table).duals(),
            Summed::Many(joints) => self.one_by_one(joints).duals(),
        }
    }

    #[inline(always)]
    fn stretches(&self, scale_shears: &[Matrix]) -> [[L; 4]; 3] {
        match self.summed {
            Summed::Two(table) => self.weighted::<2>(table).stretches(scale_shears),
            Summed::Three(table) => self.weighted::<3>(table).stretches(scale_shears),
            Summed::Four(table) => self.weighted::<4>(table).stretches(scale_shears),
            Summed::Many(joints) => self.one_by_one(joints).stretches(scale_shears),
        }
    }

    #[inline(always)]
    fn palette(&self) -> [[L; 4]; 3] {
        match self.summed {
            Summed::Two(table) => self.weighted::<2>(table).palette(),
            Summed::Three(table) => self.weighted::<3>(table).palette(),
            Summed::Four(table) => self.weighted::<4>(table).palette(),
            Summed::Many(joints) => self.one_by_one(joints).palette(),
        }
    }
}

impl<'a, L: Lanes> OfRun<'a, L> {
    #[inline(always)]
    fn weighted<const K: usize>(&self, table: Table<'a>) -> Weighted<'a, L, K> {
        Weighted::new(self.token, table, self.weights, self.group)
    }

    #[inline(always)]
    fn one_by_one(&self, joints: &'a [u32]) -> OneByOne<'a, L, Shared<'a>> {
        let joints = Shared { joints, weights: self.weights, group: self.group };
        OneByOne { token: self.token, skin: self.skin, joints }
    }
}

/// A run whose vertices share their joints.
#[inline(always)]
fn skin_run<L: Lanes>(
    token: L::Token,
    skin: Skin<'_>,
    source: Source<'_>,
    each: usize,
    mut weights: &[ScalarBlock],
    mut blocks: Blocks<'_>,
) {
    while let (Some(block), Some((own, rest))) = (blocks.next(), weights.split_at_checked(each)) {
        weights = rest;
        for group in L::groups() {
            let mix = block.mix::<L>(token, group);
            let matrix = match source {
                Source::One(matrix) => splatted(token, matrix),
                Source::Several(summed) => {
                    blended(token, &OfRun { token, skin, summed, weights: own, group }, skin, mix)
                }
            };
            transform(token, block.asked, &matrix, block.base, block.output, group);
        }
    }
}

/// A run whose vertices have their own joints.
#[inline(always)]
fn skin_own<L: Lanes>(
    token: L::Token,
    skin: Skin<'_>,
    mut joints: &[JointIndexBlock],
    influences: usize,
    mut weights: &[ScalarBlock],
    mut blocks: Blocks<'_>,
) {
    while let (Some(block), Some((own_joints, more_joints)), Some((own_weights, more_weights))) =
        (blocks.next(), joints.split_at_checked(influences), weights.split_at_checked(influences))
    {
        (joints, weights) = (more_joints, more_weights);
        for group in L::groups() {
            let mix = block.mix::<L>(token, group);
            let joints = Own { joints: own_joints, weights: own_weights, group };
            let matrix = blended(token, &OneByOne::<L, _> { token, skin, joints }, skin, mix);
            transform(token, block.asked, &matrix, block.base, block.output, group);
        }
    }
}

/// What a run's part in the window has of rows of which each block has `each`; `None` where not all are there.
#[inline(always)]
fn rows<'a, T>(rows: &'a [T], blocks: &Blocks<'_>, each: usize) -> Option<&'a [T]> {
    let from = blocks.weights.checked_mul(each)?;
    rows.get(from..)?.get(..blocks.len.checked_mul(each)?)
}

/// The blocks of a run that lie in the window.
struct Blocks<'a> {
    base: &'a [VectorBlock],
    output: &'a mut [VectorBlock],
    mix: Option<&'a [ScalarBlock]>,
    len: usize,
    weights: usize,
    base_vectors: usize,
    vectors: usize,
    /// What directions need.
    asked: Asked,
}

/// One of them.
struct Block<'a> {
    base: &'a [VectorBlock],
    output: &'a mut [VectorBlock],
    mix: Option<&'a ScalarBlock>,
    asked: Asked,
}

impl<'a> Blocks<'a> {
    #[inline(always)]
    fn new(vertices: &'a mut SkinVertices<'_>, mix: Option<&'a [ScalarBlock]>, run: Run) -> Option<Self> {
        let (base_vectors, vectors) = (vertices.base_vectors, vertices.vectors);
        let asked = Asked::of(vertices);
        let first = (run.first as usize).max(vertices.window.start);
        let mix = match mix {
            Some(mix) => Some(mix.get(first..)?),
            None => None,
        };
        let part = vertices.part(run)?;
        let (len, weights) = (part.blocks, part.weights);
        Some(Self { base: part.base, output: part.output, mix, len, weights, base_vectors, vectors, asked })
    }

    #[inline(always)]
    fn next(&mut self) -> Option<Block<'_>> {
        let (base, rest) = self.base.split_at_checked(self.base_vectors)?;
        self.base = rest;
        let (output, rest) = std::mem::take(&mut self.output).split_at_mut_checked(self.vectors)?;
        self.output = rest;
        let mut mix = None;
        if let Some(rows) = self.mix {
            let (row, rest) = rows.split_first()?;
            (mix, self.mix) = (Some(row), Some(rest));
        }
        Some(Block { base, output, mix, asked: self.asked })
    }
}

impl Block<'_> {
    /// The mix of one register of vertices.
    #[inline(always)]
    fn mix<L: Lanes>(&self, token: L::Token, group: usize) -> Option<L> {
        let row = self.mix?;
        Some(L::load(token, &row.0, group))
    }
}
