//! Skinning on every instruction set against the papers' SSE2 methods and a copy of the same bytes, alternating in
//! one process.
//!
//! `cargo bench -p sinew-kernels --features papers --bench skin_ratios`, with a part of a line's name to time only some.
//! Each figure is the median over the rounds of time of the papers' method / time of the row, with the quartiles; "/r"
//! is reproducible mode. Runs of 64 vertices; the papers' methods take the vertices in the same order. `sinew bench`
//! measures the same, without the copy.
//!
//! Lines with "runs of" compare the kernels of a row with each other on one mesh, by the time of a block of eight
//! vertices: what the kernel over runs takes, and what the others take, also as a multiple of it.

#[cfg(not(target_arch = "x86_64"))]
fn main() {}

#[cfg(target_arch = "x86_64")]
fn main() {
    ratios::main();
}

#[cfg(target_arch = "x86_64")]
mod ratios {
    use std::hint::black_box;
    use std::io::{Write, stdout};

    use sinew_kernels::{FloatMode, Kernels, backend};
    use sinew_testkit::routines::{Method, Routine, SkinScene};
    use sinew_testkit::timer::{Length, Race, Timing};

    /// The longest first: what the papers are compared on.
    const RUNS: [usize; 3] = [64, 16, 8];

    pub(super) fn main() {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        // `cargo bench` says so; `cargo test` only wants to see it run.
        let measure = arguments.iter().any(|argument| argument == "--bench");
        let length = if measure { Length::FULL } else { Length::SMOKE };
        let wanted =
            arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
        for vertices in [1024, if measure { 65_536 } else { RUNS[0] }] {
            for (vectors, what) in [(3, "position, normal, tangent"), (1, "position")] {
                for influences in 1..=4 {
                    let name = format!("{vertices} vertices, {what}, {influences} weights");
                    if name.contains(&wanted) {
                        let scene = SkinScene::new(vertices, RUNS[0], influences, vectors);
                        print(&name, vertices, &race(&scene, length));
                    }
                }
            }
        }
        for run in RUNS {
            for (vectors, what) in [(3, "position, normal, tangent"), (1, "position")] {
                for influences in 1..=4 {
                    let name = format!("runs of {run}, {what}, {influences} weights");
                    if name.contains(&wanted) {
                        compare_kernels(&name, &SkinScene::new(1024, run, influences, vectors), length);
                    }
                }
            }
        }
    }

    /// A line for each row: its kernels on one mesh.
    fn compare_kernels(name: &str, scene: &SkinScene, length: Length) {
        let blocks = (scene.base().len() / scene.vectors()) as f64;
        for row in backend::available() {
            let mut line = format!("{name:<50} {:<8}", row.name());
            for timing in race_kernels(scene, row.kernels(FloatMode::Fast), length) {
                let Timing { name, seconds, speed, .. } = timing;
                line += &format!("  {name} {:6.2} ns ({:.2})", seconds * 1e9 / blocks, 1.0 / speed);
            }
            // Nobody is left to tell when the output is closed.
            let _ = writeln!(stdout(), "{line}");
        }
    }

    fn print(name: &str, vertices: usize, timings: &[Timing]) {
        let mut line = format!("{name:<54}");
        for (i, timing) in timings.iter().enumerate() {
            let Timing { name, seconds, speed, spread: (low, high), .. } = timing;
            line += &match i {
                0 => format!(" {name} {:.2} ns", seconds * 1e9 / vertices as f64),
                _ => format!("  {name} {speed:.2} ({low:.2}-{high:.2})"),
            };
        }
        // Nobody is left to tell when the output is closed.
        let _ = writeln!(stdout(), "{line}");
    }

    fn race(scene: &SkinScene, length: Length) -> Vec<Timing> {
        let mut race = Race::new();
        race.add("papers", scene.contender(Method::Sse2));
        let mut copy = scene.base().to_vec();
        race.add("copy", move || black_box(&mut copy).copy_from_slice(black_box(scene.base())));
        for row in backend::available() {
            for (float_mode, suffix) in [(FloatMode::Fast, ""), (FloatMode::Reproducible, "/r")] {
                race.add(format!("{}{suffix}", row.name()), scene.contender(Method::Sinew(row, float_mode)));
            }
        }
        race.run(length)
    }

    fn race_kernels(scene: &SkinScene, kernels: &'static Kernels, length: Length) -> Vec<Timing> {
        let mut race = Race::new();
        let mut output = scene.base().to_vec();
        race.add("runs", move || scene.skin(kernels, &mut output));
        let mut output = scene.base().to_vec();
        race.add("counted", move || scene.skin_per_vertex_joints(kernels, &mut output));
        let mut output = scene.base().to_vec();
        race.add("weighted", move || scene.skin_pre_weighted(kernels, &mut output));
        race.run(length)
    }
}
