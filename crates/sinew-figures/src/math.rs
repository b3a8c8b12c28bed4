//! Deterministic math: vectors, quaternions, sine and cosine from exactly rounded operations alone,
//! so every target gets the same bits.

/// A vector of three elements.
pub(crate) type Vec3 = [f64; 3];

pub(crate) fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scale(a: Vec3, factor: f64) -> Vec3 {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

/// `a + b * factor`.
pub(crate) fn add_scaled(a: Vec3, b: Vec3, factor: f64) -> Vec3 {
    add(a, scale(b, factor))
}

pub(crate) fn lerp(a: Vec3, b: Vec3, factor: f64) -> Vec3 {
    add_scaled(scale(a, 1.0 - factor), b, factor)
}

pub(crate) fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn length(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// Scales a vector to length one; zero stays zero.
pub(crate) fn normalize(a: Vec3) -> Vec3 {
    let length = length(a);
    if length > 0.0 { scale(a, 1.0 / length) } else { a }
}

pub(crate) fn to_f32(a: Vec3) -> [f32; 3] {
    a.map(|element| element as f32)
}

/// The smaller number. Unlike `f64::min` it is deterministic for zeros of different sign.
pub(crate) fn min(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The larger number, deterministic like [`min`].
pub(crate) fn max(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// A smooth step from 0 at -1 to 1 at 1; constant beyond, with zero slope at both ends.
pub(crate) fn smooth_step(x: f64) -> f64 {
    let t = 0.5 + 0.5 * max(-1.0, min(1.0, x));
    t * t * (3.0 - 2.0 * t)
}

/// Sine and cosine of an angle in turns (1 is a full rotation), accurate to about 1e-15 and with
/// the same bits on every target. NaN for a non-finite angle.
#[must_use]
pub fn sin_cos_turns(turns: f64) -> (f64, f64) {
    let quarters = (4.0 * turns + 0.5).floor();
    let x = (turns - 0.25 * quarters) * std::f64::consts::TAU;
    let (sine, cosine) = sin_cos_series(x);
    // `quarters` is an exact integer, so the remainder is one of 0, 1, 2, 3.
    match (quarters - 4.0 * (0.25 * quarters).floor()) as u8 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// The Taylor series of sine and cosine, for angles of at most an eighth of a turn in magnitude.
fn sin_cos_series(x: f64) -> (f64, f64) {
    let square = x * x;
    let (mut sine, mut cosine) = (0.0, 0.0);
    for n in (0..9).rev() {
        let n = f64::from(n);
        cosine = 1.0 - cosine * square / ((2.0 * n + 1.0) * (2.0 * n + 2.0));
        sine = 1.0 - sine * square / ((2.0 * n + 2.0) * (2.0 * n + 3.0));
    }
    (x * sine, cosine)
}

pub(crate) fn sin_turns(turns: f64) -> f64 {
    sin_cos_turns(turns).0
}

pub(crate) fn cos_turns(turns: f64) -> f64 {
    sin_cos_turns(turns).1
}

/// A unit quaternion (x, y, z, w).
pub(crate) type Quaternion = [f64; 4];

pub(crate) const IDENTITY: Quaternion = [0.0, 0.0, 0.0, 1.0];

/// A rotation about a unit axis, in degrees.
pub(crate) fn rotation(axis: Vec3, degrees: f64) -> Quaternion {
    let (sine, cosine) = sin_cos_turns(degrees / 720.0);
    let [x, y, z] = scale(axis, sine);
    [x, y, z, cosine]
}

pub(crate) fn rotation_x(degrees: f64) -> Quaternion {
    rotation([1.0, 0.0, 0.0], degrees)
}

pub(crate) fn rotation_y(degrees: f64) -> Quaternion {
    rotation([0.0, 1.0, 0.0], degrees)
}

pub(crate) fn rotation_z(degrees: f64) -> Quaternion {
    rotation([0.0, 0.0, 1.0], degrees)
}

/// The quaternion product: rotates by `b` first, then by `a`.
pub(crate) fn mul(a: Quaternion, b: Quaternion) -> Quaternion {
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

pub(crate) fn rotate(q: Quaternion, v: Vec3) -> Vec3 {
    let axis = [q[0], q[1], q[2]];
    let t = scale(cross(axis, v), 2.0);
    add(add_scaled(v, t, q[3]), cross(axis, t))
}

/// The shortest rotation from one unit vector to another; they must not be opposite.
pub(crate) fn rotation_between(from: Vec3, to: Vec3) -> Quaternion {
    let [x, y, z] = cross(from, to);
    let w = 1.0 + dot(from, to);
    let length = (x * x + y * y + z * z + w * w).sqrt();
    [x, y, z, w].map(|element| element / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_and_cosine_match_the_platform() {
        for i in -5000..5000 {
            let turns = f64::from(i) * 0.001_237;
            let (sine, cosine) = sin_cos_turns(turns);
            let radians = turns * std::f64::consts::TAU;
            assert!((sine - radians.sin()).abs() < 1e-14, "{turns}");
            assert!((cosine - radians.cos()).abs() < 1e-14, "{turns}");
        }
    }

    #[test]
    fn the_shortest_rotation_reaches_its_target() {
        let (from, to) = (normalize([1.0, 2.0, -0.5]), normalize([-0.3, 0.4, 2.0]));
        let reached = rotate(rotation_between(from, to), from);
        assert!(length(sub(reached, to)) < 1e-14);
        let back = rotate(mul(rotation_between(to, from), rotation_between(from, to)), from);
        assert!(length(sub(back, from)) < 1e-14);
    }
}
