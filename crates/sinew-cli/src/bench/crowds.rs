//! Crowds of one, a hundred and a thousand figures, on one thread.

use std::hint::black_box;

use sinew::{Crowd, CrowdOptions, InstanceOptions, backend};

use super::contest::{Contest, Context};
use super::frames::{figure, in_microseconds};
use super::plan::Job;
use super::row::Row;
use crate::Failure;

const TABLE: &str = "crowds";

const ROUTINES: &[&str] = &["step", "consumed", "kept"];

/// A race for each number of figures.
pub(super) fn jobs() -> Vec<Job> {
    let job = |figures: usize| Job {
        tables: &[TABLE],
        routines: ROUTINES,
        run: Box::new(move |context: &Context| measure(figures, context)),
    };
    [1, 100, 1000].map(job).into()
}

fn measure(len: usize, context: &Context) -> Result<Vec<Row>, Failure> {
    let (crowd, joints, vertices) = crowd(len)?;
    let (mut stepped, mut consumed, mut kept) = (crowd.clone(), crowd.clone(), crowd);
    let isa = backend::default().unwrap_or(backend::baseline()).name();
    let row = |routine, elements| Row { elements, ..Row::new(TABLE, routine, "sinew", Some(isa)) };
    let mut contest = Contest::default();
    contest.add(row("step", joints), move || stepped.step(1.0 / 60.0));
    contest.add(row("consumed", vertices), move || {
        consumed.skin_each(&mut |member| {
            black_box(member.all_blocks());
        });
    });
    contest.add(row("kept", vertices), move || kept.skin());
    Ok(contest.run(context).into_iter().map(|row| in_microseconds(row, len)).collect())
}

/// Figures that blend two clips, each at a time of its own; with joints and vertices of all.
fn crowd(len: usize) -> Result<(Crowd, usize, usize), Failure> {
    let model = figure()?;
    let mut crowd = Crowd::new(CrowdOptions::default());
    let number = crowd.add_model(&model, &InstanceOptions::default());
    for i in 0..len {
        let id = crowd.add(number)?;
        if let Some(member) = crowd.member_mut(id) {
            let seconds = i as f64 * 0.013;
            member.player().start(0).weight(0.7).at(seconds);
            member.player().start(1).weight(0.3).at(seconds);
        }
    }
    crowd.step(1.0 / 60.0);
    Ok((crowd, len * model.skeleton().len(), len * model.surface(0).mesh.len()))
}
