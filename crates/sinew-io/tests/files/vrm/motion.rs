//! Animations, constraints and springs move what they should.

use serde_json::{Value, json};
use sinew::animation::{ModifierContext, PoseModifier};
use sinew::{Instance, JointId};
use sinew_io::{HumanBone, Vrm};

use super::avatars::{HAIR, HEAD, HIPS, SPINE, avatar, load, vrm_0, vrm_1};

/// A VRMA file: its spine turns about X, its hips rise, and its face smiles.
pub(super) fn animation() -> (Value, Vec<u8>) {
    let half = 0.5_f32.sqrt();
    let times = [0.0_f32, 1.0];
    let rotations = [[0.0_f32, 0.0, 0.0, 1.0], [half, 0.0, 0.0, half]];
    let hips = [[0.0_f32, 2.0, 0.0], [0.0, 3.0, 0.5]];
    let smile = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let numbers = [&times[..], rotations.as_flattened(), hips.as_flattened(), smile.as_flattened()];
    let (mut views, mut buffer) = (Vec::new(), Vec::new());
    for numbers in numbers {
        views.push(json!({"buffer": 0, "byteOffset": buffer.len(), "byteLength": 4 * numbers.len()}));
        buffer.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    let accessor = |view: usize, kind: &str| json!({"bufferView": view, "componentType": 5126, "count": 2, "type": kind});
    let channel = |sampler: usize, node: usize, path: &str| json!({"sampler": sampler, "target": {"node": node, "path": path}});
    let sampler = |output: usize| json!({"input": 0, "output": output});
    let mut time = accessor(0, "SCALAR");
    (time["min"], time["max"]) = (json!([0]), json!([1]));
    let document = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["VRMC_vrm_animation"],
        "extensions": {"VRMC_vrm_animation": {
            "specVersion": "1.0",
            "humanoid": {"humanBones": {"hips": {"node": 0}, "spine": {"node": 1}}},
            "expressions": {"preset": {"happy": {"node": 2}}},
            "lookAt": {"node": 3},
        }},
        "scenes": [{"nodes": [0, 2, 3]}],
        "nodes": [
            {"name": "h", "translation": [0, 2, 0], "children": [1]},
            {"name": "s", "translation": [0, 0.5, 0]}, {"name": "happy"}, {"name": "eyes"},
        ],
        "animations": [{
            "name": "nod",
            "samplers": [sampler(1), sampler(2), sampler(3)],
            "channels": [channel(0, 1, "rotation"), channel(1, 0, "translation"), channel(2, 2, "translation")],
        }],
        "accessors": [time, accessor(1, "VEC4"), accessor(2, "VEC3"), accessor(3, "VEC3")],
        "bufferViews": views,
        "buffers": [{"byteLength": buffer.len()}],
    });
    (document, buffer)
}

