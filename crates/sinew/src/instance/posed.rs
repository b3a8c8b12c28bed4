//! An instance: a model somewhere in its motions.

use super::cast::Casting;
use super::skin::Skinning;
use crate::player::{Posed, Sampler};
use crate::{Attributes, DirectionLength, JointBlend, Matrix, Model, NormalTransform, Player, Pose};

/// How an instance is skinned. The default is all that its surfaces have, blended linearly.
#[derive(Clone, Copy, Debug)]
pub struct InstanceOptions {
    /// What to skin, at most: a surface that has less is skinned with what it has.
    pub attributes: Attributes,
    /// What length directions have afterwards.
    pub directions: DirectionLength,
    /// What turns normals: cofactors, where joints scale unevenly.
    pub normals: NormalTransform,
    /// What blends the joints of a vertex. Surfaces with influences in joint space are always blended linearly.
    pub joint_blend: JointBlend,
    /// The level of detail: each vertex is moved by its strongest influences only, at most so many. A surface that was
    /// not built with the level keeps all of them.
    pub max_influences: usize,
}

impl Default for InstanceOptions {
    fn default() -> Self {
        Self {
            attributes: Attributes::Tangents,
            directions: DirectionLength::default(),
            normals: NormalTransform::default(),
            joint_blend: JointBlend::default(),
            max_influences: usize::MAX,
        }
    }
}

/// A model that moves: what it plays, its pose, and its vertices. All memory is taken when it is made, or when a clip is
/// first played; after that a frame allocates nothing.
///
/// ```
/// # fn model() -> Result<sinew::Model, sinew::Error> {
/// #     let skeleton = sinew::Skeleton::new(&[sinew::Bone::new("root", None, sinew::Transform::IDENTITY)])?;
/// #     let keys = sinew::Keys::Translations { joint: 0, values: &[[0.0; 3], [2.0, 0.0, 0.0]] };
/// #     let track = sinew::Track { times: &[0.0, 1.0], keys, interpolation: sinew::Interpolation::Linear };
/// #     let clips = vec![sinew::Clip::new("walk", &skeleton, &[track])?];
/// #     sinew::Model::new(sinew::ModelSource { clips, ..sinew::ModelSource::new(skeleton) })
/// # }
/// let model = model()?; // From a file, or made in code.
/// let mut fox = model.instance();
/// fox.play("walk")?.speed(0.5);
/// fox.step(1.0);
/// assert_eq!(fox.pose().joints()[0].translation, [1.0, 0.0, 0.0]);
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Instance {
    pub(super) model: Model,
    pub(super) player: Player,
    pub(super) sampler: Sampler,
    pub(super) posed: Posed,
    pub(super) model_from_joint: Vec<Matrix>,
    /// The first joint whose matrix is older than the pose.
    pub(super) stale: usize,
    pub(super) skinning: Skinning,
    /// Made when a ray is cast for the first time.
    pub(super) casting: Option<Casting>,
}

impl Model {
    /// An instance at rest, as [`InstanceOptions::default`] says.
    #[must_use]
    pub fn instance(&self) -> Instance {
        self.instance_with(&InstanceOptions::default())
    }

    /// An instance at rest.
    #[must_use]
    pub fn instance_with(&self, options: &InstanceOptions) -> Instance {
        let mut instance = Instance {
            model: self.clone(),
            player: Player::new(self),
            sampler: Sampler::new(self),
            posed: Posed::new(self),
            model_from_joint: self.skeleton().model_matrices(),
            stale: 0,
            skinning: Skinning::new(self, options),
            casting: None,
        };
        instance.refresh();
        instance
    }
}

impl Instance {
    /// What it is an instance of.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Its joints, each in its parent's space, after the last step and what was changed since.
    #[must_use]
    pub fn pose(&self) -> &Pose {
        &self.posed.pose
    }

    /// Its joints in model space, after the last step and what was changed since.
    pub fn model_matrices(&mut self) -> &[Matrix] {
        self.refresh();
        &self.model_from_joint
    }

    /// Brings the model matrices up to date.
    pub(super) fn refresh(&mut self) {
        if self.stale < self.posed.pose.len() {
            let skeleton = self.model.skeleton();
            skeleton
                .to_model(&self.posed.pose, self.stale.., &mut self.model_from_joint)
                .expect("pose and matrices were made for the skeleton");
            self.stale = self.posed.pose.len();
            self.skinning.moved.stale = true;
        }
    }
}
