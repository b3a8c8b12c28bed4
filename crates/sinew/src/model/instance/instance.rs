//! An instance of a model: its animation, pose and skinned vertices.

use sinew_kernels::{DirectionLength, Matrix, NormalTransform};

use super::cast::RayCastState;
use super::skin::Skinning;
use crate::animation::{Animator, ModifierStack, SampledPose, Sampler, SpringScratch};
use crate::mesh::Attributes;
use crate::model::Model;
use crate::skeleton::{ModelMatrices, Pose};
use crate::skinning::SkinMethod;

/// How an instance is skinned. The default is linear blending of positions, normals and tangents.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct InstanceOptions {
    /// The attributes to skin, at most. A primitive that has fewer is skinned with those it has.
    pub attributes: Attributes,
    /// Whether normals and tangents are renormalized.
    pub directions: DirectionLength,
    /// Which matrix transforms normals. Non-uniform scale needs cofactors.
    pub normals: NormalTransform,
    /// How the joints of a vertex are blended. Primitives with joint-space influences are always
    /// blended linearly.
    pub skin_method: SkinMethod,
    /// The level of detail: the maximum number of influences per vertex. A primitive that was not
    /// built with the level uses all influences.
    pub max_influences: usize,
}

impl Default for InstanceOptions {
    fn default() -> Self {
        Self {
            attributes: Attributes::Tangents,
            directions: DirectionLength::default(),
            normals: NormalTransform::default(),
            skin_method: SkinMethod::default(),
            max_influences: usize::MAX,
        }
    }
}

impl InstanceOptions {
    /// Sets the attributes to skin, at most.
    #[must_use]
    pub fn with_attributes(mut self, attributes: Attributes) -> Self {
        self.attributes = attributes;
        self
    }

    /// Sets whether normals and tangents are renormalized.
    #[must_use]
    pub fn with_directions(mut self, directions: DirectionLength) -> Self {
        self.directions = directions;
        self
    }

    /// Sets which matrix transforms normals.
    #[must_use]
    pub fn with_normals(mut self, normals: NormalTransform) -> Self {
        self.normals = normals;
        self
    }

    /// Sets how the joints of a vertex are blended.
    #[must_use]
    pub fn with_skin_method(mut self, skin_method: SkinMethod) -> Self {
        self.skin_method = skin_method;
        self
    }

    /// Sets the level of detail: the maximum number of influences per vertex.
    #[must_use]
    pub fn with_max_influences(mut self, max_influences: usize) -> Self {
        self.max_influences = max_influences;
        self
    }
}

/// An instance of a model: playbacks, pose and skinned vertices. All memory is allocated when it is
/// created or when a clip is first played; after that, a frame allocates nothing.
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
/// let model = model()?; // From a file, or built in code.
/// let mut fox = model.instance();
/// fox.play("walk")?.set_speed(0.5);
/// fox.step(1.0);
/// let root = model.skeleton().joint("root")?;
/// assert_eq!(fox.pose().translation(root), [1.0, 0.0, 0.0]);
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Instance {
    pub(super) model: Model,
    pub(super) animator: Animator,
    pub(super) sampler: Sampler,
    pub(super) posed: SampledPose,
    pub(super) matrices: ModelMatrices,
    pub(super) modifiers: ModifierStack,
    pub(super) scratch: SpringScratch,
    pub(super) world: Matrix,
    pub(super) skinning: Skinning,
    /// Built by the first ray cast.
    pub(super) ray_cast: Option<RayCastState>,
}

impl Model {
    /// Creates an instance at rest with [`InstanceOptions::default`].
    #[must_use]
    pub fn instance(&self) -> Instance {
        self.instance_with(&InstanceOptions::default())
    }

    /// Creates an instance at rest.
    #[must_use]
    pub fn instance_with(&self, options: &InstanceOptions) -> Instance {
        let mut instance = Instance {
            model: self.clone(),
            animator: Animator::new(self.clip_set()),
            sampler: Sampler::new(self.clip_set()),
            posed: SampledPose::new(self.clip_set()),
            matrices: ModelMatrices::new(self.skeleton()),
            modifiers: ModifierStack::new(self.clip_set()),
            scratch: SpringScratch::default(),
            world: Matrix::IDENTITY,
            skinning: Skinning::new(self, options),
            ray_cast: None,
        };
        instance.refresh();
        instance
    }
}

impl Instance {
    /// The model of the instance.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The joints relative to their parents, after the last step and later edits.
    #[must_use]
    pub fn pose(&self) -> &Pose {
        &self.posed.pose
    }

    /// The joints in model space, after the last step and later edits.
    pub fn model_matrices(&mut self) -> &[Matrix] {
        self.refresh();
        self.matrices.as_slice()
    }

    /// The matrix from model space to world space. The identity, unless it was set.
    #[must_use]
    pub fn world(&self) -> &Matrix {
        &self.world
    }

    /// Sets the matrix from model space to world space, for modifiers that simulate in world space,
    /// such as [`SpringBones`](crate::animation::SpringBones). Vertices and queries stay in model
    /// space. After a jump to another place, call [`ModifierStack::reset`].
    pub fn set_world(&mut self, world: Matrix) {
        self.world = world;
    }

    /// Updates the model-space matrices.
    pub(super) fn refresh(&mut self) {
        if !self.matrices.is_current() {
            self.matrices.all(self.model.skeleton(), &self.posed.pose);
            self.skinning.state.stale = true;
        }
    }
}
