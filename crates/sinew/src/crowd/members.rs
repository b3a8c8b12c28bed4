//! All members of one model.

use sinew_kernels::{BLOCK, VectorBlock};

use super::MemberId;
use super::animate::{Animation, Animator, Step};
use super::frame::Frame;
use super::member::Member;
use super::parallel::{join, pieces};
use super::skin::{Consumer, Skinner, Skinning, To, What};
use super::skinned::{Placed, SkinnedMember};
use crate::{Error, InstanceOptions, LazyTree, Matrix, Model, Pose, Target};

/// The members of one model, with two sets of frames: one is shown while the other is made.
#[derive(Clone, Debug)]
pub(super) struct Members {
    pub(super) model: Model,
    pub(super) options: InstanceOptions,
    pub(super) members: Vec<Member>,
    /// Of each member; the first are shown.
    pub(super) frames: [Vec<Frame>; 2],
    animators: Vec<Animator>,
    pub(super) skinners: Vec<Skinner>,
    pub(super) parts: Vec<Placed>,
    /// Made when a ray is cast for the first time.
    pub(super) casting: Option<Vec<LazyTree>>,
    /// The vertices of all members, once they are asked for.
    kept: Vec<VectorBlock>,
    /// Of each member from where the kept vertices are to the world; `None` where it was not skinned then.
    seen: Vec<Option<Matrix>>,
}

/// What is to be skinned, and where it goes.
#[derive(Clone, Copy)]
pub(super) struct Skin<'a> {
    pub(super) view: Option<[[f32; 4]; 6]>,
    /// Whether all that is kept is so large that it goes past the caches.
    pub(super) non_temporal: bool,
    /// `None` keeps all.
    pub(super) consumer: Option<Consumer<'a>>,
}

impl Members {
    pub(super) fn new(model: &Model, options: &InstanceOptions) -> Self {
        Self {
            model: model.clone(),
            options: *options,
            members: Vec::new(),
            frames: [Vec::new(), Vec::new()],
            animators: vec![Animator::new(model)],
            skinners: vec![Skinner::new(model)],
            parts: Placed::all(model, options),
            casting: None,
            kept: Vec::new(),
            seen: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, id: MemberId) {
        self.members.push(Member::new(id, &self.model, self.options.max_influences));
        let frame = Frame::new(id, &self.model, &self.options);
        let [shown, next] = &mut self.frames;
        next.push(frame.clone());
        shown.push(frame);
        self.seen.push(None);
    }

    /// Takes a member away; the last one takes its place, and its name is given.
    pub(super) fn remove(&mut self, place: usize) -> Option<MemberId> {
        self.members.swap_remove(place);
        self.frames.iter_mut().for_each(|frames| drop(frames.swap_remove(place)));
        self.seen.swap_remove(place);
        let (len, last) = (Placed::len(&self.parts), self.members.len());
        if self.kept.len() > last * len {
            self.kept.copy_within(last * len..(last + 1) * len, place * len);
            self.kept.truncate(last * len);
        }
        self.members.get(place).map(Member::id)
    }

    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    pub(super) fn shown(&self, place: usize) -> &Frame {
        &self.frames[0][place]
    }

    /// Bytes of all vertices, if they are kept.
    pub(super) fn bytes(&self) -> usize {
        self.members.len() * Placed::len(&self.parts) * size_of::<VectorBlock>()
    }

    /// A member's vertices as they were kept last; `None` where it was not skinned then.
    pub(super) fn skinned(&self, place: usize) -> Option<SkinnedMember<'_>> {
        let len = Placed::len(&self.parts);
        let blocks = self.kept.get(place * len..(place + 1) * len)?;
        let (model, parts, id) = (&self.model, &self.parts[..], self.members[place].id());
        self.seen[place].as_ref().map(|world| SkinnedMember { id, model, world, parts, blocks })
    }

    /// Animates the frames that come next, skins those that are shown, or both at once.
    pub(super) fn run(&mut self, step: Option<Step>, skin: Option<Skin<'_>>) {
        let len = self.members.len();
        // Whole registers of lanes, as far as there are enough members.
        let piece = len.div_ceil(pieces()).next_multiple_of(BLOCK).max(BLOCK);
        self.make_room(len.div_ceil(piece), step.is_some(), skin.as_ref());
        let [shown, next] = &mut self.frames;
        let (model, frames) = (&self.model, &shown[..]);
        let animation = step.map(|step| Animation {
            step,
            model,
            members: &mut self.members,
            before: frames,
            after: next,
            animators: &mut self.animators,
            piece,
        });
        let (options, parts) = (&self.options, &self.parts[..]);
        let skinning = skin.as_ref().map(|&Skin { ref view, non_temporal, consumer }| Skinning {
            what: What { model, options, parts, view: view.as_ref(), non_temporal },
            frames,
            to: match consumer {
                Some(consumer) => To::Consumer(consumer),
                None => To::Kept(&mut self.kept, &mut self.seen),
            },
            skinners: &mut self.skinners,
            piece,
        });
        match (animation, skinning) {
            (Some(animation), Some(skinning)) => join(|| animation.run(), || skinning.run()),
            (Some(animation), None) => animation.run(),
            (None, Some(skinning)) => skinning.run(),
            (None, None) => {}
        }
        if step.is_some() {
            self.frames.swap(0, 1);
        }
    }

    /// Skins one member after the other, and hands each over.
    pub(super) fn hand_over(
        &mut self,
        view: Option<&[[f32; 4]; 6]>,
        consumer: &mut dyn FnMut(SkinnedMember<'_>),
    ) {
        let (model, options, parts) = (&self.model, &self.options, &self.parts[..]);
        let what = What { model, options, parts, view, non_temporal: false };
        for frame in &self.frames[0] {
            what.hand_over(frame, &mut self.skinners[0], consumer);
        }
    }

    /// Skins a part of a member into memory of the caller's own.
    pub(super) fn skin_into(&mut self, place: usize, part: usize, target: Target<'_>) -> Result<(), Error> {
        let len = self.parts.len();
        if part >= len {
            return Err(Error::PartOutOfRange { part, len });
        }
        let (model, options, parts) = (&self.model, &self.options, &self.parts[..]);
        let what = What { model, options, parts, view: None, non_temporal: false };
        let morphed = &mut self.skinners[0].morphed[part];
        let (palette, options) = what.of_part(&self.frames[0][place], part, morphed);
        model.surface(part).mesh.skin_into(palette, &options, target)
    }

    /// The pose of a member, where it is now.
    pub(super) fn pose(&mut self, place: usize) -> &Pose {
        self.animators[0].pose_now(&self.model, &mut self.members[place], 0)
    }

    /// Takes what memory is missing: none, once as many members were run on as many threads.
    fn make_room(&mut self, pieces: usize, animated: bool, skin: Option<&Skin<'_>>) {
        if animated && self.animators.len() < pieces {
            self.animators.resize_with(pieces, || Animator::new(&self.model));
        }
        let Some(skin) = skin else { return };
        if self.skinners.len() < pieces {
            self.skinners.resize_with(pieces, || Skinner::new(&self.model));
        }
        if skin.consumer.is_none() {
            self.kept.resize(self.members.len() * Placed::len(&self.parts), VectorBlock::default());
        }
    }
}
