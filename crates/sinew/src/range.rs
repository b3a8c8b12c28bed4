//! A range of joints as the caller writes it, checked.

use std::ops::{Bound, Range, RangeBounds};

use crate::Error;

/// The range as start and end, within `len`.
pub(crate) fn within(range: impl RangeBounds<usize>, len: usize) -> Result<Range<usize>, Error> {
    let start = match range.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        // The last index there is saturates to an end that no slice reaches.
        Bound::Included(&last) => last.saturating_add(1),
        Bound::Excluded(&end) => end,
        Bound::Unbounded => len,
    };
    if start <= end && end <= len { Ok(start..end) } else { Err(Error::RangeOutOfBounds { start, end, len }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_writing_a_range_is_understood() {
        assert_eq!(within(.., 5), Ok(0..5));
        assert_eq!(within(2.., 5), Ok(2..5));
        assert_eq!(within(..2, 5), Ok(0..2));
        assert_eq!(within(..=2, 5), Ok(0..3));
        assert_eq!(within(5..5, 5), Ok(5..5));
        assert_eq!(within((Bound::Excluded(1), Bound::Included(4)), 5), Ok(2..5));
    }

    #[test]
    fn a_range_that_is_not_within_is_refused() {
        for range in [0..6, 6..6, Range { start: 3, end: 2 }] {
            let Range { start, end } = range;
            assert_eq!(within(range, 5), Err(Error::RangeOutOfBounds { start, end, len: 5 }));
        }
        assert!(within(0..=usize::MAX, 5).is_err());
        assert!(within((Bound::Excluded(usize::MAX), Bound::Unbounded), 5).is_err());
    }
}
