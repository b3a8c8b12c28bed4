//! A pose to model matrices, over a range of joints.

use std::hint::black_box;
use std::ops::Range;

use super::matrix_rows::{MatrixRows, rows};
use super::pose_blocks::{load_rotation, load_vector};
use super::rotation::rotation_matrix;
use crate::lanes::Lanes;
use crate::{BLOCK, JointList, Matrix, RotationBlock, VectorBlock};

/// For each joint of the range, in order: `matrices[joint] = matrices[parent] x local`, where local
/// = translation x rotation x scale.
///
/// Joints before the range must be in model space already. So a caller can transform a range,
/// change joints, and continue.
#[derive(Debug)]
pub struct PoseToModel<'a> {
    /// Unit rotations.
    pub rotations: &'a [RotationBlock],
    /// As many as rotations.
    pub translations: &'a [VectorBlock],
    /// Scales along the joints' own axes. `None` means one everywhere and is faster.
    pub scales: Option<&'a [VectorBlock]>,
    /// The parent of each joint of `matrices`. A value not below the joint's own index marks a
    /// root.
    pub parents: &'a [u32],
    /// The joints to transform; within `matrices`.
    pub range: Range<usize>,
    /// Another order for the products when the range is all joints: each joint once, parents before
    /// their children; only its length and its joints are checked, and matrices of any other order
    /// mean nothing. Neighbors without each other's results overlap in time. `None` means the joints'
    /// own order. The results have the same bits.
    pub order: Option<&'a JointList>,
    /// What roots are relative to; `None` means model space itself.
    pub root: Option<&'a Matrix>,
    /// Output, as long as `parents`; no longer than the blocks.
    pub matrices: &'a mut [Matrix],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut PoseToModel<'_>) {
    let PoseToModel { rotations, translations, scales, parents, range, order, matrices, .. } = &*contract;
    assert!(parents.len() == matrices.len(), "as many parents as matrices");
    assert!(range.start <= range.end && range.end <= matrices.len(), "a range within the matrices");
    assert!(matrices.len() <= BLOCK * rotations.len(), "as many joints as matrices");
    assert!(translations.len() == rotations.len(), "as many translations as rotations");
    if let Some(scales) = scales {
        assert!(scales.len() == rotations.len(), "as many scales as rotations");
    }
    if let Some(order) = order {
        let all = order.indices().len() == matrices.len() && order.required_models() <= matrices.len();
        assert!(all, "an order of all joints");
    }
    // Small skeletons have instances of their own: storing the local matrices of eight joints would
    // take longer than all else.
    match range.end {
        _ if range.start == range.end => {}
        0..=1 => transform::<L, 1>(token, contract),
        2..=4 => transform::<L, 4>(token, contract),
        _ => match *order {
            Some(order) if range.len() == matrices.len() => {
                write_locals::<L>(token, contract);
                multiply_in_order::<L>(token, order.indices(), contract);
            }
            _ => transform::<L, BLOCK>(token, contract),
        },
    }
}

/// Where the rows of a joint's local matrix are stored, so that registers of two quads are stored
/// whole.
const PLACES: [u8; BLOCK] = [0, 2, 4, 6, 1, 3, 5, 7];

/// The place of a joint in its block of `N`.
#[inline(always)]
fn place<L: Lanes, const N: usize>(lane: usize) -> usize {
    if N == BLOCK && L::QUADS == 2 { usize::from(PLACES[lane % BLOCK]) } else { lane }
}

