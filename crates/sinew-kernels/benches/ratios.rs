//! Every instruction set against the papers' SSE2 methods, alternating in one process.
//!
//! `cargo bench -p sinew-kernels --features papers --bench ratios`, with a part of a kernel's name to time only some.
//! Each figure is the median over the rounds of time of the papers' method / time of the row, with the quartiles; "/r"
//! is reproducible mode. `sinew bench` measures the same routines, with more around them.

#[cfg(not(target_arch = "x86_64"))]
fn main() {}

#[cfg(target_arch = "x86_64")]
fn main() {
    ratios::main();
}

#[cfg(target_arch = "x86_64")]
mod ratios {
    use std::io::{Write, stdout};

    use sinew_kernels::{FloatMode, backend};
    use sinew_testkit::rigs::Shape;
    use sinew_testkit::routines::{
        self, CrowdSpaces, Method, Palettes, Planes, Routine, Spaces, ToJoints, ToMatrices, Way,
    };
    use sinew_testkit::timer::{Length, Race, Timing};

    const LEN: usize = 1024;

    pub(super) fn main() {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        // `cargo bench` says so; `cargo test` only wants to see it run.
        let measure = arguments.iter().any(|argument| argument == "--bench");
        let wanted =
            arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
        let table = Table { length: if measure { Length::FULL } else { Length::SMOKE }, wanted };
        table.line("joints to matrices", &ToMatrices::new(LEN));
        table.line("matrices to joints", &ToJoints::new(LEN));
        for (name, shape) in [("chain", Shape::Chain), ("figures", Shape::Figures)] {
            table.line(&format!("local to model, {name}"), &Spaces::new(Way::ToModel, shape, LEN));
            table.line(&format!("model to local, {name}"), &Spaces::new(Way::ToLocal, shape, LEN));
        }
        table.line("palette of 124", &Palettes::new(124));
        table.line("local to model, crowd", &CrowdSpaces::new(66));
        table.line("planes", &Planes::new(LEN));
        table.long_chain();
    }

    /// Prints a line per kernel.
    struct Table {
        length: Length,
        wanted: String,
    }

    impl Table {
        fn line(&self, name: &str, routine: &dyn Routine) {
            if !name.contains(&self.wanted) {
                return;
            }
            let methods: Vec<Method> = Method::present()
                .into_iter()
                .filter(|method| !matches!(method, Method::Plain | Method::Sse3))
                .collect();
            let mut line = format!("{name:<28}");
            for (method, timing) in routines::race(routine, &methods, self.length) {
                let Timing { seconds, speed, spread: (low, high), .. } = timing;
                line += &match method {
                    Method::Sinew(row, float_mode) => {
                        let suffix = if float_mode == FloatMode::Reproducible { "/r" } else { "" };
                        format!("  {}{suffix} {speed:.2} ({low:.2}-{high:.2})", row.name())
                    }
                    _ => format!(" papers {:.2} ns", seconds * 1e9 / routine.elements() as f64),
                };
            }
            // Nobody is left to tell when the output is closed.
            let _ = writeln!(stdout(), "{line}");
        }

        /// Not against the papers: a long chain against a short one, per joint, both on the row in use.
        fn long_chain(&self) {
            let name = "chain of 20,000 per joint";
            if !name.contains(&self.wanted) {
                return;
            }
            let chains = [LEN, 20_000].map(|len| Spaces::new(Way::ToModel, Shape::Chain, len));
            let mut race = Race::new();
            for chain in &chains {
                let method = Method::Sinew(backend::fastest(), FloatMode::Fast);
                race.add(chain.elements().to_string(), chain.contender(method));
            }
            let timings = race.run(self.length);
            let times = 20_000.0 / LEN as f64;
            let ratio = 1.0 / (timings[1].speed * times);
            let _ = writeln!(stdout(), "{name:<28} {ratio:.2} times the time of the chain of {LEN}");
        }
    }
}
