//! A skin: the joints that deform a mesh, and their inverse bind matrices.

use sinew_kernels::{JointList, Matrix};

use crate::length::check_len;
use crate::math::flush;
use crate::runtime::Runtime;
use crate::skeleton::{JointId, Skeleton, SkeletonError, SkinJoint};

/// A list of joints of a skeleton in the mesh's own order, each with its inverse bind matrix, which
/// takes model space in the bind pose to the joint's space. Several skins can share a skeleton.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::skeleton::serde::Skin", into = "crate::skeleton::serde::Skin")
)]
#[expect(clippy::len_without_is_empty, reason = "a skin is never empty")]
pub struct Skin {
    /// Each is below `skeleton_len`.
    joints: JointList,
    inverse_binds: Vec<Matrix>,
    skeleton_len: usize,
    runtime: Runtime,
}

impl Skin {
    /// A skin for a mesh that was modeled in the skeleton's rest pose: each inverse bind is the
    /// inverse of the joint's rest model matrix. The result has the same bits on every machine.
    ///
    /// A joint may occur more than once. A skin without joints is rejected because no vertex could
    /// be bound to it.
    ///
    /// # Errors
    ///
    /// When there are no joints, a joint is not in the skeleton, or a joint's rest matrix is
    /// singular, for example because of a zero scale.
    pub fn new(skeleton: &Skeleton, joints: &[JointId]) -> Result<Self, SkeletonError> {
        let joint_indices = check_joints(joints, skeleton.len())?;
        let model_from_joint = skeleton.rest_model_matrices();
        let inverse_bind = |&joint: &JointId| {
            let inverse = model_from_joint[joint.index()].inverse().map(flush::inverse_bind);
            inverse.ok_or_else(|| SkeletonError::SingularRest { joint: skeleton.joint_name(joint) })
        };
        let inverse_binds = joints.iter().map(inverse_bind).collect::<Result<_, _>>()?;
        Ok(Self {
            joints: joint_indices,
            inverse_binds,
            skeleton_len: skeleton.len(),
            runtime: skeleton.runtime(),
        })
    }

    /// A skin with given inverse bind matrices, one for each joint. They may be singular.
    ///
    /// A joint may occur more than once. A skin without joints is rejected because no vertex could
    /// be bound to it.
    ///
    /// # Errors
    ///
    /// When there are no joints, a joint is not in the skeleton, the number of inverse binds
    /// differs from the number of joints, or an inverse bind is not finite.
    pub fn with_inverse_binds(
        skeleton: &Skeleton,
        joints: &[JointId],
        inverse_binds: &[Matrix],
    ) -> Result<Self, SkeletonError> {
        Self::from_parts(skeleton.len(), joints, inverse_binds.to_vec(), skeleton.runtime())
    }

    pub(crate) fn from_parts(
        skeleton_len: usize,
        joints: &[JointId],
        inverse_binds: Vec<Matrix>,
        runtime: Runtime,
    ) -> Result<Self, SkeletonError> {
        let joint_indices = check_joints(joints, skeleton_len)?;
        check_len("inverse binds of the skin", joints.len(), inverse_binds.len())?;
        for (slot, (matrix, &joint)) in inverse_binds.iter().zip(joints).enumerate() {
            if !matrix.is_finite() {
                return Err(SkeletonError::InverseBindNotFinite { slot, joint: joint.index() });
            }
        }
        let inverse_binds = inverse_binds.into_iter().map(flush::inverse_bind).collect();
        Ok(Self { joints: joint_indices, inverse_binds, skeleton_len, runtime })
    }

    /// The same skin on another runtime, for programs that compare backends. Others give the
    /// runtime once, to the skeleton.
    #[must_use]
    pub fn with_runtime(mut self, runtime: Runtime) -> Self {
        self.runtime = runtime;
        self
    }

    /// The backend and float mode that it runs on: those of its skeleton.
    #[must_use]
    pub fn runtime(&self) -> Runtime {
        self.runtime
    }

    /// The number of joints in the skin, at least one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.joints.indices().len()
    }

    /// The number of joints in the skeleton.
    #[must_use]
    pub fn skeleton_len(&self) -> usize {
        self.skeleton_len
    }

    /// The skeleton's joint for each joint of the skin, in order.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = JointId> + '_ {
        self.joints.indices().iter().map(|&joint| JointId::new(joint as usize))
    }

    /// The skeleton's joint for a joint of the skin.
    ///
    /// # Panics
    ///
    /// When the skin does not have the joint.
    #[must_use]
    pub fn joint(&self, joint: SkinJoint) -> JointId {
        JointId::new(self.joints.indices()[joint.index()] as usize)
    }

    /// The indices of [`joints`](Self::joints) in the form that kernels take.
    pub(crate) fn joint_list(&self) -> &JointList {
        &self.joints
    }

    /// The inverse bind matrices: from model space in the bind pose to the space of each joint.
    #[must_use]
    pub fn inverse_binds(&self) -> &[Matrix] {
        &self.inverse_binds
    }
}

fn check_joints(joints: &[JointId], skeleton_len: usize) -> Result<JointList, SkeletonError> {
    if joints.is_empty() {
        return Err(SkeletonError::Empty { what: "skin" });
    }
    let checked_index = |(slot, joint): (usize, &JointId)| {
        let joint = joint.index();
        if joint < skeleton_len {
            Ok(joint as u32)
        } else {
            Err(SkeletonError::SkinJointOutOfRange { slot, joint, len: skeleton_len })
        }
    };
    let indices: Vec<u32> = joints.iter().enumerate().map(checked_index).collect::<Result<_, _>>()?;
    Ok(indices.into())
}
