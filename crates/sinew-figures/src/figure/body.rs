//! The figure's flesh: the parts of the field, left half.

use super::field::{Act, Cone, Field, Part};
use super::joints::{ELBOW_AT, WRIST_AT, arm_point, arm_turn, finger_points};
use crate::portable::{Vector, mix, rotate, unit};

/// The whole body's field.
pub(super) fn body() -> Field {
    let mut field = Field { parts: Vec::new() };
    trunk(&mut field);
    head(&mut field);
    leg(&mut field);
    arm(&mut field);
    hand(&mut field);
    field
}

fn join(field: &mut Field, softness: f64, cone: Cone) {
    field.parts.push(Part { cone, softness, act: Act::Join });
}

fn cut(field: &mut Field, softness: f64, cone: Cone) {
    field.parts.push(Part { cone, softness, act: Act::Cut });
}

const X: Vector = [1.0, 0.0, 0.0];
const Y: Vector = [0.0, 1.0, 0.0];
const Z: Vector = [0.0, 0.0, 1.0];

fn trunk(field: &mut Field) {
    // Pelvis, belly, ribs.
    join(field, 0.05, Cone::new([0.0, 0.955, -0.005], 0.088, [0.064, 0.94, -0.012], 0.088));
    join(field, 0.1, Cone::flat([0.0, 0.97, 0.0], 0.089, [0.0, 1.12, -0.002], 0.083, X, 1.45));
    join(field, 0.1, Cone::flat([0.0, 1.17, -0.008], 0.085, [0.0, 1.3, -0.018], 0.096, X, 1.5));
    // Seat.
    join(field, 0.06, Cone::new([0.068, 0.9, -0.05], 0.072, [0.074, 0.93, -0.045], 0.066));
    // Chest, in front; broad back, from the waist to the armpit.
    join(field, 0.06, Cone::flat([0.045, 1.315, 0.046], 0.054, [0.105, 1.345, 0.032], 0.05, Z, 0.8));
    join(field, 0.07, Cone::new([0.08, 1.17, -0.035], 0.04, [0.12, 1.33, -0.045], 0.048));
    // The girdle of the shoulders and the slope to the neck.
    join(field, 0.07, Cone::flat([0.02, 1.385, -0.02], 0.07, [0.145, 1.405, -0.025], 0.048, Z, 1.05));
    join(field, 0.06, Cone::new([0.02, 1.485, -0.035], 0.036, [0.13, 1.428, -0.03], 0.03));
}

fn head(field: &mut Field) {
    join(field, 0.04, Cone::new([0.0, 1.43, -0.025], 0.055, [0.0, 1.57, -0.006], 0.051));
    // Skull, face, jaw, chin.
    join(field, 0.04, Cone::flat([0.0, 1.659, -0.02], 0.09, [0.0, 1.655, 0.002], 0.086, X, 0.82));
    join(field, 0.04, Cone::new([0.0, 1.63, 0.024], 0.063, [0.0, 1.572, 0.042], 0.044));
    join(field, 0.03, Cone::new([0.04, 1.585, 0.008], 0.024, [0.012, 1.545, 0.064], 0.019));
    // Sockets and eyes.
    cut(field, 0.035, Cone::new([0.03, 1.636, 0.116], 0.017, [0.04, 1.636, 0.11], 0.017));
    join(field, 0.01, Cone::new([0.0315, 1.637, 0.0755], 0.0115, [0.0335, 1.637, 0.0745], 0.0115));
    // Nose and lips.
    join(field, 0.024, Cone::new([0.0, 1.648, 0.08], 0.006, [0.0, 1.604, 0.1], 0.0095));
    join(field, 0.014, Cone::new([0.0, 1.603, 0.093], 0.0085, [0.011, 1.602, 0.087], 0.0065));
    join(field, 0.02, Cone::new([0.0, 1.582, 0.079], 0.012, [0.014, 1.578, 0.072], 0.01));
    // Ears, close to the head.
    join(field, 0.022, Cone::flat([0.0715, 1.64, -0.016], 0.021, [0.069, 1.618, -0.008], 0.015, X, 0.42));
}

