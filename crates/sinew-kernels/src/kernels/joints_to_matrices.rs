//! Converts joints to matrices: rotation, translation and, if given, scale.

use super::rotation::rotation_matrix;
use crate::lanes::Lanes;
use crate::lanes::quads::{gather, scatter};
use crate::{BLOCK, Joint, Matrix, Scale};

/// `matrices[i]` = translation x rotation x scale of joint `i`. All slices have the same length.
#[derive(Debug)]
pub struct JointsToMatrices<'a> {
    /// Unit rotations, and translations.
    pub joints: &'a [Joint],
    /// Scales along the joints' own axes. `None` means one everywhere and is faster.
    pub scales: Option<&'a [Scale]>,
    /// Output.
    pub matrices: &'a mut [Matrix],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut JointsToMatrices<'_>) {
    let JointsToMatrices { joints, scales, matrices } = contract;
    assert!(joints.len() == matrices.len(), "as many matrices as joints");
    let (joint_blocks, joint_tail) = joints.as_chunks::<BLOCK>();
    let (matrix_blocks, matrix_tail) = matrices.as_chunks_mut::<BLOCK>();
    let Some(scales) = scales else {
        for (b, matrices) in matrix_blocks.iter_mut().enumerate() {
            let Some(joints) = joint_blocks.get(b) else { break };
            rigid::<L>(token, joints, matrices);
        }
        return rigid::<L>(token, joint_tail, matrix_tail);
    };
    assert!(scales.len() == joints.len(), "as many scales as joints");
    let (scale_blocks, scale_tail) = scales.as_chunks::<BLOCK>();
    for (b, matrices) in matrix_blocks.iter_mut().enumerate() {
        let (Some(joints), Some(scales)) = (joint_blocks.get(b), scale_blocks.get(b)) else { break };
        scaled::<L>(token, joints, scales, matrices);
    }
    scaled::<L>(token, joint_tail, scale_tail, matrix_tail);
}

/// Up to a block of joints without scale.
#[inline(always)]
fn rigid<L: Lanes>(token: L::Token, joints: &[Joint], matrices: &mut [Matrix]) {
    for group in 0..L::GROUPS {
        let rows = rotation_matrix(token, gather::<L, _>(token, joints, 0, group));
        let translation = gather::<L, _>(token, joints, 1, group);
        for (r, row) in rows.into_iter().enumerate() {
            scatter([row[0], row[1], row[2], translation[r]], matrices, r, group);
        }
    }
}

/// Up to a block of joints with scale.
#[inline(always)]
fn scaled<L: Lanes>(token: L::Token, joints: &[Joint], scales: &[Scale], matrices: &mut [Matrix]) {
    for group in 0..L::GROUPS {
        let rows = rotation_matrix(token, gather::<L, _>(token, joints, 0, group));
        let translation = gather::<L, _>(token, joints, 1, group);
        let [x, y, z, _] = gather::<L, _>(token, scales, 0, group);
        for (r, row) in rows.into_iter().enumerate() {
            scatter([row[0] * x, row[1] * y, row[2] * z, translation[r]], matrices, r, group);
        }
    }
}
