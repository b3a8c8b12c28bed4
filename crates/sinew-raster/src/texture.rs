//! Textures with mip levels.

use std::sync::LazyLock;

use crate::Error;
use crate::srgb::{linear_to_srgb, srgb_table};

/// A texture of RGBA texels with mip levels.
#[derive(Clone, Debug)]
pub struct Texture {
    levels: Vec<MipLevel>,
    /// The value of each byte of red, green and blue.
    decode: &'static [f32; 256],
    wrap: [Wrap; 2],
}

/// What the bytes of red, green and blue are. Alpha is always linear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Colors in sRGB.
    Srgb,
    /// Fractions of 255, such as normals or roughness.
    Linear,
}

/// Where texture coordinates outside 0 to 1 are sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The texture repeats.
    #[default]
    Repeat,
    /// The texture repeats, every other time mirrored.
    Mirror,
    /// At the texture's border.
    Clamp,
}

/// Texels as bytes, row by row.
#[derive(Clone, Debug)]
struct MipLevel {
    width: usize,
    height: usize,
    texels: Vec<[u8; 4]>,
}

/// The value of each byte as a fraction of 255.
static FRACTIONS: LazyLock<[f32; 256]> = LazyLock::new(|| std::array::from_fn(|byte| byte as f32 / 255.0));

impl Texture {
    /// A texture from RGBA texels, row by row from the top. It repeats in both directions.
    ///
    /// # Errors
    ///
    /// When the number of texels is not `width * height`, or is zero.
    pub fn new(width: usize, height: usize, texels: Vec<[u8; 4]>, encoding: Encoding) -> Result<Self, Error> {
        let expected = width.saturating_mul(height);
        if expected != texels.len() || expected == 0 {
            return Err(Error::TexelCount { expected, found: texels.len() });
        }
        let decode = match encoding {
            Encoding::Srgb => srgb_table(),
            Encoding::Linear => &FRACTIONS,
        };
        let mut levels = vec![MipLevel { width, height, texels }];
        while let Some(smaller) = levels.last().and_then(|level| level.half(decode, encoding)) {
            levels.push(smaller);
        }
        Ok(Self { levels, decode, wrap: [Wrap::Repeat; 2] })
    }

    /// Sets how the texture continues along u and v.
    #[must_use]
    pub fn with_wrap(mut self, wrap: [Wrap; 2]) -> Self {
        self.wrap = wrap;
        self
    }

    /// Samples the texture with trilinear filtering: linear RGBA. (0, 0) is the top left; NaN
    /// coordinates sample there too. `dx` and `dy` are the changes of the coordinates from a pixel
    /// to its neighbors to the right and below.
    pub(crate) fn sample(&self, uv: [f32; 2], dx: [f32; 2], dy: [f32; 2]) -> [f32; 4] {
        let (width, height) = (self.levels[0].width as f32, self.levels[0].height as f32);
        let squared = |[u, v]: [f32; 2]| (u * width) * (u * width) + (v * height) * (v * height);
        let (along_x, along_y) = (squared(dx), squared(dy));
        let level = 0.5 * approximate_log2(if along_x > along_y { along_x } else { along_y });
        let last = (self.levels.len() - 1) as f32;
        let level = if level > 0.0 { level } else { 0.0 };
        let level = if level < last { level } else { last };
        // Casts round down.
        let lower = level as usize;
        let weight = level - lower as f32;
        let fine = self.sample_level(lower, uv);
        if weight == 0.0 {
            return fine;
        }
        let coarse = self.sample_level(lower + 1, uv);
        std::array::from_fn(|i| fine[i] + (coarse[i] - fine[i]) * weight)
    }

    /// Samples a mip level with bilinear filtering.
    fn sample_level(&self, level: usize, [u, v]: [f32; 2]) -> [f32; 4] {
        let level = &self.levels[level.min(self.levels.len() - 1)];
        let ([left, right], right_weight) = texels_and_weight(u, level.width, self.wrap[0]);
        let ([top, bottom], bottom_weight) = texels_and_weight(v, level.height, self.wrap[1]);
        let at = |x: usize, y: usize| decode_texel(level.texels[y * level.width + x], self.decode);
        let [a, b, c, d] = [at(left, top), at(right, top), at(left, bottom), at(right, bottom)];
        std::array::from_fn(|i| {
            let above = a[i] + (b[i] - a[i]) * right_weight;
            let below = c[i] + (d[i] - c[i]) * right_weight;
            above + (below - above) * bottom_weight
        })
    }
}

fn decode_texel([red, green, blue, alpha]: [u8; 4], decode: &[f32; 256]) -> [f32; 4] {
    let [red, green, blue] = [red, green, blue].map(|byte| decode[byte as usize]);
    [red, green, blue, f32::from(alpha) / 255.0]
}

/// The base-two logarithm with an error below 0.09, from the bits of the number: linear between
/// powers of two. The platform's logarithm has different bits on different machines.
fn approximate_log2(x: f32) -> f32 {
    const ONE: u32 = 1.0_f32.to_bits();
    (x.to_bits().cast_signed() - ONE.cast_signed()) as f32 / (1 << 23) as f32
}

