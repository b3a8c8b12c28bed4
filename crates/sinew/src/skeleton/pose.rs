//! A pose: the local transform of every joint, and the morph weights.

use std::ops::RangeBounds;

use sinew_kernels::{Joint, MatricesToJoints, MatricesToScaledJoints, Matrix, Scale};

use super::joint_range::resolve_range;
use crate::length::check_len;
use crate::runtime::Runtime;
use crate::skeleton::{JointId, MorphName, Skeleton, SkeletonError, Transform};

/// The number of matrices that are decomposed at once: enough to fill any SIMD register, few enough
/// for the stack.
const BATCH: usize = 64;

/// The transform of every joint in its parent's space, and the morph weights if the skeleton has
/// any.
///
/// Scales are optional: while they are off, every scale is one and is not processed. A pose
/// allocates all memory, including that for scales, when it is created.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::skeleton::serde::Pose", into = "crate::skeleton::serde::Pose")
)]
#[expect(clippy::len_without_is_empty, reason = "a pose is never empty")]
pub struct Pose {
    pub(crate) joints: Vec<Joint>,
    /// One for each joint. All are one while `scaled` is false.
    pub(crate) scales: Vec<Scale>,
    pub(crate) scaled: bool,
    pub(crate) weights: Vec<f32>,
    pub(crate) runtime: Runtime,
}

impl Pose {
    /// A copy of the skeleton's rest pose.
    #[must_use]
    pub fn new(skeleton: &Skeleton) -> Self {
        skeleton.rest_pose()
    }

    pub(crate) fn from_parts(joints: Vec<Joint>, scales: Vec<Scale>, runtime: Runtime) -> Self {
        let scaled = scales.iter().any(|&scale| scale != Scale::ONE);
        Self { joints, scales, scaled, weights: Vec::new(), runtime }
    }

