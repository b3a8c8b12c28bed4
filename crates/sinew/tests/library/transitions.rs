//! Inertialized transitions: no jump in position or in velocity, from anything to anything.

use sinew::animation::{BlendSpace, Interpolation, Keys, Repeat, RootParts, Track};
use sinew::crowd::CrowdOptions;
use sinew::model::ModelSource;
use sinew::{Bone, Clip, Crowd, Instance, InstanceOptions, JointId, Model, Skeleton, Transform};
use sinew_testkit::backends::every_backend;

use crate::support::backends::runtime;
use crate::support::poses::pose_bits;
use crate::support::scene_cache::scene_model;

const ROOT: JointId = JointId::new(0);

/// The seconds of all transitions.
const DURATION: f32 = 0.4;

fn positions(instance: &mut Instance) -> Vec<[f64; 3]> {
    instance.model_matrices().iter().map(|matrix| matrix.translation().map(f64::from)).collect()
}

/// What a run of positions shows: the largest way of a joint within a step, and the largest change
/// of its velocity from one step to the next.
#[derive(Clone, Copy, Debug, Default)]
struct Jumps {
    way: f64,
    velocity: f64,
}

impl Jumps {
    fn new(frames: &[Vec<[f64; 3]>], dt: f64) -> Self {
        let norm = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut found = Self::default();
        for three in frames.windows(3) {
            for ((a, b), c) in three[0].iter().zip(&three[1]).zip(&three[2]) {
                found.way = found.way.max(norm([0, 1, 2].map(|i| c[i] - b[i])));
                let change = norm([0, 1, 2].map(|i| (c[i] - b[i]) - (b[i] - a[i])));
                found.velocity = found.velocity.max(change / dt);
            }
        }
        found
    }
}

/// Positions of all joints for a number of seconds. `act` is called before each step.
fn run(
    model: &Model,
    dt: f32,
    seconds: f32,
    mut act: impl FnMut(&mut Instance, usize),
) -> Vec<Vec<[f64; 3]>> {
    let mut instance = model.instance();
    let steps = (seconds / dt).round() as usize;
    (0..steps)
        .map(|step| {
            act(&mut instance, step);
            instance.step(dt);
            positions(&mut instance)
        })
        .collect()
}

/// A transition from one clip to another after half a second, and interrupted ones.
fn change(instance: &mut Instance, step: usize, dt: f32, changes: &[(f32, &str)]) {
    for &(seconds, clip) in changes {
        if step == (seconds / dt).round() as usize {
            if step == 0 {
                instance.play(clip).expect("a clip");
            } else {
                instance.inertialize_to(clip, DURATION).expect("a clip").seek(0.3);
            }
        }
    }
}

#[test]
fn an_inertialized_transition_has_no_jump_above_the_clips_own() {
    let model = scene_model("@figure:300");
    for changes in [
        &[(0.0, "walk"), (0.5, "wave")][..],
        &[(0.0, "wave"), (0.7, "walk")],
        // Interrupted twice, once right after it began.
        &[(0.0, "walk"), (0.5, "wave"), (0.65, "walk"), (0.6625, "wave")],
    ] {
        let mut above = Vec::new();
        for dt in [1.0 / 320.0, 1.0 / 1280.0] {
            let own = ["walk", "wave"].map(|clip| {
                let frames =
                    run(&model, dt, 1.6, |instance, step| change(instance, step, dt, &[(0.0, clip)]));
                Jumps::new(&frames, f64::from(dt))
            });
            let frames = run(&model, dt, 1.6, |instance, step| change(instance, step, dt, changes));
            let found = Jumps::new(&frames, f64::from(dt));
            let own_velocity = own[0].velocity.max(own[1].velocity);
            // The polynomial accelerates, so a step of any length has some change of velocity; a
            // jump would not shrink with the step.
            above.push((found.velocity - own_velocity).max(0.0) / f64::from(dt));
            // The largest part of an offset that decays within a step is 1.9 of it per duration.
            assert!(
                found.way < own[0].way + own[1].way + 4.0 * f64::from(dt / DURATION),
                "{changes:?}: {found:?}"
            );
        }
        // Meters per second squared, at both step lengths: 6 m / (0.4 s)^2 with all joints of a
        // limb.
        assert!(above.iter().all(|&acceleration| acceleration < 150.0), "{changes:?}: {above:?}");
    }
}