/// The texels before and after a coordinate, and the weight of the latter.
fn texels_and_weight(coordinate: f32, texels: usize, wrap: Wrap) -> ([usize; 2], f32) {
    let fraction = match wrap {
        Wrap::Repeat => coordinate - coordinate.floor(),
        Wrap::Mirror => {
            let fraction = 0.5 * coordinate - (0.5 * coordinate).floor();
            if fraction < 0.5 { 2.0 * fraction } else { 2.0 - 2.0 * fraction }
        }
        Wrap::Clamp => coordinate.clamp(0.0, 1.0),
    };
    let at = fraction * texels as f32 - 0.5;
    let before = at.floor();
    // The cast turns NaN into zero.
    let index = before as i64;
    let wrapped = |index: i64| match wrap {
        Wrap::Repeat => index.rem_euclid(texels as i64) as usize,
        Wrap::Mirror | Wrap::Clamp => index.clamp(0, texels as i64 - 1) as usize,
    };
    let weight = at - before;
    ([wrapped(index), wrapped(index + 1)], if weight.is_finite() { weight } else { 0.0 })
}

impl MipLevel {
    /// The next level, with half the width and height; `None` after a single texel.
    fn half(&self, decode: &[f32; 256], encoding: Encoding) -> Option<Self> {
        if self.width * self.height == 1 {
            return None;
        }
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        let at = |x: usize, y: usize| {
            let texel = self.texels[y.min(self.height - 1) * self.width + x.min(self.width - 1)];
            decode_texel(texel, decode)
        };
        let fraction = |value: f32| (value * 255.0 + 0.5) as u8;
        let encode =
            |value: f32| if encoding == Encoding::Srgb { linear_to_srgb(value) } else { fraction(value) };
        let texel = |index: usize| {
            let (x, y) = (2 * (index % width), 2 * (index / width));
            let (a, b, c, d) = (at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1));
            let mean = |i: usize| 0.25 * ((a[i] + b[i]) + (c[i] + d[i]));
            [encode(mean(0)), encode(mean(1)), encode(mean(2)), fraction(mean(3))]
        };
        Some(Self { width, height, texels: (0..width * height).map(texel).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINE: [f32; 2] = [0.0; 2];

    fn opaque(gray: u8) -> [u8; 4] {
        [gray, gray, gray, 255]
    }

    fn checkers(wrap: Wrap) -> Texture {
        let texels = [0, 255, 255, 0].map(opaque).to_vec();
        Texture::new(2, 2, texels, Encoding::Srgb).unwrap().with_wrap([wrap; 2])
    }

    #[test]
    fn texels_are_sampled_at_their_centers_and_continue() {
        for (wrap, u, v, linear) in [
            (Wrap::Repeat, 0.25, 0.25, 0.0),
            (Wrap::Repeat, 0.75, 0.25, 1.0),
            (Wrap::Repeat, 1.25, -0.75, 0.0),
            (Wrap::Repeat, 0.5, 0.25, 0.5),
            (Wrap::Repeat, 1.0, 0.25, 0.5),
            (Wrap::Mirror, 1.25, 0.25, 1.0),
            (Wrap::Mirror, -0.25, 0.25, 0.0),
            (Wrap::Mirror, 1.0, 0.25, 1.0),
            (Wrap::Clamp, 7.0, 0.25, 1.0),
            (Wrap::Clamp, -7.0, 0.25, 0.0),
        ] {
            let found = checkers(wrap).sample([u, v], FINE, FINE);
            assert_eq!(found, [linear, linear, linear, 1.0], "{wrap:?} {u} {v}");
        }
    }

    #[test]
    fn small_texels_are_averaged_in_linear_light() {
        let texture = checkers(Wrap::Repeat);
        for step in [[0.5, 0.0], [0.0, 0.5], [1.0, 0.0], [9.0, 9.0]] {
            let [red, .., alpha] = texture.sample([0.3, 0.9], step, FINE);
            let expected =
                if step[0] + step[1] < 1.0 { texture.sample([0.3, 0.9], FINE, FINE)[0] } else { 0.5 };
            assert!((red - expected).abs() < 4e-3 && alpha == 1.0, "{step:?} {red}");
        }
        // Between two levels, the color changes gradually.
        let steps =
            [0.5, 0.6, 0.7, 0.8, 0.9, 1.0].map(|step| texture.sample([0.25; 2], [step, 0.0], FINE)[0]);
        assert!(steps.is_sorted() && steps[0] == 0.0, "{steps:?}");
        assert!(steps.windows(2).all(|pair| pair[1] - pair[0] < 0.2), "{steps:?}");
    }

    #[test]
    fn linear_texels_and_alpha_are_fractions() {
        let texture = Texture::new(1, 1, vec![[51, 102, 153, 204]], Encoding::Linear).unwrap();
        assert_eq!(texture.sample([0.0; 2], FINE, FINE), [0.2, 0.4, 0.6, 0.8]);
    }

    #[test]
    fn the_logarithm_is_exact_at_powers_of_two_and_near_between() {
        for power in -20..20 {
            assert_eq!(approximate_log2(2.0_f32.powi(power)), power as f32);
        }
        for x in [0.1_f32, 0.7, 1.4, 3.0, 500.0] {
            assert!((approximate_log2(x) - x.log2()).abs() < 0.09, "{x}");
        }
    }

    #[test]
    fn extreme_coordinates_give_finite_colors() {
        for wrap in [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp] {
            let texture =
                Texture::new(3, 1, vec![opaque(7); 3], Encoding::Srgb).unwrap().with_wrap([wrap; 2]);
            for extreme in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38, -1e38, 0.0] {
                for step in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38, 1e-40] {
                    assert!(texture.sample([extreme; 2], [step; 2], FINE)[0].is_finite());
                }
            }
        }
    }

    #[test]
    fn a_wrong_number_of_texels_is_an_error() {
        let new = |width, height, len| Texture::new(width, height, vec![[0; 4]; len], Encoding::Srgb);
        assert!(new(2, 2, 3).is_err());
        assert!(new(0, 2, 0).is_err());
        assert!(new(usize::MAX, 2, 3).is_err());
    }
}
