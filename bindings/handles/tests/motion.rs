//! Springs, chains, feet, events, blend spaces and transitions over handles: the library's own
//! results.

#![expect(clippy::unwrap_used, reason = "a failed call fails the test")]

use sinew::animation::{ClipEvent, Interpolation, Keys, Track};
use sinew::{Bone, JointId, Transform};
use sinew_handles::records::{
    ChainSettings, ColliderSettings, Event, FeetSettings, GroundHit, Leg, NONE, PlaySettings, SkinSettings,
    SpringJoint, Transform as TransformRecord,
};
use sinew_handles::*;

/// A chain of four bones along -z that swings, with two clips that move its root: one along x, one
/// along y, which is twice as long.
fn tail() -> Handle {
    let along = Transform { translation: [0.0, 0.0, -1.0], ..Transform::IDENTITY };
    let bones: Vec<Bone> = (0..5_usize).map(|joint| Bone::new("", joint.checked_sub(1), along)).collect();
    let builder = builder_new(&bones, 1, &[]).unwrap();
    for (name, end, to) in [("aside", 1.0, [1.0, 0.0, -1.0]), ("up", 2.0, [0.0, 1.0, -1.0])] {
        let values = [along.translation, to];
        let keys = Keys::Translations { joint: JointId::new(0), values: &values };
        let track = Track { times: &[0.0, end], keys, interpolation: Interpolation::Linear };
        builder_add_clip(builder, name, &[track]).unwrap();
    }
    builder_set_events(builder, 0, vec![ClipEvent::new("late", 0.75), ClipEvent::new("early", 0.25)])
        .unwrap();
    let floor = ColliderSettings { shape: 2, tail: [0.0, 1.0, 0.0], ..ColliderSettings::default() };
    let floor = ColliderSettings { offset: [0.0, -9.0, 0.0], ..floor };
    assert_eq!(builder_add_collider(builder, &floor).unwrap(), 0);
    let joint = |joint| SpringJoint {
        joint,
        hit_radius: 0.0,
        stiffness: 0.1,
        gravity_power: 1.0,
        gravity_dir: [0.0, -1.0, 0.0],
        drag_force: 0.4,
    };
    builder_add_spring(builder, &[1, 2, 3, 4].map(joint), &[0], NONE).unwrap();
    assert_eq!(code(builder_add_spring(builder, &[joint(1)], &[1], NONE)), Code::OutOfRange);
    builder_finish(builder).unwrap()
}

fn code<T>(result: Result<T, Error>) -> Code {
    result.map_or_else(|error| error.code, |_| Code::Ok)
}

fn instance_of(model: Handle) -> (Handle, Player) {
    let instance = instance_new(model, &SkinSettings::default()).unwrap();
    (instance, Player::Instance(instance))
}

/// The transform of a joint.
fn pose(instance: Handle, joint: u32) -> TransformRecord {
    let mut found = [TransformRecord::IDENTITY];
    instance_pose(instance, joint, &mut found).unwrap();
    found[0]
}

#[test]
fn springs_swing_and_a_crowd_has_the_bits_of_instances() {
    let model = tail();
    let (instance, player) = instance_of(model);
    springs_push(player, f32::INFINITY).unwrap();
    let crowd = crowd_new(1, 0).unwrap();
    let tails = crowd_add_model(crowd, model, &SkinSettings::default()).unwrap();
    let member = crowd_add(crowd, tails).unwrap();
    springs_push(Player::Member(crowd, member), f32::INFINITY).unwrap();
    for _ in 0..30 {
        instance_step(instance, 1.0 / 60.0).unwrap();
        crowd_step(crowd, 1.0 / 60.0).unwrap();
    }
    // It falls: a turn about x that takes -z toward -y.
    let [x, _, _, w] = pose(instance, 1).rotation;
    assert!(x * w < -0.05, "{x} {w}");
    let mut palettes = [[0.0; 12 * 5]; 2];
    instance_matrices(instance, &mut palettes[0]).unwrap();
    assert_eq!(code(crowd_palette(crowd, member, 0, 0, &mut palettes[1])), Code::OutOfRange, "no skin");
    modifiers_reset(player).unwrap();

    let still = builder_new(&[Bone::new("", None, Transform::IDENTITY)], 0, &[]).unwrap();
    let (_, still) = instance_of(builder_finish(still).unwrap());
    assert_eq!(code(springs_push(still, 1.0)), Code::InvalidValue);
}

