//! Which triangle a ray hits: the nearest, or any.

use super::aim::{AimedRay, Crossing, reach};
use super::ray::{Ray, TriangleHit};
use super::tree::Tree;
use super::waiting::{Sorted, Waiting};
use crate::Error;
use crate::error::check_len;
use crate::vector::{add, cross, narrow, scale, sub, unit, wide};

/// The nearest crossing so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    crossing: Crossing,
    /// In the order of leaves.
    place: usize,
    number: u32,
}

impl Tree {
    /// The hit that is nearest to the ray's origin; `None` where it hits nothing. Of hits at the same distance that of the
    /// first triangle.
    ///
    /// Rays do not slip between triangles that share corners, or have them at the same place; where a ray meets an edge, it
    /// hits one of the triangles there, also when rounding leaves it on neither's side. A triangle that a ray lies in the
    /// plane of, or that has no area, is hit only where rounding says so. The same bits on every machine, for finite numbers of any size.
    #[must_use]
    pub fn closest_hit(&self, ray: &Ray) -> Option<TriangleHit> {
        let nearest = self.nearest(&mut AimedRay::new(ray)?)?;
        Some(self.hit(&nearest))
    }

    /// Whether the ray hits anything.
    #[must_use]
    pub fn any_hit(&self, ray: &Ray) -> bool {
        AimedRay::new(ray).is_some_and(|aim| self.crosses_any(&aim))
    }

    /// [`closest_hit`](Self::closest_hit) of each ray.
    ///
    /// # Errors
    ///
    /// When there is not a place for each ray.
    pub fn closest_hits(&self, rays: &[Ray], hits: &mut [Option<TriangleHit>]) -> Result<(), Error> {
        check_len("hits of rays", rays.len(), hits.len())?;
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = self.closest_hit(ray);
        }
        Ok(())
    }

    /// [`any_hit`](Self::any_hit) of each ray.
    ///
    /// # Errors
    ///
    /// When there is not a place for each ray.
    pub fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) -> Result<(), Error> {
        check_len("hits of rays", rays.len(), hits.len())?;
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = self.any_hit(ray);
        }
        Ok(())
    }

    /// Lowers the limit of the ray to the distance that is found.
    pub(super) fn nearest(&self, aim: &mut AimedRay) -> Option<Nearest> {
        let mut nearest = None;
        let mut waiting = Waiting::new(&self.shape.nodes);
        while let Some((node, entry)) = waiting.pop() {
            let limit = reach(aim.limit);
            if entry > limit {
                continue;
            }
            let own = &self.shape.nodes[node];
            let entries = self.boxes[node].entries(&aim.slabs, limit);
            let mut inner = Sorted::default();
            for (lane, &entry) in entries.iter().enumerate() {
                if entry.is_nan() {
                    continue;
                }
                let (first, len) = (own.first[lane], own.len[lane]);
                if len == 0 {
                    inner.add(first, entry);
                } else {
                    self.nearest_of(first as usize, len as usize, aim, &mut nearest);
                }
            }
            waiting.push_all(&inner);
        }
        nearest
    }

    /// The nearest of some triangles, in the order of leaves.
    #[inline]
    pub(super) fn nearest_of(
        &self,
        first: usize,
        len: usize,
        aim: &mut AimedRay,
        nearest: &mut Option<Nearest>,
    ) {
        for place in first..first + len {
            let Some(crossing) = aim.cross(self.triangle(place)) else { continue };
            let number = self.shape.order[place];
            let nearer =
                |other: &Nearest| crossing.distance < other.crossing.distance || number < other.number;
            // Within the limit it is no farther than the other.
            if nearest.as_ref().is_none_or(nearer) {
                *nearest = Some(Nearest { crossing, place, number });
                aim.limit = crossing.distance;
            }
        }
    }

    fn crosses_any(&self, aim: &AimedRay) -> bool {
        let limit = reach(aim.limit);
        let mut waiting = Waiting::new(&self.shape.nodes);
        while let Some((node, _)) = waiting.pop() {
            let own = &self.shape.nodes[node];
            let entries = self.boxes[node].entries(&aim.slabs, limit);
            let mut inner = Sorted::default();
            for (lane, &entry) in entries.iter().enumerate() {
                if entry.is_nan() {
                    continue;
                }
                let (first, len) = (own.first[lane] as usize, own.len[lane] as usize);
                if len == 0 {
                    inner.add(first as u32, entry);
                } else if self.any_of(first, len, aim) {
                    return true;
                }
            }
            waiting.push_all(&inner);
        }
        false
    }

    /// Whether the ray crosses one of some triangles.
    #[inline]
    pub(super) fn any_of(&self, first: usize, len: usize, aim: &AimedRay) -> bool {
        (first..first + len).any(|place| aim.cross(self.triangle(place)).is_some())
    }

    pub(super) fn hit(&self, nearest: &Nearest) -> TriangleHit {
        let [a, b, c] = self.triangle(nearest.place).map(wide);
        let [u, v, w] = nearest.crossing.barycentrics;
        let normal = unit(cross(sub(b, a), sub(c, a)));
        TriangleHit {
            triangle: nearest.number as usize,
            barycentrics: narrow([u, v, w]),
            point: narrow(add(add(scale(a, u), scale(b, v)), scale(c, w))),
            normal: normal.map_or([0.0; 3], narrow),
            distance: nearest.crossing.distance as f32,
            side: nearest.crossing.side,
        }
    }
}
