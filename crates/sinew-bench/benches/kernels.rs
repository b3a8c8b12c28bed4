//! Every kernel on every backend of this machine: time per element, 1024 elements, in a warm cache.
//!
//! `cargo bench -p sinew-bench --bench kernels`, with a part of a kernel's name to time only some.
//! "/r" is the reproducible mode. For ratios to the papers' methods see `ratios.rs`.

use std::cell::RefCell;
use std::hint::black_box;
use std::io::{Write, stdout};

use sinew_bench::timer::{AlternatingTimer, Length};
use sinew_kernels::{
    BLOCK, BlendJoints, BlendLayer, BlendPart, CrowdJointsToMatrices, CrowdLocalToModel, CrowdToPalette,
    DirectionLength, DualJoints, DualQuaternion, Factor, FloatMode, Interpolate, Joint, JointsToMatrices,
    Kernels, LocalToModel, MatricesToJoints, MatricesToScaledJoints, Matrix, MatrixBlock, ModelToLocal,
    NormalTransform, PaletteToDualQuaternions, Plane, PlaneNormals, Scale, SkinDualQuaternions,
    SkinPreWeighted, SkinSharedJoints, SkinVertices, SlerpRotations, ToAngles, ToFacing, ToPalette, ToPlanes,
    TrianglePoints, Triangles, VectorBlock, backend,
};
use sinew_testkit::dual_quaternions::DualQuaternionInput;
use sinew_testkit::pre_weighted::PreWeightedInput;
use sinew_testkit::random::Random;
use sinew_testkit::rigs::{self, SkeletonShape};
use sinew_testkit::shared_joints::{BASE_VECTORS, SharedJointsInput};
use sinew_testkit::skin_properties::SkinInput;

const LEN: usize = 1024;

