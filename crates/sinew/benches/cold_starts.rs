//! The first skinning call after a pause, when registers wider than 128 bits may be slow.
//!
//! `cargo bench -p sinew --bench cold_starts`. A line for each backend: nanoseconds per vertex of
//! the first call after two milliseconds of integer work, the same with `warm` called 150
//! microseconds before, and both as a multiple of the first call on SSE2. Medians over rounds that
//! alternate between the backends.

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::io::{Write, stdout};
use std::time::{Duration, Instant};

use sinew::mesh::Attributes;
use sinew::runtime::backend;
use sinew::skinning::Skinned;
use sinew::{FloatMode, Mesh, Palette, Runtime, Skin, SkinOptions};
use sinew_testkit::random::Random;

const PAUSE: Duration = Duration::from_millis(2);
const WARM_UP: Duration = Duration::from_micros(400);
/// The time from `warm` to the skinning call.
const AHEAD: Duration = Duration::from_micros(150);

/// A backend with its mesh and its times in seconds.
struct BackendTimes {
    name: &'static str,
    mesh: Mesh,
    palette: Palette,
    to: Skinned,
    /// The first call after a pause.
    cold: Vec<f64>,
    /// The first call after a pause and a call of `warm`.
    warmed_up: Vec<f64>,
    /// A call after many others.
    warm: Vec<f64>,
}

fn main() {
    // `cargo bench` passes `--bench`; `cargo test` only checks that the program runs.
    let measure = env::args().any(|argument| argument == "--bench");
    if let Err(error) = print(if measure { 30 } else { 1 }) {
        print_line(&format!("failed: {error}"));
    }
}

fn print(rounds: usize) -> Result<(), Box<dyn Error>> {
    let scene = sinew_figures::scene("@figure")?;
    let mut backends = Vec::new();
    for backend in backend::available() {
        let skeleton = scene.skeleton.clone().with_runtime(Runtime::with_backend(backend, FloatMode::Fast));
        let skin = Skin::new(&skeleton, &scene.skin_joints)?;
        let (mut palette, mut model_from_joint) = (Palette::new(&skin), skeleton.identity_matrices());
        skeleton.to_model(skeleton.rest(), .., &mut model_from_joint)?;
        palette.update(&model_from_joint, &skin)?;
        let mesh = Mesh::new(&scene.mesh.source(), &skin)?;
        let to = Skinned::new(&mesh, Attributes::Tangents)?;
        backends.push(BackendTimes {
            name: backend.name(),
            mesh,
            palette,
            to,
            cold: Vec::new(),
            warmed_up: Vec::new(),
            warm: Vec::new(),
        });
    }
    for _ in 0..rounds {
        for times in &mut backends {
            times.measure()?;
        }
    }
    let sse2 = backends.iter_mut().find(|times| times.name == "sse2");
    let sse2 = sse2.map(|times| median(&mut times.cold));
    for times in &mut backends {
        let (cold, warm) = (median(&mut times.cold), median(&mut times.warm));
        let warmed_up = median(&mut times.warmed_up);
        let nanoseconds = |seconds: f64| seconds * 1e9 / times.mesh.len() as f64;
        let mut line = format!(
            "cold starts, @figure, {:<8} {:7.2} ns, after warm-up {:7.2} ns, warm {:7.2} ns: {:.2} x warm",
            times.name,
            nanoseconds(cold),
            nanoseconds(warmed_up),
            nanoseconds(warm),
            cold / warm
        );
        if let Some(sse2) = sse2 {
            line += &format!(", {:.2} x sse2 cold, after warm-up {:.2}", cold / sse2, warmed_up / sse2);
        }
        print_line(&line);
    }
    Ok(())
}

impl BackendTimes {
    fn measure(&mut self) -> Result<(), sinew::Error> {
        work_on_integers(PAUSE);
        let cold = self.skin()?;
        self.cold.push(cold);
        work_on_integers(PAUSE);
        sinew::runtime::warm_up(self.mesh.runtime());
        work_on_integers(AHEAD);
        let warmed_up = self.skin()?;
        self.warmed_up.push(warmed_up);
        let start = Instant::now();
        while start.elapsed() < WARM_UP {
            self.skin()?;
        }
        let warm = self.skin()?;
        self.warm.push(warm);
        Ok(())
    }

    /// Skins once and returns the seconds.
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

fn print_line(line: &str) {
    // A closed output cannot be reported anywhere.
    let _ = writeln!(stdout(), "{line}");
}
