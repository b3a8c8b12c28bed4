//! Sampling of key frames: against `f64`, and which lanes are written.

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{
    BLOCK, FindStaleKeys, KeyFactor, KeyTarget, NlerpRotations, RotationBlock, SampleRotations,
    SampleVectors, VectorBlock,
};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::pose_blocks::{PoseArrays, rotation_key_blocks};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

const CASES: usize = BLOCK * if EMULATED { 10 } else { 300 };

fn targets(blocks: usize) -> Vec<KeyTarget> {
    (0..blocks).map(|block| KeyTarget { block: block as u32, full: true, lanes: [1.0; BLOCK] }).collect()
}

/// The squared angle between two unit quaternions, negative if the second must be negated.
fn angle_squared(from: [f32; 4], to: [f32; 4]) -> f32 {
    let (from, mut to) = (from.map(f64::from), to.map(f64::from));
    let away = algebra::dot(from, to) < 0.0;
    if away {
        to = algebra::scaled(to, -1.0);
    }
    let chord = algebra::length(algebra::sum(to, algebra::scaled(from, -1.0)));
    let angle = 2.0 * chord.atan2(algebra::length(algebra::sum(to, from)));
    (angle * angle * if away { -1.0 } else { 1.0 }) as f32
}

#[test]
fn rotations_match_the_reference() {
    let random = &mut Random::new(40);
    let (from, to) = (rigs::joints(CASES, random), rigs::joints(CASES, random));
    let pairs = from.iter().zip(&to);
    let keys: Vec<_> = pairs.map(|(a, b)| (a.rotation, angle_squared(a.rotation, b.rotation))).collect();
    let from_keys = rotation_key_blocks(keys.into_iter());
    let to_keys = rotation_key_blocks(to.iter().map(|joint| (joint.rotation, 0.0)));
    let mut times = vec![VectorBlock::default(); CASES / BLOCK];
    let starts: Vec<f32> = (0..CASES).map(|_| random.fraction()).collect();
    for (i, &start) in starts.iter().enumerate() {
        times[i / BLOCK].set_vector(i % BLOCK, [start, start + 2.0, 0.5]);
    }
    every_backend(|run| {
        for (name, factor) in [("one", KeyFactor::All(0.3)), ("times", KeyFactor::Times(1.25, &times))] {
            let mut rotations = vec![RotationBlock::IDENTITY; CASES / BLOCK];
            run.kernels.sample_rotations(SampleRotations {
                from: &from_keys,
                to: &to_keys,
                factor,
                targets: &targets(CASES / BLOCK),
                rotations: &mut rotations,
            });
            let mut tolerance = Tolerance::new(format!("{run}: sample_rotations, {name}"));
            for i in 0..CASES {
                let t = if name == "one" { 0.3_f32.into() } else { (1.25 - f64::from(starts[i])) * 0.5 };
                let [a, b] = [&from[i], &to[i]].map(|joint| joint.rotation.map(f64::from));
                if algebra::dot(a, b).abs() < 1e-6 {
                    continue; // Both arcs are equally short.
                }
                let found = rotations[i / BLOCK].rotation(i % BLOCK);
                tolerance.all_close(format_args!("{a:?} to {b:?}"), reference::slerp(a, b, t), found, 1e-6);
            }
            tolerance.report();
        }
    });
}

/// Along the chord to the nearer of `b` and `-b`.
fn nlerp(a: [f64; 4], b: [f64; 4], t: f64) -> [f64; 4] {
    let b = algebra::scaled(b, if algebra::dot(a, b) < 0.0 { -t } else { t });
    let sum = algebra::sum(algebra::scaled(a, 1.0 - t), b);
    algebra::scaled(sum, 1.0 / algebra::length(sum))
}

#[test]
fn nlerp_matches_the_reference_and_is_exact_at_the_first_key() {
    let random = &mut Random::new(43);
    let (from, to) = (rigs::joints(CASES, random), rigs::joints(CASES, random));
    let [from_keys, to_keys] = [&from, &to].map(|joints| PoseArrays::new(joints, &[]).rotations);
    let mut times = vec![VectorBlock::default(); CASES / BLOCK];
    let starts: Vec<f32> = (0..CASES).map(|_| random.fraction()).collect();
    for (i, &start) in starts.iter().enumerate() {
        times[i / BLOCK].set_vector(i % BLOCK, [start, start + 2.0, 0.5]);
    }
    every_backend(|run| {
        for (name, factor) in [
            ("one", KeyFactor::All(0.3)),
            ("first", KeyFactor::All(0.0)),
            ("times", KeyFactor::Times(1.25, &times)),
        ] {
            let mut rotations = vec![RotationBlock::IDENTITY; CASES / BLOCK];
            run.kernels.nlerp_rotations(NlerpRotations {
                from: &from_keys,
                to: &to_keys,
                factor,
                targets: &targets(CASES / BLOCK),
                rotations: &mut rotations,
            });
            let mut tolerance = Tolerance::new(format!("{run}: nlerp_rotations, {name}"));
            for i in 0..CASES {
                let t = match name {
                    "one" => 0.3_f32.into(),
                    "first" => 0.0,
                    _ => (1.25 - f64::from(starts[i])) * 0.5,
                };
                let found = rotations[i / BLOCK].rotation(i % BLOCK);
                assert!(name != "first" || found == from[i].rotation, "{run}: {found:?}");
                let [a, b] = [&from[i], &to[i]].map(|joint| joint.rotation.map(f64::from));
                if algebra::dot(a, b).abs() < 1e-6 {
                    continue; // Both arcs are equally short.
                }
                tolerance.all_close(format_args!("{a:?} to {b:?}"), nlerp(a, b, t), found, 1e-6);
            }
            tolerance.report();
        }
    });
}

