//! Replaces numbers that file formats do not allow.

/// Clamps color components to 0..1; NaN becomes zero.
pub(crate) fn clamp_color(color: [f32; 4]) -> [f32; 4] {
    color.map(|part| if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) })
}

/// Replaces texture coordinates that are not finite by zero.
pub(crate) fn finite_or_zero(coordinates: [f32; 2]) -> [f32; 2] {
    coordinates.map(|part| if part.is_finite() { part } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_finite_numbers_are_replaced() {
        let color = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.5];
        assert_eq!(clamp_color(color), [0.0, 1.0, 0.0, 0.5]);
        assert_eq!(finite_or_zero([f32::NAN, f32::NEG_INFINITY]), [0.0; 2]);
        assert_eq!(finite_or_zero([-3.0, f32::MAX]), [-3.0, f32::MAX]);
    }
}
