//! Converts rigid matrices to joints.

use super::rotation::quaternion_from_matrix;
use crate::lanes::Lanes;
use crate::lanes::quads::{gather, scatter};
use crate::{BLOCK, Joint, Matrix};

/// `joints[i]` = rotation and translation of `matrices[i]`. Both slices have the same length.
///
/// The quaternion's sign is arbitrary: both signs are the same rotation.
#[derive(Debug)]
pub struct MatricesToJoints<'a> {
    /// Rotations and translations. For matrices with scale or shear use
    /// `matrices_to_scaled_joints`.
    pub matrices: &'a [Matrix],
    /// Output.
    pub joints: &'a mut [Joint],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut MatricesToJoints<'_>) {
    let MatricesToJoints { matrices, joints } = contract;
    assert!(matrices.len() == joints.len(), "as many joints as matrices");
    let (matrix_blocks, matrix_tail) = matrices.as_chunks::<BLOCK>();
    let (joint_blocks, joint_tail) = joints.as_chunks_mut::<BLOCK>();
    for (b, joints) in joint_blocks.iter_mut().enumerate() {
        let Some(matrices) = matrix_blocks.get(b) else { break };
        block::<L>(token, matrices, joints);
    }
    block::<L>(token, matrix_tail, joint_tail);
}

/// Up to a block of matrices.
#[inline(always)]
fn block<L: Lanes>(token: L::Token, matrices: &[Matrix], joints: &mut [Joint]) {
    for group in 0..L::GROUPS {
        let a = gather::<L, _>(token, matrices, 0, group);
        let b = gather::<L, _>(token, matrices, 1, group);
        let c = gather::<L, _>(token, matrices, 2, group);
        let rows = [[a[0], a[1], a[2]], [b[0], b[1], b[2]], [c[0], c[1], c[2]]];
        scatter(quaternion_from_matrix(token, rows), joints, 0, group);
        scatter([a[3], b[3], c[3], L::splat(token, 0.0)], joints, 1, group);
    }
}
