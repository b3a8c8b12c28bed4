//! Lines and dots, with a width in pixels at any distance.

use crate::Canvas;
use crate::srgb::SrgbEncoder;
use crate::triangle_setup::Op;
use crate::viewport::FixedVertex;

/// What hides lines and dots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DepthTest {
    /// Nearer surfaces. The lines are moved toward the camera by this fraction of their distance,
    /// so that a line on a surface is visible if the bias is large enough.
    Biased(f32),
    /// Nothing: they are always visible.
    Always,
}

/// Lines of one color and width.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    /// Both ends of each line, in clip space.
    pub ends: &'a [[[f32; 4]; 2]],
    /// Linear RGB; shadows do not darken it.
    pub color: [f32; 3],
    /// In pixels.
    pub width: f32,
    /// What hides them.
    pub depth_test: DepthTest,
}

/// Round dots of one color and size.
#[derive(Clone, Copy, Debug)]
pub struct Dots<'a> {
    /// The centers, in clip space.
    pub positions: &'a [[f32; 4]],
    /// Linear RGB; shadows do not darken it.
    pub color: [f32; 3],
    /// The diameter in pixels.
    pub width: f32,
    /// What hides them.
    pub depth_test: DepthTest,
}

/// A vertex of a line or dot: x and y in pixels, and depth.
type PixelVertex = [f64; 3];

/// A dot is a regular octagon; these are its vertices on the unit circle.
const OCTAGON: [[f64; 2]; 8] = {
    const DIAGONAL: f64 = std::f64::consts::FRAC_1_SQRT_2;
    [
        [1.0, 0.0],
        [DIAGONAL, DIAGONAL],
        [0.0, 1.0],
        [-DIAGONAL, DIAGONAL],
        [-1.0, 0.0],
        [-DIAGONAL, -DIAGONAL],
        [0.0, -1.0],
        [DIAGONAL, -DIAGONAL],
    ]
};

impl Canvas {
    /// Adds lines. A line with a non-finite coordinate is skipped.
    pub fn add_lines(&mut self, lines: &Lines<'_>) {
        let (op, bias) = op_and_bias(lines.depth_test, lines.color);
        let half_width = 0.5 * f64::from(lines.width);
        for ends in lines.ends.iter().filter(|ends| is_finite(ends.as_flattened())) {
            let Some(ends) = self.viewport.guard_band.clip_line(*ends) else { continue };
            let [Some(a), Some(b)] = ends.map(|end| self.pixel_vertex(end, bias)) else { continue };
            let (x, y) = (b[0] - a[0], b[1] - a[1]);
            let length = (x * x + y * y).sqrt();
            // A line that points at the camera has no direction in the picture: it gets a square.
            let [x, y] = if length > 1e-9 {
                [x / length * half_width, y / length * half_width]
            } else {
                [half_width, 0.0]
            };
            let at = |[cx, cy, depth]: PixelVertex, along: f64, across: f64| {
                [cx + x * along - y * across, cy + y * along + x * across, depth]
            };
            let corners = [at(a, -0.5, -1.0), at(b, 0.5, -1.0), at(b, 0.5, 1.0), at(a, -0.5, 1.0)];
            self.add_fan(&corners, op);
        }
    }

    /// Adds dots. A dot with a non-finite coordinate is skipped.
    pub fn add_dots(&mut self, dots: &Dots<'_>) {
        let (op, bias) = op_and_bias(dots.depth_test, dots.color);
        let radius = 0.5 * f64::from(dots.width);
        for position in dots.positions.iter().filter(|position| is_finite(&position[..])) {
            let Some([position, _]) = self.viewport.guard_band.clip_line([*position; 2]) else { continue };
            let Some([x, y, depth]) = self.pixel_vertex(position, bias) else { continue };
            let corners = OCTAGON.map(|[right, down]| [x + radius * right, y + radius * down, depth]);
            self.add_fan(&corners, op);
        }
    }

    fn pixel_vertex(&self, position: [f64; 4], bias: f64) -> Option<PixelVertex> {
        let [x, y, depth, _] = self.viewport.pixel_position(position)?;
        Some([x, y, depth * (1.0 + bias)])
    }

    /// Adds a convex polygon as a triangle fan.
    fn add_fan(&mut self, corners: &[PixelVertex], op: Op) {
        let fixed =
            |[x, y, depth]: PixelVertex| -> FixedVertex { self.viewport.round_to_fixed([x, y, depth, 1.0]) };
        let mut vertices = [FixedVertex::default(); OCTAGON.len()];
        for (to, corner) in vertices.iter_mut().zip(corners) {
            *to = fixed(*corner);
        }
        for index in 2..corners.len() {
            self.add_line_triangle(&[vertices[0], vertices[index - 1], vertices[index]], op);
        }
    }
}

fn op_and_bias(depth_test: DepthTest, color: [f32; 3]) -> (Op, f64) {
    let color = SrgbEncoder::new().encode_rgb(color);
    match depth_test {
        DepthTest::Biased(bias) => (Op::Flat(color), if bias.is_finite() { bias.into() } else { 0.0 }),
        DepthTest::Always => (Op::Overlay(color), 0.0),
    }
}

fn is_finite(elements: &[f32]) -> bool {
    elements.iter().all(|element| element.is_finite())
}
