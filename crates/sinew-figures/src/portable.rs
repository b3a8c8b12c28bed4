//! The little maths that the scenes need, from exactly rounded operations alone: the same bits on every
//! target.

pub(crate) type Vector = [f64; 3];

pub(crate) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scale(a: Vector, factor: f64) -> Vector {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

/// `a + b * factor`.
pub(crate) fn along(a: Vector, b: Vector, factor: f64) -> Vector {
    add(a, scale(b, factor))
}

pub(crate) fn mix(a: Vector, b: Vector, factor: f64) -> Vector {
    along(scale(a, 1.0 - factor), b, factor)
}

pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// At length one; zero stays zero.
pub(crate) fn unit(a: Vector) -> Vector {
    let length = length(a);
    if length > 0.0 { scale(a, 1.0 / length) } else { a }
}

pub(crate) fn narrow(a: Vector) -> [f32; 3] {
    a.map(|element| element as f32)
}

/// The lesser of two; unlike `f64::min` it has only one answer for zeros of both signs.
pub(crate) fn least(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The greater of two, as [`least`].
pub(crate) fn greatest(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// From 0 at -1 to 1 at 1, flat at both ends and beyond.
pub(crate) fn smooth_step(x: f64) -> f64 {
    let t = 0.5 + 0.5 * greatest(-1.0, least(1.0, x));
    t * t * (3.0 - 2.0 * t)
}

/// Sine and cosine of an angle in turns, to some 1e-15: the same bits on every target. Not a number where the angle is not
/// finite.
#[must_use]
pub fn sine_cosine(turns: f64) -> (f64, f64) {
    let quarters = (4.0 * turns + 0.5).floor();
    let x = (turns - 0.25 * quarters) * std::f64::consts::TAU;
    let (sine, cosine) = eighth_turn(x);
    // Whole numbers of this size are exact, so the remainder is one of 0, 1, 2, 3.
    match (quarters - 4.0 * (0.25 * quarters).floor()) as u8 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// The series of sine and cosine, for at most an eighth of a turn to either side.
fn eighth_turn(x: f64) -> (f64, f64) {
    let square = x * x;
    let (mut sine, mut cosine) = (0.0, 0.0);
    for n in (0..9).rev() {
        let n = f64::from(n);
        cosine = 1.0 - cosine * square / ((2.0 * n + 1.0) * (2.0 * n + 2.0));
        sine = 1.0 - sine * square / ((2.0 * n + 2.0) * (2.0 * n + 3.0));
    }
    (x * sine, cosine)
}

pub(crate) fn sine(turns: f64) -> f64 {
    sine_cosine(turns).0
}

pub(crate) fn cosine(turns: f64) -> f64 {
    sine_cosine(turns).1
}

/// A rotation (x, y, z, w).
pub(crate) type Quaternion = [f64; 4];

pub(crate) const NO_TURN: Quaternion = [0.0, 0.0, 0.0, 1.0];

/// By an angle in degrees about a unit axis.
pub(crate) fn turn(axis: Vector, degrees: f64) -> Quaternion {
    let (sine, cosine) = sine_cosine(degrees / 720.0);
    let [x, y, z] = scale(axis, sine);
    [x, y, z, cosine]
}

pub(crate) fn turn_x(degrees: f64) -> Quaternion {
    turn([1.0, 0.0, 0.0], degrees)
}

pub(crate) fn turn_y(degrees: f64) -> Quaternion {
    turn([0.0, 1.0, 0.0], degrees)
}

pub(crate) fn turn_z(degrees: f64) -> Quaternion {
    turn([0.0, 0.0, 1.0], degrees)
}

/// First `b`, then `a`.
pub(crate) fn then(a: Quaternion, b: Quaternion) -> Quaternion {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

pub(crate) fn inverse([x, y, z, w]: Quaternion) -> Quaternion {
    [-x, -y, -z, w]
}

pub(crate) fn rotate(q: Quaternion, v: Vector) -> Vector {
    let axis = [q[0], q[1], q[2]];
    let t = scale(cross(axis, v), 2.0);
    add(along(v, t, q[3]), cross(axis, t))
}

/// The shortest turn from one unit vector to another; they must not be opposite.
pub(crate) fn between(from: Vector, to: Vector) -> Quaternion {
    let [x, y, z] = cross(from, to);
    let w = 1.0 + dot(from, to);
    let length = (x * x + y * y + z * z + w * w).sqrt();
    [x, y, z, w].map(|element| element / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_and_cosine_are_the_platforms_to_rounding() {
        for i in -5000..5000 {
            let turns = f64::from(i) * 0.001_237;
            let (sine, cosine) = sine_cosine(turns);
            let radians = turns * std::f64::consts::TAU;
            assert!((sine - radians.sin()).abs() < 1e-14, "{turns}");
            assert!((cosine - radians.cos()).abs() < 1e-14, "{turns}");
        }
    }

    #[test]
    fn the_shortest_turn_arrives() {
        let (from, to) = (unit([1.0, 2.0, -0.5]), unit([-0.3, 0.4, 2.0]));
        let there = rotate(between(from, to), from);
        assert!(length(sub(there, to)) < 1e-14);
        let back = rotate(then(between(to, from), between(from, to)), from);
        assert!(length(sub(back, from)) < 1e-14);
    }
}
