//! Rotations as quaternions (x, y, z, w), in `f64` so that one rounding remains. Only + - x / and square root: the
//! same bits on every machine.

use crate::vector::{Vector, add, any_beside, cross, dot, scale};

pub(crate) type Quaternion = [f64; 4];

pub(crate) const IDENTITY: Quaternion = [0.0, 0.0, 0.0, 1.0];

/// At length one; that of no length becomes the identity.
pub(crate) fn wide(q: [f32; 4]) -> Quaternion {
    unit(q.map(f64::from))
}

pub(crate) fn narrow(q: Quaternion) -> [f32; 4] {
    q.map(|element| element as f32)
}

/// First `b`, then `a`.
pub(crate) fn multiply(a: Quaternion, b: Quaternion) -> Quaternion {
    let (u, v) = ([a[0], a[1], a[2]], [b[0], b[1], b[2]]);
    let [x, y, z] = add(add(scale(v, a[3]), scale(u, b[3])), cross(u, v));
    [x, y, z, a[3] * b[3] - dot(u, v)]
}

/// The way back.
pub(crate) fn conjugate([x, y, z, w]: Quaternion) -> Quaternion {
    [-x, -y, -z, w]
}

pub(crate) fn rotate(q: Quaternion, v: Vector) -> Vector {
    let u = [q[0], q[1], q[2]];
    let twice = scale(cross(u, v), 2.0);
    add(add(v, scale(twice, q[3])), cross(u, twice))
}

/// At length one; that of no length, or with a number that is not finite, becomes the identity.
pub(crate) fn unit(q: Quaternion) -> Quaternion {
    let length = q.iter().map(|element| element * element).sum::<f64>().sqrt();
    if length > f64::MIN_POSITIVE && length.is_finite() {
        q.map(|element| element / length)
    } else {
        IDENTITY
    }
}

/// Between two, along the chord the short way; not at length one.
pub(crate) fn lerp(from: Quaternion, to: Quaternion, factor: f64) -> Quaternion {
    let along: f64 = from.iter().zip(to).map(|(a, b)| a * b).sum();
    let turned = if along < 0.0 { -factor } else { factor };
    [0, 1, 2, 3].map(|i| (1.0 - factor) * from[i] + turned * to[i])
}

/// The same at length one.
pub(crate) fn nlerp(from: Quaternion, to: Quaternion, factor: f64) -> Quaternion {
    unit(lerp(from, to, factor))
}

/// The turn about an axis of length one by the angle that has this cosine and sine.
pub(crate) fn turn(axis: Vector, cosine: f64, sine: f64) -> Quaternion {
    // Twice the cosine of half the angle times either its cosine or its sine: the one that is not small.
    let (part, w) = if cosine >= 0.0 { (sine, 1.0 + cosine) } else { (1.0 - cosine, sine) };
    let [x, y, z] = scale(axis, part);
    unit([x, y, z, w])
}

/// The shortest turn from one direction to another, both of length one; half a turn is about any axis beside them.
pub(crate) fn between(from: Vector, to: Vector) -> Quaternion {
    let cosine = dot(from, to);
    let [x, y, z] = cross(from, to);
    if cosine > -1.0 + 1e-12 {
        return unit([x, y, z, 1.0 + cosine]);
    }
    let [x, y, z] = any_beside(from);
    [x, y, z, 0.0]
}

/// The part of a turn that is about an axis of length one; the identity where there is no telling.
pub(crate) fn twist(q: Quaternion, axis: Vector) -> Quaternion {
    let [x, y, z] = scale(axis, dot([q[0], q[1], q[2]], axis));
    unit([x, y, z, q[3]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::{length, sub};

    #[test]
    fn a_turn_turns_by_its_angle() {
        for (cosine, sine) in [(1.0, 0.0), (0.6, 0.8), (0.0, 1.0), (-0.6, -0.8), (-1.0, 0.0), (0.28, -0.96)] {
            let turned = rotate(turn([0.0, 0.0, 1.0], cosine, sine), [1.0, 0.0, 0.0]);
            assert!(length(sub(turned, [cosine, sine, 0.0])) < 1e-15, "{turned:?}");
        }
    }

    #[test]
    fn a_turn_between_directions_takes_one_to_the_other() {
        let directions = [[1.0, 0.0, 0.0], [0.0, 0.6, 0.8], [-1.0, 0.0, 0.0], [0.0, -0.6, -0.8]];
        for from in directions {
            for to in directions {
                assert!(length(sub(rotate(between(from, to), from), to)) < 1e-15);
            }
        }
    }

    #[test]
    fn a_product_turns_by_one_after_the_other() {
        let (a, b) = (unit([0.1, 0.2, 0.3, 0.4]), unit([-0.5, 0.1, 0.7, 0.2]));
        let (once, twice) = (rotate(multiply(a, b), [1.0, 2.0, 3.0]), rotate(a, rotate(b, [1.0, 2.0, 3.0])));
        assert!(length(sub(once, twice)) < 1e-14);
        assert!(length(sub(rotate(conjugate(b), rotate(b, [1.0, 2.0, 3.0])), [1.0, 2.0, 3.0])) < 1e-14);
    }

    #[test]
    fn the_twist_of_a_turn_about_its_axis_is_all_of_it() {
        let q = turn([0.0, 0.6, 0.8], 0.28, 0.96);
        assert!(twist(q, [0.0, 0.6, 0.8]).iter().zip(q).all(|(a, b)| (a - b).abs() < 1e-15));
        assert_eq!(twist([1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0]), IDENTITY);
    }
}
