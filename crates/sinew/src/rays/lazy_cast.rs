//! Rays through a lazy tree.

use super::aim::{AimedRay, reach};
use super::boxes::WIDTH;
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
        let mut aim = AimedRay::new(ray)?;
        let nearest = self.nearest(&mut aim)?;
        Some(self.lazy.tree.hit(&nearest))
    }

    /// As [`Tree::any_hit`].
    pub fn any_hit(&mut self, ray: &Ray) -> bool {
        let Some(mut aim) = AimedRay::new(ray) else { return false };
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

    pub(super) fn nearest(&mut self, aim: &mut AimedRay) -> Option<Nearest> {
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

    fn walk(&mut self, aim: &mut AimedRay, until: Until) -> Option<Nearest> {
        let Self { lazy, skinner } = self;
        let mut nearest = None;
        // Boxes, not forks: a cluster waits for its turn as a fork does, since skinning it costs more.
        let mut waiting = Waiting::none();
        if !lazy.claims.forks.is_empty() {
            lazy.meet(0, 0, aim, &mut waiting);
        }
        while let Some((place, entry)) = waiting.pop() {
            if entry > reach(aim.limit) {
                continue;
            }
            let (place, lane) = (place / WIDTH, place % WIDTH);
            let fork = lazy.claims.forks[place];
            let (first, len) = (fork.first[lane] as usize, usize::from(fork.len[lane]));
            if len == 0 {
                lazy.meet(first, fork.below[lane], aim, &mut waiting);
                continue;
            }
            lazy.skin_cluster((place, lane), &fork, skinner);
            lazy.tree.nearest_of(first, len, aim, &mut nearest);
            if until == Until::Any && nearest.is_some() {
                return nearest;
            }
        }
        nearest
    }
}

impl LazyTree {
    /// Adds those boxes of a fork that a ray meets, the nearest last.
    #[inline]
    fn meet(&mut self, place: usize, first_claim: u32, aim: &AimedRay, waiting: &mut Waiting) {
        let entries = self.boxes_of(place, first_claim).entries(&aim.slabs, reach(aim.limit));
        let used = usize::from(self.claims.forks[place].used);
        let mut met = Sorted::default();
        for (lane, &entry) in entries[..used].iter().enumerate() {
            if !entry.is_nan() {
                met.add((WIDTH * place + lane) as u32, entry);
            }
        }
        waiting.push_all(&met);
    }
}

/// What a walk is looking for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Nearest,
    Any,
}
