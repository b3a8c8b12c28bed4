//! Linear blend skinning of runs: vertices that share a joint set, eight at a time.
//!
//! All vertices of a run use the same matrices; only weights and base vectors differ. So no matrix
//! is gathered: its elements are broadcast, and a block of eight vertices is transformed at once.

use std::hint::black_box;

use super::broadcast_table::{BroadcastTable, blend_differences};
use super::matrix_rows::MatrixRows;
use super::skin_vertices::{
    BlendedMatrix, DirectionOptions, Run, RunSlice, SkinVertices, broadcast_matrix, matrix_or_identity,
    store_vector, transform, transform_block,
};
use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;
use crate::{BLOCK, Matrix, ScalarBlock, VectorBlock};

/// Skins runs of vertices with the same number of influences: each vertex by the sum over its run's
/// joints of weight x palette matrix.
#[derive(Debug)]
pub struct SkinSharedJoints<'a> {
    /// One matrix per joint of the skin.
    pub palette: &'a [Matrix],
    /// Joints per run: one or more.
    pub influences: usize,
    /// The runs. Weights are indexed in units of `influences - 1` scalar blocks.
    pub runs: &'a [Run],
    /// `influences` joints per run. A joint outside the palette counts as the identity.
    pub joints: &'a [u32],
    /// Per block, the weights of all joints of the run except the last, whose weight is one minus
    /// the others.
    pub weights: &'a [ScalarBlock],
    /// The vertices.
    pub vertices: SkinVertices<'a>,
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut SkinSharedJoints<'_>) {
    contract.vertices.check();
    assert!(contract.influences >= 1, "one influence or more");
    let joints = contract.runs.len().checked_mul(contract.influences);
    assert!(joints == Some(contract.joints.len()), "the joints of every run");
    match (contract.vertices.vectors, contract.vertices.directions_as_blended()) {
        _ if L::COMPACT_LOOPS || contract.influences > MAX_FIXED_JOINTS => {
            any_joint_count::<L>(token, contract)
        }
        (1, _) => fixed_vector_count::<L, true, 1>(token, contract),
        (2, true) => fixed_vector_count::<L, true, 2>(token, contract),
        (2, false) => fixed_vector_count::<L, false, 2>(token, contract),
        (3, true) => fixed_vector_count::<L, true, 3>(token, contract),
        (3, false) => fixed_vector_count::<L, false, 3>(token, contract),
        // Stored bitangents are rare and get no specialized loops.
        _ => any_joint_count::<L>(token, contract),
    }
}

/// `AS_BLENDED`: directions need nothing after blending. A constant, because a branch in the loop
/// costs 5 to 15 %.
#[inline(always)]
fn fixed_vector_count<L: Lanes, const AS_BLENDED: bool, const V: usize>(
    token: L::Token,
    contract: &mut SkinSharedJoints<'_>,
) {
    match contract.influences {
        1 => fixed_joint_count::<L, AS_BLENDED, 1, V>(token, contract),
        // With several vectors it takes a quarter longer.
        _ if L::BROADCAST_TABLES && V == 1 => few_joint_positions::<L>(token, contract),
        2 => fixed_joint_count::<L, AS_BLENDED, 2, V>(token, contract),
        3 => fixed_joint_count::<L, AS_BLENDED, 3, V>(token, contract),
        _ => fixed_joint_count::<L, AS_BLENDED, 4, V>(token, contract),
    }
}

