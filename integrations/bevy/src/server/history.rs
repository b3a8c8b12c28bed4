//! Where entities were in past ticks.

use std::collections::VecDeque;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::system::{Query, Res};
use bevy_math::Affine3A;
use bevy_transform::helper::TransformHelper;
use sinew::Instance;
use sinew::model::History;

use super::{Animator, ServerTick};

/// The poses and transforms of an entity with an [`Animator`] in the last ticks, for
/// [`ModelRayCast::cast_at`](super::ModelRayCast::cast_at).
#[derive(Component, Debug)]
pub struct PoseHistory {
    ticks: usize,
    /// The animator whose poses these are.
    animator: Option<u64>,
    /// Poses by tick.
    poses: Option<History>,
    /// World from model, by tick.
    transforms: VecDeque<(f64, Affine3A)>,
    /// Made by the first cast in the past.
    past: Option<Box<PastInstance>>,
}

/// An instance in a past pose, kept for further rays at the same tick.
#[derive(Debug)]
pub(super) struct PastInstance {
    tick: f64,
    pub(super) instance: Instance,
    pub(super) world_from_model: Affine3A,
}

impl PoseHistory {
    /// A history of the last ticks, at least one. Memory for their poses is allocated when the
    /// first is recorded.
    #[must_use]
    pub fn new(ticks: usize) -> Self {
        Self { ticks: ticks.max(1), animator: None, poses: None, transforms: VecDeque::new(), past: None }
    }

    /// The number of ticks that it keeps.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.ticks
    }

    /// The oldest and the newest tick that rays can be cast at; `None` if nothing is recorded.
    #[must_use]
    pub fn range(&self) -> Option<(u64, u64)> {
        let (&(oldest, _), &(newest, _)) = (self.transforms.front()?, self.transforms.back()?);
        Some((oldest as u64, newest as u64))
    }

    /// Forgets all ticks, for example after a teleport: no ray hits the entity in between.
    pub fn clear(&mut self) {
        (self.poses, self.past) = (None, None);
        self.transforms.clear();
    }

    fn record(&mut self, tick: f64, animator: &Animator, world_from_model: Affine3A) {
        if self.animator.replace(animator.id()) != Some(animator.id()) {
            self.clear();
        }
        let (skeleton, ticks) = (animator.model().skeleton(), self.ticks);
        if self.poses.as_ref().and_then(History::newest).is_some_and(|newest| tick <= newest) {
            // The tick was set back.
            self.clear();
        }
        let poses = self.poses.get_or_insert_with(|| History::new(skeleton, ticks));
        if poses.record(tick, animator.pose()).is_err() {
            return;
        }
        if self.transforms.len() == ticks {
            self.transforms.pop_front();
        }
        self.transforms.push_back((tick, world_from_model));
    }

    /// The entity at a past tick; `None` outside the recorded ticks.
    pub(super) fn at(&mut self, tick: f64, animator: &Animator) -> Option<&mut PastInstance> {
        // An animator of another model has no past yet.
        if self.animator != Some(animator.id()) {
            return None;
        }
        let world_from_model = self.transform_at(tick)?;
        let poses = self.poses.as_ref()?;
        let past = self.past.get_or_insert_with(|| {
            let instance = Instance::clone(animator);
            Box::new(PastInstance { tick: f64::NAN, instance, world_from_model })
        });
        if past.tick != tick {
            past.tick = f64::NAN;
            poses.pose_at(tick, past.instance.pose_mut()).ok()?;
            (past.tick, past.world_from_model) = (tick, world_from_model);
        }
        Some(past)
    }

    fn transform_at(&self, tick: f64) -> Option<Affine3A> {
        let after = self.transforms.partition_point(|&(recorded, _)| recorded <= tick);
        let &(before_tick, before) = self.transforms.get(after.checked_sub(1)?)?;
        if before_tick == tick {
            return Some(before);
        }
        let &(after_tick, after) = self.transforms.get(after)?;
        let factor = ((tick - before_tick) / (after_tick - before_tick)) as f32;
        Some(interpolate(before, after, factor))
    }
}

fn interpolate(from: Affine3A, to: Affine3A, factor: f32) -> Affine3A {
    let (from_scale, from_rotation, from_translation) = from.to_scale_rotation_translation();
    let (to_scale, to_rotation, to_translation) = to.to_scale_rotation_translation();
    Affine3A::from_scale_rotation_translation(
        from_scale.lerp(to_scale, factor),
        from_rotation.slerp(to_rotation, factor),
        from_translation.lerp(to_translation, factor),
    )
}

/// Records all entities at the end of a tick.
pub(super) fn record_histories(
    tick: Res<ServerTick>,
    transforms: TransformHelper,
    mut entities: Query<(Entity, &Animator, &mut PoseHistory)>,
) {
    for (entity, animator, mut history) in &mut entities {
        if let Ok(transform) = transforms.compute_global_transform(entity) {
            history.record(tick.0 as f64, animator, transform.affine());
        }
    }
}
