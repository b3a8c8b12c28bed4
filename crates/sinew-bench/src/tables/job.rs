//! The list of everything that `sinew bench` measures.

use super::bench_group::Context;
use super::measurement::Measurement;
use super::{animation, crowds, figure_15, figure_18, frames, layouts, models, papers, rays, sizes, threads};
use crate::Error;

/// One bench group, or a few that belong together.
pub struct Job {
    /// The tables of its measurements.
    pub tables: &'static [&'static str],
    /// The routines of its measurements.
    pub routines: &'static [&'static str],
    /// Measures them.
    pub run: JobFn,
}

impl Job {
    /// Whether it measures the model of the [`Context`].
    #[must_use]
    pub fn needs_model(&self) -> bool {
        self.tables.iter().any(|table| [models::TABLE, layouts::TABLE].contains(table))
    }
}

/// Measures and returns the rows of a table.
pub type JobFn = Box<dyn FnOnce(&Context) -> Result<Vec<Measurement>, Error>>;

/// All jobs, in the order of the tables.
#[must_use]
pub fn all_jobs() -> Vec<Job> {
    let tables = [
        frames::jobs(),
        animation::jobs(),
        crowds::jobs(),
        papers::jobs(),
        figure_15::jobs(),
        figure_18::jobs(),
        models::jobs(),
        layouts::jobs(),
        sizes::jobs(),
        threads::jobs(),
        rays::jobs(),
    ];
    tables.into_iter().flatten().collect()
}
