//! Conversion between linear light and sRGB, from exactly rounded operations alone.

use std::sync::LazyLock;

/// Size of the encoding table. At the dark end, where sRGB values lie closest, there is about one
/// entry per value.
const TABLE_LEN: usize = 4096;

/// The linear value of each sRGB byte, from 0 to 1.
static TO_LINEAR: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|byte| decode_exact(byte) as f32));

/// The sRGB byte of each of [`TABLE_LEN`] linear values.
static TO_SRGB: LazyLock<[u8; TABLE_LEN]> = LazyLock::new(encoding_table);

fn decode_exact(byte: usize) -> f64 {
    let value = byte as f64 / 255.0;
    if value <= 0.04045 {
        return value / 12.92;
    }
    let base = (value + 0.055) / 1.055;
    // base^2.4 = base^2 * (base^2)^(1/5).
    let square = base * base;
    square * fifth_root(square)
}

/// The fifth root by Newton's method from above, for numbers up to 1 that are not tiny. It avoids
/// the platform's power function, whose bits differ.
fn fifth_root(x: f64) -> f64 {
    let mut root = 1.0;
    for _ in 0..40 {
        let fourth = root * root * root * root;
        root = (4.0 * root + x / fourth) / 5.0;
    }
    root
}

fn encoding_table() -> [u8; TABLE_LEN] {
    let mut byte = 0;
    std::array::from_fn(|index| {
        let linear = index as f64 / (TABLE_LEN - 1) as f64;
        while byte < 255 && linear >= 0.5 * (decode_exact(byte) + decode_exact(byte + 1)) {
            byte += 1;
        }
        byte as u8
    })
}

/// Converts an sRGB byte to linear light, from 0 to 1.
#[must_use]
pub fn srgb_to_linear(byte: u8) -> f32 {
    TO_LINEAR[byte as usize]
}

/// Converts linear light to an sRGB byte. Values are clamped to the range from 0 to 1; NaN is
/// black.
#[must_use]
pub fn linear_to_srgb(linear: f32) -> u8 {
    SrgbEncoder::new().encode(linear)
}

/// The linear value of each sRGB byte.
pub(crate) fn srgb_table() -> &'static [f32; 256] {
    &TO_LINEAR
}

/// Both tables, borrowed once for many conversions.
#[derive(Clone, Copy)]
pub(crate) struct SrgbEncoder {
    to_srgb: &'static [u8; TABLE_LEN],
    to_linear: &'static [f32; 256],
}

impl SrgbEncoder {
    pub(crate) fn new() -> Self {
        Self { to_srgb: &TO_SRGB, to_linear: &TO_LINEAR }
    }

    #[inline(always)]
    pub(crate) fn encode(self, linear: f32) -> u8 {
        self.to_srgb[Self::table_index(linear) as usize % TABLE_LEN]
    }

    /// The index of a linear value in the encoding table, below [`TABLE_LEN`]; zero for NaN.
    #[inline(always)]
    pub(crate) fn table_index(linear: f32) -> u32 {
        const LAST: f32 = (TABLE_LEN - 1) as f32;
        /// 2^23: floats from here to 2^24 are whole numbers, and their lowest bits count them.
        const WHOLE: f32 = 8_388_608.0;
        let index = linear * LAST + 0.5;
        let index = if index > 0.0 { index } else { 0.0 };
        let index = if index < LAST { index } else { LAST };
        // Floor without a cast: a cast handles NaN and overflow, which keeps it from vectorizing.
        let nearest = index + WHOLE;
        let is_above = nearest - WHOLE > index;
        nearest.to_bits() - WHOLE.to_bits() - u32::from(is_above)
    }

    /// The sRGB byte at an index of the encoding table.
    #[inline(always)]
    pub(crate) fn lookup(self, index: u32) -> u32 {
        self.to_srgb[index as usize % TABLE_LEN].into()
    }

    /// Encodes RGB into one integer, red in the lowest byte.
    #[inline(always)]
    pub(crate) fn encode_rgb(self, [red, green, blue]: [f32; 3]) -> u32 {
        u32::from_le_bytes([self.encode(red), self.encode(green), self.encode(blue), 0])
    }

    /// A linear color over an encoded one, with the opacity `alpha`.
    #[inline(always)]
    pub(crate) fn blend(self, color: [f32; 3], alpha: f32, under: u32) -> u32 {
        let channel = |index: usize| {
            let under = self.to_linear[(under >> (8 * index) & 255) as usize];
            under + (color[index] - under) * alpha
        };
        self.encode_rgb([channel(0), channel(1), channel(2)])
    }

    /// The average of four encoded colors, computed in linear light.
    #[inline(always)]
    pub(crate) fn average(self, colors: [u32; 4]) -> u32 {
        let channel = |shift: u32| {
            let linear = |color: u32| self.to_linear[(color >> shift & 255) as usize];
            let [a, b, c, d] = colors.map(linear);
            0.25 * ((a + b) + (c + d))
        };
        self.encode_rgb([channel(0), channel(8), channel(16)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_matches_the_standard() {
        for byte in 0..256 {
            let value = byte as f64 / 255.0;
            let expected = if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) };
            assert!((decode_exact(byte) - expected).abs() < 1e-12, "{byte}");
        }
    }

    #[test]
    fn encoding_inverts_decoding() {
        for byte in 0..=255 {
            assert_eq!(linear_to_srgb(srgb_to_linear(byte)), byte);
            assert_eq!(SrgbEncoder::new().average([u32::from(byte) * 0x10101; 4]), u32::from(byte) * 0x10101);
        }
    }

    #[test]
    fn the_table_index_equals_a_cast() {
        let cast =
            |linear: f32| u32::from((linear * (TABLE_LEN - 1) as f32 + 0.5) as u16).min(TABLE_LEN as u32 - 1);
        // Every sign and exponent, and the neighborhood of every threshold.
        let coarse = (0..=u32::MAX).step_by(65_521).map(f32::from_bits);
        let thresholds = (0..TABLE_LEN as u32).map(|index| (index as f32 - 0.5) / (TABLE_LEN - 1) as f32);
        let near =
            thresholds.flat_map(|linear| (0..8).map(move |i| f32::from_bits(linear.to_bits() - 4 + i)));
        for linear in coarse.chain(near) {
            assert_eq!(SrgbEncoder::table_index(linear), cast(linear), "{linear}");
        }
    }

    #[test]
    fn values_out_of_range_are_clamped() {
        assert_eq!([-1.0, 0.0, f32::NAN, f32::NEG_INFINITY].map(linear_to_srgb), [0; 4]);
        assert_eq!([1.0, 2.0, 1e30, f32::INFINITY].map(linear_to_srgb), [255; 4]);
    }
}
