//! Between two poses.

use sinew_kernels::{Factor, Interpolate, InterpolateScales, Kernels};

use crate::error::check_len;
use crate::{Error, Pose};

impl Pose {
    /// Becomes what lies between two poses: rotations along the chord the shortest way, and brought back to
    /// length one. Fast; the speed of turning varies a little on the way.
    ///
    /// Has scales where either pose has them. Morph weights go along the line, by the factor of all; a factor for each
    /// joint says nothing of them, and they stay as they are.
    ///
    /// ```
    /// use sinew::{Bone, Factor, Pose, Skeleton, Transform};
    ///
    /// let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)])?;
    /// let (from, mut to, mut between) = (Pose::new(&skeleton), Pose::new(&skeleton), Pose::new(&skeleton));
    /// to.joints_mut()[0].translation = [4.0, 0.0, 0.0];
    /// between.nlerp(&from, &to, Factor::All(0.25))?;
    /// assert_eq!(between.joints()[0].translation, [1.0, 0.0, 0.0]);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the poses, or a factor for each joint, differ in length, or the poses in morph weights.
    pub fn nlerp(&mut self, from: &Self, to: &Self, factor: Factor<'_>) -> Result<(), Error> {
        self.interpolate(from, to, factor, Kernels::nlerp)
    }

    /// Becomes what lies between two poses: rotations along the arc the shortest way, at even speed.
    ///
    /// Has scales where either pose has them. Morph weights go along the line, by the factor of all; a factor for each
    /// joint says nothing of them, and they stay as they are.
    ///
    /// # Errors
    ///
    /// When the poses, or a factor for each joint, differ in length, or the poses in morph weights.
    pub fn slerp(&mut self, from: &Self, to: &Self, factor: Factor<'_>) -> Result<(), Error> {
        self.interpolate(from, to, factor, Kernels::slerp)
    }

    fn interpolate(
        &mut self,
        from: &Self,
        to: &Self,
        factor: Factor<'_>,
        way: fn(&Kernels, Interpolate<'_>),
    ) -> Result<(), Error> {
        check_len("joints of the pose to come from", self.len(), from.len())?;
        check_len("joints of the pose to go to", self.len(), to.len())?;
        check_len("morph weights to come from", self.weights.len(), from.weights.len())?;
        check_len("morph weights to go to", self.weights.len(), to.weights.len())?;
        match factor {
            Factor::Each(factors) => check_len("factors", self.len(), factors.len())?,
            Factor::All(factor) => {
                let ends = from.weights.iter().zip(&to.weights);
                for (weight, (from, to)) in self.weights.iter_mut().zip(ends) {
                    *weight = (1.0 - factor) * from + factor * to;
                }
            }
        }
        if from.scaled || to.scaled {
            self.scaled = true;
        } else {
            self.clear_scales();
        }
        let scales = self.scaled.then_some(InterpolateScales {
            from: &from.scales,
            to: &to.scales,
            scales: &mut self.scales,
        });
        let joints = &mut self.joints;
        way(self.kernels, Interpolate { from: &from.joints, to: &to.joints, factor, joints, scales });
        Ok(())
    }
}
