//! A crowd: many members of few models.

use super::animate::Step;
use super::members::{Members, Skin};
use super::parallel::each;
use super::skin::Consumer;
use super::skinned::SkinnedMember;
use super::slots::{Place, Slots};
use super::{Member, MemberId};
use crate::{Aabb, Error, InstanceOptions, Matrix, Model, Palette, Pose, Target};

/// Beyond so many bytes what is kept goes past the caches: half of a common outer cache, which is never ours alone. From
/// here on that is faster on AVX2 and AVX-512, even when all of it is read at once afterwards.
const PAST_CACHES: usize = 16 << 20;

/// What is the same for all of a crowd.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CrowdOptions {
    /// Six planes, `[a, b, c, d]` each, with the inside where a x + b y + c z + d is zero or more, in the world. Members whose
    /// joints' bounds lie outside one of them are not skinned. `None` skins all.
    pub view: Option<[[f32; 4]; 6]>,
    /// Where palettes lead, from the next step on.
    pub palettes: PaletteSpace,
}

/// Where palettes lead, and with them vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PaletteSpace {
    /// To model space: whoever draws a member puts it where it stands.
    #[default]
    Model,
    /// To the world. A member that is not animated in each step stays where it stood until it is.
    World,
}

/// Many instances of few models: what each plays, where it stands, and its vertices.
///
/// Members of one model are animated eight at a time, a lane each. With the feature `parallel` members, and windows of large
/// meshes, are divided among the threads of the rayon pool that it is called in. No result depends on how many there are, on
/// how work is divided, on the feature or on the order of members. All memory is taken when members are added, clips first
/// played, or a kind of call first made; after that a frame allocates nothing of its own.
///
/// ```
/// # fn model() -> Result<sinew::Model, sinew::Error> {
/// #     let skeleton = sinew::Skeleton::new(&[sinew::Bone::new("root", None, sinew::Transform::IDENTITY)])?;
/// #     let keys = sinew::Keys::Translations { joint: 0, values: &[[0.0; 3], [2.0, 0.0, 0.0]] };
/// #     let track = sinew::Track { times: &[0.0, 1.0], keys, interpolation: sinew::Interpolation::Linear };
/// #     let clips = vec![sinew::Clip::new("walk", &skeleton, &[track])?];
/// #     sinew::Model::new(sinew::ModelSource { clips, ..sinew::ModelSource::new(skeleton) })
/// # }
/// use sinew::{Crowd, CrowdOptions, InstanceOptions};
///
/// let model = model()?; // From a file, or made in code.
/// let mut crowd = Crowd::new(CrowdOptions::default());
/// let foxes = crowd.add_model(&model, &InstanceOptions::default());
/// for i in 0..100 {
///     let id = crowd.add(foxes)?;
///     if let Some(fox) = crowd.member_mut(id) {
///         fox.player().play("walk")?.at(0.1 * f64::from(i));
///         fox.world.rows[0][3] = i as f32; // A metre apart.
///     }
/// }
/// crowd.step(1.0 / 60.0);
/// crowd.skin_each(&mut |fox| assert!(fox.is_empty())); // Upload its vertices.
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Crowd {
    /// What is the same for all.
    pub options: CrowdOptions,
    pub(super) models: Vec<Members>,
    slots: Slots,
    steps: u64,
    /// More bytes than so many are kept past the caches.
    cached: usize,
}

impl Crowd {
    /// Nobody, of no model.
    #[must_use]
    pub fn new(options: CrowdOptions) -> Self {
        Self { options, models: Vec::new(), slots: Slots::default(), steps: 0, cached: PAST_CACHES }
    }

    /// A model to make members of, all skinned alike. Gives its number.
    pub fn add_model(&mut self, model: &Model, options: &InstanceOptions) -> usize {
        self.models.push(Members::new(model, options));
        self.models.len() - 1
    }

    /// A member of a model, at rest.
    ///
    /// # Errors
    ///
    /// When there is no such model.
    pub fn add(&mut self, model: usize) -> Result<MemberId, Error> {
        let len = self.models.len();
        let members = self.models.get_mut(model).ok_or(Error::ModelOutOfRange { model, len })?;
        let id = self.slots.add(Place { model, member: members.len() });
        members.add(id);
        Ok(id)
    }

    /// Takes a member away; `None` where it is not there. What it held is dropped.
    pub fn remove(&mut self, id: MemberId) -> Option<()> {
        let place = self.slots.remove(id)?;
        if let Some(moved) = self.models[place.model].remove(place.member) {
            self.slots.put(moved, place);
        }
        Some(())
    }

