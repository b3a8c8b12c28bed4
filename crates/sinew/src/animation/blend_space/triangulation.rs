//! A Delaunay triangulation of the points of a blend space.
//!
//! Points are moved to a grid of 2^30 steps along each axis, a billionth of the extent, so that
//! every question about them has an exact answer in integers: no sliver, grid or circle of points
//! can confuse it, and it is the same on every machine.

use std::collections::HashMap;

use super::weights::{SampleWeights, between, in_proportion};
use crate::animation::AnimationError;
use crate::math::sort::heap_sort;

/// Grid steps along each axis.
const STEPS: f64 = (1_u32 << 30) as f64;

/// A position this far outside the grid is as good as one further out.
const FAR: f64 = 1e15;

type Point = [i64; 2];

/// Triangles between points, counter-clockwise, and the edges of their convex hull.
#[derive(Clone, Debug)]
pub(super) struct Triangulation {
    origin: [f64; 2],
    /// Grid steps per unit of each axis.
    scale: [f64; 2],
    points: Vec<Point>,
    triangles: Vec<[usize; 3]>,
    hull: Vec<[usize; 2]>,
}

impl Triangulation {
    /// A triangulation of three points or more, all finite.
    pub(super) fn new(coordinates: &[[f32; 2]]) -> Result<Self, AnimationError> {
        let extent = |axis: usize| {
            let all = coordinates.iter().map(|point| f64::from(point[axis]));
            (all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max))
        };
        let [(left, right), (bottom, top)] = [extent(0), extent(1)];
        let scale = [STEPS / (right - left), STEPS / (top - bottom)];
        if !scale.iter().all(|scale| scale.is_finite()) {
            return Err(AnimationError::CollinearBlendPoints);
        }
        let mut triangulation = Self {
            origin: [left, bottom],
            scale,
            points: Vec::new(),
            triangles: Vec::new(),
            hull: Vec::new(),
        };
        triangulation.points =
            coordinates.iter().map(|&point| triangulation.on_grid(point).map(|x| x as i64)).collect();
        let mut keyed: Vec<([i64; 2], usize)> = triangulation.points.iter().copied().zip(0..).collect();
        heap_sort(&mut keyed, |a, b| a < b);
        let sorted: Vec<usize> = keyed.into_iter().map(|(_, point)| point).collect();
        for pair in sorted.windows(2) {
            if triangulation.points[pair[0]] == triangulation.points[pair[1]] {
                return Err(AnimationError::DuplicateBlendPoint { point: pair[1], other: pair[0] });
            }
        }
        triangulation.sweep(&sorted)?;
        triangulation.flip_edges();
        Ok(triangulation)
    }

    /// The nearest grid point, as integers in `f64`.
    fn on_grid(&self, position: [f32; 2]) -> [f64; 2] {
        [0, 1].map(|axis| {
            let steps = (f64::from(position[axis]) - self.origin[axis]) * self.scale[axis];
            steps.round().clamp(-FAR, FAR)
        })
    }

    /// Connects each point, from left to right, with all edges of the hull so far that it sees.
    fn sweep(&mut self, sorted: &[usize]) -> Result<(), AnimationError> {
        let [first, second] = [sorted[0], sorted[1]];
        let off_line = |&point: &usize| self.turn(first, second, point) != 0;
        let bend = sorted.iter().position(off_line).ok_or(AnimationError::CollinearBlendPoints)?;
        // The points before the bend lie on one line: a fan from the bend to all of them.
        let (line, apex) = (&sorted[..bend], sorted[bend]);
        let left_turn = self.turn(first, second, apex) > 0;
        for pair in line.windows(2) {
            let [a, b] = if left_turn { [pair[0], pair[1]] } else { [pair[1], pair[0]] };
            self.triangles.push([a, b, apex]);
        }
        let mut hull: Vec<usize> =
            if left_turn { line.to_vec() } else { line.iter().rev().copied().collect() };
        hull.push(apex);
        for &point in &sorted[bend + 1..] {
            hull = self.extend(&hull, point);
        }
        self.hull = (0..hull.len()).map(|i| [hull[i], hull[(i + 1) % hull.len()]]).collect();
        Ok(())
    }

    /// Adds a point outside the hull: triangles to all edges that it sees. Returns the new hull.
    fn extend(&mut self, hull: &[usize], point: usize) -> Vec<usize> {
        let len = hull.len();
        let sees = |i: usize| self.turn(hull[i], hull[(i + 1) % len], point) < 0;
        // The visible edges are consecutive, and there is one: the point is beyond all others.
        let start = (0..len).find(|&i| sees(i) && !sees((i + len - 1) % len)).unwrap_or(0);
        let count = (0..len).take_while(|&i| sees((start + i) % len)).count();
        for i in 0..count {
            let [a, b] = [hull[(start + i) % len], hull[(start + i + 1) % len]];
            self.triangles.push([b, a, point]);
        }
        let kept = (count..=len).map(|i| hull[(start + i) % len]);
        kept.chain([point]).collect()
    }

    /// Flips edges until no point lies inside the circle of a triangle beside it. Every flip makes
    /// the triangulation better, so it ends.
    fn flip_edges(&mut self) {
        while self.flip_some() {}
    }

    /// Flips what can be flipped at once: edges whose two triangles no other flip has changed.
    fn flip_some(&mut self) -> bool {
        let mut by_edge = HashMap::new();
        for (triangle, corners) in self.triangles.iter().enumerate() {
            for i in 0..3 {
                by_edge.insert([corners[i], corners[(i + 1) % 3]], triangle);
            }
        }
        let mut changed = vec![false; self.triangles.len()];
        for triangle in 0..self.triangles.len() {
            for i in 0..3 {
                let [a, b, c] = [0, 1, 2].map(|k| self.triangles[triangle][(i + k) % 3]);
                let Some(&beside) = by_edge.get(&[b, a]) else { continue };
                if changed[triangle] || changed[beside] {
                    continue;
                }
                let d = self.triangles[beside].into_iter().find(|&corner| corner != a && corner != b);
                let Some(d) = d.filter(|&d| self.is_in_circle([a, b, c], d)) else { continue };
                self.triangles[triangle] = [a, d, c];
                self.triangles[beside] = [d, b, c];
                (changed[triangle], changed[beside]) = (true, true);
            }
        }
        changed.contains(&true)
    }

    /// Twice the signed area of three points: positive counter-clockwise.
    fn turn(&self, a: usize, b: usize, c: usize) -> i64 {
        turn(self.points[a], self.points[b], self.points[c])
    }

    /// Whether a point is strictly inside the circle through a counter-clockwise triangle. The
    /// largest product has 122 bits.
    fn is_in_circle(&self, triangle: [usize; 3], point: usize) -> bool {
        let [px, py] = self.points[point];
        let [a, b, c] = triangle.map(|corner| {
            let [x, y] = self.points[corner];
            [i128::from(x - px), i128::from(y - py)]
        });
        let lift = |[x, y]: [i128; 2]| x * x + y * y;
        let cross = |[ax, ay]: [i128; 2], [bx, by]: [i128; 2]| ax * by - ay * bx;
        lift(a) * cross(b, c) + lift(b) * cross(c, a) + lift(c) * cross(a, b) > 0
    }

    pub(super) fn weights(&self, position: [f32; 2]) -> SampleWeights {
        let on_grid = self.on_grid(position);
        if on_grid.iter().all(|x| (0.0..=STEPS).contains(x)) {
            let point = on_grid.map(|x| x as i64);
            for &[a, b, c] in &self.triangles {
                let corners = [a, b, c].map(|corner| self.points[corner]);
                let areas = [
                    turn(corners[1], corners[2], point),
                    turn(corners[2], corners[0], point),
                    turn(corners[0], corners[1], point),
                ];
                if areas.iter().all(|&area| area >= 0) {
                    return in_proportion([a, b, c], areas.map(|area| area as f64));
                }
            }
        }
        self.weights_on_hull(on_grid)
    }

    /// The weights at the point of the hull that is nearest to a position outside.
    fn weights_on_hull(&self, [x, y]: [f64; 2]) -> SampleWeights {
        let mut nearest = (f64::INFINITY, between(0, 0, 0.0));
        for &[a, b] in &self.hull {
            let [[ax, ay], [bx, by]] = [a, b].map(|point| self.points[point].map(|x| x as f64));
            let (dx, dy) = (bx - ax, by - ay);
            let part = (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
            let (from_x, from_y) = (x - (ax + part * dx), y - (ay + part * dy));
            let squared = from_x * from_x + from_y * from_y;
            if squared < nearest.0 {
                nearest = (squared, between(a, b, part));
            }
        }
        nearest.1
    }
}

