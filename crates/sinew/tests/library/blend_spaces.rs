//! Blend spaces: weights, phase, root motion, and what they refuse.

use sinew::animation::{BlendSpace, Interpolation, Keys, RootParts, Track};
use sinew::model::ModelSource;
use sinew::{Bone, Clip, JointId, Model, Skeleton, Transform};
use sinew_testkit::random::Random;

use crate::support::poses::pose_bits;
use crate::support::scene_cache::scene_model;

/// Clips of a root that walks along z and bobs along y; the length of each, and its speed.
fn walkers(clips: &[(&str, f32, f32)]) -> Model {
    let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)]).expect("a root");
    let joint = skeleton.joint("root").expect("it has one");
    let clip = |&(name, length, speed): &(&str, f32, f32)| {
        let times: Vec<f32> = (0..=8).map(|key| length * key as f32 / 8.0).collect();
        let height = |key: usize| [0.0, 0.5, 1.0, 0.5, 0.0, -0.5, -1.0, -0.5, 0.0][key];
        let values: Vec<[f32; 3]> = (0..=8).map(|key| [0.0, height(key), speed * times[key]]).collect();
        let keys = Keys::Translations { joint, values: &values };
        Clip::new(name, &skeleton, &[Track { times: &times, keys, interpolation: Interpolation::Linear }])
            .expect("valid")
    };
    let clips = clips.iter().map(clip).collect();
    Model::new(ModelSource { clips, ..ModelSource::new(skeleton) }).expect("valid")
}

const ROOT: JointId = JointId::new(0);

#[test]
fn weights_on_a_line_are_linear_between_neighbors_and_clamped_outside() {
    let model = walkers(&[("a", 1.0, 0.0), ("b", 1.0, 0.0), ("c", 1.0, 0.0)]);
    let space = BlendSpace::line(model.clip_set(), &[("c", 4.0), ("a", -2.0), ("b", 0.0)]).unwrap();
    assert_eq!((space.dimensions(), space.clips()), (1, &[2, 0, 1][..]));
    let dense = |x: f32| {
        let mut weights = [0.0; 3];
        space.weights(&[x]).unwrap().iter().for_each(|&(point, weight)| weights[point] += weight);
        weights
    };
    for (x, expected) in [
        (-9.0, [0.0, 1.0, 0.0]),
        (-2.0, [0.0, 1.0, 0.0]),
        (-0.5, [0.0, 0.25, 0.75]),
        (0.0, [0.0, 0.0, 1.0]),
        (1.0, [0.25, 0.0, 0.75]),
        (4.0, [1.0, 0.0, 0.0]),
        (f32::MAX, [1.0, 0.0, 0.0]),
    ] {
        assert_eq!(dense(x), expected, "at {x}");
    }
    let random = &mut Random::new(1);
    for _ in 0..1000 {
        let weights = dense(random.between(-4.0, 6.0));
        assert_eq!(weights.iter().map(|&weight| f64::from(weight)).sum::<f64>(), 1.0);
    }
}

#[test]
fn one_point_is_a_space_too() {
    let model = walkers(&[("a", 1.0, 0.0)]);
    let space = BlendSpace::line(model.clip_set(), &[("a", 3.0)]).unwrap();
    for x in [-1.0, 3.0, 8.0] {
        assert_eq!(space.weights(&[x]).unwrap()[0], (0, 1.0));
    }
}

#[test]
fn a_space_at_a_point_has_the_bits_of_its_clip() {
    let model = scene_model("@figure:300");
    let names: Vec<&str> = model.clips().iter().map(Clip::name).collect();
    let points: Vec<(&str, [f32; 2])> = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
        .iter()
        .enumerate()
        .map(|(i, &at)| (names[i % 2], at))
        .collect();
    let space = BlendSpace::plane(model.clip_set(), &points).unwrap();
    for (point, &(name, at)) in points.iter().enumerate() {
        let (mut one, mut other) = (model.instance(), model.instance());
        one.play(name).unwrap();
        other.play_space(&space).unwrap().set_blend_position(&at).unwrap();
        assert_eq!(other.playbacks_mut()[0].clip(), space.clips()[point]);
        let length = model.clips()[space.clips()[point]].end();
        // Between eighths of the cycle, where both take the same times.
        one.playbacks_mut()[0].seek_phase(0.0625);
        other.playbacks_mut()[0].seek_phase(0.0625);
        for _ in 0..40 {
            one.step(length / 8.0);
            other.step(length / 8.0);
            assert_eq!(pose_bits(one.pose()), pose_bits(other.pose()), "{name}");
        }
    }
}

