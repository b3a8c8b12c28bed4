//! The serialized form of skeletons, skins and poses. Deserializing runs the same checks as the
//! constructors.

use serde::{Deserialize, Serialize};
use sinew_kernels::{FloatMode, Joint, Matrix, Scale};

use crate::length::check_len;
use crate::runtime::Runtime;
use crate::skeleton::{Bone, JointId, RotationPolicy, SkeletonError, Transform, check_morph_weights};

/// Everything a skeleton is built from: bones, the rotation policy and the morph weights, if any.
#[derive(Serialize, Deserialize)]
pub(crate) struct Skeleton {
    bones: Vec<Bone>,
    #[serde(default)]
    rotations: RotationPolicy,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    morph_weights: Vec<f32>,
}

impl TryFrom<Skeleton> for super::Skeleton {
    type Error = SkeletonError;

    fn try_from(stored: Skeleton) -> Result<Self, SkeletonError> {
        Self::with_rotation_policy(&stored.bones, stored.rotations)?.with_morph_weights(&stored.morph_weights)
    }
}

impl From<super::Skeleton> for Skeleton {
    fn from(skeleton: super::Skeleton) -> Self {
        let rotations = skeleton.rotation_policy();
        Self { bones: skeleton.bones(), rotations, morph_weights: skeleton.rest().morph_weights().to_vec() }
    }
}

/// A skin and the size of its skeleton, so that the joints can be checked without the skeleton.
#[derive(Serialize, Deserialize)]
pub(crate) struct Skin {
    skeleton_len: usize,
    joints: Vec<JointId>,
    inverse_binds: Vec<Matrix>,
}

impl TryFrom<Skin> for super::Skin {
    type Error = SkeletonError;

    fn try_from(stored: Skin) -> Result<Self, SkeletonError> {
        Self::from_parts(
            stored.skeleton_len,
            &stored.joints,
            stored.inverse_binds,
            Runtime::new(FloatMode::Fast)?,
        )
    }
}

impl From<super::Skin> for Skin {
    fn from(skin: super::Skin) -> Self {
        Self {
            skeleton_len: skin.skeleton_len(),
            joints: skin.joints().collect(),
            inverse_binds: skin.inverse_binds().to_vec(),
        }
    }
}

/// A pose. Scales are present only if they are on, morph weights only if there are any.
#[derive(Serialize, Deserialize)]
pub(crate) struct Pose {
    joints: Vec<Joint>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scales: Option<Vec<Scale>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    morph_weights: Vec<f32>,
}

impl TryFrom<Pose> for super::Pose {
    type Error = SkeletonError;

    fn try_from(stored: Pose) -> Result<Self, SkeletonError> {
        let Pose { mut joints, scales, morph_weights: weights } = stored;
        if joints.is_empty() {
            return Err(SkeletonError::Empty { what: "pose" });
        }
        let scaled = scales.is_some();
        let scales = scales.unwrap_or_else(|| vec![Scale::ONE; joints.len()]);
        check_len("scales of the pose", joints.len(), scales.len())?;
        for (index, (joint, &scale)) in joints.iter_mut().zip(&scales).enumerate() {
            *joint = Transform::new(joint, scale).validate_with(index, "", RotationPolicy::AsStored)?.joint();
        }
        check_morph_weights(&weights)?;
        let transforms = joints.iter().zip(&scales).map(|(joint, &scale)| Transform::new(joint, scale));
        let mut pose = Self::from_transforms(transforms, Runtime::new(FloatMode::Fast)?);
        (pose.scaled, pose.weights) = (scaled, weights);
        Ok(pose)
    }
}

impl From<super::Pose> for Pose {
    fn from(pose: super::Pose) -> Self {
        let joints = pose.transforms().map(|transform| transform.joint()).collect();
        let scale_list = || pose.transforms().map(|transform| Scale::new(transform.scale)).collect();
        let scales = pose.scaled.then(scale_list);
        Self { joints, scales, morph_weights: pose.weights }
    }
}
