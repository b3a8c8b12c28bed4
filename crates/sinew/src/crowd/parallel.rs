//! The only module that uses threads. Work is divided into halves. Without the feature `parallel`,
//! they run one after the other.

/// Runs both, at the same time if a thread is free.
#[cfg(feature = "parallel")]
pub(super) fn join(one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
    rayon::join(one, other);
}

/// Runs one, then the other.
#[cfg(not(feature = "parallel"))]
pub(super) fn join(one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
    one();
    other();
}

/// The number of pieces of work to allocate buffers for: a few per thread, to balance the load.
#[cfg(feature = "parallel")]
pub(super) fn pieces() -> usize {
    match rayon::current_num_threads() {
        1 => 1,
        threads => 4 * threads,
    }
}

/// The number of pieces of work to allocate buffers for.
#[cfg(not(feature = "parallel"))]
pub(super) fn pieces() -> usize {
    1
}

/// Calls a function for every element, on any thread.
pub(super) fn for_each<T: Send>(elements: &mut [T], action: &(impl Fn(&mut T) + Sync)) {
    match elements {
        [] => {}
        [only] => action(only),
        _ => {
            let (one, other) = elements.split_at_mut(elements.len() / 2);
            join(|| for_each(one, action), || for_each(other, action));
        }
    }
}
