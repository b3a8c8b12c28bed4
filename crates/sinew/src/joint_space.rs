//! Vectors in the spaces of joints, taken to model space at rest.
//!
//! A palette starts from model space at rest. A vector that is taken there once goes through the palette to where
//! its joint's model matrix would take it.

use sinew_kernels::Matrix;

use crate::{Error, Skin};

/// Model space from the space of each joint, at rest.
pub(crate) struct Rest<'a> {
    skin: &'a Skin,
    /// The inverses that were asked for, in `f64`.
    model_from_joint: Vec<Option<[[f64; 4]; 3]>>,
}

impl<'a> Rest<'a> {
    pub(crate) fn new(skin: &'a Skin) -> Self {
        Self { skin, model_from_joint: vec![None; skin.len()] }
    }

    /// Where the vector of a joint of the skin is at rest.
    pub(crate) fn of(&mut self, joint: u32, vector: [f32; 3]) -> Result<[f64; 3], Error> {
        let slot = joint as usize;
        let rows = match self.model_from_joint[slot] {
            Some(rows) => rows,
            None => {
                let singular = || Error::SingularBind { slot, joint: self.skin.joints()[slot] as usize };
                let rows = inverse(&self.skin.inverse_binds()[slot]).ok_or_else(singular)?;
                self.model_from_joint[slot] = Some(rows);
                rows
            }
        };
        let [x, y, z] = vector.map(f64::from);
        Ok(rows.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3]))
    }
}

/// The inverse by cofactors. `None` where [`Matrix::inverse`] has none.
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
    fn the_inverse_takes_a_point_back() {
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
