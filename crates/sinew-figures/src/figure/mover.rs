//! A pose of the figure while it is being made: turns from rest, and legs that reach for a place.

use sinew::{Pose, Skeleton};

use super::joints::{
    FOOT, HIPS, JOINTS, SHIN, Side, THIGH, UPPER_ARM, arm, arm_turn, leg, mirrored, rest_points,
};
use crate::portable::{
    NO_TURN, Quaternion, Vector, add, along, between, dot, inverse, least, length, rotate, scale, sub, then,
    unit,
};

/// Rotations of all joints in their parents' spaces, and where the hips are.
pub(super) struct Mover {
    turns: [Quaternion; JOINTS],
    points: Vec<Vector>,
    pub(super) hips: Vector,
}

impl Mover {
    /// Nothing has moved.
    pub(super) fn new() -> Self {
        let points = rest_points();
        let mut turns = [NO_TURN; JOINTS];
        for side in [Side::Left, Side::Right] {
            turns[arm(side, UPPER_ARM)] = mirrored(side, arm_turn());
        }
        Self { turns, hips: points[HIPS], points }
    }

    /// Gives a joint's rotation in its parent's space.
    pub(super) fn set(&mut self, joint: usize, turn: Quaternion) {
        self.turns[joint] = turn;
    }

    /// Gives the rotation of a joint of the left arm or leg, or what mirrors it on the right.
    pub(super) fn set_on(&mut self, side: Side, joint: usize, turn: Quaternion) {
        self.turns[joint] = mirrored(side, turn);
    }

    /// Bends a leg so that its ankle comes to a place, or as near as it can, and turns the foot in model
    /// space. The hips must be where they will be.
    pub(super) fn reach(&mut self, side: Side, ankle: Vector, foot_turn: Quaternion) {
        let [hip, knee, rest_ankle] = [THIGH, SHIN, FOOT].map(|place| self.points[leg(side, place)]);
        let hips_turn = self.turns[HIPS];
        let from_hips = rotate(inverse(hips_turn), sub(ankle, self.hips));
        let target = sub(from_hips, sub(hip, self.points[HIPS]));
        let (thigh, shin) = (sub(knee, hip), sub(rest_ankle, knee));
        let (upper, lower) = (length(thigh), length(shin));
        // A leg is never quite straight, or the knee would snap.
        let distance = least(length(target), 0.9985 * (upper + lower));
        let direction = unit(target);
        let along_target = (distance * distance + upper * upper - lower * lower) / (2.0 * distance);
        let aside = (upper * upper - along_target * along_target).sqrt();
        let forward = [0.0, 0.0, 1.0];
        let forward = unit(along(forward, direction, -dot(forward, direction)));
        let new_thigh = along(scale(direction, along_target), forward, aside);
        let new_shin = sub(scale(direction, distance), new_thigh);
        let thigh_turn = between(unit(thigh), unit(new_thigh));
        let shin_turn = then(between(unit(rotate(thigh_turn, shin)), unit(new_shin)), thigh_turn);
        self.turns[leg(side, THIGH)] = thigh_turn;
        self.turns[leg(side, SHIN)] = then(inverse(thigh_turn), shin_turn);
        self.turns[leg(side, FOOT)] = then(inverse(then(hips_turn, shin_turn)), foot_turn);
    }

    /// Where a joint of the legs is at rest.
    pub(super) fn rest(&self, joint: usize) -> Vector {
        self.points[joint]
    }

    /// Writes all joints.
    pub(super) fn write(&self, skeleton: &Skeleton, pose: &mut Pose) -> Result<(), sinew::Error> {
        pose.copy_from(skeleton.rest())?;
        let joints = pose.joints_mut();
        if joints.len() != JOINTS {
            return Err(sinew::Error::Length {
                what: "joints of the figure",
                expected: JOINTS,
                found: joints.len(),
            });
        }
        for (joint, turn) in joints.iter_mut().zip(&self.turns) {
            joint.rotation = turn.map(|element| element as f32);
        }
        let moved = sub(self.hips, self.points[HIPS]);
        let rest = joints[HIPS].translation.map(f64::from);
        joints[HIPS].translation = add(rest, moved).map(|element| element as f32);
        Ok(())
    }
}
