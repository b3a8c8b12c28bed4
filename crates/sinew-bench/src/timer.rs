//! Times benchmarks against each other: alternating in one process, by the median of per-round
//! ratios.
//!
//! The speed of a machine drifts with its load, temperature and clock, so times measured minutes
//! apart do not compare. Within one round all benchmarks run shortly after each other, so the ratio
//! of two times of one round is stable.

use std::time::{Duration, Instant};

/// The warm-up before each measurement: some CPUs throttle registers wider than 128 bits for up to
/// 300 microseconds after a pause.
const WARM_UP: Duration = Duration::from_micros(400);

/// A group of benchmarks that are timed against each other.
#[derive(Default)]
pub struct AlternatingTimer<'a> {
    benchmarks: Vec<Benchmark<'a>>,
}

struct Benchmark<'a> {
    name: String,
    run: Box<dyn FnMut() + 'a>,
    calls: u32,
    samples: Vec<f64>,
}

/// The result of one benchmark.
#[derive(Clone, Debug)]
pub struct Timing {
    /// The name given to [`AlternatingTimer::add`].
    pub name: String,
    /// Seconds per call: the median over the rounds.
    pub seconds: f64,
    /// The speed relative to the first benchmark: the median of the per-round ratios.
    pub speed: f64,
    /// The quartiles of these ratios.
    pub spread: (f64, f64),
    /// The interquartile range of the seconds, relative to their median.
    pub scatter: f64,
}

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    /// The number of measurements per benchmark.
    pub rounds: usize,
    /// The approximate duration of one measurement.
    pub sample: Duration,
}

/// The rounds that are measured even if a budget is spent: enough for a median.
const MIN_ROUNDS: usize = 3;

impl Length {
    /// Long enough for ratios to settle to about a hundredth.
    pub const FULL: Self = Self { rounds: 41, sample: Duration::from_millis(1) };
    /// Just long enough to run everything.
    pub const SMOKE: Self = Self { rounds: 1, sample: Duration::from_micros(1) };
}

impl<'a> AlternatingTimer<'a> {
    /// A timer without benchmarks.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a benchmark. The first one is the unit that the others are compared with.
    pub fn add(&mut self, name: impl Into<String>, run: impl FnMut() + 'a) {
        self.benchmarks.push(Benchmark {
            name: name.into(),
            run: Box::new(run),
            calls: 1,
            samples: Vec::new(),
        });
    }

    /// Runs all rounds. Returns one timing per benchmark, in order.
    #[must_use]
    pub fn run(self, length: Length) -> Vec<Timing> {
        self.run_within(length, Duration::MAX)
    }

    /// Runs the rounds within a time for each benchmark: when all of it is spent, no further round
    /// starts. Three are always measured.
    #[must_use]
    pub fn run_within(self, length: Length, each: Duration) -> Vec<Timing> {
        let start = Instant::now();
        self.run_by(length, each, &|| start.elapsed())
    }

    /// Runs the rounds by a clock that returns the time since some start.
    fn run_by(mut self, length: Length, each: Duration, clock: &dyn Fn() -> Duration) -> Vec<Timing> {
        for benchmark in &mut self.benchmarks {
            benchmark.calibrate(length.sample, clock);
        }
        let budget = each.saturating_mul(self.benchmarks.len() as u32);
        let start = clock();
        for round in 0..length.rounds {
            if round >= MIN_ROUNDS && clock().saturating_sub(start) >= budget {
                break;
            }
            for benchmark in &mut self.benchmarks {
                benchmark.samples.push(sample(clock, benchmark.calls, &mut benchmark.run));
            }
        }
        let first = self.benchmarks.first().map(|benchmark| benchmark.samples.clone()).unwrap_or_default();
        self.benchmarks.into_iter().map(|benchmark| benchmark.timing(&first)).collect()
    }
}

