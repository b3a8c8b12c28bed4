//! A skeleton: joints ordered so that parents come first, checked once.

use sinew_kernels::{FloatMode, Matrix, NO_PARENT, ProductPlan};

use super::JointId;
use super::names::Names;
use super::product_plan::product_plan;
use crate::math::flush;
use crate::runtime::Runtime;
use crate::skeleton::{
    JointName, NameError, Pose, RotationPolicy, SkeletonError, Transform, check_morph_weights,
};

/// The most joints: 2^29, so that 32-bit indices address the numbers of their keys in clips.
const MAX_JOINTS: usize = 1 << 29;

/// The description of one joint that a skeleton is built from.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bone {
    /// The name. It may be empty and need not be unique.
    pub name: String,
    /// The parent's index, which must be less than the bone's own index; `None` for a root.
    pub parent: Option<usize>,
    /// The joint's transform in the rest pose: in its parent's space, or in model space for a root.
    pub rest: Transform,
}

impl Bone {
    /// A bone with a name, parent and rest transform.
    #[must_use]
    pub fn new(name: &str, parent: Option<usize>, rest: Transform) -> Self {
        Self { name: name.to_owned(), parent, rest }
    }
}

/// A hierarchy of joints with names, parents and a rest pose. It has at least one joint.
///
/// Every joint comes after its parent, so a single pass converts all joints to model space. There
/// may be several roots and any depth. A joint is identified by a [`JointId`], an index below
/// [`len`](Self::len).
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::skeleton::serde::Skeleton", into = "crate::skeleton::serde::Skeleton")
)]
#[expect(clippy::len_without_is_empty, reason = "a skeleton is never empty")]
pub struct Skeleton {
    names: Names,
    parents: Vec<u32>,
    /// See [`product_plan`].
    product_plan: Option<ProductPlan>,
    rest: Pose,
    rotation_policy: RotationPolicy,
    runtime: Runtime,
}

impl Skeleton {
    /// Builds a skeleton with the default [`Runtime`] in [`FloatMode::Fast`].
    ///
    /// Rotations are normalized.
    ///
    /// # Errors
    ///
    /// The first fault, with its joint: no bones, a parent that does not exist or does not come
    /// before its child, a number that is not finite, or a rotation of length zero. Also an invalid
    /// `SINEW_ISA`.
    pub fn new(bones: &[Bone]) -> Result<Self, SkeletonError> {
        Self::with_rotation_policy(bones, RotationPolicy::UnitLength)
    }

