//! Every kernel on every backend of this machine: time per element, 1024 elements, in a warm cache.
//!
//! `cargo bench -p sinew-bench --bench kernels`, with a part of a kernel's name to time only some.
//! "/r" is the reproducible mode. For ratios to the papers' methods see `ratios.rs`.

use std::cell::RefCell;
use std::hint::black_box;
use std::io::{Write, stdout};

use sinew_bench::timer::{AlternatingTimer, Length};
use sinew_kernels::*;
use sinew_testkit::dual_quaternions::DualQuaternionInput;
use sinew_testkit::pose_blocks::{PoseArrays, rotation_key_blocks};
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
    poses(table, &rig);
    springs(table);
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
    for available in backend::available() {
        for (float_mode, suffix) in [(FloatMode::Fast, ""), (FloatMode::Reproducible, "/r")] {
            let kernels = available.kernels(float_mode);
            timer.add(format!("{}{suffix}", available.name()), || run.borrow_mut()(kernels));
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
    order: JointList,
    joints_out: Vec<Joint>,
    scales_out: Vec<Scale>,
    matrices_out: Vec<Matrix>,
    residuals: Vec<f32>,
    dual_quaternions: Vec<DualQuaternion>,
}

impl Rig {
    fn new(random: &mut Random) -> Self {
        let joints = rigs::joints(LEN, random);
        Self {
            others: rigs::joints(LEN, random),
            scales: rigs::scales(LEN, random),
            matrices: joints.iter().map(|joint| Matrix::from_joint(joint, Scale::ONE)).collect(),
            order: (0..LEN as u32).collect::<Vec<_>>().into(),
            joints_out: vec![Joint::IDENTITY; LEN],
            scales_out: vec![Scale::ONE; LEN],
            matrices_out: vec![Matrix::IDENTITY; LEN],
            residuals: vec![0.0; LEN],
            dual_quaternions: vec![DualQuaternion::IDENTITY; LEN],
            joints,
        }
    }

    fn joints_to_matrices(&mut self, kernels: &Kernels, scaled: bool) {
        let scales = scaled.then_some(self.scales.as_slice());
        let matrices = &mut self.matrices_out;
        kernels.joints_to_matrices(JointsToMatrices { joints: black_box(&self.joints), scales, matrices });
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
            dual_quaternions: &mut self.dual_quaternions,
            scale_shears: &mut self.matrices_out,
            max_deviation: &mut self.residuals[0],
        });
    }
}

/// Poses in blocks of eight joints.
fn poses(table: &Table, rig: &Rig) {
    let one = PoseArrays::new(&rig.joints, &rig.scales);
    let other = PoseArrays::new(&rig.others, &rig.scales);
    let mut pose = one.clone();
    bench(table, "slerp_poses, with scales", LEN, |k| {
        k.slerp_poses(SlerpPoses {
            from: black_box(&one).blocks(),
            to: other.blocks(),
            factor: Factor::All(0.3),
            rotations: &mut pose.rotations,
            translations: &mut pose.translations,
            scales: &mut pose.scales,
        });
    });
    for (name, scaled) in [("blend_poses, two layers", false), ("blend_poses, two layers, scales", true)] {
        bench(table, name, LEN, |k| {
            let layers = &[
                BlendLayer { pose: black_box(&one).blocks(), weight: Factor::All(0.3) },
                BlendLayer { pose: other.blocks(), weight: Factor::All(0.7) },
            ];
            k.blend_poses(BlendPoses {
                layers,
                part: BlendPart::All,
                joints: BLOCK * pose.rotations.len(),
                rotations: &mut pose.rotations,
                translations: &mut pose.translations,
                scales: if scaled { &mut pose.scales } else { &mut [] },
            });
        });
    }
    for (name, scaled) in [("blend_two_poses", false), ("blend_two_poses, scales", true)] {
        bench(table, name, LEN, |k| {
            k.blend_two_poses(BlendTwoPoses {
                one: black_box(&one).blocks(),
                other: other.blocks(),
                weights: [&0.3, &0.7],
                joints: BLOCK * pose.rotations.len(),
                rotations: &mut pose.rotations,
                translations: &mut pose.translations,
                scales: if scaled { &mut pose.scales } else { &mut [] },
            });
        });
    }
    for (name, scaled) in [("add_poses", false), ("add_poses, scales", true)] {
        let unscaled = |pose| if scaled { pose } else { PoseBlocks { scales: &[], ..pose } };
        bench(table, name, LEN, |k| {
            k.add_poses(AddPoses {
                pose: unscaled(black_box(&one).blocks()),
                reference: unscaled(other.blocks()),
                weight: Factor::All(0.3),
                rotations: &mut pose.rotations,
                translations: &mut pose.translations,
                scales: if scaled { &mut pose.scales } else { &mut [] },
            });
        });
        bench(table, &name.replace("add_poses", "add_pose_offsets"), LEN, |k| {
            k.add_pose_offsets(AddPoseOffsets {
                offset: unscaled(black_box(&one).blocks()),
                velocity: unscaled(other.blocks()),
                factors: [0.01, 0.01],
                rotations: &mut pose.rotations,
                translations: &mut pose.translations,
                scales: if scaled { &mut pose.scales } else { &mut [] },
            });
        });
    }
    let parents = parents(SkeletonShape::Humanoids, LEN);
    let mut matrices = vec![Matrix::IDENTITY; LEN];
    for (name, scaled) in [("pose_to_model, humanoids", false), ("pose_to_model, humanoids, scales", true)] {
        bench(table, name, LEN, |k| {
            k.pose_to_model(PoseToModel {
                rotations: black_box(&one.rotations),
                translations: &one.translations,
                scales: scaled.then_some(&one.scales[..]),
                parents: &parents,
                range: 0..LEN,
                plan: None,
                root: None,
                matrices: &mut matrices,
            });
        });
    }
    let keys = |joints: &[Joint]| rotation_key_blocks(joints.iter().map(|joint| (joint.rotation, 0.5)));
    let (from, to) = (keys(&rig.joints), keys(&rig.others));
    let target = |block| KeyTarget { block, full: true, lanes: [1.0; BLOCK] };
    let targets: Vec<_> = (0..from.len() as u32).map(target).collect();
    bench(table, "sample_rotations", LEN, |k| {
        k.sample_rotations(SampleRotations {
            from: black_box(&from),
            to: &to,
            factor: KeyFactor::All(0.3),
            targets: &targets,
            rotations: &mut pose.rotations,
        });
    });
    let chords = |keys: &[RotationKeyBlock]| -> Vec<_> { keys.iter().map(|key| key.rotation).collect() };
    let (from_chords, to_chords) = (chords(&from), chords(&to));
    bench(table, "nlerp_rotations", LEN, |k| {
        k.nlerp_rotations(NlerpRotations {
            from: black_box(&from_chords),
            to: &to_chords,
            factor: KeyFactor::All(0.3),
            targets: &targets,
            rotations: &mut pose.rotations,
        });
    });
    bench(table, "sample_vectors", LEN, |k| {
        k.sample_vectors(SampleVectors {
            from: black_box(&one.translations),
            to: &other.translations,
            factor: KeyFactor::All(0.3),
            targets: &targets,
            vectors: &mut pose.translations,
        });
    });
    bench(table, "find_stale_keys", LEN, |k| {
        for times in black_box(&one.translations[..]).chunks(BLOCK) {
            let mut stale = 0;
            k.find_stale_keys(FindStaleKeys { seconds: 0.5, times, stale: &mut stale });
            black_box(stale);
        }
    });
}

