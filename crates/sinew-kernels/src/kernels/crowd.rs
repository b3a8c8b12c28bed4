//! Kernels for crowds: one joint of eight instances of a skeleton at once, one instance per lane.
//!
//! The chain of parents is the latency limit of a single skeleton; here eight chains run side by
//! side.

use std::ops::Range;

use super::rotation::rotation_matrix;
use crate::lanes::Lanes;
use crate::lanes::quads::{Quads, gather_from};
use crate::{BLOCK, Joint, Matrix, MatrixBlock, Scale};

/// `matrices[joint]`, lane `i` = translation x rotation x scale of `joints[i][joint]`. All slices
/// have the same length. For fewer than eight instances, repeat one of them.
#[derive(Debug)]
pub struct CrowdJointsToMatrices<'a> {
    /// The joints of each instance.
    pub joints: [&'a [Joint]; BLOCK],
    /// The scales of each instance; `None` means one everywhere.
    pub scales: Option<[&'a [Scale]; BLOCK]>,
    /// Output.
    pub matrices: &'a mut [MatrixBlock],
}

#[inline(always)]
pub(crate) fn joints_to_matrices<L: Lanes>(token: L::Token, contract: &mut CrowdJointsToMatrices<'_>) {
    let CrowdJointsToMatrices { joints, scales, matrices } = contract;
    for instance in joints.iter() {
        assert!(instance.len() == matrices.len(), "as many joints of each instance as matrices");
    }
    for instance in scales.iter().flatten() {
        assert!(instance.len() == matrices.len(), "as many scales of each instance as matrices");
    }
    // Slices of one length, so that no index below is compared with eight lengths.
    let (len, mut joints, mut scales) = (matrices.len(), *joints, *scales);
    for instance in &mut joints {
        *instance = instance.get(..len).unwrap_or_default();
    }
    for instance in scales.iter_mut().flatten() {
        *instance = instance.get(..len).unwrap_or_default();
    }
    for (joint, matrix) in matrices.iter_mut().enumerate() {
        for group in 0..L::GROUPS {
            let first = group * L::LEN;
            let mut rows =
                rotation_matrix(token, gather_from::<L>(token, |i| at(joints[first + i], joint).quad(0)));
            let translation = gather_from::<L>(token, |i| at(joints[first + i], joint).quad(1));
            if let Some(scales) = scales {
                let [x, y, z, _] = gather_from::<L>(token, |i| at(scales[first + i], joint).quad(0));
                for row in &mut rows {
                    *row = [row[0] * x, row[1] * y, row[2] * z];
                }
            }
            for r in 0..3 {
                let elements = [rows[r][0], rows[r][1], rows[r][2], translation[r]];
                for c in 0..4 {
                    elements[c].store(&mut matrix.elements[4 * r + c], group);
                }
            }
        }
    }
}

#[inline(always)]
fn at<T: Quads>(elements: &[T], index: usize) -> &T {
    elements.get(index).unwrap_or(T::PADDING)
}

/// For each joint of the range, in order: `matrices[joint] = matrices[parent] x matrices[joint]`,
/// for eight instances at once. The same bits as eight times [`LocalToModel`](crate::LocalToModel).
#[derive(Debug)]
pub struct CrowdLocalToModel<'a> {
    /// The parent of each joint of `matrices`. A value not below the joint's own index marks a
    /// root, which is not changed.
    pub parents: &'a [u32],
    /// The joints to transform; within `matrices`.
    pub range: Range<usize>,
    /// Local space before, model space after. As long as `parents`.
    pub matrices: &'a mut [MatrixBlock],
}

#[inline(always)]
pub(crate) fn local_to_model<L: Lanes>(token: L::Token, contract: &mut CrowdLocalToModel<'_>) {
    let CrowdLocalToModel { parents, range, matrices } = contract;
    assert!(parents.len() == matrices.len(), "as many parents as matrices");
    assert!(range.start <= range.end && range.end <= matrices.len(), "a range within the matrices");
    for joint in range.clone() {
        let (Some(&parent), Some((before, rest))) =
            (parents.get(joint), matrices.split_at_mut_checked(joint))
        else {
            return;
        };
        let (Some(left), Some(right)) = (before.get(parent as usize), rest.first_mut()) else { continue };
        for group in 0..L::GROUPS {
            multiply::<L>(token, left, right, group);
        }
    }
}