fn leg(field: &mut Field) {
    join(field, 0.07, Cone::new([0.089, 0.86, -0.008], 0.08, [0.096, 0.58, 0.002], 0.049));
    join(field, 0.08, Cone::new([0.097, 0.77, 0.016], 0.056, [0.099, 0.62, 0.016], 0.043));
    // Knee, shin, calf.
    join(field, 0.08, Cone::new([0.097, 0.53, 0.008], 0.043, [0.097, 0.475, 0.004], 0.041));
    join(field, 0.08, Cone::new([0.098, 0.44, 0.0], 0.039, [0.1, 0.1, -0.03], 0.028));
    join(field, 0.08, Cone::new([0.1, 0.4, -0.026], 0.038, [0.1, 0.29, -0.024], 0.028));
    // Ankle, heel, instep, ball, toes.
    join(field, 0.03, Cone::flat([0.101, 0.09, -0.03], 0.028, [0.101, 0.075, -0.028], 0.031, X, 1.08));
    join(field, 0.04, Cone::new([0.101, 0.034, -0.044], 0.032, [0.103, 0.036, -0.02], 0.032));
    join(field, 0.04, Cone::new([0.102, 0.066, -0.01], 0.034, [0.11, 0.026, 0.085], 0.023));
    join(field, 0.04, Cone::flat([0.107, 0.018, 0.05], 0.034, [0.115, 0.014, 0.128], 0.034, Y, 0.5));
    join(field, 0.03, Cone::new([0.1, 0.018, 0.1], 0.018, [0.104, 0.014, 0.152], 0.0145));
}

/// A cone along the arm, in the arm's layout.
fn arm_cone(from: Vector, from_radius: f64, to: Vector, to_radius: f64, flat: Vector, factor: f64) -> Cone {
    Cone::flat(arm_point(from), from_radius, arm_point(to), to_radius, rotate(arm_turn(), flat), factor)
}

fn arm(field: &mut Field) {
    // Shoulder, upper arm, elbow.
    join(field, 0.06, arm_cone([0.0, 0.002, 0.0], 0.054, [0.09, 0.006, 0.0], 0.039, Y, 1.0));
    join(field, 0.06, arm_cone([0.08, 0.0, 0.0], 0.038, [ELBOW_AT, 0.0, -0.002], 0.03, Y, 1.0));
    join(field, 0.06, arm_cone([0.12, -0.004, 0.01], 0.031, [0.19, -0.004, 0.008], 0.028, Y, 1.0));
    // Forearm, full below the elbow and flat at the wrist.
    join(
        field,
        0.06,
        arm_cone([ELBOW_AT + 0.01, 0.0, 0.0], 0.03, [WRIST_AT - 0.09, 0.0, 0.0], 0.024, Y, 1.0),
    );
    join(
        field,
        0.06,
        arm_cone([ELBOW_AT + 0.05, -0.002, 0.006], 0.031, [ELBOW_AT + 0.1, 0.0, 0.004], 0.027, Y, 1.0),
    );
    join(field, 0.05, arm_cone([WRIST_AT - 0.12, 0.0, 0.0], 0.027, [WRIST_AT, 0.0, 0.0], 0.0255, Y, 0.72));
}

fn hand(field: &mut Field) {
    let at = |x: f64, y: f64, z: f64| [WRIST_AT + x, y, z];
    // The palm is broad and flat; the ball of the thumb and the edge of the hand are fuller.
    join(field, 0.02, arm_cone(at(0.005, 0.0, 0.0), 0.026, at(0.05, 0.0, 0.004), 0.03, Y, 0.6));
    join(field, 0.02, arm_cone(at(0.074, 0.0, 0.02), 0.021, at(0.07, -0.001, -0.021), 0.02, Y, 0.62));
    join(field, 0.02, arm_cone(at(0.024, -0.006, 0.016), 0.018, at(0.055, -0.007, 0.022), 0.014, Y, 0.9));
    join(field, 0.02, arm_cone(at(0.02, -0.004, -0.018), 0.015, at(0.06, -0.003, -0.026), 0.013, Y, 0.9));
    const RADII: [[f64; 4]; 5] = [
        [0.0145, 0.0115, 0.0105, 0.0085],
        [0.0095, 0.0088, 0.008, 0.0067],
        [0.0097, 0.009, 0.0082, 0.0068],
        [0.0094, 0.0086, 0.0078, 0.0065],
        [0.0085, 0.0077, 0.007, 0.006],
    ];
    for (finger, radii) in RADII.iter().enumerate() {
        let points = finger_points(finger);
        // The last sphere ends at the tip.
        let end = mix(
            points[3],
            points[2],
            radii[3] / crate::portable::length(crate::portable::sub(points[3], points[2])),
        );
        let points = [points[0], points[1], points[2], end];
        for joint in 0..3 {
            let softness = if joint == 0 { 0.008 } else { 0.004 };
            let cone =
                arm_cone(points[joint], radii[joint], points[joint + 1], radii[joint + 1], unit(Y), 1.0);
            join(field, softness, cone);
        }
    }
}