#[test]
fn vectors_match_the_reference_and_equal_keys_keep_their_bits() {
    let random = &mut Random::new(41);
    let (from, to) = (rigs::joints(CASES, random), rigs::joints(CASES, random));
    let [from, to] = [from, to].map(|joints| PoseArrays::new(&joints, &[]).translations);
    every_backend(|run| {
        let mut tolerance = Tolerance::new(format!("{run}: sample_vectors"));
        for factor in [0.0, 0.25, 0.7, 1.0_f32.next_down()] {
            let sample = |to: &[VectorBlock]| {
                let mut vectors = vec![VectorBlock::default(); from.len()];
                run.kernels.sample_vectors(SampleVectors {
                    from: &from,
                    to,
                    factor: KeyFactor::All(factor),
                    targets: &targets(from.len()),
                    vectors: &mut vectors,
                });
                vectors
            };
            assert_eq!(sample(&from), from, "{run}");
            for (i, found) in sample(&to).iter().enumerate() {
                for lane in 0..BLOCK {
                    let [a, b] = [&from[i], &to[i]].map(|block| block.vector(lane).map(f64::from));
                    let expected = reference::lerp(a, b, factor.into());
                    tolerance.all_close("", expected, found.vector(lane), 4e-6);
                }
            }
        }
        tolerance.report();
    });
}

#[test]
fn only_the_lanes_of_a_target_are_written() {
    let random = &mut Random::new(42);
    let joints = rigs::joints(BLOCK, random);
    let from = rotation_key_blocks(joints.iter().map(|joint| (joint.rotation, 0.0)));
    let vectors = PoseArrays::new(&joints, &[]).translations;
    let lanes = [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0];
    let target = KeyTarget { block: 1, full: false, lanes };
    let outside = KeyTarget { block: 9, full: true, lanes: [1.0; BLOCK] };
    every_backend(|run| {
        let marker = RotationBlock { rows: [[f32::NAN; BLOCK]; 4] };
        let mut rotations = [marker; 3];
        let keys = [from[0], from[0]];
        run.kernels.sample_rotations(SampleRotations {
            from: &keys,
            to: &keys,
            factor: KeyFactor::All(0.0),
            targets: &[target, outside],
            rotations: &mut rotations,
        });
        let mut chords = [marker; 3];
        run.kernels.nlerp_rotations(NlerpRotations {
            from: &keys.map(|key| key.rotation),
            to: &keys.map(|key| key.rotation),
            factor: KeyFactor::All(0.0),
            targets: &[target, outside],
            rotations: &mut chords,
        });
        let chord_bits = chords.map(|block| block.rows.map(|row| row.map(f32::to_bits)));
        assert_eq!(chord_bits, rotations.map(|block| block.rows.map(|row| row.map(f32::to_bits))), "{run}");
        let mut moved = [VectorBlock { rows: [[f32::NAN; BLOCK]; 3] }; 3];
        let keys = [vectors[0], vectors[0]];
        run.kernels.sample_vectors(SampleVectors {
            from: &keys,
            to: &keys,
            factor: KeyFactor::All(0.0),
            targets: &[target, outside],
            vectors: &mut moved,
        });
        for block in 0..3 {
            for lane in 0..BLOCK {
                let written = block == 1 && lanes[lane] > 0.0;
                let (rotation, vector) = (rotations[block].rotation(lane), moved[block].vector(lane));
                let context = format!("{run}: block {block}, lane {lane}");
                assert_eq!(rotation.iter().any(|element| element.is_nan()), !written, "{context}");
                assert_eq!(vector.iter().any(|element| element.is_nan()), !written, "{context}");
                assert!(!written || rotation == joints[lane].rotation, "{context}");
                assert!(!written || vector == joints[lane].translation, "{context}");
            }
        }
    });
}

#[test]
fn a_pair_of_keys_holds_its_start_and_not_its_end() {
    let mut times = [VectorBlock::default(); 2];
    let spans = [(0.0, 1.0), (1.0, 2.0), (f32::MIN, f32::INFINITY), (f32::INFINITY, f32::MIN), (0.5, 1.0)];
    for (i, (start, end)) in spans.into_iter().cycle().take(2 * BLOCK).enumerate() {
        times[i / BLOCK].set_vector(i % BLOCK, [start, end, 0.0]);
    }
    every_backend(|run| {
        for seconds in [0.0, 0.25, 0.5, 1.0_f32.next_down(), 1.0, 1.5, 2.0, 1e30] {
            let mut stale = u64::MAX;
            run.kernels.find_stale_keys(FindStaleKeys { seconds, times: &times, stale: &mut stale });
            for (i, (start, end)) in spans.into_iter().cycle().take(2 * BLOCK).enumerate() {
                let expected = !(start <= seconds && seconds < end);
                assert_eq!(stale >> i & 1 == 1, expected, "{run}: {seconds}");
            }
            assert_eq!(stale >> (2 * BLOCK), 0, "{run}: {seconds}");
        }
    });
}
