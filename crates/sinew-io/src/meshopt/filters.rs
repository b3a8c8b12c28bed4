//! Filters: decode attributes that were encoded to compress well.

use super::Filter;

/// Applies a filter to all elements of `stride` bytes.
pub(super) fn apply(filter: Filter, bytes: &mut [u8], stride: usize) {
    match (filter, stride) {
        (Filter::None, _) => {}
        (Filter::Octahedral, 4) => decode_elements(bytes, octahedral_bytes),
        (Filter::Octahedral, _) => decode_elements(bytes, octahedral_shorts),
        (Filter::Quaternion, _) => decode_elements(bytes, quaternion),
        (Filter::Exponential, _) => decode_elements(bytes, exponential),
        (Filter::Color, 4) => decode_elements(bytes, color_bytes),
        (Filter::Color, _) => decode_elements(bytes, color_shorts),
    }
}

fn decode_elements<const N: usize>(bytes: &mut [u8], decode: impl Fn([u8; N]) -> [u8; N]) {
    bytes.as_chunks_mut::<N>().0.iter_mut().for_each(|element| *element = decode(*element));
}

fn octahedral_bytes([x, y, one, w]: [u8; 4]) -> [u8; 4] {
    let [x, y, z] = octahedral([x, y, one].map(|byte| f32::from(byte as i8)), 127.0);
    [x as i8 as u8, y as i8 as u8, z as i8 as u8, w]
}

fn octahedral_shorts(bytes: [u8; 8]) -> [u8; 8] {
    let [x, y, one, w] = shorts(bytes);
    let [x, y, z] = octahedral([x, y, one].map(f32::from), 32767.0);
    from_shorts([x as i16, y as i16, z as i16, w])
}

/// The direction of a point on an octahedron, as a vector of length `longest`. The third number is
/// one in the units of the first two.
fn octahedral([x, y, one]: [f32; 3], longest: f32) -> [f32; 3] {
    let z = one - x.abs() - y.abs();
    let fold = z.min(0.0);
    let unfold = |v: f32| if v >= 0.0 { v + fold } else { v - fold };
    let (x, y) = (unfold(x), unfold(y));
    let scale = longest / (x * x + y * y + z * z).sqrt();
    [x, y, z].map(|v| round(v * scale))
}

/// A unit quaternion from three components. The largest is missing; the fourth number tells which
/// it is, and the precision of the others.
fn quaternion(bytes: [u8; 8]) -> [u8; 8] {
    let [x, y, z, last] = shorts(bytes);
    let one = f32::from(last | 3);
    let [x, y, z] = [x, y, z].map(f32::from);
    let rest = one * one * 2.0 - x * x - y * y - z * z;
    let scale = 32767.0 * std::f32::consts::FRAC_1_SQRT_2 / one;
    let [x, y, z, w] = [x, y, z, rest.max(0.0).sqrt()].map(|v| round(v * scale) as i16);
    let mut rotated = [w, x, y, z];
    rotated.rotate_right(usize::from(last as u16 & 3));
    from_shorts(rotated)
}

/// A float from a mantissa of 24 bits and an exponent of 8 bits, both signed.
fn exponential(bytes: [u8; 4]) -> [u8; 4] {
    let word = i32::from_le_bytes(bytes);
    let (exponent, mantissa) = (word >> 24, word << 8 >> 8);
    let power = f64::from_bits(((1023 + exponent) as u64) << 52);
    ((f64::from(mantissa) * power) as f32).to_le_bytes()
}

fn color_bytes(bytes: [u8; 4]) -> [u8; 4] {
    let [y, _, _, alpha] = bytes.map(i32::from);
    let [_, orange, green, _] = bytes.map(|byte| i32::from(byte as i8));
    color([y, orange, green, alpha], 255.0).map(|v| v as u8)
}

