//! Linear blend skinning of weighted vectors: a vertex is given once for each of its joints, in that joint's own space
//! and times its weight.
//!
//! So a position is a sum of products alone, and the joints of a vertex need not agree about where it rests.

use super::skin_vertices::{
    DirectionOptions, Run, SkinVertices, matrix_or_identity, store_vector, transform_directions,
};
use super::vector::Vector;
use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;
use crate::{Matrix, PreWeightedBlock};

/// Skins runs of vertices, all with the same number of influences: each position is the sum over its run's joints of
/// palette matrix x weighted vector, and each direction goes through the sum of weight x palette matrix.
#[derive(Debug)]
pub struct SkinPreWeighted<'a> {
    /// One matrix for each joint of the skin.
    pub palette: &'a [Matrix],
    /// Joints in each run: one or more.
    pub influences: usize,
    /// Which blocks each run has. Weights are counted in blocks of `influences` weighted blocks.
    pub runs: &'a [Run],
    /// The joints of each run, `influences` of them; one that is not in the palette counts as the identity.
    pub joints: &'a [u32],
    /// For each block what each of the run's joints holds of it. Weights need not sum to one.
    pub weighted: &'a [PreWeightedBlock],
    /// The vertices; the first vector of `base` is not read.
    pub vertices: SkinVertices<'a>,
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut SkinPreWeighted<'_>) {
    contract.vertices.check();
    assert!(contract.influences >= 1, "one influence or more");
    let joints = contract.runs.len().checked_mul(contract.influences);
    assert!(joints == Some(contract.joints.len()), "the joints of every run");
    match contract.vertices.vectors {
        1 => fixed_vector_count::<L, 1>(token, contract),
        2 => fixed_vector_count::<L, 2>(token, contract),
        3 => fixed_vector_count::<L, 3>(token, contract),
        _ => fixed_vector_count::<L, 4>(token, contract),
    }
}

/// One loop for any number of joints: four more for few of them would save a quarter to a third on SSE2, little on AVX2,
/// and take most of the time that the crate takes to compile.
#[inline(always)]
fn fixed_vector_count<L: Lanes, const V: usize>(token: L::Token, contract: &mut SkinPreWeighted<'_>) {
    let SkinPreWeighted { palette, influences, .. } = *contract;
    let direction_options = DirectionOptions::new(&contract.vertices);
    let base_vectors = contract.vertices.base_vectors;
    for (joints, &run) in contract.joints.chunks_exact(influences).inline_zip(contract.runs) {
        let Some(slice) = contract.vertices.run_slice(run) else { continue };
        let Some(weighted) = slice.elements(contract.weighted, influences) else { continue };
        let (mut base, mut weighted) = (slice.base, weighted);
        for output in slice.output.as_chunks_mut::<V>().0 {
            let (Some((from, next)), Some((own, rest))) =
                (base.split_at_checked(base_vectors), weighted.split_at_checked(influences))
            else {
                break;
            };
            let Some(from) = from.first_chunk::<V>() else { break };
            (base, weighted) = (next, rest);
            for group in L::groups() {
                let mut sums = BlendSums::<L>::new(token);
                for k in 0..influences {
                    sums.add::<V>(token, matrix_or_identity(palette, joints[k]), &own[k], group);
                }
                store_vector(sums.positions, &mut output[0], group);
                transform_directions(
                    token,
                    direction_options,
                    &sums.matrices,
                    &from[1..],
                    &mut output[1..],
                    group,
                );
            }
        }
    }
}

/// The positions of one register of vertices, and the blended matrices of their directions.
struct BlendSums<L> {
    positions: Vector<L>,
    matrices: [[L; 3]; 3],
}

impl<L: Lanes> BlendSums<L> {
    #[inline(always)]
    fn new(token: L::Token) -> Self {
        let zero = L::splat(token, 0.0);
        Self { positions: [zero; 3], matrices: [[zero; 3]; 3] }
    }

    /// One joint more. A splat serves both sums.
    #[inline(always)]
    fn add<const V: usize>(
        &mut self,
        token: L::Token,
        matrix: &Matrix,
        weighted: &PreWeightedBlock,
        group: usize,
    ) {
        let weight = L::load(token, &weighted.rows[3], group);
        for c in 0..4 {
            let x = L::load(token, &weighted.rows[c], group);
            for r in 0..3 {
                let element = L::splat(token, matrix.rows[r][c]);
                self.positions[r] = element.mul_add(x, self.positions[r]);
                if V > 1 && c < 3 {
                    self.matrices[r][c] = element.mul_add(weight, self.matrices[r][c]);
                }
            }
        }
    }
}
