//! Conversions of single numbers to the formats of vertices, by integer operations and sums.

/// To a half float: rounded to nearest, ties to even. What is too large becomes infinite; a NaN
/// keeps its sign and the first bits of its payload, and becomes quiet.
#[inline(always)]
pub(crate) fn half(x: f32) -> u16 {
    /// The bits of the smallest normal half, 2^-14, as a float.
    const SMALLEST_NORMAL: u32 = (127 - 14) << 23;
    /// The bits of 65536, above all finite halves, as a float.
    const ABOVE_ALL: u32 = (127 + 16) << 23;
    const INFINITY: u32 = 0x7F80_0000;
    let bits = x.to_bits();
    let sign = bits >> 16 & 0x8000;
    let magnitude = bits & 0x7FFF_FFFF;
    let half = if magnitude > INFINITY {
        0x7E00 | magnitude >> 13 & 0x1FF
    } else if magnitude >= ABOVE_ALL {
        0x7C00
    } else if magnitude < SMALLEST_NORMAL {
        // Between 0.5 and 1, floats lie 2^-24 apart, as subnormal halves do.
        (f32::from_bits(magnitude) + 0.5).to_bits() - 0.5_f32.to_bits()
    } else {
        // The exponent's bias changes from 127 to 15, and 13 bits are rounded off. A carry goes on
        // into the exponent, up to infinity.
        let odd = magnitude >> 13 & 1;
        (magnitude - SMALLEST_NORMAL + (1 << 23) + 0xFFF + odd) >> 13
    };
    (sign | half) as u16
}

/// A number from -1 to 1 as a multiple of 1 / 32767; others are clamped, NaN is 0.
#[inline(always)]
pub(crate) fn snorm16(x: f32) -> i16 {
    snorm(x, 32767.0) as i16
}

/// A number from -1 to 1 as a multiple of 1 / 127; others are clamped, NaN is 0.
#[inline(always)]
pub(crate) fn snorm8(x: f32) -> i8 {
    snorm(x, 127.0) as i8
}

/// Rounded to nearest, ties to even.
#[inline(always)]
fn snorm(x: f32, largest: f32) -> i32 {
    /// Around this number, floats are the whole numbers. Not `round_ties_even`, which is a call on
    /// some targets.
    const WHOLE: f32 = 12_582_912.0;
    let scaled = x * largest;
    let scaled = if scaled < largest { scaled } else { largest };
    let scaled = if scaled > -largest { scaled } else { -largest };
    let rounded = (scaled + WHOLE).to_bits() as i32 - WHOLE.to_bits() as i32;
    if x.is_nan() { 0 } else { rounded }
}
