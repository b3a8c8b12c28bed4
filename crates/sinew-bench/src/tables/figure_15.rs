//! Figure 15: frames per second of the cylinders, for each method and number of weights.

use crate::methods::Method;
use sinew_figures::Motion;

use super::bench_group::{BenchGroup, Context};
use super::cylinders::Cylinders;
use super::job::Job;
use super::measurement::{Amount, Measurement};
use crate::Error;

pub(super) const TABLE: &str = "figure-15";

/// Two jobs per number of weights: whole frames, and skinning alone.
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

/// Whole frames: sine motion, palettes and skinning.
fn frames(weights: usize, context: &Context) -> Result<Vec<Measurement>, Error> {
    let cylinders = Cylinders::new(weights)?;
    let mut group = BenchGroup::default();
    for method in Method::figure_15_methods() {
        let (mut animator, mut palettes) = (cylinders.animator(Motion::Sine), cylinders.palettes());
        let (mut skin, mut frame) = (cylinders.skinner(method)?, 0);
        group.add(row("frame", weights, method, &cylinders), move || {
            animator.animate(frame, &mut palettes);
            for (cylinder, palette) in palettes.iter().enumerate() {
                skin(cylinder, palette);
            }
            frame += 1;
        });
    }
    Ok(with_frames_per_second(group.run(context)))
}

/// Skinning alone, with fixed palettes.
fn skins(weights: usize, context: &Context) -> Result<Vec<Measurement>, Error> {
    let cylinders = Cylinders::new(weights)?;
    let mut palettes = cylinders.palettes();
    cylinders.animator(Motion::Sine).animate(0, &mut palettes);
    let mut group = BenchGroup::default();
    for method in Method::figure_15_methods() {
        let (mut skin, palettes) = (cylinders.skinner(method)?, palettes.as_slice());
        group.add(row("skin", weights, method, &cylinders), move || {
            for (cylinder, palette) in palettes.iter().enumerate() {
                skin(cylinder, palette);
            }
        });
    }
    Ok(with_frames_per_second(group.run(context)))
}

fn row(routine: &'static str, weights: usize, method: Method, cylinders: &Cylinders) -> Measurement {
    Measurement {
        elements: cylinders.vertices(),
        weights: Some(weights),
        ..Measurement::new(TABLE, routine, method.name(), Some(method.isa()))
    }
}

/// Adds the frames per second.
pub(super) fn with_frames_per_second(rows: Vec<Measurement>) -> Vec<Measurement> {
    let with_amount = |row: Measurement| {
        let amount = Amount { value: 1.0 / row.seconds(), unit: "frames/s" };
        Measurement { amount: Some(amount), ..row }
    };
    rows.into_iter().map(with_amount).collect()
}