/// A chain of five joints that swing, each at its own phase, along splines with exact slopes: no
/// key is a corner.
fn swinging(clips: &[(&str, f64)]) -> Model {
    let quarter = Transform { translation: [0.0, 0.25, 0.0], ..Transform::IDENTITY };
    let bones: Vec<Bone> = (0..5_usize).map(|joint| Bone::new("", joint.checked_sub(1), quarter)).collect();
    let skeleton = Skeleton::new(&bones).expect("a chain");
    let clip = |&(name, turns): &(&str, f64)| {
        let times: Vec<f32> = (0..=128).map(|key| key as f32 / 64.0).collect();
        let keys_of = |joint: usize| -> Vec<[f32; 4]> {
            let rate = std::f64::consts::TAU * turns;
            let key = |&time: &f32| {
                let angle = rate * f64::from(time) + joint as f64;
                let (half, slope) = (0.25 * angle.sin(), 0.25 * rate * angle.cos());
                let tangent = [slope * half.cos(), 0.0, 0.0, -slope * half.sin()];
                let value = [half.sin(), 0.0, 0.0, half.cos()];
                [tangent, value, tangent].map(|key| key.map(|x| x as f32))
            };
            times.iter().flat_map(key).collect()
        };
        let values: Vec<Vec<[f32; 4]>> = (0..5).map(keys_of).collect();
        let tracks: Vec<Track<'_>> = values
            .iter()
            .enumerate()
            .map(|(joint, values)| Track {
                times: &times,
                keys: Keys::Rotations { joint: JointId::new(joint), values },
                interpolation: Interpolation::Cubic,
            })
            .collect();
        Clip::new(name, &skeleton, &tracks).expect("valid")
    };
    let clips = clips.iter().map(clip).collect();
    Model::new(ModelSource { clips, ..ModelSource::new(skeleton) }).expect("valid")
}

#[test]
fn a_transition_between_smooth_clips_changes_velocity_no_more_than_they_do() {
    let model = swinging(&[("walk", 1.0), ("wave", 2.0)]);
    let changes = [(0.0, "walk"), (0.5, "wave"), (0.65, "walk")];
    for dt in [1.0 / 60.0, 1.0 / 320.0, 1.0 / 1280.0] {
        let own = ["walk", "wave"].map(|clip| {
            let frames = run(&model, dt, 1.6, |instance, step| change(instance, step, dt, &[(0.0, clip)]));
            Jumps::new(&frames, f64::from(dt))
        });
        let frames = run(&model, dt, 1.6, |instance, step| change(instance, step, dt, &changes));
        let found = Jumps::new(&frames, f64::from(dt));
        // Both sides have their own changes of velocity, and the offset that decays has one, too.
        let offset = 6.0 * f64::from(dt / (DURATION * DURATION));
        assert!(found.velocity < own[0].velocity + own[1].velocity + offset, "{dt}: {found:?} {own:?}");
        assert!(
            found.way < own[0].way + own[1].way + 1.9 * f64::from(dt / DURATION),
            "{dt}: {found:?} {own:?}"
        );
    }
}

#[test]
fn a_cut_does_jump() {
    // The measure sees what it should.
    let model = scene_model("@figure:300");
    let dt = 1.0 / 1280.0;
    let frames = run(&model, dt, 0.8, |instance, step| {
        if step == 0 {
            instance.play("walk").unwrap();
        } else if step == 640 {
            instance.play("wave").unwrap().seek(0.3);
        }
    });
    assert!(Jumps::new(&frames, f64::from(dt)).velocity > 100.0);
}

