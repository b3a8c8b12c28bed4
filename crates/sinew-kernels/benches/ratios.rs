//! Every instruction set against the papers' SSE2 methods, alternating in one process.
//!
//! `cargo bench -p sinew-kernels --features papers --bench ratios`, with a part of a kernel's name to time only some.
//! Each figure is the median over the rounds of time of the papers' method / time of the row, with the quartiles; "/r"
//! is reproducible rounding.

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

    use sinew_kernels::papers::{LitPoint, Parents, TriangleList, sse2};
    use sinew_kernels::{
        BLOCK, CrowdLocalToModel, Joint, JointsToMatrices, Kernels, LocalToModel, MatricesToJoints, Matrix,
        MatrixBlock, ModelToLocal, Plane, PlaneNormals, Rounding, Scale, ToPalette, ToPlanes, TrianglePoints,
        Triangles, VectorBlock, isa,
    };
    use sinew_testkit::random::Random;
    use sinew_testkit::rigs::{self, Shape};
    use sinew_testkit::timer::{Length, Race, Timing};

    const LEN: usize = 1024;
    const PALETTE: usize = 124;

    pub(super) fn main() {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        // `cargo bench` says so; `cargo test` only wants to see it run.
        let measure = arguments.iter().any(|argument| argument == "--bench");
        let wanted =
            arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
        let table = Table { length: if measure { Length::FULL } else { Length::SMOKE }, wanted };
        table.conversions();
        for (name, shape) in [("chain", Shape::Chain), ("figures", Shape::Figures)] {
            table.spaces(name, shape);
        }
        table.palette();
        table.crowd();
        table.planes();
        table.long_chain();
    }

    /// Prints a line per kernel.
    struct Table {
        length: Length,
        wanted: String,
    }

    /// Input, output and the papers' method on one side, a row's kernel on the other: both on the same memory.
    trait Duel {
        fn papers(&mut self);
        fn row(&mut self, kernels: &Kernels);
    }

    impl Table {
        fn line(&self, name: &str, elements: usize, duel: impl Fn() -> Box<dyn Duel>) {
            if !name.contains(&self.wanted) {
                return;
            }
            let mut race = Race::new();
            let mut papers = duel();
            race.add("papers", move || papers.papers());
            for row in isa::rows() {
                for (rounding, suffix) in [(Rounding::Fast, ""), (Rounding::Reproducible, "/r")] {
                    let (mut own, kernels) = (duel(), row.kernels(rounding));
                    race.add(format!("{}{suffix}", row.name()), move || own.row(kernels));
                }
            }
            self.print(name, elements, &race.run(self.length));
        }

        fn print(&self, name: &str, elements: usize, timings: &[Timing]) {
            let mut line = format!("{name:<28}");
            for (i, timing) in timings.iter().enumerate() {
                line += &match i {
                    0 => format!(" papers {:.2} ns", timing.seconds * 1e9 / elements as f64),
                    _ => {
                        let Timing { name, speed, spread: (low, high), .. } = timing;
                        format!("  {name} {speed:.2} ({low:.2}-{high:.2})")
                    }
                };
            }
            // Nobody is left to tell when the output is closed.
            let _ = writeln!(stdout(), "{line}");
        }

        fn conversions(&self) {
            let joints = rigs::joints(LEN, &mut Random::new(1));
            let matrices: Vec<Matrix> =
                joints.iter().map(|joint| Matrix::from_joint(joint, Scale::ONE)).collect();
            let conversion = || Conversion { joints: joints.clone(), matrices: matrices.clone() };
            self.line("joints to matrices", LEN, || Box::new(ToMatrices(conversion())));
            self.line("matrices to joints", LEN, || Box::new(ToJoints(conversion())));
        }

        fn spaces(&self, name: &str, shape: Shape) {
            let duel = || {
                let mut parents = rigs::parents(shape, LEN, &mut Random::new(2));
                // The papers' loop knows no roots but the first joint.
                for (joint, parent) in parents.iter_mut().enumerate().skip(1) {
                    *parent = (*parent).min(joint as u32 - 1);
                }
                Space::new(parents)
            };
            self.line(&format!("local to model, {name}"), LEN, || Box::new(Forth(duel())));
            self.line(&format!("model to local, {name}"), LEN, || Box::new(Back(duel())));
        }

        fn palette(&self) {
            let models = rigs::rigid_matrices(PALETTE, &mut Random::new(3));
            let binds = rigs::rigid_matrices(PALETTE, &mut Random::new(4));
            self.line(&format!("palette of {PALETTE}"), PALETTE, || {
                let order = (0..PALETTE as u32).collect();
                Box::new(Palettes {
                    models: models.clone(),
                    order,
                    binds: binds.clone(),
                    palette: models.clone(),
                })
            });
        }

        fn crowd(&self) {
            const JOINTS: usize = 66;
            self.line("local to model, crowd", JOINTS * BLOCK, || {
                let space = Space::new(rigs::parents(Shape::Figures, JOINTS, &mut Random::new(2)));
                Box::new(Crowd { space, blocks: vec![MatrixBlock::splat(&STILL); JOINTS] })
            });
        }

        /// As many vertices as triangles, as the paper has it.
        fn planes(&self) {
            for form in [PointForm::Padded, PointForm::Packed, PointForm::Blocks] {
                for (width, wide) in [("16", false), ("32", true)] {
                    self.line(&format!("planes, {form:?}, {width}-bit"), LEN, || {
                        Box::new(Surface::new(form, wide, PlaneNormals::Unit))
                    });
                }
            }
            self.line("planes, Padded, as long as area", LEN, || {
                Box::new(Surface::new(PointForm::Padded, true, PlaneNormals::TwiceArea))
            });
        }

        /// Not against the papers: a long chain against a short one, per joint, both on the row in use.
        fn long_chain(&self) {
            let name = "chain of 20,000 per joint";
            if !name.contains(&self.wanted) {
                return;
            }
            let kernels = isa::detected().kernels(Rounding::Fast);
            let mut race = Race::new();
            for len in [LEN, 20_000] {
                let parents = rigs::parents(Shape::Chain, len, &mut Random::new(2));
                let mut forth = Forth(Space::new(parents));
                race.add(format!("{len}"), move || forth.row(kernels));
            }
            let timings = race.run(self.length);
            let times = 20_000.0 / LEN as f64;
            let ratio = 1.0 / (timings[1].speed * times);
            let _ = writeln!(stdout(), "{name:<28} {ratio:.2} times the time of the chain of {LEN}");
        }
    }

    /// A third of a turn, exactly: multiplied in place however often, nothing grows or vanishes.
    const STILL: Matrix = Matrix { rows: [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]] };

    struct Conversion {
        joints: Vec<Joint>,
        matrices: Vec<Matrix>,
    }

    struct ToMatrices(Conversion);

    impl Duel for ToMatrices {
        fn papers(&mut self) {
            sse2::joints_to_matrices(black_box(&self.0.joints), &mut self.0.matrices);
        }
        fn row(&mut self, kernels: &Kernels) {
            let Conversion { joints, matrices } = &mut self.0;
            kernels.joints_to_matrices(JointsToMatrices {
                joints: black_box(joints),
                scales: None,
                matrices,
            });
        }
    }

    struct ToJoints(Conversion);

    impl Duel for ToJoints {
        fn papers(&mut self) {
            sse2::matrices_to_joints(black_box(&self.0.matrices), &mut self.0.joints);
        }
        fn row(&mut self, kernels: &Kernels) {
            let Conversion { joints, matrices } = &mut self.0;
            kernels.matrices_to_joints(MatricesToJoints { matrices: black_box(matrices), joints });
        }
    }

    struct Space {
        parents: &'static [u32],
        /// What the papers' loop needs to know is checked once, outside the time.
        checked: Parents<'static>,
        matrices: Vec<Matrix>,
    }

    impl Space {
        fn new(parents: Vec<u32>) -> Self {
            let matrices = vec![STILL; parents.len()];
            let parents: &'static [u32] = parents.leak();
            Self { parents, checked: Parents::new(parents, 1..parents.len()), matrices }
        }
    }

    struct Forth(Space);

    impl Duel for Forth {
        fn papers(&mut self) {
            sse2::local_to_model(black_box(&self.0.checked), &mut self.0.matrices);
        }
        fn row(&mut self, kernels: &Kernels) {
            let Space { parents, matrices, .. } = &mut self.0;
            kernels.local_to_model(LocalToModel {
                parents: black_box(parents),
                range: 0..matrices.len(),
                matrices,
            });
        }
    }

    struct Back(Space);

    impl Duel for Back {
        fn papers(&mut self) {
            sse2::model_to_local(black_box(&self.0.checked), &mut self.0.matrices);
        }
        fn row(&mut self, kernels: &Kernels) {
            let Space { parents, matrices, .. } = &mut self.0;
            let range = 0..matrices.len();
            kernels.rigid_model_to_local(ModelToLocal { parents: black_box(parents), range, matrices });
        }
    }

    struct Palettes {
        models: Vec<Matrix>,
        order: Vec<u32>,
        binds: Vec<Matrix>,
        palette: Vec<Matrix>,
    }

    impl Duel for Palettes {
        fn papers(&mut self) {
            sse2::palette(black_box(&self.models), &self.binds, &mut self.palette);
        }
        fn row(&mut self, kernels: &Kernels) {
            kernels.palette(ToPalette {
                models: black_box(&self.models),
                joints: &self.order,
                inverse_binds: &self.binds,
                palette: &mut self.palette,
            });
        }
    }

    /// How vertices lie in memory.
    #[derive(Clone, Copy, Debug)]
    enum PointForm {
        Padded,
        Packed,
        Blocks,
    }

    struct Surface {
        form: PointForm,
        normals: PlaneNormals,
        lit: Vec<LitPoint>,
        checked: TriangleList<'static>,
        triangles: Triangles,
        packed: Vec<[f32; 3]>,
        padded: Vec<[f32; 4]>,
        blocks: Vec<VectorBlock>,
        scratch: Vec<[f32; 4]>,
        planes: Vec<Plane>,
    }

    impl Surface {
        fn new(form: PointForm, wide: bool, normals: PlaneNormals) -> Self {
            let random = &mut Random::new(5);
            let packed: Vec<[f32; 3]> = (0..LEN).map(|_| random.vector(2.0)).collect();
            let padded: Vec<[f32; 4]> = packed.iter().map(|&[x, y, z]| [x, y, z, 0.0]).collect();
            let mut blocks = vec![VectorBlock::default(); LEN / BLOCK];
            for (i, &point) in packed.iter().enumerate() {
                blocks[i / BLOCK].set_vector(i % BLOCK, point);
            }
            let indices: Vec<[u32; 3]> = (0..LEN).map(|_| [0; 3].map(|_| random.below(LEN) as u32)).collect();
            let triangles =
                if wide { Triangles::from(indices.clone()) } else { Triangles::narrowest(&indices) };
            Self {
                form,
                normals,
                lit: padded.iter().map(|&position| LitPoint { position, normal: [0.0; 4] }).collect(),
                checked: TriangleList::new(indices.leak()),
                triangles,
                packed,
                scratch: padded.clone(),
                padded,
                blocks,
                planes: vec![Plane::NONE; LEN],
            }
        }
    }

    impl Duel for Surface {
        fn papers(&mut self) {
            sse2::triangle_planes(black_box(&self.checked), &self.lit, &mut self.planes);
        }
        fn row(&mut self, kernels: &Kernels) {
            let points = match self.form {
                PointForm::Padded => TrianglePoints::Padded(black_box(&self.padded)),
                PointForm::Packed => TrianglePoints::Packed(black_box(&self.packed)),
                PointForm::Blocks => TrianglePoints::Blocks {
                    blocks: black_box(&self.blocks),
                    vectors: 1,
                    scratch: &mut self.scratch,
                },
            };
            let (triangles, planes) = (&self.triangles, &mut self.planes);
            kernels.planes(ToPlanes { points, triangles, range: 0..LEN, normals: self.normals, planes });
        }
    }

    /// The papers' method eight times over, the crowd form once.
    struct Crowd {
        space: Space,
        blocks: Vec<MatrixBlock>,
    }

    impl Duel for Crowd {
        fn papers(&mut self) {
            for _ in 0..BLOCK {
                sse2::local_to_model(black_box(&self.space.checked), &mut self.space.matrices);
            }
        }
        fn row(&mut self, kernels: &Kernels) {
            kernels.crowd_local_to_model(CrowdLocalToModel {
                parents: black_box(self.space.parents),
                range: 0..self.blocks.len(),
                matrices: &mut self.blocks,
            });
        }
    }
}
