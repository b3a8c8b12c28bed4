//! Crowds of one to a thousand figures, on one thread.

use std::hint::black_box;

use sinew::crowd::CrowdOptions;
use sinew::runtime::backend;
use sinew::{Crowd, InstanceOptions};

use super::bench_group::{BenchGroup, Context};
use super::frames::{figure_model, with_microseconds_per_figure};
use super::job::Job;
use super::measurement::Measurement;
use crate::Error;

const TABLE: &str = "crowds";

const ROUTINES: &[&str] = &["step", "consumed", "kept"];

/// One job per number of figures.
pub(super) fn jobs() -> Vec<Job> {
    let job = |figures: usize| Job {
        tables: &[TABLE],
        routines: ROUTINES,
        run: Box::new(move |context: &Context| measure(figures, context)),
    };
    [1, 7, 9, 100, 1000].map(job).into()
}

fn measure(len: usize, context: &Context) -> Result<Vec<Measurement>, Error> {
    let (crowd, joints, vertices) = crowd(len)?;
    let (mut stepped, mut consumed, mut kept) = (crowd.clone(), crowd.clone(), crowd);
    let isa = backend::default().unwrap_or(backend::baseline()).name();
    let row =
        |routine, elements| Measurement { elements, ..Measurement::new(TABLE, routine, "sinew", Some(isa)) };
    let mut group = BenchGroup::default();
    group.add(row("step", joints), move || stepped.step(1.0 / 60.0));
    group.add(row("consumed", vertices), move || {
        consumed.skin_each(&mut |member| {
            black_box(member.all_blocks());
        });
    });
    group.add(row("kept", vertices), move || kept.skin());
    Ok(group.run(context).into_iter().map(|row| with_microseconds_per_figure(row, len)).collect())
}

/// A crowd of figures that blend two clips, with different time offsets; and the numbers of all its
/// joints and vertices.
fn crowd(len: usize) -> Result<(Crowd, usize, usize), Error> {
    let model = figure_model()?;
    let mut crowd = Crowd::new(CrowdOptions::default());
    let number = crowd.add_model(&model, &InstanceOptions::default());
    for i in 0..len {
        let id = crowd.add(number)?;
        if let Some(member) = crowd.member_mut(id) {
            let seconds = i as f64 * 0.013;
            member.animator_mut().start(0).set_weight(0.7).seek(seconds);
            member.animator_mut().start(1).set_weight(0.3).seek(seconds);
        }
    }
    crowd.step(1.0 / 60.0);
    Ok((crowd, len * model.skeleton().len(), len * model.primitive(0).mesh.len()))
}
