//! What all skinning kernels share: input vertices, output, options, and transforming by a matrix.

use std::ops::Range;

use super::vector::{Vector, cross, dot};
use crate::lanes::Lanes;
use crate::lanes::quads::Quads;
use crate::{Matrix, NO_JOINT, VectorBlock};

/// The input and output vertices of a skinning kernel, in blocks of eight.
///
/// The first vector of a vertex is its position. The others (normal, tangent, bitangent) are
/// directions, which translations do not affect.
#[derive(Debug)]
pub struct SkinVertices<'a> {
    /// Base (rest) vectors: `base_vectors` for each block of the mesh.
    pub base: &'a [VectorBlock],
    /// Vectors per block in `base`: at least `vectors`.
    pub base_vectors: usize,
    /// The range of blocks to skin. Runs are clipped to it.
    pub window: Range<usize>,
    /// Write-only: `vectors` for each block of the window.
    pub output: &'a mut [VectorBlock],
    /// Number of vectors to skin per vertex: 1 to 4.
    pub vectors: usize,
    /// Whether normals, tangents and bitangents are renormalized.
    pub directions: DirectionLength,
    /// How normals are transformed.
    pub normals: NormalTransform,
}

/// Whether skinned directions (normals, tangents, bitangents) are renormalized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DirectionLength {
    /// No: they have the length that blending leaves, which is shorter between joints with
    /// different rotations.
    #[default]
    AsBlended,
    /// Yes: length one. A direction that blends to zero stays zero.
    Unit,
}

/// How normals are transformed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NormalTransform {
    /// By the blended matrix, like other directions: correct for uniform scale.
    #[default]
    BlendedMatrix,
    /// By the cofactor matrix of the blended matrix: perpendicular to the surface for any scale and
    /// shear. A uniform scale of `s` multiplies the length by `s` squared. A mirror flips the
    /// normal, like the winding of the triangles.
    Cofactor,
}

/// A run: consecutive blocks of a mesh whose vertices share a joint set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The first block.
    pub first: u32,
    /// Number of blocks.
    pub blocks: u32,
    /// Index of the first block's weights, in units of what the kernel reads per block. A run whose
    /// weights are out of range is skipped.
    pub weights: u32,
}

/// The part of a run inside the window.
pub(super) struct RunSlice<'a> {
    /// `base_vectors` for each block.
    pub(super) base: &'a [VectorBlock],
    /// `vectors` for each block.
    pub(super) output: &'a mut [VectorBlock],
    /// Number of blocks.
    pub(super) blocks: usize,
    /// Index of the first block's weights, in blocks.
    pub(super) weights: usize,
}

impl SkinVertices<'_> {
    #[inline(always)]
    pub(super) fn check(&self) {
        assert!((1..=4).contains(&self.vectors) && self.vectors <= self.base_vectors, "one to four vectors");
        let blocks = self.base.len() / self.base_vectors;
        assert!(blocks * self.base_vectors == self.base.len(), "whole blocks of base vectors");
        assert!(self.window.start <= self.window.end && self.window.end <= blocks, "a window in the mesh");
        assert!(self.output.len() == self.window.len() * self.vectors, "as much output as the window");
    }

    /// Whether directions need nothing after blending.
    #[inline(always)]
    pub(super) fn directions_as_blended(&self) -> bool {
        self.vectors == 1
            || self.directions == DirectionLength::AsBlended && self.normals == NormalTransform::BlendedMatrix
    }

    /// Clips a run to the window. `None` if no block is left.
    #[inline(always)]
    pub(super) fn run_slice(&mut self, run: Run) -> Option<RunSlice<'_>> {
        let first = run.first as usize;
        let start = first.max(self.window.start);
        let end = first.saturating_add(run.blocks as usize).min(self.window.end);
        let blocks = end.checked_sub(start).filter(|&blocks| blocks > 0)?;
        let base = self.base.get(start * self.base_vectors..end * self.base_vectors)?;
        let from = (start - self.window.start) * self.vectors;
        let output = self.output.get_mut(from..from + blocks * self.vectors)?;
        let weights = (run.weights as usize).checked_add(start - first)?;
        Some(RunSlice { base, output, blocks, weights })
    }
}