/// Runs of `K` joints.
#[inline(always)]
fn fixed_joint_count<L: Lanes, const AS_BLENDED: bool, const K: usize, const V: usize>(
    token: L::Token,
    contract: &mut SkinSharedJoints<'_>,
) {
    let (joints, _) = contract.joints.as_chunks::<K>();
    let direction_options = DirectionOptions::new(&contract.vertices);
    let base_vectors = contract.vertices.base_vectors;
    for (joints, &run) in joints.iter().inline_zip(contract.runs) {
        let Some(slice) = contract.vertices.run_slice(run) else { continue };
        let Some(weights) = slice.elements(contract.weights, K - 1) else { continue };
        let last = matrix_or_identity(contract.palette, joints[K - 1]);
        let differences = Differences::new::<L>(token, contract.palette, joints, last);
        if K == 1 && V > 1 && AS_BLENDED {
            single_joint_blocks::<L, K, V>(token, &differences, base_vectors, slice);
            continue;
        }
        let differences = differences.opaque::<L, V>();
        let (mut output, mut base, mut weights) = (slice.output, slice.base, weights);
        if V == 1 && K > 2 && L::FAST_BROADCAST_LOADS {
            let (pairs, rest) = output.as_chunks_mut::<2>();
            for pair in pairs {
                let (Some((own, more)), Some((first, next))) =
                    (weights.split_at_checked(2 * (K - 1)), base.split_at_checked(base_vectors))
                else {
                    break;
                };
                let Some((second, next)) = next.split_at_checked(base_vectors) else { break };
                let [Some(first), Some(second)] = [first.first(), second.first()] else { break };
                (weights, base) = (more, next);
                two_position_blocks::<L, K>(token, differences, own, [first, second], pair);
            }
            output = rest;
        }
        for (output, base) in
            output.as_chunks_mut::<V>().0.iter_mut().inline_zip(base.chunks_exact(base_vectors))
        {
            let (Some(base), Some((own, rest))) = (base.first_chunk::<V>(), weights.split_at_checked(K - 1))
            else {
                break;
            };
            weights = rest;
            // Unrolled for the common case: a fifth faster on four lanes.
            for group in if AS_BLENDED { 0..L::GROUPS } else { L::groups() } {
                let matrix = differences.weighted::<L>(token, own, group);
                let mut vectors = transform::<L, V>(token, &matrix, base, group);
                if !AS_BLENDED {
                    direction_options.apply(token, &matrix, base, &mut vectors, group);
                }
                for v in 0..V {
                    store_vector(vectors[v], &mut output[v], group);
                }
            }
        }
    }
}

/// Positions of runs of a few joints, whose matrices are broadcast before the loop.
#[inline(always)]
fn few_joint_positions<L: Lanes>(token: L::Token, contract: &mut SkinSharedJoints<'_>) {
    let SkinSharedJoints { palette, influences, .. } = *contract;
    let base_vectors = contract.vertices.base_vectors;
    let mut table = BroadcastTable::new();
    for (joints, &run) in contract.joints.chunks_exact(influences).inline_zip(contract.runs) {
        let Some(slice) = contract.vertices.run_slice(run) else { continue };
        let Some(mut weights) = slice.elements(contract.weights, influences - 1) else { continue };
        let Some((&last, others)) = joints.split_last() else { continue };
        let matrices = table.differences(token, palette, others, matrix_or_identity(palette, last));
        let Some((last, others)) = matrices.split_first() else { continue };
        let mut base = slice.base;
        for output in slice.output {
            let (Some((own, rest)), Some((from, next))) =
                (weights.split_at_checked(influences - 1), base.split_at_checked(base_vectors))
            else {
                break;
            };
            (weights, base) = (rest, next);
            let Some(from) = from.first_chunk::<1>() else { break };
            for group in 0..L::GROUPS {
                let matrix = blend_differences::<L>(token, last, others, own, group);
                let [position] = transform::<L, 1>(token, &matrix, from, group);
                store_vector(position, output, group);
            }
        }
    }
}

/// The positions of two blocks at once, where a register holds eight lanes: they share the
/// broadcasts, the most frequent instruction. Each row is stored before the next begins; otherwise
/// the compiler interleaves all rows and spills registers.
#[inline(always)]
fn two_position_blocks<L: Lanes, const K: usize>(
    token: L::Token,
    differences: &Differences<K>,
    weights: &[ScalarBlock],
    base: [&VectorBlock; 2],
    output: &mut [VectorBlock; 2],
) {
    let Some((own, next)) = weights.split_at_checked(K - 1) else { return };
    let matrices = [differences.weighted::<L>(token, own, 0), differences.weighted::<L>(token, next, 0)];
    for r in 0..3 {
        let mut sums = [matrices[0].element(r, 3), matrices[1].element(r, 3)];
        for c in 0..3 {
            for i in 0..2 {
                sums[i] = matrices[i].element(r, c).mul_add(L::load(token, &base[i].rows[c], 0), sums[i]);
            }
        }
        for i in 0..2 {
            sums[i].store(&mut output[i].rows[r], 0);
        }
    }
}

