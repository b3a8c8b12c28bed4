//! Spring bones: against `f64`, against plain lanes bit for bit, and what a character may not
//! change of others.

use sinew_kernels::reference::{self, SpringCharacter, SpringState, algebra};
use sinew_kernels::*;
use sinew_testkit::backends::{BackendRun, Checksums, EMULATED, every_backend};
use sinew_testkit::checksum::Checksum;
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

const RIGS: u64 = if EMULATED { 4 } else { 60 };

/// What is simulated, with the memory of eight characters.
#[derive(Clone, Debug)]
struct Springs {
    inputs: Vec<u32>,
    steps: Vec<SpringStep>,
    colliders: Vec<PlannedCollider>,
    bone_colliders: Vec<u32>,
    bone_length: BoneLength,
    seconds: [f32; BLOCK],
    sub_steps: [u32; BLOCK],
    starts: [bool; BLOCK],
    worlds: Vec<AffineBlock>,
    locals: Vec<AffineBlock>,
    bones: Vec<SpringBoneBlock>,
    placed: Vec<ColliderBlock>,
    centers: Vec<AffineBlock>,
}

fn unit(random: &mut Random) -> [f32; 3] {
    loop {
        let v = random.vector(1.0).map(f64::from);
        let length = algebra::length(v);
        if length > 0.2 {
            return v.map(|component| (component / length) as f32);
        }
    }
}

/// A different matrix in each lane: turned, scaled a little, sometimes mirrored, within a meter.
fn affine_block(random: &mut Random) -> AffineBlock {
    let mut block = AffineBlock::default();
    for lane in 0..BLOCK {
        let rotation = rigs::rotation(random).map(f64::from);
        let mirror = if random.once_in(4) { -1.0 } else { 1.0 };
        for c in 0..3 {
            let mut axis = [0.0; 3];
            axis[c] = f64::from(random.between(0.8, 1.25)) * mirror;
            let column = algebra::rotate(rotation, axis);
            block.columns[c].set_vector(lane, column.map(|component| component as f32));
        }
        block.columns[3].set_vector(lane, random.vector(1.0));
    }
    block
}

fn vector_block(random: &mut Random, low: f32, high: f32) -> VectorBlock {
    VectorBlock { rows: [0; 3].map(|_| [0; BLOCK].map(|_| random.between(low, high))) }
}

fn collider_shape(random: &mut Random) -> ColliderShape {
    let (offset, inside) = (random.vector(0.5), random.once_in(3));
    let radius = if inside { random.between(0.5, 1.5) } else { random.between(0.05, 0.5) };
    match random.below(3) {
        0 => ColliderShape::Sphere { offset, radius, inside },
        1 => ColliderShape::Capsule { offset, tail: random.vector(0.5), radius, inside },
        _ => ColliderShape::Plane { offset, normal: unit(random).map(|component| 2.0 * component) },
    }
}

impl Springs {
    /// Chains below an input, with joints in between that follow, colliders on both, and a center.
    fn new(bones: usize, seed: u64) -> Self {
        let random = &mut Random::new(seed);
        let mut springs = Self {
            inputs: vec![1, 2],
            steps: Vec::new(),
            colliders: Vec::new(),
            bone_colliders: Vec::new(),
            bone_length: if random.once_in(3) { BoneLength::SinceLastStep } else { BoneLength::Constant },
            seconds: [0; BLOCK].map(|_| random.between(0.002, 0.03)),
            sub_steps: [0; BLOCK].map(|_| random.below(4) as u32),
            starts: [0; BLOCK].map(|_| random.once_in(3)),
            worlds: [0; 3].map(|_| affine_block(random)).to_vec(),
            locals: Vec::new(),
            bones: Vec::new(),
            placed: Vec::new(),
            centers: vec![AffineBlock::default()],
        };
        let center = SpringCenter { world: 2, center: 0 };
        springs.steps.push(SpringStep::Center(center));
        let mut parent = 1;
        for bone in 0..bones {
            if bone % 4 == 0 {
                parent = 1;
            }
            if random.once_in(4) {
                parent = springs.follow(parent, random);
            }
            if random.once_in(3) {
                let world = if random.once_in(2) { 2 } else { parent };
                springs.steps.push(SpringStep::Collider(springs.colliders.len() as u32));
                springs.colliders.push(PlannedCollider { shape: collider_shape(random), world });
                springs.placed.push(ColliderBlock::default());
            }
            parent = springs.bone(parent, random.once_in(3).then_some(center), random);
        }
        springs
    }