/// The local matrices of up to `N` joints at a time. If `N` is less than a block, all joints are in
/// the first block.
#[inline(always)]
fn transform<L: Lanes, const N: usize>(token: L::Token, contract: &mut PoseToModel<'_>) {
    let PoseToModel { rotations, translations, scales, parents, range, root, matrices, .. } = contract;
    // Row by row: rows of one matrix side by side would be loaded as one register, which waits for
    // their stores. Hidden from the compiler, which would call memset where the last block may be
    // half.
    let zero = if L::GROUPS > 1 { black_box(0.0) } else { 0.0 };
    let mut locals = [[[zero; 4]; N]; 3];
    // The last result stays in registers, because it is usually the next joint's parent.
    let before = matrices.get(range.start.wrapping_sub(1)).unwrap_or(&Matrix::IDENTITY);
    let mut last = MatrixRows::<L>::load(token, before);
    for b in range.start / BLOCK..range.end.div_ceil(BLOCK) {
        let (Some(rotation), Some(translation)) = (rotations.get(b), translations.get(b)) else { return };
        for group in 0..L::GROUPS {
            // A register of the last block without joints.
            if group > 0 && BLOCK * b + group * L::LEN >= range.end {
                break;
            }
            let scale = scales.and_then(|scales| scales.get(b));
            let rows = local_rows::<L>(token, rotation, translation, scale, group);
            for r in 0..3 {
                let quads = L::transpose(rows[r]);
                for k in 0..4 {
                    for quad in 0..L::QUADS {
                        let lane = group * L::LEN + 4 * quad + k;
                        if let Some(row) = locals[r].get_mut(place::<L, N>(lane)) {
                            quads[k].store_quad(quad, row);
                        }
                    }
                }
            }
        }
        let first = BLOCK * b;
        for joint in first.max(range.start)..(first + BLOCK).min(range.end) {
            let place = place::<L, N>(joint - first);
            let row = |r: usize| locals[r].get(place);
            let (Some(&parent), Some(a), Some(b), Some(c)) = (parents.get(joint), row(0), row(1), row(2))
            else {
                return;
            };
            let local = [a, b, c];
            let parent = parent as usize;
            // Not `wrapping_sub`: no parent is the largest number where a `usize` has 32 bits.
            let model = if joint.checked_sub(1) == Some(parent) {
                last.mul(token, local)
            } else {
                match (matrices.get(parent), *root) {
                    (Some(above), _) if parent < joint => {
                        MatrixRows::<L>::load(token, above).mul(token, local)
                    }
                    (_, Some(root)) => MatrixRows::<L>::load(token, root).mul(token, local),
                    _ => MatrixRows::<L>::load_rows(token, local),
                }
            };
            if let Some(matrix) = matrices.get_mut(joint) {
                model.store(matrix);
            }
            last = model;
        }
    }
}

/// The rows of the local matrices of one register of joints, a joint in each lane.
#[inline(always)]
fn local_rows<L: Lanes>(
    token: L::Token,
    rotation: &RotationBlock,
    translation: &VectorBlock,
    scale: Option<&VectorBlock>,
    group: usize,
) -> [[L; 4]; 3] {
    let mut rows = rotation_matrix(token, load_rotation::<L>(token, rotation, group));
    let translation = load_vector::<L>(token, translation, group);
    if let Some(scale) = scale {
        let scale = load_vector::<L>(token, scale, group);
        for r in 0..3 {
            rows[r] = [rows[r][0] * scale[0], rows[r][1] * scale[1], rows[r][2] * scale[2]];
        }
    }
    let row = |r: usize| [rows[r][0], rows[r][1], rows[r][2], translation[r]];
    [row(0), row(1), row(2)]
}

/// Writes the local matrices of all joints.
#[inline(always)]
fn write_locals<L: Lanes>(token: L::Token, contract: &mut PoseToModel<'_>) {
    let PoseToModel { rotations, translations, scales, matrices, .. } = contract;
    for (b, block) in matrices.chunks_mut(BLOCK).enumerate() {
        let (Some(rotation), Some(translation)) = (rotations.get(b), translations.get(b)) else { return };
        let scale = scales.and_then(|scales| scales.get(b));
        for group in 0..L::GROUPS {
            let rows = local_rows::<L>(token, rotation, translation, scale, group);
            let quads = [L::transpose(rows[0]), L::transpose(rows[1]), L::transpose(rows[2])];
            for k in 0..4 {
                // The first two rows side by side: they are loaded as one register of two quads.
                let upper = L::zip_quads(quads[0][k], quads[1][k]);
                for quad in 0..L::QUADS {
                    let Some(matrix) = block.get_mut(group * L::LEN + 4 * quad + k) else { continue };
                    if L::QUADS == 2 {
                        upper[quad].store_quad(0, &mut matrix.rows[0]);
                        upper[quad].store_quad(1, &mut matrix.rows[1]);
                    } else {
                        upper[0].store_quad(0, &mut matrix.rows[0]);
                        upper[1].store_quad(0, &mut matrix.rows[1]);
                    }
                    quads[2][k].store_quad(quad, &mut matrix.rows[2]);
                }
            }
        }
    }
}

/// Multiplies local matrices by their parents' in place.
#[inline(always)]
fn multiply_in_order<L: Lanes>(token: L::Token, order: &[u32], contract: &mut PoseToModel<'_>) {
    let PoseToModel { parents, root, matrices, .. } = contract;
    // The last result stays in registers, in case it is the next joint's parent.
    let mut last = MatrixRows::<L>::load(token, &Matrix::IDENTITY);
    let mut last_joint = usize::MAX;
    for &joint in order {
        let joint = joint as usize;
        let (Some(&parent), Some(local)) = (parents.get(joint), matrices.get(joint)) else { return };
        let parent = parent as usize;
        let above = if parent < joint && parent == last_joint {
            last
        } else {
            let above = if parent < joint { matrices.get(parent) } else { *root };
            // A root without another is in model space.
            let Some(above) = above else { continue };
            MatrixRows::<L>::load(token, above)
        };
        last = above.mul(token, rows(local));
        last_joint = joint;
        if let Some(matrix) = matrices.get_mut(joint) {
            last.store(matrix);
        }
    }
}
