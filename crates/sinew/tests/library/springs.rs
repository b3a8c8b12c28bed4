//! Spring bones: at rest, under gravity, with colliders, in crowds, after teleports, and with
//! faults.

use sinew::animation::{
    AnimationError, ColliderShape, PoseModifier, Spring, SpringBones, SpringCollider, SpringJoint,
    SpringSource,
};
use sinew::crowd::CrowdOptions;
use sinew::model::ModelSource;
use sinew::{
    Bone, Crowd, FloatMode, Instance, InstanceOptions, JointId, Matrix, Model, Runtime, Skeleton, Transform,
};

const FRAME: f32 = 1.0 / 60.0;

/// A root and chains of `len` bones that point along -z, side by side.
fn bones(chains: usize, len: usize) -> Vec<Bone> {
    let at = |translation: [f32; 3]| Transform { translation, ..Transform::IDENTITY };
    let mut bones = vec![Bone::new("root", None, at([0.0, 1.0, 0.0]))];
    for chain in 0..chains {
        bones.push(Bone::new("", Some(0), at([0.1 * chain as f32, 0.0, 0.0])));
        for _ in 0..len {
            bones.push(Bone::new("", Some(bones.len() - 1), at([0.0, 0.0, -0.1])));
        }
    }
    bones
}

fn reproducible_model(bones: &[Bone]) -> Model {
    let skeleton = Skeleton::new(bones)
        .expect("valid")
        .with_runtime(Runtime::new(FloatMode::Reproducible).expect("valid"));
    Model::new(ModelSource::new(skeleton)).expect("valid")
}

/// The joints of a chain, from its root to its tip.
fn chain_joints(chain: usize, len: usize) -> Vec<JointId> {
    (0..=len).map(|joint| JointId::new(1 + chain * (len + 1) + joint)).collect()
}

fn source(chains: usize, len: usize, numbers: SpringJoint) -> SpringSource {
    let springs = (0..chains).map(|chain| Spring::new(&chain_joints(chain, len), numbers)).collect();
    SpringSource { springs, ..SpringSource::default() }
}

fn sphere(joint: usize, offset: [f32; 3], radius: f32, inside: bool) -> SpringCollider {
    SpringCollider { joint: JointId::new(joint), shape: ColliderShape::Sphere { offset, radius, inside } }
}

fn instance_with(model: &Model, springs: &SpringBones) -> Instance {
    let mut instance = model.instance();
    instance.modifiers_mut().push(springs.clone()).expect("valid");
    instance
}

fn position(instance: &mut Instance, joint: JointId) -> [f32; 3] {
    let world = *instance.world();
    world.transform_point(instance.model_matrices()[joint.index()].translation())
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f32>().sqrt()
}

fn moved(x: f32, y: f32, z: f32) -> Matrix {
    Matrix { rows: [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]] }
}

#[test]
fn without_forces_nothing_moves() {
    let model = reproducible_model(&bones(2, 3));
    let springs = SpringBones::new(model.skeleton(), &source(2, 3, SpringJoint::default())).expect("valid");
    assert_eq!(springs.bone_count(), 6);
    let mut instance = instance_with(&model, &springs);
    for _ in 0..100 {
        instance.step(FRAME);
    }
    let rest = model.skeleton().rest_pose();
    for joint in model.skeleton().joints() {
        let [found, expected] = [instance.pose(), &rest].map(|pose| pose.rotation(joint));
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
    }
}

#[test]
fn gravity_pulls_a_limp_chain_down_and_bones_keep_their_length() {
    let model = reproducible_model(&bones(1, 4));
    let numbers = SpringJoint { stiffness: 0.0, gravity_power: 1.0, ..SpringJoint::default() };
    let springs = SpringBones::new(model.skeleton(), &source(1, 4, numbers)).expect("valid");
    let mut instance = instance_with(&model, &springs);
    for _ in 0..600 {
        instance.step(FRAME);
        for pair in chain_joints(0, 4).windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|joint| position(&mut instance, joint));
            assert!((distance(a, b) - 0.1).abs() < 1e-6);
        }
    }
    let tip = position(&mut instance, JointId::new(5));
    assert!(distance(tip, [0.0, 0.6, 0.0]) < 1e-3, "{tip:?}");
}

