//! Slerp of plain rotations: against `f64`, and against slerp of joints, whose tests check the
//! properties of interpolated rotations.

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{Factor, Interpolate, Joint, Kernels, SlerpRotations};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

const CASES: usize = if EMULATED { 300 } else { 5000 };

/// Every special rotation beside the next, then random ones.
fn pairs(seed: u64) -> [Vec<[f32; 4]>; 2] {
    let random = &mut Random::new(seed);
    let mut from = rigs::special_rotations();
    let mut to = from.clone();
    to.rotate_left(1);
    from.extend((0..CASES).map(|_| rigs::rotation(random)));
    to.extend((0..CASES).map(|_| rigs::rotation(random)));
    [from, to]
}

fn between(kernels: &Kernels, from: &[[f32; 4]], to: &[[f32; 4]], factor: Factor<'_>) -> Vec<[f32; 4]> {
    let mut rotations = vec![[0.0; 4]; from.len()];
    kernels.slerp_rotations(SlerpRotations { from, to, factor, rotations: &mut rotations });
    rotations
}

#[test]
fn rotations_match_the_reference() {
    let [from, to] = pairs(1);
    let random = &mut Random::new(2);
    let factors: Vec<_> = from.iter().map(|_| random.fraction()).collect();
    every_backend(|run| {
        let mut tolerance = Tolerance::new(format!("{run}: slerp_rotations"));
        let found = between(run.kernels, &from, &to, Factor::Each(&factors));
        for (i, found) in found.into_iter().enumerate() {
            let [a, b] = [from[i], to[i]].map(|q| q.map(f64::from));
            // Half a turn apart, both arcs are equally short.
            if algebra::dot(a, b).abs() > 1e-6 {
                let expected = reference::slerp(a, b, factors[i].into());
                tolerance.all_close(format_args!("{a:?} to {b:?}"), expected, found, 1e-6);
            }
        }
        tolerance.report();
    });
}

#[test]
fn rotations_have_the_bits_of_joint_rotations() {
    let [from, to] = pairs(3);
    let random = &mut Random::new(4);
    let factors: Vec<_> = from.iter().map(|_| random.fraction()).collect();
    let joints = |rotations: &[[f32; 4]]| -> Vec<Joint> {
        rotations.iter().map(|&rotation| Joint::new(rotation, [0.0; 3])).collect()
    };
    let (from_joints, to_joints) = (joints(&from), joints(&to));
    every_backend(|run| {
        for factor in [Factor::All(0.3), Factor::Each(&factors)] {
            let mut expected = vec![Joint::IDENTITY; from.len()];
            let (from_joints, to_joints) = (&from_joints, &to_joints);
            run.kernels.slerp(Interpolate {
                from: from_joints,
                to: to_joints,
                factor,
                joints: &mut expected,
                scales: None,
            });
            let found = between(run.kernels, &from, &to, factor);
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found.map(f32::to_bits), expected.rotation.map(f32::to_bits), "{run}");
            }
        }
    });
}
