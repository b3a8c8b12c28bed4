//! The samples of one tile, filled face by face.
//!
//! A tile is small enough for a near cache. Each sample has a depth, a count of shadow volumes, and two colours: lit,
//! and in the shadow. Which one is seen is decided at the end, when the counts are known. Loops over the samples of a block
//! are functions of their own, never inlined: together they would be short of registers.

use std::ops::Range;

use crate::bins::{TILE_HEIGHT, TILE_WIDTH};
use crate::brush::{Brush, Seen};
use crate::face::{Act, Face, PARTS, Paint, SAMPLE_PLACES, SAMPLES};
use crate::ranges::Ranges;
use crate::srgb::Coder;
use crate::texture::Texture;
use crate::window::{BLOCK, Depths, Quad, Window, depth_range, from_origin};

/// The samples of a tile, pixel by pixel.
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    left: i32,
    top: i32,
    depth: Vec<Quad<f32>>,
    lit: Vec<Quad<u32>>,
    shaded: Vec<Quad<u32>>,
    /// Only the lowest eight bits count: as wide as a depth, so that they are worked on side by side.
    count: Vec<Quad<i32>>,
    ranges: Ranges,
    brush: Brush,
}

/// What faces are painted with.
#[derive(Clone, Copy)]
pub(crate) struct Paints<'a> {
    pub(crate) faces: &'a [Face],
    pub(crate) paints: &'a [Paint],
    pub(crate) textures: &'a [Texture],
}

const PIXELS: usize = TILE_WIDTH * TILE_HEIGHT;

impl Tile {
    pub(crate) fn new() -> Self {
        Self {
            left: 0,
            top: 0,
            depth: vec![[0.0; SAMPLES]; PIXELS],
            lit: vec![[0; SAMPLES]; PIXELS],
            shaded: vec![[0; SAMPLES]; PIXELS],
            count: vec![[0; SAMPLES]; PIXELS],
            ranges: Ranges::default(),
            brush: Brush::new(),
        }
    }

    /// Begins a tile: nothing but the background, infinitely far away.
    pub(crate) fn begin(&mut self, column: usize, row: usize, background: u32) {
        self.left = (column * TILE_WIDTH) as i32;
        self.top = (row * TILE_HEIGHT) as i32;
        self.depth.fill([0.0; SAMPLES]);
        self.lit.fill([background; SAMPLES]);
        self.shaded.fill([background; SAMPLES]);
        self.count.fill([0; SAMPLES]);
        self.ranges.is_stale = true;
    }

    /// Fills the faces of a list, one after the other.
    pub(crate) fn fill(&mut self, list: &[u32], paints: &Paints<'_>) {
        let coder = Coder::new();
        for &number in list {
            let face = &paints.faces[number as usize];
            match face.act {
                Act::Paint(paint) => {
                    let paint = &paints.paints[paint as usize];
                    let texture = paint.texture.and_then(|texture| paints.textures.get(texture as usize));
                    self.paint(face, |tile| {
                        tile.brush.mix(paint, texture);
                        tile.stroke(|brush, index| brush.words(coder, index));
                    });
                }
                Act::Flat(word) => self.paint(face, |tile| tile.stroke(|_, _| [word; 2])),
                Act::Over(word) => self.over(face, word),
                Act::Count(step) => self.count(face, step.into()),
            }
        }
    }

    /// The pixels of the tile around a face: left, top, and past the right and the bottom.
    #[inline(always)]
    fn around(&self, face: &Face) -> [i32; 4] {
        let [left, top, right, bottom] = face.bounds;
        [
            left.max(self.left),
            top.max(self.top),
            right.min(self.left + TILE_WIDTH as i32),
            bottom.min(self.top + TILE_HEIGHT as i32),
        ]
    }