#[test]
fn colliders_keep_the_ends_of_bones_out_or_in() {
    let model = reproducible_model(&bones(1, 4));
    let numbers =
        SpringJoint { stiffness: 0.1, gravity_power: 1.0, hit_radius: 0.02, ..SpringJoint::default() };
    let plane = ColliderShape::Plane { offset: [0.0, -0.2, 0.0], normal: [0.0, 2.0, 0.0] };
    let (offset, tail) = ([-1.0, -0.2, -0.03], [1.0, -0.2, -0.03]);
    let capsule = ColliderShape::Capsule { offset, tail, radius: 0.05, inside: false };
    let (offset, tail) = ([0.0, 0.5, 0.1], [0.0, -0.5, 0.1]);
    let keep_in = ColliderShape::Capsule { offset, tail, radius: 0.05, inside: true };
    let on_root = |shape| SpringCollider { joint: JointId::new(0), shape };
    /// How far a point is outside a collider, or inside one that keeps inside.
    type Outside = fn([f32; 3]) -> f32;
    let shapes: [(SpringCollider, Outside); 5] = [
        (sphere(0, [0.0, -0.25, -0.1], 0.15, false), |p| distance(p, [0.0, 0.75, -0.1]) - 0.17),
        (sphere(0, [0.0, 0.0, 0.0], 0.37, true), |p| 0.35 - distance(p, [0.0, 1.0, 0.0])),
        (on_root(plane), |p| p[1] - 0.82),
        (on_root(capsule), |p| distance([0.0, p[1], p[2]], [0.0, 0.8, -0.03]) - 0.07),
        (on_root(keep_in), |p| 0.03 - distance([p[0], 0.0, p[2]], [0.0, 0.0, 0.1])),
    ];
    for (index, (collider, outside)) in shapes.into_iter().enumerate() {
        let spring = Spring::new(&chain_joints(0, 4), numbers).with_collider_groups(&[0]);
        let (springs, collider_groups) = (vec![spring], vec![vec![0]]);
        let source =
            SpringSource { colliders: vec![collider], collider_groups, springs, ..SpringSource::default() };
        let mut free = instance_with(
            &model,
            &SpringBones::new(model.skeleton(), &self::source(1, 4, numbers)).expect("valid"),
        );
        let mut instance =
            instance_with(&model, &SpringBones::new(model.skeleton(), &source).expect("valid"));
        let mut free_depth = f32::INFINITY;
        for frame in 0..300 {
            instance.step(FRAME);
            free.step(FRAME);
            for &joint in &chain_joints(0, 4)[2..] {
                // The push out is followed by one back to the length of the bone.
                if frame > 200 {
                    let depth = outside(position(&mut instance, joint));
                    assert!(depth > -0.02, "collider {index}, joint {joint}: {depth}");
                    free_depth = free_depth.min(outside(position(&mut free, joint)));
                }
            }
        }
        assert!(free_depth < -0.025, "collider {index} is in the way: {free_depth}");
    }
}

#[test]
fn a_chain_with_a_center_ignores_how_the_center_moves() {
    let model = reproducible_model(&bones(2, 3));
    let numbers = SpringJoint::default();
    let mut source = source(2, 3, numbers);
    source.springs[1].center = Some(JointId::new(0));
    let mut instance = instance_with(&model, &SpringBones::new(model.skeleton(), &source).expect("valid"));
    instance.step(0.0);
    for frame in 1..30 {
        instance.set_world(moved(0.1 * frame as f32, 0.0, 0.0));
        instance.step(FRAME);
    }
    let swing = |joint: usize| instance.pose().rotation(JointId::new(joint))[3];
    assert!(swing(1) < 0.99, "in world space the chain lags: {}", swing(1));
    assert!(swing(5) > 0.99999, "relative to the root it does not: {}", swing(5));
}

