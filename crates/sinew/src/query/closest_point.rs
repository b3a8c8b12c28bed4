//! The point of a mesh surface that is closest to a query point.

use super::aabb4::{Aabb4, WIDTH};
use super::distance::{TrianglePoint, closest_point_on_triangle};
use super::mesh_bvh::MeshBvh;
use super::traversal_stack::{SortedChildren, TraversalStack};
use crate::math::vector::{Vector, to_f32, to_f64, try_normalize};

/// Factor on distances to AABBs, so that rounding never makes them too large. It exceeds the
/// rounding error by far.
const ROUND_DOWN: f64 = 1.0 - 1.0 / (1 << 20) as f64;

/// The closest point of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoint {
    /// Index of the triangle in the mesh.
    pub triangle: usize,
    /// Barycentric coordinates: from 0 to 1, with sum 1 up to rounding.
    pub barycentrics: [f32; 3],
    /// Position of the point, on the triangle.
    pub point: [f32; 3],
    /// Unit normal of the triangle's front; zero if the triangle has no area.
    pub normal: [f32; 3],
    /// Distance from the query point, in model units.
    pub distance: f32,
}

impl MeshBvh {
    /// The point of the surface that is closest to `point` and no farther than `max_distance`,
    /// which may be infinite. Among equally close triangles, the one with the lowest index wins.
    /// `None` if there is no such point, if `point` is not finite, or if `max_distance` is negative
    /// or NaN.
    #[must_use]
    pub fn closest_point(&self, point: [f32; 3], max_distance: f32) -> Option<ClosestPoint> {
        // The comparison is false for NaN.
        let valid = point.iter().all(|element| element.is_finite()) && max_distance >= 0.0;
        if !valid {
            return None;
        }
        let from = to_f64(point);
        let mut best_squared = f64::from(max_distance) * f64::from(max_distance);
        let mut found: Option<(u32, usize, TrianglePoint)> = None;
        let mut stack = TraversalStack::with_root(&self.topology.nodes);
        while let Some((index, entry)) = stack.pop() {
            let limit = best_squared.sqrt();
            if f64::from(entry) > limit {
                continue;
            }
            let node = &self.topology.nodes[index];
            let mut children = SortedChildren::default();
            for (lane, distance) in aabb_distances(&self.aabbs[index], from).into_iter().enumerate() {
                let (first, len) = (node.first[lane] as usize, node.len[lane] as usize);
                if lane >= node.used as usize || distance > limit {
                    continue;
                }
                if len == 0 {
                    // Rounded down, so that no closer child is skipped.
                    children.insert(node.first[lane], (distance * ROUND_DOWN) as f32);
                }
                for slot in first..first + len {
                    let closest = closest_point_on_triangle(from, &self.leaf_triangle(slot).map(to_f64));
                    let triangle = self.topology.triangle_indices[slot];
                    let first = |other: u32| closest.distance_squared < best_squared || triangle < other;
                    if closest.distance_squared <= best_squared
                        && found.is_none_or(|(other, ..)| first(other))
                    {
                        best_squared = closest.distance_squared;
                        found = Some((triangle, slot, closest));
                    }
                }
            }
            stack.push_all(&children);
        }
        found.map(|(_, slot, closest)| self.surface_point(slot, &closest))
    }

    fn surface_point(&self, slot: usize, closest: &TrianglePoint) -> ClosestPoint {
        let [a, b, c] = self.leaf_triangle(slot).map(to_f64);
        ClosestPoint {
            triangle: self.topology.triangle_indices[slot] as usize,
            barycentrics: closest.barycentrics.map(|part| part as f32),
            point: to_f32(closest.point),
            normal: try_normalize((b - a).cross(c - a)).map_or([0.0; 3], to_f32),
            distance: closest.distance_squared.sqrt() as f32,
        }
    }
}

/// Lower bounds of the distances to the AABBs; infinite for an empty AABB.
fn aabb_distances(aabbs: &Aabb4, from: Vector) -> [f64; WIDTH] {
    let mut squared = [0.0_f64; WIDTH];
    for (axis, [min, max]) in aabbs.min_max.iter().enumerate() {
        for lane in 0..WIDTH {
            let outside = (f64::from(min[lane]) - from[axis]).max(from[axis] - f64::from(max[lane])).max(0.0);
            squared[lane] += outside * outside;
        }
    }
    squared.map(|squared| squared.sqrt() * ROUND_DOWN)
}
