//! Interpolation between two poses.

use std::ops::Range;

use sinew_kernels::{BLOCK, BlendLayer, BlendPart, BlendPoses, Factor, SlerpPoses};

use crate::animation::AnimationError;
use crate::animation::blend::BATCH;
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
        self.check_ends(from, to)?;
        match factor {
            Factor::All(factor) => {
                self.lerp_morph_weights(from, to, factor);
                let weights = [1.0 - factor, factor];
                if (weights[0] > 0.0) & (weights[1] > 0.0) {
                    self.blend_pair([from, to], weights.each_ref(), from.scaled | to.scaled);
                } else {
                    self.nlerp_outside(from, to, weights);
                }
                Ok(())
            }
            Factor::Each(factors) => self.interpolate_each(from, to, factors, Self::nlerp_blocks),
        }
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
        self.check_ends(from, to)?;
        match factor {
            Factor::All(uniform) => {
                self.lerp_morph_weights(from, to, uniform);
                self.set_scaled(from.scaled | to.scaled);
                self.slerp_blocks(0..self.rotations.len(), from, to, factor);
                Ok(())
            }
            Factor::Each(factors) => {
                self.interpolate_each(from, to, factors, |pose, range, from, to, factors| {
                    pose.slerp_blocks(range, from, to, Factor::Each(factors));
                })
            }
        }
    }

    /// [`nlerp`](Self::nlerp) at or past an end: a pose whose weight is not above zero is skipped.
    #[cold]
    fn nlerp_outside(&mut self, from: &Self, to: &Self, weights: [f32; 2]) {
        self.set_scaled(from.scaled | to.scaled);
        let layers = [(from, weights[0]), (to, weights[1])]
            .map(|(pose, weight)| BlendLayer { pose: pose.all_blocks(), weight: Factor::All(weight) });
        self.run_kernel(0..self.rotations.len(), BlendPart::All, &layers);
    }

    #[inline]
    fn check_ends(&self, from: &Self, to: &Self) -> Result<(), AnimationError> {
        check_len("joints of the pose to come from", self.len(), from.len())?;
        check_len("joints of the pose to go to", self.len(), to.len())?;
        check_len("morph weights to come from", self.weights.len(), from.weights.len())?;
        check_len("morph weights to go to", self.weights.len(), to.weights.len())?;
        Ok(())
    }

    #[inline]
    fn lerp_morph_weights(&mut self, from: &Self, to: &Self, factor: f32) {
        let ends = from.weights.iter().zip(&to.weights);
        for (weight, (from, to)) in self.weights.iter_mut().zip(ends) {
            *weight = (1.0 - factor) * from + factor * to;
        }
    }

    /// Interpolates by a factor for each joint, some blocks at a time.
    fn interpolate_each(
        &mut self,
        from: &Self,
        to: &Self,
        factors: &[f32],
        kernel: impl Fn(&mut Self, Range<usize>, &Self, &Self, &[f32]),
    ) -> Result<(), AnimationError> {
        check_len("factors", self.len(), factors.len())?;
        self.set_scaled(from.scaled | to.scaled);
        for (batch, some) in factors.chunks(BATCH).enumerate() {
            // Lanes past the last joint keep those of `from`.
            let mut padded = [0.0; BATCH];
            padded[..some.len()].copy_from_slice(some);
            let first = batch * (BATCH / BLOCK);
            let range = first..first + some.len().div_ceil(BLOCK);
            let lanes = BLOCK * range.len();
            kernel(self, range, from, to, &padded[..lanes]);
        }
        Ok(())
    }

    /// A mean of two poses: the blend kernel with the weights `1 - factor` and `factor`.
    fn nlerp_blocks(&mut self, range: Range<usize>, from: &Self, to: &Self, factors: &[f32]) {
        let mut rest = [0.0; BATCH];
        for (rest, factor) in rest.iter_mut().zip(factors) {
            *rest = 1.0 - factor;
        }
        let weight = Factor::Each(&rest[..factors.len()]);
        let layers = [
            BlendLayer { pose: from.blocks(range.clone(), self.scaled), weight },
            BlendLayer { pose: to.blocks(range.clone(), self.scaled), weight: Factor::Each(factors) },
        ];
        self.runtime.kernels().blend_poses(BlendPoses {
            layers: &layers,
            part: BlendPart::All,
            joints: factors.len(),
            rotations: &mut self.rotations[range.clone()],
            translations: &mut self.translations[range.clone()],
            scales: if self.scaled { &mut self.scales[range] } else { &mut [] },
        });
    }

    fn slerp_blocks(&mut self, range: Range<usize>, from: &Self, to: &Self, factor: Factor<'_>) {
        self.runtime.kernels().slerp_poses(SlerpPoses {
            from: from.blocks(range.clone(), self.scaled),
            to: to.blocks(range.clone(), self.scaled),
            factor,
            rotations: &mut self.rotations[range.clone()],
            translations: &mut self.translations[range.clone()],
            scales: if self.scaled { &mut self.scales[range] } else { &mut [] },
        });
    }
}
