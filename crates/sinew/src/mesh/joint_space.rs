//! Joint-space vectors, transformed to model space at rest.
//!
//! Palettes start from model space at rest. A vector that was transformed there once is taken by
//! the palette to where its joint's model matrix would take it.

use sinew_kernels::Matrix;

use crate::mesh::MeshError;
use crate::skeleton::Skin;

/// The transforms from joint space to model space in the bind pose.
pub(crate) struct RestSpaces<'a> {
    skin: &'a Skin,
    /// The inverses of the inverse bind matrices used so far, in `f64`.
    model_from_joint: Vec<Option<[[f64; 4]; 3]>>,
}

impl<'a> RestSpaces<'a> {
    pub(crate) fn new(skin: &'a Skin) -> Self {
        Self { skin, model_from_joint: vec![None; skin.len()] }
    }

    /// Transforms a vector from the space of a joint of the skin to model space at rest.
    pub(crate) fn transform_to_model(&mut self, joint: u32, vector: [f32; 3]) -> Result<[f64; 3], MeshError> {
        let index = joint as usize;
        let rows = match self.model_from_joint[index] {
            Some(rows) => rows,
            None => {
                let singular = || MeshError::SingularBind {
                    skin_joint: index,
                    joint: self.skin.joint_list().indices()[index] as usize,
                };
                let rows = inverse(&self.skin.inverse_binds()[index]).ok_or_else(singular)?;
                self.model_from_joint[index] = Some(rows);
                rows
            }
        };
        let [x, y, z] = vector.map(f64::from);
        Ok(rows.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3]))
    }
}

/// The inverse by cofactors; `None` if [`Matrix::inverse`] has none.
fn inverse(matrix: &Matrix) -> Option<[[f64; 4]; 3]> {
    matrix.inverse()?;
    let m = matrix.rows.map(|row| row.map(f64::from));
    let cofactor = |r: usize, c: usize| {
        let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
        m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
    };
    let determinant: f64 = (0..3).map(|c| m[0][c] * cofactor(0, c)).sum();
    let rows = [0, 1, 2].map(|i| {
        let [a, b, c] = [0, 1, 2].map(|j| cofactor(j, i) / determinant);
        [a, b, c, -(a * m[0][3] + b * m[1][3] + c * m[2][3])]
    });
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_transforms_a_point_back() {
        let matrix = Matrix { rows: [[0.5, 2.0, -1.0, 3.0], [0.0, 1.5, 0.25, -2.0], [1.0, 0.0, 2.0, 0.125]] };
        let rows = inverse(&matrix).expect("an inverse");
        let there = matrix.rows.map(|r| r.map(f64::from)).map(|r| r[0] + 2.0 * r[1] - 3.0 * r[2] + r[3]);
        let back = rows.map(|r| r[0] * there[0] + r[1] * there[1] + r[2] * there[2] + r[3]);
        for (found, expected) in back.iter().zip([1.0, 2.0, -3.0]) {
            assert!((found - expected).abs() < 1e-14, "{back:?}");
        }
        assert_eq!(inverse(&Matrix::ZERO), None);
    }
}
