//! Spherical interpolation of poses: against `f64`, and properties of interpolated rotations.

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{Factor, Joint, Kernels, SlerpPoses};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::pose_blocks::{PoseArrays, whole_blocks};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

const CASES: usize = if EMULATED { 300 } else { 5000 };

fn between(kernels: &Kernels, from: &[Joint], to: &[Joint], factor: Factor<'_>) -> Vec<Joint> {
    let factors = if let Factor::Each(factors) = factor { whole_blocks(factors) } else { vec![] };
    let factor = if let Factor::All(_) = factor { factor } else { Factor::Each(&factors) };
    interpolate(kernels, &PoseArrays::new(from, &[]), &PoseArrays::new(to, &[]), factor).joints(from.len())
}

fn interpolate(kernels: &Kernels, from: &PoseArrays, to: &PoseArrays, factor: Factor<'_>) -> PoseArrays {
    let mut pose = from.clone();
    kernels.slerp_poses(SlerpPoses {
        from: from.blocks(),
        to: to.blocks(),
        factor,
        rotations: &mut pose.rotations,
        translations: &mut pose.translations,
        scales: &mut pose.scales,
    });
    pose
}

/// Pairs far apart, pairs near each other down to the last bit, and every special rotation beside
/// the next.
fn pairs(seed: u64) -> (Vec<Joint>, Vec<Joint>) {
    let random = &mut Random::new(seed);
    let special = rigs::special_rotations();
    let mut from: Vec<_> = special.iter().map(|q| Joint::new(*q, random.vector(5.0))).collect();
    let mut to = from.clone();
    to.rotate_left(1);
    from.extend(rigs::joints(CASES, random));
    to.extend(rigs::joints(CASES, random));
    for i in 0..CASES / 4 {
        let joint = rigs::joint(random);
        let reach = [1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 0.0][i % 6];
        let step = random.vector(reach);
        let near =
            std::array::from_fn(|c| f64::from(joint.rotation[c]) + f64::from(*step.get(c).unwrap_or(&0.0)));
        let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
        from.push(joint);
        to.push(Joint::new(rigs::unit(near).map(|c| c * sign), random.vector(5.0)));
    }
    (from, to)
}

fn wide(joint: &Joint) -> [f64; 4] {
    joint.rotation.map(f64::from)
}

/// The angle between two unit quaternions, of either sign.
fn angle(a: [f64; 4], b: [f64; 4]) -> f64 {
    let b = if algebra::dot(a, b) < 0.0 { algebra::scaled(b, -1.0) } else { b };
    2.0 * algebra::length(algebra::sum(a, algebra::scaled(b, -1.0)))
        .atan2(algebra::length(algebra::sum(a, b)))
}

#[test]
fn rotations_match_the_reference() {
    let (from, to) = pairs(70);
    let random = &mut Random::new(71);
    let factors: Vec<_> = from.iter().map(|_| random.fraction()).collect();
    every_backend(|run| {
        let mut tolerance = Tolerance::new(format!("{run}: slerp, rotation"));
        let found = between(run.kernels, &from, &to, Factor::Each(&factors));
        for (i, found) in found.into_iter().enumerate() {
            let (start, end) = (wide(&from[i]), wide(&to[i]));
            let mut expected = reference::slerp(start, end, factors[i].into());
            let half_turn = algebra::dot(start, end).abs() < 1e-6;
            if half_turn {
                // Both arcs are equally short; the other is this one mirrored at the start.
                let along = algebra::scaled(start, 2.0 * algebra::dot(start, expected));
                let other = algebra::sum(along, algebra::scaled(expected, -1.0));
                if algebra::dot(other, wide(&found)) > algebra::dot(expected, wide(&found)) {
                    expected = other;
                }
            }
            let allowed = if half_turn { 4e-6 } else { 1e-6 };
            tolerance.all_close(format_args!("{start:?} to {end:?}"), expected, found.rotation, allowed);
        }
        tolerance.report();
    });
}

