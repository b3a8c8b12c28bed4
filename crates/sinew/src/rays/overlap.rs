//! Which triangles touch a region.

use super::boxes::{Boxes, WIDTH};
use super::measure::{box_touches, nearest_on_triangle, segment_to_triangle};
use super::tree::Tree;
use super::waiting::Waiting;
use crate::Aabb;
use crate::vector::{Vector, dot, wide};

/// A region of space, its border included.
///
/// One with a number that is not finite, a negative radius, or a box whose lowest is above its highest holds nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region {
    /// All that is no farther from a point.
    Sphere {
        /// The point.
        centre: [f32; 3],
        /// How far.
        radius: f32,
    },
    /// A box along the axes.
    Box(Aabb),
    /// All that is no farther from a segment.
    Capsule {
        /// Where the segment begins.
        from: [f32; 3],
        /// Where it ends; where it begins, the capsule is a sphere.
        to: [f32; 3],
        /// How far.
        radius: f32,
    },
}

impl Tree {
    /// Whether a triangle has a point in the region. The inside of a closed mesh counts for nothing: a region that is wholly
    /// in it touches nothing, see [`contains`](Self::contains).
    #[must_use]
    pub fn touches(&self, region: &Region) -> bool {
        let mut found = false;
        self.each_touching(region, |_| {
            found = true;
            Look::Enough
        });
        found
    }

    /// All triangles that have a point in the region, in ascending order, in place of what the list held. Allocates only
    /// where the list must grow.
    pub fn touching(&self, region: &Region, triangles: &mut Vec<usize>) {
        triangles.clear();
        self.each_touching(region, |triangle| {
            triangles.push(triangle);
            Look::Further
        });
        triangles.sort_unstable();
    }

    fn each_touching(&self, region: &Region, mut act: impl FnMut(usize) -> Look) {
        let Some(region) = Ready::new(region) else { return };
        let mut waiting = Waiting::new(&self.shape.nodes);
        while let Some((node, _)) = waiting.pop() {
            let own = &self.shape.nodes[node];
            let met = region.meets(&self.boxes[node]);
            for lane in (0..WIDTH).filter(|&lane| met[lane]) {
                let (first, len) = (own.first[lane] as usize, own.len[lane] as usize);
                if len == 0 {
                    waiting.push(own.first[lane], 0.0);
                }
                for place in first..first + len {
                    let touches = region.touches(&self.triangle(place).map(wide));
                    if touches && act(self.shape.order[place] as usize) == Look::Enough {
                        return;
                    }
                }
            }
        }
    }
}

#[derive(PartialEq, Eq)]
enum Look {
    Further,
    Enough,
}

/// A region that holds something, and a box around it.
struct Ready {
    kind: Kind,
    low: [f32; 3],
    high: [f32; 3],
}

enum Kind {
    Box(Vector, Vector),
    /// With the square of the radius; a sphere is a capsule without length.
    Capsule(Vector, Vector, f64),
}

impl Ready {
    fn new(region: &Region) -> Option<Self> {
        let (kind, low, high, radius) = match *region {
            Region::Box(Aabb { min, max }) => (Kind::Box(wide(min), wide(max)), wide(min), wide(max), 0.0),
            Region::Sphere { centre, radius } => Self::capsule(centre, centre, radius),
            Region::Capsule { from, to, radius } => Self::capsule(from, to, radius),
        };
        let finite = dot(low, [0.0; 3]) + dot(high, [0.0; 3]) + 0.0 * radius == 0.0;
        let there = finite && radius >= 0.0 && (0..3).all(|axis| low[axis] <= high[axis]);
        // Rounded outward: a box that is met is never left out.
        let low = low.map(|element| ((element - radius) as f32).next_down());
        let high = high.map(|element| ((element + radius) as f32).next_up());
        there.then_some(Self { kind, low, high })
    }

    fn capsule(from: [f32; 3], to: [f32; 3], radius: f32) -> (Kind, Vector, Vector, f64) {
        let (from, to, radius) = (wide(from), wide(to), f64::from(radius));
        let low = [0, 1, 2].map(|axis| from[axis].min(to[axis]));
        let high = [0, 1, 2].map(|axis| from[axis].max(to[axis]));
        // What is not a number in one of the two stays in sight.
        let low = [0, 1, 2].map(|axis| low[axis] + 0.0 * (from[axis] + to[axis]));
        (Kind::Capsule(from, to, radius * radius), low, high, radius)
    }

    fn meets(&self, boxes: &Boxes) -> [bool; WIDTH] {
        let mut met = [true; WIDTH];
        for (axis, [low, high]) in boxes.sides.iter().enumerate() {
            for lane in 0..WIDTH {
                met[lane] &= low[lane] <= self.high[axis] && high[lane] >= self.low[axis];
            }
        }
        met
    }

    fn touches(&self, corners: &[Vector; 3]) -> bool {
        match self.kind {
            Kind::Box(low, high) => box_touches(low, high, corners),
            Kind::Capsule(from, to, radius) if from == to => {
                nearest_on_triangle(from, corners).squared <= radius
            }
            Kind::Capsule(from, to, radius) => segment_to_triangle(from, to, corners) <= radius,
        }
    }
}
