//! Recorded poses: records are restored bit for bit, and poses between them are interpolated.

use sinew::animation::Factor;
use sinew::model::{History, ModelError};
use sinew::skeleton::Joint;
use sinew::{FloatMode, Pose, Runtime, Skeleton};
use sinew_testkit::backends::every_backend;
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::support::backends::{fast_runtime, runtime};
use crate::support::poses::pose_bits;
use crate::support::random_rigs::random_tree;

const JOINTS: usize = 37;
const WEIGHTS: usize = 3;

fn skeleton(runtime: Runtime) -> Skeleton {
    random_tree(JOINTS).with_morph_weights(&[0.0; WEIGHTS]).expect("finite weights").with_runtime(runtime)
}

/// A random pose. One in three has scales.
fn arbitrary_pose(skeleton: &Skeleton, random: &mut Random) -> Pose {
    let mut pose = skeleton.rest_pose();
    for joint in skeleton.joints() {
        let Joint { rotation, translation, .. } = rigs::joint(random);
        pose.set_rotation(joint, rotation);
        pose.set_translation(joint, translation);
    }
    if random.once_in(3) {
        for (joint, scale) in skeleton.joints().zip(rigs::scales(JOINTS, random)) {
            pose.set_scale(joint, scale.factors);
        }
    }
    pose.morph_weights_mut().fill_with(|| random.between(-1.0, 1.0));
    pose
}

#[test]
fn a_recorded_pose_is_restored_bit_for_bit_on_every_backend() {
    every_backend(|run| {
        let (skeleton, random) = (skeleton(runtime(run)), &mut Random::new(640));
        let mut history = History::new(&skeleton, 16);
        let mut found = skeleton.rest_pose();
        let mut records = Vec::new();
        for frame in 0..50_u32 {
            records.push((
                f64::from(frame) * 0.1 + f64::from(random.fraction()) * 0.05,
                arbitrary_pose(&skeleton, random),
            ));
            let (seconds, pose) = &records[frame as usize];
            history.record(*seconds, pose).expect("times rise");
            let kept = &records[records.len().saturating_sub(16)..];
            assert_eq!(history.times().collect::<Vec<_>>(), kept.iter().map(|r| r.0).collect::<Vec<_>>());
            for (seconds, pose) in kept {
                history.pose_at(*seconds, &mut found).expect("a finite time");
                assert_eq!(pose_bits(&found), pose_bits(pose), "{run}");
                assert_eq!(found.has_scales(), pose.has_scales(), "{run}");
            }
        }
    });
}

#[test]
fn poses_between_records_are_slerps() {
    let runtime = fast_runtime();
    let (skeleton, random) = (skeleton(runtime), &mut Random::new(641));
    let [from, to] = [arbitrary_pose(&skeleton, random), arbitrary_pose(&skeleton, random)];
    let mut history = History::new(&skeleton, 4);
    history.record(1e6, &from).expect("a finite time");
    history.record(1e6 + 0.5, &to).expect("times rise");
    let (mut found, mut expected) = (arbitrary_pose(&skeleton, random), skeleton.rest_pose());
    for factor in [0.125, 0.5, 0.75] {
        history.pose_at(1e6 + f64::from(factor) / 2.0, &mut found).expect("a finite time");
        expected.slerp(&from, &to, Factor::All(factor)).expect("poses of one skeleton");
        assert_eq!(pose_bits(&found), pose_bits(&expected));
    }
}

#[test]
fn reproducible_poses_between_records_have_the_same_bits_on_every_backend() {
    let mut first: Option<Vec<u32>> = None;
    every_backend(|run| {
        if run.float_mode != FloatMode::Reproducible {
            return;
        }
        let (skeleton, random) = (skeleton(runtime(run)), &mut Random::new(642));
        let mut history = History::new(&skeleton, 8);
        for frame in 0..20 {
            history.record(f64::from(frame), &arbitrary_pose(&skeleton, random)).expect("times rise");
        }
        let mut all = Vec::new();
        let mut found = skeleton.rest_pose();
        for _ in 0..40 {
            history.pose_at(f64::from(random.between(10.0, 21.0)), &mut found).expect("a finite time");
            all.extend(pose_bits(&found));
        }
        assert!(first.get_or_insert_with(|| all.clone()) == &all, "{run}");
    });
}

