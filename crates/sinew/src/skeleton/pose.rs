//! A pose: the local transform of every joint, and the morph weights.

use std::ops::{Range, RangeBounds};

use sinew_kernels::{
    BLOCK, Joint, MatricesToJoints, MatricesToScaledJoints, Matrix, PoseBlocks, RotationBlock, Scale,
    VectorBlock,
};

use super::joint_range::resolve_range;
use crate::length::check_len;
use crate::runtime::Runtime;
use crate::skeleton::{JointId, MorphName, Skeleton, SkeletonError, Transform};

/// The number of matrices that are decomposed at once: enough to fill any SIMD register, few enough
/// for the stack.
const BATCH: usize = 64;

/// Eight scales of one.
const UNSCALED: VectorBlock = VectorBlock { rows: [[1.0; BLOCK]; 3] };

/// The transform of every joint in its parent's space, and the morph weights if the skeleton has
/// any.
///
/// Scales are optional: while they are off, every scale is one and is not processed. A pose
/// allocates all memory, including that for scales, when it is created. Joints are stored in blocks
/// of eight, component by component, which is what sampling, blending and conversion to model space
/// process at once.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::skeleton::serde::Pose", into = "crate::skeleton::serde::Pose")
)]
#[expect(clippy::len_without_is_empty, reason = "a pose is never empty")]
pub struct Pose {
    /// The number of joints. Lanes past it hold the identity, or what a kernel made of it.
    pub(super) len: usize,
    pub(crate) rotations: Vec<RotationBlock>,
    pub(crate) translations: Vec<VectorBlock>,
    /// All are one while `scaled` is false.
    pub(crate) scales: Vec<VectorBlock>,
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

    /// A pose of these transforms. Scales are on if one of them is not one.
    pub(crate) fn from_transforms(
        transforms: impl ExactSizeIterator<Item = Transform>,
        runtime: Runtime,
    ) -> Self {
        let len = transforms.len();
        let blocks = len.div_ceil(BLOCK);
        let mut pose = Self {
            len,
            rotations: vec![RotationBlock::IDENTITY; blocks],
            translations: vec![VectorBlock::default(); blocks],
            scales: vec![UNSCALED; blocks],
            scaled: false,
            weights: Vec::new(),
            runtime,
        };
        for (joint, transform) in transforms.enumerate() {
            pose.set_transform(JointId::new(joint), &transform);
        }
        pose
    }

