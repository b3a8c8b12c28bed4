//! Triangle setup: integer edge functions, and gradients for everything that is interpolated.

use crate::viewport::{FixedVertex, SUBPIXELS};

/// Samples per pixel.
pub(crate) const SAMPLES: usize = 4;

/// Sample positions within a pixel, in sixteenths of it; no two share a row or a column.
pub(crate) const SAMPLE_POSITIONS: [[i32; 2]; SAMPLES] = [[6, 2], [14, 6], [2, 10], [10, 14]];

/// Steps of the sample grid per pixel.
pub(crate) const SAMPLE_GRID: i32 = 16;

/// Subpixels per step of the sample grid.
pub(crate) const GRID_STEP: i32 = SUBPIXELS / SAMPLE_GRID;

/// What happens to the samples that a triangle covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Op {
    /// With the depth test: shaded with the vertex colors of this index.
    Shade(u32),
    /// With the depth test: shaded with the surface triangle of this index.
    Surface(u32),
    /// With the depth test: set to this color.
    Flat(u32),
    /// Without the depth test: set to this color.
    Overlay(u32),
    /// Adds this to the stencil of samples whose surface is in front of the triangle (depth fail).
    Stencil(i8),
}

/// An edge function: zero or more inside. Samples exactly on the edge are inside if it is a left or
/// top edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// Change per sixteenth of a pixel to the right.
    pub(crate) a: i32,
    /// Change per sixteenth of a pixel down.
    pub(crate) b: i32,
    /// Value at the top left corner of the picture.
    pub(crate) c: i64,
}

impl Edge {
    /// The edge between two vertices; the inside is to the right when looking along it, y down.
    fn new(from: &FixedVertex, to: &FixedVertex) -> Self {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let at_origin = i64::from(dy) * i64::from(from.x) - i64::from(dx) * i64::from(from.y);
        // Top-left rule: of two triangles that share an edge, exactly one owns its samples.
        let is_top_left = dy < 0 || (dy == 0 && dx > 0);
        // Samples lie on the sample grid, so the fraction of a grid step never decides.
        let c = (at_origin - i64::from(!is_top_left)) >> GRID_STEP.trailing_zeros();
        Self { a: -dy, b: dx, c }
    }

    /// Value at a pixel's top left corner.
    pub(crate) fn at(&self, x: i32, y: i32) -> i64 {
        self.c
            + i64::from(self.a) * i64::from(x * SAMPLE_GRID)
            + i64::from(self.b) * i64::from(y * SAMPLE_GRID)
    }
}

/// A linear function of the pixel position.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gradient {
    pub(crate) base: f32,
    pub(crate) dx: f32,
    pub(crate) dy: f32,
}

/// A triangle ready for rasterization.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RasterTriangle {
    pub(crate) edges: [Edge; 3],
    /// The vertex at which gradients have their base value, in subpixels.
    pub(crate) origin: [i32; 2],
    pub(crate) depth: Gradient,
    /// Minimum and maximum depth of the vertices.
    pub(crate) depth_range: [f32; 2],
    /// Bounding rectangle in pixels: left, top, right, bottom; the last two are exclusive.
    pub(crate) bounds: [i32; 4],
    pub(crate) op: Op,
}

/// A triangle whose vertices are in canonical order: the inside is to the right of each edge, and
/// the topmost vertex comes first, the leftmost of several. So a triangle has the same depths, to
/// the bit, however its vertices were listed.
pub(crate) struct OrderedTriangle {
    pub(crate) vertices: [FixedVertex; 3],
    /// For each vertex, its index in the given triangle.
    pub(crate) from: [usize; 3],
    /// Twice the area in square subpixels; positive.
    pub(crate) area: i64,
    /// Whether the vertices were given counter-clockwise, as seen in the picture.
    pub(crate) is_front: bool,
}