    /// Builds a skeleton with a [`RotationPolicy`], which applies to the rest pose and to clips
    /// that are built for the skeleton.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_rotation_policy(
        bones: &[Bone],
        rotation_policy: RotationPolicy,
    ) -> Result<Self, SkeletonError> {
        let len = bones.len();
        if bones.is_empty() {
            return Err(SkeletonError::Empty { what: "skeleton" });
        }
        if len > MAX_JOINTS {
            return Err(SkeletonError::TooManyJoints { limit: MAX_JOINTS, found: len });
        }
        let mut parents = Vec::with_capacity(len);
        let mut rest = Vec::with_capacity(len);
        for (joint, bone) in bones.iter().enumerate() {
            parents.push(check_parent(bones, joint)?);
            rest.push(bone.rest.validate_with(joint, &bone.name, rotation_policy)?.flush_small());
        }
        let names = Names::new("joint", bones.iter().map(|bone| bone.name.clone()).collect());
        let runtime = Runtime::new(FloatMode::Fast)?;
        let rest = Pose::from_transforms(rest.into_iter(), runtime);
        let product_plan = product_plan(&parents);
        Ok(Self { names, parents, product_plan, rest, rotation_policy, runtime })
    }

    /// Sets the runtime: another backend, or reproducible results. Everything that is built from
    /// the returned skeleton uses it too.
    #[must_use]
    pub fn with_runtime(mut self, runtime: Runtime) -> Self {
        self.runtime = runtime;
        self.rest.runtime = runtime;
        self
    }

    /// Adds morph weights with their rest values. Every pose of the skeleton then has as many
    /// weights. Clips can animate them, and blending blends them.
    ///
    /// # Errors
    ///
    /// When a weight is not finite.
    pub fn with_morph_weights(mut self, at_rest: &[f32]) -> Result<Self, SkeletonError> {
        check_morph_weights(at_rest)?;
        self.rest.weights = at_rest.iter().copied().map(flush::scalar).collect();
        Ok(self)
    }

    /// The backend and float mode that the skeleton runs on.
    #[must_use]
    pub fn runtime(&self) -> Runtime {
        self.runtime
    }

    /// The policy for rotations that are not exactly unit length.
    #[must_use]
    pub fn rotation_policy(&self) -> RotationPolicy {
        self.rotation_policy
    }

    /// The order in which model matrices are computed; `None` for the joints' own.
    pub(super) fn product_plan(&self) -> Option<&ProductPlan> {
        self.product_plan.as_ref()
    }

    /// The number of joints: one or more.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// All joints in order, parents before their children.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = JointId> + use<> {
        (0..self.len()).map(JointId::new)
    }

    /// The only joint with this name.
    ///
    /// # Errors
    ///
    /// When no joint has the name (the error lists the nearest ones), or when several joints have
    /// it (the error lists two of them).
    pub fn joint(&self, name: &str) -> Result<JointId, NameError> {
        self.names.find(name).map(JointId::new)
    }

    /// A joint's name.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    #[must_use]
    pub fn name(&self, joint: JointId) -> &str {
        self.names.get(joint.index())
    }

    /// A joint's parent, or `None` for a root.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    #[must_use]
    pub fn parent(&self, joint: JointId) -> Option<JointId> {
        let parent = self.parents[joint.index()];
        (parent != NO_PARENT).then(|| JointId::new(parent as usize))
    }

    /// The parent index of each joint, [`NO_PARENT`] for a root, in the form that kernels take.
    #[must_use]
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// The joints without a parent, in order.
    pub fn roots(&self) -> impl Iterator<Item = JointId> {
        self.joints().filter(|&joint| self.parent(joint).is_none())
    }

    /// The rest pose.
    #[must_use]
    pub fn rest(&self) -> &Pose {
        &self.rest
    }

    /// A copy of the rest pose.
    #[must_use]
    pub fn rest_pose(&self) -> Pose {
        self.rest.clone()
    }

    /// One identity matrix for each joint: an output buffer for [`to_model`](Self::to_model).
    #[must_use]
    pub fn identity_matrices(&self) -> Vec<Matrix> {
        vec![Matrix::IDENTITY; self.len()]
    }

    /// The bones that the skeleton was built from, with normalized rotations. Edit them to build
    /// another skeleton. Morph weights are not included.
    #[must_use]
    pub fn bones(&self) -> Vec<Bone> {
        let bone = |joint| {
            Bone::new(self.name(joint), self.parent(joint).map(JointId::index), self.rest.transform(joint))
        };
        self.joints().map(bone).collect()
    }

    /// The joint's index and name, for error messages.
    pub(crate) fn joint_name(&self, joint: JointId) -> JointName {
        JointName::new(joint.index(), self.name(joint))
    }
}

/// Checks a bone's parent and returns its index in the form that kernels take.
fn check_parent(bones: &[Bone], joint: usize) -> Result<u32, SkeletonError> {
    let bone = &bones[joint];
    let Some(parent) = bone.parent else { return Ok(NO_PARENT) };
    let name = |joint: usize, bone: &Bone| JointName::new(joint, &bone.name);
    match bones.get(parent) {
        None => Err(SkeletonError::ParentOutOfRange { joint: name(joint, bone), parent, len: bones.len() }),
        Some(later) if parent >= joint => {
            Err(SkeletonError::ParentNotBefore { joint: name(joint, bone), parent: name(parent, later) })
        }
        Some(_) => Ok(parent as u32),
    }
}
