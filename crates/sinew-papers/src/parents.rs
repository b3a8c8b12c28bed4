//! The parents of a range of joints, checked when the list is built, so that loops need no checks.

use std::ops::Range;

use sinew_kernels::Matrix;

/// The parents of a range of joints without roots: each parent comes before its joint.
///
/// The papers' loops do not check their input and do not support roots. The check here makes them
/// safe; it runs once per skeleton, outside the loops.
#[derive(Clone, Debug)]
pub struct Parents<'a> {
    /// One parent per joint of the range.
    parents: &'a [u32],
    range: Range<usize>,
}

impl<'a> Parents<'a> {
    /// Takes the parents of all joints of the skeleton, and checks those of the range.
    ///
    /// # Panics
    ///
    /// When the range exceeds `parents`, or a joint of the range has no parent before it.
    #[must_use]
    pub fn new(parents: &'a [u32], range: Range<usize>) -> Self {
        let parents = &parents[range.clone()];
        let ordered = range.clone().zip(parents).all(|(joint, &parent)| (parent as usize) < joint);
        assert!(ordered, "a range without roots, parents before their joints");
        Self { parents, range }
    }

    /// Calls `visit(parent, joint)` for each joint, first to last.
    #[inline(always)]
    pub(crate) fn first_to_last(&self, matrices: &mut [Matrix], mut visit: impl FnMut(&Matrix, &mut Matrix)) {
        assert!(self.range.end <= matrices.len(), "a range within the matrices");
        for (joint, &parent) in self.range.clone().zip(self.parents) {
            // SAFETY: `new` checked parent < joint < range.end, and the assertion range.end <= len.
            let [parent, joint] = unsafe { matrices.get_disjoint_unchecked_mut([parent as usize, joint]) };
            visit(parent, joint);
        }
    }

    /// Calls `visit(parent, joint)` for each joint, last to first.
    #[inline(always)]
    pub(crate) fn last_to_first(&self, matrices: &mut [Matrix], mut visit: impl FnMut(&Matrix, &mut Matrix)) {
        assert!(self.range.end <= matrices.len(), "a range within the matrices");
        for (joint, &parent) in self.range.clone().zip(self.parents).rev() {
            // SAFETY: `new` checked parent < joint < range.end, and the assertion range.end <= len.
            let [parent, joint] = unsafe { matrices.get_disjoint_unchecked_mut([parent as usize, joint]) };
            visit(parent, joint);
        }
    }
}
