//! Textbook vectors, quaternions and matrices of `f64`.

/// Three components.
pub type Vector = [f64; 3];

/// (x, y, z, w).
pub type Quaternion = [f64; 4];

/// An affine transform of three rows and four columns, translation last in each row.
pub type Affine = [[f64; 4]; 3];

/// The identity transform.
pub const IDENTITY: Affine = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// Converts a matrix to `f64`.
#[must_use]
pub fn widen(matrix: &crate::Matrix) -> Affine {
    matrix.rows.map(|row| row.map(f64::from))
}

/// The dot product.
#[must_use]
pub fn dot<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The cross product.
#[must_use]
pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The length.
#[must_use]
pub fn length<const N: usize>(v: [f64; N]) -> f64 {
    dot(v, v).sqrt()
}

/// The vector times a factor.
#[must_use]
pub fn scaled<const N: usize>(v: [f64; N], factor: f64) -> [f64; N] {
    v.map(|component| component * factor)
}

/// The sum of two vectors.
#[must_use]
pub fn sum<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
    std::array::from_fn(|i| a[i] + b[i])
}

/// The Hamilton product: applies `b` first, then `a`.
#[must_use]
pub fn quaternion_product([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion) -> Quaternion {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// Rotates a vector: `q v q*`, divided by the squared length of q.
#[must_use]
pub fn rotate(q: Quaternion, [x, y, z]: Vector) -> Vector {
    let conjugate = [-q[0], -q[1], -q[2], q[3]];
    let turned = quaternion_product(quaternion_product(q, [x, y, z, 0.0]), conjugate);
    scaled([turned[0], turned[1], turned[2]], 1.0 / dot(q, q))
}

/// The product: applies `b` first, then `a`. The fourth row of both is (0, 0, 0, 1).
#[must_use]
pub fn product(a: &Affine, b: &Affine) -> Affine {
    let mut result = [[0.0; 4]; 3];
    for r in 0..3 {
        for c in 0..4 {
            let fourth = if c == 3 { 1.0 } else { 0.0 };
            result[r][c] = a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c] + a[r][3] * fourth;
        }
    }
    result
}

/// The inverse by Gauss-Jordan elimination with pivoting; `None` if a pivot is zero.
#[must_use]
pub fn inverse(matrix: &Affine) -> Option<Affine> {
    // Three equations, M x + t = y: unknowns on the left, constants on the right.
    let mut left: [[f64; 3]; 3] = matrix.map(|row| [row[0], row[1], row[2]]);
    let mut right: Affine = std::array::from_fn(|r| {
        let mut row = IDENTITY[r];
        row[3] = -matrix[r][3];
        row
    });
    for column in 0..3 {
        let pivot = (column..3).max_by(|&a, &b| left[a][column].abs().total_cmp(&left[b][column].abs()))?;
        left.swap(column, pivot);
        right.swap(column, pivot);
        let divisor = left[column][column];
        if divisor == 0.0 {
            return None;
        }
        left[column] = scaled(left[column], 1.0 / divisor);
        right[column] = scaled(right[column], 1.0 / divisor);
        for row in (0..3).filter(|&row| row != column) {
            let factor = -left[row][column];
            left[row] = sum(left[row], scaled(left[column], factor));
            right[row] = sum(right[row], scaled(right[column], factor));
        }
    }
    Some(right)
}