    /// The same, with bones that swing: their ends are as far from their joints as they are long,
    /// and inputs move. The direction of a bone whose end is at its joint would be undetermined.
    fn swinging(bones: usize, seed: u64) -> Self {
        let mut springs = Self::new(bones, seed);
        let random = &mut Random::new(seed + 1);
        let mut rest = springs.clone();
        (rest.starts, rest.sub_steps) = ([true; BLOCK], [2; BLOCK]);
        let plain = backend::get("plain").expect("tests have plain lanes").kernels(FloatMode::Reproducible);
        springs.bones = rest.simulated(plain, BLOCK).bones;
        for world in &mut springs.worlds[..3] {
            let moves = vector_block(random, -0.05, 0.05);
            for (row, step) in world.columns[3].rows.iter_mut().zip(moves.rows) {
                row.iter_mut().zip(step).for_each(|(component, step)| *component += step);
            }
        }
        springs
    }

    fn follow(&mut self, parent: u32, random: &mut Random) -> u32 {
        let (local, world) = (self.locals.len() as u32, self.worlds.len() as u32);
        self.locals.push(affine_block(random));
        self.worlds.push(AffineBlock::default());
        self.steps.push(SpringStep::Follow { parent, local, world });
        world
    }

    fn bone(&mut self, parent: u32, center: Option<SpringCenter>, random: &mut Random) -> u32 {
        let world = self.worlds.len() as u32;
        self.worlds.push(AffineBlock::default());
        let first = self.bone_colliders.len();
        self.bone_colliders.extend((0..self.colliders.len() as u32).rev().take(3));
        let axis = unit(random);
        let [x, y, z] = axis.map(f64::from);
        let side = if x.abs() < 0.6 { [0.0, z, -y] } else { [-z, 0.0, x] };
        let perpendicular = algebra::scaled(side, 1.0 / algebra::length(side)).map(|c| c as f32);
        let length = random.between(0.1, 0.5);
        self.steps.push(SpringStep::Bone(SpringBone {
            rest_rotation: rigs::rotation(random),
            tail: axis.map(|component| component * length),
            axis,
            perpendicular,
            hit_radius: random.between(0.0, 0.1),
            stiffness: random.between(0.0, 4.0),
            gravity_power: random.between(-0.5, 2.0),
            gravity_dir: random.vector(1.0),
            drag_force: random.fraction(),
            bone: self.bones.len() as u32,
            parent,
            world,
            colliders: [first as u32, self.bone_colliders.len() as u32],
            center,
        }));
        let tail = vector_block(random, -1.0, 1.0);
        let mut previous_tail = tail;
        for (row, step) in previous_tail.rows.iter_mut().zip(vector_block(random, -0.05, 0.05).rows) {
            row.iter_mut().zip(step).for_each(|(component, step)| *component += step);
        }
        self.bones.push(SpringBoneBlock {
            translation: vector_block(random, -0.3, 0.3),
            scale: vector_block(random, 0.8, 1.25),
            tail,
            previous_tail,
            next_joint: vector_block(random, -1.0, 1.0),
            rotation: RotationBlock { rows: [[0.5; BLOCK]; 4] },
        });
        world
    }

