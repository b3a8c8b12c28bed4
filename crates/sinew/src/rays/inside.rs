//! Whether a point is inside a mesh.

use std::cmp::Ordering;

use super::boxes::{Boxes, WIDTH};
use super::exact::{Flat, area};
use super::tree::Tree;
use super::waiting::Waiting;
use crate::vector::{sub, wide};

impl Tree {
    /// Whether a point is inside a closed mesh: whether the surface goes around it, see [`winding`](Self::winding).
    #[must_use]
    pub fn contains(&self, point: [f32; 3]) -> bool {
        self.winding(point) != 0
    }

    /// How often the surface goes around a point: one inside a closed mesh with its fronts outside, zero outside, more where
    /// it lies in itself several times, negative where it is inside out.
    ///
    /// It is the number of backs less that of fronts on the way from the point along +x. A way through an edge or a corner
    /// counts as if it passed beside it, always on the same side, so the number is exact for a mesh whose triangles meet at
    /// the same places. On the surface itself it is that of either side. Where a mesh is open, the number is that of the way
    /// along +x and means what that means. A point that is not finite has zero.
    #[must_use]
    pub fn winding(&self, point: [f32; 3]) -> i32 {
        let mut sum = 0;
        if point.iter().any(|element| !element.is_finite()) {
            return sum;
        }
        let mut waiting = Waiting::new(&self.shape.nodes);
        while let Some((node, _)) = waiting.pop() {
            let own = &self.shape.nodes[node];
            let met = ahead(&self.boxes[node], point);
            for lane in (0..WIDTH).filter(|&lane| met[lane]) {
                let (first, len) = (own.first[lane] as usize, own.len[lane] as usize);
                if len == 0 {
                    waiting.push(own.first[lane], 0.0);
                }
                sum += (first..first + len).map(|place| turns(point, self.triangle(place))).sum::<i32>();
            }
        }
        sum
    }
}

/// Which boxes have a part in front of the point, along +x.
fn ahead(boxes: &Boxes, point: [f32; 3]) -> [bool; WIDTH] {
    let [[_, right], [bottom, top], [back, front]] = &boxes.sides;
    let [x, y, z] = point;
    let mut met = [false; WIDTH];
    for lane in 0..WIDTH {
        let beside = (bottom[lane] <= y && top[lane] >= y) && (back[lane] <= z && front[lane] >= z);
        met[lane] = beside && right[lane] >= x;
    }
    met
}

/// One where the way along +x leaves through the triangle, minus one where it enters, and else zero.
fn turns(point: [f32; 3], corners: [[f32; 3]; 3]) -> i32 {
    let [a, b, c] = corners.map(|corner| sub(wide(corner), wide(point)));
    let flat = |[_, y, z]: [f64; 3]| [y, z];
    let edges = [(b, c), (c, a), (a, b)];
    let sides = edges.map(|(from, to)| side(flat(from), flat(to)));
    let turn = match sides {
        [Some(Ordering::Greater), Some(Ordering::Greater), Some(Ordering::Greater)] => 1,
        [Some(Ordering::Less), Some(Ordering::Less), Some(Ordering::Less)] => -1,
        _ => return 0,
    };
    let areas = edges.map(|(from, to)| area(flat(from), flat(to)));
    let way = areas[0] * a[0] + areas[1] * b[0] + areas[2] * c[0];
    // Divided by the sum of the areas it is how far away the triangle is.
    if way * f64::from(turn) > 0.0 { turn } else { 0 }
}

/// On which side of a line the origin is. Where it is on the line, both points are taken to be a little further along the first
/// axis, and much less along the second.
fn side(p: Flat, q: Flat) -> Option<Ordering> {
    let order = area(p, q).partial_cmp(&0.0)?;
    Some(order.then(q[1].partial_cmp(&p[1])?).then(p[0].partial_cmp(&q[0])?))
}
