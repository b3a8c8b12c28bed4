//! Blending poses: weights, masks, the rest pose and errors.

use sinew::animation::{AnimationError, Layer, Mask};
use sinew::runtime::backend;
use sinew::skeleton::SkeletonError;
use sinew::{FloatMode, JointId, Pose, Runtime, Transform};
use sinew_testkit::backends::every_backend;

use crate::support::backends::runtime;
use crate::support::poses::{assert_poses_near, scales};
use crate::support::random_rigs::{
    Lcg, chain, random_full_pose, random_tree, random_tree_with_morph_weights,
};

fn random_mask(len: usize, seed: u64) -> Mask {
    let mut rng = Lcg::new(seed);
    let factors: Vec<f32> = (0..len).map(|_| (1.5 * rng.next().abs()).min(1.0)).collect();
    Mask::new(&factors).expect("factors from 0 to 1")
}

fn assert_morphs_near(found: &Pose, expected: &[f32], tolerance: f32) {
    assert_eq!(found.morph_weights().len(), expected.len());
    for (found, expected) in found.morph_weights().iter().zip(expected) {
        assert!((found - expected).abs() <= tolerance, "{found} {expected}");
    }
}

/// The weighted mean of transforms by definition: of all signs of the quaternions, those that give
/// the longest sum.
fn weighted_mean(parts: &[(Transform, f64)]) -> Transform {
    let wide = |t: &Transform| t.rotation.map(f64::from);
    let sum = |signs: usize| {
        let mut sum = [0.0; 4];
        for (index, (t, weight)) in parts.iter().enumerate() {
            let sign = if signs >> index & 1 == 1 { -weight } else { *weight };
            sum.iter_mut().zip(wide(t)).for_each(|(sum, element)| *sum += sign * element);
        }
        let length = sum.iter().map(|element| element * element).sum::<f64>().sqrt();
        (length, sum.map(|element| (element / length) as f32))
    };
    let longest =
        (0..1 << parts.len()).map(sum).max_by(|a, b| a.0.total_cmp(&b.0)).expect("a choice of signs");
    let linear_mean = |of: fn(&Transform) -> [f32; 3]| {
        [0, 1, 2].map(|i| parts.iter().map(|(t, weight)| weight * f64::from(of(t)[i])).sum::<f64>() as f32)
    };
    Transform {
        rotation: longest.1,
        translation: linear_mean(|t| t.translation),
        scale: linear_mean(|t| t.scale),
    }
}

#[test]
fn two_layers_and_the_rest_pose_blend_to_their_weighted_mean() {
    let skeleton = random_tree_with_morph_weights(131);
    let (one, two) = (random_full_pose(&skeleton, 1), random_full_pose(&skeleton, 2));
    let (mask, other) = (random_mask(131, 3), random_mask(131, 4));
    let mut rng = Lcg::new(5);
    for _ in 0..100 {
        let [a, b] = [rng.next().abs(), 1.5 * rng.next().abs()];
        for masks in [[None, None], [Some(&mask), None], [Some(&mask), Some(&other)]] {
            let layers = [
                Layer { pose: &one, weight: a, mask: masks[0] },
                Layer { pose: &two, weight: b, mask: masks[1] },
            ];
            let mut pose = Pose::new(&skeleton);
            pose.blend(skeleton.rest(), &layers).unwrap();
            let mut expected = Pose::new(&skeleton);
            for joint in 0..131 {
                let factor = |mask: Option<&Mask>| mask.map_or(1.0, |mask| f64::from(mask.factors()[joint]));
                let [a, b] = [f64::from(a) * factor(masks[0]), f64::from(b) * factor(masks[1])];
                let sum = (a + b).max(1.0);
                let rest = (1.0 - a - b).max(0.0);
                // Three rotations may be so far apart that the shortest arc depends on their order.
                let parts = [
                    (one.transform(JointId::new(joint)), a / sum),
                    (two.transform(JointId::new(joint)), b / sum),
                    (skeleton.rest().transform(JointId::new(joint)), rest),
                ];
                let mut blended = weighted_mean(&parts);
                if rest > 0.0 && !can_share_a_hemisphere(&parts) {
                    blended.rotation = pose.transform(JointId::new(joint)).rotation;
                }
                expected.set_transform(JointId::new(joint), &blended);
            }
            assert_poses_near(&pose, &expected, 1e-6);
            let sum = (a + b).max(1.0);
            let morph = |i: usize| {
                (a * one.morph_weights()[i] + b * two.morph_weights()[i]) / sum
                    + (1.0 - a - b).max(0.0) * skeleton.rest().morph_weights()[i]
            };
            assert_morphs_near(&pose, &[0, 1, 2].map(morph), 1e-6);
        }
    }
}

