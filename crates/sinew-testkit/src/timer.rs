//! Times things against each other: alternating in one process, by the median of per-round ratios.
//!
//! A machine's speed drifts with its neighbours, its temperature and its clock, so seconds measured now and
//! seconds measured later do not compare. Within one round everything runs shortly after everything else, and
//! the ratio of two times of one round is steady.

use std::time::{Duration, Instant};

/// How long a contender runs untimed before it is measured: registers wider than 128 bits start throttled
/// after a pause on some CPUs, for up to 300 microseconds.
const WARM_UP: Duration = Duration::from_micros(400);

/// Things to be timed against each other.
#[derive(Default)]
pub struct Race<'a> {
    contenders: Vec<Contender<'a>>,
}

struct Contender<'a> {
    name: String,
    run: Box<dyn FnMut() + 'a>,
    calls: u32,
    samples: Vec<f64>,
}

/// What a race found out about one contender.
#[derive(Clone, Debug)]
pub struct Timing {
    /// As given to [`Race::add`].
    pub name: String,
    /// Seconds per call: the median over the rounds.
    pub seconds: f64,
    /// How many times as fast as the first contender: the median of the per-round ratios.
    pub speed: f64,
    /// The quartiles of those ratios: half of the rounds lie between them.
    pub spread: (f64, f64),
    /// How far the quartiles of the seconds are apart, as a share of their median.
    pub scatter: f64,
}

/// How long to race.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    /// How often each contender is measured.
    pub rounds: usize,
    /// How long one measurement takes, roughly.
    pub sample: Duration,
}

impl Length {
    /// Long enough for ratios to settle to about a hundredth.
    pub const FULL: Self = Self { rounds: 41, sample: Duration::from_millis(1) };
    /// Just enough to see that everything runs.
    pub const SMOKE: Self = Self { rounds: 1, sample: Duration::from_micros(1) };
}

impl<'a> Race<'a> {
    /// A race without contenders.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds something to run again and again. The first one added is what the others are compared with.
    pub fn add(&mut self, name: impl Into<String>, run: impl FnMut() + 'a) {
        self.contenders.push(Contender {
            name: name.into(),
            run: Box::new(run),
            calls: 1,
            samples: Vec::new(),
        });
    }

    /// Runs the rounds and gives one timing per contender, in order.
    #[must_use]
    pub fn run(mut self, length: Length) -> Vec<Timing> {
        for contender in &mut self.contenders {
            contender.calibrate(length.sample);
        }
        for _ in 0..length.rounds {
            for contender in &mut self.contenders {
                contender.measure();
            }
        }
        let first = self.contenders.first().map(|contender| contender.samples.clone()).unwrap_or_default();
        self.contenders.into_iter().map(|contender| contender.timing(&first)).collect()
    }
}

impl Contender<'_> {
    /// Finds how many calls fill a sample.
    fn calibrate(&mut self, sample: Duration) {
        loop {
            let start = Instant::now();
            for _ in 0..self.calls {
                (self.run)();
            }
            if start.elapsed() >= sample || self.calls >= 1 << 24 {
                return;
            }
            self.calls *= 2;
        }
    }

    fn measure(&mut self) {
        let start = Instant::now();
        self.samples.push(sample(|| start.elapsed(), self.calls, &mut self.run));
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

/// Seconds of one call: the mean of so many, after untimed ones have woken what sleeps. The clock tells how long it has run:
/// where there is no [`Instant`], as in browsers, callers have others.
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

/// The value below which a part of the sorted values lies; zero where there are none.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let index = (part * sorted.len().saturating_sub(1) as f64).round() as usize;
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
        // A clock that stands still while it is looked at, and goes on by a millisecond in each run.
        let told = || Duration::from_millis(clock.get());
        let seconds = sample(told, 4, || {
            clock.set(clock.get() + 1);
            runs.set(runs.get() + 1);
        });
        assert_eq!((seconds, runs.get()), (1e-3, 5));
    }

    #[test]
    fn every_contender_runs_and_is_named() {
        let (mut a, mut b) = (0_u64, 0_u64);
        let mut race = Race::new();
        race.add("a", || a += 1);
        race.add("b", || b += 1);
        let timings = race.run(Length::SMOKE);
        assert_eq!(timings.iter().map(|timing| timing.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(timings[0].speed, 1.0);
        assert!(a > 0 && b > 0);
    }
}
