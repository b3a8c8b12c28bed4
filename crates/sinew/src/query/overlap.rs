//! The triangles of a mesh that overlap a shape.

use std::ops::ControlFlow;

use sinew_kernels::Aabb;

use super::aabb4::{Aabb4, WIDTH};
use super::distance::{aabb_overlaps_triangle, closest_point_on_triangle, segment_triangle_distance_squared};
use super::mesh_bvh::MeshBvh;
use super::traversal_stack::TraversalStack;
use crate::math::vector::{Vector, to_f64};

/// A solid shape, including its boundary.
///
/// A shape with a value that is not finite, a negative radius, or a box with `min` above `max`
/// overlaps nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum OverlapShape {
    /// A ball.
    Sphere {
        /// Center of the sphere.
        center: [f32; 3],
        /// Radius of the sphere.
        radius: f32,
    },
    /// An axis-aligned box.
    Box(Aabb),
    /// All points within `radius` of a segment.
    Capsule {
        /// Start of the segment.
        from: [f32; 3],
        /// End of the segment; if it equals `from`, the capsule is a sphere.
        to: [f32; 3],
        /// Radius of the capsule.
        radius: f32,
    },
}

impl MeshBvh {
    /// Whether any triangle overlaps the shape. Triangles are surfaces: a shape entirely inside a
    /// closed mesh overlaps none of them, see [`contains`](Self::contains).
    #[must_use]
    pub fn overlaps(&self, shape: &OverlapShape) -> bool {
        let mut found = false;
        self.for_each_overlapping(shape, |_| {
            found = true;
            ControlFlow::Break(())
        });
        found
    }

    /// Replaces the contents of `triangles` by the indices of all triangles that overlap the shape,
    /// in ascending order. Allocates only if the list must grow.
    pub fn overlapping_triangles(&self, shape: &OverlapShape, triangles: &mut Vec<usize>) {
        triangles.clear();
        self.for_each_overlapping(shape, |triangle| {
            triangles.push(triangle);
            ControlFlow::Continue(())
        });
        triangles.sort_unstable();
    }

    fn for_each_overlapping(&self, shape: &OverlapShape, mut visit: impl FnMut(usize) -> ControlFlow<()>) {
        let Some(shape) = PreparedShape::new(shape) else { return };
        let mut stack = TraversalStack::with_root(&self.topology.nodes);
        while let Some((index, _)) = stack.pop() {
            let node = &self.topology.nodes[index];
            let hit = shape.overlapping_lanes(&self.aabbs[index]);
            for lane in (0..WIDTH).filter(|&lane| hit[lane]) {
                let (first, len) = (node.first[lane] as usize, node.len[lane] as usize);
                if len == 0 {
                    stack.push(node.first[lane], 0.0);
                }
                for slot in first..first + len {
                    let overlaps = shape.overlaps(&self.leaf_triangle(slot).map(to_f64));
                    let triangle = self.topology.triangle_indices[slot] as usize;
                    if overlaps && visit(triangle).is_break() {
                        return;
                    }
                }
            }
        }
    }
}

/// A valid shape and its AABB.
struct PreparedShape {
    kind: Kind,
    min: [f32; 3],
    max: [f32; 3],
}

enum Kind {
    Aabb(Vector, Vector),
    /// Segment and squared radius; a sphere is a capsule of length zero.
    Capsule(Vector, Vector, f64),
}

impl PreparedShape {
    fn new(shape: &OverlapShape) -> Option<Self> {
        let (kind, min, max, radius) = match *shape {
            OverlapShape::Box(Aabb { min, max }) => {
                (Kind::Aabb(to_f64(min), to_f64(max)), to_f64(min), to_f64(max), 0.0)
            }
            OverlapShape::Sphere { center, radius } => Self::capsule(center, center, radius),
            OverlapShape::Capsule { from, to, radius } => Self::capsule(from, to, radius),
        };
        let finite = min.is_finite() && max.is_finite() && radius.is_finite();
        let valid = finite && radius >= 0.0 && (0..3).all(|axis| min[axis] <= max[axis]);
        // Rounded outward, so that no overlapping AABB is skipped.
        let min = min.to_array().map(|element| ((element - radius) as f32).next_down());
        let max = max.to_array().map(|element| ((element + radius) as f32).next_up());
        valid.then_some(Self { kind, min, max })
    }

    fn capsule(from: [f32; 3], to: [f32; 3], radius: f32) -> (Kind, Vector, Vector, f64) {
        let (from, to, radius) = (to_f64(from), to_f64(to), f64::from(radius));
        // Adding zero times both points keeps a NaN, which `min` and `max` would drop.
        let min = from.min(to) + (from + to) * 0.0;
        let max = from.max(to);
        (Kind::Capsule(from, to, radius * radius), min, max, radius)
    }

    fn overlapping_lanes(&self, aabbs: &Aabb4) -> [bool; WIDTH] {
        let mut hit = [true; WIDTH];
        for (axis, [low, high]) in aabbs.min_max.iter().enumerate() {
            for lane in 0..WIDTH {
                hit[lane] &= low[lane] <= self.max[axis] && high[lane] >= self.min[axis];
            }
        }
        hit
    }

    fn overlaps(&self, corners: &[Vector; 3]) -> bool {
        match self.kind {
            Kind::Aabb(min, max) => aabb_overlaps_triangle(min, max, corners),
            Kind::Capsule(from, to, radius) if from == to => {
                closest_point_on_triangle(from, corners).distance_squared <= radius
            }
            Kind::Capsule(from, to, radius) => segment_triangle_distance_squared(from, to, corners) <= radius,
        }
    }
}