    fn plan(&self) -> SpringPlan<'_> {
        SpringPlan {
            inputs: &self.inputs,
            steps: &self.steps,
            colliders: &self.colliders,
            bone_colliders: &self.bone_colliders,
            bone_length: self.bone_length,
        }
    }

    /// Simulates the first characters.
    fn simulated(&self, kernels: &Kernels, characters: usize) -> Self {
        let mut after = self.clone();
        kernels.simulate_springs(SimulateSprings {
            plan: self.plan(),
            characters,
            seconds: self.seconds,
            sub_steps: self.sub_steps,
            starts: self.starts,
            worlds: &mut after.worlds,
            locals: &after.locals,
            bones: &mut after.bones,
            colliders: &mut after.placed,
            centers: &mut after.centers,
        });
        after
    }

    /// The results of a character.
    fn results(&self, lane: usize) -> impl Iterator<Item = f32> {
        self.bones.iter().flat_map(move |block| {
            let vectors = [block.tail, block.previous_tail].map(|block| block.vector(lane));
            block.rotation.rotation(lane).into_iter().chain(vectors.into_iter().flatten())
        })
    }

    fn bits(&self, lane: usize) -> Vec<u32> {
        self.results(lane).map(f32::to_bits).collect()
    }

    /// How many times larger the result's change is than that of the inputs, at least one. It is
    /// large where a collider pushes the end of a bone to its joint, which leaves no direction.
    fn sensitivity(&self, character: &SpringCharacter) -> f64 {
        const NUDGE: f64 = 1e-6;
        let random = &mut Random::new(3);
        let mut expected = character.clone();
        reference::simulate_springs(&self.plan(), &mut expected);
        let mut most: f64 = 1.0;
        for _ in 0..8 {
            let mut nudged = character.clone();
            let mut nudge = || NUDGE * f64::from(random.between(-1.0, 1.0));
            for world in &mut nudged.worlds {
                world.as_flattened_mut().iter_mut().for_each(|element| *element += nudge());
            }
            for bone in &mut nudged.bones {
                bone.tail.iter_mut().for_each(|component| *component += nudge());
            }
            reference::simulate_springs(&self.plan(), &mut nudged);
            for (bone, nudged) in expected.bones.iter().zip(&nudged.bones) {
                let changes = bone.tail.into_iter().zip(nudged.tail);
                most = changes.fold(most, |most, (a, b)| most.max((a - b).abs() / NUDGE));
            }
        }
        most
    }

    fn character(&self, lane: usize) -> SpringCharacter {
        let widen =
            |blocks: &[AffineBlock]| blocks.iter().map(|block| algebra::widen(&block.matrix(lane))).collect();
        SpringCharacter {
            seconds: f64::from(self.seconds[lane]),
            sub_steps: self.sub_steps[lane],
            starts: self.starts[lane],
            worlds: widen(&self.worlds),
            locals: widen(&self.locals),
            bones: self.bones.iter().map(|block| state(block, lane)).collect(),
        }
    }
}

fn state(block: &SpringBoneBlock, lane: usize) -> SpringState {
    let vector = |block: &VectorBlock| block.vector(lane).map(f64::from);
    SpringState {
        translation: vector(&block.translation),
        scale: vector(&block.scale),
        tail: vector(&block.tail),
        previous_tail: vector(&block.previous_tail),
        next_joint: vector(&block.next_joint),
        rotation: block.rotation.rotation(lane).map(f64::from),
    }
}

#[test]
fn springs_match_the_reference() {
    for seed in 0..RIGS {
        // One chain: errors of a bone grow from joint to joint.
        let springs = Springs::swinging(1 + (seed % 4) as usize, seed);
        every_backend(|run| {
            let found = springs.simulated(run.kernels, BLOCK);
            let mut tolerance = Tolerance::new(format!("{run}: springs of rig {seed}"));
            for lane in 0..BLOCK {
                let mut expected = springs.character(lane);
                let sensitivity = springs.sensitivity(&expected);
                reference::simulate_springs(&springs.plan(), &mut expected);
                for (index, (expected, block)) in expected.bones.iter().zip(&found.bones).enumerate() {
                    let name = format!("character {lane}, bone {index}");
                    let allowed = 1e-5 * sensitivity;
                    tolerance.all_close(&name, expected.tail, block.tail.vector(lane), allowed);
                    let previous = block.previous_tail.vector(lane);
                    tolerance.all_close(&name, expected.previous_tail, previous, allowed);
                    if springs.bone_length == BoneLength::SinceLastStep {
                        let next_joint = block.next_joint.vector(lane);
                        tolerance.all_close(&name, expected.next_joint, next_joint, allowed);
                    }
                    let rotation = block.rotation.rotation(lane);
                    tolerance.all_close(&name, expected.rotation, rotation, 4.0 * allowed);
                }
            }
            tolerance.report();
        });
    }
}

#[test]
fn both_float_modes_give_the_bits_of_plain_lanes_for_any_number_of_bones() {
    for bones in (0..=70).chain([999]).take(if EMULATED { 20 } else { 72 }) {
        let springs = Springs::new(bones, 100 + bones as u64);
        let plain = backend::get("plain").expect("tests have plain lanes").kernels(FloatMode::Reproducible);
        let expected = springs.simulated(plain, BLOCK);
        every_backend(|run| {
            let found = springs.simulated(run.kernels, BLOCK);
            for lane in 0..BLOCK {
                assert!(found.bits(lane) == expected.bits(lane), "{run}: {bones} bones, character {lane}");
            }
        });
    }
}

