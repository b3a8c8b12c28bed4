//! Ray casts: the closest hit or any hit.

use super::mesh_bvh::MeshBvh;
use super::prepared_ray::{PreparedRay, aabb_limit};
use super::ray::{Ray, TriangleHit};
use super::ray_stack::RayStack;
use super::ray_triangle::Intersection;
use super::traversal_stack::{SortedChildren, TraversalStack};
use crate::length::check_len;
use crate::math::sort::{f32_key, heap_sort};
use crate::math::vector::{to_f32, to_f64, try_normalize};
use crate::query::QueryError;

/// The closest intersection found so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClosestIntersection {
    intersection: Intersection,
    /// Index of the triangle in leaf order.
    slot: usize,
    triangle: u32,
}

impl MeshBvh {
    /// The hit closest to the ray's origin; `None` if the ray hits nothing. Among hits at the same
    /// distance, the triangle with the lowest index wins.
    ///
    /// The test is watertight: no ray passes between triangles with common corner positions. A ray
    /// through an edge hits one of the adjacent triangles, even if rounding puts it on neither
    /// side. A triangle that is parallel to the ray or has no area is hit only by rounding. Results
    /// are bit-identical on all machines, for finite values of any size.
    #[must_use]
    pub fn closest_hit(&self, ray: &Ray) -> Option<TriangleHit> {
        let closest = self.closest_intersection(&mut PreparedRay::new(ray)?)?;
        Some(self.hit(&closest))
    }

    /// Whether the ray hits any triangle.
    #[must_use]
    pub fn any_hit(&self, ray: &Ray) -> bool {
        PreparedRay::new(ray).is_some_and(|prepared| self.intersects_any(&prepared))
    }

    /// Appends every hit of the ray, the closest first; hits at the same distance in the order of
    /// their triangles. A ray through an edge or a corner hits all triangles around it.
    pub fn all_hits(&self, ray: &Ray, hits: &mut Vec<TriangleHit>) {
        let Some(prepared) = PreparedRay::new(ray) else { return };
        let limit = aabb_limit(prepared.limit);
        let first = hits.len();
        let mut stack = TraversalStack::with_root(&self.topology.nodes);
        while let Some((index, _)) = stack.pop() {
            let node = &self.topology.nodes[index];
            let entries = self.aabbs[index].entry_distances(&prepared.slabs, limit);
            let mut children = SortedChildren::default();
            for (lane, &entry) in entries.iter().enumerate() {
                if entry.is_nan() {
                    continue;
                }
                let (first, len) = (node.first[lane], node.len[lane]);
                if len == 0 {
                    children.insert(first, entry);
                } else {
                    self.add_leaf_hits(first as usize, len as usize, &prepared, hits);
                }
            }
            stack.push_all(&children);
        }
        sort_hits(&mut hits[first..]);
    }