impl Benchmark<'_> {
    /// Finds the number of calls that fills a sample.
    fn calibrate(&mut self, sample: Duration, clock: &dyn Fn() -> Duration) {
        loop {
            let start = clock();
            for _ in 0..self.calls {
                (self.run)();
            }
            if clock().saturating_sub(start) >= sample || self.calls >= 1 << 24 {
                return;
            }
            self.calls *= 2;
        }
    }

    fn timing(self, first: &[f64]) -> Timing {
        let mut ratios: Vec<f64> = first.iter().zip(&self.samples).map(|(first, own)| first / own).collect();
        let mut seconds = self.samples;
        ratios.sort_by(f64::total_cmp);
        seconds.sort_by(f64::total_cmp);
        let (low, median, high) =
            (quantile(&seconds, 0.25), quantile(&seconds, 0.5), quantile(&seconds, 0.75));
        Timing {
            name: self.name,
            seconds: median,
            scatter: if median > 0.0 { (high - low) / median } else { 0.0 },
            speed: quantile(&ratios, 0.5),
            spread: (quantile(&ratios, 0.25), quantile(&ratios, 0.75)),
        }
    }
}

/// The mean seconds per call over `calls` calls, after a warm-up. `clock` returns the time since
/// some start; callers pass their own because browsers have no [`Instant`].
pub fn sample(clock: impl Fn() -> Duration, calls: u32, mut run: impl FnMut()) -> f64 {
    let warm = clock();
    while clock().saturating_sub(warm) < WARM_UP {
        run();
    }
    let start = clock();
    for _ in 0..calls {
        run();
    }
    clock().saturating_sub(start).as_secs_f64() / f64::from(calls.max(1))
}

/// The quantile of sorted values; zero where there are none.
fn quantile(sorted: &[f64], fraction: f64) -> f64 {
    let index = (fraction * sorted.len().saturating_sub(1) as f64).round() as usize;
    sorted.get(index).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_few_values() {
        assert_eq!(quantile(&[], 0.5), 0.0);
        assert_eq!(quantile(&[3.0], 0.25), 3.0);
        assert_eq!(quantile(&[1.0, 2.0, 9.0], 0.5), 2.0);
    }

    #[test]
    fn a_sample_is_the_mean_of_its_calls() {
        let (clock, runs) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
        // A clock that advances by a millisecond per run and not when it is read.
        let now = || Duration::from_millis(clock.get());
        let seconds = sample(now, 4, || {
            clock.set(clock.get() + 1);
            runs.set(runs.get() + 1);
        });
        assert_eq!((seconds, runs.get()), (1e-3, 5));
    }

    #[test]
    fn slow_benchmarks_get_fewer_rounds_and_fast_ones_all() {
        let length = Length { rounds: 9, sample: Duration::from_micros(100) };
        // The time of all rounds of two benchmarks, one of which takes `call`.
        let rounds_of = |call: Duration| {
            let (clock, runs) = (std::cell::Cell::new(Duration::ZERO), std::cell::Cell::new(0));
            let mut timer = AlternatingTimer::new();
            timer.add("slow", || {
                clock.set(clock.get() + call);
                runs.set(runs.get() + 1);
            });
            timer.add("fast", || clock.set(clock.get() + Duration::from_micros(100)));
            let timings = timer.run_by(length, Duration::from_millis(20), &|| clock.get());
            assert_eq!(timings[0].seconds, call.as_secs_f64());
            // One call to calibrate; in each round one to warm up, and one that is timed.
            (runs.get() - 1) / 2
        };
        assert_eq!(rounds_of(Duration::from_secs(2)), MIN_ROUNDS);
        assert_eq!(rounds_of(Duration::from_millis(20)), MIN_ROUNDS);
        assert_eq!(rounds_of(Duration::from_millis(4)), 5);
        assert_eq!(rounds_of(Duration::from_millis(1)), 9);
    }

    #[test]
    fn every_benchmark_runs_and_is_named() {
        let (mut a, mut b) = (0_u64, 0_u64);
        let mut timer = AlternatingTimer::new();
        timer.add("a", || a += 1);
        timer.add("b", || b += 1);
        let timings = timer.run(Length::SMOKE);
        assert_eq!(timings.iter().map(|timing| timing.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(timings[0].speed, 1.0);
        assert!(a > 0 && b > 0);
    }
}
