//! Blending layers: against `f64`, and properties of the mean of rotations.

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{
    BLOCK, BlendLayer, BlendPart, BlendPoses, BlendTwoPoses, Factor, Joint, Kernels, PoseBlocks, Scale,
};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::pose_blocks::{PoseArrays, whole_blocks};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::tolerance::Tolerance;

const CASES: usize = if EMULATED { 150 } else { 1003 };

/// Layers with a weight for each joint; the weights of a joint sum to one.
struct Layers {
    joints: Vec<Vec<Joint>>,
    scales: Vec<Vec<Scale>>,
    weights: Vec<Vec<f32>>,
}

impl Layers {
    fn new(count: usize, seed: u64) -> Self {
        let random = &mut Random::new(seed);
        let mut weights = vec![vec![0.0; CASES]; count];
        for joint in 0..CASES {
            // Some weights are zero, and some are all there is.
            let unscaled: Vec<f32> = (0..count)
                .map(|_| if random.once_in(4) { 0.0 } else { random.fraction() })
                .map(|weight| weight + f32::MIN_POSITIVE * f32::from(u8::from(count == 1)))
                .collect();
            let sum: f32 = unscaled.iter().sum();
            for (weights, weight) in weights.iter_mut().zip(&unscaled) {
                weights[joint] = if sum > 0.0 { weight / sum } else { 1.0 / count as f32 };
            }
        }
        Self {
            joints: (0..count).map(|_| rigs::joints(CASES, random)).collect(),
            scales: (0..count).map(|_| rigs::scales(CASES, random)).collect(),
            weights,
        }
    }

    fn blended(&self, kernels: &Kernels, parts: &[(BlendPart, usize)]) -> (Vec<Joint>, Vec<Scale>) {
        let weights: Vec<_> = self.weights.iter().map(|weights| whole_blocks(weights)).collect();
        self.blended_with(kernels, parts, |i| Factor::Each(&weights[i]))
    }

    fn blended_with<'a>(
        &self,
        kernels: &Kernels,
        parts: &[(BlendPart, usize)],
        weight: impl Fn(usize) -> Factor<'a>,
    ) -> (Vec<Joint>, Vec<Scale>) {
        let poses: Vec<_> = self
            .joints
            .iter()
            .zip(&self.scales)
            .map(|(joints, scales)| PoseArrays::new(joints, scales))
            .collect();
        let layers: Vec<_> = poses
            .iter()
            .enumerate()
            .map(|(i, pose)| BlendLayer { pose: pose.blocks(), weight: weight(i) })
            .collect();
        let mut blended = PoseArrays::new(&[Joint::IDENTITY; CASES], &[Scale::ONE; CASES]);
        let mut first = 0;
        for &(part, count) in parts {
            kernels.blend_poses(BlendPoses {
                layers: &layers[first..first + count],
                part,
                joints: CASES,
                rotations: &mut blended.rotations,
                translations: &mut blended.translations,
                scales: &mut blended.scales,
            });
            first += count;
        }
        (blended.joints(CASES), blended.scale_list(CASES))
    }

    fn of_joint<const N: usize>(&self, of: impl Fn(usize) -> [f32; N], joint: usize) -> Vec<([f64; N], f64)> {
        (0..self.joints.len()).map(|i| (of(i).map(f64::from), f64::from(self.weights[i][joint]))).collect()
    }
}

#[test]
fn means_match_the_reference() {
    for count in 1..=4 {
        let layers = Layers::new(count, 80 + count as u64);
        every_backend(|run| {
            let (joints, scales) = layers.blended(run.kernels, &[(BlendPart::All, count)]);
            let mut tolerance = Tolerance::new(format!("{run}: mean of {count}"));
            for i in 0..CASES {
                let rotations = layers.of_joint(|layer| layers.joints[layer][i].rotation, i);
                if decided(&rotations) {
                    let expected = reference::mean_rotation(&rotations);
                    tolerance.all_close(format_args!("{rotations:?}"), expected, joints[i].rotation, 2e-6);
                }
                let moves = layers.of_joint(|layer| layers.joints[layer][i].translation, i);
                tolerance.all_close("translation", reference::mean(&moves), joints[i].translation, 1e-5);
                let factors = layers.of_joint(|layer| layers.scales[layer][i].factors, i);
                tolerance.all_close("scale", reference::mean(&factors), scales[i].factors, 1e-5);
            }
            tolerance.report();
        });
    }
}

