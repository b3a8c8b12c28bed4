//! Number formats of vertices.

/// The value of a half float. Infinite and NaN halves are given as such.
#[must_use]
pub fn half_to_number(half: u16) -> f64 {
    let sign = if half & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, mantissa) = (i32::from(half >> 10 & 31), f64::from(half & 1023));
    match exponent {
        0 => sign * mantissa * 2_f64.powi(-24),
        31 if mantissa == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        _ => sign * (1024.0 + mantissa) * 2_f64.powi(exponent - 25),
    }
}

/// The half nearest to a number, of two equally near the even one. From 65520 on, halfway between
/// the largest half and 2^16, it is infinite. A NaN stays one.
#[must_use]
pub fn number_to_half(number: f32) -> u16 {
    const INFINITE: u16 = 0x7C00;
    let sign = if number.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = f64::from(number).abs();
    if magnitude.is_nan() {
        // Quiet, with the first bits of the payload.
        let payload = (number.to_bits() & 0x007F_FFFF) >> 13;
        return sign | INFINITE | 0x200 | payload as u16;
    }
    let value = |half: u16| if half == INFINITE { 65536.0 } else { half_to_number(half) };
    // Halves from zero to infinity are in the order of their bits.
    let (mut low, mut above) = (0, INFINITE);
    while above - low > 1 {
        let middle = low + (above - low) / 2;
        if value(middle) <= magnitude {
            low = middle;
        } else {
            above = middle;
        }
    }
    let (below, beyond) = (magnitude - value(low), value(above) - magnitude);
    let nearest = if below < beyond || below == beyond && low % 2 == 0 { low } else { above };
    sign | nearest
}

/// A number from -1 to 1 in units of a normalized integer format whose largest integer is
/// `largest`, before rounding. Others are clamped, NaN is 0.
#[must_use]
pub fn normalized(number: f32, largest: i32) -> f64 {
    if number.is_nan() {
        return 0.0;
    }
    f64::from(number).clamp(-1.0, 1.0) * f64::from(largest)
}

/// The direction that two 16-bit numbers in octahedral encoding mean, of any length.
#[must_use]
pub fn octahedral_to_direction(encoded: [i16; 2]) -> [f64; 3] {
    let [u, v] = encoded.map(|number| f64::from(number) / 32767.0);
    let z = 1.0 - u.abs() - v.abs();
    if z >= 0.0 {
        return [u, v, z];
    }
    [(1.0 - v.abs()).copysign(u), (1.0 - u.abs()).copysign(v), z]
}
