//! Foot placement: feet on steps and slopes.

use sinew::animation::{FootPlacement, GroundHit, Leg};
use sinew::{Instance, JointId, Matrix, Model};

use crate::support::scene_cache::scene_model;

fn legs(model: &Model) -> ([JointId; 2], [Leg; 2]) {
    let joint = |name: &str| model.skeleton().joint(name).expect("valid");
    let legs = ["left", "right"]
        .map(|side| Leg::new(["thigh", "shin", "foot"].map(|part| joint(&format!("{side} {part}")))));
    (legs.map(|leg| leg.foot), legs)
}

fn pelvis(model: &Model) -> JointId {
    let [left, right] = legs(model).1.map(|leg| model.skeleton().parent(leg.hip).expect("valid"));
    assert_eq!(left, right);
    left
}

fn height(instance: &mut Instance, joint: JointId) -> f32 {
    instance.model_matrices()[joint.index()].translation()[1]
}

/// Ground whose height is a function of x and z.
fn ground(height: fn(f32, f32) -> f32) -> impl Fn([f32; 3], [f32; 3], f32) -> Option<GroundHit> + Clone {
    move |[x, y, z], direction, length| {
        assert!(direction[1] < -0.99 && length > 0.0);
        let ground = height(x, z);
        let (dx, dz) = (height(x + 0.01, z) - ground, height(x, z + 0.01) - ground);
        (ground <= y).then_some(GroundHit { point: [x, ground, z], normal: [-dx, 0.01, -dz] })
    }
}

#[test]
fn feet_stand_on_steps_and_the_pelvis_sinks_to_the_lower_one() {
    let model = scene_model("@figure:300");
    let (feet, legs) = legs(&model);
    let mut level = model.instance();
    let rest = feet.map(|foot| height(&mut level, foot));
    let rest_pelvis = height(&mut level, pelvis(&model));
    // The left half of the world is a step up, the right one a step down.
    let steps = ground(|x, _| if x > 0.0 { 0.1 } else { -0.15 });
    let mut instance = model.instance();
    instance.modifiers_mut().push(FootPlacement::new(pelvis(&model), &legs, steps)).expect("valid");
    instance.step(1.0 / 60.0);
    let [left, right] = feet.map(|foot| height(&mut instance, foot));
    assert!((left - rest[0] - 0.1).abs() < 1e-3, "{left}");
    assert!((right - rest[1] + 0.15).abs() < 1e-3, "{right}");
    assert!((height(&mut instance, pelvis(&model)) - rest_pelvis + 0.15).abs() < 1e-3);
}

#[test]
fn level_ground_and_no_ground_change_nothing() {
    let model = scene_model("@figure:300");
    let (_, legs) = legs(&model);
    let flat = FootPlacement::new(pelvis(&model), &legs, ground(|_, _| 0.0));
    let none = FootPlacement::new(pelvis(&model), &legs, |_, _, _| None);
    for placement in [flat, none] {
        let [mut placed, mut free] = [model.instance(), model.instance()];
        placed.modifiers_mut().push(placement).expect("valid");
        for instance in [&mut placed, &mut free] {
            instance.play("walk").expect("valid");
            instance.step(0.3);
        }
        for (a, b) in placed.model_matrices().iter().zip(free.model_matrices()) {
            for (a, b) in a.rows.as_flattened().iter().zip(b.rows.as_flattened()) {
                assert!((a - b).abs() < 1e-3, "{a} {b}");
            }
        }
    }
}

#[test]
fn feet_tilt_to_the_slope_and_follow_it_at_a_speed() {
    let model = scene_model("@figure:300");
    let (feet, legs) = legs(&model);
    let mut instance = model.instance();
    let placement = FootPlacement::new(pelvis(&model), &legs, ground(|x, _| 0.2 * x));
    let id = instance.modifiers_mut().push(placement).expect("valid");
    instance.step(1.0 / 60.0);
    let up = |instance: &mut Instance| {
        let placed = instance.model_matrices()[feet[0].index()];
        let rest = model.instance().model_matrices()[feet[0].index()];
        // The direction that is up at rest, as the foot has it now.
        let local = rest.inverse().expect("valid").transform_vector([0.0, 1.0, 0.0]);
        placed.transform_vector(local)
    };
    let [x, y, _] = up(&mut instance);
    assert!((x + 0.196).abs() < 0.01 && (y - 0.981).abs() < 0.01, "{x} {y}");

    // Half a meter further up the slope, the feet arrive after some steps.
    instance.set_world(Matrix { rows: [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] });
    let heights = |instance: &Instance| -> Vec<f32> {
        instance.modifiers().get::<FootPlacement>(id).expect("valid").ground_heights().collect()
    };
    let before = heights(&instance);
    instance.step(0.05);
    let after = heights(&instance);
    assert!((after[0] - before[0] - 0.1).abs() < 1e-5, "two meters per second: {before:?} {after:?}");
    (0..10).for_each(|_| instance.step(0.05));
    assert!((heights(&instance)[0] - before[0] - 0.2).abs() < 1e-3);
}

#[test]
fn faults_are_rejected_and_a_frame_allocates_nothing() {
    let model = scene_model("@figure:300");
    let (_, legs) = legs(&model);
    let placement = || FootPlacement::new(pelvis(&model), &legs, ground(|x, _| 0.1 * x));
    let push = |placement: FootPlacement| model.instance().modifiers_mut().push(placement).map(drop);
    assert!(push(placement()).is_ok());
    let broken = |fault: &dyn Fn(&mut FootPlacement)| {
        let mut placement = placement();
        fault(&mut placement);
        assert!(push(placement).is_err());
    };
    broken(&|it| it.pelvis = JointId::new(1000));
    broken(&|it| it.pelvis = legs[0].foot);
    broken(&|it| it.range = f32::NAN);
    broken(&|it| it.speed = -1.0);
    broken(&|it| it.tilt = 2.0);
    assert!(push(FootPlacement::new(pelvis(&model), &[legs[0]; 17], |_, _, _| None)).is_err());
    let upside_down = Leg { hip: legs[0].foot, ..legs[0] };
    assert!(push(FootPlacement::new(pelvis(&model), &[upside_down], |_, _, _| None)).is_err());

    // A ground of numbers that are not finite leaves finite joints.
    let mad =
        |_: [f32; 3], _: [f32; 3], _: f32| Some(GroundHit { point: [f32::NAN; 3], normal: [f32::NAN; 3] });
    let mut instance = model.instance();
    instance.modifiers_mut().push(FootPlacement::new(pelvis(&model), &legs, mad)).expect("valid");
    instance.step(0.1);
    assert!(
        instance.pose().transforms().all(|joint| joint.rotation.iter().all(|element| element.is_finite()))
    );

    let mut instance = model.instance();
    instance.modifiers_mut().push(placement()).expect("valid");
    instance.step(0.1);
    let counted = allocation_counter::measure(|| (0..3).for_each(|_| instance.step(0.1)));
    assert_eq!(counted.count_total, 0);
}
