//! Linear blend skinning of pre-weighted vectors: a vertex is stored once per joint, as seen from
//! that joint and multiplied by its weight.
//!
//! A position is then a plain sum of products, and the joints of a vertex need not agree on its
//! rest position.

use super::skin_vertices::{
    DirectionOptions, Run, SkinVertices, matrix_or_identity, store_vector, transform_directions,
};
use super::vector::Vector;
use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;
use crate::{Matrix, PreWeightedBlock};

/// Skins runs of vertices with the same number of influences: each position is the sum over its
/// run's joints of palette matrix x pre-weighted vector, and each direction is transformed by the
/// sum of weight x palette matrix.
#[derive(Debug)]
pub struct SkinPreWeighted<'a> {
    /// One matrix per joint of the skin.
    pub palette: &'a [Matrix],
    /// Joints per run: one or more.
    pub influences: usize,
    /// The runs. Weights are indexed in units of `influences` pre-weighted blocks.
    pub runs: &'a [Run],
    /// `influences` joints per run. A joint outside the palette counts as the identity.
    pub joints: &'a [u32],
    /// Per block, one pre-weighted block for each joint of the run. Weights need not sum to one.
    pub weighted: &'a [PreWeightedBlock],
    /// The vertices. The first vector of `base` is not read.
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

/// One loop for any number of joints. Specialized loops for one to four joints would save a quarter
/// to a third on SSE2 and little on AVX2, and would take most of the crate's compile time.
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

    /// Adds one joint. Both sums share the broadcasts.
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
