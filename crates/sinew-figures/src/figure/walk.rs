//! A walk on the spot: two steps, over and over.

use sinew::{Pose, Skeleton};

use super::joints::{
    COLLAR, FOOT, FOREARM, HAND, HEAD, HIPS, NECK, SIDES, SPINE, Side, TOES, UPPER_ARM, arm, finger, leg,
};
use super::mover::Mover;
use crate::portable::{Vector, add, cosine, rotate, sine, smooth_step, sub, then, turn_x, turn_y, turn_z};

/// How long two steps take, in seconds.
pub const WALK_SECONDS: f32 = 1.1;

/// How fast the ground moves back under the feet, in metres per second: move the figure forward, to +Z, at
/// this speed and a foot that stands does not slide.
pub const WALK_SPEED: f32 = (STRIDE / WALK_SECONDS as f64) as f32;

/// The way of two steps.
const STRIDE: f64 = 1.24;
/// The part of the cycle in which a foot stands.
const STANCE: f64 = 0.6;
/// Where the foot comes down, before the hips.
const LANDING: f64 = 0.31;

/// Writes the walk at a time: any time, it repeats every [`WALK_SECONDS`].
///
/// # Errors
///
/// When the skeleton or the pose is not a figure's.
pub fn walk(skeleton: &Skeleton, seconds: f32, pose: &mut Pose) -> Result<(), sinew::Error> {
    let cycle = f64::from(seconds) / f64::from(WALK_SECONDS);
    let cycle = cycle - cycle.floor();
    let mut mover = Mover::new();
    trunk(&mut mover, cycle);
    for side in SIDES {
        let phase = cycle + 0.5 * f64::from(side as u8);
        step(&mut mover, side, phase - phase.floor());
        swing(&mut mover, side, phase);
    }
    mover.write(skeleton, pose)
}

/// Hips over the standing leg, low when both feet are down; the spine turns against them and the head looks
/// ahead.
fn trunk(mover: &mut Mover, cycle: f64) {
    // The left foot lands at 0, and stands alone about a quarter later.
    let (once, twice) = (sine(cycle - 0.05), cosine(2.0 * cycle - 0.1));
    let yaw = 5.0 * cosine(cycle - 0.02);
    let roll = 2.5 * once;
    mover.hips = add(mover.hips, [0.018 * once, -0.034 - 0.015 * twice, 0.008 * sine(2.0 * cycle)]);
    // The left side goes forward with the left foot, which is a turn against y.
    let hips = then(turn_y(-yaw), then(turn_z(-roll), turn_x(2.0)));
    mover.set(HIPS, hips);
    for joint in SPINE {
        mover.set(joint, then(turn_y(0.55 * yaw), then(turn_z(0.3 * roll), turn_x(0.3))));
    }
    for joint in [NECK[0], NECK[1], HEAD] {
        mover.set(joint, then(turn_y(-0.4 * yaw), turn_x(-0.8 - 0.3 * twice)));
    }
}

/// One leg: heel down, roll over the foot, push off with the ball, swing through.
fn step(mover: &mut Mover, side: Side, phase: f64) {
    let ankle = mover.rest(leg(side, FOOT));
    let ball = mover.rest(leg(side, TOES));
    let heel = [ankle[0], 0.012, ankle[2] - 0.03];
    // Where the foot's place at rest would be now, were it flat on the moving ground.
    let ground = |phase: f64| LANDING - STRIDE * phase;
    let at = |pitch: f64, pivot: Vector, shift: Vector| {
        add(add(pivot, rotate(turn_x(pitch), sub(ankle, pivot))), shift)
    };
    let standing = |phase: f64| {
        let (lift, push) = stance_pitch(phase);
        let shift = [0.0, 0.0, ground(phase)];
        if lift < 0.0 {
            (at(lift, heel, shift), lift, 0.0)
        } else {
            (at(push, [ball[0], 0.02, ball[2]], shift), push, push)
        }
    };
    let (place, pitch, bend) = if phase < STANCE {
        standing(phase)
    } else {
        let part = (phase - STANCE) / (1.0 - STANCE);
        let (from, from_pitch, from_bend) = standing(STANCE);
        let (to, to_pitch, _) = standing(0.0);
        let eased = smooth_step(2.0 * part - 1.0);
        let height = 4.0 * part * (1.0 - part);
        // Both ends move with the ground, so that the foot lands and leaves without a jerk.
        let speed = -STRIDE * (1.0 - STANCE);
        let forward = hermite(from[2], to[2], speed, speed, part);
        let up = from[1] + (to[1] - from[1]) * eased + 0.045 * height * height;
        let pitch = from_pitch + (to_pitch - from_pitch) * smooth_step(2.0 * part - 0.9);
        ([ankle[0], up, forward], pitch, from_bend * (1.0 - smooth_step(4.0 * part - 1.0)))
    };
    // Feet come nearer to the middle than they stand at rest.
    let sign = if side == Side::Left { 1.0 } else { -1.0 };
    let place = [place[0] - 0.03 * sign, place[1], place[2]];
    mover.reach(side, place, turn_x(pitch));
    mover.set(leg(side, TOES), turn_x(-bend));
}

/// How far the toes are up, as a negative pitch, and how far the heel is up, in degrees.
fn stance_pitch(phase: f64) -> (f64, f64) {
    let lift = -18.0 * (1.0 - smooth_step(phase / 0.06 - 1.0));
    let push = 48.0 * (phase - 0.32) * (phase - 0.32) / ((STANCE - 0.32) * (STANCE - 0.32));
    (if phase < 0.12 { lift } else { 0.0 }, if phase > 0.32 { push } else { 0.0 })
}

/// From `a` to `b`, with these speeds at the ends.
fn hermite(a: f64, b: f64, a_speed: f64, b_speed: f64, t: f64) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    a * (2.0 * t3 - 3.0 * t2 + 1.0)
        + a_speed * (t3 - 2.0 * t2 + t)
        + b * (3.0 * t2 - 2.0 * t3)
        + b_speed * (t3 - t2)
}

/// An arm: back when its leg is forward, bent more on its way to the front.
fn swing(mover: &mut Mover, side: Side, phase: f64) {
    let back = cosine(phase - 0.03);
    let forward = 0.5 - 0.5 * cosine(phase - 0.08);
    mover.set_on(side, arm(side, COLLAR), turn_y(2.0 * back));
    let lowered = then(turn_z(-83.0), turn_x(-8.0));
    mover.set_on(side, arm(side, UPPER_ARM), then(turn_x(4.0 + 24.0 * back), lowered));
    mover.set_on(side, arm(side, FOREARM), turn_y(-14.0 - 26.0 * forward));
    mover.set_on(side, arm(side, HAND), then(turn_z(-6.0 * back), turn_y(-4.0)));
    relax(mover, side);
}

/// Fingers as they hang.
pub(super) fn relax(mover: &mut Mover, side: Side) {
    for digit in 1..5 {
        let bend = 10.0 + 3.0 * digit as f64;
        for joint in 0..3 {
            mover.set_on(side, finger(side, digit, joint), turn_z(-bend));
        }
    }
    mover.set_on(side, finger(side, 0, 1), turn_y(8.0));
    mover.set_on(side, finger(side, 0, 2), turn_y(10.0));
}
