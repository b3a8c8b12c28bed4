//! Decomposes a matrix with scale and shear into rotation, scale and residual.

use super::algebra::{Affine, Quaternion, Vector, cross, dot, length, scaled, sum};
use super::matrix_to_rotation;

/// A decomposed matrix.
#[derive(Clone, Copy, Debug)]
pub struct ScaledJoint {
    /// A unit quaternion.
    pub rotation: Quaternion,
    /// The last column.
    pub translation: Vector,
    /// Along the rotation's axes; negative along x if the matrix mirrors.
    pub scale: Vector,
    /// Root of the sum of squares of matrix minus rotation x scale.
    pub residual: f64,
}

/// Decomposes a matrix by Gram-Schmidt, x axis first. The columns must be linearly independent.
#[must_use]
pub fn matrix_to_scaled_joint(m: &Affine) -> ScaledJoint {
    let column = |c: usize| [m[0][c], m[1][c], m[2][c]];
    let [a, b, c] = [column(0), column(1), column(2)];
    let side = if dot(cross(a, b), c) < 0.0 { -1.0 } else { 1.0 };
    let x = scaled(a, side / length(a));
    let rest = sum(b, scaled(x, -dot(x, b)));
    let y = scaled(rest, 1.0 / length(rest));
    let z = cross(x, y);
    let scale = [dot(x, a), dot(y, b), dot(z, c)];

    let rotation: Affine = std::array::from_fn(|r| [x[r], y[r], z[r], 0.0]);
    let mut squares = 0.0;
    for (row, axes) in m.iter().zip(rotation) {
        for i in 0..3 {
            squares += (row[i] - axes[i] * scale[i]).powi(2);
        }
    }
    ScaledJoint {
        rotation: matrix_to_rotation(&rotation),
        translation: column(3),
        scale,
        residual: squares.sqrt(),
    }
}