    /// The number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.models.iter().map(Members::len).sum()
    }

    /// Whether there is nobody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A member; `None` where it is not there.
    #[must_use]
    pub fn member(&self, id: MemberId) -> Option<&Member> {
        self.slots.find(id).map(|place| &self.models[place.model].members[place.member])
    }

    /// A member, to be changed; `None` where it is not there.
    pub fn member_mut(&mut self, id: MemberId) -> Option<&mut Member> {
        self.slots.find(id).map(|place| &mut self.models[place.model].members[place.member])
    }

    /// All members, those of a model together, in any order.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.models.iter().flat_map(|members| &members.members)
    }

    /// All members, those of a model together, in any order.
    pub fn members_mut(&mut self) -> impl Iterator<Item = &mut Member> {
        self.models.iter_mut().flat_map(|members| &mut members.members)
    }

    /// Goes on by so many seconds: samples, blends and adjusts, and makes palettes. What is not a finite number of seconds
    /// counts as none.
    pub fn step(&mut self, seconds: f32) {
        let step = self.next_step(seconds);
        each(&mut self.models, &|members| members.run(Some(step), None));
    }

    /// Takes the vertices of all members where the last step took their joints, and keeps them: see
    /// [`skinned`](Self::skinned).
    pub fn skin(&mut self) {
        let skin = self.skin_to(None);
        each(&mut self.models, &|members| members.run(None, Some(skin)));
    }

    /// Skins and steps at the same time: the same as [`skin`](Self::skin) and then [`step`](Self::step), to the bit. So the
    /// vertices are those of the step before, one frame late, and a frame takes as long as the longer of the two.
    pub fn skin_and_step(&mut self, seconds: f32) {
        let (step, skin) = (self.next_step(seconds), self.skin_to(None));
        each(&mut self.models, &|members| members.run(Some(step), Some(skin)));
    }

    /// Takes the vertices of one member after the other where the last step took its joints, and hands each over, in any
    /// order, from memory that is used again for the next.
    pub fn skin_each(&mut self, consumer: &mut dyn FnMut(SkinnedMember<'_>)) {
        for members in &mut self.models {
            members.hand_over(self.options.view.as_ref(), consumer);
        }
    }

    /// The same on all threads: the consumer is called from several of them at once.
    pub fn skin_each_at_once(&mut self, consumer: &(dyn Fn(SkinnedMember<'_>) + Sync)) {
        let skin = self.skin_to(Some(consumer));
        each(&mut self.models, &|members| members.run(None, Some(skin)));
    }

    /// [`skin_each_at_once`](Self::skin_each_at_once) and then [`step`](Self::step), at the same time.
    pub fn skin_each_and_step(&mut self, seconds: f32, consumer: &(dyn Fn(SkinnedMember<'_>) + Sync)) {
        let (step, skin) = (self.next_step(seconds), self.skin_to(Some(consumer)));
        each(&mut self.models, &|members| members.run(Some(step), Some(skin)));
    }

    /// The vertices of a member that were kept last; `None` where it is not there, or was outside the view then.
    #[must_use]
    pub fn skinned(&self, id: MemberId) -> Option<SkinnedMember<'_>> {
        self.slots.find(id).and_then(|place| self.models[place.model].skinned(place.member))
    }

    /// The palettes of a member after the last step, one for each skin of its model; `None` where it is not there.
    #[must_use]
    pub fn palettes(&self, id: MemberId) -> Option<&[Palette]> {
        self.slots.find(id).map(|place| &self.models[place.model].shown(place.member).palettes.linear[..])
    }

    /// Where the vertices of a member are led from, to the world, after the last step: the identity where palettes lead
    /// there; `None` where it is not there.
    #[must_use]
    pub fn world(&self, id: MemberId) -> Option<&Matrix> {
        self.slots.find(id).map(|place| self.models[place.model].shown(place.member).world_from_skinned())
    }

    /// A box in the world that holds all vertices of a member where the last step took its joints, from joints alone: see
    /// [`Mesh::bounds`](crate::Mesh::bounds). `None` where it is not there.
    #[must_use]
    pub fn bounds(&self, id: MemberId) -> Option<Aabb> {
        let place = self.slots.find(id)?;
        let members = &self.models[place.model];
        Some(members.shown(place.member).bounds(&members.model))
    }

    /// The pose of a member, where what it plays is now; `None` where it is not there. Poses are not kept: it is made anew.
    pub fn pose(&mut self, id: MemberId) -> Option<&Pose> {
        self.slots.find(id).map(|place| self.models[place.model].pose(place.member))
    }

    /// Takes the vertices of one part of a member where the last step took its joints, into memory of any form: see
    /// [`Target`]. `None` where it is not there.
    ///
    /// # Errors
    ///
    /// When there is no such part, or as [`Mesh::skin_into`](crate::Mesh::skin_into).
    pub fn skin_into(&mut self, id: MemberId, part: usize, target: Target<'_>) -> Option<Result<(), Error>> {
        let place = self.slots.find(id)?;
        Some(self.models[place.model].skin_into(place.member, part, target))
    }

    fn next_step(&mut self, seconds: f32) -> Step {
        self.steps += 1;
        let seconds = if seconds.is_finite() { f64::from(seconds) } else { 0.0 };
        Step { number: self.steps, seconds, space: self.options.palettes }
    }

    fn skin_to<'a>(&self, consumer: Option<Consumer<'a>>) -> Skin<'a> {
        let kept: usize = self.models.iter().map(Members::bytes).sum();
        Skin { view: self.options.view, non_temporal: consumer.is_none() && kept > self.cached, consumer }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Bone, Clip, Influences, Interpolation, Keys, Mesh, MeshSource, ModelSource, Part, Skeleton, Skin,
        Surface, Track, Transform,
    };

    /// A row of vertices, each between two joints, the second of which turns.
    fn model() -> Model {
        let bones = [Bone::new("", None, Transform::IDENTITY), Bone::new("", Some(0), Transform::IDENTITY)];
        let skeleton = Skeleton::new(&bones).expect("sound");
        let skin = Skin::new(&skeleton, &[0, 1]).expect("sound");
        let positions: Vec<[f32; 3]> = (0..101).map(|i| [0.1 * i as f32, 0.3, -0.7]).collect();
        let weights: Vec<f32> = (0..101).flat_map(|i| [i as f32 / 128.0, 1.0 - i as f32 / 128.0]).collect();
        let influences =
            Influences::Listed { counts: &[2; 101], joints: &[0, 1].repeat(101), weights: &weights };
        let mesh = Mesh::new(&MeshSource::new(&positions, influences), &skin).expect("sound");
        let turn = Keys::Rotations { joint: 1, values: &[[0.0, 0.0, 0.0, 1.0], [0.0, 0.6, 0.0, 0.8]] };
        let track = Track { times: &[0.0, 1.0], keys: turn, interpolation: Interpolation::Linear };
        let clips = vec![Clip::new("turn", &skeleton, &[track]).expect("sound")];
        let [name, of_part] = [String::new(), String::new()];
        let surface =
            Surface { name, mesh, texture_coordinates: Vec::new(), colours: Vec::new(), material: None };
        let part = Part { name: of_part, joint: 0, surface: 0, skin: 0, morph_weights: 0..0 };
        let (skins, surfaces, parts) = (vec![skin], vec![surface], vec![part]);
        Model::new(ModelSource { skins, surfaces, parts, clips, ..ModelSource::new(skeleton) })
            .expect("sound")
    }

    #[test]
    fn what_is_kept_past_the_caches_is_what_instances_have_to_the_bit() {
        let model = model();
        let mut crowd = Crowd { cached: 0, ..Crowd::new(CrowdOptions::default()) };
        crowd.add_model(&model, &InstanceOptions::default());
        let ids: Vec<MemberId> = (0..11).map(|_| crowd.add(0).unwrap()).collect();
        for (i, &id) in ids.iter().enumerate() {
            crowd.member_mut(id).unwrap().player().start(0).at(0.07 * i as f64);
        }
        assert!(crowd.skin_to(None).non_temporal);
        let consumer: Consumer<'_> = &|_| {};
        assert!(!crowd.skin_to(Some(consumer)).non_temporal, "what is handed over is read at once");
        for _ in 0..3 {
            crowd.step(0.125);
            crowd.skin();
        }
        for (i, &id) in ids.iter().enumerate() {
            let mut instance = model.instance();
            instance.start(0).at(0.07 * i as f64);
            (0..3).for_each(|_| instance.step(0.125));
            assert!(crowd.skinned(id).unwrap().blocks(0) == instance.skin().parts()[0].blocks(), "{i}");
        }
    }
}
