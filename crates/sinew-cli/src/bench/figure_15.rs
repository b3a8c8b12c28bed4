//! Figure 15: frames per second of the cylinders, for each method and number of weights.

use sinew_figures::Motion;
use sinew_figures::methods::Method;

use super::contest::{Contest, Context};
use super::cylinders::Cylinders;
use super::plan::Job;
use super::row::{Amount, Row};
use crate::Failure;

pub(super) const TABLE: &str = "figure-15";

/// A race for each number of weights: of whole frames, and of the skin alone.
pub(super) fn jobs() -> Vec<Job> {
    let mut jobs = Vec::new();
    for weights in 1..=4 {
        let frame = move |context: &Context| frames(weights, context);
        jobs.push(Job { tables: &[TABLE], routines: &["frame"], run: Box::new(frame) });
        let skin = move |context: &Context| skins(weights, context);
        jobs.push(Job { tables: &[TABLE], routines: &["skin"], run: Box::new(skin) });
    }
    jobs
}

/// Sine motion, palettes and skin.
fn frames(weights: usize, context: &Context) -> Result<Vec<Row>, Failure> {
    let cylinders = Cylinders::new(weights)?;
    let mut contest = Contest::default();
    for method in Method::of_figure_15() {
        let (mut animator, mut palettes) = (cylinders.animator(Motion::Sine), cylinders.palettes());
        let (mut skin, mut frame) = (cylinders.skinner(method)?, 0);
        contest.add(row("frame", weights, method, &cylinders), move || {
            animator.animate(frame, &mut palettes);
            for (cylinder, palette) in palettes.iter().enumerate() {
                skin(cylinder, palette);
            }
            frame += 1;
        });
    }
    Ok(told(contest.run(context)))
}

/// The skin of palettes that are there already.
fn skins(weights: usize, context: &Context) -> Result<Vec<Row>, Failure> {
    let cylinders = Cylinders::new(weights)?;
    let mut palettes = cylinders.palettes();
    cylinders.animator(Motion::Sine).animate(0, &mut palettes);
    let mut contest = Contest::default();
    for method in Method::of_figure_15() {
        let (mut skin, palettes) = (cylinders.skinner(method)?, palettes.as_slice());
        contest.add(row("skin", weights, method, &cylinders), move || {
            for (cylinder, palette) in palettes.iter().enumerate() {
                skin(cylinder, palette);
            }
        });
    }
    Ok(told(contest.run(context)))
}

fn row(routine: &'static str, weights: usize, method: Method, cylinders: &Cylinders) -> Row {
    Row {
        elements: cylinders.vertices(),
        weights: Some(weights),
        ..Row::new(TABLE, routine, method.name(), Some(method.isa()))
    }
}

/// The rows with their frames per second.
pub(super) fn told(rows: Vec<Row>) -> Vec<Row> {
    let told = |row: Row| {
        let amount = Amount { value: 1.0 / row.seconds(), unit: "frames/s" };
        Row { amount: Some(amount), ..row }
    };
    rows.into_iter().map(told).collect()
}
