//! All members of one model.

use sinew_kernels::{Matrix, VectorBlock};

use super::MemberId;
use super::animate::{AnimateTask, MemberAnimator, Step};
use super::frame::MemberFrame;
use super::member::Member;
use super::parallel::{join, pieces};
use super::skin::{Consumer, Sink, SkinJob, SkinScratch, SkinTask};
use super::skinned_member::{InstanceBlocks, SkinnedMember};
use crate::crowd::CrowdError;
use crate::model::{InstanceOptions, Model};
use crate::query::LazyBvh;
use crate::skeleton::Pose;
use crate::skinning::Target;

/// The members of one model, with two sets of frames: skinning reads one while a step writes the
/// other.
#[derive(Clone, Debug)]
pub(super) struct Members {
    pub(super) model: Model,
    pub(super) options: InstanceOptions,
    pub(super) members: Vec<Member>,
    /// One frame per member. The first set is the current one.
    pub(super) frames: [Vec<MemberFrame>; 2],
    animators: Vec<MemberAnimator>,
    pub(super) scratches: Vec<SkinScratch>,
    pub(super) mesh_instances: Vec<InstanceBlocks>,
    /// Built by the first ray cast.
    pub(super) bvhs: Option<Vec<LazyBvh>>,
    /// The stored vertices of all members. Empty until they are requested.
    stored: Vec<VectorBlock>,
    /// The matrix from the stored vertices of each member to world space; `None` if it was not
    /// skinned.
    skinned_world: Vec<Option<Matrix>>,
}

/// What to skin, and where the vertices go.
#[derive(Clone, Copy)]
pub(super) struct SkinRequest<'a> {
    pub(super) view: Option<[[f32; 4]; 6]>,
    /// Whether the stored vertices are so large that non-temporal stores are faster.
    pub(super) non_temporal: bool,
    /// `None` stores all vertices.
    pub(super) consumer: Option<Consumer<'a>>,
}

impl Members {
    pub(super) fn new(model: &Model, options: &InstanceOptions) -> Self {
        Self {
            model: model.clone(),
            options: *options,
            members: Vec::new(),
            frames: [Vec::new(), Vec::new()],
            animators: vec![MemberAnimator::new(model)],
            scratches: vec![SkinScratch::new(model)],
            mesh_instances: InstanceBlocks::all(model, options),
            bvhs: None,
            stored: Vec::new(),
            skinned_world: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, id: MemberId) {
        self.members.push(Member::new(id, &self.model, self.options.max_influences));
        let frame = MemberFrame::new(id, &self.model, &self.options);
        let [shown, next] = &mut self.frames;
        next.push(frame.clone());
        shown.push(frame);
        self.skinned_world.push(None);
    }

    /// Removes a member. The last member takes its index; returns the id of that one.
    pub(super) fn remove(&mut self, index: usize) -> Option<MemberId> {
        self.members.swap_remove(index);
        self.frames.iter_mut().for_each(|frames| drop(frames.swap_remove(index)));
        self.skinned_world.swap_remove(index);
        let (len, last) = (InstanceBlocks::len(&self.mesh_instances), self.members.len());
        if self.stored.len() > last * len {
            self.stored.copy_within(last * len..(last + 1) * len, index * len);
            self.stored.truncate(last * len);
        }
        self.members.get(index).map(Member::id)
    }

    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    pub(super) fn shown_frame(&self, index: usize) -> &MemberFrame {
        &self.frames[0][index]
    }

    /// The number of bytes of all vertices, if they are stored.
    pub(super) fn bytes(&self) -> usize {
        self.members.len() * InstanceBlocks::len(&self.mesh_instances) * size_of::<VectorBlock>()
    }

    /// The stored vertices of a member; `None` if it was not skinned.
    pub(super) fn skinned(&self, index: usize) -> Option<SkinnedMember<'_>> {
        let len = InstanceBlocks::len(&self.mesh_instances);
        let blocks = self.stored.get(index * len..(index + 1) * len)?;
        let (model, mesh_instances, id) = (&self.model, &self.mesh_instances[..], self.members[index].id());
        self.skinned_world[index].as_ref().map(|world| SkinnedMember {
            id,
            model,
            world,
            mesh_instances,
            blocks,
        })
    }

