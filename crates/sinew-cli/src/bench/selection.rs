//! The tables and routines that `--only` selects.

use sinew_bench::tables::{self, Job, TABLES};

use crate::error::CliError;

/// The selected tables and routines.
pub(super) struct Selection {
    /// Names of tables and routines. When empty, everything is selected.
    names: Vec<String>,
}

impl Selection {
    /// Fails for a name that is neither a table nor a routine.
    pub(super) fn new(names: &[String]) -> Result<Self, CliError> {
        let jobs = tables::all_jobs();
        match names.iter().find(|name| !is_known(name, &jobs)) {
            Some(name) => {
                Err(CliError::Usage(format!("--only {name}: expected {}", list_known_names(name, &jobs))))
            }
            None => Ok(Self { names: names.to_vec() }),
        }
    }

    pub(super) fn contains(&self, table: &str, routine: &str) -> bool {
        self.names.is_empty()
            || self.names.iter().any(|name| same_name(name, table) || same_name(name, routine))
    }

    /// Whether any row of a job is selected.
    pub(super) fn contains_any(&self, job: &Job) -> bool {
        job.tables.iter().any(|table| job.routines.iter().any(|routine| self.contains(table, routine)))
    }
}

fn same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

fn is_known(name: &str, jobs: &[Job]) -> bool {
    jobs.iter().any(|job| job.tables.iter().chain(job.routines).any(|known| same_name(known, name)))
}

/// The most routines that an error message names.
const NAMED_ROUTINES: usize = 10;

/// The tables, and the routines that a name may stand for: those that contain a part of it, or all
/// if there are few.
fn list_known_names(name: &str, jobs: &[Job]) -> String {
    let mut routines: Vec<&str> = Vec::new();
    for routine in jobs.iter().flat_map(|job| job.routines) {
        if !routines.contains(routine) {
            routines.push(routine);
        }
    }
    let total = routines.len();
    let start = |text: &str| text.to_lowercase().chars().take(3).collect::<String>();
    routines.sort_by_key(|routine| !routine.to_lowercase().contains(&start(name)));
    routines.truncate(NAMED_ROUTINES);
    let mut routines = routines.join(", ");
    if total > NAMED_ROUTINES {
        routines += &format!(" and {} more, which the tables show", total - NAMED_ROUTINES);
    }
    let tables = TABLES.each_ref().map(|table| table.name).join(", ");
    format!("a table ({tables}) or a routine ({routines})")
}
