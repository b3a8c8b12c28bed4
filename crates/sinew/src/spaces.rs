//! From joint to joint: local to model space and back, over ranges of joints.

use std::ops::{Range, RangeBounds};

use sinew_kernels::{FloatMode, JointsToMatrices, Kernels, LocalToModel, Matrix, ModelToLocal, backend};

use crate::error::check_len;
use crate::range::within;
use crate::{Error, Pose, Skeleton};

impl Skeleton {
    /// Takes a range of the pose's joints to model space. `model_from_joint` has a matrix for each joint.
    ///
    /// Only matrices of the range are written; parents before it must be in model space already. So a caller may
    /// run the joints in several ranges from first to last, and in between change joints of the pose that are
    /// still to come, or model matrices that are done.
    ///
    /// ```
    /// use sinew::{Bone, Pose, Skeleton, Transform};
    ///
    /// let up = Transform { translation: [0.0, 1.0, 0.0], ..Transform::IDENTITY };
    /// let skeleton =
    ///     Skeleton::new(&[Bone::new("hip", None, up), Bone::new("neck", Some(0), up), Bone::new("head", Some(1), up)])?;
    /// let pose = Pose::new(&skeleton);
    /// let mut model_from_joint = skeleton.model_matrices();
    ///
    /// let head = skeleton.joint("head")?;
    /// skeleton.to_model(&pose, ..head, &mut model_from_joint)?;
    /// model_from_joint[1].rows[0][3] += 0.5; // The game moves the neck...
    /// skeleton.to_model(&pose, head.., &mut model_from_joint)?;
    /// assert_eq!(model_from_joint[head].translation(), [0.5, 3.0, 0.0]); // ...and the head follows.
    /// # Ok::<(), sinew::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the pose or the matrices are not as many as the joints, or the range is not within them.
    pub fn to_model(
        &self,
        pose: &Pose,
        range: impl RangeBounds<usize>,
        model_from_joint: &mut [Matrix],
    ) -> Result<(), Error> {
        check_len("joints of the pose", self.len(), pose.len())?;
        let range = self.check_matrices(range, model_from_joint)?;
        self.run(self.kernels(), pose, range, model_from_joint);
        Ok(())
    }

    /// The rest pose in model space, the same bits on every machine.
    pub(crate) fn model_at_rest(&self) -> Vec<Matrix> {
        // Reproducible mode is the same on every row.
        let reproducible = backend::baseline().kernels(FloatMode::Reproducible);
        let mut model_from_joint = self.model_matrices();
        self.run(reproducible, self.rest(), 0..self.len(), &mut model_from_joint);
        model_from_joint
    }

    fn run(&self, kernels: &Kernels, pose: &Pose, range: Range<usize>, matrices: &mut [Matrix]) {
        kernels.joints_to_matrices(JointsToMatrices {
            joints: &pose.joints()[range.clone()],
            scales: pose.scales().map(|scales| &scales[range.clone()]),
            matrices: &mut matrices[range.clone()],
        });
        kernels.local_to_model(LocalToModel { parents: self.parents(), range, matrices });
    }

    /// Takes a range of matrices from model to local space, in place, whatever their scale. `matrices` has one
    /// for each joint.
    ///
    /// Parents before the range must be in model space, so several ranges go from last to first. Where a parent's
    /// matrix has no inverse there is no local matrix, and zeros are written.
    ///
    /// # Errors
    ///
    /// When the matrices are not as many as the joints, or the range is not within them.
    pub fn to_local(&self, range: impl RangeBounds<usize>, matrices: &mut [Matrix]) -> Result<(), Error> {
        let range = self.check_matrices(range, matrices)?;
        self.kernels().model_to_local(ModelToLocal { parents: self.parents(), range, matrices });
        Ok(())
    }

    /// The same as [`to_local`](Self::to_local) for parents that only rotate and translate. Faster.
    ///
    /// # Errors
    ///
    /// When the matrices are not as many as the joints, or the range is not within them.
    pub fn to_local_rigid(
        &self,
        range: impl RangeBounds<usize>,
        matrices: &mut [Matrix],
    ) -> Result<(), Error> {
        let range = self.check_matrices(range, matrices)?;
        self.kernels().rigid_model_to_local(ModelToLocal { parents: self.parents(), range, matrices });
        Ok(())
    }

    /// Where something stands in model space that is fixed to a joint: the joint's model matrix times `offset`,
    /// which takes the thing's space to the joint's.
    ///
    /// # Errors
    ///
    /// When there is no such joint, or the matrices are not as many as the joints.
    pub fn attach(
        &self,
        joint: usize,
        offset: &Matrix,
        model_from_joint: &[Matrix],
    ) -> Result<Matrix, Error> {
        check_len("model matrices", self.len(), model_from_joint.len())?;
        match model_from_joint.get(joint) {
            Some(&model_from_joint) => Ok(model_from_joint * *offset),
            None => Err(Error::JointOutOfRange { joint, len: self.len() }),
        }
    }

    fn check_matrices(
        &self,
        range: impl RangeBounds<usize>,
        matrices: &[Matrix],
    ) -> Result<Range<usize>, Error> {
        check_len("model matrices", self.len(), matrices.len())?;
        within(range, self.len())
    }
}
