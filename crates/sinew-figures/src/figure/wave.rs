//! The wave: the figure stands and waves its right hand.

use sinew::{Pose, Skeleton};

use super::joints::{
    COLLAR, FOOT, FOREARM, FOREARM_TWIST, HAND, HEAD, HIPS, JAW, NECK, SIDES, SPINE, Side, UPPER_ARM,
    UPPER_ARM_TWIST, arm_joint, finger_joint, leg_joint,
};
use super::pose_builder::PoseBuilder;
use super::walk::relax_fingers;
use crate::math::{IDENTITY, add, mul, rotation_x, rotation_y, rotation_z, sin_turns};

/// The period of the wave in seconds: four waves of the hand, one breath.
pub const WAVE_SECONDS: f32 = 3.0;

/// Writes the pose of the wave at a time, which may be negative. It repeats every [`WAVE_SECONDS`].
///
/// # Errors
///
/// When the skeleton or the pose does not belong to a figure.
pub fn wave(skeleton: &Skeleton, seconds: f32, pose: &mut Pose) -> Result<(), sinew::Error> {
    let cycle = f64::from(seconds) / f64::from(WAVE_SECONDS);
    let cycle = cycle - cycle.floor();
    let mut builder = PoseBuilder::new();
    pose_body(&mut builder, cycle);
    pose_idle_arm(&mut builder, Side::Left, cycle);
    pose_waving_arm(&mut builder, Side::Right, cycle);
    builder.write_pose(skeleton, pose)
}

/// Poses trunk, head and legs: weight over the left foot, breathing, head slightly tilted.
fn pose_body(builder: &mut PoseBuilder, cycle: f64) {
    let (breath, sway) = (sin_turns(cycle), sin_turns(cycle + 0.2));
    builder.hips = add(builder.hips, [0.022 + 0.004 * sway, -0.012 + 0.001 * breath, 0.0]);
    builder.set(HIPS, mul(rotation_z(2.0 + 0.4 * sway), rotation_y(-2.0)));
    for joint in SPINE {
        builder.set(joint, mul(rotation_z(-1.4 - 0.3 * sway), rotation_x(-0.4 - 0.4 * breath)));
    }
    for joint in [NECK[0], NECK[1], HEAD] {
        builder.set(
            joint,
            mul(rotation_z(1.5 + 0.6 * sway), mul(rotation_y(-2.0), rotation_x(1.0 + 0.3 * breath))),
        );
    }
    builder.set(JAW, rotation_x(2.0 + 1.0 * breath));
    for side in SIDES {
        let ankle = builder.rest_point(leg_joint(side, FOOT));
        builder.solve_leg(side, ankle, IDENTITY);
    }
}

fn pose_idle_arm(builder: &mut PoseBuilder, side: Side, cycle: f64) {
    let sway = sin_turns(cycle + 0.35);
    builder.set_mirrored(
        side,
        arm_joint(side, UPPER_ARM),
        mul(rotation_x(2.0 + 1.5 * sway), mul(rotation_z(-80.0), rotation_x(-8.0))),
    );
    builder.set_mirrored(side, arm_joint(side, FOREARM), rotation_y(-16.0 - 2.0 * sway));
    builder.set_mirrored(side, arm_joint(side, HAND), rotation_y(-3.0));
    relax_fingers(builder, side);
}

/// Poses the waving arm: out and up, palm forward, the forearm to and fro, the hand a little later.
fn pose_waving_arm(builder: &mut PoseBuilder, side: Side, cycle: f64) {
    let (beat, late) = (sin_turns(4.0 * cycle), sin_turns(4.0 * cycle - 0.12));
    builder.set_mirrored(side, arm_joint(side, COLLAR), rotation_z(8.0 + 1.0 * beat));
    // The outward rotation of the upper arm is split between shoulder and twist joint, so that the
    // skin does not collapse.
    builder.set_mirrored(
        side,
        arm_joint(side, UPPER_ARM),
        mul(rotation_y(-22.0), mul(rotation_z(-12.0 + 3.0 * beat), rotation_x(-42.0))),
    );
    builder.set_mirrored(side, arm_joint(side, UPPER_ARM_TWIST), rotation_x(-38.0));
    builder.set_mirrored(side, arm_joint(side, FOREARM), rotation_y(-92.0 - 18.0 * beat));
    builder.set_mirrored(side, arm_joint(side, FOREARM_TWIST), rotation_x(-4.0));
    builder.set_mirrored(side, arm_joint(side, HAND), mul(rotation_x(-4.0), rotation_y(-12.0 * late)));
    for finger in 1..5 {
        let spread = [6.0, 2.0, -3.0, -8.0][finger - 1];
        builder.set_mirrored(
            side,
            finger_joint(side, finger, 0),
            mul(rotation_y(-spread), rotation_z(4.0 - 2.0 * late)),
        );
        for joint in 1..3 {
            builder.set_mirrored(side, finger_joint(side, finger, joint), rotation_z(2.0 - 2.0 * late));
        }
    }
}
