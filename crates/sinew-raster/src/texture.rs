//! A picture on a surface.

use crate::Error;
use crate::srgb::from_code;

/// A picture on a surface, with smaller ones for surfaces that are far away. It repeats in all directions.
#[derive(Clone, Debug)]
pub struct Texture {
    levels: Vec<Level>,
}

/// Light, row by row.
#[derive(Clone, Debug)]
struct Level {
    width: usize,
    height: usize,
    texels: Vec<[f32; 3]>,
}

impl Texture {
    /// From codes of sRGB: red, green and blue, row by row from the top.
    ///
    /// # Errors
    ///
    /// When there are not width times height texels, or none.
    pub fn new(width: usize, height: usize, texels: &[[u8; 3]]) -> Result<Self, Error> {
        let expected = width.saturating_mul(height);
        if expected != texels.len() || expected == 0 {
            return Err(Error::Texels { expected, found: texels.len() });
        }
        let texels = texels.iter().map(|texel| texel.map(from_code)).collect();
        let mut levels = vec![Level { width, height, texels }];
        while let Some(smaller) = levels.last().and_then(Level::half) {
            levels.push(smaller);
        }
        Ok(Self { levels })
    }

    /// The level that has about a texel to a pixel, where so much of the whole texture lies in a pixel.
    pub(crate) fn level(&self, spread: f64) -> usize {
        let texels = |level: &Level| spread * (level.width * level.height) as f64;
        self.levels.iter().position(|level| texels(level) <= 2.0).unwrap_or(self.levels.len() - 1)
    }

    /// The light at a point: a mix of the four nearest texels of a level. The first is left above; one that is not a number
    /// is there too.
    pub(crate) fn light(&self, level: usize, [u, v]: [f32; 2]) -> [f32; 3] {
        let level = &self.levels[level.min(self.levels.len() - 1)];
        let (left, across) = place(u, level.width);
        let (top, down) = place(v, level.height);
        let (right, bottom) = ((left + 1) % level.width, (top + 1) % level.height);
        let at = |x: usize, y: usize| level.texels[y * level.width + x];
        let [a, b, c, d] = [at(left, top), at(right, top), at(left, bottom), at(right, bottom)];
        std::array::from_fn(|i| {
            let above = a[i] + (b[i] - a[i]) * across;
            let below = c[i] + (d[i] - c[i]) * across;
            above + (below - above) * down
        })
    }
}

/// The texel before a coordinate, and how far it is to the next.
fn place(coordinate: f32, texels: usize) -> (usize, f32) {
    let part = coordinate - coordinate.floor();
    let at = part * texels as f32 - 0.5;
    let before = at.floor();
    // A cast takes what is not a number for zero.
    let index = (before as i64).rem_euclid(texels as i64) as usize;
    let across = at - before;
    (index, if across.is_finite() { across } else { 0.0 })
}

impl Level {
    /// Half as wide and high; `None` of a single texel.
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
    fn texels_are_in_their_middles_and_repeat() {
        let texels = [[0; 3], [255; 3], [255; 3], [0; 3]];
        let texture = Texture::new(2, 2, &texels).unwrap();
        for (u, v, light) in [(0.25, 0.25, 0.0), (0.75, 0.25, 1.0), (1.25, -0.75, 0.0), (0.5, 0.25, 0.5)] {
            assert_eq!(texture.light(0, [u, v]), [light; 3], "{u} {v}");
        }
        assert_eq!(texture.light(1, [0.1, 0.9]), [0.5; 3]);
        assert_eq!(texture.light(99, [0.1, 0.9]), [0.5; 3]);
    }

    #[test]
    fn odd_coordinates_are_somewhere() {
        let texture = Texture::new(3, 1, &[[7; 3]; 3]).unwrap();
        for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38, -1e38] {
            assert!(texture.light(0, [odd, odd])[0].is_finite());
        }
    }

    #[test]
    fn texels_must_be_as_many_as_the_sides_say() {
        assert!(Texture::new(2, 2, &[[0; 3]; 3]).is_err());
        assert!(Texture::new(0, 2, &[]).is_err());
        assert!(Texture::new(usize::MAX, 2, &[[0; 3]; 3]).is_err());
    }
}
