//! A barrier that spins.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often a thread checks before it yields: a frame takes less time than waking a sleeping
/// thread.
const MAX_SPINS: usize = 20_000;

/// A reusable barrier for a fixed number of threads.
pub(super) struct SpinBarrier {
    threads: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
}

impl SpinBarrier {
    pub(super) fn new(threads: usize) -> Self {
        Self { threads, arrived: AtomicUsize::new(0), round: AtomicUsize::new(0) }
    }

    /// Waits for all threads. Returns how long this one waited.
    pub(super) fn wait(&self) -> Duration {
        let start = Instant::now();
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Release);
            self.round.store(round.wrapping_add(1), Ordering::Release);
            return Duration::ZERO;
        }
        let mut spins = 0;
        while self.round.load(Ordering::Acquire) == round {
            if spins < MAX_SPINS {
                spins += 1;
                spin_loop();
            } else {
                thread::yield_now();
            }
        }
        start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_thread_continues_before_all_have_arrived() {
        let (barrier, arrived_count) = (SpinBarrier::new(3), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for round in 1..=20 {
                        arrived_count.fetch_add(1, Ordering::AcqRel);
                        barrier.wait();
                        assert!(arrived_count.load(Ordering::Acquire) >= 3 * round);
                        barrier.wait();
                    }
                });
            }
        });
    }
}
