//! What retargeting and constraints need of rotations.

use crate::math::quaternion::IDENTITY;
use crate::math::vector::{cross, dot};
use crate::math::{Quaternion, Vector};

pub(super) fn from_f32(rotation: [f32; 4]) -> Quaternion {
    rotation.map(f64::from)
}

pub(super) fn to_f32(rotation: Quaternion) -> [f32; 4] {
    rotation.map(|part| part as f32)
}

/// The rotation with length one; the identity if it has no length.
pub(super) fn normalize(rotation: Quaternion) -> Quaternion {
    let length = rotation.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length > 1e-12 && length.is_finite() { rotation.map(|part| part / length) } else { IDENTITY }
}

/// The shortest rotation from one direction to another, which need not have length one. Directions
/// that are opposite turn about some axis at a right angle; without a direction, nothing turns.
pub(super) fn from_to(from: Vector, to: Vector) -> Quaternion {
    let lengths = (dot(from, from) * dot(to, to)).sqrt();
    if !(lengths > 1e-24 && lengths.is_finite()) {
        return IDENTITY;
    }
    let w = lengths + dot(from, to);
    if w > 1e-9 * lengths {
        let [x, y, z] = cross(from, to);
        return normalize([x, y, z, w]);
    }
    let side = if from[0].abs() < 0.6 * dot(from, from).sqrt() { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let [x, y, z] = cross(from, side);
    normalize([x, y, z, 0.0])
}

/// The rotation between two, along the shorter arc.
pub(super) fn slerp(from: Quaternion, to: Quaternion, weight: f64) -> Quaternion {
    let dot: f64 = from.iter().zip(&to).map(|(a, b)| a * b).sum();
    let (to, dot) = if dot < 0.0 { (to.map(|part| -part), -dot) } else { (to, dot) };
    let angle = dot.min(1.0).acos();
    let (a, b) = match angle < 1e-6 {
        true => (1.0 - weight, weight),
        false => (((1.0 - weight) * angle).sin() / angle.sin(), (weight * angle).sin() / angle.sin()),
    };
    normalize(std::array::from_fn(|i| a * from[i] + b * to[i]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::quaternion::rotate;

    fn near(a: [f64; 3], b: [f64; 3]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    #[test]
    fn shortest_rotations_turn_one_direction_to_another() {
        let directions =
            [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [0.6, 0.0, 0.8]];
        for from in directions {
            for to in directions {
                assert!(near(rotate(from_to(from, to), from), to), "{from:?} to {to:?}");
            }
        }
        assert_eq!(from_to([0.0; 3], [1.0, 0.0, 0.0]), IDENTITY);
        assert_eq!(from_to([1.0, 0.0, 0.0], [f64::NAN; 3]), IDENTITY);
    }

    #[test]
    fn slerp_goes_from_one_to_the_other() {
        let turn = from_to([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        let half = slerp(IDENTITY, turn, 0.5);
        let diagonal = 0.5_f64.sqrt();
        assert!(near(rotate(half, [1.0, 0.0, 0.0]), [diagonal, diagonal, 0.0]));
        assert!(near(rotate(slerp(IDENTITY, turn.map(|part| -part), 1.0), [1.0, 0.0, 0.0]), [0.0, 1.0, 0.0]));
    }
}
