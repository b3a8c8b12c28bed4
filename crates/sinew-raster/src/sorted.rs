//! Triangles cut, put on the grid and sorted into tiles.

use crate::bins::Bins;
use crate::clip::Polygon;
use crate::face::{Act, Face, NEARNESS, NUMBERS, Ordered, Paint};
use crate::screen::{CUT, Placed, Screen, Spot};
use crate::{Sides, Size};

/// A corner of a triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    pub(crate) placed: Placed,
    /// In clip space.
    pub(crate) place: [f32; 4],
}

/// How a triangle of a surface looks.
pub(crate) struct Paintable<'a> {
    pub(crate) colours: [&'a [f32; 8]; 3],
    pub(crate) sides: Sides,
    pub(crate) texture: Option<u32>,
}

/// Faces, and in which tiles they are.
#[derive(Clone, Debug)]
pub(crate) struct Sorted {
    size: Size,
    pub(crate) faces: Vec<Face>,
    pub(crate) paints: Vec<Paint>,
    pub(crate) bins: Bins,
}

impl Sorted {
    pub(crate) fn new(size: Size) -> Self {
        Self { size, faces: Vec::new(), paints: Vec::new(), bins: Bins::new(size) }
    }

    /// Takes everything away, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.faces.clear();
        self.paints.clear();
        self.bins.clear();
    }

    pub(crate) fn surface(&mut self, screen: &Screen, corners: [&Corner; 3], look: &Paintable<'_>) {
        self.on_grid(screen, corners, |sorted, ordered, shares| {
            if look.sides == Sides::Front && !ordered.is_front {
                return None;
            }
            let numbers = ordered.from.map(|corner| numbers(&look.colours, &shares[corner]));
            sorted.paints.push(Paint::new(ordered, &numbers, look.texture));
            Some(Act::Paint((sorted.paints.len() - 1) as u32))
        });
    }

    pub(crate) fn volume(&mut self, screen: &Screen, corners: [&Corner; 3]) {
        self.on_grid(screen, corners, |_, ordered, _| {
            Some(Act::Count(if ordered.is_front { -1 } else { 1 }))
        });
    }

    /// Cuts a triangle and adds what is left of it, as `act` says: from the corners in order, and from how much each of
    /// them has of the whole triangle's.
    fn on_grid(
        &mut self,
        screen: &Screen,
        corners: [&Corner; 3],
        mut act: impl FnMut(&mut Self, &Ordered, &[[f64; 3]; 3]) -> Option<Act>,
    ) {
        let mut add = |spots: &[Spot; 3], shares: &[[f64; 3]; 3]| {
            if let Some(ordered) = Ordered::new(spots)
                && let Some(act) = act(self, &ordered, shares)
            {
                self.add(&ordered, act);
            }
        };
        if corners.iter().all(|corner| corner.placed.bits & CUT == 0) {
            add(&corners.map(|corner| corner.placed.spot), &WHOLE);
            return;
        }
        let mut polygon = Polygon::of(corners.map(|corner| corner.place));
        screen.guard.cut(&mut polygon);
        let corners = polygon.corners();
        for index in 2..corners.len() {
            let three = [corners[0], corners[index - 1], corners[index]];
            let [Some(a), Some(b), Some(c)] = three.map(|corner| screen.pixel(corner.place)) else {
                continue;
            };
            add(&[a, b, c].map(|pixel| screen.spot(pixel)), &three.map(|corner| corner.shares));
        }
    }

    /// Adds a flat triangle that is on the grid.
    pub(crate) fn flat(&mut self, spots: &[Spot; 3], act: Act) {
        if let Some(ordered) = Ordered::new(spots) {
            self.add(&ordered, act);
        }
    }

    /// Adds a triangle that is on the grid, if it is in the picture.
    fn add(&mut self, ordered: &Ordered, act: Act) {
        let pixels = [self.size.width() as i32, self.size.height() as i32];
        if let Some(face) = ordered.face(pixels, act) {
            self.bins.add(self.faces.len() as u32, &face);
            self.faces.push(face);
        }
    }
}

/// How much each corner of a triangle that is not cut has of the whole triangle's.
const WHOLE: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The numbers of a corner that has so much of each whole corner.
fn numbers(colours: &[&[f32; 8]; 3], shares: &[f64; 3]) -> [f64; NUMBERS] {
    let mut numbers = [0.0; NUMBERS];
    for (own, share) in colours.iter().zip(shares) {
        for (to, &number) in numbers.iter_mut().zip(*own) {
            *to += f64::from(number) * share;
        }
    }
    numbers[NEARNESS] = 1.0;
    numbers
}
