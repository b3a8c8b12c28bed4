//! A face as a block of pixels sees it: which samples are in it, and how deep they are.

use crate::face::{Face, PARTS, SAMPLE_PLACES, SAMPLES, STEP};
use crate::screen::GRID;

/// Pixels on the side of a block that is tested as a whole.
pub(crate) const BLOCK: i32 = 8;
/// The first and the last part of a pixel that a sample is at.
const FIRST_PART: i32 = 2;
const LAST_PART: i32 = 14;

/// One number for each sample of a pixel.
pub(crate) type Quad<T> = [T; SAMPLES];

/// The edges of a face, as seen from a block: those that cut it, in numbers that do not overflow there.
pub(crate) struct Window {
    /// Each edge at the samples of the block's first pixel.
    start: [Quad<i32>; 3],
    right: [i32; 3],
    down: [i32; 3],
    x: i32,
    y: i32,
    /// Whether all samples of the block are in the face.
    pub(crate) is_whole: bool,
}

impl Window {
    /// `None` where no sample of the block is in the face.
    #[inline(always)]
    pub(crate) fn new(face: &Face, x: i32, y: i32) -> Option<Self> {
        const LAST: i32 = (BLOCK - 1) * PARTS + LAST_PART;
        let mut window = Self { start: [[0; SAMPLES]; 3], right: [0; 3], down: [0; 3], x, y, is_whole: true };
        for (index, edge) in face.edges.iter().enumerate() {
            let at = edge.at(x, y);
            let across = [edge.a * FIRST_PART, edge.a * LAST];
            let along = [edge.b * FIRST_PART, edge.b * LAST];
            let most = i64::from(across[0].max(across[1])) + i64::from(along[0].max(along[1]));
            if at + most < 0 {
                return None;
            }
            let least = i64::from(across[0].min(across[1])) + i64::from(along[0].min(along[1]));
            if at + least < 0 {
                window.is_whole = false;
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

    /// The row of pixels that begins at one of them.
    #[inline(always)]
    pub(crate) fn row(&self, x: i32, y: i32) -> Outside {
        let (x, y) = (x - self.x, y - self.y);
        let mut edges = self.start;
        for edge in 0..3 {
            let here = self.right[edge] * x + self.down[edge] * y;
            edges[edge] = edges[edge].map(|start| start + here);
        }
        Outside { edges, right: self.right }
    }
}

/// Which samples are outside a face, pixel by pixel from left to right.
pub(crate) struct Outside {
    edges: [Quad<i32>; 3],
    right: [i32; 3],
}

impl Outside {
    /// Below zero where a sample of the next pixel is outside.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Quad<i32> {
        let mut signs = [0; SAMPLES];
        for edge in 0..3 {
            for sample in 0..SAMPLES {
                signs[sample] |= self.edges[edge][sample];
                self.edges[edge][sample] += self.right[edge];
            }
        }
        signs
    }
}

/// The depths of a face's samples, pixel by pixel from left to right.
pub(crate) struct Depths {
    x: Quad<f32>,
    along: Quad<f32>,
    base: f32,
    dx: f32,
    range: [f32; 2],
}

impl Depths {
    /// Along the row of pixels that begins at one of them.
    #[inline(always)]
    pub(crate) fn row(face: &Face, x: i32, y: i32) -> Self {
        let places = SAMPLE_PLACES.map(|part| from_origin(face, x, y, part));
        Self {
            x: places.map(|[x, _]| x),
            along: places.map(|[_, y]| face.depth.dy * y),
            base: face.depth.base,
            dx: face.depth.dx,
            range: face.depths,
        }
    }

    /// The depths of the next pixel's samples: never outside those of the corners, however thin the face.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Quad<f32> {
        let mut depths = [0.0; SAMPLES];
        for sample in 0..SAMPLES {
            let depth = self.base + (self.dx * self.x[sample] + self.along[sample]);
            depths[sample] = within(depth, self.range);
            // Exact: places are whole steps of the grid.
            self.x[sample] += 1.0;
        }
        depths
    }
}

/// The least and the greatest depth that samples of a face can have in some pixels: left, top, and past the right and the
/// bottom. Sums and products that are rounded keep their order, so the samples in the corners bound all others, to the bit.
#[inline(always)]
pub(crate) fn depth_range(face: &Face, [left, top, right, bottom]: [i32; 4]) -> [f32; 2] {
    let [x, y] = from_origin(face, left, top, [FIRST_PART; 2]);
    let [end_x, end_y] = from_origin(face, right - 1, bottom - 1, [LAST_PART; 2]);
    let across = ordered(face.depth.dx * x, face.depth.dx * end_x);
    let along = ordered(face.depth.dy * y, face.depth.dy * end_y);
    [0, 1].map(|end| within(face.depth.base + (across[end] + along[end]), face.depths))
}

fn ordered(a: f32, b: f32) -> [f32; 2] {
    if a < b { [a, b] } else { [b, a] }
}

#[inline(always)]
fn within(depth: f32, [least, most]: [f32; 2]) -> f32 {
    let depth = if depth < least { least } else { depth };
    if depth > most { most } else { depth }
}

/// A part of a pixel, in pixels from the face's origin.
#[inline(always)]
pub(crate) fn from_origin(face: &Face, x: i32, y: i32, [i, j]: [i32; 2]) -> [f32; 2] {
    let pixels = |steps: i32| steps as f32 * (1.0 / GRID as f32);
    [pixels(x * GRID + i * STEP - face.origin[0]), pixels(y * GRID + j * STEP - face.origin[1])]
}
