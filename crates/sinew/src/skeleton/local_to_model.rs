//! Conversion of joints from local to model space and back, over ranges of joints.

use std::ops::{Range, RangeBounds};

use sinew_kernels::{FloatMode, Kernels, Matrix, ModelToLocal, PoseToModel, backend};

use super::joint_range::resolve_range;
use crate::length::check_len;
use crate::skeleton::{JointId, Pose, Skeleton, SkeletonError, check_joint};

impl Skeleton {
    /// Computes the model matrices of a range of joints. `model_from_joint` has one matrix for each
    /// joint of the skeleton.
    ///
    /// Writes only the matrices of the range. Parents before the range must already be in model
    /// space. A caller can therefore process the joints in several ranges from first to last, and
    /// in between edit joints of the pose that are not processed yet, or model matrices that are
    /// done.
    ///
    /// ```
    /// use sinew::{Bone, Pose, Skeleton, Transform};
    ///
    /// let up = Transform { translation: [0.0, 1.0, 0.0], ..Transform::IDENTITY };
    /// let skeleton = Skeleton::new(&[
    ///     Bone::new("hip", None, up),
    ///     Bone::new("neck", Some(0), up),
    ///     Bone::new("head", Some(1), up),
    /// ])?;
    /// let pose = Pose::new(&skeleton);
    /// let mut model_from_joint = skeleton.identity_matrices();
    ///
    /// let head = skeleton.joint("head")?;
    /// skeleton.to_model(&pose, ..head, &mut model_from_joint)?;
    /// model_from_joint[1].rows[0][3] += 0.5; // The game moves the neck...
    /// skeleton.to_model(&pose, head.., &mut model_from_joint)?;
    /// // ...and the head follows.
    /// assert_eq!(model_from_joint[head.index()].translation(), [0.5, 3.0, 0.0]);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the number of joints in the pose or the number of matrices differs from the skeleton's,
    /// or the range is out of bounds.
    pub fn to_model(
        &self,
        pose: &Pose,
        range: impl RangeBounds<JointId>,
        model_from_joint: &mut [Matrix],
    ) -> Result<(), SkeletonError> {
        check_len("joints of the pose", self.len(), pose.len())?;
        let range = self.check_matrices(range, model_from_joint)?;
        self.write_model_matrices(self.runtime().kernels(), pose, range, None, model_from_joint);
        Ok(())
    }

    /// The matrices of all joints with a root transform before them, such as the place of a member
    /// in the world. The lengths must match.
    pub(crate) fn to_world(&self, pose: &Pose, root: Option<&Matrix>, matrices: &mut [Matrix]) {
        self.write_model_matrices(self.runtime().kernels(), pose, 0..self.len(), root, matrices);
    }

    /// The model matrices of the rest pose, with the same bits on every machine.
    pub(crate) fn rest_model_matrices(&self) -> Vec<Matrix> {
        // All backends give the same results in reproducible mode.
        let reproducible = backend::baseline().kernels(FloatMode::Reproducible);
        let mut model_from_joint = self.identity_matrices();
        self.write_model_matrices(reproducible, self.rest(), 0..self.len(), None, &mut model_from_joint);
        model_from_joint
    }

    // Inlined: the list of matrices would be an argument on the stack, stored in two parts and
    // copied from there as one, which waits until both are in the cache.
    #[inline(always)]
    fn write_model_matrices(
        &self,
        kernels: &Kernels,
        pose: &Pose,
        range: Range<usize>,
        root: Option<&Matrix>,
        matrices: &mut [Matrix],
    ) {
        kernels.pose_to_model(PoseToModel {
            rotations: &pose.rotations,
            translations: &pose.translations,
            scales: pose.scaled.then_some(&pose.scales[..]),
            parents: self.parents(),
            range,
            plan: self.product_plan(),
            root,
            matrices,
        });
    }

    /// Converts a range of matrices from model to local space in place. Handles any scale.
    /// `matrices` has one matrix for each joint of the skeleton.
    ///
    /// Parents before the range must be in model space, so several ranges must be processed from
    /// last to first. Writes a zero matrix where the parent's matrix is singular.
    ///
    /// # Errors
    ///
    /// When the number of matrices differs from the number of joints, or the range is out of
    /// bounds.
    pub fn to_local(
        &self,
        range: impl RangeBounds<JointId>,
        matrices: &mut [Matrix],
    ) -> Result<(), SkeletonError> {
        let range = self.check_matrices(range, matrices)?;
        self.runtime().kernels().model_to_local(ModelToLocal { parents: self.parents(), range, matrices });
        Ok(())
    }

    /// A faster [`to_local`](Self::to_local) for parents that only rotate and translate.
    ///
    /// # Errors
    ///
    /// When the number of matrices differs from the number of joints, or the range is out of
    /// bounds.
    pub fn to_local_rigid(
        &self,
        range: impl RangeBounds<JointId>,
        matrices: &mut [Matrix],
    ) -> Result<(), SkeletonError> {
        let range = self.check_matrices(range, matrices)?;
        self.runtime().kernels().rigid_model_to_local(ModelToLocal {
            parents: self.parents(),
            range,
            matrices,
        });
        Ok(())
    }

    /// The model matrix of an object that is attached to a joint: the joint's model matrix times
    /// `offset`, which takes the object's space to the joint's space.
    ///
    /// # Errors
    ///
    /// When the joint does not exist, or the number of matrices differs from the number of joints.
    pub fn attach(
        &self,
        joint: JointId,
        offset: &Matrix,
        model_from_joint: &[Matrix],
    ) -> Result<Matrix, SkeletonError> {
        check_len("model matrices", self.len(), model_from_joint.len())?;
        Ok(model_from_joint[check_joint(joint, self.len())?] * *offset)
    }

    fn check_matrices(
        &self,
        range: impl RangeBounds<JointId>,
        matrices: &[Matrix],
    ) -> Result<Range<usize>, SkeletonError> {
        check_len("model matrices", self.len(), matrices.len())?;
        resolve_range(range, self.len())
    }
}
