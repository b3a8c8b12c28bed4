//! What the tests draw, and on what.

#![allow(dead_code, reason = "each test takes what it needs")]

use sinew_raster::{Canvas, Eye, Picture, Size, Texture, Vertex, View};

pub(crate) const WHITE: [f32; 3] = [1.0; 3];

pub(crate) fn size(width: usize, height: usize) -> Size {
    Size::new(width, height).expect("a sound size")
}

/// A canvas whose clip space is its pixels: x to the right and y down, all at one depth.
pub(crate) struct Flat {
    pub(crate) canvas: Canvas,
    pub(crate) width: f32,
    pub(crate) height: f32,
}

impl Flat {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let mut canvas = Canvas::new(size(width, height));
        canvas.clear([0.0; 3]);
        Self { canvas, width: width as f32, height: height as f32 }
    }

    /// The place of a pixel's corner; depth from 0, far away, to 1.
    pub(crate) fn place(&self, x: f32, y: f32, depth: f32) -> [f32; 4] {
        [2.0 * x / self.width - 1.0, 1.0 - 2.0 * y / self.height, depth, 1.0]
    }

    pub(crate) fn vertex(&self, [x, y]: [f32; 2], depth: f32, colour: [f32; 3]) -> Vertex {
        Vertex::coloured(self.place(x, y, depth), colour)
    }

    pub(crate) fn draw(&mut self, threads: usize) -> Picture {
        draw(&mut self.canvas, &[], threads)
    }
}

pub(crate) fn draw(canvas: &mut Canvas, textures: &[Texture], threads: usize) -> Picture {
    let mut picture = Picture::new(canvas.size());
    canvas.draw(textures, threads, &mut picture);
    picture
}

/// From a point, straight ahead along -Z, 90 degrees from top to bottom.
pub(crate) fn view(at: [f32; 3], size: Size) -> View {
    let target = [at[0], at[1], at[2] - 1.0];
    View::new(&Eye { at, target, ..Eye::default() }, size).expect("a sound eye")
}

/// Numbers that look random: from 0 to 1.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    pub(crate) fn within(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.next()
    }
}

/// The corners and outward triangles of a box.
pub(crate) fn box_of(low: [f32; 3], high: [f32; 3]) -> ([[f32; 3]; 8], [[u32; 3]; 12]) {
    let corner =
        |bits: usize| [0, 1, 2].map(|axis| if bits >> axis & 1 == 1 { high[axis] } else { low[axis] });
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let half = |index: usize| {
        let [a, b, c, d] = quads[index / 2];
        if index.is_multiple_of(2) { [a, b, c] } else { [a, c, d] }
    };
    (std::array::from_fn(corner), std::array::from_fn(half))
}
