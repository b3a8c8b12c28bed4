//! How many threads a command uses.

use std::num::NonZero;

/// The most threads by default. More of them mostly wait for each other.
const DEFAULT_MAX: usize = 8;
/// The most threads on request. Each has memory of its own, so a typing error must not exhaust it.
pub(crate) const MAX_THREADS: usize = 256;

/// The requested number of threads, or one for each core.
pub(crate) fn thread_count(requested: Option<NonZero<usize>>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get).min(DEFAULT_MAX);
    requested.map_or_else(cores, NonZero::get)
}
