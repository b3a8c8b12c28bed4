//! A skin: the joints a mesh hangs on, and where they were when it was hung.

use sinew_kernels::{Kernels, Matrix};

use crate::error::check_len;
use crate::{Error, Skeleton, flush};

/// Some joints of a skeleton, in a mesh's own order, each with its inverse bind matrix, which takes model space at
/// rest to the joint. Many skins may share a skeleton.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::stored::Skin", into = "crate::stored::Skin"))]
#[expect(clippy::len_without_is_empty, reason = "a skin is never empty")]
pub struct Skin {
    joints: Vec<u32>,
    inverse_binds: Vec<Matrix>,
    skeleton_len: usize,
    kernels: &'static Kernels,
}

impl Skin {
    /// A skin for a mesh that was made for the skeleton's rest pose: each inverse bind is the inverse of the
    /// joint's model matrix at rest, the same bits on every machine.
    ///
    /// A joint may occur more than once. A skin without joints is refused: nothing could hang on it.
    ///
    /// # Errors
    ///
    /// When there are no joints, one is not in the skeleton, or one has no inverse at rest, as with scale zero.
    pub fn new(skeleton: &Skeleton, joints: &[usize]) -> Result<Self, Error> {
        let joint_numbers = checked_joints(joints, skeleton.len())?;
        let model_from_joint = skeleton.model_at_rest();
        let inverse_bind = |&joint: &usize| {
            let inverse = model_from_joint[joint].inverse().map(flush::inverse_bind);
            inverse.ok_or_else(|| Error::SingularRest { joint: skeleton.joint_name(joint) })
        };
        let inverse_binds = joints.iter().map(inverse_bind).collect::<Result<_, _>>()?;
        Ok(Self {
            joints: joint_numbers,
            inverse_binds,
            skeleton_len: skeleton.len(),
            kernels: skeleton.kernels(),
        })
    }

    /// A skin with the inverse binds that came with the mesh, one for each of the joints. They may be singular.
    ///
    /// A joint may occur more than once. A skin without joints is refused: nothing could hang on it.
    ///
    /// # Errors
    ///
    /// When there are no joints, one is not in the skeleton, or the inverse binds are not as many or not finite.
    pub fn with_inverse_binds(
        skeleton: &Skeleton,
        joints: &[usize],
        inverse_binds: &[Matrix],
    ) -> Result<Self, Error> {
        Self::from_parts(skeleton.len(), joints, inverse_binds.to_vec(), skeleton.kernels())
    }

    pub(crate) fn from_parts(
        skeleton_len: usize,
        joints: &[usize],
        inverse_binds: Vec<Matrix>,
        kernels: &'static Kernels,
    ) -> Result<Self, Error> {
        let joint_numbers = checked_joints(joints, skeleton_len)?;
        check_len("inverse binds of the skin", joints.len(), inverse_binds.len())?;
        for (slot, (matrix, &joint)) in inverse_binds.iter().zip(joints).enumerate() {
            if !matrix.is_finite() {
                return Err(Error::InverseBindNotFinite { slot, joint });
            }
        }
        let inverse_binds = inverse_binds.into_iter().map(flush::inverse_bind).collect();
        Ok(Self { joints: joint_numbers, inverse_binds, skeleton_len, kernels })
    }

    /// The same skin on other kernels.
    #[must_use]
    pub fn with_kernels(self, kernels: &'static Kernels) -> Self {
        Self { kernels, ..self }
    }

    /// The kernels that it runs on: those of its skeleton, unless changed.
    #[must_use]
    pub fn kernels(&self) -> &'static Kernels {
        self.kernels
    }

    /// The number of joints in the skin: one or more.
    #[must_use]
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// The number of joints in its skeleton.
    #[must_use]
    pub fn skeleton_len(&self) -> usize {
        self.skeleton_len
    }

    /// The skeleton's joints, in the order in which the mesh counts them.
    #[must_use]
    pub fn joints(&self) -> &[u32] {
        &self.joints
    }

    /// From model space at rest to each of the skin's joints.
    #[must_use]
    pub fn inverse_binds(&self) -> &[Matrix] {
        &self.inverse_binds
    }
}

fn checked_joints(joints: &[usize], skeleton_len: usize) -> Result<Vec<u32>, Error> {
    if joints.is_empty() {
        return Err(Error::Empty { what: "skin" });
    }
    let number = |(slot, &joint): (usize, &usize)| match u32::try_from(joint) {
        Ok(number) if joint < skeleton_len => Ok(number),
        _ => Err(Error::SkinJointOutOfRange { slot, joint, len: skeleton_len }),
    };
    joints.iter().enumerate().map(number).collect()
}
