//! Decomposes a node's matrix, in `f64`, into translation, rotation, scale and a residual.

use sinew::Transform;

use crate::math::Vector;
use crate::math::vector::{cross, dot, scale};

/// The decomposition of a matrix.
pub(super) struct Decomposed {
    pub(super) transform: Transform,
    /// The distance between the matrix and the transform, relative to the size of the matrix:
    /// shear, which a joint cannot have.
    pub(super) residual: f64,
}

/// Decomposes a column-major matrix of finite numbers; its last row is ignored.
///
/// A mirrored matrix gets a negative x scale. If a column is zero, or in the plane of the others,
/// its axis is made from the other columns, and its scale is the column's length along that axis.
pub(super) fn decompose(matrix: &[f32; 16]) -> Decomposed {
    let column = |column: usize| [0, 1, 2].map(|row| f64::from(matrix[column * 4 + row]));
    let mut columns = [column(0), column(1), column(2)];
    let mirrored = dot(columns[0], cross(columns[1], columns[2])) < 0.0;
    if mirrored {
        columns[0] = scale(columns[0], -1.0);
    }
    let axes = orthogonal_axes(columns);
    let mut scales = [0, 1, 2].map(|axis| dot(axes[axis], columns[axis]));
    let residual = residual(columns, axes, scales);
    if mirrored {
        scales[0] = -scales[0];
    }
    let transform = Transform {
        rotation: quaternion(axes).map(|component| component as f32),
        translation: column(3).map(|component| component as f32),
        scale: scales.map(|scale| scale as f32),
    };
    Decomposed { transform, residual }
}

/// The determinant of unit columns below which they are coplanar.
const COPLANAR: f64 = 1e-6;

/// The rotation nearest to the normalized columns.
fn orthogonal_axes(columns: [Vector; 3]) -> [Vector; 3] {
    let longest = columns.iter().map(|&column| length(column)).fold(0.0, f64::max);
    // The rounding errors of the longest column exceed shorter columns.
    let unit = |column| unit(column).filter(|_| length(column) > longest * 1e-12);
    let units = columns.map(unit);
    if let [Some(x), Some(y), Some(z)] = units
        && dot(x, cross(y, z)) > COPLANAR
    {
        return nearest_rotation([x, y, z]);
    }
    complete_axes(units)
}

/// Repeated averaging with the inverse transpose converges quadratically to the rotation.
fn nearest_rotation(mut axes: [Vector; 3]) -> [Vector; 3] {
    for _ in 0..64 {
        let [x, y, z] = axes;
        let cofactors = [cross(y, z), cross(z, x), cross(x, y)];
        let determinant = dot(x, cofactors[0]);
        let mut change = 0.0_f64;
        for (axis, cofactor) in axes.iter_mut().zip(cofactors) {
            let next = [0, 1, 2].map(|i| 0.5 * (axis[i] + cofactor[i] / determinant));
            change = change.max(length([0, 1, 2].map(|i| next[i] - axis[i])));
            *axis = next;
        }
        if change < 1e-15 {
            break;
        }
    }
    axes
}

/// Completes the directions of the non-zero columns to three orthogonal axes.
fn complete_axes(units: [Option<Vector>; 3]) -> [Vector; 3] {
    let standard = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let Some(first) = units.iter().position(Option::is_some) else { return standard };
    let x = units[first].unwrap_or(standard[0]);
    let perpendicular = |v: Vector| {
        unit([0, 1, 2].map(|i| v[i] - dot(x, v) * x[i])).filter(|_| length(cross(x, v)) > COPLANAR)
    };
    let (second, third) = ((first + 1) % 3, (first + 2) % 3);
    let mut axes = standard;
    axes[first] = x;
    if let Some(y) = units[second].and_then(perpendicular) {
        axes[second] = y;
        axes[third] = cross(x, y);
    } else {
        // The third column, or else the standard axis that is most perpendicular to the first.
        let least = (0..3).min_by(|&a, &b| x[a].abs().total_cmp(&x[b].abs())).unwrap_or(0);
        let z = units[third].and_then(perpendicular).or_else(|| perpendicular(standard[least]));
        axes[third] = z.unwrap_or(standard[third]);
        axes[second] = cross(axes[third], x);
    }
    axes
}

