//! A crowd: many members of few models.

use sinew_kernels::{Aabb, Matrix};

use super::animate::Step;
use super::member_ids::{MemberIndex, MemberTable};
use super::members::{Members, SkinRequest};
use super::parallel::for_each;
use super::skin::Consumer;
use super::skinned_member::SkinnedMember;
use super::{Member, MemberId};
use crate::crowd::CrowdError;
use crate::model::{InstanceOptions, Model};
use crate::skeleton::Pose;
use crate::skinning::{Palette, Target};

/// Stored vertices that take more bytes than this are written with non-temporal stores. It is half
/// of a common last-level cache, which is shared with other data. Above it, non-temporal stores are
/// faster on AVX2 and AVX-512, even if all vertices are read right afterwards.
const NON_TEMPORAL_BYTES: usize = 16 << 20;

/// Options for all members of a crowd.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CrowdOptions {
    /// The view frustum in world space: six planes `[a, b, c, d]`, where a x + b y + c z + d >= 0
    /// is inside. Members whose joint bounds are outside one of them are not skinned. `None` skins
    /// all members.
    pub view: Option<[[f32; 4]; 6]>,
    /// The space of palettes and skinned vertices, from the next step on.
    pub palettes: PaletteSpace,
}

impl CrowdOptions {
    /// Skins only members whose bounds are at least partly inside these six planes.
    #[must_use]
    pub fn with_view(mut self, view: [[f32; 4]; 6]) -> Self {
        self.view = Some(view);
        self
    }

    /// Sets the space of palettes and skinned vertices.
    #[must_use]
    pub fn with_palettes(mut self, palettes: PaletteSpace) -> Self {
        self.palettes = palettes;
        self
    }
}

/// The space that palettes transform vertices to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PaletteSpace {
    /// Model space. The renderer applies the member's world matrix.
    #[default]
    Model,
    /// World space. A member that is not animated in every step stays where it was until its next
    /// update.
    World,
}

/// Many instances of few models, with their playbacks, world matrices and vertices.
///
/// Members are animated one by one, each in blocks of eight joints. With the feature `parallel`,
/// members and windows of large meshes are distributed over the threads of the current rayon pool.
/// Results do not depend on the number of threads, the distribution of work, the feature, or the
/// order of members. Memory is allocated when members are added, when clips are first played, and
/// by the first call of each kind; after that, a frame allocates nothing of its own.
///
/// ```
/// # fn model() -> Result<sinew::Model, sinew::Error> {
/// #     use sinew::animation::{Interpolation, Keys, Track};
/// #     use sinew::model::ModelSource;
/// #     use sinew::{Bone, Clip, Skeleton, Transform};
/// #     let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)])?;
/// #     let joint = skeleton.joint("root")?;
/// #     let keys = Keys::Translations { joint, values: &[[0.0; 3], [2.0, 0.0, 0.0]] };
/// #     let track = Track { times: &[0.0, 1.0], keys, interpolation: Interpolation::Linear };
/// #     let clips = vec![Clip::new("walk", &skeleton, &[track])?];
/// #     Ok(sinew::Model::new(ModelSource { clips, ..ModelSource::new(skeleton) })?)
/// # }
/// use sinew::{Crowd, InstanceOptions};
/// use sinew::crowd::CrowdOptions;
///
/// let model = model()?; // From a file, or built in code.
/// let mut crowd = Crowd::new(CrowdOptions::default());
/// let foxes = crowd.add_model(&model, &InstanceOptions::default());
/// for i in 0..100 {
///     let id = crowd.add(foxes)?;
///     if let Some(fox) = crowd.member_mut(id) {
///         fox.animator_mut().play("walk")?.seek(0.1 * f64::from(i));
///         fox.world.rows[0][3] = i as f32; // A meter apart.
///     }
/// }
/// crowd.step(1.0 / 60.0);
/// crowd.skin_each(&mut |fox| assert!(fox.is_empty())); // Upload its vertices.
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Crowd {
    /// Options for all members.
    pub options: CrowdOptions,
    pub(super) models: Vec<Members>,
    table: MemberTable,
    steps: u64,
    /// Stored vertices that take more bytes than this are written with non-temporal stores.
    non_temporal_bytes: usize,
}

impl Crowd {
    /// An empty crowd without models.
    #[must_use]
    pub fn new(options: CrowdOptions) -> Self {
        Self {
            options,
            models: Vec::new(),
            table: MemberTable::default(),
            steps: 0,
            non_temporal_bytes: NON_TEMPORAL_BYTES,
        }
    }

    /// Adds a model. All of its members are skinned with the same options. Returns its index.
    pub fn add_model(&mut self, model: &Model, options: &InstanceOptions) -> usize {
        self.models.push(Members::new(model, options));
        self.models.len() - 1
    }

