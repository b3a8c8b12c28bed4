//! The samples of one tile, filled face by face.
//!
//! A tile is small enough for a near cache. Each sample has a depth, a count of shadow volumes, and two colours: lit,
//! and in the shadow. Which one is seen is decided at the end, when the counts are known.

use crate::bins::{TILE_HEIGHT, TILE_WIDTH};
use crate::face::{Act, Face, NUMBERS, PARTS, Paint, SAMPLE_PLACES, SAMPLES, STEP};
use crate::screen::GRID;
use crate::srgb::Coder;
use crate::texture::Texture;

/// Pixels on the side of a block that is tested as a whole.
const BLOCK: i32 = 8;
/// The first and the last part of a pixel that a sample of a block is at.
const FIRST_PART: i32 = 2;
const LAST_PART: i32 = (BLOCK - 1) * PARTS + 14;

/// One number for each sample of a pixel.
type Quad<T> = [T; SAMPLES];

/// The samples of a tile, pixel by pixel.
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    left: i32,
    top: i32,
    depth: Vec<Quad<f32>>,
    lit: Vec<Quad<u32>>,
    shaded: Vec<Quad<u32>>,
    count: Vec<Quad<i8>>,
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
                    let texture = texture.map(|texture| (texture, texture.level(paint.spread)));
                    self.walk(face, |tile, at, cover, depth, place| {
                        tile.paint(at, cover, depth, || paint.words(coder, texture, place));
                    });
                }
                Act::Flat(word) => {
                    self.walk(face, |tile, at, cover, depth, _| tile.paint(at, cover, depth, || [word; 2]));
                }
                Act::Over(word) => self.walk(face, |tile, at, cover, _, _| tile.over(at, cover, word)),
                Act::Count(step) => {
                    self.walk(face, |tile, at, cover, depth, _| tile.count(at, cover, depth, step));
                }
            }
        }
    }

    /// Calls with every pixel that has samples in the face: its number, which samples, their depths, and where to paint,
    /// in pixels from the face's origin.
    #[inline(always)]
    fn walk(&mut self, face: &Face, mut act: impl FnMut(&mut Self, usize, Quad<bool>, Quad<f32>, [f32; 2])) {
        let [left, top, right, bottom] = face.bounds;
        let (left, right) = (left.max(self.left), right.min(self.left + TILE_WIDTH as i32));
        let (top, bottom) = (top.max(self.top), bottom.min(self.top + TILE_HEIGHT as i32));
        let mut y = top & !(BLOCK - 1);
        while y < bottom {
            let rows = [y.max(top), bottom.min(y + BLOCK)];
            let mut x = left & !(BLOCK - 1);
            while x < right {
                let columns = [x.max(left), right.min(x + BLOCK)];
                if let Some(edges) = Window::new(face, x, y) {
                    self.block(face, &edges, columns, rows, &mut act);
                }
                x += BLOCK;
            }
            y += BLOCK;
        }
    }

    #[inline(always)]
    fn block(
        &mut self,
        face: &Face,
        window: &Window,
        [left, right]: [i32; 2],
        [top, bottom]: [i32; 2],
        act: &mut impl FnMut(&mut Self, usize, Quad<bool>, Quad<f32>, [f32; 2]),
    ) {
        for y in top..bottom {
            let row = (y - self.top) as usize * TILE_WIDTH;
            for x in left..right {
                let cover = window.cover(x, y);
                if cover == [false; SAMPLES] {
                    continue;
                }
                let at = row + (x - self.left) as usize;
                let place = if cover == [true; SAMPLES] {
                    from_origin(face, x, y, [PARTS / 2; 2])
                } else {
                    // Within the face, where its numbers mean something.
                    let first = cover.iter().position(|&covered| covered).unwrap_or(0);
                    from_origin(face, x, y, SAMPLE_PLACES[first])
                };
                act(self, at, cover, depths(face, x, y), place);
            }
        }
    }

    #[inline(always)]
    fn paint(&mut self, at: usize, cover: Quad<bool>, depth: Quad<f32>, words: impl FnOnce() -> [u32; 2]) {
        let there = &mut self.depth[at];
        let mut nearer = [false; SAMPLES];
        for sample in 0..SAMPLES {
            nearer[sample] = cover[sample] & (depth[sample] > there[sample]);
        }
        if nearer == [false; SAMPLES] {
            return;
        }
        let [lit, shaded] = words();
        let (lits, shadeds) = (&mut self.lit[at], &mut self.shaded[at]);
        for sample in 0..SAMPLES {
            there[sample] = if nearer[sample] { depth[sample] } else { there[sample] };
            lits[sample] = if nearer[sample] { lit } else { lits[sample] };
            shadeds[sample] = if nearer[sample] { shaded } else { shadeds[sample] };
        }
    }

    #[inline(always)]
    fn over(&mut self, at: usize, cover: Quad<bool>, word: u32) {
        for sample in 0..SAMPLES {
            if cover[sample] {
                self.lit[at][sample] = word;
                self.shaded[at][sample] = word;
            }
        }
    }

    /// Counts the samples whose surface is before the face, or just in it.
    #[inline(always)]
    fn count(&mut self, at: usize, cover: Quad<bool>, depth: Quad<f32>, step: i8) {
        let (there, count) = (&self.depth[at], &mut self.count[at]);
        for sample in 0..SAMPLES {
            let behind = cover[sample] & (depth[sample] <= there[sample]);
            count[sample] = count[sample].wrapping_add(if behind { step } else { 0 });
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
                        let in_shadow = self.count[at][sample] != 0;
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

/// The edges of a face, as seen from a block: those that cut it, in numbers that do not overflow there.
struct Window {
    /// Each edge at the samples of the block's first pixel.
    start: [Quad<i32>; 3],
    right: [i32; 3],
    down: [i32; 3],
    x: i32,
    y: i32,
    whole: bool,
}

impl Window {
    /// `None` where no sample of the block is in the face.
    #[inline(always)]
    fn new(face: &Face, x: i32, y: i32) -> Option<Self> {
        let mut window = Self { start: [[0; SAMPLES]; 3], right: [0; 3], down: [0; 3], x, y, whole: true };
        for (index, edge) in face.edges.iter().enumerate() {
            let at = edge.at(x, y);
            let across = [edge.a * FIRST_PART, edge.a * LAST_PART];
            let along = [edge.b * FIRST_PART, edge.b * LAST_PART];
            let most = i64::from(across[0].max(across[1])) + i64::from(along[0].max(along[1]));
            if at + most < 0 {
                return None;
            }
            let least = i64::from(across[0].min(across[1])) + i64::from(along[0].min(along[1]));
            if at + least < 0 {
                window.whole = false;
                // It crosses zero within the block, so it is small there.
                let at = at as i32;
                for (sample, [i, j]) in SAMPLE_PLACES.into_iter().enumerate() {
                    window.start[index][sample] = at + (edge.a * i + edge.b * j);
                }
                window.right[index] = edge.a * PARTS;
                window.down[index] = edge.b * PARTS;
            }
        }
        Some(window)
    }

    /// Which samples of a pixel are in the face.
    #[inline(always)]
    fn cover(&self, x: i32, y: i32) -> Quad<bool> {
        if self.whole {
            return [true; SAMPLES];
        }
        let (x, y) = (x - self.x, y - self.y);
        let mut signs = [0; SAMPLES];
        for edge in 0..3 {
            let here = self.right[edge] * x + self.down[edge] * y;
            for sample in 0..SAMPLES {
                signs[sample] |= self.start[edge][sample] + here;
            }
        }
        signs.map(|sign| sign >= 0)
    }
}

/// A part of a pixel, in pixels from the face's origin.
#[inline(always)]
fn from_origin(face: &Face, x: i32, y: i32, [i, j]: [i32; 2]) -> [f32; 2] {
    let pixels = |steps: i32| steps as f32 * (1.0 / GRID as f32);
    [pixels(x * GRID + i * STEP - face.origin[0]), pixels(y * GRID + j * STEP - face.origin[1])]
}

/// The depths of a pixel's samples: never outside those of the corners, however thin the face.
#[inline(always)]
fn depths(face: &Face, x: i32, y: i32) -> Quad<f32> {
    let [least, most] = face.depths;
    let mut depths = [0.0; SAMPLES];
    for sample in 0..SAMPLES {
        let [x, y] = from_origin(face, x, y, SAMPLE_PLACES[sample]);
        let depth = face.depth.base + (face.depth.dx * x + face.depth.dy * y);
        let depth = if depth < least { least } else { depth };
        depths[sample] = if depth > most { most } else { depth };
    }
    depths
}

impl Paint {
    /// The colours at a place, lit and shaded.
    #[inline(always)]
    fn words(&self, coder: Coder, texture: Option<(&Texture, usize)>, [x, y]: [f32; 2]) -> [u32; 2] {
        let mut numbers = [0.0; NUMBERS];
        for (number, to) in numbers.iter_mut().enumerate() {
            *to = self.base[number] + (self.dx[number] * x + self.dy[number] * y);
        }
        let distance = 1.0 / numbers[NUMBERS - 1];
        let [r, g, b, dark_r, dark_g, dark_b, u, v, _] = numbers.map(|number| number * distance);
        let Some((texture, level)) = texture else {
            return [coder.word([r, g, b]), coder.word([dark_r, dark_g, dark_b])];
        };
        let [red, green, blue] = texture.light(level, [u, v]);
        [
            coder.word([r * red, g * green, b * blue]),
            coder.word([dark_r * red, dark_g * green, dark_b * blue]),
        ]
    }
}
