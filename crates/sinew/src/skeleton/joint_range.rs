//! Ranges of joints, resolved to indices and checked.

use std::ops::{Bound, Range, RangeBounds};

use crate::skeleton::{JointId, SkeletonError};

/// Resolves a range to start and end indices. The range must lie within `0..len`.
pub(crate) fn resolve_range(
    range: impl RangeBounds<JointId>,
    len: usize,
) -> Result<Range<usize>, SkeletonError> {
    let start = match range.start_bound() {
        Bound::Included(start) => start.index(),
        Bound::Excluded(before) => before.index().saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        // Saturating: on a 32-bit target the largest id has no successor. The check below rejects
        // it.
        Bound::Included(last) => last.index().saturating_add(1),
        Bound::Excluded(end) => end.index(),
        Bound::Unbounded => len,
    };
    if start <= end && end <= len {
        Ok(start..end)
    } else {
        Err(SkeletonError::RangeOutOfBounds { start, end, len })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(index: usize) -> JointId {
        JointId::new(index)
    }

    #[test]
    fn every_kind_of_range_is_resolved() {
        assert_eq!(resolve_range(.., 5), Ok(0..5));
        assert_eq!(resolve_range(id(2).., 5), Ok(2..5));
        assert_eq!(resolve_range(..id(2), 5), Ok(0..2));
        assert_eq!(resolve_range(..=id(2), 5), Ok(0..3));
        assert_eq!(resolve_range(id(5)..id(5), 5), Ok(5..5));
        assert_eq!(resolve_range((Bound::Excluded(id(1)), Bound::Included(id(4))), 5), Ok(2..5));
    }

    #[test]
    fn a_range_outside_the_skeleton_is_rejected() {
        for (start, end) in [(0, 6), (6, 6), (3, 2)] {
            assert_eq!(
                resolve_range(id(start)..id(end), 5),
                Err(SkeletonError::RangeOutOfBounds { start, end, len: 5 })
            );
        }
        assert!(resolve_range(id(0)..=id(usize::MAX), 5).is_err());
        assert!(resolve_range((Bound::Excluded(id(usize::MAX)), Bound::Unbounded), 5).is_err());
    }
}
