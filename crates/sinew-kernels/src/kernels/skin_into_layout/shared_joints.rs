//! Blocks whose vertices share joints: eight vertices at once, by broadcast matrix elements.
//!
//! The last joint of a run has the weight that the others leave, so its matrix is subtracted from
//! theirs once per run. Segments have a weight for each joint and use the matrices as they are.

use std::hint::black_box;

use super::sinks::{BlockWriter, Sink};
use crate::kernels::skin_shared_joints::{Differences, JointSet, MAX_FIXED_JOINTS, WeightedDifferences};
use crate::kernels::skin_vertices::{BlendedMatrix, last_matrix, matrix_or_identity, transform};
use crate::lanes::Lanes;
use crate::lanes::segments::SharedSegment;
use crate::{Matrix, NO_JOINT, ScalarBlock};

/// Small builds have no loops of their own for five and six shared joints, which few segments of
/// positions alone have, nor for four where a broadcast is a shuffle: 30 kB.
const FEWER: bool = cfg!(sinew_fewer_variants);

/// How many bytes ahead base vectors are fetched.
const READ_AHEAD: usize = 1536;

/// Skins blocks of a run: the last joint has the weight that the others leave.
#[inline(always)]
pub(super) fn skin_run<L: Lanes, S: Sink<V>, const V: usize>(
    token: L::Token,
    palette: &[Matrix],
    segment: SharedSegment<'_>,
    base_vectors: usize,
    sink: &mut S,
) {
    match segment.joints.len() {
        _ if L::COMPACT_LAYOUT_LOOPS => any::<L, S, V>(token, palette, segment, base_vectors, sink),
        1 => differences::<L, S, 1, V>(token, palette, segment, base_vectors, sink),
        2 => differences::<L, S, 2, V>(token, palette, segment, base_vectors, sink),
        3 => differences::<L, S, 3, V>(token, palette, segment, base_vectors, sink),
        4 => differences::<L, S, 4, V>(token, palette, segment, base_vectors, sink),
        _ => any::<L, S, V>(token, palette, segment, base_vectors, sink),
    }
}

/// Skins blocks of a segment: one joint of weight 1, or joints with a weight each and
/// [`NO_JOINT`].
#[inline(always)]
pub(super) fn skin_segment<L: Lanes, S: Sink<V>, const V: usize>(
    token: L::Token,
    palette: &[Matrix],
    segment: SharedSegment<'_>,
    base_vectors: usize,
    sink: &mut S,
) {
    match segment.joints.len() {
        1 => differences::<L, S, 1, V>(token, palette, segment, base_vectors, sink),
        _ if L::COMPACT_LAYOUT_LOOPS => any_matrices::<L, S, V>(token, palette, segment, base_vectors, sink),
        // A copy of the matrices, broadcast before the loop, does not pay for a single block.
        _ if !L::FAST_BROADCAST_LOADS && segment.base.len() <= base_vectors => {
            any_matrices::<L, S, V>(token, palette, segment, base_vectors, sink);
        }
        3 => matrices::<L, S, 2, V>(token, palette, segment, base_vectors, sink),
        4 => matrices::<L, S, 3, V>(token, palette, segment, base_vectors, sink),
        5 if !FEWER || L::FAST_BROADCAST_LOADS => {
            matrices::<L, S, 4, V>(token, palette, segment, base_vectors, sink);
        }
        // Small loops, which gain more than those of several vectors.
        6 if V == 1 && !FEWER => matrices::<L, S, 5, V>(token, palette, segment, base_vectors, sink),
        7 if V == 1 && !FEWER => matrices::<L, S, 6, V>(token, palette, segment, base_vectors, sink),
        _ => any_matrices::<L, S, V>(token, palette, segment, base_vectors, sink),
    }
}

/// `K` joints, of which the last has the weight that the others leave.
#[inline(always)]
fn differences<L: Lanes, S: Sink<V>, const K: usize, const V: usize>(
    token: L::Token,
    palette: &[Matrix],
    segment: SharedSegment<'_>,
    base_vectors: usize,
    sink: &mut S,
) {
    let Some(joints) = segment.joints.first_chunk::<K>() else { return };
    let differences = Differences::new::<L>(token, palette, joints, last_matrix(palette, joints[K - 1]));
    skin_blocks::<L, _, S, V>(token, differences.opaque::<L, V>(), segment, base_vectors, sink);
}

