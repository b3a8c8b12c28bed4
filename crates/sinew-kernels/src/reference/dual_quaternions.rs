//! Dual quaternion skinning.

use super::algebra::{
    Affine, Quaternion, Vector, cross, dot, length, quaternion_product, rotate, scaled, sum,
};
use super::{blend, matrix_to_rotation};
use crate::DualQuaternion;

/// A dual quaternion: real and dual part.
pub type Dual = [Quaternion; 2];

/// Converts a dual quaternion to `f64`.
#[must_use]
pub fn widen_dual_quaternion(dual: &DualQuaternion) -> Dual {
    [dual.real.map(f64::from), dual.dual.map(f64::from)]
}

/// A rotation followed by a translation.
#[must_use]
pub fn dual_quaternion(rotation: Quaternion, [x, y, z]: Vector) -> Dual {
    [rotation, scaled(quaternion_product([x, y, z, 0.0], rotation), 0.5)]
}

/// Decomposes a matrix into a rigid transform and the scale-shear matrix applied before it, by
/// Gram-Schmidt, x axis first. The columns must be linearly independent. A mirror negates the x
/// axis.
#[must_use]
pub fn matrix_to_dual_quaternion(m: &Affine) -> (Dual, Affine) {
    let column = |c: usize| [m[0][c], m[1][c], m[2][c]];
    let [a, b, c] = [column(0), column(1), column(2)];
    let side = dot(cross(a, b), c).signum();
    let x = scaled(a, side / length(a));
    let rest = sum(b, scaled(x, -dot(x, b)));
    let y = scaled(rest, 1.0 / length(rest));
    let axes = [x, y, cross(x, y)];
    let rotation: Affine = std::array::from_fn(|r| [axes[0][r], axes[1][r], axes[2][r], 0.0]);
    let scale_shear = axes.map(|axis| [dot(axis, a), dot(axis, b), dot(axis, c), 0.0]);
    (dual_quaternion(matrix_to_rotation(&rotation), column(3)), scale_shear)
}

/// The sum of weight x dual quaternion, each with the sign nearer to the strongest, the first of
/// equals.
#[must_use]
pub fn blend_dual_quaternions(influences: &[(f64, Dual)]) -> Dual {
    let mut strongest = (f64::NEG_INFINITY, [0.0; 4]);
    for &(weight, [real, _]) in influences {
        if weight > strongest.0 {
            strongest = (weight, real);
        }
    }
    let mut blended = [[0.0; 4]; 2];
    for &(weight, [real, dual]) in influences {
        let weight = if dot(strongest.1, real) < 0.0 { -weight } else { weight };
        blended = [sum(blended[0], scaled(real, weight)), sum(blended[1], scaled(dual, weight))];
    }
    blended
}

/// The matrix of a dual quaternion of any nonzero length.
#[must_use]
pub fn dual_quaternion_to_matrix([real, dual]: Dual) -> Affine {
    // Normalized as a dual number: the dual part also loses its component along the real part.
    let unit = scaled(real, 1.0 / length(real));
    let dual = scaled(dual, 1.0 / length(real));
    let dual = sum(dual, scaled(unit, -dot(unit, dual)));
    let conjugate = [-unit[0], -unit[1], -unit[2], unit[3]];
    let t = scaled(quaternion_product(dual, conjugate), 2.0);
    let (x, y, z) =
        (rotate(unit, [1.0, 0.0, 0.0]), rotate(unit, [0.0, 1.0, 0.0]), rotate(unit, [0.0, 0.0, 1.0]));
    std::array::from_fn(|r| [x[r], y[r], z[r], t[r]])
}

/// Interpolates linearly between two matrices: 0 is `linear`, 1 is `dual`.
#[must_use]
pub fn mix(linear: &Affine, dual: &Affine, mix: f64) -> Affine {
    blend(&[(1.0 - mix, *linear), (mix, *dual)])
}
