//! Between light and the codes of a picture: sRGB, from exactly rounded operations alone.

use std::sync::LazyLock;

/// Steps of light that are told apart: at the dark end, where codes are closest, about one to a code.
const STEPS: usize = 4096;

/// The light of each code, from 0 to 1.
static LIGHT: LazyLock<[f32; 256]> = LazyLock::new(|| std::array::from_fn(|code| light(code) as f32));

/// The code of each step of light.
static CODE: LazyLock<[u8; STEPS]> = LazyLock::new(codes);

fn light(code: usize) -> f64 {
    let part = code as f64 / 255.0;
    if part <= 0.04045 {
        return part / 12.92;
    }
    let base = (part + 0.055) / 1.055;
    // To the power of 2.4: the square, times the fifth root of the square.
    let square = base * base;
    square * fifth_root(square)
}

/// By Newton's method from above, for numbers from 0 to 1 that are not tiny: no power function of the platform.
fn fifth_root(of: f64) -> f64 {
    let mut root = 1.0;
    for _ in 0..40 {
        let fourth = root * root * root * root;
        root = (4.0 * root + of / fourth) / 5.0;
    }
    root
}

fn codes() -> [u8; STEPS] {
    let mut code = 0;
    std::array::from_fn(|step| {
        let here = step as f64 / (STEPS - 1) as f64;
        while code < 255 && here >= 0.5 * (light(code) + light(code + 1)) {
            code += 1;
        }
        code as u8
    })
}

/// The light of a code of sRGB, from 0 to 1.
#[must_use]
pub fn from_code(code: u8) -> f32 {
    LIGHT[code as usize]
}

/// The code of light, which is brought to the range from 0 to 1; what is not a number is black.
#[must_use]
pub fn to_code(light: f32) -> u8 {
    Coder::new().code(light)
}

/// The table at hand, for many colours.
#[derive(Clone, Copy)]
pub(crate) struct Coder {
    codes: &'static [u8; STEPS],
    lights: &'static [f32; 256],
}

impl Coder {
    pub(crate) fn new() -> Self {
        Self { codes: &CODE, lights: &LIGHT }
    }

    #[inline(always)]
    pub(crate) fn code(self, light: f32) -> u8 {
        self.codes[Self::step(light) as usize % STEPS]
    }

    /// The step of light, below [`STEPS`]. What is not a number is at zero.
    #[inline(always)]
    pub(crate) fn step(light: f32) -> u32 {
        const LAST: f32 = (STEPS - 1) as f32;
        /// From here on numbers are whole, and their lowest bits say which.
        const WHOLE: f32 = 8_388_608.0;
        let step = light * LAST + 0.5;
        let step = if step > 0.0 { step } else { 0.0 };
        let step = if step < LAST { step } else { LAST };
        // Rounded down without a cast, whose care for what cannot be here keeps it from being done side by side.
        let nearest = step + WHOLE;
        let is_above = nearest - WHOLE > step;
        nearest.to_bits() - WHOLE.to_bits() - u32::from(is_above)
    }

    /// The code of a step.
    #[inline(always)]
    pub(crate) fn at(self, step: u32) -> u32 {
        self.codes[step as usize % STEPS].into()
    }

    /// Red, green and blue in one word, red lowest.
    #[inline(always)]
    pub(crate) fn word(self, [red, green, blue]: [f32; 3]) -> u32 {
        u32::from_le_bytes([self.code(red), self.code(green), self.code(blue), 0])
    }

    /// The mean of the light of four words.
    #[inline(always)]
    pub(crate) fn mean(self, words: [u32; 4]) -> u32 {
        let channel = |shift: u32| {
            let light = |word: u32| self.lights[(word >> shift & 255) as usize];
            let [a, b, c, d] = words.map(light);
            0.25 * ((a + b) + (c + d))
        };
        self.word([channel(0), channel(8), channel(16)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_is_that_of_the_standard() {
        for code in 0..256 {
            let part = code as f64 / 255.0;
            let expected = if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
            assert!((light(code) - expected).abs() < 1e-12, "{code}");
        }
    }

    #[test]
    fn codes_come_back() {
        for code in 0..=255 {
            assert_eq!(to_code(from_code(code)), code);
            assert_eq!(Coder::new().mean([u32::from(code) * 0x10101; 4]), u32::from(code) * 0x10101);
        }
    }

    #[test]
    fn steps_are_what_a_cast_would_give() {
        let cast = |light: f32| u32::from((light * (STEPS - 1) as f32 + 0.5) as u16).min(STEPS as u32 - 1);
        // Every sign and exponent, and all about where steps begin.
        let coarse = (0..=u32::MAX).step_by(65_521).map(f32::from_bits);
        let begins = (0..STEPS as u32).map(|step| (step as f32 - 0.5) / (STEPS - 1) as f32);
        let about = begins.flat_map(|light| (0..8).map(move |i| f32::from_bits(light.to_bits() - 4 + i)));
        for light in coarse.chain(about) {
            assert_eq!(Coder::step(light), cast(light), "{light}");
        }
    }

    #[test]
    fn light_outside_the_range_is_brought_to_it() {
        assert_eq!([-1.0, 0.0, f32::NAN, f32::NEG_INFINITY].map(to_code), [0; 4]);
        assert_eq!([1.0, 2.0, 1e30, f32::INFINITY].map(to_code), [255; 4]);
    }
}
