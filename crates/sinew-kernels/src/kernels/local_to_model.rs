//! Local to model space over a range of joints, in place.

use std::ops::Range;

use crate::Matrix;
use crate::lanes::Lanes;

/// For each joint of the range, in order: `matrices[joint] = matrices[parent] x matrices[joint]`.
///
/// Joints before the range are in model space already, so a caller may run a range, change joints, and go on.
#[derive(Debug)]
pub struct LocalToModel<'a> {
    /// The parent of each joint of `matrices`; a value not below the joint's own index means a root, which
    /// stays as it is.
    pub parents: &'a [u32],
    /// The joints to transform; within `matrices`.
    pub range: Range<usize>,
    /// Local before, model afterwards. As long as `parents`.
    pub matrices: &'a mut [Matrix],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut LocalToModel<'_>) {
    let LocalToModel { parents, range, matrices } = contract;
    assert!(parents.len() == matrices.len(), "as many parents as matrices");
    assert!(range.start <= range.end && range.end <= matrices.len(), "a range within the matrices");
    // The first joint of all can only be a root.
    let start = range.start.max(1);
    let Some(before) = matrices.get(start - 1) else { return };
    // The matrix last written stays in registers: in most skeletons it is usually the next one's parent.
    let mut last = Rows::<L>::load(token, before);
    for joint in start..range.end {
        let (Some(&parent), Some(local)) = (parents.get(joint), matrices.get(joint)) else { return };
        let parent = parent as usize;
        let model = if parent == joint - 1 {
            last.times(token, local)
        } else {
            match matrices.get(parent) {
                Some(above) if parent < joint => Rows::<L>::load(token, above).times(token, local),
                _ => Rows::<L>::load(token, local),
            }
        };
        if let Some(matrix) = matrices.get_mut(joint) {
            model.store(matrix);
        }
        last = model;
    }
}

/// A matrix in registers, row after row: three registers of one quad, or two of two quads, the last of which
/// holds the third row twice.
#[derive(Clone, Copy)]
struct Rows<L>([L; 3]);

impl<L: Lanes> Rows<L> {
    const REGISTERS: usize = 3_usize.div_ceil(L::QUADS);

    #[inline(always)]
    fn load(token: L::Token, matrix: &Matrix) -> Self {
        let register = |r: usize| L::load_quads(token, |i| &matrix.rows[(r * L::QUADS + i).min(2)]);
        Self([register(0), register(1), register(2)])
    }

    #[inline(always)]
    fn store(self, matrix: &mut Matrix) {
        for (i, row) in matrix.rows.iter_mut().enumerate() {
            self.0[i / L::QUADS].store_quad(i % L::QUADS, row);
        }
    }

    /// `self x right`. The sum is a tree of two halves: three steps deep instead of four, which is what a chain
    /// of joints waits for.
    #[inline(always)]
    fn times(self, token: L::Token, right: &Matrix) -> Self {
        let right_row = |r: usize| L::load_quads(token, |_| &right.rows[r]);
        let (a, b, c) = (right_row(0), right_row(1), right_row(2));
        let mut product = self;
        for register in &mut product.0[..Self::REGISTERS] {
            let left = *register;
            let near = left.splat_in_quads::<0>().mul_add(a, left.last_of_quads());
            let far = left.splat_in_quads::<2>().mul_add(c, left.splat_in_quads::<1>() * b);
            *register = near + far;
        }
        product
    }
}
