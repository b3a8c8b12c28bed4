//! Offsets of poses: against `f64`, and properties of their rotations.

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{AddPoseOffsets, Joint, Kernels, Scale};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::pose_blocks::PoseArrays;
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

const CASES: usize = if EMULATED { 150 } else { 1003 };

/// A pose, offsets and velocities, both with rotations up to a full turn and more.
struct Cases {
    joints: [Vec<Joint>; 3],
    scales: [Vec<Scale>; 3],
}

impl Cases {
    fn new(seed: u64) -> Self {
        let random = &mut Random::new(seed);
        let mut offsets = || -> Vec<Joint> {
            let vector = |random: &mut Random| [0; 3].map(|_| random.between(-1.5, 1.5));
            (0..CASES)
                .map(|_| {
                    let [x, y, z] = vector(random);
                    Joint::new([x, y, z, random.between(-9.0, 9.0)], vector(random))
                })
                .collect()
        };
        let (offsets, velocities) = (offsets(), offsets());
        Self {
            joints: [rigs::joints(CASES, random), offsets, velocities],
            scales: [0; 3].map(|_| rigs::scales(CASES, random)),
        }
    }

    fn added(&self, kernels: &Kernels, factors: [f32; 2]) -> (Vec<Joint>, Vec<Scale>) {
        let [mut base, offset, velocity] =
            [0, 1, 2].map(|i| PoseArrays::new(&self.joints[i], &self.scales[i]));
        kernels.add_pose_offsets(AddPoseOffsets {
            offset: offset.blocks(),
            velocity: velocity.blocks(),
            factors,
            rotations: &mut base.rotations,
            translations: &mut base.translations,
            scales: &mut base.scales,
        });
        (base.joints(CASES), base.scale_list(CASES))
    }
}

#[test]
fn sums_match_the_reference() {
    let cases = Cases::new(75);
    for factors in [[1.0, 0.0], [0.7, 0.15], [0.0, 0.2]] {
        every_backend(|run| {
            let (joints, scales) = cases.added(run.kernels, factors);
            let mut tolerance = Tolerance::new(format!("{run}: offsets"));
            let sum = |offset: f32, velocity: f32| {
                f64::from(factors[0]) * f64::from(offset) + f64::from(factors[1]) * f64::from(velocity)
            };
            for i in 0..CASES {
                let [base, offset, velocity] = [0, 1, 2].map(|pose| cases.joints[pose][i]);
                let parameters = [0, 1, 2].map(|axis| sum(offset.rotation[axis], velocity.rotation[axis]));
                let expected = reference::add_offset(base.rotation.map(f64::from), parameters);
                tolerance.all_close(format_args!("{parameters:?}"), expected, joints[i].rotation, 2e-6);
                let [base_scale, scale, scale_velocity] = [0, 1, 2].map(|pose| cases.scales[pose][i].factors);
                for axis in 0..3 {
                    let moved = sum(offset.translation[axis], velocity.translation[axis]);
                    let expected = f64::from(base.translation[axis]) + moved;
                    tolerance.close("translation", expected, joints[i].translation[axis], 1e-5);
                    let scaled = sum(scale[axis], scale_velocity[axis]);
                    let expected = f64::from(base_scale[axis]) + scaled;
                    tolerance.close("scale", expected, scales[i].factors[axis], 1e-5);
                }
            }
            tolerance.report();
        });
    }
}

#[test]
fn factors_of_zero_change_no_joint() {
    let cases = Cases::new(76);
    every_backend(|run| {
        let found = cases.added(run.kernels, [0.0, 0.0]);
        assert!(found.0 == cases.joints[0] && found.1 == cases.scales[0], "{run}");
    });
}

#[test]
fn rotations_stay_normalized() {
    let cases = Cases::new(77);
    every_backend(|run| {
        let mut tolerance = Tolerance::new(format!("{run}: length after an offset"));
        for joint in cases.added(run.kernels, [0.9, 0.2]).0 {
            let length = algebra::length(joint.rotation.map(f64::from)) as f32;
            tolerance.close(format_args!("{joint:?}"), 1.0, length, 6e-7);
        }
        tolerance.report();
    });
}

#[test]
fn both_float_modes_give_the_same_bits_on_every_backend() {
    let cases = Cases::new(78);
    let mut first = None;
    every_backend(|run| {
        let (joints, scales) = cases.added(run.kernels, [0.6, 0.2]);
        let bits: Vec<u32> = joints
            .iter()
            .flat_map(|joint| joint.rotation.into_iter().chain(joint.translation))
            .chain(scales.iter().flat_map(|scale| scale.factors))
            .map(f32::to_bits)
            .collect();
        assert!(*first.get_or_insert_with(|| bits.clone()) == bits, "{run}");
    });
}
