//! The signed distance field of the body: the primitives of its left half.
//!
//! Where two primitives join along a limb, each ends thinner than the limb and below its surface,
//! so that the joint is invisible.

use super::joints::{ELBOW_AT, WRIST_AT, arm_point, arm_rotation, finger_points};
use super::sdf::{Primitive, RoundCone, Sdf, Sphere};
use crate::math::{Vec3, length, lerp, rotate, sub};

/// Builds the field of the whole body.
pub(super) fn body_sdf() -> Sdf {
    let mut sdf = Sdf { primitives: Vec::new() };
    add_trunk(&mut sdf);
    add_head(&mut sdf);
    add_leg(&mut sdf);
    add_foot(&mut sdf);
    add_arm(&mut sdf);
    add_hand(&mut sdf);
    sdf
}

fn union(sdf: &mut Sdf, smoothness: f64, cone: RoundCone) {
    sdf.primitives.push(Primitive { cone, smoothness });
}

const X: Vec3 = [1.0, 0.0, 0.0];
const Y: Vec3 = [0.0, 1.0, 0.0];
const Z: Vec3 = [0.0, 0.0, 1.0];

fn add_trunk(sdf: &mut Sdf) {
    // Pelvis, belly, ribs.
    union(sdf, 0.05, RoundCone::new(([0.0, 0.955, -0.005], 0.088), ([0.064, 0.94, -0.012], 0.088)));
    union(sdf, 0.1, RoundCone::flattened(([0.0, 0.96, 0.0], 0.09), ([0.0, 1.2, -0.006], 0.07), X, 1.45));
    union(sdf, 0.1, RoundCone::flattened(([0.0, 1.09, -0.006], 0.066), ([0.0, 1.31, -0.018], 0.098), X, 1.5));
    // Buttocks.
    union(sdf, 0.06, RoundCone::new(([0.068, 0.9, -0.05], 0.072), ([0.074, 0.93, -0.045], 0.066)));
    // Chest, in front; broad back, from the waist to the armpit.
    union(
        sdf,
        0.06,
        RoundCone::flattened(([0.045, 1.315, 0.046], 0.054), ([0.105, 1.345, 0.032], 0.05), Z, 0.8),
    );
    union(sdf, 0.07, RoundCone::new(([0.075, 1.13, -0.03], 0.03), ([0.12, 1.33, -0.045], 0.048)));
    // Shoulder girdle, and the slope to the neck.
    union(
        sdf,
        0.07,
        RoundCone::flattened(([0.02, 1.385, -0.02], 0.07), ([0.145, 1.4, -0.025], 0.048), Z, 1.05),
    );
    union(sdf, 0.06, RoundCone::new(([0.02, 1.485, -0.035], 0.036), ([0.13, 1.42, -0.03], 0.03)));
}

fn add_head(sdf: &mut Sdf) {
    union(sdf, 0.04, RoundCone::new(([0.0, 1.43, -0.027], 0.058), ([0.0, 1.57, -0.012], 0.055)));
    // Skull, face, chin: a mannequin's head. A face of so few vertices would look at nobody.
    union(
        sdf,
        0.04,
        RoundCone::flattened(([0.0, 1.659, -0.02], 0.09), ([0.0, 1.655, 0.002], 0.086), X, 0.82),
    );
    union(sdf, 0.06, RoundCone::flattened(([0.0, 1.64, 0.02], 0.07), ([0.0, 1.566, 0.036], 0.05), X, 0.95));
    union(sdf, 0.05, RoundCone::new(([0.0, 1.6, 0.045], 0.042), ([0.0, 1.57, 0.052], 0.036)));
}

fn add_leg(sdf: &mut Sdf) {
    // Thigh, and the muscle in front of it.
    union(sdf, 0.07, RoundCone::new(([0.089, 0.86, -0.008], 0.079), ([0.097, 0.5, 0.002], 0.036)));
    union(sdf, 0.07, RoundCone::new(([0.098, 0.78, 0.014], 0.056), ([0.098, 0.6, 0.01], 0.03)));
    // Knee, shin, calf.
    union(sdf, 0.06, RoundCone::new(([0.097, 0.515, 0.012], 0.033), ([0.097, 0.475, 0.008], 0.031)));
    union(sdf, 0.06, RoundCone::new(([0.098, 0.46, 0.0], 0.037), ([0.1, 0.1, -0.03], 0.029)));
    union(sdf, 0.06, RoundCone::new(([0.098, 0.47, -0.006], 0.022), ([0.1, 0.37, -0.024], 0.037)));
    union(sdf, 0.06, RoundCone::new(([0.1, 0.37, -0.024], 0.037), ([0.1, 0.17, -0.022], 0.014)));
}

