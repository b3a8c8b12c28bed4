//! Rotations from files: kept as stored where rounding explains their length, else brought to length one.

/// How long a rotation was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// As far as numbers in eight bits can tell; it stays as it is.
    One,
    /// Another; it was brought to one.
    Other,
    /// So short that it has no direction; it became the identity.
    Zero,
    /// With numbers that are not finite; it became the identity.
    NotFinite,
}

/// What rounding four numbers to eight bits makes of length one, and a little more: at most 1/127, where each is a half,
/// as in a third of a turn about a diagonal.
const TOLERANCE: f64 = 0.0079;

/// Below this a rotation has no direction.
const ZERO: f64 = 1e-8;

/// Brings a rotation to length one, unless it is that long but for rounding, and says what it had.
pub(super) fn unit(rotation: &mut [f32; 4]) -> Length {
    let squared: f64 = rotation.iter().map(|&component| f64::from(component) * f64::from(component)).sum();
    let length = squared.sqrt();
    if !length.is_finite() || length < ZERO {
        *rotation = [0.0, 0.0, 0.0, 1.0];
        return if length < ZERO { Length::Zero } else { Length::NotFinite };
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
    fn any_rotation_ends_at_length_one() {
        let cases = [
            ([0.0, 0.0, 0.0, 1.0], Length::One),
            ([0.0, 0.0, 0.0, 1e30], Length::Other),
            ([0.504; 4], Length::Other),
            ([0.0, 1e-7, 0.0, 0.0], Length::Other),
            ([0.0, 1e-9, 0.0, 0.0], Length::Zero),
            ([f32::NAN, 0.0, 0.0, 1.0], Length::NotFinite),
            ([0.0, f32::INFINITY, 0.0, 1.0], Length::NotFinite),
        ];
        for (mut rotation, length) in cases {
            assert_eq!(unit(&mut rotation), length);
            let squared: f32 = rotation.iter().map(|component| component * component).sum();
            assert!((squared - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn halves_in_eight_bits_stay_as_stored() {
        for stored in [63.0_f32, 64.0] {
            let mut rotation = [stored / 127.0; 4];
            assert_eq!(unit(&mut rotation), Length::One);
            assert_eq!(rotation, [stored / 127.0; 4]);
        }
    }
}
