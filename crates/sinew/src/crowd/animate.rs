//! Animates members of one model: from time to palettes.

use super::PaletteSpace;
use super::frame::MemberFrame;
use super::member::Member;
use super::parallel::join;
use crate::animation::{ModifierContext, SampledPose, Sampler};
use crate::model::Model;
use crate::skeleton::{ModelMatrices, Pose};

/// One step of a crowd.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// Counted from one.
    pub(super) number: u64,
    pub(super) seconds: f64,
    pub(super) space: PaletteSpace,
}

/// A range of members of a model with their frames before and after a step, and one animator per
/// piece that the range is divided into.
pub(super) struct AnimateTask<'a> {
    pub(super) step: Step,
    pub(super) model: &'a Model,
    pub(super) members: &'a mut [Member],
    pub(super) before: &'a [MemberFrame],
    pub(super) after: &'a mut [MemberFrame],
    pub(super) animators: &'a mut [MemberAnimator],
    /// The number of members per piece.
    pub(super) piece: usize,
}

impl AnimateTask<'_> {
    /// Animates the members that are due. The frames of the others keep their contents.
    pub(super) fn run(self) {
        let AnimateTask { step, model, members, before, after, animators, piece } = self;
        let pieces = members.len().div_ceil(piece);
        if pieces > 1 && animators.len() > 1 {
            let half = pieces / 2;
            let (members, others) = members.split_at_mut(half * piece);
            let (before, others_before) = before.split_at(half * piece);
            let (after, others_after) = after.split_at_mut(half * piece);
            let (animators, other_animators) = animators.split_at_mut(half);
            let one = AnimateTask { step, model, members, before, after, animators, piece };
            let other = AnimateTask {
                step,
                model,
                members: others,
                before: others_before,
                after: others_after,
                animators: other_animators,
                piece,
            };
            return join(|| one.run(), || other.run());
        }
        let [animator, ..] = animators else { return };
        animator.animate(model, members, before, after, step);
    }
}

/// Buffers for animating one member after the other.
#[derive(Clone, Debug)]
pub(super) struct MemberAnimator {
    posed: SampledPose,
    sampler: Sampler,
    /// The matrices of one member.
    matrices: ModelMatrices,
}

impl MemberAnimator {
    pub(super) fn new(model: &Model) -> Self {
        Self {
            posed: SampledPose::new(model.clip_set()),
            sampler: Sampler::new(model.clip_set()),
            matrices: ModelMatrices::new(model.skeleton()),
        }
    }

    fn animate(
        &mut self,
        model: &Model,
        members: &mut [Member],
        before: &[MemberFrame],
        after: &mut [MemberFrame],
        step: Step,
    ) {
        for (member, (before, frame)) in members.iter_mut().zip(before.iter().zip(after)) {
            member.elapsed += step.seconds;
            frame.world = member.world;
            frame.max_influences = member.max_influences;
            if !member.is_due(step.number) {
                frame.keep(before);
                continue;
            }
            frame.step = step.number;
            frame.in_world = step.space == PaletteSpace::World;
            member.was_animated = true;
            let seconds = std::mem::take(&mut member.elapsed);
            member.animator.advance(seconds);
            self.pose(model, member, seconds);
            frame.morph_weights.copy_from_slice(self.posed.pose.morph_weights());
            let skeleton = model.skeleton();
            if frame.in_world {
                self.matrices.invalidate_from(0);
                skeleton.to_world(&self.posed.pose, Some(&frame.world), self.matrices.as_mut_slice());
            } else {
                self.matrices.all(skeleton, &self.posed.pose);
            }
            frame.palettes.update(model, self.matrices.as_slice());
        }
    }

    /// Computes the pose of a member at its current time. Modifiers advance by the seconds.
    pub(super) fn pose(&mut self, model: &Model, member: &mut Member, seconds: f64) -> &Pose {
        let Self { posed, sampler, matrices } = self;
        member.animator.pose(model.clip_set(), sampler, posed);
        matrices.invalidate_from(0);
        if !member.modifiers.is_empty() && member.modifiers.is_for(model.clip_set()) {
            let pose = posed.pose_mut();
            let skeleton = model.skeleton();
            let mut context = ModifierContext::new(skeleton, pose, matrices, seconds, &member.world);
            member.modifiers.run(&mut context);
        }
        &posed.pose
    }
}