/// `right = left x right`.
#[inline(always)]
fn multiply<L: Lanes>(token: L::Token, left: &MatrixBlock, right: &mut MatrixBlock, group: usize) {
    let load = |block: &MatrixBlock, r: usize, c: usize| L::load(token, &block.elements[4 * r + c], group);
    let left_row = |r: usize| [load(left, r, 0), load(left, r, 1), load(left, r, 2), load(left, r, 3)];
    let rows = [left_row(0), left_row(1), left_row(2)];
    for c in 0..4 {
        let (x, y, z) = (load(right, 0, c), load(right, 1, c), load(right, 2, c));
        for r in 0..3 {
            let row = rows[r];
            // The same tree of sums as for a single instance.
            let near = if c == 3 { row[0].mul_add(x, row[3]) } else { row[0] * x };
            let far = row[2].mul_add(z, row[1] * y);
            (near + far).store(&mut right.elements[4 * r + c], group);
        }
    }
}

/// `palettes[i][k]` = lane `i` of `models[joints[k]]` x `inverse_binds[k]`. The same bits as
/// [`ToPalette`](crate::ToPalette) for each instance.
#[derive(Debug)]
pub struct CrowdToPalette<'a> {
    /// The skeleton's joints in model space, eight instances at once.
    pub models: &'a [MatrixBlock],
    /// The skin's joints. A joint outside `models` counts as the identity.
    pub joints: &'a [u32],
    /// From model space at rest to each of the skin's joints. As long as `joints`.
    pub inverse_binds: &'a [Matrix],
    /// Output: one palette per instance, one to eight of them, each as long as `joints`.
    pub palettes: &'a mut [&'a mut [Matrix]],
}

#[inline(always)]
pub(crate) fn palette<L: Lanes>(token: L::Token, contract: &mut CrowdToPalette<'_>) {
    let CrowdToPalette { models, joints, inverse_binds, palettes } = contract;
    assert!(!palettes.is_empty() && palettes.len() <= BLOCK, "one to eight palettes");
    assert!(inverse_binds.len() == joints.len(), "as many inverse binds as joints");
    for palette in palettes.iter() {
        assert!(palette.len() == joints.len(), "as many matrices in each palette as joints");
    }
    for (k, bind) in inverse_binds.iter().enumerate() {
        let Some(&joint) = joints.get(k) else { break };
        let model = models.get(joint as usize).unwrap_or(const { &MatrixBlock::IDENTITY });
        for group in 0..L::GROUPS {
            for r in 0..3 {
                let element = |c: usize| L::load(token, &model.elements[4 * r + c], group);
                let left = [element(0), element(1), element(2), element(3)];
                let rows = L::transpose([
                    product::<L>(token, left, bind, 0),
                    product::<L>(token, left, bind, 1),
                    product::<L>(token, left, bind, 2),
                    product::<L>(token, left, bind, 3),
                ]);
                for i in 0..L::LEN {
                    let palette = palettes.get_mut(group * L::LEN + i);
                    if let Some(matrix) = palette.and_then(|palette| palette.get_mut(k)) {
                        rows[i % 4].store_quad(i / 4, &mut matrix.rows[r]);
                    }
                }
            }
        }
    }
}

/// A row of each instance times a column of the bind matrix, in the order of operations of the
/// kernel for one instance.
#[inline(always)]
fn product<L: Lanes>(token: L::Token, left: [L; 4], bind: &Matrix, c: usize) -> L {
    let column = |r: usize| L::splat(token, bind.rows[r][c]);
    let sum = if c == 3 { left[0].mul_add(column(0), left[3]) } else { left[0] * column(0) };
    left[2].mul_add(column(2), left[1].mul_add(column(1), sum))
}
