//! Poses of the past: what was recorded comes back to the bit, and what lies between as clips have it.

use crate::rigs;

use sinew::{Error, Factor, FloatMode, History, Joint, Kernels, Pose, Scale, Skeleton, backend};
use sinew_testkit::backends::every_backend;
use sinew_testkit::random::Random;

const JOINTS: usize = 37;
const WEIGHTS: usize = 3;

fn skeleton(kernels: &'static Kernels) -> Skeleton {
    rigs::bush(JOINTS).with_morph_weights(&[0.0; WEIGHTS]).expect("finite weights").with_kernels(kernels)
}

/// A pose of anything, scaled now and then.
fn pose(skeleton: &Skeleton, random: &mut Random) -> Pose {
    let mut pose = skeleton.rest_pose();
    for joint in pose.joints_mut() {
        *joint = sinew_testkit::rigs::joint(random);
    }
    if random.once_in(3) {
        pose.scales_mut().copy_from_slice(&sinew_testkit::rigs::scales(JOINTS, random));
    }
    pose.morph_weights_mut().fill_with(|| random.between(-1.0, 1.0));
    pose
}

fn bits(pose: &Pose) -> Vec<u32> {
    let joint =
        |joint: &Joint| joint.rotation.into_iter().chain(joint.translation).map(f32::to_bits).collect();
    let joints = pose.joints().iter().map(joint).collect::<Vec<Vec<u32>>>().concat();
    let scales = pose.scales().unwrap_or_default().iter().flat_map(|scale: &Scale| scale.factors);
    joints.into_iter().chain(scales.chain(pose.morph_weights().iter().copied()).map(f32::to_bits)).collect()
}

#[test]
fn a_recorded_pose_comes_back_to_the_bit_on_every_isa() {
    every_backend(|run| {
        let (skeleton, random) = (skeleton(run.kernels), &mut Random::new(640));
        let mut history = History::new(&skeleton, 16);
        let mut found = skeleton.rest_pose();
        let mut records = Vec::new();
        for frame in 0..50 {
            records.push((
                f64::from(frame) * 0.1 + f64::from(random.fraction()) * 0.05,
                pose(&skeleton, random),
            ));
            let (seconds, pose) = &records[frame as usize];
            history.record(*seconds, pose).expect("times rise");
            let kept = &records[records.len().saturating_sub(16)..];
            assert_eq!(history.times().collect::<Vec<_>>(), kept.iter().map(|r| r.0).collect::<Vec<_>>());
            for (seconds, pose) in kept {
                history.at(*seconds, &mut found).expect("a finite time");
                assert_eq!(bits(&found), bits(pose), "{run}");
                assert_eq!(found.scales().is_some(), pose.scales().is_some(), "{run}");
            }
        }
    });
}

#[test]
fn between_records_a_pose_goes_the_way_of_slerp() {
    let kernels = backend::default().expect("a backend").kernels(FloatMode::Fast);
    let (skeleton, random) = (skeleton(kernels), &mut Random::new(641));
    let [from, to] = [pose(&skeleton, random), pose(&skeleton, random)];
    let mut history = History::new(&skeleton, 4);
    history.record(1e6, &from).expect("a finite time");
    history.record(1e6 + 0.5, &to).expect("times rise");
    let (mut found, mut expected) = (pose(&skeleton, random), skeleton.rest_pose());
    for factor in [0.125, 0.5, 0.75] {
        history.at(1e6 + f64::from(factor) / 2.0, &mut found).expect("a finite time");
        expected.slerp(&from, &to, Factor::All(factor)).expect("poses of one skeleton");
        assert_eq!(bits(&found), bits(&expected));
    }
}

#[test]
fn between_records_every_backend_has_the_same_bits_when_reproducible() {
    let mut first: Option<Vec<u32>> = None;
    every_backend(|run| {
        if run.float_mode != FloatMode::Reproducible {
            return;
        }
        let (skeleton, random) = (skeleton(run.kernels), &mut Random::new(642));
        let mut history = History::new(&skeleton, 8);
        for frame in 0..20 {
            history.record(f64::from(frame), &pose(&skeleton, random)).expect("times rise");
        }
        let mut all = Vec::new();
        let mut found = skeleton.rest_pose();
        for _ in 0..40 {
            history.at(f64::from(random.between(10.0, 21.0)), &mut found).expect("a finite time");
            all.extend(bits(&found));
        }
        assert!(first.get_or_insert_with(|| all.clone()) == &all, "{run}");
    });
}