    /// Animates the next frames, skins the current ones, or does both at the same time.
    pub(super) fn run(&mut self, step: Option<Step>, skin: Option<SkinRequest<'_>>) {
        let len = self.members.len();
        let piece = len.div_ceil(pieces()).max(1);
        self.reserve(len.div_ceil(piece), step.is_some(), skin.as_ref());
        let [shown, next] = &mut self.frames;
        let (model, frames) = (&self.model, &shown[..]);
        let animate_task = step.map(|step| AnimateTask {
            step,
            model,
            members: &mut self.members,
            before: frames,
            after: next,
            animators: &mut self.animators,
            piece,
        });
        let (options, mesh_instances) = (&self.options, &self.mesh_instances[..]);
        let skin_task = skin.as_ref().map(|&SkinRequest { ref view, non_temporal, consumer }| SkinTask {
            job: SkinJob { model, options, mesh_instances, view: view.as_ref(), non_temporal },
            frames,
            sink: match consumer {
                Some(consumer) => Sink::Consumer(consumer),
                None => Sink::Stored(&mut self.stored, &mut self.skinned_world),
            },
            scratches: &mut self.scratches,
            piece,
        });
        match (animate_task, skin_task) {
            (Some(animate_task), Some(skin_task)) => join(|| animate_task.run(), || skin_task.run()),
            (Some(animate_task), None) => animate_task.run(),
            (None, Some(skin_task)) => skin_task.run(),
            (None, None) => {}
        }
        if step.is_some() {
            self.frames.swap(0, 1);
        }
    }

    /// Skins one member after the other, and passes each to the consumer.
    pub(super) fn skin_for_consumer(
        &mut self,
        view: Option<&[[f32; 4]; 6]>,
        consumer: &mut dyn FnMut(SkinnedMember<'_>),
    ) {
        let (model, options, mesh_instances) = (&self.model, &self.options, &self.mesh_instances[..]);
        let job = SkinJob { model, options, mesh_instances, view, non_temporal: false };
        for frame in &self.frames[0] {
            job.skin_for_consumer(frame, &mut self.scratches[0], consumer);
        }
    }

    /// Skins a mesh instance of a member into buffers of the caller.
    pub(super) fn skin_into(
        &mut self,
        index: usize,
        mesh_instance: usize,
        target: Target<'_>,
    ) -> Result<(), CrowdError> {
        self.model.check_mesh_instance(mesh_instance)?;
        let (model, options, mesh_instances) = (&self.model, &self.options, &self.mesh_instances[..]);
        let job = SkinJob { model, options, mesh_instances, view: None, non_temporal: false };
        let morphed = &mut self.scratches[0].morphed[mesh_instance];
        let (palette, options) = job.skin_inputs(&self.frames[0][index], mesh_instance, morphed);
        Ok(model.primitive(mesh_instance).mesh.skin_into(palette, &options, target)?)
    }

    /// The pose of a member at its current time.
    pub(super) fn pose(&mut self, index: usize) -> &Pose {
        self.animators[0].pose(&self.model, &mut self.members[index], 0.0)
    }

    /// Allocates missing buffers: none, once as many members were processed on as many threads.
    fn reserve(&mut self, pieces: usize, animated: bool, skin: Option<&SkinRequest<'_>>) {
        if animated && self.animators.len() < pieces {
            self.animators.resize_with(pieces, || MemberAnimator::new(&self.model));
        }
        let Some(skin) = skin else { return };
        if self.scratches.len() < pieces {
            self.scratches.resize_with(pieces, || SkinScratch::new(&self.model));
        }
        if skin.consumer.is_none() {
            self.stored.resize(
                self.members.len() * InstanceBlocks::len(&self.mesh_instances),
                VectorBlock::default(),
            );
        }
    }
}
