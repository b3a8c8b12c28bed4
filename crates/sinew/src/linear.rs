//! Linear maps of vectors, in `f64`: what is between two spaces of a skeleton but for the translation.

use sinew_kernels::Matrix;

use crate::vector::{Vector, add, cross, dot, scale};

/// Where the axes go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linear {
    pub(crate) columns: [Vector; 3],
}

impl Linear {
    pub(crate) const IDENTITY: Self = Self { columns: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] };

    /// A matrix without its translation.
    pub(crate) fn of(matrix: &Matrix) -> Self {
        Self { columns: [0, 1, 2].map(|c| matrix.rows.map(|row| f64::from(row[c]))) }
    }

    pub(crate) fn apply(&self, v: Vector) -> Vector {
        let [x, y, z] = self.columns;
        add(add(scale(x, v[0]), scale(y, v[1])), scale(z, v[2]))
    }

    /// `None` where there is none, by the same measure as [`Matrix::inverse`].
    pub(crate) fn inverse(&self) -> Option<Self> {
        let [x, y, z] = self.columns;
        let (yz, zx, xy) = (cross(y, z), cross(z, x), cross(x, y));
        let determinant = dot(x, yz);
        let room = (dot(x, x) * dot(y, y) * dot(z, z)).sqrt();
        // Written so that a NaN is refused.
        let exists = determinant.abs() > 1e-6 * room && room.is_finite();
        // Cross products of the columns are the rows of the inverse, but for the determinant.
        exists
            .then(|| Self { columns: [0, 1, 2].map(|c| [yz[c], zx[c], xy[c]].map(|row| row / determinant)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_leads_back() {
        let there = Linear { columns: [[1.0, 2.0, 3.0], [0.0, -1.0, 4.0], [5.0, 6.0, 0.5]] };
        let back = there.inverse().unwrap().apply(there.apply([1.0, 2.0, 3.0]));
        assert!(back.iter().zip([1.0, 2.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-12), "{back:?}");
    }

    #[test]
    fn what_is_flat_or_not_a_number_has_no_inverse() {
        let [x, y, z] = Linear::IDENTITY.columns;
        assert!(Linear { columns: [x, y, x] }.inverse().is_none());
        assert!(Linear { columns: [x, [0.0; 3], z] }.inverse().is_none());
        assert!(Linear { columns: [x, y, [0.0, 0.0, f64::NAN]] }.inverse().is_none());
    }
}
