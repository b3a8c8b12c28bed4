//! Every backend against the papers' SSE2 methods, alternating in one process.
//!
//! `cargo bench -p sinew-bench --bench ratios`, with a part of a kernel's name to time only some.
//! Each figure is the time of the papers' method / the time of the backend: the median over the
//! rounds, with the quartiles. "/r" is the reproducible mode. `sinew bench` measures the same
//! routines and more.

#[cfg(not(target_arch = "x86_64"))]
fn main() {}

#[cfg(target_arch = "x86_64")]
fn main() {
    ratios::main();
}

#[cfg(target_arch = "x86_64")]
mod ratios {
    use std::io::{Write, stdout};

    use sinew_bench::SkeletonShape;
    use sinew_bench::routines::{
        self, Direction, Implementation, Palettes, Planes, Routine, Spaces, ToJoints, ToMatrices,
    };
    use sinew_bench::timer::{AlternatingTimer, Length, Timing};
    use sinew_kernels::{FloatMode, backend};

    const LEN: usize = 1024;

    pub(super) fn main() {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        // `cargo bench` passes this; `cargo test` only runs it once.
        let measure = arguments.iter().any(|argument| argument == "--bench");
        let filter =
            arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
        let table = Table { length: if measure { Length::FULL } else { Length::SMOKE }, filter };
        table.line("joints to matrices", &ToMatrices::new(LEN));
        table.line("matrices to joints", &ToJoints::new(LEN));
        for (name, shape) in [("chain", SkeletonShape::Chain), ("figures", SkeletonShape::Humanoids)] {
            table.line(&format!("local to model, {name}"), &Spaces::new(Direction::ToModel, shape, LEN));
            table.line(&format!("model to local, {name}"), &Spaces::new(Direction::ToLocal, shape, LEN));
        }
        table.line("palette of 124", &Palettes::new(124));
        table.line("palette of 12", &Palettes::new(12));
        table.line("planes", &Planes::new(LEN));
        table.long_chain();
    }

    /// Prints a line per kernel.
    struct Table {
        length: Length,
        filter: String,
    }

    impl Table {
        fn line(&self, name: &str, routine: &dyn Routine) {
            if !name.contains(&self.filter) {
                return;
            }
            let implementations: Vec<Implementation> = Implementation::supported()
                .into_iter()
                .filter(|implementation| {
                    !matches!(implementation, Implementation::Plain | Implementation::Sse3)
                })
                .collect();
            let mut line = format!("{name:<28}");
            for (implementation, timing) in routines::compare(routine, &implementations, self.length) {
                let Timing { seconds, speed, spread: (low, high), .. } = timing;
                line += &match implementation {
                    Implementation::Sinew(row, float_mode) => {
                        let suffix = if float_mode == FloatMode::Reproducible { "/r" } else { "" };
                        format!("  {}{suffix} {speed:.2} ({low:.2}-{high:.2})", row.name())
                    }
                    _ => format!(" papers {:.2} ns", seconds * 1e9 / routine.elements() as f64),
                };
            }
            // A closed output is not an error.
            let _ = writeln!(stdout(), "{line}");
        }

        /// Without the papers: a long chain against a short one, per joint, on the fastest backend.
        fn long_chain(&self) {
            let name = "chain of 20,000 per joint";
            if !name.contains(&self.filter) {
                return;
            }
            let chains = [LEN, 20_000].map(|len| Spaces::new(Direction::ToModel, SkeletonShape::Chain, len));
            let mut timer = AlternatingTimer::new();
            for chain in &chains {
                let implementation = Implementation::Sinew(backend::fastest(), FloatMode::Fast);
                timer.add(chain.elements().to_string(), chain.runner(implementation));
            }
            let timings = timer.run(self.length);
            let times = 20_000.0 / LEN as f64;
            let ratio = 1.0 / (timings[1].speed * times);
            let _ = writeln!(stdout(), "{name:<28} {ratio:.2} times the time of the chain of {LEN}");
        }
    }
}
