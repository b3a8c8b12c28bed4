//! A member of a crowd.

use sinew_kernels::Matrix;

use super::MemberId;
use crate::animation::{Animator, ModifierStack};
use crate::model::Model;

/// A member of a crowd: its world matrix, playbacks and level of detail.
#[derive(Clone, Debug)]
pub struct Member {
    /// The matrix from model space to world space. Every step applies it, even if the member is not
    /// animated in that step.
    pub world: Matrix,
    /// The member is animated in one of this many steps, by all the time since its last update; 0
    /// and 1 mean every step. Until then its vertices do not change.
    pub update_interval: u32,
    /// An offset in steps to members with the same update interval. Give neighbors different
    /// phases, so that all steps cost about the same.
    pub phase: u32,
    /// The level of detail: the maximum number of influences per vertex. A primitive that was not
    /// built with the level uses all influences. Every step applies it.
    pub max_influences: usize,
    pub(super) id: MemberId,
    pub(super) animator: Animator,
    model: Model,
    pub(super) modifiers: ModifierStack,
    /// Seconds since the last update.
    pub(super) elapsed: f64,
    /// Whether the member was ever animated.
    pub(super) was_animated: bool,
}

impl Member {
    pub(super) fn new(id: MemberId, model: &Model, max_influences: usize) -> Self {
        Self {
            world: Matrix::IDENTITY,
            update_interval: 1,
            phase: 0,
            max_influences,
            id,
            model: model.clone(),
            animator: Animator::new(model.clip_set()),
            modifiers: ModifierStack::new(model.clip_set()),
            elapsed: 0.0,
            was_animated: false,
        }
    }

    /// The id in the crowd.
    #[must_use]
    pub fn id(&self) -> MemberId {
        self.id
    }

    /// The model of the member.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The animator.
    #[must_use]
    pub fn animator(&self) -> &Animator {
        &self.animator
    }

    /// Mutable access to the animator. If it is replaced by one of another model, nothing is
    /// played.
    pub fn animator_mut(&mut self) -> &mut Animator {
        &mut self.animator
    }

    /// The modifiers that change the pose in each step, after the clips.
    #[must_use]
    pub fn modifiers(&self) -> &ModifierStack {
        &self.modifiers
    }

    /// Mutable access to the modifiers. Changes take effect when the member is animated next. A
    /// stack that is replaced by one of another model does nothing.
    pub fn modifiers_mut(&mut self) -> &mut ModifierStack {
        &mut self.modifiers
    }

    /// Whether a modifier has springs that can be simulated together with those of others.
    pub(super) fn has_springs(&self, model: &Model) -> bool {
        self.modifiers.springs().is_some() && self.modifiers.is_for(model.clip_set())
    }

    /// Whether the springs of both can be simulated together.
    pub(super) fn shares_springs(&self, other: &Self) -> bool {
        let [own, others] = [self, other].map(|member| member.modifiers.springs());
        own.zip(others).is_some_and(|((_, own), (_, others))| own.shares_rig(others))
    }

    /// Whether the member is animated in a step.
    pub(super) fn is_due(&self, step: u64) -> bool {
        let every = u64::from(self.update_interval.max(1));
        !self.was_animated || (step + u64::from(self.phase)).is_multiple_of(every)
    }
}
