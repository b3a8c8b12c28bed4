//! Linear blend skinning over runs: vertices that share a set of joints, eight at a time.
//!
//! Inside a run every vertex has the same matrices, and only weights and base vectors differ. So no matrix is
//! gathered: its elements are broadcast, and a block of eight vertices goes through at once.

use std::hint::black_box;

use super::rows::Rows;
use super::vector::dot;
use crate::lanes::Lanes;
use crate::lanes::quads::Quads;
use crate::{BlockRow, Matrix, VectorBlock};

/// Skins runs of vertices, all with the same number of influences.
///
/// `output` of a vertex = the sum over its run's joints of weight x palette matrix, times each base vector; the first
/// vector of a vertex is a position, the others are directions, which the translation does not move.
#[derive(Debug)]
pub struct SkinRuns<'a> {
    /// One matrix for each joint of the skin.
    pub palette: &'a [Matrix],
    /// Joints in each run: one or more.
    pub influences: usize,
    /// How many blocks each run has; in all as many as `output` holds. A run that goes past the output is left out with
    /// all that follow, and blocks that no run covers stay as they were.
    pub runs: &'a [u32],
    /// The joints of each run, `influences` of them; one that is not in the palette counts as the identity.
    pub joints: &'a [u32],
    /// For each block the weights of the run's joints but the last, whose weight is what the others leave of one.
    pub weights: &'a [BlockRow],
    /// For each block `base_vectors` vectors.
    pub base: &'a [VectorBlock],
    /// Vectors of a block in `base`: at least `vectors`.
    pub base_vectors: usize,
    /// Written: for each block `vectors` vectors.
    pub output: &'a mut [VectorBlock],
    /// How many vectors to skin: 1, 2 or 3.
    pub vectors: usize,
    /// What length the directions have afterwards.
    pub directions: Directions,
}

/// What length skinned directions have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Directions {
    /// What blending makes of it: between two joints that are turned apart, less than before.
    #[default]
    AsBlended,
    /// One; a direction that blends to nothing stays nothing.
    Unit,
}

impl SkinRuns<'_> {
    #[inline(always)]
    fn check(&self) {
        assert!(self.influences >= 1, "one influence or more");
        assert!((1..=3).contains(&self.vectors) && self.vectors <= self.base_vectors, "one to three vectors");
        let blocks = self.output.len() / self.vectors;
        assert!(blocks * self.vectors == self.output.len(), "whole blocks of output");
        assert!(self.base.len() == blocks * self.base_vectors, "as many blocks of base vectors as of output");
        assert!(
            self.weights.len() == blocks * (self.influences - 1),
            "as many blocks of weights as of output"
        );
        assert!(self.joints.len() == self.runs.len() * self.influences, "the joints of every run");
    }
}

#[inline(always)]
pub(crate) fn runs<L: Lanes>(token: L::Token, contract: &mut SkinRuns<'_>) {
    contract.check();
    match (contract.vectors, contract.directions) {
        (1, _) => vectors::<L, 1, false>(token, contract),
        (2, Directions::AsBlended) => vectors::<L, 2, false>(token, contract),
        (2, Directions::Unit) => vectors::<L, 2, true>(token, contract),
        (_, Directions::AsBlended) => vectors::<L, 3, false>(token, contract),
        (_, Directions::Unit) => vectors::<L, 3, true>(token, contract),
    }
}

#[inline(always)]
fn vectors<L: Lanes, const V: usize, const UNIT: bool>(token: L::Token, contract: &mut SkinRuns<'_>) {
    match contract.influences {
        1 => few::<L, 1, V, UNIT>(token, contract),
        2 => few::<L, 2, V, UNIT>(token, contract),
        3 => few::<L, 3, V, UNIT>(token, contract),
        4 => few::<L, 4, V, UNIT>(token, contract),
        _ => many::<L, V, UNIT>(token, contract),
    }
}

/// Runs of `K` joints.
#[inline(always)]
fn few<L: Lanes, const K: usize, const V: usize, const UNIT: bool>(
    token: L::Token,
    contract: &mut SkinRuns<'_>,
) {
    let (joints, _) = contract.joints.as_chunks::<K>();
    let (mut output, _) = contract.output.as_chunks_mut::<V>();
    let mut base = contract.base.chunks_exact(contract.base_vectors);
    let mut weights = contract.weights;
    for (joints, &blocks) in joints.iter().zip(contract.runs) {
        let differences = Differences::new::<L>(token, contract.palette, joints);
        // The compiler splats all elements before the loop and keeps in memory what does not fit registers. That pays
        // where a splat is a shuffle; where it is a plain load, splats that stay out of memory are better.
        let hide = L::SPLATS_LOADS && (K > 2 || K == 2 && V > 1);
        let differences = if hide { black_box(&differences) } else { &differences };
        let Some((run, rest)) = output.split_at_mut_checked(blocks as usize) else { return };
        output = rest;
        for output in run {
            let (Some(base), Some((own, rest))) = (base.next(), weights.split_at_checked(K - 1)) else {
                return;
            };
            let Some(base) = base.first_chunk::<V>() else { return };
            weights = rest;
            for group in 0..L::GROUPS {
                let mut w = [L::splat(token, 0.0); K];
                for (w, row) in w.iter_mut().zip(own) {
                    *w = L::load(token, &row.0, group);
                }
                let element = |r: usize, c: usize| differences.blend(token, &w, r, c);
                transform::<L, V, UNIT>(token, element, base, output, group);
            }
        }
    }
}

