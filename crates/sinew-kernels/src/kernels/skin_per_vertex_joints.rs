//! Linear blend skinning of vertices that have joints of their own.
//!
//! For meshes with too many joint sets for runs. A quad holds one row of one matrix, so that a
//! vertex blends its rows without a gather. Transposing four such registers gives one element per
//! register.

use super::skin_vertices::{DirectionOptions, Run, SkinVertices, matrix_or_identity, transform_block};
use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;
use crate::{BLOCK, JointIndexBlock, Matrix, ScalarBlock};

/// Skins vertices with the same number of influences, each with joints of its own: by the sum over
/// the vertex's joints of weight x palette matrix.
#[derive(Debug)]
pub struct SkinPerVertexJoints<'a> {
    /// One matrix per joint of the skin.
    pub palette: &'a [Matrix],
    /// Joints per vertex: one or more.
    pub influences: usize,
    /// The blocks to skin. Weights and joints are indexed in units of `influences` blocks.
    pub runs: &'a [Run],
    /// `influences` index blocks per vertex block. A joint outside the palette counts as the
    /// identity.
    pub joints: &'a [JointIndexBlock],
    /// The weights of those joints; they need not sum to one. As long as `joints`.
    pub weights: &'a [ScalarBlock],
    /// The vertices.
    pub vertices: SkinVertices<'a>,
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut SkinPerVertexJoints<'_>) {
    contract.vertices.check();
    assert!(contract.influences >= 1, "one influence or more");
    assert!(contract.joints.len() == contract.weights.len(), "as many blocks of joints as of weights");
    match contract.vertices.vectors {
        1 => skin_blocks::<L, true>(token, contract),
        _ => skin_blocks::<L, false>(token, contract),
    }
}

/// `POSITIONS_ONLY`: there are no directions.
#[inline(always)]
fn skin_blocks<L: Lanes, const POSITIONS_ONLY: bool>(
    token: L::Token,
    contract: &mut SkinPerVertexJoints<'_>,
) {
    let SkinPerVertexJoints { palette, influences, .. } = *contract;
    let direction_options = DirectionOptions::new(&contract.vertices);
    let SkinVertices { base_vectors, vectors, .. } = contract.vertices;
    let vectors = if POSITIONS_ONLY { 1 } else { vectors };
    for &run in contract.runs {
        let Some(slice) = contract.vertices.run_slice(run) else { continue };
        let joints = slice.elements(contract.joints, influences);
        let weights = slice.elements(contract.weights, influences);
        let (Some(joints), Some(weights)) = (joints, weights) else { continue };
        let blocks = slice.output.chunks_exact_mut(vectors).inline_zip(slice.base.chunks_exact(base_vectors));
        let rows = joints.chunks_exact(influences).inline_zip(weights.chunks_exact(influences));
        for ((output, base), (joints, weights)) in blocks.inline_zip(rows) {
            for group in L::groups() {
                let matrix = blend::<L>(token, palette, joints, weights, group);
                transform_block(token, direction_options, &matrix, base, output, group);
            }
        }
    }
}

/// The blended matrices of one register of vertices.
#[inline(always)]
fn blend<L: Lanes>(
    token: L::Token,
    palette: &[Matrix],
    joints: &[JointIndexBlock],
    weights: &[ScalarBlock],
    group: usize,
) -> [[L; 4]; 3] {
    let mut sums = [[L::splat(token, 0.0); 4]; 3];
    let Some(weights) = weights.get(..joints.len()) else { return sums };
    for k in 0..joints.len() {
        let (joints, weights) = (&joints[k], &weights[k]);
        let weights = L::load(token, &weights.0, group);
        let weights = [
            weights.broadcast_lane::<0>(),
            weights.broadcast_lane::<1>(),
            weights.broadcast_lane::<2>(),
            weights.broadcast_lane::<3>(),
        ];
        for (i, weight) in weights.into_iter().enumerate() {
            let first = group * L::LEN + i;
            let low = matrix_or_identity(palette, joints.0[first % BLOCK]);
            let high = matrix_or_identity(palette, joints.0[(first + L::LEN - 4) % BLOCK]);
            for (r, sums) in sums.iter_mut().enumerate() {
                let row = L::load_quads(token, |quad| if quad == 0 { &low.rows[r] } else { &high.rows[r] });
                sums[i] = weight.mul_add(row, sums[i]);
            }
        }
    }
    [L::transpose(sums[0]), L::transpose(sums[1]), L::transpose(sums[2])]
}