#[test]
fn clips_keep_one_phase_and_a_cycle_takes_the_mean_length() {
    let model = walkers(&[("walk", 1.5, 0.0), ("run", 0.5, 0.0)]);
    let space = BlendSpace::line(model.clip_set(), &[("walk", 0.0), ("run", 1.0)]).unwrap();
    let mut instance = model.instance();
    instance.play_space(&space).unwrap().set_blend_position(&[0.5]).unwrap();
    // A cycle takes a second; both clips are at the same phase, so heights blend to the same curve.
    for frame in 1..=30 {
        instance.step(0.125);
        let phase = f64::from(frame % 8) / 8.0;
        assert!((instance.playbacks_mut()[0].phase() - phase).abs() < 1e-12);
        let expected = [0.0, 0.5, 1.0, 0.5, 0.0, -0.5, -1.0, -0.5][frame as usize % 8];
        assert!((instance.pose().translation(ROOT)[1] - expected).abs() < 1e-5, "frame {frame}");
    }
    // A change of position keeps the phase.
    let playback = &mut instance.playbacks_mut()[0];
    let before = playback.phase();
    playback.set_blend_position(&[1.0]).unwrap();
    assert_eq!(playback.phase(), before);
    assert_eq!(playback.seek(0.125).phase(), 0.25);
    assert_eq!(playback.seek_phase(0.75).seconds(), 0.375);
    assert_eq!(playback.set_speed(-1.0).phase(), 0.75);
    instance.step(0.125);
    assert!((instance.playbacks_mut()[0].phase() - 0.5).abs() < 1e-12);
}

#[test]
fn a_still_pose_does_not_change_the_length_of_a_cycle() {
    let model = walkers(&[("walk", 2.0, 0.0)]);
    let idle = {
        let skeleton = model.skeleton();
        let keys = Keys::Translations { joint: ROOT, values: &[[0.0, 4.0, 0.0]] };
        let track = Track { times: &[0.0], keys, interpolation: Interpolation::Linear };
        Clip::new("idle", skeleton, &[track]).unwrap()
    };
    let clips = vec![idle, model.clips()[0].clone()];
    let model = Model::new(ModelSource { clips, ..ModelSource::new(model.skeleton().clone()) }).unwrap();
    let space = BlendSpace::line(model.clip_set(), &[("idle", 0.0), ("walk", 1.0)]).unwrap();
    let mut instance = model.instance();
    instance.play_space(&space).unwrap().set_blend_position(&[0.5]).unwrap();
    instance.step(0.5);
    assert_eq!(instance.playbacks_mut()[0].phase(), 0.25);
    assert!((instance.pose().translation(ROOT)[1] - 2.5).abs() < 1e-6);
    instance.playbacks_mut()[0].set_blend_position(&[0.0]).unwrap();
    instance.step(7.0);
    assert_eq!(instance.playbacks_mut()[0].phase(), 0.25, "nothing moves the phase");
    assert_eq!(instance.pose().translation(ROOT)[1], 4.0);
}

#[test]
fn root_motion_of_a_space_is_the_weighted_mean_in_phase() {
    let model = walkers(&[("walk", 1.0, 1.0), ("run", 0.5, 4.0)]);
    let space = BlendSpace::line(model.clip_set(), &[("walk", 0.0), ("run", 1.0)]).unwrap();
    let mut instance = model.instance();
    let playback = instance.play_space(&space).unwrap();
    playback.set_root_motion(ROOT, RootParts::GROUND).unwrap().set_blend_position(&[0.5]).unwrap();
    let mut total = 0.0;
    for _ in 0..80 {
        instance.step(0.09375);
        let motion = instance.take_root_motion();
        total += f64::from(motion.translation[2]);
        assert_eq!(instance.pose().translation(ROOT)[2], 0.0, "the motion is taken out of the pose");
    }
    // Ten cycles, each the mean of one and two meters.
    assert!((total - 15.0).abs() < 1e-4, "{total}");
}

#[test]
fn spaces_cross_fade_with_clips() {
    let model = walkers(&[("walk", 1.0, 0.0), ("run", 1.0, 0.0)]);
    let space = BlendSpace::line(model.clip_set(), &[("walk", 0.0), ("run", 1.0)]).unwrap();
    let mut instance = model.instance();
    instance.play("walk").unwrap();
    instance.animator_mut().fade_to_space(&space, 0.5).unwrap().set_blend_position(&[0.25]).unwrap();
    for _ in 0..8 {
        instance.step(0.0625);
        let phase = instance.playbacks_mut()[0].phase();
        let expected = 1.0 - (4.0 * (phase - 0.25)).abs() as f32;
        assert!((instance.pose().translation(ROOT)[1] - expected).abs() < 1e-5, "{phase}");
    }
    assert_eq!(instance.playbacks_mut().len(), 1, "the clip has faded out");
    instance.fade_to("run", 0.1).unwrap();
    instance.step(0.25);
    assert_eq!(instance.playbacks_mut().len(), 1);
}

