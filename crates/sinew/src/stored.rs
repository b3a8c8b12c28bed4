//! Skeletons, skins and poses as they are written to files, and the checks on the way back.

use serde::{Deserialize, Serialize};
use sinew_kernels::{FloatMode, Kernels, Matrix, Scale, backend};

use crate::error::check_len;
use crate::pose::check_morph_weights;
use crate::{Bone, Error, Joint, Rotations, Transform};

/// The bones, and morph weights where there are any: all that a skeleton is made of.
#[derive(Serialize, Deserialize)]
pub(crate) struct Skeleton {
    bones: Vec<Bone>,
    #[serde(default)]
    rotations: Rotations,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    morph_weights: Vec<f32>,
}

impl TryFrom<Skeleton> for crate::Skeleton {
    type Error = Error;

    fn try_from(stored: Skeleton) -> Result<Self, Error> {
        Self::with_rotations(&stored.bones, stored.rotations)?.with_morph_weights(&stored.morph_weights)
    }
}

impl From<crate::Skeleton> for Skeleton {
    fn from(skeleton: crate::Skeleton) -> Self {
        let rotations = skeleton.rotations();
        Self { bones: skeleton.bones(), rotations, morph_weights: skeleton.rest().morph_weights().to_vec() }
    }
}

/// A skin with the length of its skeleton, so that its joints can be checked without it.
#[derive(Serialize, Deserialize)]
pub(crate) struct Skin {
    skeleton_len: usize,
    joints: Vec<usize>,
    inverse_binds: Vec<Matrix>,
}

impl TryFrom<Skin> for crate::Skin {
    type Error = Error;

    fn try_from(stored: Skin) -> Result<Self, Error> {
        Self::from_parts(stored.skeleton_len, &stored.joints, stored.inverse_binds, chosen_kernels()?)
    }
}

impl From<crate::Skin> for Skin {
    fn from(skin: crate::Skin) -> Self {
        Self {
            skeleton_len: skin.skeleton_len(),
            joints: skin.joints().iter().map(|&joint| joint as usize).collect(),
            inverse_binds: skin.inverse_binds().to_vec(),
        }
    }
}

/// A pose; scales are there only where they are on, and morph weights where there are any.
#[derive(Serialize, Deserialize)]
pub(crate) struct Pose {
    joints: Vec<Joint>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scales: Option<Vec<Scale>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    morph_weights: Vec<f32>,
}

impl TryFrom<Pose> for crate::Pose {
    type Error = Error;

    fn try_from(stored: Pose) -> Result<Self, Error> {
        let Pose { mut joints, scales, morph_weights: weights } = stored;
        if joints.is_empty() {
            return Err(Error::Empty { what: "pose" });
        }
        let scaled = scales.is_some();
        let scales = scales.unwrap_or_else(|| vec![Scale::ONE; joints.len()]);
        check_len("scales of the pose", joints.len(), scales.len())?;
        for (index, (joint, &scale)) in joints.iter_mut().zip(&scales).enumerate() {
            *joint = Transform::new(joint, scale).checked_as(index, "", Rotations::AsStored)?.joint();
        }
        check_morph_weights(&weights)?;
        Ok(Self { joints, scales, scaled, weights, kernels: chosen_kernels()? })
    }
}

impl From<crate::Pose> for Pose {
    fn from(pose: crate::Pose) -> Self {
        let scales = pose.scales().map(<[Scale]>::to_vec);
        Self { joints: pose.joints, scales, morph_weights: pose.weights }
    }
}

fn chosen_kernels() -> Result<&'static Kernels, Error> {
    Ok(backend::default()?.kernels(FloatMode::Fast))
}