/// The palette matrix of a joint; the identity if the joint is out of range.
#[inline(always)]
pub(super) fn matrix_or_identity(palette: &[Matrix], joint: u32) -> &Matrix {
    palette.get(joint as usize).unwrap_or(Matrix::PADDING)
}

/// The matrix of the last joint of a set, which the others are differences from: zero for
/// [`NO_JOINT`].
#[inline(always)]
pub(super) fn last_matrix(palette: &[Matrix], joint: u32) -> &Matrix {
    match palette.get(joint as usize) {
        Some(matrix) => matrix,
        None if joint == NO_JOINT => const { &Matrix::ZERO },
        None => Matrix::PADDING,
    }
}

impl RunSlice<'_> {
    /// The elements of this slice's blocks, `of_block` per block. `None` if they are out of range.
    #[inline(always)]
    pub(super) fn elements<'e, T>(&self, elements: &'e [T], of_block: usize) -> Option<&'e [T]> {
        let first = self.weights.checked_mul(of_block)?;
        elements.get(first..)?.get(..self.blocks.checked_mul(of_block)?)
    }
}

/// The blended matrices of one register of vertices.
pub(super) trait BlendedMatrix<L> {
    fn element(&self, r: usize, c: usize) -> L;

    #[inline(always)]
    fn column(&self, c: usize) -> Vector<L> {
        [self.element(0, c), self.element(1, c), self.element(2, c)]
    }
}

impl<L: Lanes, const C: usize> BlendedMatrix<L> for [[L; C]; 3] {
    #[inline(always)]
    fn element(&self, r: usize, c: usize) -> L {
        self[r][c]
    }
}

/// The same matrix in every lane.
#[inline(always)]
pub(super) fn broadcast_matrix<L: Lanes>(token: L::Token, matrix: &Matrix) -> [[L; 4]; 3] {
    let mut elements = [[L::splat(token, 0.0); 4]; 3];
    for r in 0..3 {
        for c in 0..4 {
            elements[r][c] = L::splat(token, matrix.rows[r][c]);
        }
    }
    elements
}

/// How directions are transformed.
#[derive(Clone, Copy)]
pub(super) struct DirectionOptions {
    directions: DirectionLength,
    normals: NormalTransform,
}

impl DirectionOptions {
    #[inline(always)]
    pub(super) fn new(vertices: &SkinVertices<'_>) -> Self {
        Self { directions: vertices.directions, normals: vertices.normals }
    }

    /// Applies the options to blended directions.
    #[inline(always)]
    pub(super) fn apply<L: Lanes, const V: usize>(
        self,
        token: L::Token,
        matrix: &impl BlendedMatrix<L>,
        base: &[VectorBlock; V],
        vectors: &mut [Vector<L>; V],
        group: usize,
    ) {
        if V > 1 && self.normals == NormalTransform::Cofactor {
            vectors[1] = transform_by_cofactors(token, matrix, &base[1], group);
        }
        if self.directions == DirectionLength::Unit {
            for v in 1..V {
                vectors[v] = normalize(token, vectors[v]);
            }
        }
    }
}

/// Transforms one register of vertices. Works column by column, so that only the sums and one
/// column occupy registers.
#[inline(always)]
pub(super) fn transform<L: Lanes, const V: usize>(
    token: L::Token,
    matrix: &impl BlendedMatrix<L>,
    base: &[VectorBlock; V],
    group: usize,
) -> [Vector<L>; V] {
    let mut sums = [[L::splat(token, 0.0); 3]; V];
    sums[0] = matrix.column(3);
    for c in 0..3 {
        let column = matrix.column(c);
        for v in 0..V {
            let x = L::load(token, &base[v].rows[c], group);
            for r in 0..3 {
                sums[v][r] = if v > 0 && c == 0 { column[r] * x } else { column[r].mul_add(x, sums[v][r]) };
            }
        }
    }
    sums
}

