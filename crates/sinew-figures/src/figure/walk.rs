//! The walk: a cycle of two steps on the spot.

use sinew::{Pose, Skeleton};

use super::joints::{
    COLLAR, FOOT, FOREARM, HAND, HEAD, HIPS, NECK, SIDES, SPINE, Side, TOES, UPPER_ARM, arm_joint,
    finger_joint, leg_joint,
};
use super::pose_builder::PoseBuilder;
use crate::math::{
    Vec3, add, cos_turns, mul, rotate, rotation_x, rotation_y, rotation_z, sin_turns, smooth_step, sub,
};

/// The period of the walk in seconds: two steps.
pub const WALK_SECONDS: f32 = 1.1;

/// The speed of the walk in meters per second. If the figure moves along +Z at this speed, standing
/// feet do not slide.
pub const WALK_SPEED: f32 = (STRIDE / WALK_SECONDS as f64) as f32;

/// The distance of two steps.
const STRIDE: f64 = 1.24;
/// The fraction of the cycle during which a foot stands.
const STANCE: f64 = 0.6;
/// The distance in front of the hips at which the foot lands.
const LANDING: f64 = 0.31;

/// Writes the pose of the walk at a time, which may be negative. It repeats every [`WALK_SECONDS`].
///
/// # Errors
///
/// When the skeleton or the pose does not belong to a figure.
pub fn walk(skeleton: &Skeleton, seconds: f32, pose: &mut Pose) -> Result<(), sinew::Error> {
    let cycle = f64::from(seconds) / f64::from(WALK_SECONDS);
    let cycle = cycle - cycle.floor();
    let mut builder = PoseBuilder::new();
    pose_trunk(&mut builder, cycle);
    for side in SIDES {
        let phase = cycle + 0.5 * f64::from(side as u8);
        pose_leg(&mut builder, side, phase - phase.floor());
        pose_arm(&mut builder, side, phase);
    }
    builder.write_pose(skeleton, pose)
}

/// Poses the trunk: hips over the standing leg, low when both feet are down; the spine
/// counter-rotates and the head looks ahead.
fn pose_trunk(builder: &mut PoseBuilder, cycle: f64) {
    // The left foot lands at 0 and stands alone about a quarter of a cycle later.
    let (once, twice) = (sin_turns(cycle - 0.05), cos_turns(2.0 * cycle - 0.1));
    let yaw = 5.0 * cos_turns(cycle - 0.02);
    let roll = 2.5 * once;
    builder.hips = add(builder.hips, [0.018 * once, -0.034 - 0.015 * twice, 0.008 * sin_turns(2.0 * cycle)]);
    // The left side moves forward with the left foot, which is a negative rotation about y.
    let hips = mul(rotation_y(-yaw), mul(rotation_z(-roll), rotation_x(2.0)));
    builder.set(HIPS, hips);
    for joint in SPINE {
        builder.set(joint, mul(rotation_y(0.55 * yaw), mul(rotation_z(0.3 * roll), rotation_x(0.3))));
    }
    for joint in [NECK[0], NECK[1], HEAD] {
        builder.set(joint, mul(rotation_y(-0.4 * yaw), rotation_x(-0.8 - 0.3 * twice)));
    }
}

/// Poses a leg: heel strike, roll over the foot, push off with the ball, swing.
fn pose_leg(builder: &mut PoseBuilder, side: Side, phase: f64) {
    let ankle = builder.rest_point(leg_joint(side, FOOT));
    let ball = builder.rest_point(leg_joint(side, TOES));
    let heel = [ankle[0], 0.012, ankle[2] - 0.03];
    // The z offset of a flat foot that moves with the ground.
    let ground = |phase: f64| LANDING - STRIDE * phase;
    let at = |pitch: f64, pivot: Vec3, shift: Vec3| {
        add(add(pivot, rotate(rotation_x(pitch), sub(ankle, pivot))), shift)
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
    let (position, pitch, bend) = if phase < STANCE {
        standing(phase)
    } else {
        let t = (phase - STANCE) / (1.0 - STANCE);
        let (from, from_pitch, from_bend) = standing(STANCE);
        let (to, to_pitch, _) = standing(0.0);
        let eased = smooth_step(2.0 * t - 1.0);
        let height = 4.0 * t * (1.0 - t);
        // At both ends the foot moves with the ground, so its speed is continuous.
        let speed = -STRIDE * (1.0 - STANCE);
        let forward = hermite(from[2], to[2], speed, speed, t);
        let up = from[1] + (to[1] - from[1]) * eased + 0.045 * height * height;
        let pitch = from_pitch + (to_pitch - from_pitch) * smooth_step(2.0 * t - 0.9);
        ([ankle[0], up, forward], pitch, from_bend * (1.0 - smooth_step(4.0 * t - 1.0)))
    };
    // Feet step closer to the center line than at rest.
    let sign = if side == Side::Left { 1.0 } else { -1.0 };
    let position = [position[0] - 0.03 * sign, position[1], position[2]];
    builder.solve_leg(side, position, rotation_x(pitch));
    builder.set(leg_joint(side, TOES), rotation_x(-bend));
}

/// The pitch of a standing foot in degrees: toes up (negative) after landing, and heel up
/// (positive) before push-off.
fn stance_pitch(phase: f64) -> (f64, f64) {
    let lift = -18.0 * (1.0 - smooth_step(phase / 0.06 - 1.0));
    let push = 48.0 * (phase - 0.32) * (phase - 0.32) / ((STANCE - 0.32) * (STANCE - 0.32));
    (if phase < 0.12 { lift } else { 0.0 }, if phase > 0.32 { push } else { 0.0 })
}

/// Hermite interpolation from `a` to `b` with the given speeds at the ends.
fn hermite(a: f64, b: f64, a_speed: f64, b_speed: f64, t: f64) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    a * (2.0 * t3 - 3.0 * t2 + 1.0)
        + a_speed * (t3 - 2.0 * t2 + t)
        + b * (3.0 * t2 - 2.0 * t3)
        + b_speed * (t3 - t2)
}

/// Poses an arm: it swings against its leg, and bends more on its way forward.
fn pose_arm(builder: &mut PoseBuilder, side: Side, phase: f64) {
    let back = cos_turns(phase - 0.03);
    let forward = 0.5 - 0.5 * cos_turns(phase - 0.08);
    builder.set_mirrored(side, arm_joint(side, COLLAR), rotation_y(2.0 * back));
    let lowered = mul(rotation_z(-83.0), rotation_x(-8.0));
    builder.set_mirrored(side, arm_joint(side, UPPER_ARM), mul(rotation_x(4.0 + 24.0 * back), lowered));
    builder.set_mirrored(side, arm_joint(side, FOREARM), rotation_y(-14.0 - 26.0 * forward));
    builder.set_mirrored(side, arm_joint(side, HAND), mul(rotation_z(-6.0 * back), rotation_y(-4.0)));
    relax_fingers(builder, side);
}

/// Poses relaxed fingers.
pub(super) fn relax_fingers(builder: &mut PoseBuilder, side: Side) {
    for finger in 1..5 {
        let bend = 10.0 + 3.0 * finger as f64;
        for joint in 0..3 {
            builder.set_mirrored(side, finger_joint(side, finger, joint), rotation_z(-bend));
        }
    }
    builder.set_mirrored(side, finger_joint(side, 0, 1), rotation_y(8.0));
    builder.set_mirrored(side, finger_joint(side, 0, 2), rotation_y(10.0));
}
