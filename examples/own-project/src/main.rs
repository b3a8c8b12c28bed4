//! A frame of a figure of 5000 vertices, again and again: prints the microseconds of the fastest.
//!
//! `cargo run` and `cargo run --release` in this folder show what the two lines of its
//! `[profile.dev.package]` are worth.

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let model = sinew_figures::scene("@figure:5000")?.model()?;
    let mut figure = model.instance();
    figure.play("walk")?;
    let mut fastest = Duration::MAX;
    for _ in 0..200 {
        let start = Instant::now();
        figure.step(1.0 / 60.0);
        black_box(figure.skin());
        fastest = fastest.min(start.elapsed());
    }
    println!("{:.1}", fastest.as_secs_f64() * 1e6);
    Ok(())
}
