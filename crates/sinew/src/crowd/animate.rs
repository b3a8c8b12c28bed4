//! Animates members of one model, eight at a time, one per SIMD lane: from time to palettes.

use sinew_kernels::{
    BLOCK, CrowdJointsToMatrices, CrowdLocalToModel, CrowdToPalette, Joint, Matrix, MatrixBlock, Scale,
};

use super::PaletteSpace;
use super::frame::{BUILT_FOR_MODEL, MemberFrame};
use super::member::Member;
use super::parallel::join;
use crate::animation::{SampledPose, Sampler};
use crate::model::Model;
use crate::skeleton::Pose;

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
    pub(super) animators: &'a mut [LaneAnimator],
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

/// Buffers for animating eight members.
#[derive(Clone, Debug)]
pub(super) struct LaneAnimator {
    lanes: Vec<SampledPose>,
    sampler: Sampler,
    /// The model-space matrices of one member, for adjustments.
    matrices: Vec<Matrix>,
    /// The matrices of all lanes.
    blocks: Vec<MatrixBlock>,
}

impl LaneAnimator {
    pub(super) fn new(model: &Model) -> Self {
        Self {
            lanes: vec![SampledPose::new(model.clip_set()); BLOCK],
            sampler: Sampler::new(model.clip_set()),
            matrices: model.skeleton().identity_matrices(),
            blocks: vec![MatrixBlock::IDENTITY; model.skeleton().len()],
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
        let (mut first, mut lanes_used) = (0, 0);
        for index in 0..members.len() {
            let (member, frame) = (&mut members[index], &mut after[index]);
            member.elapsed += step.seconds;
            frame.world = member.world;
            frame.max_influences = member.max_influences;
            if !member.is_due(step.number) {
                frame.keep(&before[index]);
                continue;
            }
            frame.step = step.number;
            frame.in_world = step.space == PaletteSpace::World;
            self.advance(model, member, lanes_used);
            frame.morph_weights.copy_from_slice(self.lanes[lanes_used].pose.morph_weights());
            lanes_used += 1;
            if lanes_used == BLOCK {
                self.update_palettes(model, &mut after[first..=index], lanes_used, step);
                (first, lanes_used) = (index + 1, 0);
            }
        }
        if lanes_used > 0 {
            self.update_palettes(model, &mut after[first..], lanes_used, step);
        }
    }

    /// Advances a member by the time since its last update, and poses it in a lane.
    fn advance(&mut self, model: &Model, member: &mut Member, lane: usize) {
        member.was_animated = true;
        member.animator.advance(std::mem::take(&mut member.elapsed));
        self.pose(model, member, lane);
    }

    /// Computes the pose of a member at its current time, including adjustments.
    pub(super) fn pose(&mut self, model: &Model, member: &mut Member, lane: usize) -> &Pose {
        let posed = &mut self.lanes[lane];
        member.animator.pose(model.clip_set(), &mut self.sampler, posed);
        if !member.adjustments.is_empty() {
            let (skeleton, matrices) = (model.skeleton(), &mut self.matrices);
            skeleton.to_model(&posed.pose, .., matrices).expect(BUILT_FOR_MODEL);
            for adjustment in &member.adjustments {
                // They were checked when they were set.
                let _ = adjustment.apply(skeleton, posed.pose_mut(), matrices);
            }
        }
        &posed.pose
    }

    /// Computes the palettes of the frames that belong to this step from the poses in the lanes.
    fn update_palettes(&mut self, model: &Model, frames: &mut [MemberFrame], lanes_used: usize, step: Step) {
        let (skeleton, blocks) = (model.skeleton(), &mut self.blocks[..]);
        let lane = |i: usize| &self.lanes[if i < lanes_used { i } else { 0 }].pose;
        let joints: [&[Joint]; BLOCK] = std::array::from_fn(|i| &lane(i).joints[..]);
        // If one member has scales, the others have scales of one.
        let scaled = (0..lanes_used).any(|i| lane(i).scaled);
        let scales: Option<[&[Scale]; BLOCK]> = scaled.then(|| std::array::from_fn(|i| &lane(i).scales[..]));
        let kernels = skeleton.runtime().kernels();
        kernels.crowd_joints_to_matrices(CrowdJointsToMatrices { joints, scales, matrices: blocks });
        let was_updated = |frame: &&mut MemberFrame| frame.step == step.number;
        if step.space == PaletteSpace::World {
            for root in skeleton.roots() {
                for (lane, frame) in frames.iter_mut().filter(was_updated).enumerate() {
                    let root = &mut blocks[root.index()];
                    root.set_matrix(lane, &(frame.world * root.matrix(lane)));
                }
            }
        }
        let (parents, range) = (skeleton.parents(), 0..skeleton.len());
        kernels.crowd_local_to_model(CrowdLocalToModel { parents, range, matrices: blocks });
        for (index, skin) in model.skins().iter().enumerate() {
            let mut palettes: [&mut [Matrix]; BLOCK] = std::array::from_fn(|_| Default::default());
            for (palette, frame) in palettes.iter_mut().zip(frames.iter_mut().filter(was_updated)) {
                *palette = frame.palettes.linear[index].matrices_mut();
            }
            skin.runtime().kernels().crowd_palette(CrowdToPalette {
                models: &self.blocks,
                joints: skin.joint_indices(),
                inverse_binds: skin.inverse_binds(),
                palettes: &mut palettes[..lanes_used],
            });
        }
        frames.iter_mut().filter(was_updated).for_each(|frame| frame.palettes.update_dual_quaternions());
    }
}