#[test]
fn a_crowd_gives_the_bits_of_instances_on_any_number_of_threads() {
    let (chains, len, count) = (3, 4, 29);
    let model = reproducible_model(&bones(chains, len));
    let numbers = SpringJoint { gravity_power: 0.4, hit_radius: 0.02, ..SpringJoint::default() };
    let mut source = source(chains, len, numbers);
    source.colliders = vec![sphere(0, [0.1, -0.15, -0.1], 0.1, false)];
    source.collider_groups = vec![vec![0]];
    source.springs[1].collider_groups = vec![0];
    source.springs[2].center = Some(JointId::new(0));
    let shared = [(); 2].map(|()| SpringBones::new(model.skeleton(), &source).expect("valid"));
    let world = |character: usize, frame: usize| {
        let angle = 0.3 * character as f32 + 0.05 * frame as f32;
        let (sine, cosine) = angle.sin_cos();
        Matrix {
            rows: [[cosine, 0.0, sine, 0.02 * frame as f32], [0.0, 1.0, 0.0, 0.0], [-sine, 0.0, cosine, 0.1]],
        }
    };
    // Some without springs, some with others, some with half the weight, some updated every third
    // step.
    let set_up = |character: usize, stack: &mut sinew::animation::ModifierStack| {
        if character % 7 == 3 {
            return;
        }
        let id = stack.push(shared[usize::from(character % 11 == 5)].clone()).expect("valid");
        if character % 13 == 4 {
            stack.set_weight(id, 0.5).expect("valid");
        }
    };
    let interval = |character: usize| if character % 5 == 2 { 3 } else { 1 };
    let frames = 40;
    let expected: Vec<Vec<[u32; 4]>> = (0..count)
        .map(|character| {
            let mut instance = model.instance();
            set_up(character, instance.modifiers_mut());
            let mut waiting = 0.0;
            for frame in 0..frames {
                waiting += 0.015625;
                if frame == 0 || (frame + 1) % interval(character) == 0 {
                    instance.set_world(world(character, frame));
                    instance.step(waiting);
                    waiting = 0.0;
                }
            }
            model.skeleton().joints().map(|joint| instance.pose().rotation(joint).map(f32::to_bits)).collect()
        })
        .collect();
    let run = || {
        let mut crowd = Crowd::new(CrowdOptions::default());
        let kind = crowd.add_model(&model, &InstanceOptions::default());
        let ids: Vec<_> = (0..count).map(|_| crowd.add(kind).expect("valid")).collect();
        for (character, &id) in ids.iter().enumerate() {
            let member = crowd.member_mut(id).expect("valid");
            member.update_interval = interval(character) as u32;
            set_up(character, member.modifiers_mut());
        }
        for frame in 0..frames {
            for (character, &id) in ids.iter().enumerate() {
                if frame == 0 || (frame + 1) % interval(character) == 0 {
                    crowd.member_mut(id).expect("valid").world = world(character, frame);
                }
            }
            crowd.step(0.015625);
        }
        for (character, &id) in ids.iter().enumerate() {
            let pose = crowd.pose(id).expect("valid");
            let found: Vec<[u32; 4]> =
                model.skeleton().joints().map(|joint| pose.rotation(joint).map(f32::to_bits)).collect();
            // Bones of chains with a center are computed again from where they ended, relative to
            // it.
            let exact = |joint: usize| joint < chain_joints(2, len)[0].index();
            for (joint, (found, expected)) in found.iter().zip(&expected[character]).enumerate() {
                let close = found
                    .iter()
                    .zip(expected)
                    .all(|(&a, &b)| (f32::from_bits(a) - f32::from_bits(b)).abs() < 1e-5);
                assert!(found == expected || !exact(joint) && close, "character {character}, joint {joint}");
            }
        }
    };
    run();
    #[cfg(feature = "parallel")]
    for threads in [1, 2, 3, 8] {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("valid").install(run);
    }
}

#[test]
fn long_steps_are_divided_and_teleports_reset() {
    let model = reproducible_model(&bones(1, 3));
    let numbers = SpringJoint { gravity_power: 0.5, ..SpringJoint::default() };
    let springs = SpringBones::new(model.skeleton(), &source(1, 3, numbers)).expect("valid");
    // Steps of 1/30 s are one sub-step, 0.1 s are three of them.
    let [mut long, mut short] = [(); 2].map(|()| instance_with(&model, &springs));
    for _ in 0..10 {
        long.step(0.1);
        (0..3).for_each(|_| short.step(0.1 / 3.0));
    }
    let [a, b] = [&mut long, &mut short].map(|instance| position(instance, JointId::new(4)));
    assert!(distance(a, b) < 1e-5, "{a:?} {b:?}");
    // A step of any length ends, with finite numbers.
    for seconds in [1e9, f32::MAX, f32::INFINITY, f32::NAN, -1.0, 1e-30] {
        long.step(seconds);
        assert!(
            long.pose().transforms().all(|joint| joint.rotation.iter().all(|element| element.is_finite()))
        );
    }

    let swung = |instance: &mut Instance, to: Matrix| {
        instance.set_world(to);
        instance.step(FRAME);
        1.0 - instance.pose().rotation(JointId::new(1))[3].abs()
    };
    let still = SpringBones::new(model.skeleton(), &source(1, 3, SpringJoint::default())).expect("valid");
    let mut free = instance_with(&model, &still);
    free.step(FRAME);
    assert!(swung(&mut free, moved(50.0, 0.0, 0.0)) > 0.01, "a jump drags the chain");
    let mut reset = instance_with(&model, &still);
    reset.step(FRAME);
    reset.modifiers_mut().reset();
    assert!(swung(&mut reset, moved(50.0, 0.0, 0.0)) < 1e-6);
    let mut detected = instance_with(&model, &still.clone().with_teleport_distance(2.0));
    detected.step(FRAME);
    assert!(swung(&mut detected, moved(0.5, 0.0, 0.0)) > 1e-4);
    assert!(swung(&mut detected, moved(50.0, 0.0, 0.0)) < 1e-6);
}