impl OrderedTriangle {
    /// `None` for a triangle without area.
    pub(crate) fn new(vertices: &[FixedVertex; 3]) -> Option<Self> {
        let [a, b, c] = vertices;
        let area = i64::from(b.x - a.x) * i64::from(c.y - a.y) - i64::from(b.y - a.y) * i64::from(c.x - a.x);
        if area == 0 {
            return None;
        }
        let wound = if area > 0 { [0, 1, 2] } else { [0, 2, 1] };
        let key = |index: usize| (vertices[wound[index]].y, vertices[wound[index]].x);
        let first = if key(1) < key(0) {
            if key(2) < key(1) { 2 } else { 1 }
        } else if key(2) < key(0) {
            2
        } else {
            0
        };
        let from = [wound[first], wound[(first + 1) % 3], wound[(first + 2) % 3]];
        Some(Self { vertices: from.map(|index| vertices[index]), from, area: area.abs(), is_front: area < 0 })
    }

    /// The gradient through one value per vertex, in the order of `self.vertices`.
    pub(crate) fn gradient(&self, [a, b, c]: [f64; 3]) -> Gradient {
        let [p, q, r] = &self.vertices;
        let scale = f64::from(SUBPIXELS) / self.area as f64;
        let (to_b, to_c) = (b - a, c - a);
        let dx = to_b * f64::from(r.y - p.y) - to_c * f64::from(q.y - p.y);
        let dy = to_c * f64::from(q.x - p.x) - to_b * f64::from(r.x - p.x);
        Gradient { base: a as f32, dx: (dx * scale) as f32, dy: (dy * scale) as f32 }
    }

    /// Sets the triangle up for a picture of `width` by `height` pixels; `None` when its bounds lie
    /// outside the picture.
    pub(crate) fn set_up(&self, [width, height]: [i32; 2], op: Op) -> Option<RasterTriangle> {
        let [a, b, c] = &self.vertices;
        let (left, right) = (a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x));
        let (top, bottom) = (a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y));
        let bounds = [
            left.div_euclid(SUBPIXELS).max(0),
            top.div_euclid(SUBPIXELS).max(0),
            (right.div_euclid(SUBPIXELS) + 1).min(width),
            (bottom.div_euclid(SUBPIXELS) + 1).min(height),
        ];
        if bounds[0] >= bounds[2] || bounds[1] >= bounds[3] {
            return None;
        }
        let depths = [a.depth, b.depth, c.depth];
        let (mut min, mut max) = (depths[0] as f32, depths[0] as f32);
        for depth in depths {
            let depth = depth as f32;
            min = if depth < min { depth } else { min };
            max = if depth > max { depth } else { max };
        }
        Some(RasterTriangle {
            edges: [Edge::new(a, b), Edge::new(b, c), Edge::new(c, a)],
            origin: [a.x, a.y],
            depth: self.gradient(depths),
            depth_range: [min, max],
            bounds,
            op,
        })
    }
}

/// The varyings of a shaded triangle: values divided by w, and 1 / w as the last, each as a
/// gradient. `base`, `dx` and `dy` hold one element per varying.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Varyings<const N: usize> {
    pub(crate) base: [f32; N],
    pub(crate) dx: [f32; N],
    pub(crate) dy: [f32; N],
}

impl<const N: usize> Varyings<N> {
    /// From the undivided values at each vertex, in the order of `triangle.vertices`; the last of
    /// them is one.
    pub(crate) fn new(triangle: &OrderedTriangle, values: &[[f64; N]; 3]) -> Self {
        let mut varyings = Self { base: [0.0; N], dx: [0.0; N], dy: [0.0; N] };
        for index in 0..N {
            let at = |vertex: usize| values[vertex][index] * triangle.vertices[vertex].inv_w;
            let gradient = triangle.gradient([at(0), at(1), at(2)]);
            varyings.base[index] = gradient.base;
            varyings.dx[index] = gradient.dx;
            varyings.dy[index] = gradient.dy;
        }
        varyings
    }
}
