//! Skinning on every backend against the papers' SSE2 methods and a copy of the same bytes,
//! alternating in one process.
//!
//! `cargo bench -p sinew-bench --bench skin_ratios`, with a part of a line's name to time only
//! some. Each figure is the time of the papers' method / the time of the backend: the median over
//! the rounds, with the quartiles. "/r" is the reproducible mode. Runs have 64 vertices; the
//! papers' methods take the vertices in the same order. `sinew bench` measures the same without the
//! copy.
//!
//! Lines with "runs of" compare the kernels of one backend on one mesh: the time per block of eight
//! vertices, and in parentheses as a multiple of that of the kernel for shared joints.

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

    use sinew_bench::routines::{Implementation, Routine, SkinMesh};
    use sinew_bench::timer::{AlternatingTimer, Length, Timing};
    use sinew_kernels::{FloatMode, Kernels, backend};

    /// The first is the one that is compared with the papers.
    const RUNS: [usize; 3] = [64, 16, 8];

    pub(super) fn main() {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        // `cargo bench` passes this; `cargo test` only runs it once.
        let measure = arguments.iter().any(|argument| argument == "--bench");
        let length = if measure { Length::FULL } else { Length::SMOKE };
        let filter =
            arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
        for vertices in [1024, if measure { 65_536 } else { RUNS[0] }] {
            for (vectors, what) in [(3, "position, normal, tangent"), (1, "position")] {
                for influences in 1..=4 {
                    let name = format!("{vertices} vertices, {what}, {influences} weights");
                    if name.contains(&filter) {
                        let mesh = SkinMesh::new(vertices, RUNS[0], influences, vectors);
                        print(&name, vertices, &compare_with_papers(&mesh, length));
                    }
                }
            }
        }
        for run in RUNS {
            for (vectors, what) in [(3, "position, normal, tangent"), (1, "position")] {
                for influences in 1..=4 {
                    let name = format!("runs of {run}, {what}, {influences} weights");
                    if name.contains(&filter) {
                        compare_kernels(&name, &SkinMesh::new(1024, run, influences, vectors), length);
                    }
                }
            }
        }
    }

    /// Prints a line per backend: its kernels on one mesh.
    fn compare_kernels(name: &str, mesh: &SkinMesh, length: Length) {
        let blocks = (mesh.base().len() / mesh.vectors()) as f64;
        for available in backend::available() {
            let mut line = format!("{name:<50} {:<8}", available.name());
            for timing in time_kernels(mesh, available.kernels(FloatMode::Fast), length) {
                let Timing { name, seconds, speed, .. } = timing;
                line += &format!("  {name} {:6.2} ns ({:.2})", seconds * 1e9 / blocks, 1.0 / speed);
            }
            // A closed output is not an error.
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
        // A closed output is not an error.
        let _ = writeln!(stdout(), "{line}");
    }

    fn compare_with_papers(mesh: &SkinMesh, length: Length) -> Vec<Timing> {
        let mut timer = AlternatingTimer::new();
        timer.add("papers", mesh.runner(Implementation::Sse2));
        let mut copy = mesh.base().to_vec();
        timer.add("copy", move || black_box(&mut copy).copy_from_slice(black_box(mesh.base())));
        for available in backend::available() {
            for (float_mode, suffix) in [(FloatMode::Fast, ""), (FloatMode::Reproducible, "/r")] {
                timer.add(
                    format!("{}{suffix}", available.name()),
                    mesh.runner(Implementation::Sinew(available, float_mode)),
                );
            }
        }
        timer.run(length)
    }

    fn time_kernels(mesh: &SkinMesh, kernels: &'static Kernels, length: Length) -> Vec<Timing> {
        let mut timer = AlternatingTimer::new();
        let mut output = mesh.base().to_vec();
        timer.add("runs", move || mesh.skin(kernels, &mut output));
        let mut output = mesh.base().to_vec();
        timer.add("counted", move || mesh.skin_per_vertex_joints(kernels, &mut output));
        let mut output = mesh.base().to_vec();
        timer.add("weighted", move || mesh.skin_pre_weighted(kernels, &mut output));
        timer.run(length)
    }
}
