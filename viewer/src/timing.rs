//! The clock: that of `sinew bench`, and a browser's own.

use std::time::Duration;

use web_time::Instant;

/// How long a sample of the timer takes, roughly.
const SAMPLE: f64 = 1e-3;

/// Runs something once, and tells how many seconds it took.
pub fn timed(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

/// Something that is measured again and again, as `sinew bench` does: by samples of many calls, after some that count
/// for nothing.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    calls: u32,
}

impl Default for Meter {
    fn default() -> Self {
        Self { calls: 1 }
    }
}

impl Meter {
    /// Seconds of one call.
    pub fn measure(&mut self, run: impl FnMut()) -> f64 {
        let start = Instant::now();
        let clock = move || -> Duration { start.elapsed() };
        let seconds = sinew_testkit::timer::sample(clock, self.calls, run);
        let fitting = (SAMPLE / seconds.max(1e-9)).ceil();
        self.calls = fitting.clamp(1.0, 1e6) as u32;
        seconds
    }
}
