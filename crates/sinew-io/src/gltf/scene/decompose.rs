//! A node's matrix taken apart, in `f64`: translation, rotation, scale, and what these cannot hold.

use sinew::Transform;

type Vector = [f64; 3];

/// What a matrix is made of.
pub(super) struct Decomposed {
    pub(super) transform: Transform,
    /// How far the parts are from the matrix, as a share of its size: shear, which a joint does not have.
    pub(super) left_out: f64,
}

/// Takes apart a matrix of finite numbers, column after column; its last row is not looked at.
///
/// A mirrored matrix gets a negative scale along x. Where a column is zero, or lies in the plane of the others, its axis
/// is made from theirs, and its scale is what of it lies along that axis.
pub(super) fn decompose(matrix: &[f32; 16]) -> Decomposed {
    let column = |column: usize| [0, 1, 2].map(|row| f64::from(matrix[column * 4 + row]));
    let mut columns = [column(0), column(1), column(2)];
    let mirrored = dot(columns[0], cross(columns[1], columns[2])) < 0.0;
    if mirrored {
        columns[0] = scaled(columns[0], -1.0);
    }
    let axes = axes_of(columns);
    let mut scales = [0, 1, 2].map(|axis| dot(axes[axis], columns[axis]));
    let left_out = left_out(columns, axes, scales);
    if mirrored {
        scales[0] = -scales[0];
    }
    let transform = Transform {
        rotation: quaternion(axes).map(|component| component as f32),
        translation: column(3).map(|component| component as f32),
        scale: scales.map(|scale| scale as f32),
    };
    Decomposed { transform, left_out }
}

/// The determinant of unit columns below which they lie in a plane.
const FLAT: f64 = 1e-6;

/// The rotation nearest to the columns, each taken at length one.
fn axes_of(columns: [Vector; 3]) -> [Vector; 3] {
    let longest = columns.iter().map(|&column| length(column)).fold(0.0, f64::max);
    // What is shorter by this much has no direction that the others' rounding leaves.
    let unit = |column| unit(column).filter(|_| length(column) > longest * 1e-12);
    let units = columns.map(unit);
    if let [Some(x), Some(y), Some(z)] = units
        && dot(x, cross(y, z)) > FLAT
    {
        return nearest_rotation([x, y, z]);
    }
    completed(units)
}

/// Averaging with the inverse transpose converges to the rotation, fast.
fn nearest_rotation(mut axes: [Vector; 3]) -> [Vector; 3] {
    for _ in 0..64 {
        let [x, y, z] = axes;
        let cofactors = [cross(y, z), cross(z, x), cross(x, y)];
        let determinant = dot(x, cofactors[0]);
        let mut moved = 0.0_f64;
        for (axis, cofactor) in axes.iter_mut().zip(cofactors) {
            let next = [0, 1, 2].map(|i| 0.5 * (axis[i] + cofactor[i] / determinant));
            moved = moved.max(length([0, 1, 2].map(|i| next[i] - axis[i])));
            *axis = next;
        }
        if moved < 1e-15 {
            break;
        }
    }
    axes
}

/// Three axes at right angles from those of the columns that are there.
fn completed(units: [Option<Vector>; 3]) -> [Vector; 3] {
    let standard = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let Some(first) = units.iter().position(Option::is_some) else { return standard };
    let x = units[first].unwrap_or(standard[0]);
    let upright =
        |v: Vector| unit([0, 1, 2].map(|i| v[i] - dot(x, v) * x[i])).filter(|_| length(cross(x, v)) > FLAT);
    let (second, third) = ((first + 1) % 3, (first + 2) % 3);
    let mut axes = standard;
    axes[first] = x;
    if let Some(y) = units[second].and_then(upright) {
        axes[second] = y;
        axes[third] = cross(x, y);
    } else {
        // The third column, or else the standard axis that is least along the first.
        let least = (0..3).min_by(|&a, &b| x[a].abs().total_cmp(&x[b].abs())).unwrap_or(0);
        let z = units[third].and_then(upright).or_else(|| upright(standard[least]));
        axes[third] = z.unwrap_or(standard[third]);
        axes[second] = cross(axes[third], x);
    }
    axes
}

fn left_out(columns: [Vector; 3], axes: [Vector; 3], scales: Vector) -> f64 {
    let mut difference = 0.0;
    let mut size = 0.0;
    for ((column, axis), scale) in columns.into_iter().zip(axes).zip(scales) {
        for i in 0..3 {
            let apart = column[i] - axis[i] * scale;
            difference += apart * apart;
            size += column[i] * column[i];
        }
    }
    if size > 0.0 { (difference / size).sqrt() } else { 0.0 }
}

/// Of axes that are a rotation: from the largest of its components, so that none is divided by zero.
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

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn scaled(a: Vector, factor: f64) -> Vector {
    a.map(|component| component * factor)
}

fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

fn unit(a: Vector) -> Option<Vector> {
    let length = length(a);
    (length > 0.0).then(|| scaled(a, 1.0 / length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_testkit::random::Random;
    use sinew_testkit::rigs;

    /// The matrix of a transform, in `f64` up to the end.
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
        let wanted = matrix(transform);
        let Decomposed { transform: found, left_out } = decompose(&wanted);
        assert!(left_out < 1e-6, "{transform:?} leaves {left_out}");
        let size = transform.scale.iter().fold(1e-30_f32, |a, b| a.max(b.abs()));
        for (a, b) in matrix(&found).iter().zip(wanted) {
            assert!((a - b).abs() <= 1e-6 * size.max(b.abs()), "{transform:?} became {found:?}");
        }
    }

    #[test]
    fn what_was_put_together_comes_apart() {
        let mut random = Random::new(1);
        for _ in 0..1000 {
            check(&random_transform(&mut random, |random| random.between(0.01, 100.0)));
            check(&random_transform(&mut random, |random| random.between(-2.0, 2.0)));
        }
    }

    #[test]
    fn scales_of_zero_are_kept() {
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
    fn shear_is_measured_and_nothing_is_broken_by_flat_matrices() {
        let sheared = [1.0, 0.0, 0.0, 0.0, 0.7, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        assert!(decompose(&sheared).left_out > 0.1);
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
