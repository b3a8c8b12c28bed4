//! Linear blend skinning over runs: vertices that share a set of joints, eight at a time.
//!
//! Inside a run every vertex has the same matrices, and only weights and base vectors differ. So no matrix is
//! gathered: its elements are broadcast, and a block of eight vertices goes through at once.

use std::hint::black_box;

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
    /// How many blocks each run has.
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
}

#[inline(always)]
pub(crate) fn runs<L: Lanes>(token: L::Token, contract: &mut SkinRuns<'_>) {
    let blocks = contract.check();
    let _ = blocks;
    match (contract.influences, contract.vectors) {
        (1, 1) => fixed::<L, 1, 1>(token, contract),
        (1, 2) => fixed::<L, 1, 2>(token, contract),
        (1, _) => fixed::<L, 1, 3>(token, contract),
        (2, 1) => fixed::<L, 2, 1>(token, contract),
        (2, 2) => fixed::<L, 2, 2>(token, contract),
        (2, _) => fixed::<L, 2, 3>(token, contract),
        (3, 1) => fixed::<L, 3, 1>(token, contract),
        (3, 2) => fixed::<L, 3, 2>(token, contract),
        (3, _) => fixed::<L, 3, 3>(token, contract),
        (4, 1) => fixed::<L, 4, 1>(token, contract),
        (4, 2) => fixed::<L, 4, 2>(token, contract),
        (4, _) => fixed::<L, 4, 3>(token, contract),
        _ => {}
    }
}

impl SkinRuns<'_> {
    /// The number of blocks, after the lengths were seen to agree on it.
    #[inline(always)]
    fn check(&self) -> usize {
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
        blocks
    }
}

/// The elements of a run's matrices, to be broadcast one by one: the differences to the last matrix, then that one.
#[repr(align(64))]
struct Elements<const K: usize>([Matrix; K]);

impl<const K: usize> Elements<K> {
    #[inline(always)]
    fn new(palette: &[Matrix], joints: &[u32; K]) -> Self {
        let matrix = |joint: u32| palette.get(joint as usize).unwrap_or(Matrix::REST);
        let last = matrix(joints[K - 1]);
        let mut elements = [*last; K];
        for (difference, &joint) in elements.iter_mut().zip(joints).take(K - 1) {
            let first = matrix(joint);
            for r in 0..3 {
                for c in 0..4 {
                    difference.rows[r][c] = first.rows[r][c] - last.rows[r][c];
                }
            }
        }
        Self(elements)
    }
}

#[inline(always)]
fn fixed<L: Lanes, const K: usize, const V: usize>(token: L::Token, contract: &mut SkinRuns<'_>) {
    let (joints, _) = contract.joints.as_chunks::<K>();
    let (mut output, _) = contract.output.as_chunks_mut::<V>();
    let mut base = contract.base.chunks_exact(contract.base_vectors);
    let mut weights = contract.weights;
    for (joints, &blocks) in joints.iter().zip(contract.runs) {
        let elements = Elements::new(contract.palette, joints);
        // Hidden from the compiler, which would else keep the elements in more registers than there are.
        let elements = black_box(&elements);
        let Some((run, rest)) = output.split_at_mut_checked(blocks as usize) else { return };
        output = rest;
        for output in run {
            let (Some(base), Some((own, rest))) = (base.next(), weights.split_at_checked(K - 1)) else {
                return;
            };
            let Some(base) = base.first_chunk::<V>() else { return };
            weights = rest;
            for group in 0..L::GROUPS {
                block::<L, K, V>(token, elements, own, base, output, group);
            }
        }
    }
}

/// One register of vertices. A column of the blended matrix at a time, so that the sums and one column stay in
/// registers.
#[inline(always)]
fn block<L: Lanes, const K: usize, const V: usize>(
    token: L::Token,
    elements: &Elements<K>,
    weights: &[BlockRow],
    base: &[VectorBlock; V],
    output: &mut [VectorBlock; V],
    group: usize,
) {
    let mut w = [L::splat(token, 0.0); K];
    for (w, row) in w.iter_mut().zip(weights) {
        *w = L::load(token, &row.0, group);
    }
    let mut sums = [[L::splat(token, 0.0); 3]; V];
    for r in 0..3 {
        sums[0][r] = element(token, elements, &w, r, 3);
    }
    for c in 0..3 {
        let column = [
            element(token, elements, &w, 0, c),
            element(token, elements, &w, 1, c),
            element(token, elements, &w, 2, c),
        ];
        for v in 0..V {
            let x = L::load(token, &base[v].rows[c], group);
            for r in 0..3 {
                sums[v][r] = if v > 0 && c == 0 { column[r] * x } else { column[r].mul_add(x, sums[v][r]) };
            }
        }
    }
    for v in 0..V {
        for r in 0..3 {
            sums[v][r].store(&mut output[v].rows[r], group);
        }
    }
}

/// An element of each vertex's blended matrix.
#[inline(always)]
fn element<L: Lanes, const K: usize>(
    token: L::Token,
    elements: &Elements<K>,
    weights: &[L; K],
    r: usize,
    c: usize,
) -> L {
    let mut sum = L::splat(token, elements.0[K - 1].rows[r][c]);
    for q in 0..K - 1 {
        sum = weights[q].mul_add(L::splat(token, elements.0[q].rows[r][c]), sum);
    }
    sum
}