#[test]
fn a_transition_ends_with_the_bits_of_the_new_clip() {
    let model = scene_model("@figure:300");
    let (mut changed, mut plain) = (model.instance(), model.instance());
    changed.play("walk").unwrap();
    changed.step(0.3);
    changed.inertialize_to("wave", 0.25).unwrap();
    plain.play("wave").unwrap();
    for frame in 1..=8 {
        assert_eq!(changed.animator().is_inertializing(), frame <= 4);
        changed.step(0.0625);
        plain.step(0.0625);
        assert_eq!(pose_bits(changed.pose()) == pose_bits(plain.pose()), frame >= 4, "frame {frame}");
    }
}

#[test]
fn until_the_next_step_nothing_changes() {
    let model = scene_model("@figure:300");
    let mut crowd = Crowd::new(CrowdOptions::default());
    crowd.add_model(&model, &InstanceOptions::default());
    let id = crowd.add(0).unwrap();
    crowd.member_mut(id).unwrap().animator_mut().play("walk").unwrap();
    crowd.step(0.3);
    let before = pose_bits(crowd.pose(id).unwrap());
    crowd.member_mut(id).unwrap().animator_mut().inertialize_to("wave", 0.25).unwrap();
    assert!(pose_bits(crowd.pose(id).unwrap()) == before);
    // A step of no length begins the transition, at the old pose.
    crowd.step(0.0);
    let begun = crowd.pose(id).unwrap().clone();
    let mut instance = model.instance();
    instance.play("walk").unwrap();
    instance.step(0.3);
    crate::support::poses::assert_poses_near(&begun, instance.pose(), 1e-5);
    // A second call before the step keeps what is left.
    let animator = crowd.member_mut(id).unwrap().animator_mut();
    animator.inertialize_to("walk", 0.25).unwrap();
    animator.inertialize_to("wave", 0.25).unwrap();
    crate::support::poses::assert_poses_near(crowd.pose(id).unwrap(), instance.pose(), 1e-5);
    // A cut ends it.
    let animator = crowd.member_mut(id).unwrap().animator_mut();
    animator.stop();
    assert!(!animator.is_inertializing());
    crowd.step(0.1);
    assert_eq!(crowd.pose(id).unwrap(), model.skeleton().rest());
}

/// A root that moves along z at a speed, with a scale and a morph weight.
fn runner(clips: &[(&str, f32, f32)]) -> Model {
    let bone = Bone::new("root", None, Transform::IDENTITY);
    let skeleton = Skeleton::new(&[bone]).expect("a root").with_morph_weights(&[0.0]).expect("finite");
    let clip = |&(name, speed, scale): &(&str, f32, f32)| {
        let times = [0.0, 2.0];
        let moves = [[0.0; 3], [0.0, 0.0, 2.0 * speed]];
        let scales = [[scale; 3], [scale + 0.5; 3]];
        let weights = [scale, 2.0 * scale];
        let linear = |keys| Track { times: &times, keys, interpolation: Interpolation::Linear };
        let tracks = [
            linear(Keys::Translations { joint: ROOT, values: &moves }),
            linear(Keys::Scales { joint: ROOT, values: &scales }),
            linear(Keys::Weights { first: 0, count: 1, values: &weights }),
        ];
        Clip::new(name, &skeleton, &tracks).expect("valid")
    };
    let clips = clips.iter().map(clip).collect();
    Model::new(ModelSource { clips, ..ModelSource::new(skeleton) }).expect("valid")
}

#[test]
fn root_motion_keeps_its_speed_and_changes_it_smoothly() {
    let model = runner(&[("walk", 1.0, 1.0), ("run", 4.0, 2.0)]);
    let space = BlendSpace::line(model.clip_set(), &[("walk", 0.0), ("run", 1.0)]).unwrap();
    for to_space in [false, true] {
        let dt = 1.0 / 256.0;
        let mut instance = model.instance();
        instance.play("walk").unwrap().set_root_motion(ROOT, RootParts::GROUND).unwrap();
        let mut speeds = Vec::new();
        for step in 0..512 {
            if step == 128 {
                let playback = if to_space {
                    let playback = instance.animator_mut().inertialize_to_space(&space, 0.5).unwrap();
                    playback.set_blend_position(&[1.0]).unwrap()
                } else {
                    instance.inertialize_to("run", 0.5).unwrap()
                };
                playback.set_root_motion(ROOT, RootParts::GROUND).unwrap();
            }
            instance.step(dt);
            speeds.push(instance.take_root_motion().translation[2] / dt);
        }
        assert!((speeds[127] - 1.0).abs() < 1e-3 && (speeds[511] - 4.0).abs() < 1e-3);
        for pair in speeds.windows(2) {
            // Three meters per second within half a second, at most 1.5 times as fast as evenly.
            assert!((-2e-3..9.5 * dt).contains(&(pair[1] - pair[0])), "{pair:?}");
        }
    }
}