/// The matrices of a run as differences to the last one, and that one: with weights that sum to one, the blended
/// matrix is the last plus each weight times its difference.
#[repr(align(64))]
struct Differences<const K: usize>([Matrix; K]);

impl<const K: usize> Differences<K> {
    #[inline(always)]
    fn new<L: Lanes>(token: L::Token, palette: &[Matrix], joints: &[u32; K]) -> Self {
        let mut matrices = [Matrix::ZERO; K];
        let last = Rows::<L>::load(token, of(palette, joints[K - 1]));
        last.store(&mut matrices[K - 1]);
        for q in 0..K - 1 {
            Rows::<L>::load(token, of(palette, joints[q])).minus(last).store(&mut matrices[q]);
        }
        Self(matrices)
    }

    /// An element of each vertex's blended matrix.
    #[inline(always)]
    fn blend<L: Lanes>(&self, token: L::Token, weights: &[L; K], r: usize, c: usize) -> L {
        let mut sum = L::splat(token, self.0[K - 1].rows[r][c]);
        for (weight, difference) in weights.iter().zip(&self.0).take(K - 1) {
            sum = weight.mul_add(L::splat(token, difference.rows[r][c]), sum);
        }
        sum
    }
}

/// Runs of any number of joints: the blended matrix is summed joint by joint.
#[inline(always)]
fn many<L: Lanes, const V: usize, const UNIT: bool>(token: L::Token, contract: &mut SkinRuns<'_>) {
    let influences = contract.influences;
    let (mut output, _) = contract.output.as_chunks_mut::<V>();
    let mut base = contract.base.chunks_exact(contract.base_vectors);
    let mut weights = contract.weights.chunks_exact(influences - 1);
    for (joints, &blocks) in contract.joints.chunks_exact(influences).zip(contract.runs) {
        let Some((&last, others)) = joints.split_last() else { return };
        let last = of(contract.palette, last);
        let Some((run, rest)) = output.split_at_mut_checked(blocks as usize) else { return };
        output = rest;
        for output in run {
            let (Some(base), Some(weights)) = (base.next(), weights.next()) else { return };
            let Some(base) = base.first_chunk::<V>() else { return };
            for group in 0..L::GROUPS {
                let mut blended = [[L::splat(token, 0.0); 4]; 3];
                let mut left = L::splat(token, 1.0);
                for (&joint, weight) in others.iter().zip(weights) {
                    let weight = L::load(token, &weight.0, group);
                    left = left - weight;
                    add(token, &mut blended, weight, of(contract.palette, joint));
                }
                add(token, &mut blended, left, last);
                transform::<L, V, UNIT>(token, |r, c| blended[r][c], base, output, group);
            }
        }
    }
}

/// `sum += weight x matrix`.
#[inline(always)]
fn add<L: Lanes>(token: L::Token, sum: &mut [[L; 4]; 3], weight: L, matrix: &Matrix) {
    for (sum, row) in sum.iter_mut().zip(&matrix.rows) {
        for (sum, &element) in sum.iter_mut().zip(row) {
            *sum = weight.mul_add(L::splat(token, element), *sum);
        }
    }
}

/// A palette matrix; the identity where there is none.
#[inline(always)]
fn of(palette: &[Matrix], joint: u32) -> &Matrix {
    palette.get(joint as usize).unwrap_or(Matrix::REST)
}

/// One register of vertices through their blended matrices, a column at a time, so that no more than the sums and one
/// column need registers.
#[inline(always)]
fn transform<L: Lanes, const V: usize, const UNIT: bool>(
    token: L::Token,
    element: impl Fn(usize, usize) -> L,
    base: &[VectorBlock; V],
    output: &mut [VectorBlock; V],
    group: usize,
) {
    let mut sums = [[L::splat(token, 0.0); 3]; V];
    sums[0] = [element(0, 3), element(1, 3), element(2, 3)];
    for c in 0..3 {
        let column = [element(0, c), element(1, c), element(2, c)];
        for (v, (sums, base)) in sums.iter_mut().zip(base).enumerate() {
            let x = L::load(token, &base.rows[c], group);
            for (sum, column) in sums.iter_mut().zip(column) {
                *sum = if v > 0 && c == 0 { column * x } else { column.mul_add(x, *sum) };
            }
        }
    }
    for (v, (mut vector, output)) in sums.into_iter().zip(output).enumerate() {
        if UNIT && v > 0 {
            // Shorter than that is nothing, and stays short.
            let length_squared = dot(vector, vector).max(L::splat(token, 1e-30));
            let inverse = length_squared.rsqrt();
            vector = [vector[0] * inverse, vector[1] * inverse, vector[2] * inverse];
        }
        for (component, row) in vector.into_iter().zip(&mut output.rows) {
            component.store(row, group);
        }
    }
}
