//! Chain IK: how many targets random chains reach, and what happens where they cannot.

use sinew::animation::{AnimationError, ChainIk, ChainReach, ModifierId};
use sinew::model::ModelSource;
use sinew::{Bone, Instance, JointId, Model, Skeleton, Transform};
use sinew_testkit::random::Random;

use crate::support::backends::case_count;

/// A chain of bones with random directions and lengths.
fn random_chain(random: &mut Random, joints: usize) -> (Model, Vec<JointId>) {
    let mut bones = Vec::new();
    for joint in 0..joints {
        let length = 0.2 + 0.8 * random.fraction();
        let translation = unit_vector(random).map(|element| element * length);
        let rest = Transform { translation, ..Transform::IDENTITY };
        bones.push(Bone::new("", usize::checked_sub(joint, 1), rest));
    }
    let model = Model::new(ModelSource::new(Skeleton::new(&bones).expect("valid"))).expect("valid");
    let joints = model.skeleton().joints().collect();
    (model, joints)
}

fn unit_vector(random: &mut Random) -> [f32; 3] {
    loop {
        let vector: [f32; 3] = std::array::from_fn(|_| 2.0 * random.fraction() - 1.0);
        let length = vector.iter().map(|element| element * element).sum::<f32>().sqrt();
        if (0.1..=1.0).contains(&length) {
            return vector.map(|element| element / length);
        }
    }
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f32>().sqrt()
}

/// The lengths of the bones of a chain.
fn bone_lengths(instance: &mut Instance, joints: &[JointId]) -> Vec<f32> {
    let matrices = instance.model_matrices();
    let position = |joint: JointId| matrices[joint.index()].translation();
    joints.windows(2).map(|pair| distance(position(pair[0]), position(pair[1]))).collect()
}

/// A target at a share of what the chain reaches, from its shortest to its longest reach.
fn target(instance: &mut Instance, joints: &[JointId], random: &mut Random, share: f32) -> [f32; 3] {
    let lengths = bone_lengths(instance, joints);
    let (sum, longest) = (lengths.iter().sum::<f32>(), lengths.iter().copied().fold(0.0, f32::max));
    let shortest = (2.0 * longest - sum).max(0.0);
    let reach = shortest + share * (sum - shortest);
    let start = instance.model_matrices()[joints[0].index()].translation();
    let direction = unit_vector(random);
    std::array::from_fn(|axis| start[axis] + reach * direction[axis])
}

fn reach_of(instance: &Instance, id: ModifierId) -> (ChainReach, f32) {
    let ik = instance.modifiers().get::<ChainIk>(id).expect("valid");
    (ik.reach(), ik.distance())
}

#[test]
fn random_chains_reach_their_targets_in_few_iterations() {
    let count = case_count(200, 4000);
    for (iterations, least) in [(10, 0.95), (100, 0.995)] {
        let (mut random, mut reached) = (Random::new(7), 0);
        for case in 0..count {
            let (model, joints) = random_chain(&mut random, 3 + case % 18);
            let mut instance = model.instance();
            let share = 0.1 + 0.8 * random.fraction();
            let target = target(&mut instance, &joints, &mut random, share);
            let before = bone_lengths(&mut instance, &joints);
            let ik = ChainIk::new(&joints, target).with_iterations(iterations);
            let id = instance.modifiers_mut().push(ik).expect("valid");
            instance.step(0.0);
            let length: f32 = before.iter().sum();
            let end = instance.model_matrices()[joints[joints.len() - 1].index()].translation();
            let (reach, said) = reach_of(&instance, id);
            let missed = distance(end, target);
            assert!((missed - said).abs() <= 1e-5 * length, "it says {said}, it is {missed}");
            assert_eq!(reach == ChainReach::Reached, said <= 1e-4 * length);
            reached += usize::from(missed <= 1e-4 * length);
            for (found, expected) in bone_lengths(&mut instance, &joints).iter().zip(&before) {
                assert!((found - expected).abs() < 1e-5, "bones keep their length");
            }
        }
        let share = reached as f64 / count as f64;
        eprintln!("{iterations} iterations: {:.2} % of {count} targets reached", 100.0 * share);
        assert!(share >= least, "{share}");
    }
}

#[test]
fn targets_out_of_reach_end_at_the_closest_point() {
    let mut random = Random::new(3);
    for case in 0..case_count(20, 400) {
        let (model, joints) = random_chain(&mut random, 3 + case % 18);
        let mut instance = model.instance();
        let lengths = bone_lengths(&mut instance, &joints);
        let (sum, longest) = (lengths.iter().sum::<f32>(), lengths.iter().copied().fold(0.0, f32::max));
        let start = instance.model_matrices()[0].translation();
        let direction = unit_vector(&mut random);
        for (far, expected) in [(1.5 * sum, 0.5 * sum), (0.0, (2.0 * longest - sum).max(0.0))] {
            let target = std::array::from_fn(|axis| start[axis] + far * direction[axis]);
            let mut instance = model.instance();
            let ik = ChainIk::new(&joints, target).with_iterations(100);
            let id = instance.modifiers_mut().push(ik).expect("valid");
            instance.step(0.0);
            let (reach, missed) = reach_of(&instance, id);
            assert!((missed - expected).abs() <= 1e-3 * sum, "{missed} instead of {expected} of {sum}");
            assert_eq!(reach == ChainReach::Reached, missed <= 1e-4 * sum);
        }
    }
}