/// `K` joints with a weight each, and one without.
#[inline(always)]
fn matrices<L: Lanes, S: Sink<V>, const K: usize, const V: usize>(
    token: L::Token,
    palette: &[Matrix],
    segment: SharedSegment<'_>,
    base_vectors: usize,
    sink: &mut S,
) {
    let Some(joints) = segment.joints.first_chunk::<K>() else { return };
    let mut matrices = [matrix_or_identity(&[], 0); K];
    for k in 0..K {
        matrices[k] = matrix_or_identity(palette, joints[k]);
    }
    // As for differences: where a broadcast is a plain load, it reads the palette. Elsewhere the
    // compiler broadcasts all elements of a copy before the loop.
    if L::FAST_BROADCAST_LOADS {
        for k in 0..K {
            matrices[k] = black_box(matrices[k]);
        }
        skin_blocks::<L, _, S, V>(token, &matrices, segment, base_vectors, sink);
    } else {
        let mut copies = [Matrix::ZERO; K];
        for k in 0..K {
            copies[k] = *matrices[k];
        }
        skin_blocks::<L, _, S, V>(token, &copies.each_ref(), segment, base_vectors, sink);
    }
}

/// Any number of joints, in one loop.
#[inline(always)]
fn any<L: Lanes, S: Sink<V>, const V: usize>(
    token: L::Token,
    palette: &[Matrix],
    segment: SharedSegment<'_>,
    base_vectors: usize,
    sink: &mut S,
) {
    let mut scratch = [Matrix::ZERO; MAX_FIXED_JOINTS - 1];
    let last = last_matrix(palette, segment.joints.last().copied().unwrap_or(NO_JOINT));
    let set = JointSet::new::<L>(token, palette, segment.joints, last, &mut scratch);
    let joints = PaletteJoints { palette, set, len: segment.joints.len() };
    skin_blocks::<L, _, S, V>(token, &joints, segment, base_vectors, sink);
}

/// Any number of joints with a weight each, and one without.
#[inline(always)]
fn any_matrices<L: Lanes, S: Sink<V>, const V: usize>(
    token: L::Token,
    palette: &[Matrix],
    segment: SharedSegment<'_>,
    base_vectors: usize,
    sink: &mut S,
) {
    let Some((_, joints)) = segment.joints.split_last() else { return };
    skin_blocks::<L, _, S, V>(token, &PaletteMatrices { palette, joints }, segment, base_vectors, sink);
}

/// Joints of a palette, with a weight each.
struct PaletteMatrices<'a> {
    palette: &'a [Matrix],
    joints: &'a [u32],
}

impl<L: Lanes> SharedMatrices<L> for PaletteMatrices<'_> {
    type Blended<'a>
        = [[L; 4]; 3]
    where
        Self: 'a;

    #[inline(always)]
    fn rows(&self) -> usize {
        self.joints.len()
    }

    #[inline(always)]
    fn blend(&self, token: L::Token, weights: &[ScalarBlock], group: usize) -> [[L; 4]; 3] {
        let Self { palette, joints } = self;
        let mut sum = [[L::splat(token, 0.0); 4]; 3];
        let (Some((joint, joints)), Some((weight, weights))) = (joints.split_first(), weights.split_first())
        else {
            return sum;
        };
        // The first is a product and not added to zero, as in the other loops: the sign of a zero.
        let matrix = matrix_or_identity(palette, *joint);
        let weight = L::load(token, &weight.0, group);
        for r in 0..3 {
            let row = broadcast_row::<L>(token, &matrix.rows[r]);
            for c in 0..4 {
                sum[r][c] = weight * row[c];
            }
        }
        let len = joints.len().min(weights.len());
        let (joints, weights) =
            (joints.get(..len).unwrap_or_default(), weights.get(..len).unwrap_or_default());
        for k in 0..len {
            let weight = L::load(token, &weights[k].0, group);
            let matrix = matrix_or_identity(palette, joints[k]);
            for r in 0..3 {
                let row = broadcast_row::<L>(token, &matrix.rows[r]);
                for c in 0..4 {
                    sum[r][c] = weight.mul_add(row[c], sum[r][c]);
                }
            }
        }
        sum
    }
}

/// The elements of a row: one load and four shuffles where a broadcast is a load and a shuffle.
#[inline(always)]
fn broadcast_row<L: Lanes>(token: L::Token, row: &[f32; 4]) -> [L; 4] {
    if L::FAST_BROADCAST_LOADS {
        return [
            L::splat(token, row[0]),
            L::splat(token, row[1]),
            L::splat(token, row[2]),
            L::splat(token, row[3]),
        ];
    }
    let row = L::load_quads(token, |_| row);
    [
        row.broadcast_lane::<0>(),
        row.broadcast_lane::<1>(),
        row.broadcast_lane::<2>(),
        row.broadcast_lane::<3>(),
    ]
}

