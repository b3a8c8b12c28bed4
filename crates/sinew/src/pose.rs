//! A pose: every joint of a skeleton in its parent's space, and the weights of morph targets.

use std::ops::RangeBounds;

use sinew_kernels::{Joint, Kernels, MatricesToJoints, MatricesToScaledJoints, Matrix, Scale};

use crate::error::check_len;
use crate::range::within;
use crate::{Error, MorphName, Skeleton, Transform};

/// How many matrices are taken apart at once: enough to fill any register, few enough for the stack.
const BATCH: usize = 64;

/// Every joint of a skeleton in its parent's space: rotations and translations, and scales where there are any; and the
/// weights of morph targets, where the skeleton has them.
///
/// All memory is taken at the start, that for scales too, so that nothing allocates afterwards.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::stored::Pose", into = "crate::stored::Pose"))]
#[expect(clippy::len_without_is_empty, reason = "a pose is never empty")]
pub struct Pose {
    pub(crate) joints: Vec<Joint>,
    /// As many as joints; every one of them one while `scaled` is false.
    pub(crate) scales: Vec<Scale>,
    pub(crate) scaled: bool,
    pub(crate) weights: Vec<f32>,
    pub(crate) kernels: &'static Kernels,
}

impl Pose {
    /// The skeleton's rest pose, to be changed.
    #[must_use]
    pub fn new(skeleton: &Skeleton) -> Self {
        skeleton.rest_pose()
    }

    pub(crate) fn from_parts(joints: Vec<Joint>, scales: Vec<Scale>, kernels: &'static Kernels) -> Self {
        let scaled = scales.iter().any(|&scale| scale != Scale::ONE);
        Self { joints, scales, scaled, weights: Vec::new(), kernels }
    }

    /// The same pose on other kernels.
    #[must_use]
    pub fn with_kernels(self, kernels: &'static Kernels) -> Self {
        Self { kernels, ..self }
    }

    /// The number of joints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Rotation and translation of each joint.
    #[must_use]
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Rotation and translation of each joint, to be changed. Rotations must stay at length one.
    #[must_use]
    pub fn joints_mut(&mut self) -> &mut [Joint] {
        &mut self.joints
    }

    /// The scale of each joint; `None` means one everywhere, which costs less.
    #[must_use]
    pub fn scales(&self) -> Option<&[Scale]> {
        self.scaled.then_some(&self.scales)
    }

    /// The scale of each joint, to be changed. Turns scales on; they start at one.
    pub fn scales_mut(&mut self) -> &mut [Scale] {
        self.scaled = true;
        &mut self.scales
    }

    /// Turns scales off: one everywhere.
    pub fn clear_scales(&mut self) {
        if self.scaled {
            self.scales.fill(Scale::ONE);
            self.scaled = false;
        }
    }

    /// The weights of morph targets: as many as the skeleton has, see
    /// [`Skeleton::with_morph_weights`]. A mesh's targets are moved by some of them.
    #[must_use]
    pub fn morph_weights(&self) -> &[f32] {
        &self.weights
    }

    /// The weights of morph targets, to be changed.
    #[must_use]
    pub fn morph_weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    /// One joint's transform.
    ///
    /// # Panics
    ///
    /// When there is no such joint.
    #[must_use]
    pub fn transform(&self, joint: usize) -> Transform {
        Transform::new(&self.joints[joint], self.scales[joint])
    }

    /// Changes one joint. The rotation must have length one. A scale other than one turns scales on.
    ///
    /// # Panics
    ///
    /// When there is no such joint.
    pub fn set_transform(&mut self, joint: usize, transform: &Transform) {
        self.joints[joint] = transform.joint();
        self.scales[joint] = Scale::new(transform.scale);
        self.scaled |= self.scales[joint] != Scale::ONE;
    }

    /// Becomes the same as another pose, without taking memory.
    ///
    /// # Errors
    ///
    /// When the other has another number of joints or of morph weights.
    pub fn copy_from(&mut self, other: &Self) -> Result<(), Error> {
        check_len("joints of the pose to copy", self.len(), other.len())?;
        check_len("morph weights of the pose to copy", self.weights.len(), other.weights.len())?;
        self.weights.copy_from_slice(&other.weights);
        self.joints.copy_from_slice(&other.joints);
        if other.scaled {
            self.scales.copy_from_slice(&other.scales);
            self.scaled = true;
        } else {
            self.clear_scales();
        }
        Ok(())
    }

    /// Takes the joints of a range from their local matrices, whatever they are; `parent_from_joint` has one for
    /// each joint of the pose. Turns scales on.
    ///
    /// A joint has no shear. Gives the largest that had to be left out, as the length (root of the sum of squares)
    /// of the difference between a matrix and what the pose now holds: zero, up to rounding, where all is well,
    /// and not a number where a matrix had one in it.
    ///
    /// # Errors
    ///
    /// When the range is not within the pose or the matrices are not as many as its joints.
    pub fn set_from_local(
        &mut self,
        range: impl RangeBounds<usize>,
        parent_from_joint: &[Matrix],
    ) -> Result<f32, Error> {
        check_len("local matrices", self.len(), parent_from_joint.len())?;
        let range = within(range, self.len())?;
        self.scaled = true;
        let mut residuals = [0.0; BATCH];
        let mut largest = 0.0_f32;
        let joints = self.joints[range.clone()].chunks_mut(BATCH);
        let outputs = joints.zip(self.scales[range.clone()].chunks_mut(BATCH));
        for (matrices, (joints, scales)) in parent_from_joint[range].chunks(BATCH).zip(outputs) {
            let residuals = &mut residuals[..matrices.len()];
            self.kernels.matrices_to_scaled_joints(MatricesToScaledJoints {
                matrices,
                joints,
                scales,
                residuals,
            });
            for &residual in &*residuals {
                if residual > largest || residual.is_nan() {
                    largest = residual;
                }
            }
        }
        Ok(largest)
    }

    /// Takes the joints of a range from their local matrices, which only rotate and translate; where scales are
    /// on, those of the range become one. Faster than [`set_from_local`](Self::set_from_local).
    ///
    /// # Errors
    ///
    /// When the range is not within the pose or the matrices are not as many as its joints.
    pub fn set_from_local_rigid(
        &mut self,
        range: impl RangeBounds<usize>,
        parent_from_joint: &[Matrix],
    ) -> Result<(), Error> {
        check_len("local matrices", self.len(), parent_from_joint.len())?;
        let range = within(range, self.len())?;
        if self.scaled {
            self.scales[range.clone()].fill(Scale::ONE);
        }
        self.kernels.matrices_to_joints(MatricesToJoints {
            matrices: &parent_from_joint[range.clone()],
            joints: &mut self.joints[range],
        });
        Ok(())
    }
}

/// The same joints, scales and morph weights; scales that are on and all one equal scales that are off.
impl PartialEq for Pose {
    fn eq(&self, other: &Self) -> bool {
        self.joints == other.joints && self.scales == other.scales && self.weights == other.weights
    }
}

/// Demands finite numbers.
pub(crate) fn check_morph_weights(weights: &[f32]) -> Result<(), Error> {
    match weights.iter().position(|weight| !weight.is_finite()) {
        Some(target) => {
            Err(Error::BadMorphWeight { target: MorphName::new(target, ""), weight: weights[target] })
        }
        None => Ok(()),
    }
}
