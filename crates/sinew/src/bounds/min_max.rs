//! Minimum and maximum that compile to one instruction each.

/// The smaller of two numbers; `b` if either is NaN. One instruction, unlike `f32::min`, which
/// handles NaN.
#[inline]
pub(crate) fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The larger of two numbers; `b` if either is NaN.
#[inline]
pub(crate) fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
