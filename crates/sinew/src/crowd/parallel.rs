//! The one place that knows of threads. Work is divided in halves; without the feature one half follows the other.

/// Does both, at the same time where there is a thread to do it.
#[cfg(feature = "parallel")]
pub(super) fn join(one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
    rayon::join(one, other);
}

/// Does one and then the other.
#[cfg(not(feature = "parallel"))]
pub(super) fn join(one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
    one();
    other();
}

/// Pieces of work that memory is kept for: a few for each thread, so that one who is late is helped by others.
#[cfg(feature = "parallel")]
pub(super) fn pieces() -> usize {
    match rayon::current_num_threads() {
        1 => 1,
        threads => 4 * threads,
    }
}

/// Pieces of work that memory is kept for.
#[cfg(not(feature = "parallel"))]
pub(super) fn pieces() -> usize {
    1
}

/// Does something to every element, each on any thread.
pub(super) fn each<T: Send>(elements: &mut [T], act: &(impl Fn(&mut T) + Sync)) {
    match elements {
        [] => {}
        [only] => act(only),
        _ => {
            let (one, other) = elements.split_at_mut(elements.len() / 2);
            join(|| each(one, act), || each(other, act));
        }
    }
}