    /// The samples of a row of pixels.
    #[inline(always)]
    fn pixels(&self, [left, right]: [i32; 2], y: i32) -> Range<usize> {
        let row = (y - self.top) as usize * TILE_WIDTH;
        row + (left - self.left) as usize..row + (right - self.left) as usize
    }

    /// Finds out which samples are the nearest, and has them painted block by block.
    #[inline(always)]
    fn paint(&mut self, face: &Face, stroke: impl Fn(&mut Self)) {
        self.ranges.is_stale = true;
        for block in blocks(self.around(face)) {
            let Some(window) = Window::new(face, block[0] & -BLOCK, block[1] & -BLOCK) else { continue };
            self.see(face, &window, block);
            stroke(self);
        }
    }

    /// Puts a face's depths where it is the nearest, and its pixels into the brush.
    #[inline(never)]
    fn see(&mut self, face: &Face, window: &Window, [left, top, right, bottom]: [i32; 4]) {
        self.brush.clear();
        for y in top..bottom {
            let mut outside = window.row(left, y);
            let mut depths = Depths::row(face, left, y);
            let pixels = self.pixels([left, right], y);
            let first = pixels.start;
            for ((x, there), pixel) in (left..right).zip(&mut self.depth[pixels]).zip(first..) {
                let (outside, depth) = (outside.next(), depths.next());
                let mut samples = [0; SAMPLES];
                for sample in 0..SAMPLES {
                    let is_nearer = mask(depth[sample] > there[sample]);
                    samples[sample] = (!(outside[sample] >> 31) & is_nearer).cast_unsigned();
                }
                if samples == [0; SAMPLES] {
                    continue;
                }
                for sample in 0..SAMPLES {
                    let bits = choose(samples[sample], depth[sample].to_bits(), there[sample].to_bits());
                    there[sample] = f32::from_bits(bits);
                }
                self.brush.push(Seen { pixel, samples }, place(face, x, y, outside));
            }
        }
    }

    /// Gives the samples of the brush's pixels their colours.
    #[inline(always)]
    fn stroke(&mut self, words: impl Fn(&Brush, usize) -> [u32; 2]) {
        for (index, seen) in self.brush.seen().iter().enumerate() {
            let [lit, shaded] = words(&self.brush, index);
            let painted = |there: Quad<u32>, word: u32| {
                let mut painted = there;
                for sample in 0..SAMPLES {
                    painted[sample] = choose(seen.samples[sample], word, there[sample]);
                }
                painted
            };
            self.lit[seen.pixel] = painted(self.lit[seen.pixel], lit);
            self.shaded[seen.pixel] = painted(self.shaded[seen.pixel], shaded);
        }
    }

    /// Gives all samples of a face a colour.
    fn over(&mut self, face: &Face, word: u32) {
        for [left, top, right, bottom] in blocks(self.around(face)) {
            let Some(window) = Window::new(face, left & -BLOCK, top & -BLOCK) else { continue };
            for y in top..bottom {
                let mut outside = window.row(left, y);
                for at in self.pixels([left, right], y) {
                    let outside = outside.next();
                    for sample in 0..SAMPLES {
                        if outside[sample] >= 0 {
                            self.lit[at][sample] = word;
                            self.shaded[at][sample] = word;
                        }
                    }
                }
            }
        }
    }

    /// Counts the samples whose surface is before the face, or just in it.
    #[inline(never)]
    fn count(&mut self, face: &Face, step: i32) {
        if self.ranges.is_stale {
            self.ranges = Ranges::of(&self.depth);
        }
        let around = self.around(face);
        if depth_range(face, around)[0] > self.ranges.all[1] {
            return;
        }
        for block in blocks(around) {
            let [left, top, ..] = block;
            let [least, most] = depth_range(face, block);
            let there = self.ranges.block((left - self.left) as usize, (top - self.top) as usize);
            if least > there[1] {
                continue;
            }
            let Some(window) = Window::new(face, left & -BLOCK, top & -BLOCK) else { continue };
            if most <= there[0] {
                self.count_all(&window, block, step);
            } else {
                self.count_behind(face, &window, block, step);
            }
        }
    }

