//! The first skin after a pause: registers wider than 128 bits may be slow then.
//!
//! `cargo bench -p sinew --bench cold_starts`. A line for each instruction set: nanoseconds per vertex of the first call after
//! two milliseconds of work on integers, the same with `warm` 150 microseconds ahead, and both as a multiple of the first
//! call on SSE2. Medians over the rounds, in which all take turns.

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use sinew::{Attributes, FloatMode, Mesh, Palette, Skin, SkinOptions, Skinned, backend};
use sinew_testkit::random::Random;

const PAUSE: Duration = Duration::from_millis(2);
const WARM_UP: Duration = Duration::from_micros(400);
/// Between `warm` and the skin it is for.
const AHEAD: Duration = Duration::from_micros(150);

struct Contender {
    name: &'static str,
    mesh: Mesh,
    palette: Palette,
    to: Skinned,
    cold: Vec<f64>,
    woken: Vec<f64>,
    warm: Vec<f64>,
}

fn main() {
    // `cargo bench` says so; `cargo test` only wants to see it run.
    let measure = env::args().any(|argument| argument == "--bench");
    if let Err(error) = print(if measure { 30 } else { 1 }) {
        say(&format!("failed: {error}"));
    }
}

fn print(rounds: usize) -> Result<(), Box<dyn Error>> {
    let scene = sinew_figures::scene("@figure")?;
    let mut contenders = Vec::new();
    for row in backend::available() {
        let skeleton = scene.skeleton.clone().with_kernels(row.kernels(FloatMode::Fast));
        let skin = Skin::new(&skeleton, &scene.skin_joints)?;
        let (mut palette, mut model_from_joint) = (Palette::new(&skin), skeleton.model_matrices());
        skeleton.to_model(skeleton.rest(), .., &mut model_from_joint)?;
        palette.update(&model_from_joint, &skin)?;
        let mesh = Mesh::new(&scene.shape.source(), &skin)?;
        let to = Skinned::new(&mesh, Attributes::Tangents)?;
        contenders.push(Contender {
            name: row.name(),
            mesh,
            palette,
            to,
            cold: Vec::new(),
            woken: Vec::new(),
            warm: Vec::new(),
        });
    }
    for _ in 0..rounds {
        for contender in &mut contenders {
            contender.measure()?;
        }
    }
    let sse2 = contenders.iter_mut().find(|contender| contender.name == "sse2");
    let sse2 = sse2.map(|contender| median(&mut contender.cold));
    for contender in &mut contenders {
        let (cold, warm) = (median(&mut contender.cold), median(&mut contender.warm));
        let woken = median(&mut contender.woken);
        let nanoseconds = |seconds: f64| seconds * 1e9 / contender.mesh.len() as f64;
        let mut line = format!(
            "cold starts, @figure, {:<8} {:7.2} ns, woken {:7.2} ns, warm {:7.2} ns: {:.2} x warm",
            contender.name,
            nanoseconds(cold),
            nanoseconds(woken),
            nanoseconds(warm),
            cold / warm
        );
        if let Some(sse2) = sse2 {
            line += &format!(", {:.2} x sse2 cold, woken {:.2}", cold / sse2, woken / sse2);
        }
        say(&line);
    }
    Ok(())
}

impl Contender {
    fn measure(&mut self) -> Result<(), sinew::Error> {
        work_on_integers(PAUSE);
        let cold = self.skin()?;
        self.cold.push(cold);
        work_on_integers(PAUSE);
        sinew::warm(self.mesh.kernels());
        work_on_integers(AHEAD);
        let woken = self.skin()?;
        self.woken.push(woken);
        let start = Instant::now();
        while start.elapsed() < WARM_UP {
            self.skin()?;
        }
        let warm = self.skin()?;
        self.warm.push(warm);
        Ok(())
    }

    /// Gives its seconds.
    fn skin(&mut self) -> Result<f64, sinew::Error> {
        let start = Instant::now();
        self.mesh.skin(black_box(&self.palette), &SkinOptions::default(), &mut self.to)?;
        Ok(start.elapsed().as_secs_f64())
    }
}

fn work_on_integers(time: Duration) {
    let (start, mut random) = (Instant::now(), Random::new(2));
    while start.elapsed() < time {
        for _ in 0..100 {
            black_box(random.bits());
        }
    }
}

fn median(seconds: &mut [f64]) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or_default()
}

fn say(line: &str) {
    // Nobody is left to tell when the output is closed.
    let _ = writeln!(stdout(), "{line}");
}
