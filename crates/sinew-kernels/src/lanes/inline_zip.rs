//! A `zip` of two iterators that is inlined in every build profile.
//!
//! Parts of the standard library's `zip` have no inline hint. Without LTO they can stay calls,
//! which makes the lane code around them forty times slower.

/// A `zip` for kernel bodies.
pub(crate) trait InlineZip: Iterator + Sized {
    /// Pairs, as long as both iterators have an element.
    fn inline_zip<B: IntoIterator>(self, other: B) -> Pairs<Self, B::IntoIter>;
}

impl<A: Iterator> InlineZip for A {
    #[inline(always)]
    fn inline_zip<B: IntoIterator>(self, other: B) -> Pairs<A, B::IntoIter> {
        Pairs(self, other.into_iter())
    }
}

/// See [`InlineZip::inline_zip`].
pub(crate) struct Pairs<A, B>(A, B);

impl<A: Iterator, B: Iterator> Iterator for Pairs<A, B> {
    type Item = (A::Item, B::Item);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        // The second iterator is not advanced after the first has ended: it may be used again.
        let a = self.0.next()?;
        Some((a, self.1.next()?))
    }
}