#[test]
fn a_character_does_not_depend_on_the_number_of_others_or_on_what_they_are() {
    let springs = Springs::new(21, 7);
    every_backend(|run: BackendRun| {
        let all = springs.simulated(run.kernels, BLOCK);
        for characters in 0..=BLOCK {
            let some = springs.simulated(run.kernels, characters);
            for lane in 0..characters {
                assert!(some.bits(lane) == all.bits(lane), "{run}: character {lane} of {characters}");
            }
        }
        let mut broken = springs.clone();
        broken.worlds[1].set_matrix(3, &Matrix { rows: [[f32::NAN; 4]; 3] });
        (broken.seconds[3], broken.sub_steps[3]) = (f32::INFINITY, 9);
        let broken = broken.simulated(run.kernels, BLOCK);
        for lane in (0..BLOCK).filter(|&lane| lane != 3) {
            assert!(broken.bits(lane) == all.bits(lane), "{run}: character {lane} beside a broken one");
        }
    });
}

/// One checksum on every backend and target, in both float modes.
#[test]
fn bits_are_the_same_everywhere() {
    let springs = Springs::new(40, 11);
    every_backend(|run| {
        let found = springs.simulated(run.kernels, BLOCK);
        let mut sum = Checksum::new();
        sum.add(&(0..BLOCK).flat_map(|lane| found.results(lane)).collect::<Vec<_>>());
        let expected = "1cb4b8bba91d52dd";
        run.assert_checksum(sum.value(), Checksums { reproducible: expected, fused: expected });
    });
}

#[test]
fn zero_sub_steps_keep_the_state_and_give_the_same_rotations_again() {
    let mut springs = Springs::new(12, 13);
    springs.bone_length = BoneLength::Constant;
    every_backend(|run| {
        let mut once = springs.simulated(run.kernels, BLOCK);
        // Inputs are relative to the model again.
        once.worlds[..3].copy_from_slice(&springs.worlds[..3]);
        (once.sub_steps, once.starts) = ([0; BLOCK], [false; BLOCK]);
        let again = once.simulated(run.kernels, BLOCK);
        for (before, after) in once.bones.iter().zip(&again.bones) {
            assert!(before.tail == after.tail && before.previous_tail == after.previous_tail, "{run}");
            let mut tolerance = Tolerance::new(format!("{run}: rotations again"));
            for lane in 0..BLOCK {
                let [before, after] = [before, after].map(|block| block.rotation.rotation(lane));
                tolerance.all_close(lane, before.map(f64::from), after, 1e-5);
            }
        }
    });
}

#[test]
fn indices_out_of_bounds_leave_out_what_they_refer_to() {
    let sound = Springs::new(9, 17);
    let far = u32::MAX;
    let breaks: [fn(&mut SpringBone, u32); 5] = [
        |bone, far| bone.bone = far,
        |bone, far| bone.parent = far,
        |bone, far| bone.world = far,
        |bone, far| bone.colliders = [far - 1, far],
        |bone, far| bone.center = Some(SpringCenter { world: far, center: far }),
    ];
    every_backend(|run| {
        for (index, break_bone) in breaks.iter().enumerate() {
            let mut broken = sound.clone();
            for step in &mut broken.steps {
                match step {
                    SpringStep::Bone(bone) => break_bone(bone, far),
                    SpringStep::Follow { local, .. } => *local = far,
                    SpringStep::Collider(index) => *index = far,
                    SpringStep::Center(center) => center.world = far,
                }
            }
            broken.inputs.push(far);
            broken.bone_colliders.fill(far);
            let found = broken.simulated(run.kernels, BLOCK);
            // Without a bone or its parent, nothing is stored. The others must only not panic.
            assert!(index > 1 || found.bones == sound.bones, "{run}: {index}");
        }
        let mut empty = sound.clone();
        empty.worlds.clear();
        assert!(empty.simulated(run.kernels, BLOCK).bones == sound.bones, "{run}: no world matrices");
    });
}
