//! Skinning on every instruction set against the papers' SSE2 methods and a copy of the same bytes, alternating in
//! one process.
//!
//! `cargo bench -p sinew-kernels --features papers --bench skin_ratios`, with a part of a line's name to time only some.
//! Each figure is the median over the rounds of time of the papers' method / time of the row, with the quartiles; "/r"
//! is reproducible rounding. Runs of 64 vertices; the papers' methods take the vertices in the same order.

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

    use sinew_kernels::papers::{BindPose, Influences, Vertex, WeightedPositions, sse2};
    use sinew_kernels::{
        BLOCK, BlockRow, Directions, Kernels, Matrix, Normals, Rounding, Run, SkinRuns, SkinVertices,
        VectorBlock, isa,
    };
    use sinew_testkit::random::Random;
    use sinew_testkit::rigs;
    use sinew_testkit::timer::{Length, Race, Timing};

    const RUN: usize = 64;
    const JOINTS: usize = 60;

    pub(super) fn main() {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        // `cargo bench` says so; `cargo test` only wants to see it run.
        let measure = arguments.iter().any(|argument| argument == "--bench");
        let length = if measure { Length::FULL } else { Length::SMOKE };
        let wanted =
            arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
        for vertices in [1024, if measure { 65_536 } else { RUN }] {
            for (vectors, what) in [(3, "position, normal, tangent"), (1, "position")] {
                for influences in 1..=4 {
                    let name = format!("{vertices} vertices, {what}, {influences} weights");
                    if name.contains(&wanted) {
                        let scene = Scene::new(vertices, influences, vectors);
                        print(&name, vertices, &scene.race(length));
                    }
                }
            }
        }
    }

    fn print(name: &str, vertices: usize, timings: &[Timing]) {
        let mut line = format!("{name:<54}");
        for (i, timing) in timings.iter().enumerate() {
            let Timing { name, seconds, speed, spread: (low, high) } = timing;
            line += &match i {
                0 => format!(" {name} {:.2} ns", seconds * 1e9 / vertices as f64),
                _ => format!("  {name} {speed:.2} ({low:.2}-{high:.2})"),
            };
        }
        // Nobody is left to tell when the output is closed.
        let _ = writeln!(stdout(), "{line}");
    }

    fn run(i: usize) -> Run {
        let blocks = (RUN / BLOCK) as u32;
        Run { first: i as u32 * blocks, blocks, weights: i as u32 * blocks }
    }

    /// One mesh, as runs have it and as the papers have it.
    struct Scene {
        palette: Vec<Matrix>,
        influences: usize,
        runs: Vec<Run>,
        joints: Vec<u32>,
        weights: Vec<BlockRow>,
        base: Vec<VectorBlock>,
        vectors: usize,
        bind: BindPose,
        weighted: WeightedPositions,
    }

    impl Scene {
        fn new(vertices: usize, influences: usize, vectors: usize) -> Self {
            let random = &mut Random::new(1);
            let runs = vertices / RUN;
            let joints: Vec<u32> = (0..runs * influences).map(|i| (i * 7 % JOINTS) as u32).collect();
            let mut weights = vec![BlockRow::default(); vertices / BLOCK * (influences - 1)];
            let mut base = vec![VectorBlock::default(); vertices / BLOCK * vectors];
            let mut lists = Vec::new();
            let mut plain: [Vec<[f32; 3]>; 3] = Default::default();
            for vertex in 0..vertices {
                let (block, lane) = (vertex / BLOCK, vertex % BLOCK);
                let mut left = 1.0;
                let mut list = Vec::new();
                for q in 0..influences {
                    let weight = if q + 1 == influences { left } else { left * random.fraction() };
                    left -= weight;
                    list.push((joints[vertex / RUN * influences + q], weight));
                    if q + 1 < influences {
                        weights[block * (influences - 1) + q].0[lane] = weight;
                    }
                }
                lists.push(list);
                for (v, plain) in plain.iter_mut().enumerate() {
                    plain.push(random.vector(1.0));
                    if v < vectors {
                        base[block * vectors + v].set_vector(lane, plain[vertex]);
                    }
                }
            }
            let [positions, normals, tangents] = plain;
            let binds = rigs::rigid_matrices(JOINTS, random);
            Self {
                palette: rigs::rigid_matrices(JOINTS, random),
                influences,
                runs: (0..runs).map(run).collect(),
                joints,
                weights,
                base,
                vectors,
                bind: BindPose::new(Influences::of_vertices(&lists), &positions, &normals, &tangents),
                weighted: WeightedPositions::in_bind_pose(
                    Influences::of_vertices(&lists),
                    &positions,
                    &binds,
                ),
            }
        }

        fn race(&self, length: Length) -> Vec<Timing> {
            let mut race = Race::new();
            let mut vertices = vec![Vertex::default(); self.runs.len() * RUN];
            race.add("papers", move || {
                let palette = black_box(self.palette.as_slice());
                match self.vectors {
                    1 => sse2::skin_positions(&self.weighted, palette, &mut vertices),
                    _ => sse2::skin_vertices(&self.bind, palette, &mut vertices),
                }
            });
            let mut copy = (self.base.clone(), self.weights.clone());
            race.add("copy", move || {
                // What is read and what is written, one block after the other.
                black_box(&mut copy.0).copy_from_slice(black_box(&self.base));
                black_box(&mut copy.1);
            });
            for row in isa::rows() {
                for (rounding, suffix) in [(Rounding::Fast, ""), (Rounding::Reproducible, "/r")] {
                    let (kernels, mut output) = (row.kernels(rounding), self.base.clone());
                    race.add(format!("{}{suffix}", row.name()), move || self.skin(kernels, &mut output));
                }
            }
            race.run(length)
        }

        fn skin(&self, kernels: &Kernels, output: &mut [VectorBlock]) {
            kernels.skin_runs(SkinRuns {
                palette: black_box(&self.palette),
                influences: self.influences,
                runs: &self.runs,
                joints: &self.joints,
                weights: &self.weights,
                vertices: SkinVertices {
                    base: &self.base,
                    base_vectors: self.vectors,
                    window: 0..self.base.len() / self.vectors,
                    output,
                    vectors: self.vectors,
                    directions: Directions::AsBlended,
                    normals: Normals::AsDirections,
                },
            });
        }
    }
}