fn residual(columns: [Vector; 3], axes: [Vector; 3], scales: Vector) -> f64 {
    let mut difference = 0.0;
    let mut size = 0.0;
    for ((column, axis), scale) in columns.into_iter().zip(axes).zip(scales) {
        for i in 0..3 {
            let delta = column[i] - axis[i] * scale;
            difference += delta * delta;
            size += column[i] * column[i];
        }
    }
    if size > 0.0 { (difference / size).sqrt() } else { 0.0 }
}

/// The quaternion of a rotation, computed from its largest component to avoid division by zero.
fn quaternion([x, y, z]: [Vector; 3]) -> [f64; 4] {
    let squares = [
        1.0 + x[0] - y[1] - z[2],
        1.0 - x[0] + y[1] - z[2],
        1.0 - x[0] - y[1] + z[2],
        1.0 + x[0] + y[1] + z[2],
    ];
    let largest = (0..4).max_by(|&a, &b| squares[a].total_cmp(&squares[b])).unwrap_or(3);
    let [a, b, c] = [y[2] - z[1], z[0] - x[2], x[1] - y[0]];
    let [d, e, f] = [x[1] + y[0], y[2] + z[1], z[0] + x[2]];
    let parts = match largest {
        0 => [squares[0], d, f, a],
        1 => [d, squares[1], e, b],
        2 => [f, e, squares[2], c],
        _ => [a, b, c, squares[3]],
    };
    let length = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
    parts.map(|part| part / length)
}

fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

fn unit(a: Vector) -> Option<Vector> {
    let length = length(a);
    (length > 0.0).then(|| scale(a, 1.0 / length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_testkit::random::Random;
    use sinew_testkit::rigs;

    /// The matrix of a transform, rounded once.
    fn matrix(transform: &Transform) -> [f32; 16] {
        let [x, y, z, w] = transform.rotation.map(f64::from);
        let axes = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
            [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
            [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let mut matrix = [0.0; 16];
        for column in 0..3 {
            for row in 0..3 {
                matrix[column * 4 + row] = (axes[column][row] * f64::from(transform.scale[column])) as f32;
            }
            matrix[12 + column] = transform.translation[column];
        }
        matrix[15] = 1.0;
        matrix
    }

    fn random_transform(random: &mut Random, scale: impl Fn(&mut Random) -> f32) -> Transform {
        Transform {
            rotation: rigs::rotation(random),
            translation: [0; 3].map(|_| random.between(-10.0, 10.0)),
            scale: [0; 3].map(|_| scale(random)),
        }
    }

    #[track_caller]
    fn check(transform: &Transform) {
        let expected = matrix(transform);
        let Decomposed { transform: found, residual } = decompose(&expected);
        assert!(residual < 1e-6, "{transform:?} leaves {residual}");
        let size = transform.scale.iter().fold(1e-30_f32, |a, b| a.max(b.abs()));
        for (a, b) in matrix(&found).iter().zip(expected) {
            assert!((a - b).abs() <= 1e-6 * size.max(b.abs()), "{transform:?} became {found:?}");
        }
    }

    #[test]
    fn composed_transforms_decompose_to_themselves() {
        let mut random = Random::new(1);
        for _ in 0..1000 {
            check(&random_transform(&mut random, |random| random.between(0.01, 100.0)));
            check(&random_transform(&mut random, |random| random.between(-2.0, 2.0)));
        }
    }

    #[test]
    fn zero_scales_are_kept() {
        let mut random = Random::new(2);
        for zeros in 0..8 {
            let mut transform = random_transform(&mut random, |random| random.between(0.5, 2.0));
            for axis in (0..3).filter(|axis| zeros >> axis & 1 == 1) {
                transform.scale[axis] = 0.0;
            }
            check(&transform);
        }
    }

    #[test]
    fn shear_is_measured_and_singular_matrices_give_finite_transforms() {
        let sheared = [1.0, 0.0, 0.0, 0.0, 0.7, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        assert!(decompose(&sheared).residual > 0.1);
        let mut random = Random::new(3);
        for _ in 0..1000 {
            let mut flat = [0.0; 16];
            let kinds = [0; 3].map(|_| random.below(4));
            for column in 0..3 {
                flat[column * 4 + kinds[column].min(2)] = if kinds[column] == 3 { 0.0 } else { 3.0 };
            }
            let Transform { rotation, scale, .. } = decompose(&flat).transform;
            let squared: f32 = rotation.iter().map(|component| component * component).sum();
            assert!((squared - 1.0).abs() < 1e-5 && scale.iter().all(|scale| scale.is_finite()));
        }
    }
}