#[test]
fn scales_and_morph_weights_decay_too() {
    let model = runner(&[("a", 0.0, 1.0), ("b", 0.0, 3.0)]);
    let mut instance = model.instance();
    instance.play("a").unwrap();
    instance.step(0.5);
    instance.inertialize_to("b", 0.5).unwrap();
    let mut before = (instance.pose().transform(ROOT).scale[0], instance.pose().morph_weights()[0]);
    assert_eq!(before, (1.125, 1.25));
    for _ in 0..128 {
        instance.step(1.0 / 256.0);
        let now = (instance.pose().transform(ROOT).scale[0], instance.pose().morph_weights()[0]);
        assert!((now.0 - before.0).abs() < 0.05 && (now.1 - before.1).abs() < 0.05, "{before:?} {now:?}");
        before = now;
    }
    assert!((before.0 - 3.125).abs() < 1e-5 && (before.1 - 3.75).abs() < 1e-5, "{before:?}");
    // From a scaled clip to the rest pose, which has none.
    instance.animator_mut().inertialize(0.25).unwrap();
    instance.step(0.0);
    assert!((instance.pose().transform(ROOT).scale[0] - 3.125).abs() < 1e-4);
    instance.step(0.25);
    assert_eq!(instance.pose(), model.skeleton().rest());
}

#[test]
fn old_and_new_clips_at_their_ends_do_not_confuse_velocities() {
    // Loops that jump at their seam, by a meter within no time.
    let model = runner(&[("a", 0.5, 1.0), ("b", -0.5, 1.0)]);
    for (old_time, new_time) in [(0.001, 1.999), (1.999, 0.001), (0.0, 0.0), (1.0, 1.9999)] {
        let mut instance = model.instance();
        instance.play("a").unwrap().seek(old_time);
        instance.step(0.0);
        let at = instance.pose().translation(ROOT)[2];
        instance.inertialize_to("b", 0.5).unwrap().seek(new_time).set_repeat(Repeat::Clamp);
        for step in 1..=32 {
            instance.step(1.0 / 512.0);
            let moved = (instance.pose().translation(ROOT)[2] - at).abs();
            assert!(moved < 0.05 + 4.0 * step as f32 / 512.0, "{old_time} {new_time}: {moved}");
        }
    }
}

#[test]
fn hostile_durations_are_refused_and_zero_is_a_cut() {
    let model = runner(&[("a", 0.0, 1.0), ("b", 0.0, 3.0)]);
    let mut instance = model.instance();
    instance.play("a").unwrap();
    instance.step(0.1);
    for seconds in [f32::NAN, f32::INFINITY, -0.25] {
        let error = instance.inertialize_to("b", seconds).unwrap_err().to_string();
        let expected = format!("expected finite seconds from zero up, found {seconds:?}");
        assert_eq!(error, format!("seconds of the inertialized transition: {expected}"));
        assert_eq!(instance.playbacks_mut().len(), 1, "nothing has changed");
    }
    assert!(instance.inertialize_to("c", 0.1).is_err());
    assert_eq!(instance.playbacks_mut()[0].clip(), 0);
    instance.inertialize_to("b", 0.0).unwrap();
    assert!(!instance.animator().is_inertializing());
    instance.step(0.0);
    assert_eq!(instance.pose().transform(ROOT).scale, [3.0; 3]);
    // The longest and the shortest durations, and steps of any length.
    for (seconds, step) in
        [(f32::MAX, 0.1), (f32::MIN_POSITIVE, 0.1), (0.5, f32::MAX), (0.5, -f32::MAX), (0.5, f32::NAN)]
    {
        instance.inertialize_to("a", seconds).unwrap();
        for _ in 0..3 {
            instance.step(step);
            let joint = instance.pose().transform(ROOT);
            assert!(
                joint.translation.iter().chain(&joint.scale).chain(&joint.rotation).all(|x| x.is_finite())
            );
        }
    }
}

