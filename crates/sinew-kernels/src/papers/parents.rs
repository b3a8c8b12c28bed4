//! The parents of a range of joints, checked once, so that the loops over them need no checks.

use std::ops::Range;

use crate::Matrix;

/// The parents of a range of joints without roots: each comes before its joint.
///
/// The papers' loops trust their input and know no roots. This check is what makes that safe; it is made once
/// for a skeleton, outside the loops.
#[derive(Clone, Debug)]
pub struct Parents<'a> {
    /// One for each joint of the range.
    parents: &'a [u32],
    range: Range<usize>,
}

impl<'a> Parents<'a> {
    /// The range's part of `parents`, which has an element for each joint of the skeleton.
    ///
    /// # Panics
    ///
    /// When the range is not within `parents`, or a joint of the range has no parent before it.
    #[must_use]
    pub fn new(parents: &'a [u32], range: Range<usize>) -> Self {
        let parents = &parents[range.clone()];
        let ordered = range.clone().zip(parents).all(|(joint, &parent)| (parent as usize) < joint);
        assert!(ordered, "a range without roots, parents before their joints");
        Self { parents, range }
    }

    /// Calls `act` with each joint's parent and the joint, first to last.
    #[inline(always)]
    pub(super) fn first_to_last(&self, matrices: &mut [Matrix], mut act: impl FnMut(&Matrix, &mut Matrix)) {
        assert!(self.range.end <= matrices.len(), "a range within the matrices");
        for (joint, &parent) in self.range.clone().zip(self.parents) {
            // SAFETY: `new` saw that parent < joint < range.end, and the assertion that it fits.
            let [parent, joint] = unsafe { matrices.get_disjoint_unchecked_mut([parent as usize, joint]) };
            act(parent, joint);
        }
    }

    /// Calls `act` with each joint's parent and the joint, last to first.
    #[inline(always)]
    pub(super) fn last_to_first(&self, matrices: &mut [Matrix], mut act: impl FnMut(&Matrix, &mut Matrix)) {
        assert!(self.range.end <= matrices.len(), "a range within the matrices");
        for (joint, &parent) in self.range.clone().zip(self.parents).rev() {
            // SAFETY: `new` saw that parent < joint < range.end, and the assertion that it fits.
            let [parent, joint] = unsafe { matrices.get_disjoint_unchecked_mut([parent as usize, joint]) };
            act(parent, joint);
        }
    }
}
