//! Whether a point is inside a mesh.

use std::cmp::Ordering;

use super::aabb4::{Aabb4, WIDTH};
use super::mesh_bvh::MeshBvh;
use super::predicates::{Point2, signed_area};
use super::traversal_stack::TraversalStack;
use crate::math::vector::{Vector, to_f64};

impl MeshBvh {
    /// Whether a point is inside a closed mesh: its [winding number](Self::winding) is not zero.
    #[must_use]
    pub fn contains(&self, point: [f32; 3]) -> bool {
        self.winding(point) != 0
    }

    /// The winding number of the surface around a point: one inside a closed mesh whose fronts face
    /// outward, zero outside, more where the mesh overlaps itself, negative where it is inside out.
    ///
    /// It is the number of back faces minus the number of front faces that a ray from the point
    /// along +x crosses. A ray through an edge or a corner counts as passing beside it, always on
    /// the same side, so the result is exact if adjacent triangles have equal corner positions. On
    /// the surface itself it is the winding number of either side. For an open mesh, the result
    /// depends on the direction +x. It is zero for a point that is not finite.
    #[must_use]
    pub fn winding(&self, point: [f32; 3]) -> i32 {
        let mut sum = 0;
        if point.iter().any(|element| !element.is_finite()) {
            return sum;
        }
        let mut stack = TraversalStack::with_root(&self.topology.nodes);
        while let Some((index, _)) = stack.pop() {
            let node = &self.topology.nodes[index];
            let hit = lanes_ahead(&self.aabbs[index], point);
            for lane in (0..WIDTH).filter(|&lane| hit[lane]) {
                let (first, len) = (node.first[lane] as usize, node.len[lane] as usize);
                if len == 0 {
                    stack.push(node.first[lane], 0.0);
                }
                sum += (first..first + len)
                    .map(|slot| winding_change(point, self.leaf_triangle(slot)))
                    .sum::<i32>();
            }
        }
        sum
    }
}

/// The AABBs that a ray from the point along +x may enter.
fn lanes_ahead(aabbs: &Aabb4, point: [f32; 3]) -> [bool; WIDTH] {
    let [[_, right], [bottom, top], [back, front]] = &aabbs.min_max;
    let [x, y, z] = point;
    let mut hit = [false; WIDTH];
    for lane in 0..WIDTH {
        let in_slab = (bottom[lane] <= y && top[lane] >= y) && (back[lane] <= z && front[lane] >= z);
        hit[lane] = in_slab && right[lane] >= x;
    }
    hit
}

/// +1 if the ray along +x leaves through the triangle, -1 if it enters, otherwise 0.
fn winding_change(point: [f32; 3], corners: [[f32; 3]; 3]) -> i32 {
    let [a, b, c] = corners.map(|corner| to_f64(corner) - to_f64(point));
    let project = |corner: Vector| [corner.y, corner.z];
    let edges = [(b, c), (c, a), (a, b)];
    let sides = edges.map(|(from, to)| origin_side(project(from), project(to)));
    let change = match sides {
        [Some(Ordering::Greater), Some(Ordering::Greater), Some(Ordering::Greater)] => 1,
        [Some(Ordering::Less), Some(Ordering::Less), Some(Ordering::Less)] => -1,
        _ => return 0,
    };
    let areas = edges.map(|(from, to)| signed_area(project(from), project(to)));
    let distance = areas[0] * a[0] + areas[1] * b[0] + areas[2] * c[0];
    // Divided by the sum of the areas, this is the distance to the triangle. The sign is enough.
    if distance * f64::from(change) > 0.0 { change } else { 0 }
}

/// The side of a directed line on which the origin lies. If the line passes through the origin,
/// both points are shifted by an infinitesimal amount along the first axis, and by a far smaller
/// one along the second (simulation of simplicity).
fn origin_side(p: Point2, q: Point2) -> Option<Ordering> {
    let order = signed_area(p, q).partial_cmp(&0.0)?;
    Some(order.then(q[1].partial_cmp(&p[1])?).then(p[0].partial_cmp(&q[0])?))
}