/// The matrices of shared joints.
trait SharedMatrices<L: Lanes> {
    type Blended<'a>: BlendedMatrix<L>
    where
        Self: 'a;
    /// Rows of weights per block.
    fn rows(&self) -> usize;
    /// The matrices of one register of vertices, blended by the weights of a block.
    fn blend(&self, token: L::Token, weights: &[ScalarBlock], group: usize) -> Self::Blended<'_>;
}

/// Skins the blocks of a segment.
#[inline(always)]
fn skin_blocks<L: Lanes, M: SharedMatrices<L>, S: Sink<V>, const V: usize>(
    token: L::Token,
    matrices: &M,
    segment: SharedSegment<'_>,
    base_vectors: usize,
    sink: &mut S,
) {
    let (mut base, mut weights) = (segment.base, segment.weights);
    while let (Some((block, next)), Some((own, rest))) =
        (base.split_at_checked(base_vectors), weights.split_at_checked(matrices.rows()))
    {
        if sink.reads_ahead() {
            let ahead = base.as_ptr().cast::<u8>().wrapping_add(READ_AHEAD);
            for line in 0..3 * V / 2 {
                L::prefetch_for_read(token, ahead.wrapping_add(64 * line));
            }
            L::prefetch_for_read(token, weights.as_ptr().cast::<u8>().wrapping_add(READ_AHEAD / 4));
        }
        (base, weights) = (next, rest);
        let (Some(block), Some(mut writer)) = (block.first_chunk::<V>(), sink.next::<L>(token)) else {
            break;
        };
        for group in L::groups() {
            let matrix = matrices.blend(token, own, group);
            writer.store(token, group, transform::<L, V>(token, &matrix, block, group));
        }
    }
}

impl<L: Lanes, const K: usize> SharedMatrices<L> for Differences<K> {
    type Blended<'a> = WeightedDifferences<'a, L, K>;

    #[inline(always)]
    fn rows(&self) -> usize {
        K - 1
    }

    #[inline(always)]
    fn blend(&self, token: L::Token, weights: &[ScalarBlock], group: usize) -> Self::Blended<'_> {
        self.weighted(token, weights, group)
    }
}

impl<L: Lanes, const K: usize> SharedMatrices<L> for [&Matrix; K] {
    type Blended<'a>
        = WeightedMatrices<'a, L, K>
    where
        Self: 'a;

    #[inline(always)]
    fn rows(&self) -> usize {
        K
    }

    #[inline(always)]
    fn blend(&self, token: L::Token, rows: &[ScalarBlock], group: usize) -> Self::Blended<'_> {
        let mut weights = [L::splat(token, 0.0); K];
        for k in 0..K {
            if let Some(row) = rows.get(k) {
                weights[k] = L::load(token, &row.0, group);
            }
        }
        WeightedMatrices { token, matrices: self, weights }
    }
}

/// Matrices and the weights of one register of vertices.
struct WeightedMatrices<'a, L: Lanes, const K: usize> {
    token: L::Token,
    matrices: &'a [&'a Matrix; K],
    weights: [L; K],
}

impl<L: Lanes, const K: usize> BlendedMatrix<L> for WeightedMatrices<'_, L, K> {
    #[inline(always)]
    fn element(&self, r: usize, c: usize) -> L {
        let Self { token, matrices, weights } = self;
        let mut sum = weights[0] * L::splat(*token, matrices[0].rows[r][c]);
        for k in 1..K {
            sum = weights[k].mul_add(L::splat(*token, matrices[k].rows[r][c]), sum);
        }
        sum
    }
}

/// Any number of joints of a palette.
struct PaletteJoints<'a> {
    palette: &'a [Matrix],
    set: JointSet<'a>,
    len: usize,
}

impl<L: Lanes> SharedMatrices<L> for PaletteJoints<'_> {
    type Blended<'a>
        = [[L; 4]; 3]
    where
        Self: 'a;

    #[inline(always)]
    fn rows(&self) -> usize {
        self.len.saturating_sub(1)
    }

    #[inline(always)]
    fn blend(&self, token: L::Token, weights: &[ScalarBlock], group: usize) -> [[L; 4]; 3] {
        self.set.weighted::<L>(token, self.palette, weights, group)
    }
}