#[test]
fn record_times_may_be_further_apart_than_f64_max() {
    let skeleton = skeleton(fast_runtime());
    let random = &mut Random::new(7);
    let mut history = History::new(&skeleton, 2);
    for seconds in [-0.9 * f64::MAX, 0.9 * f64::MAX] {
        history.record(seconds, &arbitrary_pose(&skeleton, random)).unwrap();
    }
    let mut found = Pose::new(&skeleton);
    history.pose_at(0.5 * f64::MAX, &mut found).unwrap();
    assert!(pose_bits(&found).into_iter().all(|bits| f32::from_bits(bits).is_finite()));
}

#[test]
fn times_outside_the_records_clamp_to_the_oldest_and_newest() {
    let runtime = fast_runtime();
    let (skeleton, random) = (skeleton(runtime), &mut Random::new(643));
    let mut history = History::new(&skeleton, 0);
    assert_eq!((history.capacity(), history.is_empty(), history.oldest()), (1, true, None));
    let mut found = skeleton.rest_pose();
    assert_eq!(history.pose_at(0.0, &mut found), Err(ModelError::NoRecord));
    let only = arbitrary_pose(&skeleton, random);
    history.record(-3.0, &only).unwrap();
    for seconds in [-1e300, -3.0, 0.0, 1e300] {
        history.pose_at(seconds, &mut found).unwrap();
        assert_eq!(pose_bits(&found), pose_bits(&only));
    }
    assert_eq!((history.oldest(), history.newest(), history.len()), (Some(-3.0), Some(-3.0), 1));
}

#[test]
fn non_increasing_and_non_finite_times_are_rejected_and_change_nothing() {
    let runtime = fast_runtime();
    let (skeleton, random) = (skeleton(runtime), &mut Random::new(644));
    let mut history = History::new(&skeleton, 3);
    let some = arbitrary_pose(&skeleton, random);
    history.record(1.0, &some).unwrap();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(matches!(history.record(bad, &some), Err(ModelError::BadTime { .. })));
        assert!(matches!(history.pose_at(bad, &mut some.clone()), Err(ModelError::BadTime { .. })));
    }
    let expected = ModelError::TimeNotAfter { before: 1.0, found: 1.0 };
    assert_eq!(expected.to_string(), "time of the pose to record: expected one after 1.0 s, found 1.0 s");
    assert_eq!(history.record(1.0, &some), Err(expected));
    let other = random_tree(JOINTS + 1).rest_pose();
    assert!(history.record(2.0, &other).is_err());
    assert!(history.pose_at(1.0, &mut other.clone()).is_err());
    assert_eq!(history.times().collect::<Vec<_>>(), [1.0]);
    history.clear();
    assert!(history.is_empty());
    history.record(0.5, &some).unwrap();
}

#[test]
fn recording_can_continue_from_a_past_time() {
    let runtime = fast_runtime();
    let (skeleton, random) = (skeleton(runtime), &mut Random::new(645));
    let mut history = History::new(&skeleton, 4);
    for frame in 0..7 {
        history.record(f64::from(frame), &arbitrary_pose(&skeleton, random)).unwrap();
    }
    history.forget_after(f64::NAN);
    assert_eq!(history.times().collect::<Vec<_>>(), [3.0, 4.0, 5.0, 6.0]);
    history.forget_after(4.0);
    assert_eq!(history.times().collect::<Vec<_>>(), [3.0, 4.0]);
    let other = arbitrary_pose(&skeleton, random);
    history.record(4.25, &other).unwrap();
    let mut found = skeleton.rest_pose();
    history.pose_at(9.0, &mut found).unwrap();
    assert_eq!(pose_bits(&found), pose_bits(&other));
    history.forget_after(-1.0);
    assert!(history.is_empty());
}

#[test]
fn recording_and_rewinding_allocate_nothing() {
    let runtime = fast_runtime();
    let (skeleton, random) = (skeleton(runtime), &mut Random::new(646));
    let mut history = History::new(&skeleton, 4);
    let (some, mut found) = (arbitrary_pose(&skeleton, random), skeleton.rest_pose());
    let counted = allocation_counter::measure(|| {
        for frame in 0..10 {
            history.record(f64::from(frame), &some).expect("times rise");
            history.pose_at(f64::from(frame) - 0.5, &mut found).expect("a finite time");
        }
    });
    assert_eq!(counted.count_total, 0);
}