    /// Writes the [`closest_hit`](Self::closest_hit) of each ray.
    ///
    /// # Errors
    ///
    /// If `rays` and `hits` differ in length.
    pub fn closest_hits(&self, rays: &[Ray], hits: &mut [Option<TriangleHit>]) -> Result<(), QueryError> {
        check_len("hits of rays", rays.len(), hits.len())?;
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = self.closest_hit(ray);
        }
        Ok(())
    }

    /// Writes the [`any_hit`](Self::any_hit) of each ray.
    ///
    /// # Errors
    ///
    /// If `rays` and `hits` differ in length.
    pub fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) -> Result<(), QueryError> {
        check_len("hits of rays", rays.len(), hits.len())?;
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = self.any_hit(ray);
        }
        Ok(())
    }

    /// The closest intersection. Lowers the ray's limit to its distance.
    pub(super) fn closest_intersection(&self, prepared: &mut PreparedRay) -> Option<ClosestIntersection> {
        let mut closest = None;
        let mut stack = RayStack::empty();
        self.push_entered(0, prepared, &mut stack);
        while let Some(child) = stack.pop() {
            if child.entry > aabb_limit(prepared.limit) {
                continue;
            }
            // Leaves wait their turn too: a hit in a nearer one spares their triangles.
            if child.len == 0 {
                self.push_entered(child.first, prepared, &mut stack);
            } else {
                self.intersect_leaf(child.first, child.len, prepared, &mut closest);
            }
        }
        closest
    }

    /// Pushes the children of a node that a ray enters; none if there is no such node.
    #[inline(always)]
    fn push_entered(&self, index: usize, prepared: &PreparedRay, stack: &mut RayStack) {
        if let (Some(node), Some(aabbs)) = (self.topology.nodes.get(index), self.aabbs.get(index)) {
            let entries = aabbs.entry_distances(&prepared.slabs, aabb_limit(prepared.limit));
            stack.push_entered(&entries, &node.first, &node.len);
        }
    }

    /// Intersects the ray with triangles that are adjacent in leaf order, and keeps the closest.
    #[inline]
    pub(super) fn intersect_leaf(
        &self,
        first: usize,
        len: usize,
        prepared: &mut PreparedRay,
        closest: &mut Option<ClosestIntersection>,
    ) {
        for slot in first..first + len {
            let Some(intersection) = prepared.intersect_triangle(self.leaf_corners(slot)) else { continue };
            let triangle = self.topology.triangle_indices[slot];
            let is_closer = |other: &ClosestIntersection| {
                intersection.distance < other.intersection.distance || triangle < other.triangle
            };
            // The limit ensures that the distance is not larger than that of `closest`.
            if closest.as_ref().is_none_or(is_closer) {
                *closest = Some(ClosestIntersection { intersection, slot, triangle });
                prepared.limit = intersection.distance;
            }
        }
    }

    /// Appends the hits on triangles that are adjacent in leaf order.
    #[inline]
    pub(super) fn add_leaf_hits(
        &self,
        first: usize,
        len: usize,
        prepared: &PreparedRay,
        hits: &mut Vec<TriangleHit>,
    ) {
        for slot in first..first + len {
            if let Some(intersection) = prepared.intersect_triangle(self.leaf_corners(slot)) {
                let triangle = self.topology.triangle_indices[slot];
                hits.push(self.hit(&ClosestIntersection { intersection, slot, triangle }));
            }
        }
    }

    fn intersects_any(&self, prepared: &PreparedRay) -> bool {
        let limit = aabb_limit(prepared.limit);
        let mut stack = TraversalStack::with_root(&self.topology.nodes);
        while let Some((index, _)) = stack.pop() {
            let node = &self.topology.nodes[index];
            let entries = self.aabbs[index].entry_distances(&prepared.slabs, limit);
            let mut children = SortedChildren::default();
            for (lane, &entry) in entries.iter().enumerate() {
                if entry.is_nan() {
                    continue;
                }
                let (first, len) = (node.first[lane] as usize, node.len[lane] as usize);
                if len == 0 {
                    children.insert(first as u32, entry);
                } else if self.intersects_leaf(first, len, prepared) {
                    return true;
                }
            }
            stack.push_all(&children);
        }
        false
    }

    /// Whether the ray intersects any of the triangles that are adjacent in leaf order.
    #[inline]
    pub(super) fn intersects_leaf(&self, first: usize, len: usize, prepared: &PreparedRay) -> bool {
        (first..first + len).any(|slot| prepared.intersect_triangle(self.leaf_corners(slot)).is_some())
    }

    pub(super) fn hit(&self, closest: &ClosestIntersection) -> TriangleHit {
        let [a, b, c] = self.leaf_triangle(closest.slot).map(to_f64);
        let [u, v, w] = closest.intersection.barycentrics;
        let normal = try_normalize((b - a).cross(c - a));
        TriangleHit {
            triangle: closest.triangle as usize,
            barycentrics: closest.intersection.barycentrics.map(|part| part as f32),
            point: to_f32((a * u + b * v) + c * w),
            normal: normal.map_or([0.0; 3], to_f32),
            distance: closest.intersection.distance as f32,
            side: closest.intersection.side,
        }
    }
}

/// The closest hit first. Distances of hits are never NaN.
pub(super) fn sort_hits(hits: &mut [TriangleHit]) {
    heap_sort(hits, |a, b| (f32_key(a.distance), a.triangle) < (f32_key(b.distance), b.triangle));
}
