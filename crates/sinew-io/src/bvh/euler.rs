//! Rotations from Euler angles.

use crate::math::Quaternion;
use crate::math::quaternion::{IDENTITY, product};

/// The rotation about the axes in turn, each in the space that the ones before it have rotated, by
/// angles in degrees.
pub(super) fn rotation(turns: impl Iterator<Item = (usize, f64)>) -> Quaternion {
    turns.fold(IDENTITY, |rotation, (axis, degrees)| {
        let (sine, cosine) = (0.5 * degrees.to_radians()).sin_cos();
        let mut turn = [0.0, 0.0, 0.0, cosine];
        turn[axis] = sine;
        product(rotation, turn)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_in_the_space_of_those_before() {
        let close = |a: Quaternion, b: Quaternion| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15);
        let half = std::f64::consts::FRAC_1_SQRT_2;
        assert!(close(rotation([(2, 90.0)].into_iter()), [0.0, 0.0, half, half]));
        // A quarter about z takes x to y; the next quarter is about the new x, which is y.
        assert!(close(rotation([(2, 90.0), (0, 90.0)].into_iter()), [0.5, 0.5, 0.5, 0.5]));
        assert!(close(rotation(std::iter::empty()), [0.0, 0.0, 0.0, 1.0]));
    }
}