    /// Counts all samples of a block that are in the face.
    #[inline(never)]
    fn count_all(&mut self, window: &Window, [left, top, right, bottom]: [i32; 4], step: i32) {
        for y in top..bottom {
            let mut outside = window.row(left, y);
            let pixels = self.pixels([left, right], y);
            for count in &mut self.count[pixels] {
                let outside = outside.next();
                for sample in 0..SAMPLES {
                    count[sample] += !(outside[sample] >> 31) & step;
                }
            }
        }
    }

    /// Counts those of them whose surface is before the face.
    #[inline(never)]
    fn count_behind(&mut self, face: &Face, window: &Window, block: [i32; 4], step: i32) {
        let [left, top, right, bottom] = block;
        for y in top..bottom {
            let mut outside = window.row(left, y);
            let mut depths = Depths::row(face, left, y);
            let pixels = self.pixels([left, right], y);
            for (count, there) in self.count[pixels.clone()].iter_mut().zip(&self.depth[pixels]) {
                let (outside, depth) = (outside.next(), depths.next());
                let mut counted = *count;
                for sample in 0..SAMPLES {
                    // Below zero where the face is before the surface: both depths are numbers from zero to one.
                    let before = (there[sample] - depth[sample]).to_bits().cast_signed();
                    counted[sample] += !((outside[sample] | before) >> 31) & step;
                }
                *count = counted;
            }
        }
    }

    /// Writes the tile's pixels into a row of tiles, which is so many pixels wide.
    pub(crate) fn resolve(&self, to: &mut [[u8; 3]], width: usize) {
        let coder = Coder::new();
        let left = self.left as usize;
        let wide = TILE_WIDTH.min(width - left);
        for (row, to) in to.chunks_mut(width).enumerate() {
            for (column, to) in to[left..left + wide].iter_mut().enumerate() {
                let at = row * TILE_WIDTH + column;
                let mut words = self.lit[at];
                if self.count[at] != [0; SAMPLES] {
                    for sample in 0..SAMPLES {
                        let in_shadow = self.count[at][sample] & 255 != 0;
                        words[sample] = if in_shadow { self.shaded[at][sample] } else { words[sample] };
                    }
                }
                let word = if words == [words[0]; SAMPLES] { words[0] } else { coder.mean(words) };
                let [red, green, blue, _] = word.to_le_bytes();
                *to = [red, green, blue];
            }
        }
    }
}

/// All bits, or none.
#[inline(always)]
fn mask(is: bool) -> i32 {
    -i32::from(is)
}

/// The bits of one number where a mask has bits, and those of another elsewhere.
#[inline(always)]
fn choose(mask: u32, one: u32, other: u32) -> u32 {
    one & mask | other & !mask
}

/// Where a pixel is painted, in pixels from the face's origin.
#[inline(always)]
fn place(face: &Face, x: i32, y: i32, outside: Quad<i32>) -> [f32; 2] {
    // Within the face, where its numbers mean something.
    let part = if outside.iter().all(|&sign| sign >= 0) {
        [PARTS / 2; 2]
    } else {
        SAMPLE_PLACES[outside.iter().position(|&sign| sign >= 0).unwrap_or(0)]
    };
    from_origin(face, x, y, part)
}

/// A rectangle of pixels, as far as it lies in each block.
fn blocks([left, top, right, bottom]: [i32; 4]) -> impl Iterator<Item = [i32; 4]> {
    let starts = |low: i32, high: i32| (low & -BLOCK..high).step_by(BLOCK as usize);
    starts(top, bottom).flat_map(move |y| {
        let rows = [y.max(top), bottom.min(y + BLOCK)];
        starts(left, right).map(move |x| [x.max(left), rows[0], right.min(x + BLOCK), rows[1]])
    })
}
