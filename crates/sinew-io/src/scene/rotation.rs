//! Normalizes rotations from files, unless rounding explains their length.

/// The length of a rotation before it was normalized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// One, up to rounding to 8 bits. The rotation is unchanged.
    One,
    /// Another length. The rotation was normalized.
    Other,
    /// Too short to have a direction. The rotation became the identity.
    Zero,
    /// Not finite. The rotation became the identity.
    NotFinite,
}

/// The largest deviation from length one by rounding four numbers to 8 bits is 1/127, for
/// components of one half: a third of a turn about a diagonal.
const TOLERANCE: f64 = 0.0079;

/// The length below which a rotation has no direction.
const MIN_LENGTH: f64 = 1e-8;

/// Whether the length of a rotation is one up to rounding, so that [`normalize`] would not change
/// it. May be false for lengths at the limit.
#[inline(always)]
pub(super) fn is_unit(rotation: &[f32; 4]) -> bool {
    let [x, y, z, w] = *rotation;
    let [x, y, z, w] = [f64::from(x), f64::from(y), f64::from(z), f64::from(w)];
    // The square of one and a small number is one and twice that, nearly.
    (x * x + y * y + z * z + w * w - 1.0).abs() < 1.98 * TOLERANCE
}

/// Normalizes a rotation, unless its length is one up to rounding. Returns what its length was.
pub(super) fn normalize(rotation: &mut [f32; 4]) -> Length {
    let squared: f64 = rotation.iter().map(|&component| f64::from(component) * f64::from(component)).sum();
    let length = squared.sqrt();
    if !length.is_finite() || length < MIN_LENGTH {
        *rotation = [0.0, 0.0, 0.0, 1.0];
        return if length < MIN_LENGTH { Length::Zero } else { Length::NotFinite };
    }
    if (length - 1.0).abs() <= TOLERANCE {
        return Length::One;
    }
    *rotation = rotation.map(|component| (f64::from(component) / length) as f32);
    Length::Other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalized_rotation_has_length_one() {
        let cases = [
            ([0.0, 0.0, 0.0, 1.0], Length::One),
            ([0.0, 0.0, 0.0, 1e30], Length::Other),
            ([0.504; 4], Length::Other),
            ([0.0, 1e-7, 0.0, 0.0], Length::Other),
            ([0.0, 1e-9, 0.0, 0.0], Length::Zero),
            ([f32::NAN, 0.0, 0.0, 1.0], Length::NotFinite),
            ([0.0, f32::INFINITY, 0.0, 1.0], Length::NotFinite),
        ];
        for (before, length) in cases {
            let mut rotation = before;
            assert_eq!(normalize(&mut rotation), length);
            assert_eq!(is_unit(&before), length == Length::One);
            let squared: f32 = rotation.iter().map(|component| component * component).sum();
            assert!((squared - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn rotations_rounded_to_8_bits_are_unchanged() {
        for stored in [63.0_f32, 64.0] {
            let mut rotation = [stored / 127.0; 4];
            assert_eq!(normalize(&mut rotation), Length::One);
            assert_eq!(rotation, [stored / 127.0; 4]);
        }
    }
}
