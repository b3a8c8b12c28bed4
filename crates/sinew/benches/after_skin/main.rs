//! What follows the skin, on `@figure` at 30,000 triangles, beside skinning itself.
//!
//! `cargo bench -p sinew --bench after_skin`, with a part of a name to time only some: "shadows".
//!
//! A line for each act: microseconds, the median over the rounds, and how many times as long as skinning the positions.

mod shadows;
mod subject;

use std::env;
use std::error::Error;
use std::io::{Write, stdout};

use sinew_testkit::timer::{Length, Timing};

/// Prints the times of some acts on a figure of that name.
type Table = fn(&str, Length) -> Result<(), Box<dyn Error>>;

const TABLES: [(&str, Table); 1] = [("shadows", shadows::print)];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    // `cargo bench` says so; `cargo test` only wants to see it run.
    let measure = arguments.iter().any(|argument| argument == "--bench");
    let (figure, length) =
        if measure { ("@figure:16500", Length::FULL) } else { ("@figure:600", Length::SMOKE) };
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
    for (name, table) in TABLES.into_iter().filter(|(name, _)| name.contains(&wanted)) {
        if let Err(error) = table(figure, length) {
            say(&format!("failed: {name}: {error}"));
        }
    }
}

/// The first is skinning.
fn print(timings: &[Timing]) {
    for Timing { name, seconds, speed, spread: _ } in timings {
        say(&format!("    {name:<44} {:9.1} us {:8.2} x skinning", seconds * 1e6, 1.0 / speed));
    }
}

fn say(line: &str) {
    // Nobody is left to tell when the output is closed.
    let _ = writeln!(stdout(), "{line}");
}