#[test]
fn hostile_springs_are_refused_with_the_model() {
    let along = Transform { translation: [0.0, 0.0, -1.0], ..Transform::IDENTITY };
    let bones = [Bone::new("", None, along), Bone::new("", Some(0), along)];
    let sound = SpringJoint {
        joint: 0,
        hit_radius: 0.0,
        stiffness: 1.0,
        gravity_power: 0.0,
        gravity_dir: [0.0; 3],
        drag_force: 0.5,
    };
    let end = SpringJoint { joint: 1, ..sound };
    let cases = [
        ([sound, end], Code::Ok),
        ([SpringJoint { stiffness: f32::NAN, ..sound }, end], Code::InvalidValue),
        ([end, sound], Code::InvalidValue),
        ([sound, SpringJoint { joint: 9, ..end }], Code::InvalidValue),
    ];
    for (joints, expected) in cases {
        let builder = builder_new(&bones, 0, &[]).unwrap();
        builder_add_spring(builder, &joints, &[], NONE).unwrap();
        assert_eq!(code(builder_finish(builder)), expected, "{joints:?}");
    }
    let builder = builder_new(&bones, 0, &[]).unwrap();
    let odd = ColliderSettings { shape: 3, ..ColliderSettings::default() };
    assert_eq!(code(builder_add_collider(builder, &odd)), Code::InvalidValue);
}

#[test]
fn a_chain_reaches_its_target_and_says_so() {
    let (instance, player) = instance_of(tail());
    let settings = ChainSettings { target: [1.0, 2.0, -2.0], ..ChainSettings::default() };
    let chain = chain_push(player, &[0, 1, 2, 3, 4], &[], &settings).unwrap();
    assert_eq!(chain_reach(player, chain).unwrap().0, 2);
    instance_step(instance, 0.0).unwrap();
    let (reach, distance) = chain_reach(player, chain).unwrap();
    assert!(reach == 0 && distance < 1e-3, "{reach} {distance}");
    chain_set(player, chain, &ChainSettings { target: [0.0, 90.0, 0.0], ..settings }).unwrap();
    instance_step(instance, 0.0).unwrap();
    let (reach, distance) = chain_reach(player, chain).unwrap();
    assert!(reach == 1 && distance > 80.0, "{reach} {distance}");

    let refused = |joints: &[u32], limits: &[f32], settings: &ChainSettings| {
        code(chain_push(player, joints, limits, settings))
    };
    assert_ne!(refused(&[1, 0], &[], &settings), Code::Ok);
    assert_ne!(refused(&[0, 9], &[], &settings), Code::Ok);
    assert_ne!(refused(&[0, 1], &[f32::NAN], &settings), Code::Ok);
    assert_ne!(refused(&[0, 1], &[], &ChainSettings { weight: 2.0, ..settings }), Code::Ok);
    assert_ne!(refused(&[0, 1], &[], &ChainSettings { iterations: 1 << 30, ..settings }), Code::Ok);
    let far = ChainSettings { target: [f32::NAN; 3], ..settings };
    assert_eq!(code(chain_set(player, chain, &far)), Code::InvalidValue);
    assert_eq!(code(chain_set(player, chain + 9, &settings)), Code::StaleHandle);
}

#[test]
fn feet_stand_on_the_ground_that_is_found() {
    let translations = [[0.0, 1.0, 0.0], [0.1, 0.0, 0.0], [0.0, -0.5, 0.05], [0.0, -0.5, -0.05]];
    let bone = |(joint, translation): (usize, [f32; 3])| {
        Bone::new("", joint.checked_sub(1), Transform { translation, ..Transform::IDENTITY })
    };
    let bones: Vec<Bone> = translations.into_iter().enumerate().map(bone).collect();
    let (instance, player) = instance_of(builder_finish(builder_new(&bones, 0, &[]).unwrap()).unwrap());
    let leg = Leg { hip: 1, knee: 2, foot: 3, ..Leg::default() };
    let settings = FeetSettings::default();
    let ground = |[x, y, z]: [f32; 3], direction: [f32; 3], length: f32| {
        assert_eq!((direction, y, length), ([0.0, -1.0, 0.0], 0.5, 1.0));
        Some(GroundHit { point: [x, -0.2, z], normal: [0.0, 2.0, 0.0] })
    };
    let feet = feet_push(player, &[leg], &settings, ground).unwrap();
    instance_step(instance, 0.0).unwrap();
    assert!((pose(instance, 0).translation[1] - 0.8).abs() < 1e-6, "the pelvis sinks");
    modifier_remove(player, feet).unwrap();

    let refused = |leg: Leg, settings: FeetSettings| code(feet_push(player, &[leg], &settings, ground));
    assert_ne!(refused(Leg { hip: 3, foot: 1, ..leg }, settings), Code::Ok);
    assert_ne!(refused(Leg { foot: 9, ..leg }, settings), Code::Ok);
    assert_ne!(refused(Leg { has_hinge: 2, ..leg }, settings), Code::Ok);
    assert_ne!(refused(leg, FeetSettings { pelvis: 2, ..settings }), Code::Ok);
    assert_ne!(refused(leg, FeetSettings { tilt: f32::NAN, ..settings }), Code::Ok);
    assert_ne!(code(feet_push(player, &[leg; 17], &settings, ground)), Code::Ok);
}