    /// The number of joints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The local transform of each joint, in order.
    pub fn transforms(&self) -> impl ExactSizeIterator<Item = Transform> + '_ {
        (0..self.len).map(|joint| self.transform(JointId::new(joint)))
    }

    /// A joint's block and lane.
    ///
    /// # Panics
    ///
    /// When the joint does not exist: the last block has lanes that are no joints.
    fn place(&self, joint: JointId) -> (usize, usize) {
        let joint = joint.index();
        assert!(joint < self.len, "joint {joint} of a pose of {} joints", self.len);
        (joint / BLOCK, joint % BLOCK)
    }

    /// Some blocks of the pose, in the form that kernels take. The scales are empty if they are
    /// skipped.
    pub(crate) fn blocks(&self, range: Range<usize>, with_scales: bool) -> PoseBlocks<'_> {
        PoseBlocks {
            rotations: &self.rotations[range.clone()],
            translations: &self.translations[range.clone()],
            scales: if with_scales { &self.scales[range] } else { &[] },
        }
    }

    /// The whole pose, with its scales.
    pub(crate) fn all_blocks(&self) -> PoseBlocks<'_> {
        PoseBlocks { rotations: &self.rotations, translations: &self.translations, scales: &self.scales }
    }

    /// A joint's rotation in its parent's space: a unit quaternion (x, y, z, w).
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    #[must_use]
    pub fn rotation(&self, joint: JointId) -> [f32; 4] {
        let (block, lane) = self.place(joint);
        self.rotations[block].rotation(lane)
    }

    /// Sets a joint's rotation, which must be a unit quaternion.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    pub fn set_rotation(&mut self, joint: JointId, rotation: [f32; 4]) {
        let (block, lane) = self.place(joint);
        self.rotations[block].set_rotation(lane, rotation);
    }

    /// A joint's translation in its parent's space.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    #[must_use]
    pub fn translation(&self, joint: JointId) -> [f32; 3] {
        let (block, lane) = self.place(joint);
        self.translations[block].vector(lane)
    }

    /// Sets a joint's translation in its parent's space.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    pub fn set_translation(&mut self, joint: JointId, translation: [f32; 3]) {
        let (block, lane) = self.place(joint);
        self.translations[block].set_vector(lane, translation);
    }

    /// A joint's scale along its own axes.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    #[must_use]
    pub fn scale(&self, joint: JointId) -> [f32; 3] {
        let (block, lane) = self.place(joint);
        self.scales[block].vector(lane)
    }

    /// Sets a joint's scale along its own axes. A scale other than one turns scales on.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    pub fn set_scale(&mut self, joint: JointId, scale: [f32; 3]) {
        let (block, lane) = self.place(joint);
        self.scales[block].set_vector(lane, scale);
        self.scaled |= scale != [1.0; 3];
    }

    /// Whether scales are on. While they are off every scale is one, which is faster.
    #[must_use]
    pub fn has_scales(&self) -> bool {
        self.scaled
    }

    /// Turns scales off and sets every scale to one.
    pub fn clear_scales(&mut self) {
        if self.scaled {
            self.scales.fill(UNSCALED);
            self.scaled = false;
        }
    }

    /// Turns scales on or off.
    #[inline]
    pub(crate) fn set_scaled(&mut self, scaled: bool) {
        if scaled {
            self.scaled = true;
        } else {
            self.clear_scales();
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
        let (block, lane) = self.place(joint);
        Transform {
            rotation: self.rotations[block].rotation(lane),
            translation: self.translations[block].vector(lane),
            scale: self.scales[block].vector(lane),
        }
    }

    /// Sets a joint's local transform. The rotation must be a unit quaternion. A scale other than
    /// one turns scales on.
    ///
    /// # Panics
    ///
    /// When the joint does not exist.
    pub fn set_transform(&mut self, joint: JointId, transform: &Transform) {
        self.set_rotation(joint, transform.rotation);
        self.set_translation(joint, transform.translation);
        self.set_scale(joint, transform.scale);
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
        self.rotations.copy_from_slice(&other.rotations);
        self.translations.copy_from_slice(&other.translations);
        if other.scaled {
            self.scales.copy_from_slice(&other.scales);
        }
        self.set_scaled(other.scaled);
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
        let mut residuals = [0.0; BATCH];
        let (mut joints, mut scales) = ([Joint::IDENTITY; BATCH], [Scale::ONE; BATCH]);
        let mut largest = 0.0_f32;
        for (batch, matrices) in parent_from_joint[range.clone()].chunks(BATCH).enumerate() {
            let (len, first) = (matrices.len(), range.start + batch * BATCH);
            self.runtime.kernels().matrices_to_scaled_joints(MatricesToScaledJoints {
                matrices,
                joints: &mut joints[..len],
                scales: &mut scales[..len],
                residuals: &mut residuals[..len],
            });
            for (i, (joint, scale)) in joints.iter().zip(&scales).take(len).enumerate() {
                self.set_transform(JointId::new(first + i), &Transform::new(joint, *scale));
            }
            for &residual in &residuals[..len] {
                if residual > largest || residual.is_nan() {
                    largest = residual;
                }
            }
        }
        self.scaled = true;
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
        let mut joints = [Joint::IDENTITY; BATCH];
        for (batch, matrices) in parent_from_joint[range.clone()].chunks(BATCH).enumerate() {
            let (joints, first) = (&mut joints[..matrices.len()], range.start + batch * BATCH);
            self.runtime.kernels().matrices_to_joints(MatricesToJoints { matrices, joints });
            for (i, joint) in joints.iter().enumerate() {
                self.set_transform(JointId::new(first + i), &Transform::new(joint, Scale::ONE));
            }
        }
        Ok(())
    }
}

/// Two poses are equal if their joints, scales and morph weights are equal. Scales that are on but
/// all one equal scales that are off.
impl PartialEq for Pose {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.transforms().eq(other.transforms()) && self.weights == other.weights
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
