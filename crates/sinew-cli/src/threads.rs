//! How many threads work.

use std::num::NonZero;

/// Where nobody says. More than this wait for each other.
const USUAL: usize = 8;
/// Each thread has memory of its own, so a slip of the finger must not take all of it.
const MOST: usize = 256;

/// As many as are wished for, or one for each core.
pub(crate) fn threads(wish: Option<NonZero<usize>>) -> usize {
    let here = || std::thread::available_parallelism().map_or(1, NonZero::get).min(USUAL);
    wish.map_or_else(here, NonZero::get).min(MOST)
}
