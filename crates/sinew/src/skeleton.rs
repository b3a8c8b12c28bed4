//! A skeleton: joints in order, each after its parent, checked once.

use sinew_kernels::{FloatMode, Kernels, Matrix, NO_PARENT, Scale, backend};

use crate::names::Names;
use crate::pose::check_morph_weights;
use crate::{Error, JointName, Pose, Rotations, Transform, flush};

/// One joint as a skeleton is made of it.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bone {
    /// Need not be unique, and may be empty.
    pub name: String,
    /// The parent's index, which is below the bone's own; `None` for a root.
    pub parent: Option<usize>,
    /// Where the joint stands in its parent's space, or a root in model space, when nothing moves it.
    pub rest: Transform,
}

impl Bone {
    /// A bone from its parts.
    #[must_use]
    pub fn new(name: &str, parent: Option<usize>, rest: Transform) -> Self {
        Self { name: name.to_owned(), parent, rest }
    }
}

/// A forest of at least one joint: names, parents and the rest pose.
///
/// Every joint comes after its parent, so one pass from first to last takes all of them to model space. There
/// may be several roots, and any depth. A joint is an index from 0 to [`len`](Self::len).
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::stored::Skeleton", into = "crate::stored::Skeleton"))]
#[expect(clippy::len_without_is_empty, reason = "a skeleton is never empty")]
pub struct Skeleton {
    names: Names,
    parents: Vec<u32>,
    rest: Pose,
    rotations: Rotations,
    kernels: &'static Kernels,
}

impl Skeleton {
    /// Checks the bones and takes the kernels that [`backend::default`] gives, with [`FloatMode::Fast`].
    ///
    /// Rotations that are not of length one are brought to it.
    ///
    /// # Errors
    ///
    /// The first fault, with its joint: no bone at all, a parent that is not there or does not come before its
    /// child, a number that is not finite, a rotation of length zero. Or a bad `SINEW_ISA`.
    pub fn new(bones: &[Bone]) -> Result<Self, Error> {
        Self::with_rotations(bones, Rotations::UnitLength)
    }

    /// The same, with rotations as they are to be kept: of the rest pose, and of clips made for the skeleton.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_rotations(bones: &[Bone], rotations: Rotations) -> Result<Self, Error> {
        let len = bones.len();
        if bones.is_empty() {
            return Err(Error::Empty { what: "skeleton" });
        }
        // The largest number means no parent.
        let limit = u32::MAX as usize;
        if len > limit {
            return Err(Error::TooManyJoints { limit, found: len });
        }
        let mut parents = Vec::with_capacity(len);
        let mut joints = Vec::with_capacity(len);
        let mut scales = Vec::with_capacity(len);
        for (joint, bone) in bones.iter().enumerate() {
            parents.push(checked_parent(bones, joint)?);
            let rest = flush::transform(bone.rest.checked_as(joint, &bone.name, rotations)?);
            joints.push(rest.joint());
            scales.push(Scale::new(rest.scale));
        }
        let names = Names::new("joint", bones.iter().map(|bone| bone.name.clone()).collect());
        let kernels = backend::default()?.kernels(FloatMode::Fast);
        Ok(Self { names, parents, rest: Pose::from_parts(joints, scales, kernels), rotations, kernels })
    }

    /// The same skeleton on other kernels: another instruction set, or reproducible mode. Poses and skins
    /// made from it use them too.
    #[must_use]
    pub fn with_kernels(self, kernels: &'static Kernels) -> Self {
        Self { kernels, rest: self.rest.with_kernels(kernels), ..self }
    }

    /// The same skeleton with weights of morph targets beside its joints, as they are at rest: every pose has as many,
    /// clips may move them, and blending blends them.
    ///
    /// # Errors
    ///
    /// When a weight is not finite.
    pub fn with_morph_weights(mut self, at_rest: &[f32]) -> Result<Self, Error> {
        check_morph_weights(at_rest)?;
        self.rest.weights = at_rest.iter().copied().map(flush::number).collect();
        Ok(self)
    }

    /// The kernels that it runs on.
    #[must_use]
    pub fn kernels(&self) -> &'static Kernels {
        self.kernels
    }

    /// What becomes of rotations that are not quite of length one.
    #[must_use]
    pub fn rotations(&self) -> Rotations {
        self.rotations
    }

    /// The number of joints: one or more.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// The only joint of this name.
    ///
    /// # Errors
    ///
    /// When no joint has the name, with names like it, and when several have it, with two of them.
    pub fn joint(&self, name: &str) -> Result<usize, Error> {
        self.names.find(name)
    }

    /// A joint's name.
    ///
    /// # Panics
    ///
    /// When there is no such joint.
    #[must_use]
    pub fn name(&self, joint: usize) -> &str {
        self.names.get(joint)
    }

    /// A joint's parent, `None` for a root.
    ///
    /// # Panics
    ///
    /// When there is no such joint.
    #[must_use]
    pub fn parent(&self, joint: usize) -> Option<usize> {
        let parent = self.parents[joint];
        (parent != NO_PARENT).then_some(parent as usize)
    }

    /// The parent of each joint, [`NO_PARENT`] for a root: what the kernels take.
    #[must_use]
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// The joints without a parent, in order.
    pub fn roots(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(|&joint| self.parents[joint] == NO_PARENT)
    }

    /// The pose in which nothing is moved.
    #[must_use]
    pub fn rest(&self) -> &Pose {
        &self.rest
    }

    /// A pose of its own, at rest.
    #[must_use]
    pub fn rest_pose(&self) -> Pose {
        self.rest.clone()
    }

    /// A matrix for each joint, the identity: memory for [`to_model`](Self::to_model).
    #[must_use]
    pub fn model_matrices(&self) -> Vec<Matrix> {
        vec![Matrix::IDENTITY; self.len()]
    }

    /// The bones it was made from, rotations at length one: to change them and make another skeleton. Morph weights are
    /// not among them.
    #[must_use]
    pub fn bones(&self) -> Vec<Bone> {
        let bone = |joint| Bone::new(self.name(joint), self.parent(joint), self.rest.transform(joint));
        (0..self.len()).map(bone).collect()
    }

    /// For messages.
    pub(crate) fn joint_name(&self, joint: usize) -> JointName {
        JointName::new(joint, self.name(joint))
    }
}

/// The parent as the kernels take it.
fn checked_parent(bones: &[Bone], joint: usize) -> Result<u32, Error> {
    let bone = &bones[joint];
    let Some(parent) = bone.parent else { return Ok(NO_PARENT) };
    let name = |joint: usize, bone: &Bone| JointName::new(joint, &bone.name);
    match bones.get(parent) {
        None => Err(Error::ParentOutOfRange { joint: name(joint, bone), parent, len: bones.len() }),
        Some(later) if parent >= joint => {
            Err(Error::ParentNotBefore { joint: name(joint, bone), parent: name(parent, later) })
        }
        Some(_) => Ok(parent as u32),
    }
}