#[test]
fn numbers_that_are_not_finite_pass_without_a_trace() {
    let model = reproducible_model(&bones(1, 3));
    let springs = SpringBones::new(model.skeleton(), &source(1, 3, SpringJoint::default())).expect("valid");
    let mut instance = instance_with(&model, &springs);
    for bad in [f32::NAN, f32::INFINITY] {
        instance.set_world(moved(bad, 0.0, 0.0));
        instance.step(FRAME);
        instance.set_world(Matrix::IDENTITY);
        (0..3).for_each(|_| instance.step(FRAME));
        let [x, y, z, w] = instance.pose().rotation(JointId::new(1));
        assert!(x.abs() + y.abs() + z.abs() < 1e-5 && (w - 1.0).abs() < 1e-5, "{:?}", [x, y, z, w]);
    }
    for world in [Matrix::ZERO, moved(f32::MAX, f32::MIN, 0.0), moved(1e20, 0.0, 0.0), Matrix::IDENTITY] {
        instance.set_world(world);
        (0..3).for_each(|_| instance.step(FRAME));
        let finite = |joint: Transform| joint.rotation.iter().all(|element| element.is_finite());
        assert!(instance.pose().transforms().all(finite));
    }
}

#[test]
fn faults_are_reported_with_their_place() {
    let skeleton = Skeleton::new(&bones(2, 3)).expect("valid");
    let good = || {
        let mut source = source(2, 3, SpringJoint::default());
        source.colliders = vec![sphere(0, [0.0; 3], 0.1, false)];
        source.collider_groups = vec![vec![0]];
        source
    };
    assert!(SpringBones::new(&skeleton, &good()).is_ok());
    type Break = fn(&mut SpringSource);
    let faults: [(Break, &str); 17] = [
        (
            |s| s.springs[1].joints[2].stiffness = f32::NAN,
            "springs[1].joints[2], stiffness: expected a finite number from zero up, found NaN",
        ),
        (
            |s| s.springs[0].joints[0].stiffness = -1.0,
            "springs[0].joints[0], stiffness: expected a finite number from zero up, found -1.0",
        ),
        (
            |s| s.springs[0].joints[1].drag_force = 1.5,
            "springs[0].joints[1], drag force: expected a number from 0 to 1, found 1.5",
        ),
        (
            |s| s.springs[0].joints[1].hit_radius = f32::INFINITY,
            "springs[0].joints[1], hit radius: expected a finite number from zero up, found inf",
        ),
        (
            |s| s.springs[0].joints[1].gravity_power = f32::NAN,
            "springs[0].joints[1], gravity power: expected a finite number, found NaN",
        ),
        (
            |s| s.springs[0].joints[1].gravity_dir[2] = f32::NAN,
            "springs[0].joints[1], gravity direction: expected a finite number, found NaN",
        ),
        (
            |s| s.springs[0].joints[3].joint = JointId::new(99),
            "springs[0].joints[3]: expected a joint of a chain below 9, found joint 99",
        ),
        (
            |s| s.springs[0].joints[2].joint = JointId::new(1),
            "springs[0].joints[2]: expected a joint below joint 2, found joint 1",
        ),
        (
            |s| s.springs[0].joints[1].joint = JointId::new(1),
            "springs[0].joints[1]: expected a joint below joint 1, found joint 1",
        ),
        (
            |s| s.springs[1] = s.springs[0].clone(),
            "springs[1].joints[0]: expected a joint that no other chain rotates, found joint 1 of springs[0].joints[0]",
        ),
        (|s| s.springs[0].joints.truncate(1), "springs[0]: expected at least 2 joints, found 1"),
        (
            |s| s.springs[0].collider_groups = vec![1],
            "springs[0]: expected a group of colliders below 1, found 1",
        ),
        (
            |s| s.springs[0].center = Some(JointId::new(9)),
            "springs[0]: expected a center below 9, found joint 9",
        ),
        (
            |s| s.springs[0].virtual_tail = Some(-0.07),
            "springs[0], virtual tail: expected a finite number from zero up, found -0.07",
        ),
        (|s| s.collider_groups[0] = vec![0, 7], "collider_groups[0]: expected a collider below 1, found 7"),
        (
            |s| s.colliders[0].joint = JointId::new(50),
            "colliders[0]: expected a joint of a collider below 9, found joint 50",
        ),
        (
            |s| s.colliders[0].shape = ColliderShape::Plane { offset: [0.0; 3], normal: [0.0; 3] },
            "colliders[0], normal: expected a vector longer than zero, found 0.0",
        ),
    ];
    for (break_source, message) in faults {
        let mut source = good();
        break_source(&mut source);
        assert_eq!(SpringBones::new(&skeleton, &source).unwrap_err().to_string(), message);
    }
    let negative =
        SpringSource { colliders: vec![sphere(0, [0.0; 3], -0.1, true)], ..SpringSource::default() };
    assert!(SpringBones::new(&skeleton, &negative).is_err());

    let other = Model::new(ModelSource::new(Skeleton::new(&bones(1, 3)).expect("valid"))).expect("valid");
    let springs = SpringBones::new(&skeleton, &good()).expect("valid");
    let error = other.instance().modifiers_mut().push(springs).unwrap_err();
    assert!(matches!(error, AnimationError::Spring(_)), "{error}");
}