/// The blocks of a single-joint run. Each vector is stored before the next begins, so that rotation
/// and scale stay in registers. The translation would exceed them, so `black_box` keeps it in
/// memory, as an operand of the addition.
#[inline(always)]
fn single_joint_blocks<L: Lanes, const K: usize, const V: usize>(
    token: L::Token,
    differences: &Differences<K>,
    base_vectors: usize,
    slice: RunSlice<'_>,
) {
    let matrix = differences.weighted::<L>(token, &[], 0);
    let mut translation = [ScalarBlock([0.0; BLOCK]); 3];
    for r in 0..3 {
        matrix.element(r, 3).store(&mut translation[r].0, 0);
    }
    let translation = black_box(&translation);
    let mut base = slice.base;
    for output in slice.output.as_chunks_mut::<V>().0 {
        // `chunks_exact` would divide once per run.
        let Some((own, rest)) = base.split_at_checked(base_vectors) else { break };
        let Some(own) = own.first_chunk::<V>() else { break };
        base = rest;
        for group in 0..L::GROUPS {
            for v in 0..V {
                let [x, y, z] = &own[v].rows;
                let (x, y, z) =
                    (L::load(token, x, group), L::load(token, y, group), L::load(token, z, group));
                for r in 0..3 {
                    let first = matrix.element(r, 0);
                    let sum = if v > 0 {
                        first * x
                    } else {
                        first.mul_add(x, L::load(token, &translation[r].0, 0))
                    };
                    let sum = matrix.element(r, 1).mul_add(y, sum);
                    matrix.element(r, 2).mul_add(z, sum).store(&mut output[v].rows[r], group);
                }
            }
        }
    }
}

/// A run's matrices as differences from the last one, followed by the last one. With weights that
/// sum to one, the blended matrix is the last plus the sum of weight x difference.
#[repr(align(64))]
pub(super) struct Differences<const K: usize>([Matrix; K]);

impl<const K: usize> Differences<K> {
    #[inline(always)]
    pub(super) fn new<L: Lanes>(
        token: L::Token,
        palette: &[Matrix],
        joints: &[u32; K],
        last: &Matrix,
    ) -> Self {
        let mut matrices = [Matrix::ZERO; K];
        let last = MatrixRows::<L>::load(token, last);
        last.store(&mut matrices[K - 1]);
        for q in 0..K - 1 {
            MatrixRows::<L>::load(token, matrix_or_identity(palette, joints[q]))
                .sub(last)
                .store(&mut matrices[q]);
        }
        Self(matrices)
    }

    /// Hides the values from the compiler for a loop over blocks. Otherwise it broadcasts all
    /// elements before the loop and spills those that do not fit registers. That pays if a
    /// broadcast is a shuffle, but not if it is a plain load.
    #[inline(always)]
    pub(super) fn opaque<L: Lanes, const V: usize>(&self) -> &Self {
        if L::FAST_BROADCAST_LOADS && (K > 2 || K == 2 && V > 1) { black_box(self) } else { self }
    }

    /// Combines the differences with the weights of one register of vertices: `K - 1` scalar
    /// blocks.
    #[inline(always)]
    pub(super) fn weighted<L: Lanes>(
        &self,
        token: L::Token,
        rows: &[ScalarBlock],
        group: usize,
    ) -> WeightedDifferences<'_, L, K> {
        let mut weights = [L::splat(token, 0.0); K];
        // Loops to `K`, not to the slice's length, which the compiler would turn into a call of
        // memcpy.
        for k in 0..K - 1 {
            if let Some(row) = rows.get(k) {
                weights[k] = L::load(token, &row.0, group);
            }
        }
        WeightedDifferences { token, differences: self, weights }
    }
}

/// Differences and the weights of one register of vertices; the last weight is unused.
pub(in crate::kernels) struct WeightedDifferences<'a, L: Lanes, const K: usize> {
    token: L::Token,
    differences: &'a Differences<K>,
    weights: [L; K],
}

impl<L: Lanes, const K: usize> BlendedMatrix<L> for WeightedDifferences<'_, L, K> {
    #[inline(always)]
    fn element(&self, r: usize, c: usize) -> L {
        let Self { token, differences: Differences(matrices), weights } = self;
        let mut sum = L::splat(*token, matrices[K - 1].rows[r][c]);
        for k in 0..K - 1 {
            sum = weights[k].mul_add(L::splat(*token, matrices[k].rows[r][c]), sum);
        }
        sum
    }
}