/// Eight characters with ten chains of four bones, which hang from the model. Elements are bones of
/// all characters.
fn springs(table: &Table) {
    const CHAINS: u32 = 10;
    const BONES: u32 = 4;
    let rest = SpringBone {
        rest_rotation: [0.0, 0.0, 0.0, 1.0],
        tail: [0.0, -0.06, -0.02],
        axis: [0.0, -0.949, -0.316],
        perpendicular: [1.0, 0.0, 0.0],
        stiffness: 1.0,
        gravity_power: 0.3,
        gravity_dir: [0.0, -1.0, 0.0],
        drag_force: 0.5,
        ..SpringBone::default()
    };
    let bones = (0..CHAINS * BONES).map(|bone| {
        let parent = if bone % BONES == 0 { 0 } else { bone };
        SpringStep::Bone(SpringBone { bone, parent, world: bone + 1, ..rest })
    });
    let steps: Vec<SpringStep> = bones.collect();
    let mut identity = AffineBlock::default();
    (0..BLOCK).for_each(|lane| identity.set_matrix(lane, &Matrix::IDENTITY));
    let mut worlds = vec![identity; steps.len() + 1];
    let scale = VectorBlock { rows: [[1.0; BLOCK]; 3] };
    let mut blocks = vec![SpringBoneBlock { scale, ..SpringBoneBlock::default() }; steps.len()];
    let mut starts = [true; BLOCK];
    bench(table, "simulate_springs", BLOCK * steps.len(), |k| {
        k.simulate_springs(SimulateSprings {
            plan: SpringPlan { steps: black_box(&steps), ..SpringPlan::default() },
            characters: BLOCK,
            seconds: [1.0 / 60.0; BLOCK],
            sub_steps: [1; BLOCK],
            starts,
            worlds: &mut worlds,
            locals: &[],
            bones: &mut blocks,
            colliders: &mut [],
            centers: &mut [],
        });
        starts = [false; BLOCK];
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
        for (what, input, sets) in [
            ("rigid", &rigid, true),
            ("stretched", &stretched, true),
            ("mixed", &mixed, true),
            ("own joints", &own, false),
        ] {
            let (joints, weights) = if sets {
                (DualJoints::Shared(&input.runs.joints), &input.runs.weights)
            } else {
                (DualJoints::PerVertex(&input.per_vertex_joints), &input.per_vertex_weights)
            };
            bench(table, &format!("skin_dual_quaternions, {influences} influences, {what}"), LEN, |k| {
                k.skin_dual_quaternions(SkinDualQuaternions {
                    palette: black_box(&input.runs.palette),
                    dual_quaternions: &input.dual_quaternions,
                    scale_shears: input.scale_shears.as_deref(),
                    influences,
                    runs: &input.runs.runs,
                    joints,
                    weights,
                    mix: input.mix.as_deref(),
                    vertices: SkinVertices {
                        base: &input.runs.base,
                        base_vectors: BASE_VECTORS,
                        window: 0..input.runs.blocks(),
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
