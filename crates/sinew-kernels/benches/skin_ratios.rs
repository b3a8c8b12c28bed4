//! Skinning on every instruction set against the papers' SSE2 methods and a copy of the same bytes, alternating in
//! one process.
//!
//! `cargo bench -p sinew-kernels --features papers --bench skin_ratios`, with a part of a line's name to time only some.
//! Each figure is the median over the rounds of time of the papers' method / time of the row, with the quartiles; "/r"
//! is reproducible rounding. Runs of 64 vertices; the papers' methods take the vertices in the same order.
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

    use sinew_kernels::papers::{BindPose, Influences, Vertex, WeightedPositions, sse2};
    use sinew_kernels::{
        BLOCK, BlockRow, Directions, JointRow, Kernels, Matrix, Normals, Rounding, Run, SkinCounted,
        SkinRuns, SkinVertices, SkinWeighted, VectorBlock, WeightedBlock, isa,
    };
    use sinew_testkit::random::Random;
    use sinew_testkit::rigs;
    use sinew_testkit::timer::{Length, Race, Timing};

    /// The longest first: what the papers are compared on.
    const RUNS: [usize; 3] = [64, 16, 8];
    const JOINTS: usize = 60;

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
                        let scene = Scene::new(vertices, RUNS[0], influences, vectors);
                        print(&name, vertices, &scene.race(length));
                    }
                }
            }
        }
        for run in RUNS {
            for (vectors, what) in [(3, "position, normal, tangent"), (1, "position")] {
                for influences in 1..=4 {
                    let name = format!("runs of {run}, {what}, {influences} weights");
                    if name.contains(&wanted) {
                        compare_kernels(&name, &Scene::new(1024, run, influences, vectors), length);
                    }
                }
            }
        }
    }

    /// A line for each row: its kernels on one mesh.
    fn compare_kernels(name: &str, scene: &Scene, length: Length) {
        let blocks = (scene.base.len() / scene.vectors) as f64;
        for row in isa::rows() {
            let mut line = format!("{name:<50} {:<8}", row.name());
            for Timing { name, seconds, speed, .. } in scene.race_kernels(row.kernels(Rounding::Fast), length)
            {
                line += &format!("  {name} {:6.2} ns ({:.2})", seconds * 1e9 / blocks, 1.0 / speed);
            }
            // Nobody is left to tell when the output is closed.
            let _ = writeln!(stdout(), "{line}");
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

    /// One mesh, as runs have it, as the other kernels have it and as the papers have it.
    struct Scene {
        palette: Vec<Matrix>,
        influences: usize,
        runs: Vec<Run>,
        joints: Vec<u32>,
        weights: Vec<BlockRow>,
        joint_rows: Vec<JointRow>,
        weight_rows: Vec<BlockRow>,
        weighted_blocks: Vec<WeightedBlock>,
        base: Vec<VectorBlock>,
        vectors: usize,
        bind: BindPose,
        weighted: WeightedPositions,
    }

    impl Scene {
        fn new(vertices: usize, run: usize, influences: usize, vectors: usize) -> Self {
            let random = &mut Random::new(1);
            let runs = vertices / run;
            let joints: Vec<u32> = (0..runs * influences).map(|i| (i * 7 % JOINTS) as u32).collect();
            let mut weights = vec![BlockRow::default(); vertices / BLOCK * (influences - 1)];
            let mut joint_rows = vec![JointRow::default(); vertices / BLOCK * influences];
            let mut weight_rows = vec![BlockRow::default(); vertices / BLOCK * influences];
            let mut weighted_blocks = vec![WeightedBlock::default(); vertices / BLOCK * influences];
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
                    list.push((joints[vertex / run * influences + q], weight));
                    let row = block * influences + q;
                    joint_rows[row].0[lane] = list[q].0;
                    weight_rows[row].0[lane] = weight;
                    if q + 1 < influences {
                        weights[block * (influences - 1) + q].0[lane] = weight;
                    }
                }
                for (v, plain) in plain.iter_mut().enumerate() {
                    plain.push(random.vector(1.0));
                    if v < vectors {
                        base[block * vectors + v].set_vector(lane, plain[vertex]);
                    }
                }
                let [x, y, z] = plain[0][vertex];
                for (weighted, (_, weight)) in weighted_blocks[block * influences..].iter_mut().zip(&list) {
                    for (row, component) in weighted.rows.iter_mut().zip([x, y, z, 1.0]) {
                        row[lane] = weight * component;
                    }
                }
                lists.push(list);
            }
            let [positions, normals, tangents] = plain;
            let binds = rigs::rigid_matrices(JOINTS, random);
            Self {
                palette: rigs::rigid_matrices(JOINTS, random),
                influences,
                runs: (0..runs as u32)
                    .map(|i| {
                        let blocks = (run / BLOCK) as u32;
                        Run { first: i * blocks, blocks, weights: i * blocks }
                    })
                    .collect(),
                joints,
                weights,
                joint_rows,
                weight_rows,
                weighted_blocks,
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
            let mut vertices = vec![Vertex::default(); self.base.len() / self.vectors * BLOCK];
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

        fn race_kernels(&self, kernels: &'static Kernels, length: Length) -> Vec<Timing> {
            let mut race = Race::new();
            let mut output = self.base.clone();
            race.add("runs", move || self.skin(kernels, &mut output));
            let mut output = self.base.clone();
            race.add("counted", move || self.skin_counted(kernels, &mut output));
            let mut output = self.base.clone();
            race.add("weighted", move || self.skin_weighted(kernels, &mut output));
            race.run(length)
        }

        fn skin(&self, kernels: &Kernels, output: &mut [VectorBlock]) {
            kernels.skin_runs(SkinRuns {
                palette: black_box(&self.palette),
                influences: self.influences,
                runs: &self.runs,
                joints: &self.joints,
                weights: &self.weights,
                vertices: self.vertices(output),
            });
        }

        /// All vertices have as many influences, so they are one run.
        fn skin_counted(&self, kernels: &Kernels, output: &mut [VectorBlock]) {
            let blocks = (self.base.len() / self.vectors) as u32;
            kernels.skin_counted(SkinCounted {
                palette: black_box(&self.palette),
                influences: self.influences,
                runs: &[Run { first: 0, blocks, weights: 0 }],
                joints: &self.joint_rows,
                weights: &self.weight_rows,
                vertices: self.vertices(output),
            });
        }

        fn skin_weighted(&self, kernels: &Kernels, output: &mut [VectorBlock]) {
            kernels.skin_weighted(SkinWeighted {
                palette: black_box(&self.palette),
                influences: self.influences,
                runs: &self.runs,
                joints: &self.joints,
                weighted: &self.weighted_blocks,
                vertices: self.vertices(output),
            });
        }

        fn vertices<'a>(&'a self, output: &'a mut [VectorBlock]) -> SkinVertices<'a> {
            SkinVertices {
                base: &self.base,
                base_vectors: self.vectors,
                window: 0..self.base.len() / self.vectors,
                output,
                vectors: self.vectors,
                directions: Directions::AsBlended,
                normals: Normals::AsDirections,
            }
        }
    }
}
