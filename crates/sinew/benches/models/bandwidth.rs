//! A mesh far larger than any cache: bytes per second beside those of a copy.

use std::error::Error;
use std::hint::black_box;

use sinew::{Attributes, Form, Rounding, SkinOptions, Skinned, Target, VectorBlock, isa};
use sinew_testkit::timer::{Length, Race};

use crate::papers::{Papers, copy};
use crate::say;
use crate::surface::{Rig, Surface};

/// A line for each contender: nanoseconds per vertex, gigabytes per second read and written, the share of a copy's
/// speed with its quartiles, and times as fast as the papers, whose own bytes are more and not counted.
pub(crate) fn print(surface: &Surface, length: Length) -> Result<(), Box<dyn Error>> {
    let papers = Papers::new(surface);
    for row in isa::rows() {
        let rig = &surface.rig(row.kernels(Rounding::Fast), &[])?;
        papers.check(rig)?;
        let (bytes, vertices) = (rig.bytes(3), rig.mesh.len());
        let mut race = Race::new();
        race.add("copy", copy(bytes));
        race.add("papers", papers.vertices());
        let mut to = memory(rig)?;
        skin(rig, Form::Blocks(&mut to))?;
        race.add("blocks", move || skin_again(rig, Form::Blocks(&mut to)));
        let mut past = memory(rig)?;
        skin(rig, Form::BlocksPastCaches(&mut past))?;
        race.add("blocks past caches", move || skin_again(rig, Form::BlocksPastCaches(&mut past)));
        let timings = race.run(length);
        say(&format!("bandwidth, {}, {vertices} vertices, {bytes} bytes, {}", surface.name, row.name()));
        let of_papers = timings.get(1).map_or(1.0, |papers| papers.speed);
        for timing in &timings {
            let (low, high) = timing.spread;
            say(&format!(
                "    {:<36} {:9.2} ns  {:6.2} GB/s  {:5.2} ({low:5.2} - {high:5.2}) of a copy  {:5.2} x papers",
                timing.name,
                timing.seconds * 1e9 / vertices as f64,
                bytes as f64 / timing.seconds / 1e9,
                timing.speed,
                timing.speed / of_papers,
            ));
        }
    }
    Ok(())
}

fn memory(rig: &Rig) -> Result<Vec<VectorBlock>, sinew::Error> {
    Ok(Skinned::new(&rig.mesh, Attributes::Tangents)?.blocks().to_vec())
}

fn skin(rig: &Rig, form: Form<'_>) -> Result<(), sinew::Error> {
    let target = Target::new(Attributes::Tangents, form);
    rig.mesh.skin_into(black_box(&rig.palette), &SkinOptions::default(), target)
}

/// What was not refused the first time is not refused later.
fn skin_again(rig: &Rig, form: Form<'_>) {
    let _ = black_box(skin(rig, form));
}