/// Whether some choice of signs makes all pairs of rotations less than half a turn apart.
fn can_share_a_hemisphere(parts: &[(Transform, f64)]) -> bool {
    let dot = |a: usize, b: usize| -> f32 {
        parts[a].0.rotation.iter().zip(parts[b].0.rotation).map(|(a, b)| a * b).sum()
    };
    dot(0, 1) * dot(1, 2) * dot(2, 0) > 0.0
}

#[test]
fn blended_rotations_are_normalized() {
    let skeleton = random_tree_with_morph_weights(200);
    let poses: Vec<Pose> = (0..7).map(|seed| random_full_pose(&skeleton, seed)).collect();
    let mut rng = Lcg::new(9);
    let mut pose = Pose::new(&skeleton);
    for count in 0..=7 {
        let layers: Vec<Layer<'_>> =
            poses[..count].iter().map(|pose| Layer::new(pose, 0.5 * rng.next().abs())).collect();
        pose.blend(skeleton.rest(), &layers).unwrap();
        for Transform { rotation, .. } in pose.transforms() {
            let squared: f32 = rotation.iter().map(|element| element * element).sum();
            assert!((squared - 1.0).abs() < 1e-6, "{squared}");
        }
    }
}

#[test]
fn equal_poses_blend_to_that_pose() {
    let skeleton = random_tree_with_morph_weights(131);
    let one = random_full_pose(&skeleton, 1);
    let mut mirrored = one.clone();
    for joint in skeleton.joints() {
        mirrored.set_rotation(joint, one.rotation(joint).map(|element| -element));
    }
    let mut pose = Pose::new(&skeleton);
    for (a, b) in [(0.5, 0.5), (0.3, 0.7), (0.2, 5.0), (1e-20, 1.0), (3e38, 3e38)] {
        for other in [&one, &mirrored] {
            pose.blend(skeleton.rest(), &[Layer::new(&one, a), Layer::new(other, b)]).unwrap();
            assert_poses_near(&pose, &one, 1e-6);
            assert_morphs_near(&pose, one.morph_weights(), 1e-6);
        }
    }
    pose.blend(skeleton.rest(), &[Layer::new(&one, 0.5), Layer::new(&one, 0.5)]).unwrap();
    assert_eq!(pose, one);
}

#[test]
fn two_layers_are_blended_as_they_are_among_others() {
    for len in (1..=17).chain([131]) {
        let skeleton = random_tree(len);
        let (one, two) = (random_full_pose(&skeleton, 1), random_full_pose(&skeleton, 2));
        let (mut plain_one, mut plain_two) = (one.clone(), two.clone());
        plain_one.clear_scales();
        plain_two.clear_scales();
        for (one, two) in [(&one, &two), (&one, &plain_two), (&plain_one, &plain_two)] {
            for weights in [[0.25, 0.75], [3.0, 1.0], [0.6, 0.4], [0.3, 0.4], [1e30, 1e30], [1.0, 1e-30]] {
                let layers = [Layer::new(one, weights[0]), Layer::new(two, weights[1])];
                let (mut pair, mut three) = (random_full_pose(&skeleton, 3), Pose::new(&skeleton));
                pair.blend(skeleton.rest(), &layers).unwrap();
                three.blend(skeleton.rest(), &[layers[0], layers[1], Layer::new(one, 0.0)]).unwrap();
                assert_eq!(pair, three, "{len} joints, {weights:?}");
                assert_eq!(pair.has_scales(), three.has_scales());
            }
        }
    }
}