#[test]
fn translations_and_scales_match_the_reference() {
    let (from, to) = pairs(72);
    let len = from.len();
    let random = &mut Random::new(73);
    let (from_scales, to_scales) = (rigs::scales(len, random), rigs::scales(len, random));
    let factors: Vec<_> = from.iter().map(|_| random.fraction()).collect();
    let (start, end) = (PoseArrays::new(&from, &from_scales), PoseArrays::new(&to, &to_scales));
    every_backend(|run| {
        let pose = interpolate(run.kernels, &start, &end, Factor::Each(&whole_blocks(&factors)));
        let (joints, scales) = (pose.joints(len), pose.scale_list(len));
        let mut tolerance = Tolerance::new(format!("{run}: slerp, translation and scale"));
        let mut check = |a: [f32; 3], b: [f32; 3], factor: f32, found: [f32; 3]| {
            let (a, b, factor) = (a.map(f64::from), b.map(f64::from), f64::from(factor));
            let expected = reference::lerp(a, b, factor);
            let magnitude = reference::lerp(a.map(f64::abs), b.map(f64::abs), factor);
            for c in 0..3 {
                tolerance.close(format_args!("{a:?} to {b:?}"), expected[c], found[c], 2e-7 * magnitude[c]);
            }
        };
        for i in 0..len {
            check(from[i].translation, to[i].translation, factors[i], joints[i].translation);
            check(from_scales[i].factors, to_scales[i].factors, factors[i], scales[i].factors);
        }
        tolerance.report();
    });
}

#[test]
fn the_ends_are_the_inputs() {
    let (from, to) = pairs(74);
    every_backend(|run| {
        for (factor, ends) in [(0.0, &from), (1.0, &to)] {
            let mut tolerance = Tolerance::new(format!("{run}: slerp at {factor}"));
            let found = between(run.kernels, &from, &to, Factor::All(factor));
            for (end, found) in ends.iter().zip(found) {
                assert_eq!(end.translation, found.translation, "{run}: slerp at {factor}");
                tolerance.same_rotation(format_args!("{end:?}"), wide(end), found.rotation, 5e-7);
            }
            tolerance.report();
        }
    });
}

#[test]
fn the_start_keeps_its_sign_and_the_arc_is_the_shorter_one() {
    let (from, to) = pairs(75);
    every_backend(|run| {
        for factor in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let found = between(run.kernels, &from, &to, Factor::All(factor));
            for i in 0..from.len() {
                let (a, found) = (wide(&from[i]), wide(&found[i]));
                assert!(algebra::dot(a, found) > -1e-6, "{run}: slerp: {:?} to {:?}", from[i], to[i]);
                let (way, whole) = (angle(a, found), angle(a, wide(&to[i])));
                assert!(way <= whole + 1e-6, "{run}: slerp: {:?} to {:?}", from[i], to[i]);
            }
        }
    });
}

#[test]
fn results_have_length_one_however_near_or_far() {
    let (from, to) = pairs(76);
    every_backend(|run| {
        let mut tolerance = Tolerance::new(format!("{run}: slerp, length"));
        for factor in [0.0, 0.1, 0.5, 0.9, 1.0] {
            for (i, joint) in between(run.kernels, &from, &to, Factor::All(factor)).iter().enumerate() {
                let length = algebra::length(wide(joint)) as f32;
                tolerance.close(format_args!("{:?} to {:?}", from[i], to[i]), 1.0, length, 1e-6);
            }
        }
        tolerance.report();
    });
}

#[test]
fn slerp_has_constant_angular_speed() {
    let (from, to) = pairs(77);
    every_backend(|run| {
        let mut tolerance = Tolerance::new(format!("{run}: slerp, angle"));
        for step in 0..=8 {
            let factor = step as f32 / 8.0;
            let found = between(run.kernels, &from, &to, Factor::All(factor));
            for i in 0..from.len() {
                let expected = f64::from(factor) * angle(wide(&from[i]), wide(&to[i]));
                let found = angle(wide(&from[i]), wide(&found[i])) as f32;
                tolerance.close(format_args!("{:?} to {:?}", from[i], to[i]), expected, found, 1e-6);
            }
        }
        tolerance.report();
    });
}

#[test]
fn one_factor_is_the_same_as_equal_factors() {
    let (from, to) = pairs(78);
    let factors = vec![0.3; from.len()];
    every_backend(|run| {
        let all = between(run.kernels, &from, &to, Factor::All(0.3));
        let each = between(run.kernels, &from, &to, Factor::Each(&factors));
        assert_eq!(all, each, "{run}: slerp");
    });
}