/// Prints a line per kernel.
struct Table {
    length: Length,
    filter: String,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo bench` passes this; `cargo test` only runs it once.
    let measure = arguments.iter().any(|argument| argument == "--bench");
    let filter = arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default();
    kernels(&Table { length: if measure { Length::FULL } else { Length::SMOKE }, filter });
}

fn kernels(table: &Table) {
    let mut random = Random::new(1);
    let mut rig = Rig::new(&mut random);
    bench(table, "joints_to_matrices", LEN, |k| rig.joints_to_matrices(k, false));
    bench(table, "joints_to_matrices, scaled", LEN, |k| rig.joints_to_matrices(k, true));
    bench(table, "matrices_to_joints", LEN, |k| rig.matrices_to_joints(k));
    bench(table, "matrices_to_scaled_joints", LEN, |k| rig.matrices_to_scaled_joints(k));
    for (name, parents) in
        [("chain", parents(SkeletonShape::Chain, LEN)), ("figures", parents(SkeletonShape::Humanoids, LEN))]
    {
        let mut matrices = third_turns(LEN);
        bench(table, &format!("local_to_model, {name}"), LEN, |k| local_to_model(k, &parents, &mut matrices));
        bench(table, &format!("rigid_model_to_local, {name}"), LEN, |k| {
            k.rigid_model_to_local(model_to_local(&parents, &mut matrices));
        });
        bench(table, &format!("model_to_local, {name}"), LEN, |k| {
            k.model_to_local(model_to_local(&parents, &mut matrices));
        });
    }
    for len in [1, 2, 128, 1024, 20_000] {
        let (parents, mut matrices) = (parents(SkeletonShape::Chain, len), third_turns(len));
        bench(table, &format!("local_to_model, chain of {len}"), len, |k| {
            local_to_model(k, &parents, &mut matrices);
        });
    }
    bench(table, "palette", LEN, |k| rig.palette(k));
    bench(table, "nlerp", LEN, |k| k.nlerp(rig.interpolate()));
    bench(table, "slerp", LEN, |k| k.slerp(rig.interpolate()));
    let [from, to] = [&rig.joints, &rig.others]
        .map(|joints| joints.iter().map(|joint| joint.rotation).collect::<Vec<_>>());
    let mut rotations = from.clone();
    bench(table, "slerp_rotations", LEN, |k| {
        let (from, factor) = (black_box(&*from), Factor::All(0.3));
        k.slerp_rotations(SlerpRotations { from, to: &to, factor, rotations: &mut rotations });
    });
    bench(table, "blend_joints, two layers", LEN, |k| rig.blend(k));
    crowd(table, &rig);
    bench(table, "palette_to_dual_quaternions", LEN, |k| rig.palette_to_dual_quaternions(k));
    skin(table, &mut random);
    skin_dual_quaternions(table, &mut random);
    triangles(table, &mut random);
}

/// Compares all backends and float modes: nanoseconds per element.
fn bench(table: &Table, name: &str, elements: usize, run: impl FnMut(&'static Kernels)) {
    if !name.contains(&table.filter) {
        return;
    }
    let run = RefCell::new(run);
    let mut timer = AlternatingTimer::new();
    for row in backend::available() {
        for (float_mode, suffix) in [(FloatMode::Fast, ""), (FloatMode::Reproducible, "/r")] {
            let kernels = row.kernels(float_mode);
            timer.add(format!("{}{suffix}", row.name()), || run.borrow_mut()(kernels));
        }
    }
    let mut line = format!("{name:<48}");
    for timing in timer.run(table.length) {
        line += &format!("  {} {:.2}", timing.name, timing.seconds * 1e9 / elements as f64);
    }
    // A closed output is not an error.
    let _ = writeln!(stdout(), "{line}");
}

fn parents(shape: SkeletonShape, len: usize) -> Vec<u32> {
    rigs::parents(shape, len, &mut Random::new(2))
}

/// Rotations by an exact third of a turn: their products in place neither grow nor vanish.
fn third_turns(len: usize) -> Vec<Matrix> {
    vec![Matrix { rows: [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]] }; len]
}

fn local_to_model(kernels: &Kernels, parents: &[u32], matrices: &mut [Matrix]) {
    kernels.local_to_model(LocalToModel { parents: black_box(parents), range: 0..matrices.len(), matrices });
}

fn model_to_local<'a>(parents: &'a [u32], matrices: &'a mut [Matrix]) -> ModelToLocal<'a> {
    ModelToLocal { parents: black_box(parents), range: 0..matrices.len(), matrices }
}

/// Inputs and outputs of the batch kernels.
struct Rig {
    joints: Vec<Joint>,
    others: Vec<Joint>,
    scales: Vec<Scale>,
    matrices: Vec<Matrix>,
    order: Vec<u32>,
    joints_out: Vec<Joint>,
    scales_out: Vec<Scale>,
    matrices_out: Vec<Matrix>,
    residuals: Vec<f32>,
    duals: Vec<DualQuaternion>,
}

impl Rig {
    fn new(random: &mut Random) -> Self {
        let joints = rigs::joints(LEN, random);
        Self {
            others: rigs::joints(LEN, random),
            scales: rigs::scales(LEN, random),
            matrices: joints.iter().map(|joint| Matrix::from_joint(joint, Scale::ONE)).collect(),
            order: (0..LEN as u32).collect(),
            joints_out: vec![Joint::IDENTITY; LEN],
            scales_out: vec![Scale::ONE; LEN],
            matrices_out: vec![Matrix::IDENTITY; LEN],
            residuals: vec![0.0; LEN],
            duals: vec![DualQuaternion::IDENTITY; LEN],
            joints,
        }
    }

    fn joints_to_matrices(&mut self, kernels: &Kernels, scaled: bool) {
        let scales = scaled.then_some(self.scales.as_slice());
        let matrices = &mut self.matrices_out;
        kernels.joints_to_matrices(JointsToMatrices { joints: black_box(&self.joints), scales, matrices });
    }

    fn blend(&mut self, kernels: &Kernels) {
        let layer = |joints, share| BlendLayer { joints, scales: &[], weight: Factor::All(share) };
        let layers = &[layer(black_box(&self.joints), 0.3), layer(&self.others, 0.7)];
        let joints = &mut self.joints_out;
        kernels.blend_joints(BlendJoints { layers, part: BlendPart::All, joints, scales: None });
    }

    fn matrices_to_joints(&mut self, kernels: &Kernels) {
        let joints = &mut self.joints_out;
        kernels.matrices_to_joints(MatricesToJoints { matrices: black_box(&self.matrices), joints });
    }

    fn matrices_to_scaled_joints(&mut self, kernels: &Kernels) {
        kernels.matrices_to_scaled_joints(MatricesToScaledJoints {
            matrices: black_box(&self.matrices),
            joints: &mut self.joints_out,
            scales: &mut self.scales_out,
            residuals: &mut self.residuals,
        });
    }

    fn palette(&mut self, kernels: &Kernels) {
        kernels.palette(ToPalette {
            models: black_box(&self.matrices),
            joints: &self.order,
            inverse_binds: &self.matrices,
            palette: &mut self.matrices_out,
        });
    }

    fn palette_to_dual_quaternions(&mut self, kernels: &Kernels) {
        kernels.palette_to_dual_quaternions(PaletteToDualQuaternions {
            palette: black_box(&self.matrices),
            dual_quaternions: &mut self.duals,
            scale_shears: &mut self.matrices_out,
            max_deviation: &mut self.residuals[0],
        });
    }

    fn interpolate(&mut self) -> Interpolate<'_> {
        Interpolate {
            from: black_box(&self.joints),
            to: &self.others,
            factor: Factor::All(0.3),
            joints: &mut self.joints_out,
            scales: None,
        }
    }
}

/// Eight humanoids of 64 joints; elements are the joints of all.
fn crowd(table: &Table, rig: &Rig) {
    const JOINTS: usize = 64;
    let parents = parents(SkeletonShape::Humanoids, JOINTS);
    let instances: [&[Joint]; BLOCK] = std::array::from_fn(|i| &rig.joints[JOINTS * i..][..JOINTS]);
    let mut blocks = vec![MatrixBlock::IDENTITY; JOINTS];
    bench(table, "crowd_joints_to_matrices", JOINTS * BLOCK, |k| {
        k.crowd_joints_to_matrices(CrowdJointsToMatrices {
            joints: black_box(instances),
            scales: None,
            matrices: &mut blocks,
        });
    });
    blocks.fill(MatrixBlock::splat(&third_turns(1)[0]));
    bench(table, "crowd_local_to_model", JOINTS * BLOCK, |k| {
        let contract =
            CrowdLocalToModel { parents: black_box(&parents), range: 0..JOINTS, matrices: &mut blocks };
        k.crowd_local_to_model(contract);
    });
    let mut palettes = vec![Matrix::IDENTITY; JOINTS * BLOCK];
    bench(table, "crowd_palette", JOINTS * BLOCK, |k| {
        let mut rest = palettes.chunks_mut(JOINTS);
        let mut palettes: [&mut [Matrix]; BLOCK] = std::array::from_fn(|_| rest.next().unwrap_or_default());
        k.crowd_palette(CrowdToPalette {
            models: black_box(&blocks),
            joints: &rig.order[..JOINTS],
            inverse_binds: &rig.matrices[..JOINTS],
            palettes: &mut palettes,
        });
    });
}

/// Vertices in runs of 64: positions alone, and with normals and tangents.
fn skin(table: &Table, random: &mut Random) {
    const RUN: usize = 64;
    for influences in [1, 2, 4, 6] {
        let runs =
            SharedJointsInput::from_run_lengths(vec![(RUN / BLOCK) as u32; LEN / RUN], influences, random);
        for (what, vectors) in [("positions", 1), ("with normals and tangents", 3)] {
            let mut output = vec![VectorBlock::default(); runs.blocks() * vectors];
            bench(table, &format!("skin_shared_joints, {influences} influences, {what}"), LEN, |k| {
                k.skin_shared_joints(SkinSharedJoints {
                    palette: black_box(&runs.palette),
                    influences,
                    runs: &runs.runs,
                    joints: &runs.joints,
                    weights: &runs.weights,
                    vertices: SkinVertices {
                        base: &runs.base,
                        base_vectors: BASE_VECTORS,
                        window: 0..runs.blocks(),
                        output: &mut output,
                        vectors,
                        directions: DirectionLength::AsBlended,
                        normals: NormalTransform::BlendedMatrix,
                    },
                });
            });
            let weighted = PreWeightedInput::from_shared_joints(&runs);
            bench(table, &format!("skin_pre_weighted, {influences} influences, {what}"), LEN, |k| {
                k.skin_pre_weighted(SkinPreWeighted {
                    palette: black_box(&weighted.palette),
                    influences,
                    runs: &weighted.runs,
                    joints: &weighted.joints,
                    weighted: &weighted.weighted,
                    vertices: SkinVertices {
                        base: &weighted.base,
                        base_vectors: BASE_VECTORS,
                        window: 0..runs.blocks(),
                        output: &mut output,
                        vectors,
                        directions: DirectionLength::AsBlended,
                        normals: NormalTransform::BlendedMatrix,
                    },
                });
            });
        }
    }
}

/// Dual quaternion skinning of vertices in runs of 64 with normals and tangents: shared joints,
/// with scale, with a mix weight, and per-vertex joints.
fn skin_dual_quaternions(table: &Table, random: &mut Random) {
    const RUN: usize = 64;
    for influences in [1, 2, 4, 6] {
        let mut runs =
            SharedJointsInput::from_run_lengths(vec![(RUN / BLOCK) as u32; LEN / RUN], influences, random);
        // The joints of a figure are not half a turn apart.
        for matrix in &mut runs.palette {
            *matrix = near_rest(random);
        }
        let rigid = DualQuaternionInput::rigid(runs.clone());
        let palette = runs.palette.clone();
        let stretched = DualQuaternionInput::with_scale(runs, palette);
        let mixed = rigid.clone().with_random_mix(random);
        let own = rigid.clone().with_random_per_vertex_joints(random);
        let mut output = vec![VectorBlock::default(); 3 * rigid.runs.blocks()];
        for (what, duals, sets) in [
            ("rigid", &rigid, true),
            ("stretched", &stretched, true),
            ("mixed", &mixed, true),
            ("own joints", &own, false),
        ] {
            let (joints, weights) = if sets {
                (DualJoints::Shared(&duals.runs.joints), &duals.runs.weights)
            } else {
                (DualJoints::PerVertex(&duals.per_vertex_joints), &duals.per_vertex_weights)
            };
            bench(table, &format!("skin_dual_quaternions, {influences} influences, {what}"), LEN, |k| {
                k.skin_dual_quaternions(SkinDualQuaternions {
                    palette: black_box(&duals.runs.palette),
                    dual_quaternions: &duals.duals,
                    scale_shears: duals.scale_shears.as_deref(),
                    influences,
                    runs: &duals.runs.runs,
                    joints,
                    weights,
                    mix: duals.mix.as_deref(),
                    vertices: SkinVertices {
                        base: &duals.runs.base,
                        base_vectors: BASE_VECTORS,
                        window: 0..duals.runs.blocks(),
                        output: &mut output,
                        vectors: 3,
                        directions: DirectionLength::AsBlended,
                        normals: NormalTransform::BlendedMatrix,
                    },
                });
            });
        }
    }
}

/// A rotation by up to a third of a turn.
fn near_rest(random: &mut Random) -> Matrix {
    let [x, y, z] = random.vector(0.5).map(f64::from);
    Matrix::from_joint(&Joint::new(rigs::unit([x, y, z, 1.0]), random.vector(2.0)), Scale::ONE)
}

/// Half as many vertices as triangles, as in closed surfaces.
fn triangles(table: &Table, random: &mut Random) {
    let points: Vec<[f32; 4]> = (0..LEN / 2)
        .map(|_| {
            let [x, y, z] = random.vector(2.0);
            [x, y, z, 0.0]
        })
        .collect();
    let triangles =
        Triangles::from((0..LEN).map(|_| [0; 3].map(|_| random.below(LEN / 2) as u16)).collect::<Vec<_>>());
    let (mut planes, mut angles) = (vec![Plane::NONE; LEN], vec![[0.0; 4]; LEN]);
    for normals in [PlaneNormals::Unit, PlaneNormals::TwiceArea] {
        bench(table, &format!("planes, {normals:?}"), LEN, |k| {
            let (points, planes) = (TrianglePoints::Padded(black_box(&points)), &mut planes);
            k.planes(ToPlanes { points, triangles: &triangles, range: 0..LEN, normals, planes });
        });
    }
    bench(table, "corner_angles", LEN, |k| {
        let (points, angles) = (TrianglePoints::Padded(black_box(&points)), &mut angles);
        k.corner_angles(ToAngles { points, triangles: &triangles, range: 0..LEN, angles });
    });
    let mut words = [0; LEN / 64];
    bench(table, "facing", LEN, |k| {
        k.facing(ToFacing { planes: black_box(&planes), light: [1.0, 2.0, 3.0, 1.0], words: &mut words });
    });
}