#[test]
fn limits_hold_and_help_no_worse_than_none() {
    let mut random = Random::new(11);
    for case in 0..case_count(20, 300) {
        let (model, joints) = random_chain(&mut random, 3 + case % 10);
        let mut instance = model.instance();
        let target = target(&mut instance, &joints, &mut random, 0.6);
        let limits: Vec<f32> = (1..joints.len()).map(|_| 2.0 * random.fraction() - 1.0).collect();
        let end = joints[joints.len() - 1].index();
        let before = distance(instance.model_matrices()[end].translation(), target);
        let ik = ChainIk::new(&joints, target).with_limits(&limits).with_iterations(30);
        let id = instance.modifiers_mut().push(ik).expect("valid");
        instance.step(0.0);
        for (&joint, &limit) in joints.iter().zip(&limits) {
            // At rest there is no rotation, so the rotation is the angle.
            let [.., w] = instance.pose().rotation(joint);
            assert!(2.0 * w * w - 1.0 >= limit - 1e-5, "joint {joint}: {w} beyond {limit}");
        }
        let after = distance(instance.model_matrices()[end].translation(), target);
        assert!(after <= before + 1e-5, "{after} is further than {before}");
        assert!((reach_of(&instance, id).1 - after).abs() < 1e-4);
    }
}

#[test]
fn degenerate_chains_give_finite_rotations() {
    let at = |y: f32| Transform { translation: [0.0, y, 0.0], ..Transform::IDENTITY };
    for lengths in [[0.0; 4], [1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0], [1.0; 4], [1e-30; 4], [1e18; 4]] {
        let mut bones = vec![Bone::new("", None, Transform::IDENTITY)];
        for (index, length) in lengths.into_iter().enumerate() {
            bones.push(Bone::new("", Some(index), at(length)));
        }
        let model = Model::new(ModelSource::new(Skeleton::new(&bones).expect("valid"))).expect("valid");
        let joints: Vec<JointId> = model.skeleton().joints().collect();
        let top: f32 = lengths.iter().sum();
        let targets = [
            [0.0; 3],
            [0.0, top, 0.0],
            [0.0, -top, 0.0],
            [0.0, 0.5 * top, 0.0],
            [f32::NAN, 0.0, 0.0],
            [f32::INFINITY, 0.0, 0.0],
            [f32::MAX, f32::MIN, 0.0],
            [1e-38, 0.0, 0.0],
        ];
        for target in targets {
            for limits in [&[][..], &[1.0; 4], &[-1.0; 4], &[0.5; 4]] {
                let mut instance = model.instance();
                let ik = ChainIk::new(&joints, target).with_limits(limits).with_iterations(100);
                instance.modifiers_mut().push(ik).expect("valid");
                instance.step(0.0);
                for joint in instance.pose().transforms() {
                    assert!(
                        joint.rotation.iter().all(|element| element.is_finite()),
                        "{lengths:?} {target:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn invalid_chains_are_rejected() {
    let (model, joints) = random_chain(&mut Random::new(1), 5);
    let push = |ik: ChainIk| model.instance().modifiers_mut().push(ik).map(drop);
    let ik = || ChainIk::new(&joints, [1.0; 3]);
    assert!(push(ik()).is_ok());
    assert!(push(ChainIk::new(&joints[..1], [0.0; 3])).is_err());
    assert!(push(ChainIk::new(&[], [0.0; 3])).is_err());
    assert!(push(ChainIk::new(&[joints[0], JointId::new(9)], [0.0; 3])).is_err());
    let cyclic = [joints[0], joints[1], joints[0]];
    assert!(matches!(push(ChainIk::new(&cyclic, [0.0; 3])), Err(AnimationError::NotDescendant { .. })));
    let mut weak = ik();
    weak.weight = f32::NAN;
    assert!(push(weak).is_err());
    assert!(push(ik().with_limits(&[0.5; 3])).is_err());
    assert!(push(ik().with_limits(&[0.5, 0.5, 0.5, f32::NAN])).is_err());
}

#[test]
fn chain_ik_allocates_nothing() {
    let (model, joints) = random_chain(&mut Random::new(5), 12);
    let mut instance = model.instance();
    instance.modifiers_mut().push(ChainIk::new(&joints, [1.0, 2.0, 0.5])).expect("valid");
    let limited = ChainIk::new(&joints, [1.0, 2.0, 0.5]).with_limits(&[0.7; 11]);
    instance.modifiers_mut().push(limited).expect("valid");
    instance.step(0.1);
    let counted = allocation_counter::measure(|| (0..3).for_each(|_| instance.step(0.1)));
    assert_eq!(counted.count_total, 0);
}