/// Everything at once: spaces, transitions, additive layers and masks of a figure.
fn act(animator: &mut sinew::Animator, space: &BlendSpace, frame: usize) {
    match frame {
        0 => {
            _ = animator
                .play_space(space)
                .expect("a sound call")
                .set_blend_position(&[0.3])
                .expect("a sound call")
        }
        3 => _ = animator.inertialize_to("wave", 0.3).expect("a sound call").set_speed(1.2),
        5 => {
            _ = animator
                .inertialize_to_space(space, 0.3)
                .expect("a sound call")
                .set_blend_position(&[0.8])
                .expect("a sound call")
        }
        9 => _ = animator.fade_to("walk", 0.2).expect("a sound call"),
        11 => {
            _ = animator
                .add("wave", sinew::animation::Reference::FirstFrame)
                .expect("a sound call")
                .set_weight(0.4)
        }
        12 => _ = animator.inertialize_to("walk", 0.2).expect("a sound call"),
        _ => {}
    }
}

#[test]
fn members_of_a_crowd_have_the_bits_of_instances_on_every_backend() {
    let figure = scene_model("@figure:300");
    let mut first = None;
    every_backend(|run| {
        let skeleton = figure.skeleton().clone().with_runtime(runtime(run));
        let tracks = |clip: &Clip| clip.tracks().collect::<Vec<_>>();
        let clips = figure.clips().iter().map(|clip| {
            let data = tracks(clip);
            let tracks: Vec<Track<'_>> = data.iter().map(|track| track.track()).collect();
            Clip::new(clip.name(), &skeleton, &tracks).unwrap()
        });
        let model =
            Model::new(ModelSource { clips: clips.collect(), ..ModelSource::new(skeleton.clone()) }).unwrap();
        let space = BlendSpace::line(model.clip_set(), &[("walk", 0.0), ("wave", 1.0)]).unwrap();
        let mut crowd = Crowd::new(CrowdOptions::default());
        crowd.add_model(&model, &InstanceOptions::default());
        let ids: Vec<_> = (0..5).map(|_| crowd.add(0).unwrap()).collect();
        let mut instance = model.instance();
        let mut all = Vec::new();
        for frame in 0..16 {
            act(instance.animator_mut(), &space, frame);
            instance.step(0.0625);
            for &id in &ids {
                act(crowd.member_mut(id).unwrap().animator_mut(), &space, frame);
            }
            crowd.step(0.0625);
            let bits = pose_bits(instance.pose());
            for &id in &ids {
                assert!(pose_bits(crowd.pose(id).unwrap()) == bits, "{run}: frame {frame}");
            }
            let (motion, other) = (instance.take_root_motion(), crowd.member_mut(ids[1]).unwrap());
            assert_eq!(motion, other.animator_mut().take_root_motion());
            all.extend(bits);
        }
        if run.float_mode == sinew::FloatMode::Reproducible {
            assert!(*first.get_or_insert_with(|| all.clone()) == all, "{run}");
        }
    });
}

#[test]
fn transitions_allocate_nothing_after_the_first() {
    let model = scene_model("@figure:300");
    let space = BlendSpace::line(model.clip_set(), &[("walk", 0.0), ("wave", 1.0)]).unwrap();
    let mut instance = model.instance();
    let mut play = || {
        for frame in 0..16 {
            act(instance.animator_mut(), &space, frame);
            instance.step(0.0625);
        }
    };
    (0..3).for_each(|_| play());
    assert_eq!(allocation_counter::measure(play).count_total, 0);
}
