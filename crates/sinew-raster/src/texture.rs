//! Textures with mip levels.

use crate::Error;
use crate::srgb::srgb_to_linear;

/// A texture with mip levels. It repeats in both directions.
#[derive(Clone, Debug)]
pub struct Texture {
    levels: Vec<MipLevel>,
}

/// Linear RGB texels, row by row.
#[derive(Clone, Debug)]
struct MipLevel {
    width: usize,
    height: usize,
    texels: Vec<[f32; 3]>,
}

impl Texture {
    /// A texture from sRGB texels, row by row from the top.
    ///
    /// # Errors
    ///
    /// When the number of texels is not `width * height`, or is zero.
    pub fn new(width: usize, height: usize, texels: &[[u8; 3]]) -> Result<Self, Error> {
        let expected = width.saturating_mul(height);
        if expected != texels.len() || expected == 0 {
            return Err(Error::TexelCount { expected, found: texels.len() });
        }
        let texels = texels.iter().map(|texel| texel.map(srgb_to_linear)).collect();
        let mut levels = vec![MipLevel { width, height, texels }];
        while let Some(smaller) = levels.last().and_then(MipLevel::half) {
            levels.push(smaller);
        }
        Ok(Self { levels })
    }

    /// The mip level with about one texel per pixel, where a pixel covers the fraction
    /// `uv_per_pixel` of the texture's area.
    pub(crate) fn mip_level(&self, uv_per_pixel: f64) -> usize {
        let texels = |level: &MipLevel| uv_per_pixel * (level.width * level.height) as f64;
        self.levels.iter().position(|level| texels(level) <= 2.0).unwrap_or(self.levels.len() - 1)
    }

    /// Samples a mip level with bilinear filtering. (0, 0) is the top left; NaN coordinates sample
    /// there too.
    pub(crate) fn sample(&self, level: usize, [u, v]: [f32; 2]) -> [f32; 3] {
        let level = &self.levels[level.min(self.levels.len() - 1)];
        let (left, right_weight) = texel_and_weight(u, level.width);
        let (top, bottom_weight) = texel_and_weight(v, level.height);
        let (right, bottom) = ((left + 1) % level.width, (top + 1) % level.height);
        let at = |x: usize, y: usize| level.texels[y * level.width + x];
        let [a, b, c, d] = [at(left, top), at(right, top), at(left, bottom), at(right, bottom)];
        std::array::from_fn(|i| {
            let above = a[i] + (b[i] - a[i]) * right_weight;
            let below = c[i] + (d[i] - c[i]) * right_weight;
            above + (below - above) * bottom_weight
        })
    }
}

/// The texel before a coordinate, and the weight of the texel after it.
fn texel_and_weight(coordinate: f32, texels: usize) -> (usize, f32) {
    let fraction = coordinate - coordinate.floor();
    let at = fraction * texels as f32 - 0.5;
    let before = at.floor();
    // The cast turns NaN into zero.
    let index = (before as i64).rem_euclid(texels as i64) as usize;
    let weight = at - before;
    (index, if weight.is_finite() { weight } else { 0.0 })
}

impl MipLevel {
    /// The next level, with half the width and height; `None` after a single texel.
    fn half(&self) -> Option<Self> {
        if self.width * self.height == 1 {
            return None;
        }
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        let at =
            |x: usize, y: usize| self.texels[y.min(self.height - 1) * self.width + x.min(self.width - 1)];
        let texel = |index: usize| {
            let (x, y) = (2 * (index % width), 2 * (index / width));
            let (a, b, c, d) = (at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1));
            std::array::from_fn(|i| 0.25 * ((a[i] + b[i]) + (c[i] + d[i])))
        };
        Some(Self { width, height, texels: (0..width * height).map(texel).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texels_are_sampled_at_their_centers_and_repeat() {
        let texels = [[0; 3], [255; 3], [255; 3], [0; 3]];
        let texture = Texture::new(2, 2, &texels).unwrap();
        for (u, v, linear) in [(0.25, 0.25, 0.0), (0.75, 0.25, 1.0), (1.25, -0.75, 0.0), (0.5, 0.25, 0.5)] {
            assert_eq!(texture.sample(0, [u, v]), [linear; 3], "{u} {v}");
        }
        assert_eq!(texture.sample(1, [0.1, 0.9]), [0.5; 3]);
        assert_eq!(texture.sample(99, [0.1, 0.9]), [0.5; 3]);
    }

    #[test]
    fn extreme_coordinates_give_finite_colors() {
        let texture = Texture::new(3, 1, &[[7; 3]; 3]).unwrap();
        for extreme in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38, -1e38] {
            assert!(texture.sample(0, [extreme, extreme])[0].is_finite());
        }
    }

    #[test]
    fn a_wrong_number_of_texels_is_an_error() {
        assert!(Texture::new(2, 2, &[[0; 3]; 3]).is_err());
        assert!(Texture::new(0, 2, &[]).is_err());
        assert!(Texture::new(usize::MAX, 2, &[[0; 3]; 3]).is_err());
    }
}
