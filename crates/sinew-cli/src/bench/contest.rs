//! Rows that are measured against each other, alternating.

use sinew::Model;
use sinew_testkit::clock;
use sinew_testkit::timer::{Length, Race, Timing};

use super::machine::Machine;
use super::plan::Job;
use super::row::Row;
use super::{Bench, QUICK, models};
use crate::Failure;
use crate::source::Source;

/// The unit of ratios.
pub(super) const UNIT: &str = "papers-sse2";

/// What all tables are measured with.
pub(super) struct Context {
    pub(super) machine: Machine,
    pub(super) length: Length,
    /// That of the table `models`, where it is measured.
    pub(super) model: Option<Model>,
    /// Of the time stamp counter, in a nanosecond.
    cycles: Option<f64>,
}

impl Context {
    pub(super) fn new(arguments: &Bench, jobs: &[Job]) -> Result<Self, Failure> {
        let source = Source {
            model: arguments.model.clone(),
            with: Vec::new(),
            strict: false,
            repair: false,
            allow_outside: false,
        };
        let wanted = jobs.iter().any(|job| job.tables.contains(&models::TABLE));
        let model = if wanted { Some(load(&source)?) } else { None };
        let cycles = clock::cycles_per_second().map(|hertz| hertz / 1e9);
        Ok(Self {
            machine: Machine::look(cycles, source.name(), arguments.quick),
            length: if arguments.quick { QUICK } else { Length::FULL },
            model,
            cycles,
        })
    }
}

/// The model that is measured: one with vertices, of which each has a time.
fn load(source: &Source) -> Result<Model, Failure> {
    let loaded = source.load(&[])?;
    loaded.refuse_vast(source)?;
    let model = loaded.noted(source);
    if (0..model.parts().len()).all(|part| model.surface(part).mesh.is_empty()) {
        return Err(Failure::Input(format!(
            "{}: expected a model that has vertices, found none",
            source.name()
        )));
    }
    Ok(model)
}

/// A race whose contenders are rows of a table.
#[derive(Default)]
pub(super) struct Contest<'a> {
    race: Race<'a>,
    rows: Vec<(Row, usize)>,
}

impl<'a> Contest<'a> {
    /// Adds what takes all elements of the row once in each run.
    pub(super) fn add(&mut self, row: Row, run: impl FnMut() + 'a) {
        self.add_many(row, 1, run);
    }

    /// Adds what takes all elements of the row so many times in each run.
    pub(super) fn add_many(&mut self, row: Row, times: usize, run: impl FnMut() + 'a) {
        self.race.add(row.method.clone(), run);
        self.rows.push((row, times));
    }

    /// Runs the rounds. Rows that compare with the first have a ratio where that is the papers' SSE2 method.
    pub(super) fn run(self, context: &Context) -> Vec<Row> {
        let timings = self.race.run(context.length);
        let unit = self.rows.first().map(|(row, _)| row.clone()).filter(|row| row.method == UNIT);
        let measured = |((row, times), timing): ((Row, usize), Timing)| {
            let ns = timing.seconds * 1e9 / (row.elements * times) as f64;
            let compared = unit.as_ref().is_some_and(|unit| unit.compares_with(&row));
            Row {
                ns,
                cycles: context.cycles.map(|cycles| ns * cycles),
                ratio: compared.then_some(timing.speed),
                spread: timing.scatter,
                ..row
            }
        };
        self.rows.into_iter().zip(timings).map(measured).collect()
    }
}

/// The middle one; zero where there are none.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
