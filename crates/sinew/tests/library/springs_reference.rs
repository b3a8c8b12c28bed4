//! Spring bones against three-vrm: positions of three rigs over 600 frames, simulated by
//! `tests/springs/reference.mjs`.
//!
//! The repository has every 25th frame. `SINEW_SPRINGS` names a file with all of them, which
//! `.ci/check-springs` makes.

use serde_json::Value;
use sinew::animation::{
    BoneLength, ColliderShape, Override, Spring, SpringBones, SpringCollider, SpringJoint, SpringSource,
};
use sinew::model::ModelSource;
use sinew::{Bone, FloatMode, JointId, Model, Skeleton, Transform};
use sinew_testkit::backends::every_backend;

use crate::support::backends::runtime;

/// A rig, its motions, and where its joints are in each frame.
struct ReferenceRig {
    name: String,
    bones: Vec<Bone>,
    motions: Vec<ReferenceMotion>,
    source: SpringSource,
    frames: Vec<ReferenceFrame>,
}

/// The positions of all joints, with bones of constant length and as three-vrm measures them.
struct ReferenceFrame {
    frame: usize,
    constant: Vec<[f32; 3]>,
    measured: Vec<[f32; 3]>,
}

struct ReferenceMotion {
    joint: usize,
    translates: bool,
    axis: [f64; 3],
    amplitude: f64,
    frequency: f64,
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().expect("a list").iter()
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().expect("a number")
}

fn vector<const N: usize>(value: &Value) -> [f32; N] {
    std::array::from_fn(|axis| value[axis].as_f64().expect("a number") as f32)
}

fn index(value: &Value) -> usize {
    value.as_u64().expect("an index") as usize
}

fn parse_bone(bone: &Value) -> Bone {
    let rest = Transform {
        rotation: vector(&bone["rotation"]),
        translation: vector(&bone["translation"]),
        scale: [number(bone, "scale") as f32; 3],
    };
    Bone::new("", bone["parent"].as_u64().map(|parent| parent as usize), rest)
}

fn parse_motion(motion: &Value) -> ReferenceMotion {
    ReferenceMotion {
        joint: index(&motion["joint"]),
        translates: motion["kind"] == "translate",
        axis: vector(&motion["axis"]).map(f64::from),
        amplitude: number(motion, "amplitude"),
        frequency: number(motion, "frequency"),
    }
}

fn parse_collider(collider: &Value) -> SpringCollider {
    let offset = vector(&collider["offset"]);
    let round = || (number(collider, "radius") as f32, collider["inside"] == true);
    let shape = match collider["shape"].as_str().expect("a shape") {
        "plane" => ColliderShape::Plane { offset, normal: vector(&collider["normal"]) },
        "capsule" => {
            let ((radius, inside), tail) = (round(), vector(&collider["tail"]));
            ColliderShape::Capsule { offset, tail, radius, inside }
        }
        _ => {
            let (radius, inside) = round();
            ColliderShape::Sphere { offset, radius, inside }
        }
    };
    SpringCollider { joint: JointId::new(index(&collider["joint"])), shape }
}

fn parse_spring(spring: &Value) -> Spring {
    let joint = |joint: &Value| SpringJoint {
        joint: JointId::new(index(&joint["joint"])),
        hit_radius: number(joint, "hitRadius") as f32,
        stiffness: number(joint, "stiffness") as f32,
        gravity_power: number(joint, "gravityPower") as f32,
        gravity_dir: vector(&joint["gravityDir"]),
        drag_force: number(joint, "dragForce") as f32,
    };
    Spring {
        joints: list(spring, "joints").map(joint).collect(),
        collider_groups: list(spring, "groups").map(index).collect(),
        center: spring["center"].as_u64().map(|center| JointId::new(center as usize)),
        virtual_tail: None,
    }
}

impl ReferenceRig {
    fn parse(rig: &Value) -> Self {
        let group = |group: &Value| group.as_array().expect("a group").iter().map(index).collect();
        let frame = |frame: &Value| ReferenceFrame {
            frame: index(&frame["frame"]),
            constant: list(frame, "constant").map(vector).collect(),
            measured: list(frame, "measured").map(vector).collect(),
        };
        Self {
            name: rig["name"].as_str().expect("a name").to_owned(),
            bones: list(rig, "bones").map(parse_bone).collect(),
            motions: list(rig, "motions").map(parse_motion).collect(),
            source: SpringSource {
                colliders: list(rig, "colliders").map(parse_collider).collect(),
                collider_groups: list(rig, "groups").map(group).collect(),
                springs: list(rig, "springs").map(parse_spring).collect(),
                ..SpringSource::default()
            },
            frames: list(rig, "frames").map(frame).collect(),
        }
    }