/// Runs with any number of joints, and any number of vectors.
#[inline(always)]
fn any_joint_count<L: Lanes>(token: L::Token, contract: &mut SkinSharedJoints<'_>) {
    let SkinSharedJoints { palette, influences, .. } = *contract;
    let direction_options = DirectionOptions::new(&contract.vertices);
    let SkinVertices { base_vectors, vectors, .. } = contract.vertices;
    // Not a constant, which the compiler would store with 512-bit registers.
    let mut scratch = [*black_box(matrix_or_identity(&[], 0)); MAX_FIXED_JOINTS - 1];
    for (joints, &run) in contract.joints.chunks_exact(influences).inline_zip(contract.runs) {
        let Some(slice) = contract.vertices.run_slice(run) else { continue };
        let Some(weights) = slice.elements(contract.weights, influences - 1) else { continue };
        let last = matrix_or_identity(palette, joints.last().copied().unwrap_or(0));
        let set = JointSet::new::<L>(token, palette, joints, last, &mut scratch);
        let (mut output, mut base, mut weights) = (slice.output, slice.base, weights);
        // Not `chunks`, which is not inlined.
        while let (Some((to, more)), Some((from, next)), Some((own, rest))) = (
            output.split_at_mut_checked(vectors),
            base.split_at_checked(base_vectors),
            weights.split_at_checked(influences - 1),
        ) {
            (output, base, weights) = (more, next, rest);
            for group in L::groups() {
                let matrix = set.weighted::<L>(token, palette, own, group);
                transform_block(token, direction_options, &matrix, from, to, group);
            }
        }
    }
}

/// The largest number of joints per run that uses matrix differences and specialized loops.
pub(super) const MAX_FIXED_JOINTS: usize = 4;

/// The matrices of a run with any number of joints.
#[derive(Clone, Copy)]
pub(super) enum JointSet<'a> {
    /// Differences from the last matrix, and the last matrix.
    Differences(&'a [Matrix], &'a Matrix),
    /// All joints but the last, and the last joint's matrix.
    Matrices(&'a [u32], &'a Matrix),
}

impl<'a> JointSet<'a> {
    #[inline(always)]
    pub(super) fn new<L: Lanes>(
        token: L::Token,
        palette: &'a [Matrix],
        joints: &'a [u32],
        last: &'a Matrix,
        scratch: &'a mut [Matrix; MAX_FIXED_JOINTS - 1],
    ) -> Self {
        let Some((_, others)) = joints.split_last() else { return Self::Matrices(&[], last) };
        let Some(scratch) = scratch.get_mut(..others.len()) else { return Self::Matrices(others, last) };
        let registers = MatrixRows::<L>::load(token, last);
        for (k, difference) in scratch.iter_mut().enumerate() {
            let Some(&joint) = others.get(k) else { break };
            MatrixRows::<L>::load(token, matrix_or_identity(palette, joint)).sub(registers).store(difference);
        }
        Self::Differences(scratch, last)
    }

    /// The blended matrix of one register of vertices.
    #[inline(always)]
    pub(super) fn weighted<L: Lanes>(
        &self,
        token: L::Token,
        palette: &[Matrix],
        weights: &[ScalarBlock],
        group: usize,
    ) -> [[L; 4]; 3] {
        match self {
            Self::Differences(differences, last) => {
                let mut blended = broadcast_matrix(token, last);
                for (k, difference) in differences.iter().enumerate() {
                    let Some(weight) = weights.get(k) else { break };
                    add_weighted(token, &mut blended, L::load(token, &weight.0, group), difference);
                }
                blended
            }
            Self::Matrices(others, last) => {
                let mut blended = [[L::splat(token, 0.0); 4]; 3];
                let mut left = L::splat(token, 1.0);
                for (k, &joint) in others.iter().enumerate() {
                    let Some(weight) = weights.get(k) else { break };
                    let weight = L::load(token, &weight.0, group);
                    left = left - weight;
                    add_weighted(token, &mut blended, weight, matrix_or_identity(palette, joint));
                }
                add_weighted(token, &mut blended, left, last);
                blended
            }
        }
    }
}

/// `sum += weight x matrix`.
#[inline(always)]
fn add_weighted<L: Lanes>(token: L::Token, sum: &mut [[L; 4]; 3], weight: L, matrix: &Matrix) {
    for r in 0..3 {
        for c in 0..4 {
            sum[r][c] = weight.mul_add(L::splat(token, matrix.rows[r][c]), sum[r][c]);
        }
    }
}
