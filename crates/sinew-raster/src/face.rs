//! A triangle on the grid, ready to be filled: edges in whole numbers, everything else as planes.

use crate::screen::{GRID, Spot};

/// Samples of a pixel.
pub(crate) const SAMPLES: usize = 4;

/// Where the samples of a pixel are, in sixteenths of it: no two in one row or column.
pub(crate) const SAMPLE_PLACES: [[i32; 2]; SAMPLES] = [[6, 2], [14, 6], [2, 10], [10, 14]];

/// Parts of a pixel in which samples are placed.
pub(crate) const PARTS: i32 = 16;

/// Steps of the grid to such a part.
pub(crate) const STEP: i32 = GRID / PARTS;

/// What is done with the samples of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Act {
    /// The nearest are painted, as the paint of this number, kept beside the faces, says.
    Paint(u32),
    /// The nearest have this colour.
    Flat(u32),
    /// All have this colour, however near they are.
    Over(u32),
    /// Where something is before the face, so much is counted.
    Count(i8),
}

/// An edge: zero or more inside, with the samples that lie just on it if it is a left or an upper one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// What a sixteenth of a pixel to the right adds.
    pub(crate) a: i32,
    /// What a sixteenth of a pixel down adds.
    pub(crate) b: i32,
    /// At the left upper corner of the picture.
    pub(crate) c: i64,
}

impl Edge {
    /// With the inside to the right, as seen from a to b with y downwards.
    fn new(from: &Spot, to: &Spot) -> Self {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let at_origin = i64::from(dy) * i64::from(from.x) - i64::from(dx) * i64::from(from.y);
        // Of two faces with a common edge only one has it as a left or an upper one.
        let owns = dy < 0 || (dy == 0 && dx > 0);
        // Samples are whole parts, so the fraction of a part never decides.
        let c = (at_origin - i64::from(!owns)) >> STEP.trailing_zeros();
        Self { a: -dy, b: dx, c }
    }

    /// At a pixel's left upper corner.
    pub(crate) fn at(&self, x: i32, y: i32) -> i64 {
        self.c + i64::from(self.a) * i64::from(x * PARTS) + i64::from(self.b) * i64::from(y * PARTS)
    }
}

/// A number that changes evenly over the picture.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plane {
    pub(crate) base: f32,
    pub(crate) dx: f32,
    pub(crate) dy: f32,
}

/// A triangle on the grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    pub(crate) edges: [Edge; 3],
    /// The corner that planes begin at.
    pub(crate) origin: [i32; 2],
    pub(crate) depth: Plane,
    /// The least and the greatest depth of the corners.
    pub(crate) depths: [f32; 2],
    /// Pixels: left, top, and past the right and the bottom.
    pub(crate) bounds: [i32; 4],
    pub(crate) act: Act,
}

/// Corners in an order that depends only on where they are: turned so that the inside is to the right of each edge, and
/// the uppermost, leftmost first. So a triangle has the same depth to the bit however its corners are listed.
pub(crate) struct Ordered {
    pub(crate) spots: [Spot; 3],
    /// Which of the given corners each is.
    pub(crate) from: [usize; 3],
    /// Twice the area, in squares of the grid; above zero.
    pub(crate) area: i64,
    /// Whether the corners were given counter-clockwise, as seen in the picture.
    pub(crate) is_front: bool,
}

impl Ordered {
    /// `None` for a triangle without area.
    pub(crate) fn new(spots: &[Spot; 3]) -> Option<Self> {
        let [a, b, c] = spots;
        let area = i64::from(b.x - a.x) * i64::from(c.y - a.y) - i64::from(b.y - a.y) * i64::from(c.x - a.x);
        if area == 0 {
            return None;
        }
        let turned = if area > 0 { [0, 1, 2] } else { [0, 2, 1] };
        let key = |index: usize| (spots[turned[index]].y, spots[turned[index]].x);
        let first = if key(1) < key(0) {
            if key(2) < key(1) { 2 } else { 1 }
        } else if key(2) < key(0) {
            2
        } else {
            0
        };
        let from = [turned[first], turned[(first + 1) % 3], turned[(first + 2) % 3]];
        Some(Self { spots: from.map(|index| spots[index]), from, area: area.abs(), is_front: area < 0 })
    }

