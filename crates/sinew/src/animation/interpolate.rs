//! Interpolation between two poses.

use sinew_kernels::{Factor, Interpolate, InterpolateScales, Kernels};

use crate::animation::AnimationError;
use crate::length::check_len;
use crate::skeleton::Pose;

impl Pose {
    /// Sets this pose to the normalized linear interpolation of two poses, along the shorter path.
    /// Faster than [`slerp`](Self::slerp), but the angular speed varies slightly.
    ///
    /// The result has scales if either pose has scales. Morph weights are interpolated linearly
    /// with [`Factor::All`]; per-joint factors leave them unchanged.
    ///
    /// ```
    /// use sinew::animation::Factor;
    /// use sinew::{Bone, Pose, Skeleton, Transform};
    ///
    /// let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)])?;
    /// let root = skeleton.joint("root")?;
    /// let (from, mut to) = (Pose::new(&skeleton), Pose::new(&skeleton));
    /// to.set_translation(root, [4.0, 0.0, 0.0]);
    /// let mut pose = Pose::new(&skeleton);
    /// pose.nlerp(&from, &to, Factor::All(0.25))?;
    /// assert_eq!(pose.translation(root), [1.0, 0.0, 0.0]);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the poses or the per-joint factors differ in length, or the poses in morph weights.
    pub fn nlerp(&mut self, from: &Self, to: &Self, factor: Factor<'_>) -> Result<(), AnimationError> {
        self.interpolate(from, to, factor, Kernels::nlerp)
    }

    /// Sets this pose to the spherical interpolation of two poses, along the shorter path at
    /// constant angular speed.
    ///
    /// The result has scales if either pose has scales. Morph weights are interpolated linearly
    /// with [`Factor::All`]; per-joint factors leave them unchanged.
    ///
    /// # Errors
    ///
    /// When the poses or the per-joint factors differ in length, or the poses in morph weights.
    pub fn slerp(&mut self, from: &Self, to: &Self, factor: Factor<'_>) -> Result<(), AnimationError> {
        self.interpolate(from, to, factor, Kernels::slerp)
    }

    fn interpolate(
        &mut self,
        from: &Self,
        to: &Self,
        factor: Factor<'_>,
        kernel: fn(&Kernels, Interpolate<'_>),
    ) -> Result<(), AnimationError> {
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
        kernel(
            self.runtime.kernels(),
            Interpolate { from: &from.joints, to: &to.joints, factor, joints, scales },
        );
        Ok(())
    }
}
