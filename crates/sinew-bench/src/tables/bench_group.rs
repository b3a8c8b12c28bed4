//! Rows of a table that are timed against each other, and the settings of all of them.

use std::time::Duration;

use sinew::Model;

use super::measurement::Measurement;
use crate::Machine;
use crate::clock;
use crate::timer::{AlternatingTimer, Length, Timing};

/// The method that is the unit of ratios.
pub const UNIT: &str = "papers-sse2";

/// Many short samples: most of them fall between interruptions by other programs.
const QUICK: Length = Length { rounds: 9, sample: Duration::from_micros(100) };

/// The time for each row of a brief measurement. Rows that take milliseconds a call get fewer
/// rounds, so that all tables take half a minute on a slow machine, too.
const QUICK_ROW: Duration = Duration::from_millis(20);

/// The settings of all tables.
#[derive(Debug)]
pub struct Context {
    /// The machine.
    pub machine: Machine,
    pub(super) length: Length,
    /// Whether to measure briefly.
    pub(super) quick: bool,
    /// The model of the tables `models` and `layouts`; `None` where those are not measured.
    pub(super) model: Option<Model>,
    /// Ticks of the time stamp counter per nanosecond.
    cycles: Option<f64>,
}

impl Context {
    /// Detects the machine. `model` is that of the tables `models` and `layouts` and may be absent
    /// where those are not measured; `model_name` is shown. `quick` measures briefly.
    #[must_use]
    pub fn new(model: Option<Model>, model_name: String, quick: bool) -> Self {
        let cycles = clock::cycles_per_second().map(|hertz| hertz / 1e9);
        Self {
            machine: Machine::detect(cycles, model_name, quick),
            length: if quick { QUICK } else { Length::FULL },
            quick,
            model,
            cycles,
        }
    }

    /// Nanoseconds as ticks of the time stamp counter.
    pub(super) fn cycles(&self, ns: f64) -> Option<f64> {
        self.cycles.map(|cycles| ns * cycles)
    }
}

/// Benchmarks that are rows of a table.
#[derive(Default)]
pub(super) struct BenchGroup<'a> {
    timer: AlternatingTimer<'a>,
    rows: Vec<(Measurement, usize)>,
}

impl<'a> BenchGroup<'a> {
    /// Adds a closure that processes all elements of the row once per call.
    pub(super) fn add(&mut self, row: Measurement, run: impl FnMut() + 'a) {
        self.add_many(row, 1, run);
    }

    /// Adds a closure that processes all elements of the row `times` times per call.
    pub(super) fn add_many(&mut self, row: Measurement, times: usize, run: impl FnMut() + 'a) {
        self.timer.add(row.method.clone(), run);
        self.rows.push((row, times));
    }

    /// Runs the rounds. Rows that are comparable with the first get a ratio where the first is the
    /// papers' SSE2 method.
    pub(super) fn run(self, context: &Context) -> Vec<Measurement> {
        let each = if context.quick { QUICK_ROW } else { Duration::MAX };
        let timings = self.timer.run_within(context.length, each);
        let unit = self.rows.first().map(|(row, _)| row.clone()).filter(|row| row.method == UNIT);
        let measured = |((row, times), timing): ((Measurement, usize), Timing)| {
            let ns = timing.seconds * 1e9 / (row.elements * times) as f64;
            let compared = unit.as_ref().is_some_and(|unit| unit.is_comparable_with(&row));
            Measurement {
                ns,
                cycles: context.cycles(ns),
                ratio: compared.then_some(timing.speed),
                spread: timing.scatter,
                ..row
            }
        };
        self.rows.into_iter().zip(timings).map(measured).collect()
    }
}

/// The median; zero where there are no values.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