fn add_foot(sdf: &mut Sdf) {
    // Ankle, heel, instep.
    union(
        sdf,
        0.03,
        RoundCone::flattened(([0.101, 0.09, -0.03], 0.028), ([0.101, 0.075, -0.028], 0.031), X, 1.08),
    );
    union(sdf, 0.04, RoundCone::new(([0.101, 0.034, -0.044], 0.032), ([0.103, 0.036, -0.02], 0.032)));
    union(sdf, 0.04, RoundCone::new(([0.102, 0.066, -0.01], 0.034), ([0.11, 0.026, 0.085], 0.023)));
    // Ball and toes.
    union(
        sdf,
        0.04,
        RoundCone::flattened(([0.107, 0.018, 0.05], 0.034), ([0.114, 0.015, 0.128], 0.031), Y, 0.6),
    );
    union(sdf, 0.03, RoundCone::new(([0.1, 0.018, 0.1], 0.018), ([0.104, 0.014, 0.152], 0.0145)));
}

/// A sphere of arm space, in model space.
fn arm_sphere((center, radius): Sphere) -> Sphere {
    (arm_point(center), radius)
}

/// A round cone of arm space, in model space.
fn arm_cone(from: Sphere, to: Sphere) -> RoundCone {
    RoundCone::new(arm_sphere(from), arm_sphere(to))
}

/// A round cone of arm space, scaled by `factor` from the palm to the back of the hand.
fn flattened_arm_cone(from: Sphere, to: Sphere, factor: f64) -> RoundCone {
    RoundCone::flattened(arm_sphere(from), arm_sphere(to), rotate(arm_rotation(), Y), factor)
}

fn add_arm(sdf: &mut Sdf) {
    let at = |x: f64, y: f64, z: f64| [ELBOW_AT + x, y, z];
    // Shoulder, upper arm.
    union(sdf, 0.06, arm_cone(([0.0, 0.002, 0.0], 0.053), ([0.14, 0.004, 0.0], 0.027)));
    union(sdf, 0.06, arm_cone(([0.04, 0.0, 0.0], 0.04), (at(0.01, 0.0, -0.002), 0.03)));
    union(sdf, 0.06, arm_cone(([0.13, -0.004, 0.01], 0.031), (at(-0.03, -0.002, 0.004), 0.02)));
    // Forearm, thick below the elbow and flat at the wrist.
    union(sdf, 0.06, arm_cone((at(-0.02, 0.0, 0.0), 0.03), ([WRIST_AT, 0.0, 0.0], 0.019)));
    union(sdf, 0.06, arm_cone((at(0.05, -0.002, 0.006), 0.031), (at(0.18, 0.0, 0.002), 0.016)));
    let wrist = ([WRIST_AT, 0.0, 0.0], 0.0255);
    union(sdf, 0.05, flattened_arm_cone(([WRIST_AT - 0.14, 0.0, 0.0], 0.025), wrist, 0.72));
}

/// The radii of each finger at its joints and its tip; the thumb comes first.
const FINGER_RADII: [[f64; 4]; 5] = [
    [0.0145, 0.0115, 0.0105, 0.0085],
    [0.0095, 0.0088, 0.008, 0.0067],
    [0.0097, 0.009, 0.0082, 0.0068],
    [0.0094, 0.0086, 0.0078, 0.0065],
    [0.0085, 0.0077, 0.007, 0.006],
];

fn add_hand(sdf: &mut Sdf) {
    let at = |x: f64, y: f64, z: f64| [WRIST_AT + x, y, z];
    // The palm is broad and flat; the ball of the thumb and the edge of the hand are thicker.
    union(sdf, 0.02, flattened_arm_cone((at(0.005, 0.0, 0.0), 0.026), (at(0.05, 0.0, 0.004), 0.03), 0.6));
    union(
        sdf,
        0.02,
        flattened_arm_cone((at(0.074, 0.0, 0.02), 0.021), (at(0.07, -0.001, -0.021), 0.02), 0.62),
    );
    union(
        sdf,
        0.02,
        flattened_arm_cone((at(0.024, -0.006, 0.016), 0.018), (at(0.055, -0.007, 0.022), 0.014), 0.9),
    );
    union(
        sdf,
        0.02,
        flattened_arm_cone((at(0.02, -0.004, -0.018), 0.015), (at(0.06, -0.003, -0.026), 0.013), 0.9),
    );
    for (finger, radii) in FINGER_RADII.iter().enumerate() {
        let mut points = finger_points(finger);
        // The last sphere touches the tip.
        points[3] = lerp(points[3], points[2], radii[3] / length(sub(points[3], points[2])));
        for joint in 0..3 {
            let smoothness = if joint == 0 { 0.011 } else { 0.004 };
            let next = (points[joint + 1], radii[joint + 1]);
            union(sdf, smoothness, arm_cone((points[joint], radii[joint]), next));
        }
    }
}
