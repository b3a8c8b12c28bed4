//! The visible pixels of a block, and their shading by vertex colors, several pixels at once.

use std::array::from_fn;

use crate::coverage::{BLOCK, Samples};
use crate::srgb::SrgbEncoder;
use crate::surface_shader::SurfaceShader;
use crate::triangle_setup::Varyings;

/// Pixels that are shaded side by side.
const LANES: usize = 4;
const GROUPS: usize = PIXELS / LANES;
const PIXELS: usize = (BLOCK * BLOCK) as usize;
/// RGB lit and RGB in shadow.
const CHANNELS: usize = 6;
/// The channels and 1 / w.
pub(crate) const COLOR_VARYINGS: usize = CHANNELS + 1;

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
    /// The opacity of each pixel of a surface.
    alpha: [f32; PIXELS],
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
            alpha: [1.0; PIXELS],
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

    /// The linear colors of a pixel, lit and in shadow, and its opacity. Valid after
    /// [`shade_surface`](Self::shade_surface).
    pub(crate) fn linear_colors(&self, index: usize) -> ([[f32; 3]; 2], f32) {
        let channel = |channel: usize| self.linear[channel][index / LANES][index % LANES];
        ([[0, 1, 2].map(channel), [3, 4, 5].map(channel)], self.alpha[index])
    }

    /// Drops pixels. `keep` gets the opacity of each, and what the pixel is.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(f32, &CoveredPixel) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            if !keep(self.alpha[index], &self.covered[index]) {
                continue;
            }
            self.covered[kept] = self.covered[index];
            for encoded in &mut self.encoded {
                encoded[kept / LANES][kept % LANES] = encoded[index / LANES][index % LANES];
            }
            kept += 1;
        }
        self.len = kept;
    }

    /// Computes the colors of all pixels from vertex colors.
    pub(crate) fn shade(&mut self, varyings: &Varyings<COLOR_VARYINGS>) {
        let groups = self.len.div_ceil(LANES);
        let (x, y) = (&self.x[..groups], &self.y[..groups]);
        let w = &mut self.w[..groups];
        for ((x, y), to) in x.iter().zip(y).zip(&mut *w) {
            let inv_w = varyings.interpolate(CHANNELS, x, y);
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
        self.encode();
    }

    /// Computes the colors of all pixels from a material.
    pub(crate) fn shade_surface(&mut self, surface: &SurfaceShader<'_>) {
        for index in 0..self.len {
            let (group, lane) = (index / LANES, index % LANES);
            let color = surface.shade(self.x[group][lane], self.y[group][lane]);
            for channel in 0..3 {
                self.linear[channel][group][lane] = color.lit[channel];
                self.linear[channel + 3][group][lane] = color.shadowed[channel];
            }
            self.alpha[index] = color.alpha;
        }
        self.encode();
    }

    fn encode(&mut self) {
        let groups = self.len.div_ceil(LANES);
        for (linear, encoded) in self.linear.iter().zip(&mut self.encoded) {
            for (linear, to) in linear[..groups].iter().zip(encoded) {
                for lane in 0..LANES {
                    to[lane] = SrgbEncoder::table_index(linear[lane]);
                }
            }
        }
    }
}

impl Varyings<COLOR_VARYINGS> {
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
