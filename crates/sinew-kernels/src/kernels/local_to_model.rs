//! Local to model space over a range of joints, in place.

use std::ops::Range;

use super::matrix_rows::{MatrixRows, rows};
use crate::Matrix;
use crate::lanes::Lanes;

/// For each joint of the range, in order: `matrices[joint] = matrices[parent] x matrices[joint]`.
///
/// Joints before the range must be in model space already. So a caller can transform a range,
/// change joints, and continue.
#[derive(Debug)]
pub struct LocalToModel<'a> {
    /// The parent of each joint of `matrices`. A value not below the joint's own index marks a
    /// root, which is not changed.
    pub parents: &'a [u32],
    /// The joints to transform; within `matrices`.
    pub range: Range<usize>,
    /// Local space before, model space after. As long as `parents`.
    pub matrices: &'a mut [Matrix],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut LocalToModel<'_>) {
    let LocalToModel { parents, range, matrices } = contract;
    assert!(parents.len() == matrices.len(), "as many parents as matrices");
    assert!(range.start <= range.end && range.end <= matrices.len(), "a range within the matrices");
    // The first joint is always a root.
    let start = range.start.max(1);
    let Some(before) = matrices.get(start - 1) else { return };
    // The last result stays in registers, because it is usually the next joint's parent.
    let mut last = MatrixRows::<L>::load(token, before);
    for joint in start..range.end {
        let (Some(&parent), Some(local)) = (parents.get(joint), matrices.get(joint)) else { return };
        let parent = parent as usize;
        let model = if parent == joint - 1 {
            last.mul(token, rows(local))
        } else {
            match matrices.get(parent) {
                Some(above) if parent < joint => MatrixRows::<L>::load(token, above).mul(token, rows(local)),
                _ => MatrixRows::<L>::load(token, local),
            }
        };
        if let Some(matrix) = matrices.get_mut(joint) {
            model.store(matrix);
        }
        last = model;
    }
}
