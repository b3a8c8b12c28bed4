//! From time to palettes: members of one model, a lane each, eight at a time.

use sinew_kernels::{
    BLOCK, CrowdJointsToMatrices, CrowdLocalToModel, CrowdToPalette, Joint, Matrix, MatrixBlock, Scale,
};

use super::PaletteSpace;
use super::frame::{Frame, MADE};
use super::member::Member;
use super::parallel::join;
use crate::player::{Posed, Sampler};
use crate::{Model, Pose};

/// What a step is.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// Counted from one.
    pub(super) number: u64,
    pub(super) seconds: f64,
    pub(super) space: PaletteSpace,
}

/// Neighbours among the members of a model, with the frames before and after the step, and memory for as many pieces as
/// they are to be divided into.
pub(super) struct Animation<'a> {
    pub(super) step: Step,
    pub(super) model: &'a Model,
    pub(super) members: &'a mut [Member],
    pub(super) before: &'a [Frame],
    pub(super) after: &'a mut [Frame],
    pub(super) animators: &'a mut [Animator],
    /// How many members are one piece.
    pub(super) piece: usize,
}

impl Animation<'_> {
    /// Animates the members that are due; the frames of others stay.
    pub(super) fn run(self) {
        let Animation { step, model, members, before, after, animators, piece } = self;
        let pieces = members.len().div_ceil(piece);
        if pieces > 1 && animators.len() > 1 {
            let half = pieces / 2;
            let (members, others) = members.split_at_mut(half * piece);
            let (before, others_before) = before.split_at(half * piece);
            let (after, others_after) = after.split_at_mut(half * piece);
            let (animators, other_animators) = animators.split_at_mut(half);
            let one = Animation { step, model, members, before, after, animators, piece };
            let other = Animation {
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

/// Memory to animate eight members.
#[derive(Clone, Debug)]
pub(super) struct Animator {
    lanes: Vec<Posed>,
    sampler: Sampler,
    /// Of one member, where its pose is adjusted.
    matrices: Vec<Matrix>,
    /// Of all lanes.
    blocks: Vec<MatrixBlock>,
}

impl Animator {
    pub(super) fn new(model: &Model) -> Self {
        Self {
            lanes: vec![Posed::new(model); BLOCK],
            sampler: Sampler::new(model),
            matrices: model.skeleton().model_matrices(),
            blocks: vec![MatrixBlock::IDENTITY; model.skeleton().len()],
        }
    }

    fn animate(
        &mut self,
        model: &Model,
        members: &mut [Member],
        before: &[Frame],
        after: &mut [Frame],
        step: Step,
    ) {
        let (mut first, mut taken) = (0, 0);
        for place in 0..members.len() {
            let (member, frame) = (&mut members[place], &mut after[place]);
            member.waiting += step.seconds;
            frame.world = member.world;
            frame.max_influences = member.max_influences;
            if !member.is_due(step.number) {
                frame.keep(&before[place]);
                continue;
            }
            frame.step = step.number;
            frame.in_world = step.space == PaletteSpace::World;
            self.pose(model, member, taken);
            frame.morph_weights.copy_from_slice(self.lanes[taken].pose.morph_weights());
            taken += 1;
            if taken == BLOCK {
                self.make_palettes(model, &mut after[first..=place], taken, step);
                (first, taken) = (place + 1, 0);
            }
        }
        if taken > 0 {
            self.make_palettes(model, &mut after[first..], taken, step);
        }
    }

    /// Goes on with a member by all the time that has gone by, and poses it in a lane.
    fn pose(&mut self, model: &Model, member: &mut Member, lane: usize) {
        member.begun = true;
        member.player.advance(std::mem::take(&mut member.waiting));
        self.pose_now(model, member, lane);
    }

    /// What a member plays and how that is adjusted, where it is now.
    pub(super) fn pose_now(&mut self, model: &Model, member: &mut Member, lane: usize) -> &Pose {
        let posed = &mut self.lanes[lane];
        member.player.pose(model, &mut self.sampler, posed);
        if !member.adjustments.is_empty() {
            let (skeleton, matrices) = (model.skeleton(), &mut self.matrices);
            skeleton.to_model(&posed.pose, .., matrices).expect(MADE);
            for adjustment in &member.adjustments {
                // They were checked when they were set.
                let _ = adjustment.apply(skeleton, posed.change(), matrices);
            }
        }
        &posed.pose
    }

    /// From the poses in the lanes to the palettes of those frames that are of this step.
    fn make_palettes(&mut self, model: &Model, frames: &mut [Frame], taken: usize, step: Step) {
        let (skeleton, blocks) = (model.skeleton(), &mut self.blocks[..]);
        let lane = |i: usize| &self.lanes[if i < taken { i } else { 0 }].pose;
        let joints: [&[Joint]; BLOCK] = std::array::from_fn(|i| lane(i).joints());
        // Where one of them is scaled, all others are by one.
        let scaled = (0..taken).any(|i| lane(i).scaled);
        let scales: Option<[&[Scale]; BLOCK]> = scaled.then(|| std::array::from_fn(|i| &lane(i).scales[..]));
        let kernels = skeleton.kernels();
        kernels.crowd_joints_to_matrices(CrowdJointsToMatrices { joints, scales, matrices: blocks });
        let of_step = |frame: &&mut Frame| frame.step == step.number;
        if step.space == PaletteSpace::World {
            for root in skeleton.roots() {
                for (lane, frame) in frames.iter_mut().filter(of_step).enumerate() {
                    let root = &mut blocks[root];
                    root.set_matrix(lane, &(frame.world * root.matrix(lane)));
                }
            }
        }
        let (parents, range) = (skeleton.parents(), 0..skeleton.len());
        kernels.crowd_local_to_model(CrowdLocalToModel { parents, range, matrices: blocks });
        for (skin, of_skin) in model.skins().iter().enumerate() {
            let mut palettes: [&mut [Matrix]; BLOCK] = std::array::from_fn(|_| Default::default());
            for (palette, frame) in palettes.iter_mut().zip(frames.iter_mut().filter(of_step)) {
                *palette = frame.palettes.linear[skin].matrices_mut();
            }
            of_skin.kernels().crowd_palette(CrowdToPalette {
                models: &self.blocks,
                joints: of_skin.joints(),
                inverse_binds: of_skin.inverse_binds(),
                palettes: &mut palettes[..taken],
            });
        }
        frames.iter_mut().filter(of_step).for_each(|frame| frame.palettes.update_duals());
    }
}
