//! Where threads wait for each other.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often a thread looks again before it lets others run: frames take less time than it takes to wake a thread that
/// sleeps.
const LOOKS: usize = 20_000;

/// A place where so many threads meet, again and again.
pub(super) struct Meeting {
    threads: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
}

impl Meeting {
    pub(super) fn new(threads: usize) -> Self {
        Self { threads, arrived: AtomicUsize::new(0), round: AtomicUsize::new(0) }
    }

    /// Waits for all, and tells for how long.
    pub(super) fn wait(&self) -> Duration {
        let start = Instant::now();
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Release);
            self.round.store(round.wrapping_add(1), Ordering::Release);
            return Duration::ZERO;
        }
        let mut looks = 0;
        while self.round.load(Ordering::Acquire) == round {
            if looks < LOOKS {
                looks += 1;
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
    fn nobody_goes_on_before_all_have_come() {
        let (meeting, come) = (Meeting::new(3), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for round in 1..=20 {
                        come.fetch_add(1, Ordering::AcqRel);
                        meeting.wait();
                        assert!(come.load(Ordering::Acquire) >= 3 * round);
                        meeting.wait();
                    }
                });
            }
        });
    }
}
