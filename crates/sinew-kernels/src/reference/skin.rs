//! Linear blend skinning.

use super::algebra::{Affine, Vector, length, scaled, sum};

/// The sum of weight x matrix.
#[must_use]
pub fn blend(influences: &[(f64, Affine)]) -> Affine {
    let mut blended = [[0.0; 4]; 3];
    for (weight, matrix) in influences {
        for (sum, row) in blended.iter_mut().zip(matrix) {
            for (sum, element) in sum.iter_mut().zip(row) {
                *sum += weight * element;
            }
        }
    }
    blended
}

/// Transforms a position.
#[must_use]
pub fn skin_position(matrix: &Affine, [x, y, z]: Vector) -> Vector {
    matrix.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3])
}

/// Transforms a pre-weighted position, given per joint: weight times x, y and z, and the weight.
#[must_use]
pub fn skin_pre_weighted(influences: &[(Affine, [f64; 4])]) -> Vector {
    let mut position = [0.0; 3];
    for (matrix, [x, y, z, w]) in influences {
        position = sum(position, matrix.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3] * w));
    }
    position
}

/// Transforms a direction.
#[must_use]
pub fn skin_direction(matrix: &Affine, [x, y, z]: Vector) -> Vector {
    matrix.map(|row| row[0] * x + row[1] * y + row[2] * z)
}

/// Transforms a normal, by the matrix of cofactors.
#[must_use]
pub fn skin_normal(matrix: &Affine, normal: Vector) -> Vector {
    let cofactor = |r: usize, c: usize| {
        let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
        matrix[r1][c1] * matrix[r2][c2] - matrix[r1][c2] * matrix[r2][c1]
    };
    std::array::from_fn(|r| (0..3).map(|c| cofactor(r, c) * normal[c]).sum())
}

/// Normalizes a direction.
#[must_use]
pub fn unit(direction: Vector) -> Vector {
    scaled(direction, 1.0 / length(direction))
}