    /// The override that moves a joint at a time.
    fn moved(&self, joint: usize, seconds: f64) -> Override {
        let rest = self.bones[joint].rest;
        let (mut translation, mut rotation) = (rest.translation.map(f64::from), rest.rotation.map(f64::from));
        for motion in self.motions.iter().filter(|motion| motion.joint == joint) {
            let value = motion.amplitude * (std::f64::consts::TAU * motion.frequency * seconds).sin();
            if motion.translates {
                translation = std::array::from_fn(|axis| translation[axis] + value * motion.axis[axis]);
            } else {
                let (sine, cosine) = (0.5 * value).sin_cos();
                let [x, y, z] = motion.axis.map(|element| element * sine);
                let [a, b, c, w] = rotation;
                rotation = [
                    w * x + a * cosine + b * z - c * y,
                    w * y + b * cosine + c * x - a * z,
                    w * z + c * cosine + a * y - b * x,
                    w * cosine - a * x - b * y - c * z,
                ];
            }
        }
        Override {
            rotation: Some(rotation.map(|element| element as f32)),
            translation: Some(translation.map(|element| element as f32)),
            ..Override::new(JointId::new(joint))
        }
    }

    /// The length of the shortest chain.
    fn chain_length(&self) -> f64 {
        let length = |spring: &Spring| -> f64 {
            let joints = spring.joints.iter().skip(1).map(|joint| joint.joint.index());
            joints.map(|joint| f64::from(length(self.bones[joint].rest.translation))).sum()
        };
        let scale: f32 = self.bones.iter().map(|bone| bone.rest.scale[0]).product();
        f64::from(scale) * self.source.springs.iter().map(length).fold(f64::INFINITY, f64::min)
    }

    /// Simulates all frames with a skeleton, and calls a function with each frame's positions.
    fn simulate(&self, skeleton: Skeleton, mut frame: impl FnMut(usize, &[[f32; 3]])) {
        let model = Model::new(ModelSource::new(skeleton)).unwrap();
        let mut instance = model.instance();
        let moving: Vec<usize> = (0..self.bones.len())
            .filter(|&joint| self.motions.iter().any(|motion| motion.joint == joint))
            .collect();
        let ids: Vec<_> = moving
            .iter()
            .map(|&joint| instance.modifiers_mut().push(self.moved(joint, 0.0)).unwrap())
            .collect();
        let springs = SpringBones::new(model.skeleton(), &self.source).unwrap();
        instance.modifiers_mut().push(springs).unwrap();
        instance.step(0.0);
        let last = self.frames.last().unwrap().frame;
        for number in 1..=last {
            for (&joint, &id) in moving.iter().zip(&ids) {
                let moved = self.moved(joint, number as f64 / 60.0);
                *instance.modifiers_mut().get_mut::<Override>(id).unwrap() = moved;
            }
            instance.step(1.0 / 60.0);
            let positions: Vec<[f32; 3]> =
                instance.model_matrices().iter().map(|matrix| matrix.translation()).collect();
            frame(number, &positions);
        }
    }
}

fn length([x, y, z]: [f32; 3]) -> f32 {
    (x * x + y * y + z * z).sqrt()
}

fn reference_rigs() -> Vec<ReferenceRig> {
    let text = match std::env::var_os("SINEW_SPRINGS") {
        Some(path) => std::fs::read_to_string(path).expect("the file that SINEW_SPRINGS names"),
        None => include_str!("../springs/reference.json").to_owned(),
    };
    let reference: Value = serde_json::from_str(&text).expect("the reference of springs");
    list(&reference, "rigs").map(ReferenceRig::parse).collect()
}

#[test]
fn springs_are_within_a_ten_thousandth_of_the_chain_of_three_vrm() {
    let mut failed = Vec::new();
    for mut rig in reference_rigs() {
        for bone_length in [BoneLength::Constant, BoneLength::SinceLastStep] {
            rig.source.bone_length = bone_length;
            let (chain, mut worst, mut compared) = (rig.chain_length(), 0.0_f64, 0);
            rig.simulate(Skeleton::new(&rig.bones).unwrap(), |number, positions| {
                let Some(frame) = rig.frames.iter().find(|frame| frame.frame == number) else { return };
                let expected = match bone_length {
                    BoneLength::Constant => &frame.constant,
                    BoneLength::SinceLastStep => &frame.measured,
                };
                compared += 1;
                assert_eq!(positions.len(), expected.len());
                for (found, expected) in positions.iter().zip(expected) {
                    let apart = length(std::array::from_fn(|axis| found[axis] - expected[axis]));
                    assert!(apart.is_finite());
                    worst = worst.max(f64::from(apart));
                }
            });
            let line =
                format!("{} {bone_length:?}: {compared} frames, at most {:.1e}", rig.name, worst / chain);
            println!("{line} of the chain of {chain:.2} m");
            assert_eq!(compared, rig.frames.len());
            if worst > 1e-4 * chain {
                failed.push(line);
            }
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn springs_have_the_same_bits_on_every_backend() {
    for rig in reference_rigs() {
        let mut first: Option<Vec<Vec<[u32; 3]>>> = None;
        every_backend(|run| {
            if run.float_mode != FloatMode::Reproducible {
                return;
            }
            let mut bits = Vec::new();
            rig.simulate(Skeleton::new(&rig.bones).unwrap().with_runtime(runtime(run)), |_, positions| {
                bits.push(positions.iter().map(|position| position.map(f32::to_bits)).collect());
            });
            assert!(*first.get_or_insert_with(|| bits.clone()) == bits, "{}", rig.name);
        });
    }
}
