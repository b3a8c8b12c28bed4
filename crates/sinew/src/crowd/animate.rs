//! Animates members of one model: from time to palettes.

use sinew_kernels::{BLOCK, Matrix};

use super::PaletteSpace;
use super::frame::MemberFrame;
use super::member::Member;
use super::parallel::join;
use crate::animation::{ModifierContext, SampledPose, Sampler, SpringScratch};
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

/// Buffers for animating one member after the other, or up to eight together.
#[derive(Clone, Debug)]
pub(super) struct MemberAnimator {
    /// One for a member alone, eight once members have springs.
    buffers: Vec<PoseBuffer>,
    sampler: Sampler,
    scratch: SpringScratch,
}

/// The pose and the model matrices of one member.
#[derive(Clone, Debug)]
struct PoseBuffer {
    posed: SampledPose,
    matrices: ModelMatrices,
    /// The seconds of the step.
    seconds: f64,
}

impl PoseBuffer {
    fn new(model: &Model) -> Self {
        let (posed, matrices) = (SampledPose::new(model.clip_set()), ModelMatrices::new(model.skeleton()));
        Self { posed, matrices, seconds: 0.0 }
    }

    /// Samples the clips of a member at its current time.
    fn sample(&mut self, model: &Model, member: &mut Member, sampler: &mut Sampler, seconds: f64) {
        member.animator.pose(model.clip_set(), sampler, &mut self.posed);
        self.matrices.invalidate_from(0);
        self.seconds = seconds;
    }

    /// What the modifiers of a member read and change.
    fn context<'a>(
        &'a mut self,
        model: &'a Model,
        world: &'a Matrix,
        scratch: &'a mut SpringScratch,
    ) -> ModifierContext<'a> {
        let Self { posed, matrices, seconds } = self;
        ModifierContext::new(model.skeleton(), posed.pose_mut(), matrices, *seconds, world, scratch)
    }

    /// Computes the palettes of a frame.
    fn finish(&mut self, model: &Model, frame: &mut MemberFrame) {
        let Self { posed, matrices, .. } = self;
        frame.morph_weights.copy_from_slice(posed.pose.morph_weights());
        if frame.in_world {
            matrices.invalidate_from(0);
            model.skeleton().to_world(&posed.pose, Some(&frame.world), matrices.as_mut_slice());
        } else {
            matrices.all(model.skeleton(), &posed.pose);
        }
        frame.palettes.update(model, matrices.as_slice());
    }
}

/// Members that share their springs and whose poses are sampled, by index.
#[derive(Default)]
struct SpringGroup {
    members: [usize; BLOCK],
    len: usize,
}

impl SpringGroup {
    /// The lane and the index of each member.
    fn indices(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        self.members.into_iter().take(self.len).enumerate()
    }
}

impl MemberAnimator {
    pub(super) fn new(model: &Model) -> Self {
        let sampler = Sampler::new(model.clip_set());
        Self { buffers: vec![PoseBuffer::new(model)], sampler, scratch: SpringScratch::default() }
    }

    fn animate(
        &mut self,
        model: &Model,
        members: &mut [Member],
        before: &[MemberFrame],
        after: &mut [MemberFrame],
        step: Step,
    ) {
        let mut group = SpringGroup::default();
        for index in 0..members.len() {
            let (member, frame) = (&mut members[index], &mut after[index]);
            member.elapsed += step.seconds;
            frame.world = member.world;
            frame.max_influences = member.max_influences;
            if !member.is_due(step.number) {
                frame.keep(&before[index]);
                member.animator.clear_events();
                continue;
            }
            frame.step = step.number;
            frame.in_world = step.space == PaletteSpace::World;
            member.was_animated = true;
            let seconds = std::mem::take(&mut member.elapsed);
            // The buffer after those of the group is free.
            let free = &mut self.buffers[group.len].posed;
            member.animator.advance(seconds, model.clip_set(), &mut self.sampler, free);
            if !member.has_springs(model) {
                self.pose_in(group.len, model, member, seconds);
                self.buffers[group.len].finish(model, frame);
                continue;
            }
            if group.len > 0 && !members[group.members[0]].shares_springs(&members[index]) {
                self.finish_group(model, members, after, &mut group);
            }
            if self.buffers.len() < BLOCK {
                self.buffers.resize_with(BLOCK, || PoseBuffer::new(model));
            }
            self.buffers[group.len].sample(model, &mut members[index], &mut self.sampler, seconds);
            group.members[group.len] = index;
            group.len += 1;
            if group.len == BLOCK {
                self.finish_group(model, members, after, &mut group);
            }
        }
        self.finish_group(model, members, after, &mut group);
    }

    /// Runs the modifiers of a group, its springs together, and computes palettes. Empties the
    /// group.
    fn finish_group(
        &mut self,
        model: &Model,
        members: &mut [Member],
        after: &mut [MemberFrame],
        group: &mut SpringGroup,
    ) {
        let Self { buffers, scratch, .. } = self;
        for (lane, index) in group.indices() {
            let Member { modifiers, world, .. } = &mut members[index];
            let end = modifiers.springs().map_or(0, |(position, _)| position);
            modifiers.run_range(0..end, &mut buffers[lane].context(model, world, scratch));
        }
        // The memory of the springs holds all lanes until the last one is read.
        let mut unused = SpringScratch::default();
        for (lane, index) in group.indices() {
            let Member { modifiers, world, .. } = &mut members[index];
            let Some(springs) = modifiers.springs_mut() else { continue };
            if lane == 0 {
                springs.begin_group(scratch);
            }
            springs.gather(lane, &mut buffers[lane].context(model, world, &mut unused), scratch);
        }
        let first = group.indices().next();
        if let Some((_, springs)) = first.and_then(|(_, first)| members[first].modifiers.springs()) {
            springs.simulate(scratch);
        }
        for (lane, index) in group.indices() {
            let Member { modifiers, world, .. } = &mut members[index];
            let Some(springs) = modifiers.springs_mut() else { continue };
            springs.scatter(lane, &mut buffers[lane].context(model, world, &mut unused), scratch);
        }
        for (lane, index) in group.indices() {
            let Member { modifiers, world, .. } = &mut members[index];
            let start = modifiers.springs().map_or(0, |(position, _)| position + 1);
            modifiers.run_range(start..modifiers.len(), &mut buffers[lane].context(model, world, scratch));
            buffers[lane].finish(model, &mut after[index]);
        }
        group.len = 0;
    }

    /// Computes the pose of a member at its current time. Modifiers advance by the seconds.
    pub(super) fn pose(&mut self, model: &Model, member: &mut Member, seconds: f64) -> &Pose {
        self.pose_in(0, model, member, seconds);
        &self.buffers[0].posed.pose
    }

    /// Computes the pose of a member in a buffer.
    fn pose_in(&mut self, buffer: usize, model: &Model, member: &mut Member, seconds: f64) {
        let Self { buffers, sampler, scratch } = self;
        let buffer = &mut buffers[buffer];
        buffer.sample(model, member, sampler, seconds);
        let Member { modifiers, world, .. } = member;
        if !modifiers.is_empty() && modifiers.is_for(model.clip_set()) {
            modifiers.run(&mut buffer.context(model, world, scratch));
        }
    }
}
