//! The stack of pose modifiers: order, weight, state, clones, and the same results as the functions
//! that edit a pose once.

use sinew::animation::{
    AnimationError, Attachment, ModifierContext, ModifierId, Override, PoseModifier, TwoBone,
};
use sinew::model::ModelSource;
use sinew::skeleton::SkeletonError;
use sinew::{Aim, Bone, JointId, Matrix, Model, Skeleton, Transform};

use crate::support::scene_cache::scene_model;

/// Counts its steps and seconds, and moves the root by the seconds.
#[derive(Clone, Debug, Default)]
struct Drift {
    steps: u32,
    moved: f32,
}

impl PoseModifier for Drift {
    fn modify(&mut self, context: &mut ModifierContext<'_>) {
        self.steps += 1;
        self.moved += context.seconds();
        let [x, y, z] = context.pose().translation(JointId::new(0));
        context.set_translation(JointId::new(0), [x + self.moved, y, z]);
    }

    fn check(&self, skeleton: &Skeleton) -> Result<(), AnimationError> {
        let message = format!("expected a rig of at most 100 joints, found {}", skeleton.len());
        if skeleton.len() <= 100 { Ok(()) } else { Err(AnimationError::Modifier { message }) }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

/// Doubles the root's translation along x.
#[derive(Clone, Copy, Debug)]
struct Double;

impl PoseModifier for Double {
    fn modify(&mut self, context: &mut ModifierContext<'_>) {
        let [x, y, z] = context.pose().translation(JointId::new(0));
        context.set_translation(JointId::new(0), [2.0 * x, y, z]);
    }
}

fn chain_model(len: usize) -> Model {
    let up = Transform { translation: [0.0, 1.0, 0.0], ..Transform::IDENTITY };
    let bones: Vec<Bone> = (0..len).map(|joint| Bone::new("", joint.checked_sub(1), up)).collect();
    Model::new(ModelSource::new(Skeleton::new(&bones).expect("valid"))).expect("valid")
}

fn root_x(instance: &sinew::Instance) -> f32 {
    instance.pose().translation(JointId::new(0))[0]
}

#[test]
fn modifiers_run_in_order_with_state_that_clones_keep() {
    let model = chain_model(3);
    let mut instance = model.instance();
    let drift = instance.modifiers_mut().push(Drift::default()).expect("valid");
    let double = instance.modifiers_mut().push(Double).expect("valid");
    instance.step(0.5);
    assert_eq!(root_x(&instance), 1.0);
    let mut clone = instance.clone();
    instance.step(0.5);
    assert_eq!(root_x(&instance), 2.0);
    clone.step(0.25);
    assert_eq!(root_x(&clone), 1.5, "the clone goes on from its own state");
    assert_eq!(instance.modifiers().get::<Drift>(drift).expect("valid").steps, 2);

    assert!(instance.modifiers_mut().remove(double).is_some());
    assert!(instance.modifiers_mut().remove(double).is_none());
    let first = instance.modifiers_mut().insert(0, Double).expect("valid");
    assert_eq!(instance.modifiers().ids().collect::<Vec<_>>(), [first, drift]);
    instance.step(0.0);
    assert_eq!(root_x(&instance), 1.0, "now the root at zero is doubled first");
    instance.modifiers_mut().reset();
    instance.step(0.25);
    assert_eq!(root_x(&instance), 0.25);
    instance.modifiers_mut().clear();
    instance.step(1.0);
    assert_eq!(root_x(&instance), 0.0);
}

#[test]
fn flags_and_weights_apply_to_the_change() {
    let model = chain_model(3);
    let mut instance = model.instance();
    let turned = Override {
        rotation: Some([0.0, 0.0, 1.0, 0.0]),
        translation: Some([4.0, 8.0, 0.0]),
        scale: Some([3.0; 3]),
        ..Override::new(JointId::new(1))
    };
    let id = instance.modifiers_mut().push(turned).expect("valid");
    instance.modifiers_mut().set_weight(id, 0.25).expect("valid");
    instance.step(0.0);
    let found = instance.pose().transform(JointId::new(1));
    assert_eq!((found.translation, found.scale), ([1.0, 2.75, 0.0], [1.5; 3]));
    let length = (0.25_f32 * 0.25 + 0.75 * 0.75).sqrt();
    assert!((found.rotation[2] - 0.25 / length).abs() < 1e-6, "{:?}", found.rotation);
    let expected = found.matrix().translation()[1] + 1.0;
    assert_eq!(instance.model_matrices()[1].translation()[1], expected);

    instance.modifiers_mut().set_weight(id, 0.0).expect("valid");
    instance.step(0.0);
    assert_eq!(instance.pose(), model.skeleton().rest());
    instance.modifiers_mut().set_weight(id, 1.0).expect("valid");
    instance.modifiers_mut().set_enabled(id, false).expect("valid");
    instance.step(0.0);
    assert_eq!(instance.pose(), model.skeleton().rest());
    instance.modifiers_mut().set_enabled(id, true).expect("valid");
    instance.step(0.0);
    assert_eq!(instance.pose().translation(JointId::new(1)), [4.0, 8.0, 0.0]);
    for weight in [f32::NAN, -0.5, 1.5] {
        assert!(instance.modifiers_mut().set_weight(id, weight).is_err());
    }
}

#[test]
fn modifiers_give_the_bits_of_single_edits() {
    let model = scene_model("@figure:300");
    let joint = |name: &str| model.skeleton().joint(name).expect("valid");
    let [upper, lower, hand, head] = ["left upper arm", "left forearm", "left hand", "head"].map(joint);
    let reach = TwoBone::new([upper, lower, hand], [0.4, 1.3, 0.3]);
    let aim = Aim::new(head, [0.0, 0.0, 1.0], [1.0, 1.5, 2.0]);
    let [mut stacked, mut edited] = [model.instance(), model.instance()];
    stacked.modifiers_mut().push(reach).expect("valid");
    stacked.modifiers_mut().push(aim).expect("valid");
    for instance in [&mut stacked, &mut edited] {
        instance.play("walk").expect("valid");
    }
    for _ in 0..5 {
        stacked.step(0.1);
        edited.step(0.1);
        edited.reach(&reach).expect("valid");
        edited.aim(&aim).expect("valid");
        assert_eq!(stacked.pose(), edited.pose());
        assert_eq!(stacked.model_matrices(), edited.model_matrices());
        assert_eq!(stacked.skin().bounds(), edited.skin().bounds());
    }
}

#[test]
fn model_matrices_are_those_of_the_pose_wherever_they_are_asked_for() {
    #[derive(Clone, Debug)]
    struct Ask;
    impl PoseModifier for Ask {
        fn modify(&mut self, context: &mut ModifierContext<'_>) {
            let [one, two, last] = [1, 2, 9].map(JointId::new);
            assert_eq!(context.model_from_joint(two).translation(), [0.0, 3.0, 0.0]);
            context.set_translation(one, [5.0, 1.0, 0.0]);
            assert_eq!(context.model_matrices(one..=two).expect("valid")[1].translation(), [5.0, 3.0, 0.0]);
            assert_eq!(context.model_matrices(..).expect("valid").len(), 10);
            context.pose_mut().set_translation(one, [7.0, 1.0, 0.0]);
            assert_eq!(context.model_from_joint(last).translation(), [7.0, 10.0, 0.0]);
            assert!(matches!(
                context.model_matrices(..JointId::new(11)),
                Err(SkeletonError::RangeOutOfBounds { .. })
            ));
        }
    }
    let model = chain_model(10);
    let mut instance = model.instance();
    instance.modifiers_mut().push(Ask).expect("valid");
    instance.step(0.1);
    assert_eq!(instance.model_matrices()[9].translation(), [7.0, 10.0, 0.0]);
}

#[test]
fn an_attached_joint_follows_another_joint() {
    let at = |x: f32| Transform { translation: [x, 0.0, 0.0], ..Transform::IDENTITY };
    let turned = Transform { rotation: [0.0, 0.0, 0.6, 0.8], scale: [2.0; 3], ..at(1.0) };
    let bones = [
        Bone::new("root", None, Transform::IDENTITY),
        Bone::new("belt", Some(0), turned),
        Bone::new("sword", Some(1), at(0.5)),
        Bone::new("arm", Some(0), Transform { rotation: [0.6, 0.0, 0.0, 0.8], ..at(-3.0) }),
        Bone::new("hand", Some(3), Transform { translation: [0.0, 1.0, 0.0], ..Transform::IDENTITY }),
    ];
    let model = Model::new(ModelSource::new(Skeleton::new(&bones).expect("valid"))).expect("valid");
    let joint = |name: &str| model.skeleton().joint(name).expect("valid");
    let offset = Transform { rotation: [0.0, 1.0, 0.0, 0.0], ..at(0.25) };
    let mut instance = model.instance();
    let attachment = Attachment::new(joint("sword"), joint("hand"), offset);
    instance.modifiers_mut().push(attachment).expect("valid");
    instance.step(0.0);
    let hand = instance.model_matrices()[joint("hand").index()];
    let expected = model.skeleton().attach(joint("hand"), &offset.matrix(), instance.model_matrices());
    let found = instance.model_matrices()[joint("sword").index()];
    for (found, expected) in
        found.rows.as_flattened().iter().zip(expected.expect("valid").rows.as_flattened())
    {
        assert!((found - expected).abs() < 1e-5, "{found} {expected} {hand:?}");
    }

    let below = Attachment::new(joint("arm"), joint("hand"), offset);
    let error = instance.modifiers_mut().push(below).unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"joint 3 "arm": expected an attachment to a joint that is not below it, found one that is"#
    );
    for bad in [
        Attachment { weight: f32::NAN, ..attachment },
        Attachment { joint: JointId::new(5), ..attachment },
        Attachment { to: JointId::new(9), ..attachment },
        Attachment { offset: at(f32::INFINITY), ..attachment },
    ] {
        assert!(instance.modifiers_mut().push(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn what_does_not_fit_is_rejected_and_what_becomes_invalid_changes_nothing() {
    let model = chain_model(3);
    let mut instance = model.instance();
    let stack = instance.modifiers_mut();
    assert!(stack.push(Aim::new(JointId::new(3), [1.0, 0.0, 0.0], [0.0; 3])).is_err());
    let id = stack.push(Aim::new(JointId::new(0), [0.0, 1.0, 0.0], [1.0, 1.0, 0.0])).expect("valid");
    assert!(stack.get::<Override>(id).is_none());
    stack.get_mut::<Aim>(id).expect("valid").weight = f32::NAN;
    instance.step(0.1);
    assert_eq!(instance.pose(), model.skeleton().rest());

    let big = chain_model(101);
    let error = big.instance().modifiers_mut().push(Drift::default()).unwrap_err();
    assert_eq!(error.to_string(), "expected a rig of at most 100 joints, found 101");

    // An id of another stack, and a stack of another model.
    let mut other = big.instance();
    let foreign: ModifierId = other.modifiers_mut().push(Double).expect("valid");
    assert_eq!(foreign, id, "ids are counted in each stack");
    assert!(matches!(
        model.instance().modifiers_mut().set_enabled(id, true),
        Err(AnimationError::ModifierNotFound { .. })
    ));
    other.modifiers_mut().push(Override::new(JointId::new(100))).expect("valid");
    std::mem::swap(instance.modifiers_mut(), other.modifiers_mut());
    instance.step(0.1);
    assert_eq!(instance.pose(), model.skeleton().rest());
    assert_eq!(*instance.world(), Matrix::IDENTITY);
}

#[test]
fn a_frame_with_modifiers_allocates_nothing() {
    let model = scene_model("@figure:300");
    let joint = |name: &str| model.skeleton().joint(name).expect("valid");
    let [upper, lower, hand, head] = ["left upper arm", "left forearm", "left hand", "head"].map(joint);
    let mut instance = model.instance();
    instance.play("walk").expect("valid");
    let stack = instance.modifiers_mut();
    stack.push(TwoBone::new([upper, lower, hand], [0.4, 1.3, 0.3])).expect("valid");
    let aim = stack.push(Aim::new(head, [0.0, 0.0, 1.0], [1.0, 1.5, 2.0])).expect("valid");
    let weak = stack.push(Override { scale: Some([2.0; 3]), ..Override::new(hand) }).expect("valid");
    stack.set_weight(weak, 0.5).expect("valid");
    stack.push(Attachment::new(hand, head, Transform::IDENTITY)).expect("valid");
    stack.push(Drift::default()).expect("valid");
    let mut frame = |x: f32| {
        instance.modifiers_mut().get_mut::<Aim>(aim).expect("valid").target[0] = x;
        let other = Aim::new(head, [0.0, 0.0, 1.0], [x, 1.5, 2.0]);
        instance.modifiers_mut().replace(aim, other).expect("valid");
        instance.step(0.01);
        instance.skin();
    };
    frame(0.0);
    let counted = allocation_counter::measure(|| (0..5).for_each(|step| frame(0.1 * step as f32)));
    assert_eq!(counted.count_total, 0);
}