#[test]
fn weight_zero_gives_the_rest_pose_and_weight_one_the_layer_bit_for_bit() {
    let skeleton = random_tree_with_morph_weights(131);
    let (one, two) = (random_full_pose(&skeleton, 1), random_full_pose(&skeleton, 2));
    let mut pose = random_full_pose(&skeleton, 3);
    pose.blend(skeleton.rest(), &[]).unwrap();
    assert_eq!((&pose, scales(&pose)), (skeleton.rest(), None));
    pose.blend(skeleton.rest(), &[Layer::new(&one, 0.0), Layer::new(&two, 0.0)]).unwrap();
    assert_eq!(&pose, skeleton.rest());
    pose.blend(skeleton.rest(), &[Layer::new(&one, 0.0), Layer::new(&two, 1.0)]).unwrap();
    assert_eq!(pose, two);
}

#[test]
fn similar_poses_far_from_rest_do_not_cancel() {
    let skeleton = chain(1);
    let (mut one, mut two, mut pose) = (skeleton.rest_pose(), skeleton.rest_pose(), skeleton.rest_pose());
    let mut rest = skeleton.rest_pose();
    rest.set_rotation(JointId::new(0), [0.0, 0.0, 0.0, 1.0]);
    // Slightly less and slightly more than half a turn about y.
    one.set_rotation(JointId::new(0), [0.0, 1.0, 0.0, 1e-4]);
    two.set_rotation(JointId::new(0), [0.0, 1.0, 0.0, -1e-4]);
    for weight in [0.5, 0.4] {
        pose.blend(&rest, &[Layer::new(&one, weight), Layer::new(&two, weight)]).unwrap();
        assert!(pose.rotation(JointId::new(0))[1].abs() > 0.9, "{:?}", pose.rotation(JointId::new(0)));
    }
}

#[test]
fn the_order_of_similar_poses_changes_only_rounding() {
    let skeleton = random_tree_with_morph_weights(131);
    let poses: Vec<Pose> = (0..4)
        .map(|seed| {
            let (far, mut near) = (random_full_pose(&skeleton, seed), Pose::new(&skeleton));
            near.nlerp(skeleton.rest(), &far, sinew::animation::Factor::All(0.3)).unwrap();
            near
        })
        .collect();
    let layers = [0, 1, 2, 3].map(|i| Layer::new(&poses[i], 0.1 + 0.1 * i as f32));
    let (mut one, mut other) = (Pose::new(&skeleton), Pose::new(&skeleton));
    one.blend(skeleton.rest(), &layers).unwrap();
    other.blend(skeleton.rest(), &[layers[2], layers[0], layers[3], layers[1]]).unwrap();
    assert_poses_near(&one, &other, 1e-6);
}

#[test]
fn blending_gives_the_same_bits_on_every_backend_that_does_not_fuse() {
    let skeleton = random_tree_with_morph_weights(131);
    let (one, two) = (random_full_pose(&skeleton, 1), random_full_pose(&skeleton, 2));
    let mask = random_mask(131, 3);
    let layers = [Layer::new(&one, 0.4), Layer { mask: Some(&mask), ..Layer::new(&two, 0.8) }];
    let blended = |runtime| {
        let mut pose = Pose::new(&skeleton.clone().with_runtime(runtime));
        pose.blend(skeleton.rest(), &layers).unwrap();
        pose
    };
    let plain = backend::get("plain").unwrap();
    let expected = blended(Runtime::with_backend(plain, FloatMode::Reproducible));
    every_backend(|run| {
        let found = blended(runtime(run));
        if run.fuses() {
            assert_poses_near(&found, &expected, 1e-6);
        } else {
            assert_eq!(found, expected, "{run}");
        }
    });
}

#[test]
fn a_subtree_mask_is_one_for_the_joint_and_its_descendants() {
    let skeleton = random_tree_with_morph_weights(100);
    for joint in [0, 1, 17, 99] {
        let mask = Mask::subtree(&skeleton, JointId::new(joint)).unwrap();
        for other in 0..100 {
            let mut above = Some(other);
            while above.is_some_and(|above| above != joint) {
                above = above.and_then(|above| skeleton.parent(JointId::new(above)).map(JointId::index));
            }
            assert_eq!(mask.factors()[other], if above.is_some() { 1.0 } else { 0.0 });
            assert_eq!(mask.complement().factors()[other], 1.0 - mask.factors()[other]);
        }
    }
    let error = Mask::subtree(&skeleton, JointId::new(100)).unwrap_err();
    assert_eq!(error.to_string(), "expected a joint below 100, found 100");
}