    /// The plane through a number at each corner, in the order of the corners here.
    pub(crate) fn plane(&self, [a, b, c]: [f64; 3]) -> Plane {
        let [p, q, r] = &self.spots;
        let scale = f64::from(GRID) / self.area as f64;
        let (to_b, to_c) = (b - a, c - a);
        let dx = to_b * f64::from(r.y - p.y) - to_c * f64::from(q.y - p.y);
        let dy = to_c * f64::from(q.x - p.x) - to_b * f64::from(r.x - p.x);
        Plane { base: a as f32, dx: (dx * scale) as f32, dy: (dy * scale) as f32 }
    }

    /// The face, as far as it lies in a picture of so many pixels; `None` where it does not.
    pub(crate) fn face(&self, [width, height]: [i32; 2], act: Act) -> Option<Face> {
        let [a, b, c] = &self.spots;
        let (left, right) = (a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x));
        let (top, bottom) = (a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y));
        let bounds = [
            left.div_euclid(GRID).max(0),
            top.div_euclid(GRID).max(0),
            (right.div_euclid(GRID) + 1).min(width),
            (bottom.div_euclid(GRID) + 1).min(height),
        ];
        if bounds[0] >= bounds[2] || bounds[1] >= bounds[3] {
            return None;
        }
        let depths = [a.depth, b.depth, c.depth];
        let (mut least, mut most) = (depths[0] as f32, depths[0] as f32);
        for depth in depths {
            let depth = depth as f32;
            least = if depth < least { depth } else { least };
            most = if depth > most { depth } else { most };
        }
        Some(Face {
            edges: [Edge::new(a, b), Edge::new(b, c), Edge::new(c, a)],
            origin: [a.x, a.y],
            depth: self.plane(depths),
            depths: [least, most],
            bounds,
            act,
        })
    }
}

/// The numbers of a face that is painted: lit, shaded and texture coordinates, each times the nearness, and that itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    pub(crate) base: [f32; NUMBERS],
    pub(crate) dx: [f32; NUMBERS],
    pub(crate) dy: [f32; NUMBERS],
    /// Which texture, if any.
    pub(crate) texture: Option<u32>,
    /// How much of the whole texture lies in a pixel.
    pub(crate) spread: f64,
}

/// Red, green and blue lit and shaded, two texture coordinates, one.
pub(crate) const NUMBERS: usize = 9;
/// Which number is the first of the texture's.
pub(crate) const COORDINATES: usize = 6;
/// Which number is one at each corner.
pub(crate) const NEARNESS: usize = 8;

impl Paint {
    /// From the numbers of each corner, in the order of the corners here.
    pub(crate) fn new(ordered: &Ordered, corners: &[[f64; NUMBERS]; 3], texture: Option<u32>) -> Self {
        let mut paint = Self {
            base: [0.0; NUMBERS],
            dx: [0.0; NUMBERS],
            dy: [0.0; NUMBERS],
            texture,
            spread: if texture.is_some() { spread(ordered, corners) } else { 0.0 },
        };
        for number in 0..NUMBERS {
            if texture.is_none() && (COORDINATES..COORDINATES + 2).contains(&number) {
                continue;
            }
            let at = |corner: usize| corners[corner][number] * ordered.spots[corner].nearness;
            let plane = ordered.plane([at(0), at(1), at(2)]);
            paint.base[number] = plane.base;
            paint.dx[number] = plane.dx;
            paint.dy[number] = plane.dy;
        }
        paint
    }
}

/// The area in the texture by that in the picture.
fn spread(ordered: &Ordered, [a, b, c]: &[[f64; NUMBERS]; 3]) -> f64 {
    let (u, v) = (COORDINATES, COORDINATES + 1);
    let in_texture = (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
    in_texture.abs() * f64::from(GRID) * f64::from(GRID) / ordered.area as f64
}
