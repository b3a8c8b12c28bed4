//! Lines and dots: so many pixels wide wherever they are.

use crate::Canvas;
use crate::face::Act;
use crate::screen::Spot;
use crate::srgb::Coder;

/// What marks are hidden by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Over {
    /// By what is nearer to the eye. Marks are taken for nearer than they are, by this share of their distance: enough of
    /// it, and a line on a surface is seen.
    Farther(f32),
    /// By nothing.
    All,
}

/// Lines of one colour and width.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a> {
    /// Both ends of each, in clip space.
    pub ends: &'a [[[f32; 4]; 2]],
    /// Red, green and blue, linear; shadows do not change it.
    pub colour: [f32; 3],
    /// In pixels.
    pub width: f32,
    /// What they are hidden by.
    pub over: Over,
}

/// Round dots of one colour and size.
#[derive(Clone, Copy, Debug)]
pub struct Dots<'a> {
    /// Where they are, in clip space.
    pub places: &'a [[f32; 4]],
    /// Red, green and blue, linear; shadows do not change it.
    pub colour: [f32; 3],
    /// In pixels.
    pub width: f32,
    /// What they are hidden by.
    pub over: Over,
}

/// A corner of a mark in pixels, with its depth.
type Corner = [f64; 3];

/// The corners of a dot: an eighth of a turn from one to the next.
const ROUND: [[f64; 2]; 8] = {
    const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
    [
        [1.0, 0.0],
        [HALF, HALF],
        [0.0, 1.0],
        [-HALF, HALF],
        [-1.0, 0.0],
        [-HALF, -HALF],
        [0.0, -1.0],
        [HALF, -HALF],
    ]
};

impl Canvas {
    /// Adds lines. One that has a number that is not finite is left out.
    pub fn lines(&mut self, add: &Lines<'_>) {
        let (act, nearer) = act(add.over, add.colour);
        let half = 0.5 * f64::from(add.width);
        for ends in add.ends.iter().filter(|ends| is_finite(ends.as_flattened())) {
            let Some(ends) = self.screen.guard.cut_line(*ends) else { continue };
            let [Some(a), Some(b)] = ends.map(|end| self.corner(end, nearer)) else { continue };
            let (x, y) = (b[0] - a[0], b[1] - a[1]);
            let length = (x * x + y * y).sqrt();
            // A line towards the eye is as wide as it is long.
            let [x, y] = if length > 1e-9 { [x / length * half, y / length * half] } else { [half, 0.0] };
            let at = |[cx, cy, depth]: Corner, along: f64, across: f64| {
                [cx + x * along - y * across, cy + y * along + x * across, depth]
            };
            let corners = [at(a, -0.5, -1.0), at(b, 0.5, -1.0), at(b, 0.5, 1.0), at(a, -0.5, 1.0)];
            self.fan(&corners, act);
        }
    }

    /// Adds dots. One that has a number that is not finite is left out.
    pub fn dots(&mut self, add: &Dots<'_>) {
        let (act, nearer) = act(add.over, add.colour);
        let half = 0.5 * f64::from(add.width);
        for place in add.places.iter().filter(|place| is_finite(&place[..])) {
            let Some([place, _]) = self.screen.guard.cut_line([*place; 2]) else { continue };
            let Some([x, y, depth]) = self.corner(place, nearer) else { continue };
            let corners = ROUND.map(|[right, down]| [x + half * right, y + half * down, depth]);
            self.fan(&corners, act);
        }
    }

    fn corner(&self, place: [f64; 4], nearer: f64) -> Option<Corner> {
        let [x, y, depth, _] = self.screen.pixel(place)?;
        Some([x, y, depth * (1.0 + nearer)])
    }

    fn fan(&mut self, corners: &[Corner], act: Act) {
        let spot = |[x, y, depth]: Corner| -> Spot { self.screen.spot([x, y, depth, 1.0]) };
        let mut spots = [Spot::default(); ROUND.len()];
        for (to, corner) in spots.iter_mut().zip(corners) {
            *to = spot(*corner);
        }
        for index in 2..corners.len() {
            self.mark(&[spots[0], spots[index - 1], spots[index]], act);
        }
    }
}

fn act(over: Over, colour: [f32; 3]) -> (Act, f64) {
    let word = Coder::new().word(colour);
    match over {
        Over::Farther(share) => (Act::Flat(word), if share.is_finite() { share.into() } else { 0.0 }),
        Over::All => (Act::Over(word), 0.0),
    }
}

fn is_finite(numbers: &[f32]) -> bool {
    numbers.iter().all(|number| number.is_finite())
}