#[test]
fn odd_but_valid_springs_are_simulated() {
    // Colliders on the chains that they collide with, in a circle; skipped joints; bones of length
    // zero; a virtual tail; the same collider in two groups; many chains that wait for each other.
    let mut list = bones(40, 4);
    list[3].rest.translation = [0.0; 3];
    let skeleton = Skeleton::new(&list).expect("valid");
    let numbers = SpringJoint { gravity_power: 0.3, ..SpringJoint::default() };
    let mut source = source(40, 4, numbers);
    source.springs[1].joints.remove(2);
    source.springs[2].virtual_tail = Some(0.07);
    for chain in 0..40 {
        let next = chain_joints((chain + 1) % 40, 4)[3].index();
        source.colliders.push(sphere(next, [0.0; 3], 0.05, false));
        source.collider_groups.push(vec![chain, chain]);
        source.springs[chain].collider_groups = vec![chain, chain];
    }
    let springs = SpringBones::new(&skeleton, &source).expect("valid");
    assert_eq!(springs.bone_count(), 40 * 4 - 1 - 1 + 1);
    let model = Model::new(ModelSource::new(skeleton)).expect("valid");
    let mut instance = instance_with(&model, &springs);
    (0..20).for_each(|_| instance.step(FRAME));
    assert!(
        instance.pose().transforms().all(|joint| joint.rotation.iter().all(|element| element.is_finite()))
    );
    let empty = SpringBones::new(model.skeleton(), &SpringSource::default()).expect("valid");
    let mut nothing = instance_with(&model, &empty);
    nothing.step(FRAME);
    assert_eq!(nothing.pose(), model.skeleton().rest());
}

#[test]
fn steps_of_springs_allocate_nothing() {
    let model = reproducible_model(&bones(3, 4));
    let springs = SpringBones::new(model.skeleton(), &source(3, 4, SpringJoint::default())).expect("valid");
    let mut instance = instance_with(&model, &springs);
    instance.step(FRAME);
    let counted = allocation_counter::measure(|| (0..5).for_each(|_| instance.step(FRAME)));
    assert_eq!(counted.count_total, 0);
    let mut reset = springs.clone();
    reset.reset();

    #[cfg(not(feature = "parallel"))]
    {
        let mut crowd = Crowd::new(CrowdOptions::default());
        let kind = crowd.add_model(&model, &InstanceOptions::default());
        for _ in 0..20 {
            let id = crowd.add(kind).expect("valid");
            crowd.member_mut(id).expect("valid").modifiers_mut().push(springs.clone()).expect("valid");
        }
        crowd.step(FRAME);
        let counted = allocation_counter::measure(|| (0..5).for_each(|_| crowd.step(FRAME)));
        assert_eq!(counted.count_total, 0);
    }
}
