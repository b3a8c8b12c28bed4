//! Meshes of 64 thousand and two million vertices, beside a copy of as many bytes.

use std::hint::black_box;

use sinew::{Attributes, FloatMode, SkinOptions, Skinned, Target, VectorBlock, VertexLayout, backend};

use super::contest::{Contest, Context, UNIT};
use super::plan::Job;
use super::row::{Amount, Row};
use super::surface::{Rig, Surface, copy};
use crate::Failure;

const TABLE: &str = "sizes";

/// The scene, and whether it is taken twice.
const SIZES: [(&str, bool); 2] = [("@figure:65536", false), ("@figure:1000000", true)];

pub(super) fn jobs() -> Vec<Job> {
    let job = |(scene, twice): (&'static str, bool)| Job {
        tables: &[TABLE],
        routines: &["skin"],
        run: Box::new(move |context: &Context| measure(scene, twice, context)),
    };
    SIZES.map(job).into()
}

fn measure(scene: &str, twice: bool, context: &Context) -> Result<Vec<Row>, Failure> {
    let scene = sinew_figures::scene(scene).map_err(|error| Failure::Usage(error.to_string()))?;
    let surface = Surface::of_model(&scene.model()?);
    drop(scene);
    let surface = if twice { surface.twice() } else { surface };
    let row = |method, isa| Row { elements: surface.len(), ..Row::new(TABLE, "skin", method, isa) };
    let papers = surface.papers();
    let mut rigs = Vec::new();
    for isa in backend::available() {
        rigs.push((isa, surface.rig(isa.kernels(FloatMode::Fast), &[])?));
    }
    let mut contest = Contest::default();
    if cfg!(target_arch = "x86_64") {
        contest.add(row(UNIT, Some("sse2")), papers.vertices());
    }
    for (isa, rig) in &rigs {
        let mut to = memory(rig)?;
        skin(rig, VertexLayout::Blocks(&mut to))?;
        contest.add(row("sinew", Some(isa.name())), move || skin_again(rig, VertexLayout::Blocks(&mut to)));
        let mut past = memory(rig)?;
        skin(rig, VertexLayout::NonTemporalBlocks(&mut past))?;
        contest.add(row("sinew-past-caches", Some(isa.name())), move || {
            skin_again(rig, VertexLayout::NonTemporalBlocks(&mut past));
        });
    }
    let bytes = rigs.last().map_or(0, |(_, rig)| rig.bytes(3));
    contest.add(row("copy", None), copy(bytes));
    let mut rows = contest.run(context);
    // The papers' own bytes are more, and not counted.
    for row in rows.iter_mut().filter(|row| row.method != UNIT) {
        row.amount = Some(Amount { value: bytes as f64 / row.seconds() / 1e9, unit: "GB/s" });
    }
    Ok(rows)
}

fn memory(rig: &Rig) -> Result<Vec<VectorBlock>, Failure> {
    Ok(Skinned::new(&rig.mesh, Attributes::Tangents)?.blocks().to_vec())
}

fn skin(rig: &Rig, form: VertexLayout<'_>) -> Result<(), sinew::Error> {
    let target = Target::new(Attributes::Tangents, form);
    rig.mesh.skin_into(black_box(&rig.palette), &SkinOptions::default(), target)
}

/// What was not refused the first time is not refused later.
fn skin_again(rig: &Rig, form: VertexLayout<'_>) {
    let _ = black_box(skin(rig, form));
}