/// Twice the signed area of three points: positive counter-clockwise.
fn turn(a: Point, b: Point, c: Point) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points from a linear congruential generator; some on a coarse grid, so that many lie on one
    /// line or circle.
    fn points(count: usize, coarse: bool, seed: u64) -> Vec<[f32; 2]> {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = (state >> 40) as f32 / (1 << 24) as f32;
            if coarse { (number * 6.0).floor() } else { number * 100.0 - 30.0 }
        };
        let mut points: Vec<[f32; 2]> = Vec::new();
        while points.len() < count {
            let point = [next(), next()];
            if !points.contains(&point) {
                points.push(point);
            }
        }
        points
    }

    #[test]
    fn triangles_cover_the_hull_once_and_no_circle_holds_a_point() {
        for (seed, count) in (0..300).map(|seed| (seed, 3 + seed as usize % 30)) {
            let coordinates = points(count, seed % 2 == 0, seed);
            let Ok(found) = Triangulation::new(&coordinates) else { continue };
            let area = |triangle: &[usize; 3]| found.turn(triangle[0], triangle[1], triangle[2]);
            assert!(found.triangles.iter().all(|triangle| area(triangle) > 0));
            let total: i128 = found.triangles.iter().map(|triangle| i128::from(area(triangle))).sum();
            let origin = found.points[0];
            let hull: i128 = found
                .hull
                .iter()
                .map(|&[a, b]| i128::from(turn(origin, found.points[a], found.points[b])))
                .sum();
            assert_eq!(total, hull, "{coordinates:?}");
            for &[a, b] in &found.hull {
                assert!((0..count).all(|point| found.turn(a, b, point) >= 0), "the hull is convex");
            }
            for triangle in &found.triangles {
                assert!((0..count).all(|point| !found.is_in_circle(*triangle, point)), "{coordinates:?}");
            }
            for point in 0..count {
                assert!(found.triangles.iter().any(|triangle| triangle.contains(&point)));
            }
        }
    }

    #[test]
    fn weights_reproduce_positions_inside_and_points_exactly() {
        for seed in 0..50 {
            let coordinates = points(12, false, seed);
            let found = Triangulation::new(&coordinates).expect("a plane");
            for (point, &at) in coordinates.iter().enumerate() {
                let weights = found.weights(at);
                let own: f32 = weights.iter().filter(|weight| weight.0 == point).map(|weight| weight.1).sum();
                assert_eq!(own, 1.0, "{weights:?}");
            }
            for step in 0..100 {
                let [a, b, c] = found.triangles[step % found.triangles.len()];
                let part = step as f32 / 100.0;
                let position = [0, 1].map(|axis| {
                    let [a, b, c] = [a, b, c].map(|corner| coordinates[corner][axis]);
                    (1.0 - part) * a + part * (0.3 * b + 0.7 * c)
                });
                let weights = found.weights(position);
                assert_eq!(weights.iter().map(|weight| f64::from(weight.1)).sum::<f64>(), 1.0);
                for axis in 0..2 {
                    let mean: f32 =
                        weights.iter().map(|&(point, weight)| weight * coordinates[point][axis]).sum();
                    assert!((mean - position[axis]).abs() < 1e-4, "{mean} {position:?}");
                }
            }
        }
    }

    #[test]
    fn weights_are_continuous_across_edges_and_the_border() {
        let coordinates = points(15, false, 5);
        let found = Triangulation::new(&coordinates).expect("a plane");
        let dense = |position| {
            let mut weights = [0.0_f32; 15];
            found.weights(position).iter().for_each(|&(point, weight)| weights[point] += weight);
            weights
        };
        for line in 0..40 {
            let mut before = dense([-60.0, line as f32 * 4.0 - 50.0]);
            for step in 1..=4000 {
                let weights = dense([-60.0 + 0.05 * step as f32, line as f32 * 4.0 - 50.0]);
                let jump = weights.iter().zip(before).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                assert!(jump < 0.1, "{jump} at step {step} of line {line}");
                before = weights;
            }
        }
    }

    #[test]
    fn a_position_far_outside_takes_the_border() {
        let found = Triangulation::new(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).expect("a triangle");
        for (position, point) in [([-1e30, -1e30], 0), ([f32::MAX, 0.0], 1), ([0.0, f32::MAX], 2)] {
            let weights = found.weights(position);
            let own: f32 = weights.iter().filter(|weight| weight.0 == point).map(|weight| weight.1).sum();
            assert_eq!(own, 1.0, "{weights:?}");
        }
    }
}
