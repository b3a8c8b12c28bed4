//! Affine transforms of three rows and four columns.

use std::ops::Mul;

use crate::{Joint, Scale};

/// An affine transform: 3 rows x 4 columns, row-major, translation last in each row; 48 bytes,
/// 16-byte aligned. Transforms column vectors: `m * p`.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct Matrix {
    /// The rows; `rows[i][3]` is the translation along axis `i`.
    pub rows: [[f32; 4]; 3],
}

impl Matrix {
    /// The identity transform.
    pub const IDENTITY: Self =
        Self { rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] };

    /// All zeros: stands for a transform that does not exist.
    pub const ZERO: Self = Self { rows: [[0.0; 4]; 3] };

    /// The translation: the last column.
    #[must_use]
    pub const fn translation(&self) -> [f32; 3] {
        [self.rows[0][3], self.rows[1][3], self.rows[2][3]]
    }

    /// The transform as 4 x 4 floats, column-major, with 0, 0, 0, 1 as the last row.
    #[must_use]
    pub const fn to_4x4(&self) -> [f32; 16] {
        let [a, b, c] = self.rows;
        [
            a[0], b[0], c[0], 0.0, //
            a[1], b[1], c[1], 0.0, //
            a[2], b[2], c[2], 0.0, //
            a[3], b[3], c[3], 1.0,
        ]
    }

    /// The transform of 4 x 4 floats, column-major, as [`to_4x4`](Self::to_4x4) gives them. The
    /// last row is ignored.
    #[must_use]
    pub const fn from_4x4([a, b, c, _, d, e, f, _, g, h, i, _, j, k, l, _]: &[f32; 16]) -> Self {
        Self { rows: [[*a, *d, *g, *j], [*b, *e, *h, *k], [*c, *f, *i, *l]] }
    }

    /// A matrix from rotation, translation and scale. The kernel `joints_to_matrices` converts
    /// batches.
    #[must_use]
    pub fn from_joint(joint: &Joint, scale: Scale) -> Self {
        let [x, y, z, w] = joint.rotation.map(f64::from);
        let rotation = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let [sx, sy, sz] = scale.factors.map(f64::from);
        let mut rows = [[0.0; 4]; 3];
        for (row, (r, t)) in rows.iter_mut().zip(rotation.iter().zip(joint.translation)) {
            *row = [(r[0] * sx) as f32, (r[1] * sy) as f32, (r[2] * sz) as f32, t];
        }
        Self { rows }
    }

    /// The inverse. `None` if the matrix is singular or the inverse does not fit an `f32`.
    ///
    /// Columns that lie in a plane to within a millionth of their lengths count as singular: that
    /// is what rounding leaves of a zero scale further up a skeleton.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        let m = self.rows.map(|row| row.map(f64::from));
        let cofactor = |r: usize, c: usize| {
            let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
            m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
        };
        let determinant = m[0][0] * cofactor(0, 0) + m[0][1] * cofactor(0, 1) + m[0][2] * cofactor(0, 2);
        let length = |c: usize| (m[0][c] * m[0][c] + m[1][c] * m[1][c] + m[2][c] * m[2][c]).sqrt();
        let volume = length(0) * length(1) * length(2);
        // Written so that a NaN fails the test.
        if !(determinant.abs() > 1e-6 * volume && volume.is_finite()) {
            return None;
        }
        let mut rows = [[0.0_f32; 4]; 3];
        for (i, row) in rows.iter_mut().enumerate() {
            let [a, b, c] = [0, 1, 2].map(|j| cofactor(j, i) / determinant);
            let t = -(a * m[0][3] + b * m[1][3] + c * m[2][3]);
            *row = [a as f32, b as f32, c as f32, t as f32];
        }
        let inverse = Self { rows };
        inverse.is_finite().then_some(inverse)
    }

    /// Whether every element is a finite number.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.rows.as_flattened().iter().all(|element| element.is_finite())
    }

    /// Transforms a point.
    #[must_use]
    pub fn transform_point(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        self.rows.map(|r| r[0] * x + r[1] * y + r[2] * z + r[3])
    }

    /// Transforms a direction: without the translation.
    #[must_use]
    pub fn transform_vector(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        self.rows.map(|r| r[0] * x + r[1] * y + r[2] * z)
    }
}

impl Default for Matrix {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Mul for Matrix {
    type Output = Self;

    /// The product: applies `right` first, then `self`.
    fn mul(self, right: Self) -> Self {
        let b = right.rows;
        let rows = self.rows.map(|a| {
            let column = |c: usize| a[0] * b[0][c] + a[1] * b[1][c] + a[2] * b[2][c];
            [column(0), column(1), column(2), column(3) + a[3]]
        });
        Self { rows }
    }
}

#[cfg(feature = "mint")]
impl From<mint::RowMatrix3x4<f32>> for Matrix {
    fn from(matrix: mint::RowMatrix3x4<f32>) -> Self {
        Self { rows: matrix.into() }
    }
}

#[cfg(feature = "mint")]
impl From<Matrix> for mint::RowMatrix3x4<f32> {
    fn from(matrix: Matrix) -> Self {
        matrix.rows.into()
    }
}
