//! From clip space to the grid of the picture.

use crate::Size;
use crate::clip::{Guard, beyond};

/// Steps of the grid to a pixel: where corners are.
pub(crate) const GRID: i32 = 256;

/// How far outside the picture corners may be, in pixels. With [`MOST_SIDE`](crate::MOST_SIDE) coordinates stay below
/// 2^21 steps, differences below 2^22, and what an edge changes by within a block of pixels below 2^31.
const MARGIN: f64 = 4000.0;

/// A corner on the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spot {
    /// Steps from the left.
    pub(crate) x: i32,
    /// Steps from the top.
    pub(crate) y: i32,
    /// One at the near plane, zero infinitely far away.
    pub(crate) depth: f64,
    /// One by w: what numbers of corners are multiplied with, so that they change evenly over the picture.
    pub(crate) nearness: f64,
}

/// A corner before triangles are made of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Placed {
    /// On the grid; of no meaning where the corner has to be cut off.
    pub(crate) spot: Spot,
    /// Which sides of the picture it is beyond, and [`CUT`] and [`ODD`].
    pub(crate) bits: u8,
}

/// The sides of the picture.
pub(crate) const SIDES: u8 = 31;
/// A corner that has to be cut off, or is nowhere.
pub(crate) const CUT: u8 = 32;
/// A corner with a number that is not finite.
pub(crate) const ODD: u8 = 64;

/// The picture as corners are put on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    half: [f64; 2],
    pub(crate) guard: Guard,
}

impl Screen {
    pub(crate) fn new(size: Size) -> Self {
        let half = [0.5 * size.width() as f64, 0.5 * size.height() as f64];
        let guard = Guard { x: 1.0 + MARGIN / half[0], y: 1.0 + MARGIN / half[1] };
        Self { half, guard }
    }

    /// A corner at a place of clip space.
    pub(crate) fn place(&self, place: [f32; 4]) -> Placed {
        if !place.iter().all(|number| number.is_finite()) {
            return Placed { spot: Spot::default(), bits: ODD };
        }
        let bits = beyond(place);
        let place = place.map(f64::from);
        match self.pixel(place) {
            Some(pixel) if self.guard.holds(place) => Placed { spot: self.spot(pixel), bits },
            _ => Placed { spot: Spot::default(), bits: bits | CUT },
        }
    }

    /// Where a place of clip space is, in pixels; `None` where it is nowhere.
    pub(crate) fn pixel(&self, [x, y, z, w]: [f64; 4]) -> Option<[f64; 4]> {
        if w.is_nan() || w <= 0.0 {
            return None;
        }
        let nearness = 1.0 / w;
        let pixel = [(x * nearness + 1.0) * self.half[0], (1.0 - y * nearness) * self.half[1]];
        let depth = z * nearness;
        // A depth that rounding has taken past the near plane is at it.
        let depth = if depth > 1.0 {
            1.0
        } else if depth > 0.0 {
            depth
        } else {
            0.0
        };
        let there = pixel[0].is_finite() && pixel[1].is_finite() && nearness.is_finite();
        there.then_some([pixel[0], pixel[1], depth, nearness])
    }

    /// A place in pixels on the grid.
    pub(crate) fn spot(&self, [x, y, depth, nearness]: [f64; 4]) -> Spot {
        let step = |pixels: f64, half: f64| {
            // Only rounding, and the width of lines, can lead out of the guarded range.
            let (low, high) = (-MARGIN - 64.0, 2.0 * half + MARGIN + 64.0);
            let pixels = if pixels < low {
                low
            } else if pixels > high {
                high
            } else {
                pixels
            };
            let step = pixels * f64::from(GRID) + 0.5;
            // Rounded down; not every processor has an instruction for it.
            let towards_zero = step as i32;
            towards_zero - i32::from(f64::from(towards_zero) > step)
        };
        Spot { x: step(x, self.half[0]), y: step(y, self.half[1]), depth, nearness }
    }
}
