//! Support for the rasterizer's tests: canvases, cameras, random numbers and a box.

#![allow(dead_code, reason = "each test program uses a part of it")]

use sinew_raster::{Camera, Canvas, Picture, Size, Texture, Vertex, ViewProjection};

pub(crate) const WHITE: [f32; 3] = [1.0; 3];

pub(crate) fn size(width: usize, height: usize) -> Size {
    Size::new(width, height).expect("a valid size")
}

/// A canvas addressed in pixels: x to the right, y down, without perspective.
pub(crate) struct FlatCanvas {
    pub(crate) canvas: Canvas,
    pub(crate) width: f32,
    pub(crate) height: f32,
}

impl FlatCanvas {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let mut canvas = Canvas::new(size(width, height));
        canvas.clear([0.0; 3]);
        Self { canvas, width: width as f32, height: height as f32 }
    }

    /// The clip-space position of a pixel's top left corner; depth is 0 at infinity and 1 at most.
    pub(crate) fn position(&self, x: f32, y: f32, depth: f32) -> [f32; 4] {
        [2.0 * x / self.width - 1.0, 1.0 - 2.0 * y / self.height, depth, 1.0]
    }

    pub(crate) fn vertex(&self, [x, y]: [f32; 2], depth: f32, color: [f32; 3]) -> Vertex {
        Vertex::with_color(self.position(x, y, depth), color)
    }

    pub(crate) fn render(&mut self, threads: usize) -> Picture {
        render(&mut self.canvas, &[], threads)
    }
}

pub(crate) fn render(canvas: &mut Canvas, textures: &[Texture], threads: usize) -> Picture {
    let mut picture = Picture::new(canvas.size());
    canvas.render(textures, threads, &mut picture);
    picture
}

/// A view along -Z with a vertical field of view of 90 degrees.
pub(crate) fn view(position: [f32; 3], size: Size) -> ViewProjection {
    let target = [position[0], position[1], position[2] - 1.0];
    ViewProjection::new(&Camera { position, target, ..Camera::default() }, size).expect("a valid camera")
}

/// A pseudorandom number generator.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number from 0 to 1.
    pub(crate) fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    pub(crate) fn within(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.next()
    }
}

/// The vertices of a box, and its triangles with their fronts outward.
pub(crate) fn box_mesh(low: [f32; 3], high: [f32; 3]) -> ([[f32; 3]; 8], [[u32; 3]; 12]) {
    let corner =
        |bits: usize| [0, 1, 2].map(|axis| if bits >> axis & 1 == 1 { high[axis] } else { low[axis] });
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let half = |index: usize| {
        let [a, b, c, d] = quads[index / 2];
        if index.is_multiple_of(2) { [a, b, c] } else { [a, c, d] }
    };
    (std::array::from_fn(corner), std::array::from_fn(half))
}