#[test]
fn animations_are_retargeted_to_an_avatar() {
    for (avatar, facing) in [(vrm_1(), 1.0), (vrm_0(), -1.0)] {
        let (avatar, source) = (load(&avatar), load(&animation()));
        let mut vrm: Vrm = avatar.vrm.clone().unwrap();
        vrm.humanoid.insert(HumanBone::Spine, JointId::new(SPINE));
        let animation = source.vrm.as_ref().unwrap().animation.as_ref().unwrap();
        let clips = vrm.retarget(&avatar.model, animation, &source.model).unwrap();
        assert_eq!((clips.len(), clips[0].name()), (1, "nod"));
        let mut pose = avatar.model.skeleton().rest_pose();
        clips[0].sample(1.0, &mut clips[0].cursor(), &mut pose).unwrap();
        // The hips are half as high: 1.5 of 3 meters, and half of the way to the front.
        let hips = pose.translation(JointId::new(HIPS));
        let expected = [0.0, 1.5, 0.25 * facing];
        assert!(hips.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{hips:?}");
        // A quarter turn about the model's X axis, or -X for an avatar that looks back, after the
        // rotation at rest (0, 0, 0.6, 0.8).
        let half = f64::from(0.5_f32.sqrt());
        let (x, w) = (f64::from(facing) * half, half);
        let expected = [0.8 * x, -0.6 * x, 0.6 * w, 0.8 * w];
        let found = pose.rotation(JointId::new(SPINE)).map(f64::from);
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {expected:?}");
        assert_eq!(pose.morph_weights()[1], if facing > 0.0 { 1.0 } else { 0.5 });
    }
}

/// Sets the rotation of a joint.
#[derive(Clone, Debug)]
struct SetRotation(JointId, [f32; 4]);

impl PoseModifier for SetRotation {
    fn modify(&mut self, context: &mut ModifierContext<'_>) {
        context.set_rotation(self.0, self.1);
    }
}

/// The avatar of VRM 1.0 with its constraints at full weight, while its head has a rotation.
fn constrained(rotation: [f32; 4]) -> Instance {
    let import = load(&vrm_1());
    let mut vrm = import.vrm.expect("data of this avatar");
    vrm.constraints.iter_mut().for_each(|constraint| constraint.weight = 1.0);
    vrm.constraints[0].weight = 0.5;
    let mut instance = import.model.instance();
    instance.modifiers_mut().push(SetRotation(JointId::new(HEAD), rotation)).expect("data of this avatar");
    let modifiers = vrm.constraint_modifiers(import.model.skeleton());
    assert_eq!(modifiers.len(), 3);
    for modifier in modifiers {
        instance.modifiers_mut().push(modifier).expect("data of this avatar");
    }
    instance.step(0.1);
    instance
}

#[track_caller]
fn assert_near<const N: usize>(found: [f32; N], expected: [f64; N]) {
    let near = found.iter().zip(expected).all(|(&a, b)| (f64::from(a) - b).abs() < 1e-6);
    assert!(near, "{found:?}, expected {expected:?}");
}

#[test]
fn constraints_are_pose_modifiers() {
    // A turn of 60 degrees about X: no roll about Y, and half of it for the spine, in its own axes.
    let (sine, cosine) = std::f64::consts::FRAC_PI_6.sin_cos();
    let instance = constrained([sine as f32, 0.0, 0.0, cosine as f32]);
    let (half_sine, half_cosine) = (std::f64::consts::FRAC_PI_6 / 2.0).sin_cos();
    let spine = [0.8 * half_sine, 0.6 * half_sine, 0.6 * half_cosine, 0.8 * half_cosine];
    assert_near(instance.pose().rotation(JointId::new(SPINE)), spine);
    assert_near(instance.pose().rotation(JointId::new(HAIR[0])), [0.0, 0.0, 0.0, 1.0]);
    // About Y, all of it is roll.
    let mut instance = constrained([0.0, sine as f32, 0.0, cosine as f32]);
    assert_near(instance.pose().rotation(JointId::new(HAIR[0])), [0.0, sine, 0.0, cosine]);
    // The -X axis of the hair points at the hips.
    let matrices = instance.model_matrices();
    let [hair, hips] = [HAIR[1], HIPS].map(|joint| matrices[joint].rows.map(|row| f64::from(row[3])));
    let axis = matrices[HAIR[1]].rows.map(|row| -row[0]);
    let to_hips: [f64; 3] = std::array::from_fn(|i| hips[i] - hair[i]);
    let length = to_hips.iter().map(|part| part * part).sum::<f64>().sqrt();
    assert_near(axis, to_hips.map(|part| part / length));
}

#[test]
fn springs_are_a_pose_modifier() {
    for (source, bones, tail) in [(vrm_1(), 2, None), (vrm_0(), 3, Some(0.07))] {
        let import = load(&source);
        let (vrm, skeleton) = (import.vrm.as_ref().unwrap(), import.model.skeleton());
        let description = vrm.spring_source(skeleton);
        assert_eq!((description.springs.len(), description.springs[0].virtual_tail), (1, tail));
        assert_eq!(description.springs[0].center, vrm.springs[0].center);
        assert_eq!(description.springs[0].joints.len(), 3);
        assert_eq!(description.colliders.len(), vrm.colliders.len());
        let springs = vrm.spring_bones(skeleton).unwrap().unwrap();
        assert_eq!(springs.bone_count(), bones);
        // The model has them too, so that programs that know no VRM swing them.
        assert_eq!(import.model.springs().unwrap().bone_count(), bones);
        let mut instance = import.model.instance();
        instance.modifiers_mut().push(springs).unwrap();
        (0..30).for_each(|_| instance.step(1.0 / 30.0));
        // The hair, which is not vertical at rest, falls.
        assert_ne!(instance.pose().rotation(JointId::new(HAIR[0])), [0.0, 0.0, 0.0, 1.0]);
    }
    let import = load(&avatar());
    assert!(import.vrm.is_none());
    assert!(import.model.springs().is_none());
    assert!(Vrm::default().spring_bones(import.model.skeleton()).unwrap().is_none());
}

#[test]
fn joints_of_two_springs_belong_to_the_first() {
    let import = load(&vrm_1());
    let mut vrm = import.vrm.unwrap();
    vrm.springs.push(vrm.springs[0].clone());
    vrm.springs[1].joints.truncate(1);
    vrm.springs.push(vrm.springs[0].clone());
    vrm.springs[2].joints[0].joint = JointId::new(HEAD);
    let description = vrm.spring_source(import.model.skeleton());
    let chains: Vec<Vec<usize>> = description
        .springs
        .iter()
        .map(|spring| spring.joints.iter().map(|joint| joint.joint.index()).collect())
        .collect();
    assert_eq!(chains, [HAIR.to_vec(), vec![HEAD, HAIR[1]]]);
    vrm.spring_bones(import.model.skeleton()).unwrap();
}

#[test]
fn springs_without_length_swing_nothing() {
    let (mut document, buffer) = vrm_1();
    for joint in [HAIR[1], HAIR[2]] {
        document["nodes"][joint]["translation"] = json!([0, 0, 0]);
    }
    let import = load(&(document, buffer));
    let springs = import.vrm.unwrap().spring_bones(import.model.skeleton()).unwrap().unwrap();
    assert_eq!(springs.bone_count(), 0);
}

#[test]
fn constraints_in_a_circle_are_left_out() {
    let import = load(&vrm_1());
    let mut vrm = import.vrm.unwrap();
    let [rotation, roll, _] = &mut vrm.constraints[..] else { panic!("other than three constraints") };
    (rotation.joint, rotation.source) = (JointId::new(HAIR[0]), JointId::new(HAIR[2]));
    (roll.joint, roll.source) = (JointId::new(HAIR[2]), JointId::new(HAIR[0]));
    // The aim depends on its own ancestor, which is in the circle.
    assert!(vrm.constraint_modifiers(import.model.skeleton()).is_empty());
    vrm.constraints[0].source = JointId::new(HIPS);
    let order: Vec<usize> = vrm
        .constraint_modifiers(import.model.skeleton())
        .iter()
        .map(|modifier| modifier.constraint().joint.index())
        .collect();
    assert_eq!(order, [HAIR[0], HAIR[2], HAIR[1]]);
}
