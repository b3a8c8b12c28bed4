//! The point of the surface that is nearest to another.

use super::boxes::{Boxes, WIDTH};
use super::measure::{OnTriangle, nearest_on_triangle};
use super::tree::Tree;
use super::waiting::{Sorted, Waiting};
use crate::vector::{Vector, cross, narrow, sub, unit, wide};

/// Distances to boxes are made shorter by this part, far more than rounding adds.
const NEARER: f64 = 1.0 - 1.0 / (1 << 20) as f64;

/// A point of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Which of the mesh's triangles.
    pub triangle: usize,
    /// How much each of its corners has of the point: from 0 to 1, in sum 1 but for rounding.
    pub barycentrics: [f32; 3],
    /// The point, on the triangle.
    pub point: [f32; 3],
    /// At right angles to the triangle, of length one, out of its front; zero where the triangle has no area.
    pub normal: [f32; 3],
    /// From the point that was asked about, in the units of the model.
    pub distance: f32,
}

impl Tree {
    /// The point of the surface that is nearest to a point, where it is no farther than `max_distance`, which may be infinite.
    /// Of triangles that are as near the first. `None` where there is none, for a point that is not finite, and for a
    /// distance that is negative or not a number.
    #[must_use]
    pub fn closest_point(&self, point: [f32; 3], max_distance: f32) -> Option<SurfacePoint> {
        // Written so that a NaN is refused.
        let sound = point.iter().all(|element| element.is_finite()) && max_distance >= 0.0;
        if !sound {
            return None;
        }
        let from = wide(point);
        let mut least = f64::from(max_distance) * f64::from(max_distance);
        let mut found: Option<(u32, usize, OnTriangle)> = None;
        let mut waiting = Waiting::new(&self.shape.nodes);
        while let Some((node, entry)) = waiting.pop() {
            let limit = least.sqrt();
            if f64::from(entry) > limit {
                continue;
            }
            let own = &self.shape.nodes[node];
            let mut inner = Sorted::default();
            for (lane, distance) in distances(&self.boxes[node], from).into_iter().enumerate() {
                let (first, len) = (own.first[lane] as usize, own.len[lane] as usize);
                if lane >= own.used as usize || distance > limit {
                    continue;
                }
                if len == 0 {
                    // Rounded down, so that nothing is left out.
                    inner.add(own.first[lane], (distance * NEARER) as f32);
                }
                for place in first..first + len {
                    let near = nearest_on_triangle(from, &self.triangle(place).map(wide));
                    let number = self.shape.order[place];
                    let first = |other: u32| near.squared < least || number < other;
                    if near.squared <= least && found.is_none_or(|(other, ..)| first(other)) {
                        least = near.squared;
                        found = Some((number, place, near));
                    }
                }
            }
            waiting.push_all(&inner);
        }
        found.map(|(_, place, near)| self.surface_point(place, &near))
    }

    fn surface_point(&self, place: usize, near: &OnTriangle) -> SurfacePoint {
        let [a, b, c] = self.triangle(place).map(wide);
        SurfacePoint {
            triangle: self.shape.order[place] as usize,
            barycentrics: narrow(near.barycentrics),
            point: narrow(near.point),
            normal: unit(cross(sub(b, a), sub(c, a))).map_or([0.0; 3], narrow),
            distance: near.squared.sqrt() as f32,
        }
    }
}

/// How far away each box is at least; infinitely where there is nothing in it.
fn distances(boxes: &Boxes, from: Vector) -> [f64; WIDTH] {
    let mut squared = [0.0_f64; WIDTH];
    for (axis, [low, high]) in boxes.sides.iter().enumerate() {
        for lane in 0..WIDTH {
            let outside =
                (f64::from(low[lane]) - from[axis]).max(from[axis] - f64::from(high[lane])).max(0.0);
            squared[lane] += outside * outside;
        }
    }
    squared.map(|squared| squared.sqrt() * NEARER)
}
