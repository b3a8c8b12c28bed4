//! Additive layers: against `f64`, and what they leave alone.

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{AddPoses, Factor, Joint, Kernels, Scale};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::pose_blocks::{PoseArrays, whole_blocks};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

const CASES: usize = if EMULATED { 150 } else { 1003 };

/// A pose, what is added to it, the reference of that, and a weight for each joint.
struct Cases {
    joints: [Vec<Joint>; 3],
    scales: [Vec<Scale>; 3],
    weights: Vec<f32>,
}

impl Cases {
    fn new(seed: u64) -> Self {
        let random = &mut Random::new(seed);
        Self {
            joints: [0; 3].map(|_| rigs::joints(CASES, random)),
            scales: [0; 3].map(|_| rigs::scales(CASES, random)),
            weights: (0..CASES)
                .map(|_| if random.once_in(5) { 0.0 } else { random.between(0.0, 2.0) })
                .collect(),
        }
    }

    fn added(&self, kernels: &Kernels, weight: Factor<'_>) -> (Vec<Joint>, Vec<Scale>) {
        let [mut base, pose, reference] =
            [0, 1, 2].map(|i| PoseArrays::new(&self.joints[i], &self.scales[i]));
        kernels.add_poses(AddPoses {
            pose: pose.blocks(),
            reference: reference.blocks(),
            weight,
            rotations: &mut base.rotations,
            translations: &mut base.translations,
            scales: &mut base.scales,
        });
        (base.joints(CASES), base.scale_list(CASES))
    }

    fn added_each(&self, kernels: &Kernels) -> (Vec<Joint>, Vec<Scale>) {
        self.added(kernels, Factor::Each(&whole_blocks(&self.weights)))
    }
}

#[test]
fn sums_match_the_reference() {
    let cases = Cases::new(70);
    every_backend(|run| {
        let (joints, scales) = cases.added_each(run.kernels);
        let mut tolerance = Tolerance::new(format!("{run}: additive layers"));
        for i in 0..CASES {
            let weight = f64::from(cases.weights[i]);
            let [base, to, from] = [0, 1, 2].map(|pose| cases.joints[pose][i].rotation.map(f64::from));
            let expected = reference::add_rotation(base, from, to, weight);
            // Half a turn apart, rounding decides which way is shorter.
            if algebra::dot(from, to).abs() > 1e-5 {
                tolerance.all_close(
                    format_args!("{base:?} {from:?} {to:?}"),
                    expected,
                    joints[i].rotation,
                    2e-6,
                );
            }
            for axis in 0..3 {
                let [base, to, from] =
                    [0, 1, 2].map(|pose| f64::from(cases.joints[pose][i].translation[axis]));
                let expected = base + weight * (to - from);
                tolerance.close("translation", expected, joints[i].translation[axis], 1e-5);
                let [base, to, from] = [0, 1, 2].map(|pose| f64::from(cases.scales[pose][i].factors[axis]));
                let expected = reference::add_scale(base, from, to, weight);
                let bound = 1e-5 * (1.0 + expected.abs() + (weight * base * to / from).abs());
                tolerance.close("scale", expected, scales[i].factors[axis], bound);
            }
        }
        tolerance.report();
    });
}

#[test]
fn both_float_modes_give_the_same_bits_on_every_backend() {
    let cases = Cases::new(71);
    let mut first = None;
    every_backend(|run| {
        let (joints, scales) = cases.added_each(run.kernels);
        let bits: Vec<u32> = joints
            .iter()
            .flat_map(|joint| joint.rotation.into_iter().chain(joint.translation))
            .chain(scales.iter().flat_map(|scale| scale.factors))
            .map(f32::to_bits)
            .collect();
        assert!(*first.get_or_insert_with(|| bits.clone()) == bits, "{run}");
    });
}

#[test]
fn joints_without_weight_keep_their_bits_whatever_is_added() {
    let mut cases = Cases::new(72);
    cases.joints[1] = vec![Joint::new([f32::NAN; 4], [f32::INFINITY; 3]); CASES];
    cases.scales[2] = vec![Scale::new([f32::NAN; 3]); CASES];
    for weight in [0.0, -1.0, f32::NAN] {
        every_backend(|run| {
            let found = cases.added(run.kernels, Factor::All(weight));
            assert!(found.0 == cases.joints[0] && found.1 == cases.scales[0], "{run}: {weight}");
        });
    }
}

#[test]
fn one_weight_is_the_same_as_equal_weights_and_the_largest_keeps_rotations_normalized() {
    let mut cases = Cases::new(73);
    for weight in [0.3, 1.0, f32::MAX] {
        cases.weights = vec![weight; CASES];
        every_backend(|run| {
            let (joints, _) = cases.added_each(run.kernels);
            let (one_weight, _) = cases.added(run.kernels, Factor::All(weight));
            let mut tolerance = Tolerance::new(format!("{run}: length with weight {weight}"));
            for (joint, other) in joints.iter().zip(&one_weight) {
                assert_eq!(joint.rotation, other.rotation, "{run}: {weight}");
                let length = algebra::length(joint.rotation.map(f64::from)) as f32;
                tolerance.close(format_args!("{joint:?}"), 1.0, length, 3e-7);
            }
            tolerance.report();
        });
    }
}

#[test]
fn a_reference_scale_of_zero_adds_the_difference() {
    let mut cases = Cases::new(74);
    cases.scales[2] = vec![Scale::new([0.0; 3]); CASES];
    every_backend(|run| {
        let (_, scales) = cases.added(run.kernels, Factor::All(0.5));
        for (i, found) in scales.iter().enumerate() {
            let expected = [0, 1, 2]
                .map(|axis| cases.scales[0][i].factors[axis] + 0.5 * cases.scales[1][i].factors[axis]);
            assert_eq!(found.factors, expected, "{run}");
        }
    });
}