#[test]
fn a_cross_fade_starts_and_ends_at_its_poses_and_is_their_nlerp_halfway() {
    let skeleton = random_tree_with_morph_weights(20);
    let (from, to) = (random_full_pose(&skeleton, 1), random_full_pose(&skeleton, 2));
    let (mut pose, mut middle) = (Pose::new(&skeleton), Pose::new(&skeleton));
    pose.cross_fade(&from, &to, 0.0).unwrap();
    assert_poses_near(&pose, &from, 1e-6);
    pose.cross_fade(&from, &to, 1.0).unwrap();
    assert_poses_near(&pose, &to, 1e-6);
    pose.cross_fade(&from, &to, 0.5).unwrap();
    middle.nlerp(&from, &to, sinew::animation::Factor::All(0.5)).unwrap();
    assert_eq!(pose, middle);
    for bad in [-0.1, 1.1, f32::NAN] {
        let error = pose.cross_fade(&from, &to, bad).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("time passed of the cross-fade: expected a number from 0 to 1, found {bad:?}")
        );
    }
}

#[test]
fn invalid_weights_masks_and_lengths_are_rejected() {
    let skeleton = random_tree_with_morph_weights(5);
    let mut pose = Pose::new(&skeleton);
    let rest = skeleton.rest();
    for weight in [-0.1, f32::NAN, f32::INFINITY] {
        let error = pose.blend(rest, &[Layer::new(rest, 1.0), Layer::new(rest, weight)]).unwrap_err();
        let expected = format!("weight of layer 1: expected a finite number from zero up, found {weight:?}");
        assert_eq!(error.to_string(), expected);
    }
    for factor in [-0.1, 1.1, f32::NAN] {
        let error = Mask::new(&[0.0, factor]).unwrap_err().to_string();
        assert_eq!(error, format!("mask at joint 1: expected a number from 0 to 1, found {factor:?}"));
    }
    assert_eq!(Mask::new(&[]), Err(SkeletonError::Empty { what: "mask" }.into()));

    let (short, mute) = (Pose::new(&random_tree_with_morph_weights(4)), Pose::new(&random_tree(5)));
    let mask = Mask::new(&[1.0; 4]).unwrap();
    let masked = Layer { mask: Some(&mask), ..Layer::new(rest, 1.0) };
    let rejection = |result: Result<(), AnimationError>| result.unwrap_err().to_string();
    assert_eq!(rejection(pose.blend(&short, &[])), "joints of the rest pose: expected 5, found 4");
    assert_eq!(rejection(pose.blend(&mute, &[])), "morph weights of the rest pose: expected 3, found 0");
    assert_eq!(
        rejection(pose.blend(rest, &[Layer::new(&short, 1.0)])),
        "joints of the layer: expected 5, found 4"
    );
    let morphs = "morph weights of the layer: expected 3, found 0";
    assert_eq!(rejection(pose.blend(rest, &[Layer::new(&mute, 1.0)])), morphs);
    assert_eq!(rejection(pose.blend(rest, &[masked])), "factors of the mask: expected 5, found 4");
    assert_eq!(&pose, rest);
}

#[test]
fn blending_allocates_nothing() {
    let skeleton = random_tree_with_morph_weights(131);
    let (one, two) = (random_full_pose(&skeleton, 1), random_full_pose(&skeleton, 2));
    let (mask, mut pose) = (random_mask(131, 3), Pose::new(&skeleton));
    let counted = allocation_counter::measure(|| {
        let layers = [Layer::new(&one, 0.4), Layer { mask: Some(&mask), ..Layer::new(&two, 0.8) }];
        pose.blend(skeleton.rest(), &layers).unwrap();
        pose.cross_fade(&one, &two, 0.3).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}
