//! Shading of the visible pixels of a block, several pixels at once.

use std::array::from_fn;

use crate::coverage::{BLOCK, Samples};
use crate::srgb::SrgbEncoder;
use crate::texture::Texture;
use crate::triangle_setup::{INV_W, UV, Varyings};

/// Pixels that are shaded side by side.
const LANES: usize = 4;
const GROUPS: usize = PIXELS / LANES;
const PIXELS: usize = (BLOCK * BLOCK) as usize;
/// RGB lit and RGB in shadow.
const CHANNELS: usize = 6;

/// One value for each pixel of a group.
type Lanes<T> = [T; LANES];

/// A pixel in which a triangle is visible.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CoveredPixel {
    /// Index of the pixel in the tile.
    pub(crate) pixel: usize,
    /// For each sample a mask: all bits if the triangle is visible there, none otherwise.
    pub(crate) samples: Samples<u32>,
}

/// The pixels of a block to be shaded, and their colors. Elements past `len` are left over from
/// earlier blocks.
#[derive(Clone, Debug)]
pub(crate) struct Shader {
    len: usize,
    covered: [CoveredPixel; PIXELS],
    /// The point at which each pixel is shaded, in pixels from the triangle's origin.
    x: [Lanes<f32>; GROUPS],
    y: [Lanes<f32>; GROUPS],
    w: [Lanes<f32>; GROUPS],
    linear: [[Lanes<f32>; GROUPS]; CHANNELS],
    /// Indices into the sRGB encoding table.
    encoded: [[Lanes<u32>; GROUPS]; CHANNELS],
}

impl Shader {
    pub(crate) fn new() -> Self {
        Self {
            len: 0,
            covered: [CoveredPixel::default(); PIXELS],
            x: [[0.0; LANES]; GROUPS],
            y: [[0.0; LANES]; GROUPS],
            w: [[0.0; LANES]; GROUPS],
            linear: [[[0.0; LANES]; GROUPS]; CHANNELS],
            encoded: [[[0; LANES]; GROUPS]; CHANNELS],
        }
    }

    /// Starts a new block.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a pixel and the point at which it is shaded. There is room for all pixels of a block.
    #[inline(always)]
    pub(crate) fn push(&mut self, covered: CoveredPixel, [x, y]: [f32; 2]) {
        let at = self.len % PIXELS;
        self.covered[at] = covered;
        self.x[at / LANES][at % LANES] = x;
        self.y[at / LANES][at % LANES] = y;
        self.len = at + 1;
    }

    /// The pixels in the order in which they were added.
    pub(crate) fn covered(&self) -> &[CoveredPixel] {
        &self.covered[..self.len]
    }

    /// The colors of a pixel, lit and in shadow. Valid after [`shade`](Self::shade).
    #[inline(always)]
    pub(crate) fn colors(&self, encoder: SrgbEncoder, index: usize) -> [u32; 2] {
        let [r, g, b, shadowed_r, shadowed_g, shadowed_b] =
            from_fn(|channel| encoder.lookup(self.encoded[channel][index / LANES % GROUPS][index % LANES]));
        [r | g << 8 | b << 16, shadowed_r | shadowed_g << 8 | shadowed_b << 16]
    }

    /// Computes the colors of all pixels.
    pub(crate) fn shade(&mut self, varyings: &Varyings, texture: Option<&Texture>) {
        let groups = self.len.div_ceil(LANES);
        let (x, y) = (&self.x[..groups], &self.y[..groups]);
        let w = &mut self.w[..groups];
        for ((x, y), to) in x.iter().zip(y).zip(&mut *w) {
            let inv_w = varyings.interpolate(INV_W, x, y);
            for lane in 0..LANES {
                to[lane] = 1.0 / inv_w[lane];
            }
        }
        for channel in 0..CHANNELS {
            let linear = &mut self.linear[channel][..groups];
            for (((x, y), w), to) in x.iter().zip(y).zip(&*w).zip(linear) {
                let values = varyings.interpolate(channel, x, y);
                for lane in 0..LANES {
                    to[lane] = values[lane] * w[lane];
                }
            }
        }
        if let Some(texture) = texture {
            self.apply_texture(varyings, texture);
        }
        for (linear, encoded) in self.linear.iter().zip(&mut self.encoded) {
            for (linear, to) in linear[..groups].iter().zip(encoded) {
                for lane in 0..LANES {
                    to[lane] = SrgbEncoder::table_index(linear[lane]);
                }
            }
        }
    }

    /// Multiplies the colors by a texture.
    fn apply_texture(&mut self, varyings: &Varyings, texture: &Texture) {
        let level = texture.mip_level(varyings.uv_per_pixel);
        for group in 0..self.len.div_ceil(LANES) {
            let (x, y, w) = (&self.x[group], &self.y[group], &self.w[group]);
            let [u, v] = [0, 1].map(|axis| varyings.interpolate(UV + axis, x, y));
            for lane in 0..LANES {
                let texel = texture.sample(level, [u[lane] * w[lane], v[lane] * w[lane]]);
                for channel in 0..CHANNELS {
                    self.linear[channel][group][lane] *= texel[channel % 3];
                }
            }
        }
    }
}

impl Varyings {
    /// One varying at several points.
    #[inline(always)]
    fn interpolate(&self, varying: usize, x: &Lanes<f32>, y: &Lanes<f32>) -> Lanes<f32> {
        let (base, dx, dy) = (self.base[varying], self.dx[varying], self.dy[varying]);
        let mut values = [0.0; LANES];
        for lane in 0..LANES {
            values[lane] = base + (dx * x[lane] + dy * y[lane]);
        }
        values
    }
}