    /// The number of joints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// The local transform of each joint, in order.
    pub fn transforms(&self) -> impl ExactSizeIterator<Item = Transform> + '_ {
        self.joints.iter().zip(&self.scales).map(|(joint, &scale)| Transform::new(joint, scale))
    }

    /// A joint's rotation in its parent's space: a unit quaternion (x, y, z, w).
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    #[must_use]
    pub fn rotation(&self, joint: JointId) -> [f32; 4] {
        self.joints[joint.index()].rotation
    }

    /// Sets a joint's rotation, which must be a unit quaternion.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    pub fn set_rotation(&mut self, joint: JointId, rotation: [f32; 4]) {
        self.joints[joint.index()].rotation = rotation;
    }

    /// A joint's translation in its parent's space.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    #[must_use]
    pub fn translation(&self, joint: JointId) -> [f32; 3] {
        self.joints[joint.index()].translation
    }

    /// Sets a joint's translation in its parent's space.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    pub fn set_translation(&mut self, joint: JointId, translation: [f32; 3]) {
        self.joints[joint.index()].translation = translation;
    }

    /// A joint's scale along its own axes.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    #[must_use]
    pub fn scale(&self, joint: JointId) -> [f32; 3] {
        self.scales[joint.index()].factors
    }

    /// Sets a joint's scale along its own axes. A scale other than one turns scales on.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    pub fn set_scale(&mut self, joint: JointId, scale: [f32; 3]) {
        let scale = Scale::new(scale);
        self.scales[joint.index()] = scale;
        self.scaled |= scale != Scale::ONE;
    }

    /// Whether scales are on. While they are off every scale is one, which is faster.
    #[must_use]
    pub fn has_scales(&self) -> bool {
        self.scaled
    }

    /// Turns scales off and sets every scale to one.
    pub fn clear_scales(&mut self) {
        if self.scaled {
            self.scales.fill(Scale::ONE);
            self.scaled = false;
        }
    }

    /// The weights of the morph targets, as many as [`Skeleton::with_morph_weights`] was given. The
    /// targets of a mesh use some of them.
    #[must_use]
    pub fn morph_weights(&self) -> &[f32] {
        &self.weights
    }

    /// Mutable access to the weights of the morph targets.
    #[must_use]
    pub fn morph_weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    /// A joint's local transform.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    #[must_use]
    pub fn transform(&self, joint: JointId) -> Transform {
        let joint = joint.index();
        Transform::new(&self.joints[joint], self.scales[joint])
    }

    /// Sets a joint's local transform. The rotation must be a unit quaternion. A scale other than
    /// one turns scales on.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    pub fn set_transform(&mut self, joint: JointId, transform: &Transform) {
        let joint = joint.index();
        self.joints[joint] = transform.joint();
        self.scales[joint] = Scale::new(transform.scale);
        self.scaled |= self.scales[joint] != Scale::ONE;
    }

    /// Copies another pose without allocating.
    ///
    /// # Errors
    ///
    /// When the number of joints or of morph weights differs.
    pub fn copy_from(&mut self, other: &Self) -> Result<(), SkeletonError> {
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

    /// Sets the joints of a range from their local matrices. `parent_from_joint` has one matrix for
    /// each joint of the pose. Turns scales on.
    ///
    /// A joint cannot represent shear. Returns the largest residual of the range: the Frobenius
    /// norm of the difference between a matrix and the transform that the pose now has. It is zero,
    /// up to rounding, where no matrix has shear, and NaN where a matrix contains a NaN.
    ///
    /// # Errors
    ///
    /// When the range is out of bounds, or the number of matrices differs from the number of
    /// joints.
    pub fn set_from_local(
        &mut self,
        range: impl RangeBounds<JointId>,
        parent_from_joint: &[Matrix],
    ) -> Result<f32, SkeletonError> {
        check_len("local matrices", self.len(), parent_from_joint.len())?;
        let range = resolve_range(range, self.len())?;
        self.scaled = true;
        let mut residuals = [0.0; BATCH];
        let mut largest = 0.0_f32;
        let joints = self.joints[range.clone()].chunks_mut(BATCH);
        let outputs = joints.zip(self.scales[range.clone()].chunks_mut(BATCH));
        for (matrices, (joints, scales)) in parent_from_joint[range].chunks(BATCH).zip(outputs) {
            let residuals = &mut residuals[..matrices.len()];
            self.runtime.kernels().matrices_to_scaled_joints(MatricesToScaledJoints {
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

    /// Sets the joints of a range from local matrices that only rotate and translate. If scales are
    /// on, the scales of the range become one. Faster than
    /// [`set_from_local`](Self::set_from_local).
    ///
    /// # Errors
    ///
    /// When the range is out of bounds, or the number of matrices differs from the number of
    /// joints.
    pub fn set_from_local_rigid(
        &mut self,
        range: impl RangeBounds<JointId>,
        parent_from_joint: &[Matrix],
    ) -> Result<(), SkeletonError> {
        check_len("local matrices", self.len(), parent_from_joint.len())?;
        let range = resolve_range(range, self.len())?;
        if self.scaled {
            self.scales[range.clone()].fill(Scale::ONE);
        }
        self.runtime.kernels().matrices_to_joints(MatricesToJoints {
            matrices: &parent_from_joint[range.clone()],
            joints: &mut self.joints[range],
        });
        Ok(())
    }
}

/// Two poses are equal if their joints, scales and morph weights are equal. Scales that are on but
/// all one equal scales that are off.
impl PartialEq for Pose {
    fn eq(&self, other: &Self) -> bool {
        self.joints == other.joints && self.scales == other.scales && self.weights == other.weights
    }
}

/// Checks that all weights are finite.
pub(crate) fn check_morph_weights(weights: &[f32]) -> Result<(), SkeletonError> {
    match weights.iter().position(|weight| !weight.is_finite()) {
        Some(target) => {
            Err(SkeletonError::BadMorphWeight { target: MorphName::new(target, ""), weight: weights[target] })
        }
        None => Ok(()),
    }
}