    /// Adds a member of a model, at rest.
    ///
    /// # Errors
    ///
    /// If there is no such model.
    pub fn add(&mut self, model: usize) -> Result<MemberId, CrowdError> {
        let len = self.models.len();
        let members = self.models.get_mut(model).ok_or(CrowdError::ModelOutOfRange { model, len })?;
        let id = self.table.add(MemberIndex { model, member: members.len() });
        members.add(id);
        Ok(id)
    }

    /// Removes a member; `None` if it does not exist.
    pub fn remove(&mut self, id: MemberId) -> Option<()> {
        let index = self.table.remove(id)?;
        if let Some(moved) = self.models[index.model].remove(index.member) {
            self.table.set(moved, index);
        }
        Some(())
    }

    /// The number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.models.iter().map(Members::len).sum()
    }

    /// Whether the crowd has no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A member; `None` if it does not exist.
    #[must_use]
    pub fn member(&self, id: MemberId) -> Option<&Member> {
        self.table.find(id).map(|index| &self.models[index.model].members[index.member])
    }

    /// Mutable access to a member; `None` if it does not exist.
    pub fn member_mut(&mut self, id: MemberId) -> Option<&mut Member> {
        self.table.find(id).map(|index| &mut self.models[index.model].members[index.member])
    }

    /// All members, grouped by model, otherwise in any order.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.models.iter().flat_map(|members| &members.members)
    }

    /// Mutable access to all members, grouped by model, otherwise in any order.
    pub fn members_mut(&mut self) -> impl Iterator<Item = &mut Member> {
        self.models.iter_mut().flat_map(|members| &mut members.members)
    }

    /// Advances the animation: samples, blends and modifies poses, and computes palettes. Infinite
    /// or NaN seconds count as zero.
    pub fn step(&mut self, seconds: f32) {
        let step = self.next_step(seconds);
        for_each(&mut self.models, &|members| members.run(Some(step), None));
    }

    /// Skins all members in the poses of the last step and stores their vertices. See
    /// [`skinned`](Self::skinned).
    pub fn skin(&mut self) {
        let skin = self.skin_request(None);
        for_each(&mut self.models, &|members| members.run(None, Some(skin)));
    }

    /// Skins and steps at the same time, with the same bits as [`skin`](Self::skin) followed by
    /// [`step`](Self::step). The vertices are those of the previous step, one frame late, and a
    /// frame takes as long as the slower of the two.
    pub fn skin_and_step(&mut self, seconds: f32) {
        let (step, skin) = (self.next_step(seconds), self.skin_request(None));
        for_each(&mut self.models, &|members| members.run(Some(step), Some(skin)));
    }

    /// Skins the members one after the other, in any order, in the poses of the last step, and
    /// passes each to the consumer. They all use the same buffer.
    pub fn skin_each(&mut self, consumer: &mut dyn FnMut(SkinnedMember<'_>)) {
        for members in &mut self.models {
            members.skin_for_consumer(self.options.view.as_ref(), consumer);
        }
    }

    /// As [`skin_each`](Self::skin_each), on all threads: the consumer is called concurrently.
    pub fn skin_each_parallel(&mut self, consumer: &(dyn Fn(SkinnedMember<'_>) + Sync)) {
        let skin = self.skin_request(Some(consumer));
        for_each(&mut self.models, &|members| members.run(None, Some(skin)));
    }

    /// As [`skin_each_parallel`](Self::skin_each_parallel) followed by [`step`](Self::step), at the
    /// same time.
    pub fn skin_each_and_step(&mut self, seconds: f32, consumer: &(dyn Fn(SkinnedMember<'_>) + Sync)) {
        let (step, skin) = (self.next_step(seconds), self.skin_request(Some(consumer)));
        for_each(&mut self.models, &|members| members.run(Some(step), Some(skin)));
    }

    /// The stored vertices of a member; `None` if it does not exist or was outside the view
    /// frustum.
    #[must_use]
    pub fn skinned(&self, id: MemberId) -> Option<SkinnedMember<'_>> {
        self.table.find(id).and_then(|index| self.models[index.model].skinned(index.member))
    }

    /// The palettes of a member after the last step, one per skin of its model; `None` if it does
    /// not exist.
    #[must_use]
    pub fn palettes(&self, id: MemberId) -> Option<&[Palette]> {
        self.table
            .find(id)
            .map(|index| &self.models[index.model].shown_frame(index.member).palettes.linear[..])
    }

    /// The matrix from a member's skinned vertices to world space after the last step: the identity
    /// if its palettes are in world space. `None` if it does not exist.
    #[must_use]
    pub fn world(&self, id: MemberId) -> Option<&Matrix> {
        self.table
            .find(id)
            .map(|index| self.models[index.model].shown_frame(index.member).world_from_skinned())
    }

    /// An AABB in world space of all vertices of a member in the pose of the last step, computed
    /// from joints alone. See [`JointBounds::aabb`](crate::bounds::JointBounds::aabb). `None` if it
    /// does not exist.
    #[must_use]
    pub fn bounds(&self, id: MemberId) -> Option<Aabb> {
        let index = self.table.find(id)?;
        let members = &self.models[index.model];
        Some(members.shown_frame(index.member).bounds(&members.model))
    }

    /// The pose of a member at its current time; `None` if it does not exist. Poses are not stored,
    /// so this samples its clips and runs its modifiers by zero seconds.
    pub fn pose(&mut self, id: MemberId) -> Option<&Pose> {
        self.table.find(id).map(|index| self.models[index.model].pose(index.member))
    }

    /// Skins one mesh instance of a member in the pose of the last step into any vertex layout. See
    /// [`Target`].
    ///
    /// # Errors
    ///
    /// If there is no such member or mesh instance, or as
    /// [`Mesh::skin_into`](crate::Mesh::skin_into).
    pub fn skin_into(
        &mut self,
        id: MemberId,
        mesh_instance: usize,
        target: Target<'_>,
    ) -> Result<(), CrowdError> {
        let index = self.table.find(id).ok_or(CrowdError::MemberNotFound { id })?;
        self.models[index.model].skin_into(index.member, mesh_instance, target)
    }

    fn next_step(&mut self, seconds: f32) -> Step {
        self.steps += 1;
        let seconds = if seconds.is_finite() { f64::from(seconds) } else { 0.0 };
        Step { number: self.steps, seconds, space: self.options.palettes }
    }

    fn skin_request<'a>(&self, consumer: Option<Consumer<'a>>) -> SkinRequest<'a> {
        let stored: usize = self.models.iter().map(Members::bytes).sum();
        SkinRequest {
            view: self.options.view,
            non_temporal: consumer.is_none() && stored > self.non_temporal_bytes,
            consumer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::animation::{Clip, Interpolation, Keys, Track};
    use crate::mesh::{Influences, Mesh, MeshSource};
    use crate::model::{MeshInstance, ModelSource, Primitive};
    use crate::skeleton::{Bone, JointId, Skeleton, Skin, Transform};

    /// A row of vertices between two joints, the second of which rotates.
    fn model() -> Model {
        let bones = [Bone::new("", None, Transform::IDENTITY), Bone::new("", Some(0), Transform::IDENTITY)];
        let skeleton = Skeleton::new(&bones).expect("sound");
        let [root, child] = [0, 1].map(JointId::new);
        let skin = Skin::new(&skeleton, &[root, child]).expect("sound");
        let positions: Vec<[f32; 3]> = (0..101).map(|i| [0.1 * i as f32, 0.3, -0.7]).collect();
        let weights: Vec<f32> = (0..101).flat_map(|i| [i as f32 / 128.0, 1.0 - i as f32 / 128.0]).collect();
        let influences =
            Influences::Variable { counts: &[2; 101], joints: &[0, 1].repeat(101), weights: &weights };
        let mesh = Mesh::new(&MeshSource::new(&positions, influences), &skin).expect("sound");
        let turn = Keys::Rotations { joint: child, values: &[[0.0, 0.0, 0.0, 1.0], [0.0, 0.6, 0.0, 0.8]] };
        let track = Track { times: &[0.0, 1.0], keys: turn, interpolation: Interpolation::Linear };
        let clips = vec![Clip::new("turn", &skeleton, &[track]).expect("sound")];
        let (skins, primitives) = (vec![skin], vec![Primitive::new("", mesh)]);
        let mesh_instances = vec![MeshInstance::new("", root)];
        Model::new(ModelSource { skins, primitives, mesh_instances, clips, ..ModelSource::new(skeleton) })
            .expect("sound")
    }

    #[test]
    fn non_temporal_stores_give_the_bits_of_instances() {
        let model = model();
        let mut crowd = Crowd { non_temporal_bytes: 0, ..Crowd::new(CrowdOptions::default()) };
        crowd.add_model(&model, &InstanceOptions::default());
        let ids: Vec<MemberId> = (0..11).map(|_| crowd.add(0).unwrap()).collect();
        for (i, &id) in ids.iter().enumerate() {
            crowd.member_mut(id).unwrap().animator_mut().start(0).seek(0.07 * i as f64);
        }
        assert!(crowd.skin_request(None).non_temporal);
        let consumer: Consumer<'_> = &|_| {};
        assert!(!crowd.skin_request(Some(consumer)).non_temporal, "a consumer reads the vertices at once");
        for _ in 0..3 {
            crowd.step(0.125);
            crowd.skin();
        }
        for (i, &id) in ids.iter().enumerate() {
            let mut instance = model.instance();
            instance.start(0).seek(0.07 * i as f64);
            (0..3).for_each(|_| instance.step(0.125));
            assert!(
                crowd.skinned(id).unwrap().blocks(0) == instance.skin().mesh_instances()[0].blocks(),
                "{i}"
            );
        }
    }
}