#[test]
fn times_further_apart_than_the_largest_number_are_times() {
    let skeleton = skeleton(backend::default().expect("a backend").kernels(FloatMode::Fast));
    let random = &mut Random::new(7);
    let mut history = History::new(&skeleton, 2);
    for seconds in [-0.9 * f64::MAX, 0.9 * f64::MAX] {
        history.record(seconds, &pose(&skeleton, random)).unwrap();
    }
    let mut found = Pose::new(&skeleton);
    history.at(0.5 * f64::MAX, &mut found).unwrap();
    assert!(bits(&found).into_iter().all(|bits| f32::from_bits(bits).is_finite()));
}

#[test]
fn before_the_oldest_and_after_the_newest_they_are_held() {
    let kernels = backend::default().expect("a backend").kernels(FloatMode::Fast);
    let (skeleton, random) = (skeleton(kernels), &mut Random::new(643));
    let mut history = History::new(&skeleton, 0);
    assert_eq!((history.capacity(), history.is_empty(), history.oldest()), (1, true, None));
    let mut found = skeleton.rest_pose();
    assert_eq!(history.at(0.0, &mut found), Err(Error::NoRecord));
    let only = pose(&skeleton, random);
    history.record(-3.0, &only).unwrap();
    for seconds in [-1e300, -3.0, 0.0, 1e300] {
        history.at(seconds, &mut found).unwrap();
        assert_eq!(bits(&found), bits(&only));
    }
    assert_eq!((history.oldest(), history.newest(), history.len()), (Some(-3.0), Some(-3.0), 1));
}

#[test]
fn times_that_do_not_rise_or_are_none_are_refused_and_change_nothing() {
    let kernels = backend::default().expect("a backend").kernels(FloatMode::Fast);
    let (skeleton, random) = (skeleton(kernels), &mut Random::new(644));
    let mut history = History::new(&skeleton, 3);
    let some = pose(&skeleton, random);
    history.record(1.0, &some).unwrap();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(matches!(history.record(bad, &some), Err(Error::BadTime { .. })));
        assert!(matches!(history.at(bad, &mut some.clone()), Err(Error::BadTime { .. })));
    }
    let expected = Error::TimeNotAfter { before: 1.0, found: 1.0 };
    assert_eq!(expected.to_string(), "time of the pose to record: expected one after 1.0 s, found 1.0 s");
    assert_eq!(history.record(1.0, &some), Err(expected));
    let other = rigs::bush(JOINTS + 1).rest_pose();
    assert!(history.record(2.0, &other).is_err());
    assert!(history.at(1.0, &mut other.clone()).is_err());
    assert_eq!(history.times().collect::<Vec<_>>(), [1.0]);
    history.clear();
    assert!(history.is_empty());
    history.record(0.5, &some).unwrap();
}

#[test]
fn another_future_may_follow_a_past_time() {
    let kernels = backend::default().expect("a backend").kernels(FloatMode::Fast);
    let (skeleton, random) = (skeleton(kernels), &mut Random::new(645));
    let mut history = History::new(&skeleton, 4);
    for frame in 0..7 {
        history.record(f64::from(frame), &pose(&skeleton, random)).unwrap();
    }
    history.forget_after(f64::NAN);
    assert_eq!(history.times().collect::<Vec<_>>(), [3.0, 4.0, 5.0, 6.0]);
    history.forget_after(4.0);
    assert_eq!(history.times().collect::<Vec<_>>(), [3.0, 4.0]);
    let other = pose(&skeleton, random);
    history.record(4.25, &other).unwrap();
    let mut found = skeleton.rest_pose();
    history.at(9.0, &mut found).unwrap();
    assert_eq!(bits(&found), bits(&other));
    history.forget_after(-1.0);
    assert!(history.is_empty());
}

#[test]
fn recording_and_rewinding_allocate_nothing() {
    let kernels = backend::default().expect("a backend").kernels(FloatMode::Fast);
    let (skeleton, random) = (skeleton(kernels), &mut Random::new(646));
    let mut history = History::new(&skeleton, 4);
    let (some, mut found) = (pose(&skeleton, random), skeleton.rest_pose());
    let counted = allocation_counter::measure(|| {
        for frame in 0..10 {
            history.record(f64::from(frame), &some).expect("times rise");
            history.at(f64::from(frame) - 0.5, &mut found).expect("a finite time");
        }
    });
    assert_eq!(counted.count_total, 0);
}
