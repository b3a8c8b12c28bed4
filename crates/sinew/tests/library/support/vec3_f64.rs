//! Vectors of three `f64`, for oracles.

pub(crate) type Vec3 = [f64; 3];

pub(crate) fn to_f64(a: [f32; 3]) -> Vec3 {
    a.map(f64::from)
}

pub(crate) fn add(a: Vec3, b: Vec3) -> Vec3 {
    [0, 1, 2].map(|i| a[i] + b[i])
}

/// `a` plus a multiple of `b`.
pub(crate) fn add_scaled(a: Vec3, b: Vec3, factor: f64) -> Vec3 {
    [0, 1, 2].map(|i| a[i] + factor * b[i])
}

pub(crate) fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [0, 1, 2].map(|i| a[i] - b[i])
}

pub(crate) fn scale(a: Vec3, by: f64) -> Vec3 {
    a.map(|x| x * by)
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

pub(crate) fn normalize(a: Vec3) -> Vec3 {
    let length = length(a);
    a.map(|x| x / length)
}
