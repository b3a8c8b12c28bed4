//! Silhouettes and shadow volumes of `@figure` at 30,000 triangles, relative to skinning.
//!
//! `cargo bench -p sinew --bench after_skin`, with part of a table's name to run only that table:
//! "shadows".
//!
//! A line for each operation: the median over the rounds in microseconds, and the multiple of the
//! time of skinning positions.

mod shadows;
mod walking_figure;

use std::env;
use std::error::Error;
use std::io::{Write, stdout};

use sinew_bench::timer::{Length, Timing};

/// Prints the times of some operations on a figure.
type Table = fn(&str, Length) -> Result<(), Box<dyn Error>>;

const TABLES: [(&str, Table); 1] = [("shadows", shadows::print)];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    // `cargo bench` passes `--bench`; `cargo test` only checks that the program runs.
    let measure = arguments.iter().any(|argument| argument == "--bench");
    let (figure, length) =
        if measure { ("@figure:16500", Length::FULL) } else { ("@figure:600", Length::SMOKE) };
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
    for (name, table) in TABLES.into_iter().filter(|(name, _)| name.contains(&wanted)) {
        if let Err(error) = table(figure, length) {
            print_line(&format!("failed: {name}: {error}"));
        }
    }
}

/// Prints timings relative to the first, which is skinning.
fn print(timings: &[Timing]) {
    for Timing { name, seconds, speed, .. } in timings {
        print_line(&format!("    {name:<44} {:9.1} us {:8.2} x skinning", seconds * 1e6, 1.0 / speed));
    }
}

fn print_line(line: &str) {
    // A closed output cannot be reported anywhere.
    let _ = writeln!(stdout(), "{line}");
}