#[test]
fn events_fire_once_with_their_names() {
    let model = tail();
    assert_eq!(model_clip(model, 0).unwrap().events, 2);
    assert_eq!(model_event_name(model, 0, 0, str::to_owned).unwrap(), "early");
    assert_eq!(code(model_event_name(model, 0, 2, str::to_owned)), Code::OutOfRange);
    let (instance, player) = instance_of(model);
    play(player, 0, &PlaySettings::default()).unwrap();
    let mut fired = [Event::default(); 2];
    let mut log = Vec::new();
    for _ in 0..8 {
        instance_step(instance, 0.25).unwrap();
        let count = events(player, &mut fired).unwrap();
        log.extend(fired[..count].iter().map(|event| (event.event, event.passes, event.weight)));
    }
    assert_eq!(log, [(0, 1, 1.0), (1, 1, 1.0), (0, 1, 1.0), (1, 1, 1.0)]);
    instance_step(instance, 1.0).unwrap();
    assert_eq!(events(player, &mut fired[..1]).unwrap(), 2, "more than there is room for");
}

#[test]
fn a_blend_space_blends_and_refuses_other_models() {
    let model = tail();
    let (instance, player) = instance_of(model);
    let space = blend_space_new(model, &[0, 1], &[0.0, 1.0]).unwrap();
    play_space(player, space, &PlaySettings::default()).unwrap();
    destroy(space, Kind::BlendSpace).unwrap();
    playback_set_blend_position(player, 0, &[0.5]).unwrap();
    // Half of a cycle of 1.5 seconds, in which both clips are in their middles.
    instance_step(instance, 0.75).unwrap();
    let [x, y, _] = pose(instance, 0).translation;
    assert!((x - 0.25).abs() < 1e-6 && (y - 0.25).abs() < 1e-6, "{x} {y}");

    assert_eq!(code(play_space(player, space, &PlaySettings::default())), Code::StaleHandle);
    assert_ne!(code(playback_set_blend_position(player, 0, &[0.5, 0.5])), Code::Ok);
    assert_ne!(code(playback_set_blend_position(player, 0, &[f32::NAN])), Code::Ok);
    assert_eq!(code(blend_space_new(model, &[0, 1], &[0.0; 3])), Code::InvalidValue);
    assert_eq!(code(blend_space_new(model, &[0, 7], &[0.0; 2])), Code::OutOfRange);
    let other = blend_space_new(tail(), &[0, 1], &[0.0, 1.0]).unwrap();
    assert_ne!(code(play_space(player, other, &PlaySettings::default())), Code::Ok);
    assert_eq!(playback_count(player).unwrap(), 1, "a refused space stops nothing");
    let additive = PlaySettings { mode: 3, ..PlaySettings::default() };
    assert_eq!(code(play_space(player, other, &additive)), Code::InvalidValue);
}

#[test]
fn an_inertialized_transition_does_not_jump() {
    let (instance, player) = instance_of(tail());
    play(player, 0, &PlaySettings::default()).unwrap();
    instance_step(instance, 0.5).unwrap();
    let before = pose(instance, 0).translation;
    let smooth = PlaySettings { mode: 4, fade_seconds: 0.4, ..PlaySettings::default() };
    play(player, 1, &smooth).unwrap();
    assert_eq!(playback_count(player).unwrap(), 1);
    instance_step(instance, 0.001).unwrap();
    let after = pose(instance, 0).translation;
    assert!(before.iter().zip(after).all(|(a, b)| (a - b).abs() < 0.01), "{before:?} {after:?}");
    for _ in 0..50 {
        instance_step(instance, 0.01).unwrap();
    }
    let [x, y, _] = pose(instance, 0).translation;
    assert!(x.abs() < 1e-5 && (y - 0.2505).abs() < 1e-4, "{x} {y}");
    let never = PlaySettings { fade_seconds: -1.0, ..smooth };
    assert_eq!(code(play(player, 0, &never)), Code::InvalidValue);
}