/// Whether the result does not depend on rounding: no rotation is half a turn from the sum before
/// it, and no sum is short.
fn decided(rotations: &[([f64; 4], f64)]) -> bool {
    let mut total = [0.0; 4];
    for &(rotation, weight) in rotations.iter().filter(|(_, weight)| *weight > 0.0) {
        let along = algebra::dot(total, rotation);
        if total != [0.0; 4] && along.abs() < 1e-5 {
            return false;
        }
        total = algebra::sum(total, algebra::scaled(rotation, if along < 0.0 { -weight } else { weight }));
    }
    algebra::length(total) > 0.2
}

#[test]
fn a_blend_in_parts_has_the_bits_of_one_call() {
    let layers = Layers::new(5, 90);
    every_backend(|run| {
        let (joints, scales) = layers.blended(run.kernels, &[(BlendPart::All, 5)]);
        for parts in [
            &[(BlendPart::First, 2), (BlendPart::Last, 3)][..],
            &[(BlendPart::First, 0), (BlendPart::Next, 4), (BlendPart::Next, 0), (BlendPart::Last, 1)],
            &[(BlendPart::First, 5), (BlendPart::Last, 0)],
        ] {
            let found = layers.blended(run.kernels, parts);
            assert!(found.0 == joints && found.1 == scales, "{run}: {parts:?}");
        }
    });
}

#[test]
fn all_backends_that_round_alike_give_the_same_bits() {
    let layers = Layers::new(3, 91);
    let mut firsts = [None, None];
    every_backend(|run| {
        let (joints, scales) = layers.blended(run.kernels, &[(BlendPart::All, 3)]);
        let bits: Vec<u32> = joints
            .iter()
            .flat_map(|joint| joint.rotation.into_iter().chain(joint.translation))
            .chain(scales.iter().flat_map(|scale| scale.factors))
            .map(f32::to_bits)
            .collect();
        let first = &mut firsts[usize::from(run.fuses())];
        assert!(*first.get_or_insert_with(|| bits.clone()) == bits, "{run}");
    });
}

#[test]
fn one_weight_is_the_same_as_equal_weights() {
    let mut layers = Layers::new(2, 92);
    layers.weights = vec![vec![0.3; CASES], vec![0.7; CASES]];
    every_backend(|run| {
        let (expected, expected_scales) = layers.blended(run.kernels, &[(BlendPart::All, 2)]);
        let (joints, scales) =
            layers.blended_with(run.kernels, &[(BlendPart::All, 2)], |i| Factor::All([0.3, 0.7][i]));
        assert!(joints == expected && scales == expected_scales, "{run}");
    });
}

/// Of any number of joints, with and without scales; lanes past the last joint may differ.
#[test]
fn two_poses_have_the_values_of_two_layers() {
    let random = &mut Random::new(96);
    for len in (1..=26).chain([64, 65]) {
        let [one, other] =
            [(); 2].map(|()| PoseArrays::new(&rigs::joints(len, random), &rigs::scales(len, random)));
        for (scaled, weights) in [(false, [0.5, 0.5]), (true, [0.3, 0.7]), (true, [1.25, 1e-6])] {
            let unscaled = |pose| if scaled { pose } else { PoseBlocks { scales: &[], ..pose } };
            every_backend(|run| {
                let [mut expected, mut found] =
                    [(); 2].map(|()| PoseArrays::new(&vec![Joint::IDENTITY; len], &vec![Scale::ONE; len]));
                let layer = |pose, weight| BlendLayer { pose, weight: Factor::All(weight) };
                run.kernels.blend_poses(BlendPoses {
                    layers: &[layer(one.blocks(), weights[0]), layer(other.blocks(), weights[1])],
                    part: BlendPart::All,
                    joints: BLOCK * expected.rotations.len(),
                    rotations: &mut expected.rotations,
                    translations: &mut expected.translations,
                    scales: if scaled { &mut expected.scales } else { &mut [] },
                });
                run.kernels.blend_two_poses(BlendTwoPoses {
                    one: unscaled(one.blocks()),
                    other: other.blocks(),
                    weights: weights.each_ref(),
                    joints: len,
                    rotations: &mut found.rotations,
                    translations: &mut found.translations,
                    scales: if scaled { &mut found.scales } else { &mut [] },
                });
                assert!(expected.joints(len) == found.joints(len), "{run}: {len} joints");
                assert!(expected.scale_list(len) == found.scale_list(len), "{run}: {len} joints");
            });
        }
    }
}