/// Transforms one register of vertices into a block, one vector after the other: one short loop for
/// any number of vectors.
#[inline(always)]
pub(super) fn transform_block<L: Lanes>(
    token: L::Token,
    direction_options: DirectionOptions,
    matrix: &[[L; 4]; 3],
    base: &[VectorBlock],
    output: &mut [VectorBlock],
    group: usize,
) {
    let (Some((position, base)), Some((to, output))) = (base.split_first(), output.split_first_mut()) else {
        return;
    };
    let [moved] = transform::<L, 1>(token, matrix, std::array::from_ref(position), group);
    store_vector(moved, to, group);
    transform_directions(token, direction_options, matrix, base, output, group);
}

/// Transforms the directions of one register of vertices, the normal first.
#[inline(always)]
pub(super) fn transform_directions<L: Lanes>(
    token: L::Token,
    direction_options: DirectionOptions,
    matrix: &impl BlendedMatrix<L>,
    base: &[VectorBlock],
    output: &mut [VectorBlock],
    group: usize,
) {
    let len = base.len().min(output.len());
    let (Some(base), Some(output)) = (base.get(..len), output.get_mut(..len)) else { return };
    for v in 0..len {
        let (base, output) = (&base[v], &mut output[v]);
        let [x, y, z] = &base.rows;
        let (x, y, z) = (L::load(token, x, group), L::load(token, y, group), L::load(token, z, group));
        let mut turned = [
            transform_row(matrix, 0, [x, y, z]),
            transform_row(matrix, 1, [x, y, z]),
            transform_row(matrix, 2, [x, y, z]),
        ];
        if v == 0 && direction_options.normals == NormalTransform::Cofactor {
            turned = transform_by_cofactors(token, matrix, base, group);
        }
        if direction_options.directions == DirectionLength::Unit {
            turned = normalize(token, turned);
        }
        store_vector(turned, output, group);
    }
}

/// One row of the matrices, without the translation, times the directions.
#[inline(always)]
fn transform_row<L: Lanes>(matrix: &impl BlendedMatrix<L>, r: usize, [x, y, z]: Vector<L>) -> L {
    let sum = matrix.element(r, 1).mul_add(y, matrix.element(r, 0) * x);
    matrix.element(r, 2).mul_add(z, sum)
}

/// Stores one register of vectors.
#[inline(always)]
pub(super) fn store_vector<L: Lanes>(vector: Vector<L>, to: &mut VectorBlock, group: usize) {
    for r in 0..3 {
        vector[r].store(&mut to.rows[r], group);
    }
}

/// Transforms normals by the cofactors of their matrices: the cross products of the columns.
#[inline(always)]
fn transform_by_cofactors<L: Lanes>(
    token: L::Token,
    matrix: &impl BlendedMatrix<L>,
    normal: &VectorBlock,
    group: usize,
) -> Vector<L> {
    let (a, b, c) = (matrix.column(0), matrix.column(1), matrix.column(2));
    let mut sum = [L::splat(token, 0.0); 3];
    let cofactors = [cross(b, c), cross(c, a), cross(a, b)];
    for i in 0..3 {
        let x = L::load(token, &normal.rows[i], group);
        for r in 0..3 {
            sum[r] = cofactors[i][r].mul_add(x, sum[r]);
        }
    }
    sum
}

/// Normalizes; a zero vector stays zero.
#[inline(always)]
pub(super) fn normalize<L: Lanes>(token: L::Token, vector: Vector<L>) -> Vector<L> {
    // The lower limit keeps vectors that are practically zero short.
    let length_squared = dot(vector, vector).max(L::splat(token, 1e-30));
    let inverse = length_squared.rsqrt(token);
    [vector[0] * inverse, vector[1] * inverse, vector[2] * inverse]
}
