//! A greeting: the figure stands and waves its right hand, over and over.

use sinew::{Pose, Skeleton};

use super::joints::{
    COLLAR, FOOT, FOREARM, FOREARM_TWIST, HAND, HEAD, HIPS, JAW, NECK, SIDES, SPINE, Side, UPPER_ARM,
    UPPER_ARM_TWIST, arm, finger, leg,
};
use super::mover::Mover;
use super::walk::relax;
use crate::portable::{NO_TURN, add, sine, then, turn_x, turn_y, turn_z};

/// How long it takes until everything repeats, in seconds: four waves, one breath.
pub const WAVE_SECONDS: f32 = 3.0;

/// Writes the wave at a time: any time, it repeats every [`WAVE_SECONDS`].
///
/// # Errors
///
/// When the skeleton or the pose is not a figure's.
pub fn wave(skeleton: &Skeleton, seconds: f32, pose: &mut Pose) -> Result<(), sinew::Error> {
    let cycle = f64::from(seconds) / f64::from(WAVE_SECONDS);
    let cycle = cycle - cycle.floor();
    let mut mover = Mover::new();
    stand(&mut mover, cycle);
    hang(&mut mover, Side::Left, cycle);
    greet(&mut mover, Side::Right, cycle);
    mover.write(skeleton, pose)
}

/// The weight over the left foot, a breath in the chest, the head a little to the side.
fn stand(mover: &mut Mover, cycle: f64) {
    let (breath, sway) = (sine(cycle), sine(cycle + 0.2));
    mover.hips = add(mover.hips, [0.022 + 0.004 * sway, -0.012 + 0.001 * breath, 0.0]);
    mover.set(HIPS, then(turn_z(2.0 + 0.4 * sway), turn_y(-2.0)));
    for joint in SPINE {
        mover.set(joint, then(turn_z(-1.4 - 0.3 * sway), turn_x(-0.4 - 0.4 * breath)));
    }
    for joint in [NECK[0], NECK[1], HEAD] {
        mover.set(joint, then(turn_z(1.5 + 0.6 * sway), then(turn_y(-2.0), turn_x(1.0 + 0.3 * breath))));
    }
    mover.set(JAW, turn_x(2.0 + 1.0 * breath));
    for side in SIDES {
        let ankle = mover.rest(leg(side, FOOT));
        mover.reach(side, ankle, NO_TURN);
    }
}

fn hang(mover: &mut Mover, side: Side, cycle: f64) {
    let sway = sine(cycle + 0.35);
    mover.set_on(
        side,
        arm(side, UPPER_ARM),
        then(turn_x(2.0 + 1.5 * sway), then(turn_z(-80.0), turn_x(-8.0))),
    );
    mover.set_on(side, arm(side, FOREARM), turn_y(-16.0 - 2.0 * sway));
    mover.set_on(side, arm(side, HAND), turn_y(-3.0));
    relax(mover, side);
}

/// The arm out and up, the palm ahead, the forearm to and fro, and the hand a little later.
fn greet(mover: &mut Mover, side: Side, cycle: f64) {
    let (beat, late) = (sine(4.0 * cycle), sine(4.0 * cycle - 0.12));
    mover.set_on(side, arm(side, COLLAR), turn_z(8.0 + 1.0 * beat));
    // The upper arm turns outwards, half of it at the shoulder and half further down, so that the skin does
    // not wring.
    mover.set_on(
        side,
        arm(side, UPPER_ARM),
        then(turn_y(-22.0), then(turn_z(-12.0 + 3.0 * beat), turn_x(-42.0))),
    );
    mover.set_on(side, arm(side, UPPER_ARM_TWIST), turn_x(-38.0));
    mover.set_on(side, arm(side, FOREARM), turn_y(-92.0 - 18.0 * beat));
    mover.set_on(side, arm(side, FOREARM_TWIST), turn_x(-4.0));
    mover.set_on(side, arm(side, HAND), then(turn_x(-4.0), turn_y(-12.0 * late)));
    for digit in 1..5 {
        let spread = [6.0, 2.0, -3.0, -8.0][digit - 1];
        mover.set_on(side, finger(side, digit, 0), then(turn_y(-spread), turn_z(4.0 - 2.0 * late)));
        for joint in 1..3 {
            mover.set_on(side, finger(side, digit, joint), turn_z(2.0 - 2.0 * late));
        }
    }
}