#[test]
fn hostile_spaces_are_refused_with_the_fault() {
    let model = walkers(&[("a", 1.0, 0.0), ("b", 1.0, 0.0)]);
    let set = model.clip_set();
    let line = |points: &[f32]| {
        let points: Vec<(&str, f32)> = points.iter().map(|&x| ("a", x)).collect();
        BlendSpace::line(set, &points).map(|_| ()).map_err(|error| error.to_string())
    };
    let plane = |points: &[[f32; 2]]| {
        let points: Vec<(&str, [f32; 2])> = points.iter().map(|&at| ("a", at)).collect();
        BlendSpace::plane(set, &points).map(|_| ()).map_err(|error| error.to_string())
    };
    let refused = |result: Result<(), String>, expected: &str| {
        assert_eq!(result.unwrap_err(), expected);
    };
    refused(line(&[]), "blend space: expected from 1 to 1024 points, found 0");
    refused(line(&[1.0, f32::NAN]), "point 1 of the blend space: expected finite coordinates, found NaN");
    let own = "expected a place of its own, found that of point";
    refused(line(&[1.0, 0.0, -0.0]), &format!("point 2 of the blend space: {own} 1"));
    for few in [&[][..], &[[0.0; 2]], &[[0.0; 2], [1.0; 2]]] {
        refused(plane(few), &format!("blend space: expected from 3 to 1024 points, found {}", few.len()));
    }
    let many: Vec<[f32; 2]> = (0..1025).map(|i| [i as f32, (i * i % 97) as f32]).collect();
    refused(plane(&many), "blend space: expected from 3 to 1024 points, found 1025");
    assert_eq!(plane(&many[..1024]), Ok(()));
    refused(
        plane(&[[0.0, 0.0], [1.0, f32::INFINITY], [1.0, 1.0]]),
        "point 1 of the blend space: expected finite coordinates, found inf",
    );
    let duplicated = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, -0.0]];
    refused(plane(&duplicated), &format!("point 3 of the blend space: {own} 1"));
    let collinear = "blend space: expected points in a plane, found all on one line, which a space of one \
                     dimension is for";
    refused(plane(&[[0.0, 0.0], [1.0, 2.0], [2.0, 4.0], [-3.0, -6.0]]), collinear);
    refused(plane(&[[5.0, 0.0], [5.0, 2.0], [5.0, 4.0]]), collinear);
    refused(plane(&[[1.0, 1.0]; 3]), collinear);
    // Extreme extents are fine.
    assert_eq!(plane(&[[f32::MIN, 0.0], [f32::MAX, 1e-40], [0.0, 3e-39]]), Ok(()));
    let unknown = BlendSpace::line(set, &[("walk", 0.0)]).unwrap_err().to_string();
    assert!(unknown.contains("walk"), "{unknown}");
}

#[test]
fn hostile_positions_are_refused_and_change_nothing() {
    let model = walkers(&[("a", 1.0, 0.0), ("b", 1.0, 0.0)]);
    let line = BlendSpace::line(model.clip_set(), &[("a", 0.0), ("b", 1.0)]).unwrap();
    let other = walkers(&[("a", 1.0, 0.0), ("b", 1.0, 0.0)]);
    let mut instance = model.instance();
    let playback = instance.play_space(&line).unwrap();
    playback.set_blend_position(&[1.0]).unwrap();
    for (position, expected) in [
        (&[f32::NAN][..], "position in the blend space: expected finite coordinates, found NaN"),
        (&[0.0, 0.0], "coordinates of the blend position: expected 1, found 2"),
        (&[], "coordinates of the blend position: expected 1, found 0"),
    ] {
        assert_eq!(playback.set_blend_position(position).unwrap_err().to_string(), expected);
        assert_eq!(playback.clip(), 1);
    }
    playback.seek(f64::NAN).seek_phase(f64::INFINITY).set_speed(f32::NAN);
    assert_eq!(playback.phase(), 0.0);
    let error = instance.play("a").unwrap().set_blend_position(&[0.0]).unwrap_err().to_string();
    assert_eq!(error, "blend position: expected the playback of a blend space, found that of a clip");
    let error = other.instance().play_space(&line).map(|_| ()).unwrap_err().to_string();
    assert_eq!(error, "blend space: expected one of the animator's clips, found one of another set");
}

#[test]
fn a_frame_of_a_space_allocates_nothing_and_neither_does_playing_it_again() {
    let model = scene_model("@figure:300");
    let names: Vec<&str> = model.clips().iter().map(Clip::name).collect();
    let points = [(names[0], [0.0, 0.0]), (names[1], [1.0, 0.0]), (names[0], [0.0, 1.0])];
    let space = BlendSpace::plane(model.clip_set(), &points).unwrap();
    let mut instance = model.instance();
    for _ in 0..2 {
        instance.play_space(&space).unwrap();
        instance.step(0.1);
        instance.stop();
    }
    let counted = allocation_counter::measure(|| {
        instance.play_space(&space).unwrap();
        for frame in 0..20 {
            let position = [frame as f32 * 0.1 - 0.4, 0.3];
            instance.playbacks_mut()[0].set_blend_position(&position).unwrap();
            instance.step(0.04);
        }
        instance.stop();
    });
    assert_eq!(counted.count_total, 0);
}
