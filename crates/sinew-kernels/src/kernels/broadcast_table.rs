//! The matrices of a joint set, broadcast before a loop over blocks.

use std::hint::black_box;

use super::matrix_rows::MatrixRows;
use super::skin_vertices::{BlendedMatrix, broadcast_matrix, matrix_or_identity};
use crate::lanes::Lanes;
use crate::lanes::block_scratch::Scratch;
use crate::lanes::inline_zip::InlineZip;
use crate::{Matrix, NO_JOINT, ScalarBlock};

/// A matrix with each element in all lanes.
pub(super) type BroadcastMatrix<L> = [[L; 4]; 3];

/// The most matrices of a table. Loops over fewer than nine are unrolled by the compiler.
pub(super) const MAX_BROADCASTS: usize = 9;

/// Memory for a few matrices.
pub(super) struct BroadcastTable<L>(Scratch<BroadcastMatrix<L>, MAX_BROADCASTS>);

impl<L: Lanes> BroadcastTable<L> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self(Scratch::new())
    }

    /// The matrices of joints: the first and the others. Not one slice, where a loop would ask
    /// whether there is a first, and the compiler would make two of it.
    #[inline(always)]
    pub(super) fn matrices(
        &mut self,
        token: L::Token,
        palette: &[Matrix],
        joints: &[u32],
    ) -> Option<(&BroadcastMatrix<L>, &[BroadcastMatrix<L>])> {
        let matrices = self.0.fill_first(joints.len(), |k| {
            let matrix = matrix_or_identity(palette, joints.get(k).copied().unwrap_or(NO_JOINT));
            broadcast_matrix::<L>(token, matrix)
        });
        // Otherwise the compiler knows that there are few, and unrolls loops over them.
        black_box(matrices).split_first()
    }

    /// The last matrix, and the differences of others from it.
    #[inline(always)]
    pub(super) fn differences(
        &mut self,
        token: L::Token,
        palette: &[Matrix],
        others: &[u32],
        last: &Matrix,
    ) -> &[BroadcastMatrix<L>] {
        let rows = MatrixRows::<L>::load(token, last);
        let matrices = self.0.fill_first(others.len() + 1, |k| {
            let Some(&joint) = k.checked_sub(1).and_then(|k| others.get(k)) else {
                return broadcast_matrix::<L>(token, last);
            };
            let mut difference = Matrix::ZERO;
            MatrixRows::load(token, matrix_or_identity(palette, joint)).sub(rows).store(&mut difference);
            broadcast_matrix(token, &difference)
        });
        black_box(matrices)
    }
}

/// The sum of matrices times weights, for one register of vertices. The first is a product and not
/// added to zero: the sign of a zero.
#[inline(always)]
pub(super) fn blend_matrices<L: Lanes>(
    token: L::Token,
    matrix: &BroadcastMatrix<L>,
    others: &[BroadcastMatrix<L>],
    weights: &[ScalarBlock],
    group: usize,
) -> BroadcastMatrix<L> {
    let mut sum = [[L::splat(token, 0.0); 4]; 3];
    let Some((weight, weights)) = weights.split_first() else { return sum };
    let weight = L::load(token, &weight.0, group);
    for r in 0..3 {
        for c in 0..4 {
            sum[r][c] = weight * matrix[r][c];
        }
    }
    add_weighted(token, &mut sum, others, weights, group);
    sum
}

/// The last matrix plus differences times weights.
#[inline(always)]
pub(super) fn blend_differences<L: Lanes>(
    token: L::Token,
    last: &BroadcastMatrix<L>,
    differences: &[BroadcastMatrix<L>],
    weights: &[ScalarBlock],
    group: usize,
) -> BroadcastMatrix<L> {
    let mut sum = *last;
    add_weighted(token, &mut sum, differences, weights, group);
    sum
}

/// The last matrix plus the differences after it times weights, for one register of vertices, of
/// which the first weight is unused. Each element is computed where it is used.
pub(super) struct WeightedBroadcasts<'a, L, const K: usize> {
    matrices: &'a [BroadcastMatrix<L>; K],
    weights: [L; K],
}

impl<'a, L: Lanes, const K: usize> WeightedBroadcasts<'a, L, K> {
    #[inline(always)]
    pub(super) fn new(
        token: L::Token,
        matrices: &'a [BroadcastMatrix<L>; K],
        rows: &[ScalarBlock],
        group: usize,
    ) -> Self {
        let mut weights = [L::splat(token, 0.0); K];
        for k in 1..K {
            if let Some(row) = rows.get(k - 1) {
                weights[k] = L::load(token, &row.0, group);
            }
        }
        Self { matrices, weights }
    }
}

impl<L: Lanes, const K: usize> BlendedMatrix<L> for WeightedBroadcasts<'_, L, K> {
    #[inline(always)]
    fn element(&self, r: usize, c: usize) -> L {
        let mut sum = self.matrices[0][r][c];
        for k in 1..K {
            sum = self.weights[k].mul_add(self.matrices[k][r][c], sum);
        }
        sum
    }
}

/// `sum += weight x matrix`, for all matrices.
#[inline(always)]
fn add_weighted<L: Lanes>(
    token: L::Token,
    sum: &mut BroadcastMatrix<L>,
    matrices: &[BroadcastMatrix<L>],
    weights: &[ScalarBlock],
    group: usize,
) {
    for (matrix, weight) in matrices.iter().inline_zip(weights) {
        let weight = L::load(token, &weight.0, group);
        for r in 0..3 {
            for c in 0..4 {
                sum[r][c] = weight.mul_add(matrix[r][c], sum[r][c]);
            }
        }
    }
}
