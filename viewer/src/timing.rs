//! The clock, which also works in a browser, and the timer of `sinew bench`.

use std::time::Duration;

use web_time::Instant;

/// Approximate length of a timer sample in seconds.
const SAMPLE: f64 = 1e-3;

/// Runs a function once and returns the seconds it took.
pub fn time_call(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

/// Times a function as `sinew bench` does: each sample is many calls, after some that are not
/// timed.
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
    /// Seconds per call.
    pub fn measure(&mut self, run: impl FnMut()) -> f64 {
        let start = Instant::now();
        let clock = move || -> Duration { start.elapsed() };
        let seconds = sinew_bench::timer::sample(clock, self.calls, run);
        let fitting = (SAMPLE / seconds.max(1e-9)).ceil();
        self.calls = fitting.clamp(1.0, 1e6) as u32;
        seconds
    }
}
