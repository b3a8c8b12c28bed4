//! Meshes of 64 thousand and two million vertices, beside a copy of the same number of bytes.

use std::hint::black_box;

use sinew::Runtime;
use sinew::mesh::{Attributes, VectorBlock};
use sinew::runtime::backend;
use sinew::skinning::SkinningError;
use sinew::skinning::{Skinned, Target, VertexOutput};
use sinew::{FloatMode, SkinOptions};

use super::bench_group::{BenchGroup, Context, UNIT};
use super::job::Job;
use super::measurement::{Amount, Measurement};
use super::mesh_arrays::{MeshArrays, Rig, copy_runner};
use crate::Error;

const TABLE: &str = "sizes";

/// The scene, and whether it is doubled.
const SIZES: [(&str, bool); 2] = [("@figure:65536", false), ("@figure:1000000", true)];

pub(super) fn jobs() -> Vec<Job> {
    let job = |(scene, twice): (&'static str, bool)| Job {
        tables: &[TABLE],
        routines: &["skin"],
        run: Box::new(move |context: &Context| measure(scene, twice, context)),
    };
    SIZES.map(job).into()
}

fn measure(scene: &str, twice: bool, context: &Context) -> Result<Vec<Measurement>, Error> {
    let scene = sinew_figures::scene(scene)?;
    let arrays = MeshArrays::from_model(&scene.model()?);
    drop(scene);
    let arrays = if twice { arrays.twice() } else { arrays };
    let row =
        |method, isa| Measurement { elements: arrays.len(), ..Measurement::new(TABLE, "skin", method, isa) };
    let papers = arrays.papers();
    let mut rigs = Vec::new();
    for isa in backend::available() {
        rigs.push((isa, arrays.rig(Runtime::with_backend(isa, FloatMode::Fast), &[])?));
    }
    let mut group = BenchGroup::default();
    if cfg!(target_arch = "x86_64") {
        group.add(row(UNIT, Some("sse2")), papers.vertex_runner());
    }
    for (isa, rig) in &rigs {
        let mut to = allocate_blocks(rig)?;
        skin(rig, VertexOutput::Blocks(&mut to))?;
        group.add(row("sinew", Some(isa.name())), move || skin_again(rig, VertexOutput::Blocks(&mut to)));
        let mut past = allocate_blocks(rig)?;
        skin(rig, VertexOutput::NonTemporalBlocks(&mut past))?;
        group.add(row("sinew-past-caches", Some(isa.name())), move || {
            skin_again(rig, VertexOutput::NonTemporalBlocks(&mut past));
        });
    }
    let bytes = rigs.last().map_or(0, |(_, rig)| rig.bytes(3));
    group.add(row("copy", None), copy_runner(bytes));
    let mut rows = group.run(context);
    // The papers' methods move more bytes, which are not counted.
    for row in rows.iter_mut().filter(|row| row.method != UNIT) {
        row.amount = Some(Amount { value: bytes as f64 / row.seconds() / 1e9, unit: "GB/s" });
    }
    Ok(rows)
}

fn allocate_blocks(rig: &Rig) -> Result<Vec<VectorBlock>, Error> {
    Ok(Skinned::new(&rig.mesh, Attributes::Tangents)?.blocks().to_vec())
}

fn skin(rig: &Rig, output: VertexOutput<'_>) -> Result<(), SkinningError> {
    let target = Target::new(Attributes::Tangents, output);
    rig.mesh.skin_into(black_box(&rig.palette), &SkinOptions::default(), target)
}

/// Errors are impossible after a first call that succeeded.
fn skin_again(rig: &Rig, output: VertexOutput<'_>) {
    let _ = black_box(skin(rig, output));
}
