//! The pixels of a block that a face is seen in, and their colours, several pixels at once.

use std::array::from_fn;

use crate::face::{COORDINATES, NEARNESS, Paint};
use crate::srgb::Coder;
use crate::texture::Texture;
use crate::window::{BLOCK, Quad};

/// Pixels that are worked on side by side.
const WIDE: usize = 4;
const GROUPS: usize = PIXELS / WIDE;
const PIXELS: usize = (BLOCK * BLOCK) as usize;
/// Red, green and blue, lit and shaded.
const COLOURS: usize = 6;

/// One number for each pixel of a group.
type Wide<T> = [T; WIDE];

/// A pixel that a face is seen in.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// Its number in the tile.
    pub(crate) pixel: usize,
    /// All bits of the samples that are painted, and none of the others.
    pub(crate) samples: Quad<u32>,
}

/// The pixels of a block that are to be painted. What lies past the last of them is left from earlier blocks.
#[derive(Clone, Debug)]
pub(crate) struct Brush {
    len: usize,
    seen: [Seen; PIXELS],
    /// Where each is painted, in pixels from the face's origin.
    x: [Wide<f32>; GROUPS],
    y: [Wide<f32>; GROUPS],
    distance: [Wide<f32>; GROUPS],
    lights: [[Wide<f32>; GROUPS]; COLOURS],
    steps: [[Wide<u32>; GROUPS]; COLOURS],
}

impl Brush {
    pub(crate) fn new() -> Self {
        Self {
            len: 0,
            seen: [Seen::default(); PIXELS],
            x: [[0.0; WIDE]; GROUPS],
            y: [[0.0; WIDE]; GROUPS],
            distance: [[0.0; WIDE]; GROUPS],
            lights: [[[0.0; WIDE]; GROUPS]; COLOURS],
            steps: [[[0; WIDE]; GROUPS]; COLOURS],
        }
    }

    /// Begins a block.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a pixel, and where it is painted. A block has room for all of its own.
    #[inline(always)]
    pub(crate) fn push(&mut self, seen: Seen, [x, y]: [f32; 2]) {
        let at = self.len % PIXELS;
        self.seen[at] = seen;
        self.x[at / WIDE][at % WIDE] = x;
        self.y[at / WIDE][at % WIDE] = y;
        self.len = at + 1;
    }

    /// The pixels in the order in which they came.
    pub(crate) fn seen(&self) -> &[Seen] {
        &self.seen[..self.len]
    }

    /// The colours of a pixel, lit and shaded, once they are mixed.
    #[inline(always)]
    pub(crate) fn words(&self, coder: Coder, index: usize) -> [u32; 2] {
        let [r, g, b, dark_r, dark_g, dark_b] =
            from_fn(|colour| coder.at(self.steps[colour][index / WIDE % GROUPS][index % WIDE]));
        [r | g << 8 | b << 16, dark_r | dark_g << 8 | dark_b << 16]
    }

    /// Mixes the colours of all pixels.
    pub(crate) fn mix(&mut self, paint: &Paint, texture: Option<&Texture>) {
        let groups = self.len.div_ceil(WIDE);
        let (x, y) = (&self.x[..groups], &self.y[..groups]);
        let distance = &mut self.distance[..groups];
        for ((x, y), to) in x.iter().zip(y).zip(&mut *distance) {
            let nearness = paint.numbers(NEARNESS, x, y);
            for lane in 0..WIDE {
                to[lane] = 1.0 / nearness[lane];
            }
        }
        for colour in 0..COLOURS {
            let lights = &mut self.lights[colour][..groups];
            for (((x, y), distance), to) in x.iter().zip(y).zip(&*distance).zip(lights) {
                let numbers = paint.numbers(colour, x, y);
                for lane in 0..WIDE {
                    to[lane] = numbers[lane] * distance[lane];
                }
            }
        }
        if let Some(texture) = texture {
            self.lay(paint, texture);
        }
        for (lights, steps) in self.lights.iter().zip(&mut self.steps) {
            for (lights, to) in lights[..groups].iter().zip(steps) {
                for lane in 0..WIDE {
                    to[lane] = Coder::step(lights[lane]);
                }
            }
        }
    }

    /// Lays a texture over the colours.
    fn lay(&mut self, paint: &Paint, texture: &Texture) {
        let level = texture.level(paint.spread);
        for group in 0..self.len.div_ceil(WIDE) {
            let (x, y, distance) = (&self.x[group], &self.y[group], &self.distance[group]);
            let [u, v] = [0, 1].map(|axis| paint.numbers(COORDINATES + axis, x, y));
            for lane in 0..WIDE {
                let light = texture.light(level, [u[lane] * distance[lane], v[lane] * distance[lane]]);
                for colour in 0..COLOURS {
                    self.lights[colour][group][lane] *= light[colour % 3];
                }
            }
        }
    }
}

impl Paint {
    /// One of the numbers at some places.
    #[inline(always)]
    fn numbers(&self, number: usize, x: &Wide<f32>, y: &Wide<f32>) -> Wide<f32> {
        let (base, dx, dy) = (self.base[number], self.dx[number], self.dy[number]);
        let mut numbers = [0.0; WIDE];
        for lane in 0..WIDE {
            numbers[lane] = base + (dx * x[lane] + dy * y[lane]);
        }
        numbers
    }
}
