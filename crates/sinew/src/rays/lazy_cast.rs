//! Rays through a lazy tree.

use super::aim::{Aim, reach};
use super::cast::Nearest;
use super::lazy::{LazyTree, Skinner};
use super::ray::{Ray, TriangleHit};
use super::tree::Tree;
use super::waiting::{Sorted, Waiting};
use crate::Error;
use crate::error::check_len;

/// After so many rays in a frame the whole mesh is skinned: so many cost about as much.
const MANY: usize = 64;

/// Rays at a mesh in one frame of a [`LazyTree`].
#[derive(Debug)]
pub struct LazyCast<'a> {
    pub(super) lazy: &'a mut LazyTree,
    pub(super) skinner: Skinner<'a>,
}

impl LazyCast<'_> {
    /// As [`Tree::closest_hit`].
    pub fn closest_hit(&mut self, ray: &Ray) -> Option<TriangleHit> {
        let mut aim = Aim::new(ray)?;
        let nearest = self.nearest(&mut aim)?;
        Some(self.lazy.tree.hit(&nearest))
    }

    /// As [`Tree::any_hit`].
    pub fn any_hit(&mut self, ray: &Ray) -> bool {
        let Some(mut aim) = Aim::new(ray) else { return false };
        if self.is_whole() {
            return self.lazy.tree.any_hit(ray);
        }
        self.walk(&mut aim, Until::Any).is_some()
    }

    /// As [`Tree::closest_hits`].
    ///
    /// # Errors
    ///
    /// When there is not a place for each ray.
    pub fn closest_hits(&mut self, rays: &[Ray], hits: &mut [Option<TriangleHit>]) -> Result<(), Error> {
        check_len("hits of rays", rays.len(), hits.len())?;
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = self.closest_hit(ray);
        }
        Ok(())
    }

    /// The whole tree, all vertices skinned: for all that is no ray.
    pub fn tree(&mut self) -> &Tree {
        self.lazy.complete(&self.skinner);
        &self.lazy.tree
    }

    pub(super) fn nearest(&mut self, aim: &mut Aim) -> Option<Nearest> {
        if self.is_whole() { self.lazy.tree.nearest(aim) } else { self.walk(aim, Until::Nearest) }
    }

    /// Counts a ray, and skins all where that is better.
    fn is_whole(&mut self) -> bool {
        self.lazy.state.rays += 1;
        if self.lazy.state.rays > MANY || !self.lazy.is_lazy() {
            self.lazy.complete(&self.skinner);
        }
        self.lazy.state.whole
    }

    fn walk(&mut self, aim: &mut Aim, until: Until) -> Option<Nearest> {
        let Self { lazy, skinner } = self;
        let mut nearest = None;
        let mut waiting = Waiting::new(&lazy.boxes);
        while let Some((node, entry)) = waiting.pop() {
            let limit = reach(aim.limit);
            if entry > limit {
                continue;
            }
            let entries = lazy.boxes_of(node).entries(&aim.slabs, limit);
            let own = lazy.claims.nodes[node];
            let mut inner = Sorted::default();
            for (lane, &entry) in entries.iter().enumerate() {
                if entry.is_nan() || lane >= own.used as usize {
                    continue;
                }
                if own.len[lane] == 0 {
                    inner.add(own.first[lane], entry);
                    continue;
                }
                lazy.skin_cluster((node, lane), skinner);
                lazy.tree.nearest_of(own.first[lane] as usize, own.len[lane] as usize, aim, &mut nearest);
                if until == Until::Any && nearest.is_some() {
                    return nearest;
                }
            }
            waiting.push_all(&inner);
        }
        nearest
    }
}

/// What a walk is looking for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Nearest,
    Any,
}
