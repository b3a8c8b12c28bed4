//! Vectors of three `f32`.

pub(crate) fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|i| a[i] - b[i])
}

pub(crate) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn length(a: [f32; 3]) -> f32 {
    dot(a, a).sqrt()
}

pub(crate) fn normalize(a: [f32; 3]) -> [f32; 3] {
    a.map(|element| element / length(a))
}

/// The part of `a` perpendicular to an axis of length one.
pub(crate) fn reject_from(a: [f32; 3], axis: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|i| a[i] - axis[i] * dot(a, axis))
}
