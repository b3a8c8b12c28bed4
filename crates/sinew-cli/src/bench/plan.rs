//! What there is to measure, one race after the other.

use super::contest::Context;
use super::row::Row;
use super::{crowds, figure_15, figure_18, frames, models, papers, rays, sizes, threads};
use crate::Failure;

/// What gives rows.
type Measure = dyn FnOnce(&Context) -> Result<Vec<Row>, Failure>;

/// One race, or a few that belong together.
pub(super) struct Job {
    /// Those that its rows are of.
    pub(super) tables: &'static [&'static str],
    /// The routines that its rows have.
    pub(super) routines: &'static [&'static str],
    pub(super) run: Box<Measure>,
}

/// All of them, in the order of the tables.
pub(super) fn all() -> Vec<Job> {
    let tables = [
        papers::jobs(),
        figure_15::jobs(),
        figure_18::jobs(),
        models::jobs(),
        sizes::jobs(),
        threads::jobs(),
        frames::jobs(),
        crowds::jobs(),
        rays::jobs(),
    ];
    tables.into_iter().flatten().collect()
}
