//! Coverage of a block of pixels by a triangle: which samples are inside, and their depths.

use crate::triangle_setup::{GRID_STEP, RasterTriangle, SAMPLE_GRID, SAMPLE_POSITIONS, SAMPLES};
use crate::viewport::SUBPIXELS;

/// Side length in pixels of a block, which is tested as a whole.
pub(crate) const BLOCK: i32 = 8;
/// The first and last step of the sample grid that holds a sample, in both directions.
const FIRST_SAMPLE: i32 = 2;
const LAST_SAMPLE: i32 = 14;

/// One value for each sample of a pixel.
pub(crate) type Samples<T> = [T; SAMPLES];

/// The edge functions of a triangle relative to a block: those that cross it, in 32 bits, which
/// cannot overflow within the block.
pub(crate) struct BlockCoverage {
    /// Each edge at the samples of the block's first pixel.
    start: [Samples<i32>; 3],
    right: [i32; 3],
    down: [i32; 3],
    x: i32,
    y: i32,
    /// Whether the triangle covers all samples of the block.
    pub(crate) is_full: bool,
}

impl BlockCoverage {
    /// `None` where the triangle covers no sample of the block.
    #[inline(always)]
    pub(crate) fn new(triangle: &RasterTriangle, x: i32, y: i32) -> Option<Self> {
        const LAST: i32 = (BLOCK - 1) * SAMPLE_GRID + LAST_SAMPLE;
        let mut coverage =
            Self { start: [[0; SAMPLES]; 3], right: [0; 3], down: [0; 3], x, y, is_full: true };
        for (index, edge) in triangle.edges.iter().enumerate() {
            let at = edge.at(x, y);
            let horizontal = [edge.a * FIRST_SAMPLE, edge.a * LAST];
            let vertical = [edge.b * FIRST_SAMPLE, edge.b * LAST];
            let max = i64::from(horizontal[0].max(horizontal[1])) + i64::from(vertical[0].max(vertical[1]));
            if at + max < 0 {
                return None;
            }
            let min = i64::from(horizontal[0].min(horizontal[1])) + i64::from(vertical[0].min(vertical[1]));
            if at + min < 0 {
                coverage.is_full = false;
                // The edge crosses zero within the block, so its values there fit into 32 bits.
                let at = at as i32;
                for (sample, [i, j]) in SAMPLE_POSITIONS.into_iter().enumerate() {
                    coverage.start[index][sample] = at + (edge.a * i + edge.b * j);
                }
                coverage.right[index] = edge.a * SAMPLE_GRID;
                coverage.down[index] = edge.b * SAMPLE_GRID;
            }
        }
        Some(coverage)
    }

    /// The row of pixels that begins at a pixel of the block.
    #[inline(always)]
    pub(crate) fn row(&self, x: i32, y: i32) -> CoverageRow {
        let (x, y) = (x - self.x, y - self.y);
        let mut edges = self.start;
        for edge in 0..3 {
            let offset = self.right[edge] * x + self.down[edge] * y;
            edges[edge] = edges[edge].map(|start| start + offset);
        }
        CoverageRow { edges, right: self.right }
    }
}

/// Iterates over the coverage of a row of pixels, from left to right.
pub(crate) struct CoverageRow {
    edges: [Samples<i32>; 3],
    right: [i32; 3],
}

impl CoverageRow {
    /// For each sample of the next pixel, a value that is negative if the sample is outside.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Samples<i32> {
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

/// Iterates over the depths of a row of pixels, from left to right.
pub(crate) struct DepthRow {
    x: Samples<f32>,
    /// The vertical part of the gradient.
    dy: Samples<f32>,
    base: f32,
    dx: f32,
    range: [f32; 2],
}

impl DepthRow {
    /// The row that begins at a pixel.
    #[inline(always)]
    pub(crate) fn new(triangle: &RasterTriangle, x: i32, y: i32) -> Self {
        let offsets = SAMPLE_POSITIONS.map(|sample| offset_from_origin(triangle, x, y, sample));
        Self {
            x: offsets.map(|[x, _]| x),
            dy: offsets.map(|[_, y]| triangle.depth.dy * y),
            base: triangle.depth.base,
            dx: triangle.depth.dx,
            range: triangle.depth_range,
        }
    }

    /// The depths of the next pixel's samples, clamped to the range of the vertices' depths: a thin
    /// triangle has steep gradients.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Samples<f32> {
        let mut depths = [0.0; SAMPLES];
        for sample in 0..SAMPLES {
            let depth = self.base + (self.dx * self.x[sample] + self.dy[sample]);
            depths[sample] = clamp(depth, self.range);
            // Exact, because offsets are whole subpixels.
            self.x[sample] += 1.0;
        }
        depths
    }
}

/// The minimum and maximum depth that a triangle's samples can have in a rectangle of pixels: left,
/// top, right, bottom; the last two exclusive. Rounding is monotonic, so the depths at the corner
/// samples bound all others, to the bit.
#[inline(always)]
pub(crate) fn depth_range(triangle: &RasterTriangle, [left, top, right, bottom]: [i32; 4]) -> [f32; 2] {
    let [x, y] = offset_from_origin(triangle, left, top, [FIRST_SAMPLE; 2]);
    let [end_x, end_y] = offset_from_origin(triangle, right - 1, bottom - 1, [LAST_SAMPLE; 2]);
    let horizontal = sort(triangle.depth.dx * x, triangle.depth.dx * end_x);
    let vertical = sort(triangle.depth.dy * y, triangle.depth.dy * end_y);
    [0, 1].map(|end| clamp(triangle.depth.base + (horizontal[end] + vertical[end]), triangle.depth_range))
}

fn sort(a: f32, b: f32) -> [f32; 2] {
    if a < b { [a, b] } else { [b, a] }
}

#[inline(always)]
fn clamp(depth: f32, [min, max]: [f32; 2]) -> f32 {
    let depth = if depth < min { min } else { depth };
    if depth > max { max } else { depth }
}

/// The offset of a point of a pixel from the triangle's origin, in pixels. The point is given in
/// steps of the sample grid.
#[inline(always)]
pub(crate) fn offset_from_origin(triangle: &RasterTriangle, x: i32, y: i32, [i, j]: [i32; 2]) -> [f32; 2] {
    let pixels = |subpixels: i32| subpixels as f32 * (1.0 / SUBPIXELS as f32);
    [
        pixels(x * SUBPIXELS + i * GRID_STEP - triangle.origin[0]),
        pixels(y * SUBPIXELS + j * GRID_STEP - triangle.origin[1]),
    ]
}
