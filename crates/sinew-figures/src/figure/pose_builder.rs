//! Builds a pose of the figure from joint rotations, with two-bone IK for the legs.

use sinew::{JointId, Pose, Skeleton};

use super::joints::{
    FOOT, HIPS, JOINTS, SHIN, Side, THIGH, UPPER_ARM, arm_joint, arm_rotation, leg_joint, mirror_rotation,
    rest_positions,
};
use crate::math::{
    IDENTITY, Quaternion, Vec3, add, add_scaled, dot, inverse, length, min, mul, normalize, rotate,
    rotation_between, scale, sub,
};
use crate::motion::check_joint_count;

/// The local rotations of all joints, and the position of the hips.
pub(super) struct PoseBuilder {
    rotations: [Quaternion; JOINTS],
    /// Joint positions at rest, in model space.
    rest_positions: Vec<Vec3>,
    /// In model space.
    pub(super) hips: Vec3,
}

impl PoseBuilder {
    /// The rest pose.
    pub(super) fn new() -> Self {
        let rest_positions = rest_positions();
        let mut rotations = [IDENTITY; JOINTS];
        for side in [Side::Left, Side::Right] {
            rotations[arm_joint(side, UPPER_ARM)] = mirror_rotation(side, arm_rotation());
        }
        Self { rotations, hips: rest_positions[HIPS], rest_positions }
    }

    /// Sets the local rotation of a joint.
    pub(super) fn set(&mut self, joint: usize, rotation: Quaternion) {
        self.rotations[joint] = rotation;
    }

    /// Sets the local rotation of a joint of the left arm or leg, or its mirror image on the right.
    pub(super) fn set_mirrored(&mut self, side: Side, joint: usize, rotation: Quaternion) {
        self.rotations[joint] = mirror_rotation(side, rotation);
    }

    /// Bends a leg so that its ankle reaches a position, or comes as near as it can, and sets the
    /// foot's rotation; both are in model space. The hips must be final.
    pub(super) fn solve_leg(&mut self, side: Side, ankle: Vec3, foot_rotation: Quaternion) {
        let [hip, knee, rest_ankle] =
            [THIGH, SHIN, FOOT].map(|index| self.rest_positions[leg_joint(side, index)]);
        let hips_rotation = self.rotations[HIPS];
        let from_hips = rotate(inverse(hips_rotation), sub(ankle, self.hips));
        let target = sub(from_hips, sub(hip, self.rest_positions[HIPS]));
        let (thigh, shin) = (sub(knee, hip), sub(rest_ankle, knee));
        let (upper, lower) = (length(thigh), length(shin));
        // The leg never becomes quite straight, or the knee would snap.
        let distance = min(length(target), 0.9985 * (upper + lower));
        let direction = normalize(target);
        let along_target = (distance * distance + upper * upper - lower * lower) / (2.0 * distance);
        let aside = (upper * upper - along_target * along_target).sqrt();
        let forward = [0.0, 0.0, 1.0];
        let forward = normalize(add_scaled(forward, direction, -dot(forward, direction)));
        let new_thigh = add_scaled(scale(direction, along_target), forward, aside);
        let new_shin = sub(scale(direction, distance), new_thigh);
        let thigh_rotation = rotation_between(normalize(thigh), normalize(new_thigh));
        let shin_rotation = mul(
            rotation_between(normalize(rotate(thigh_rotation, shin)), normalize(new_shin)),
            thigh_rotation,
        );
        self.rotations[leg_joint(side, THIGH)] = thigh_rotation;
        self.rotations[leg_joint(side, SHIN)] = mul(inverse(thigh_rotation), shin_rotation);
        self.rotations[leg_joint(side, FOOT)] =
            mul(inverse(mul(hips_rotation, shin_rotation)), foot_rotation);
    }

    /// The position of a joint at rest, in model space.
    pub(super) fn rest_point(&self, joint: usize) -> Vec3 {
        self.rest_positions[joint]
    }

    /// Writes all joints to a pose.
    pub(super) fn write_pose(&self, skeleton: &Skeleton, pose: &mut Pose) -> Result<(), sinew::Error> {
        pose.copy_from(skeleton.rest())?;
        check_joint_count("joints of the figure", JOINTS, pose)?;
        for (joint, rotation) in skeleton.joints().zip(&self.rotations) {
            pose.set_rotation(joint, rotation.map(|element| element as f32));
        }
        let offset = sub(self.hips, self.rest_positions[HIPS]);
        let hips = JointId::new(HIPS);
        let rest = pose.translation(hips).map(f64::from);
        pose.set_translation(hips, add(rest, offset).map(|element| element as f32));
        Ok(())
    }
}
