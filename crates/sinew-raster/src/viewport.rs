//! From clip space to fixed-point pixel coordinates.

use crate::Size;
use crate::clip::{GuardBand, outcode};

/// Subpixel steps per pixel: the resolution of fixed-point coordinates.
pub(crate) const SUBPIXELS: i32 = 256;

/// How far outside the picture vertices may lie, in pixels. Together with
/// [`MAX_SIDE`](crate::MAX_SIDE) this keeps coordinates below 2^21 subpixels, their differences
/// below 2^22, and the change of an edge function within a block of pixels below 2^31.
const MARGIN: f64 = 4000.0;

/// A vertex in fixed-point pixel coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FixedVertex {
    /// Subpixels from the left.
    pub(crate) x: i32,
    /// Subpixels from the top.
    pub(crate) y: i32,
    /// One at the near plane, zero at infinity.
    pub(crate) depth: f64,
    /// 1 / w. Attributes multiplied by it are linear in screen space.
    pub(crate) inv_w: f64,
}

/// A vertex after projection, before clipping.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ProjectedVertex {
    /// Meaningless where [`NEEDS_CLIPPING`] or [`NON_FINITE`] is set.
    pub(crate) fixed: FixedVertex,
    /// The outcode, [`NEEDS_CLIPPING`] and [`NON_FINITE`].
    pub(crate) flags: u8,
}

/// The bits of the outcode.
pub(crate) const OUTCODE: u8 = 31;
/// The vertex lies outside the guard band or has no projection.
pub(crate) const NEEDS_CLIPPING: u8 = 32;
/// A coordinate of the vertex is not finite.
pub(crate) const NON_FINITE: u8 = 64;

/// The mapping from clip space to the pixels of a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Viewport {
    half_size: [f64; 2],
    pub(crate) guard_band: GuardBand,
}

impl Viewport {
    pub(crate) fn new(size: Size) -> Self {
        let half_size = [0.5 * size.width() as f64, 0.5 * size.height() as f64];
        let guard_band = GuardBand { x: 1.0 + MARGIN / half_size[0], y: 1.0 + MARGIN / half_size[1] };
        Self { half_size, guard_band }
    }

    /// Projects a position of clip space and finds out whether it must be clipped.
    pub(crate) fn project(&self, position: [f32; 4]) -> ProjectedVertex {
        if !position.iter().all(|element| element.is_finite()) {
            return ProjectedVertex { fixed: FixedVertex::default(), flags: NON_FINITE };
        }
        let flags = outcode(position);
        let position = position.map(f64::from);
        match self.pixel_position(position) {
            Some(pixel) if self.guard_band.contains(position) => {
                ProjectedVertex { fixed: self.round_to_fixed(pixel), flags }
            }
            _ => ProjectedVertex { fixed: FixedVertex::default(), flags: flags | NEEDS_CLIPPING },
        }
    }

    /// The projection of a position of clip space: x and y in pixels, depth, and 1 / w. `None` when
    /// w is not positive or the result is not finite.
    pub(crate) fn pixel_position(&self, [x, y, z, w]: [f64; 4]) -> Option<[f64; 4]> {
        if w.is_nan() || w <= 0.0 {
            return None;
        }
        let inv_w = 1.0 / w;
        let pixel = [(x * inv_w + 1.0) * self.half_size[0], (1.0 - y * inv_w) * self.half_size[1]];
        let depth = z * inv_w;
        // Rounding can take a depth past the near plane: clamp it.
        let depth = if depth > 1.0 {
            1.0
        } else if depth > 0.0 {
            depth
        } else {
            0.0
        };
        let is_finite = pixel[0].is_finite() && pixel[1].is_finite() && inv_w.is_finite();
        is_finite.then_some([pixel[0], pixel[1], depth, inv_w])
    }

    /// Rounds x and y, in pixels, to fixed point.
    pub(crate) fn round_to_fixed(&self, [x, y, depth, inv_w]: [f64; 4]) -> FixedVertex {
        let round = |pixels: f64, half: f64| {
            // Only rounding and the width of lines can lead out of the guard band.
            let (low, high) = (-MARGIN - 64.0, 2.0 * half + MARGIN + 64.0);
            let pixels = if pixels < low {
                low
            } else if pixels > high {
                high
            } else {
                pixels
            };
            let step = pixels * f64::from(SUBPIXELS) + 0.5;
            // Floor by casting, because not every processor has an instruction for it.
            let truncated = step as i32;
            truncated - i32::from(f64::from(truncated) > step)
        };
        FixedVertex { x: round(x, self.half_size[0]), y: round(y, self.half_size[1]), depth, inv_w }
    }
}