fn color_shorts(bytes: [u8; 8]) -> [u8; 8] {
    let [_, orange, green, _] = shorts(bytes).map(i32::from);
    let [y, _, _, alpha] = shorts(bytes).map(|v| i32::from(v as u16));
    from_shorts(color([y, orange, green, alpha], 65535.0).map(|v| v as u16 as i16))
}

/// Red, green, blue and alpha from luma, two chroma values and alpha. The highest set bit of alpha
/// tells the bits of each number, and is not part of alpha.
fn color([y, orange, green, alpha]: [i32; 4], max: f32) -> [f32; 4] {
    let ones = if alpha == 0 { 0 } else { (1 << (32 - alpha.leading_zeros())) - 1 };
    let opaque = (alpha << 1 & ones) | (alpha & 1);
    let scale = max / ones as f32;
    let [r, g, b] = [y + orange - green, y + green, y - orange - green];
    [r, g, b, opaque].map(|v| v as f32 * scale + 0.5)
}

/// Rounds to the nearest integer, halves away from zero.
fn round(v: f32) -> f32 {
    (if v >= 0.0 { v + 0.5 } else { v - 0.5 }).trunc()
}

fn shorts(bytes: [u8; 8]) -> [i16; 4] {
    std::array::from_fn(|i| i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]))
}

fn from_shorts(shorts: [i16; 4]) -> [u8; 8] {
    std::array::from_fn(|i| shorts[i / 2].to_le_bytes()[i % 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octahedral_gives_the_six_axes_and_the_folded_corners() {
        let decode = |x: i8, y: i8| octahedral_bytes([x as u8, y as u8, 127, 5]).map(|byte| byte as i8);
        assert_eq!(decode(0, 0), [0, 0, 127, 5]);
        assert_eq!(decode(127, 0), [127, 0, 0, 5]);
        assert_eq!(decode(0, -127), [0, -127, 0, 5]);
        for corner in [(127, 127), (-127, 127), (127, -127), (-127, -127)] {
            assert_eq!(decode(corner.0, corner.1), [0, 0, -127, 5]);
        }
    }

    #[test]
    fn quaternions_have_length_one_and_the_largest_component_in_place() {
        for largest in 0..4_i16 {
            let coded = from_shorts([300, -200, 100, 1020 | largest]);
            let quaternion = shorts(quaternion(coded)).map(|v| f64::from(v) / 32767.0);
            let length: f64 = quaternion.iter().map(|v| v * v).sum();
            assert!((length - 1.0).abs() < 1e-3, "{quaternion:?}");
            let max = (0..4).max_by(|&a, &b| quaternion[a].total_cmp(&quaternion[b]));
            assert_eq!(max, Some(largest as usize));
        }
    }

    #[test]
    fn exponents_scale_mantissas() {
        let decode = |mantissa: i32, exponent: i32| {
            f32::from_le_bytes(exponential((exponent << 24 | mantissa & 0xff_ffff).to_le_bytes()))
        };
        assert_eq!([decode(3, 0), decode(-3, 2), decode(1, -10)], [3.0, -12.0, 1.0 / 1024.0]);
        assert_eq!(
            [decode(0, -128), decode(1, 127), decode(4, -128)],
            [0.0, 2.0_f32.powi(127), 2.0_f32.powi(-126)]
        );
    }

    #[test]
    fn colors_come_from_luma_and_chroma() {
        // Seven bits: luma 64, no chroma, opaque.
        assert_eq!(color_bytes([64, 0, 0, 0x7f]), [129, 129, 129, 255]);
        assert_eq!(color_shorts([0; 8]), [0; 8]);
    }

    #[test]
    fn filters_accept_any_bytes() {
        for byte in 0..=255 {
            for stride in [4, 8] {
                let mut bytes = [byte; 16];
                for filter in [Filter::Octahedral, Filter::Exponential, Filter::Color] {
                    apply(filter, &mut bytes, stride);
                }
                apply(Filter::Quaternion, &mut bytes, 8);
            }
        }
    }
}