/// Which of two rotations half a turn apart, or with a NaN, is turned must not depend on signs of
/// zeros and of NaN, which differ between backends.
#[test]
fn two_poses_with_nan_and_zeros_have_the_values_of_two_layers() {
    const LEN: usize = 8 * 64;
    // The dot product of two rotations with these components is exact.
    let numbers = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, f32::NAN, -f32::NAN, f32::INFINITY, -f32::INFINITY];
    let random = &mut Random::new(97);
    let mut joints = || -> Vec<Joint> {
        (0..LEN)
            .map(|joint| {
                // Few numbers that are not finite: the other components show which way was taken.
                let choices = if joint % 3 == 0 { 6 } else { numbers.len() };
                let rotation = [(); 4].map(|()| match random.once_in(2) {
                    true => numbers[random.below(6)],
                    false => numbers[random.below(choices)],
                });
                Joint::new(rotation, [0.0; 3])
            })
            .collect()
    };
    let scales = vec![Scale::ONE; LEN];
    let [one, other] = [(); 2].map(|()| PoseArrays::new(&joints(), &scales));
    let is_same = |a: f32, b: f32| a == b || a.is_nan() && b.is_nan();
    let mut first: Option<Vec<Joint>> = None;
    every_backend(|run| {
        let [mut expected, mut found] =
            [(); 2].map(|()| PoseArrays::new(&vec![Joint::IDENTITY; LEN], &scales));
        let weights = [0.5, 0.5];
        let layer = |pose, weight| BlendLayer { pose, weight: Factor::All(weight) };
        run.kernels.blend_poses(BlendPoses {
            layers: &[layer(one.blocks(), weights[0]), layer(other.blocks(), weights[1])],
            part: BlendPart::All,
            joints: LEN,
            rotations: &mut expected.rotations,
            translations: &mut expected.translations,
            scales: &mut [],
        });
        run.kernels.blend_two_poses(BlendTwoPoses {
            one: PoseBlocks { scales: &[], ..one.blocks() },
            other: other.blocks(),
            weights: weights.each_ref(),
            joints: LEN,
            rotations: &mut found.rotations,
            translations: &mut found.translations,
            scales: &mut [],
        });
        let (expected, found) = (expected.joints(LEN), found.joints(LEN));
        let same_everywhere = first.get_or_insert_with(|| found.clone());
        for joint in 0..LEN {
            let [a, b, c] = [&found, &expected, same_everywhere].map(|joints| joints[joint].rotation);
            let all_same = (0..4).all(|i| is_same(a[i], b[i]) && is_same(a[i], c[i]));
            assert!(all_same, "{run}, joint {joint}: {a:?}, two layers {b:?}, first backend {c:?}");
        }
    });
}

#[test]
fn layers_without_weight_have_no_effect() {
    let sound = Layers::new(2, 93);
    let broken = vec![Joint::new([f32::NAN; 4], [f32::INFINITY; 3]); CASES];
    for weight in [0.0, -1.0, f32::NAN] {
        let mut layers = Layers::new(2, 93);
        layers.joints.insert(1, broken.clone());
        layers.scales.insert(1, vec![Scale::new([f32::NAN; 3]); CASES]);
        layers.weights.insert(1, vec![weight; CASES]);
        every_backend(|run| {
            let expected = sound.blended(run.kernels, &[(BlendPart::All, 2)]);
            assert!(layers.blended(run.kernels, &[(BlendPart::All, 3)]) == expected, "{run}: {weight}");
        });
    }
}

#[test]
fn equal_rotations_of_either_sign_keep_their_bits_and_length_one() {
    let mut layers = Layers::new(2, 94);
    layers.weights = vec![vec![0.5; CASES]; 2];
    layers.joints[1] = layers.joints[0]
        .iter()
        .map(|joint| Joint::new(joint.rotation.map(|element| -element), joint.translation))
        .collect();
    every_backend(|run| {
        let (joints, _) = layers.blended(run.kernels, &[(BlendPart::All, 2)]);
        assert!(joints == layers.joints[0], "{run}");
    });
    let layers = Layers::new(3, 95);
    every_backend(|run| {
        let mut tolerance = Tolerance::new(format!("{run}: length of means"));
        for joint in layers.blended(run.kernels, &[(BlendPart::All, 3)]).0 {
            let length = algebra::length(joint.rotation.map(f64::from)) as f32;
            tolerance.close(format_args!("{joint:?}"), 1.0, length, 3e-7);
        }
        tolerance.report();
    });
}
