//! The skin on models as they are: every instruction set, rounding and form against the papers' SSE2 method and a copy
//! of the same bytes, alternating in one process.
//!
//! `SINEW_DATA=... cargo bench -p sinew --bench models`, with a part of a name to time only some: of a model, a
//! scene, "bandwidth", "displacement" or "cold starts". `SINEW_DATA` is the folder of the models; without it only scenes
//! by rule are timed.
//!
//! A table for each model and instruction set, a line for each contender:
//! - nanoseconds per vertex, pads not counted: the median over the rounds;
//! - times as fast as the papers: the median over the rounds of time of the papers' method / time of the contender, with
//!   the quartiles. The papers skin in the source's order, by one blended matrix for each vertex, and positions
//!   alone by weighted positions, with which positions alone are compared;
//! - times a copy: how many times as long as a copy of the same bytes. What is copied is half of what skinning into
//!   blocks reads and writes together, base vectors, weights and blocks, so that the copy moves as many bytes. Other
//!   forms are compared with the same copy, positions alone with one of their own.

mod bandwidth;
mod cold;
mod displacement;
mod file;
mod papers;
mod surface;
mod table;

use std::env;
use std::error::Error;
use std::io::{Write, stdout};
use std::path::Path;

use sinew_testkit::timer::Length;
use surface::Surface;

/// Name and place of each model within the folder.
const MODELS: [(&str, &str); 3] = [
    ("CesiumMan", "khronos-sample-assets/CesiumMan/glTF-Binary/CesiumMan.glb"),
    ("Fox", "khronos-sample-assets/Fox/glTF-Binary/Fox.glb"),
    ("Knight", "kaykit-adventurers/Knight.glb"),
];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    // `cargo bench` says so; `cargo test` only wants to see it run.
    let measure = arguments.iter().any(|argument| argument == "--bench");
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
    let models = models();
    for model in models.iter().filter(|model| model.name.contains(&wanted)) {
        report(table::print(model, length(measure)));
    }
    let (scenes, large): (&[&str], _) =
        if measure { (&["@figure", "@figure:65536"], 1_000_000) } else { (&["@figure:2000"], 2000) };
    for name in scenes.iter().filter(|name| name.contains(&wanted)) {
        report(Surface::of_scene(name).and_then(|scene| table::print(&scene, length(measure))));
    }
    if "bandwidth".contains(&wanted) {
        let figure = Surface::of_scene(&format!("@figure:{large}"));
        report(figure.and_then(|figure| bandwidth::print(&figure.twice(), length(measure))));
    }
    if "displacement".contains(&wanted) {
        report(displacement::print("@figure", if measure { 60 } else { 1 }));
    }
    if "cold starts".contains(&wanted) {
        let rounds = if measure { 30 } else { 1 };
        let figure = Surface::of_scene("@figure");
        let model = models.into_iter().find(|model| model.name == "CesiumMan");
        report(model.map_or(figure, Ok).and_then(|surface| cold::print(&surface, rounds)));
    }
}

fn length(measure: bool) -> Length {
    if measure { Length::FULL } else { Length::SMOKE }
}

/// Those that are there; of the others it is said that they are not.
fn models() -> Vec<Surface> {
    let Some(folder) = env::var_os("SINEW_DATA").filter(|folder| !folder.is_empty()) else {
        say("skipped: models (SINEW_DATA is not set)");
        return Vec::new();
    };
    let read = |(name, path): (&str, &str)| match file::read(name, &Path::new(&folder).join(path)) {
        Ok(surface) => Some(surface),
        Err(error) => {
            say(&format!("skipped: {name} ({error})"));
            None
        }
    };
    MODELS.into_iter().filter_map(read).collect()
}

fn report(done: Result<(), Box<dyn Error>>) {
    if let Err(error) = done {
        say(&format!("failed: {error}"));
    }
}

fn say(line: &str) {
    // Nobody is left to tell when the output is closed.
    let _ = writeln!(stdout(), "{line}");
}
