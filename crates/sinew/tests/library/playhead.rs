//! Playheads: looping, clamping, reverse playback, and hours without drift.

use sinew::animation::{Interpolation, Keys, Playhead, Repeat, Track};
use sinew::{Bone, Clip, JointId, Skeleton, Transform};

/// A clip with keys at these times.
fn clip_with_keys(times: &[f32]) -> Clip {
    let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)]).expect("a root");
    let values = vec![[0.0; 3]; times.len()];
    let keys = Keys::Translations { joint: JointId::new(0), values: &values };
    Clip::new("", &skeleton, &[Track { times, keys, interpolation: Interpolation::Linear }])
        .expect("a valid track")
}

#[test]
fn ten_million_steps_match_exact_arithmetic() {
    const STEPS: i128 = 10_000_000;
    // Integers in units of 2^-60 seconds represent the step and the clip exactly.
    let unit = 2.0_f64.powi(60);
    for (start, end, speed) in [(0.0_f32, 1.1_f32, 1.0), (0.25, 7.3, -1.0)] {
        let mut playhead = Playhead::new(&clip_with_keys(&[start, end]), Repeat::Loop);
        playhead.speed = speed;
        let dt = 1.0 / 60.0;
        let mut wraps = 0;
        for _ in 0..STEPS {
            wraps += playhead.advance(dt);
        }
        let length = ((f64::from(end) - f64::from(start)) * unit) as i128;
        let elapsed = STEPS * (speed * dt * unit) as i128;
        assert_eq!(i128::from(wraps), elapsed.div_euclid(length));
        let expected = f64::from(start) + elapsed.rem_euclid(length) as f64 / unit;
        let error = (playhead.time() - expected).abs();
        assert!(error < 1e-14 * f64::from(end), "{error:e}");
    }
}

#[test]
fn looping_counts_the_wraps() {
    let mut playhead = Playhead::new(&clip_with_keys(&[1.0, 3.0]), Repeat::Loop);
    assert_eq!((playhead.time(), playhead.fraction()), (1.0, 0.0));
    assert_eq!((playhead.advance(1.5), playhead.time()), (0, 2.5));
    // The end of a loop is its start.
    assert_eq!((playhead.advance(0.5), playhead.time()), (1, 1.0));
    assert_eq!((playhead.advance(5.0), playhead.time()), (2, 2.0));
    assert_eq!((playhead.advance(-1.0), playhead.time()), (0, 1.0));
    assert_eq!((playhead.advance(-0.5), playhead.time()), (-1, 2.5));
    assert_eq!((playhead.advance(-4.0), playhead.time()), (-2, 2.5));
    playhead.speed = -2.0;
    assert_eq!((playhead.advance(1.0), playhead.time()), (-1, 2.5));
    playhead.speed = 0.0;
    assert_eq!((playhead.advance(100.0), playhead.time()), (0, 2.5));
    assert!(!playhead.is_finished());
}

#[test]
fn wraps_and_time_add_up_to_the_elapsed_time() {
    let mut playhead = Playhead::new(&clip_with_keys(&[0.5, 2.75]), Repeat::Loop);
    let (mut wraps, mut elapsed) = (0, 0.0);
    for step in 0..10_000 {
        let seconds = f64::from(step * 37 % 101 - 50) / 8.0;
        wraps += playhead.advance(seconds);
        elapsed += seconds;
        assert!((0.5..2.75).contains(&playhead.time()));
        assert_eq!(2.25 * wraps as f64 + playhead.time() - 0.5, elapsed);
    }
}

#[test]
fn a_tiny_step_back_is_not_lost_and_wraps_once() {
    let mut playhead = Playhead::new(&clip_with_keys(&[0.0, 2.0]), Repeat::Loop);
    assert_eq!((playhead.advance(-1e-30), playhead.time()), (-1, 2.0));
    assert_eq!((playhead.advance(0.0), playhead.time()), (0, 2.0));
    assert_eq!((playhead.advance(2e-30), playhead.time()), (1, 1e-30));
}

#[test]
fn clamping_stops_at_the_ends() {
    let mut playhead = Playhead::new(&clip_with_keys(&[1.0, 3.0]), Repeat::Clamp);
    assert_eq!((playhead.advance(1.5), playhead.time(), playhead.is_finished()), (0, 2.5, false));
    assert_eq!((playhead.advance(1.5), playhead.time(), playhead.is_finished()), (0, 3.0, true));
    playhead.speed = -1.0;
    assert!(!playhead.is_finished());
    assert_eq!((playhead.advance(1.0), playhead.time()), (0, 2.0));
    assert_eq!((playhead.advance(1e300), playhead.time(), playhead.is_finished()), (0, 1.0, true));
}

#[test]
fn seeking_wraps_or_clamps_into_the_clip() {
    let mut playhead = Playhead::new(&clip_with_keys(&[1.0, 3.0]), Repeat::Loop);
    for (requested, found) in
        [(2.0, 2.0), (3.0, 1.0), (8.5, 2.5), (-0.5, 1.5), (f64::NAN, 1.5), (f64::INFINITY, 1.5)]
    {
        playhead.seek(requested);
        assert_eq!(playhead.time(), found, "{requested}");
    }
    playhead.repeat = Repeat::Clamp;
    for (requested, found) in [(2.0, 2.0), (3.0, 3.0), (8.5, 3.0), (-0.5, 1.0)] {
        playhead.seek(requested);
        assert_eq!((playhead.time(), playhead.seconds()), (found, found as f32), "{requested}");
    }
}

#[test]
fn non_finite_steps_are_ignored() {
    for repeat in [Repeat::Loop, Repeat::Clamp] {
        let mut playhead = Playhead::new(&clip_with_keys(&[0.0, 2.0]), repeat);
        playhead.advance(0.5);
        for step in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!((playhead.advance(step), playhead.time()), (0, 0.5));
        }
        for speed in [f64::NAN, f64::INFINITY, f64::MAX] {
            playhead.speed = speed;
            assert_eq!((playhead.advance(1e10), playhead.time()), (0, 0.5));
        }
        playhead.speed = 1.0;
        assert_eq!((playhead.advance(0.25), playhead.time()), (0, 0.75));
    }
}

#[test]
fn the_largest_steps_stay_inside_the_clip() {
    let mut playhead = Playhead::new(&clip_with_keys(&[0.0, 0.7]), Repeat::Loop);
    for step in [f64::MAX, -f64::MAX, 1e300, -1e20, 5e-324, -5e-324] {
        playhead.advance(step);
        assert!((0.0..=f64::from(0.7_f32)).contains(&playhead.time()), "{step}");
    }
}

#[test]
fn a_clip_of_zero_duration_keeps_its_time() {
    for times in [&[0.0][..], &[2.5]] {
        for repeat in [Repeat::Loop, Repeat::Clamp] {
            let mut playhead = Playhead::new(&clip_with_keys(times), repeat);
            for step in [1.0, -1.0, 1e300, f64::NAN] {
                assert_eq!(playhead.advance(step), 0);
                playhead.seek(step);
                assert_eq!((playhead.seconds(), playhead.fraction()), (times[0], 0.0));
            }
        }
    }
}
