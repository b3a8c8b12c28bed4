//! Numbers that every reader takes.

/// A colour within 0 and 1; zero for what is no number.
pub(crate) fn within_unit(colour: [f32; 4]) -> [f32; 4] {
    colour.map(|part| if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) })
}

/// Texture coordinates that are finite; zero for what is not.
pub(crate) fn finite(coordinates: [f32; 2]) -> [f32; 2] {
    coordinates.map(|part| if part.is_finite() { part } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_not_finite_gets_through() {
        let colour = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.5];
        assert_eq!(within_unit(colour), [0.0, 1.0, 0.0, 0.5]);
        assert_eq!(finite([f32::NAN, f32::NEG_INFINITY]), [0.0; 2]);
        assert_eq!(finite([-3.0, f32::MAX]), [-3.0, f32::MAX]);
    }
}
