//! Additive layers: the difference between a pose and a reference, added to another pose.

use std::ops::Range;

use sinew_kernels::{AddPoses, BLOCK, Factor};

use crate::animation::blend::{BATCH, check_mask};
use crate::animation::{AnimationError, Mask};
use crate::length::check_len;
use crate::skeleton::Pose;

/// The difference between a pose and a reference, and the weight with which it is added.
#[derive(Clone, Copy, Debug)]
pub struct Additive<'a> {
    /// The pose. Must have as many joints and morph weights as the pose it is added to.
    pub pose: &'a Pose,
    /// The pose that the difference is relative to, such as the first frame of the clip.
    pub reference: &'a Pose,
    /// The weight: finite, zero or more. One adds the whole difference.
    pub weight: f32,
    /// The factor of the weight for each joint; `None` means one.
    pub mask: Option<&'a Mask>,
}

impl<'a> Additive<'a> {
    /// A layer that adds the whole difference to every joint.
    #[must_use]
    pub fn new(pose: &'a Pose, reference: &'a Pose) -> Self {
        Self { pose, reference, weight: 1.0, mask: None }
    }
}

impl Pose {
    /// Adds an additive layer.
    ///
    /// Each joint is rotated, in its own space, by the rotation from reference to pose.
    /// Translations and morph weights change by the difference, scales by the ratio (by the
    /// difference where the reference is zero). Added to the reference itself, weight one gives the
    /// pose. Weight zero changes no bits. The mask does not affect morph weights.
    ///
    /// ```
    /// use sinew::animation::Additive;
    /// use sinew::{Bone, Skeleton, Transform};
    ///
    /// let skeleton = Skeleton::new(&[Bone::new("chest", None, Transform::IDENTITY)])?;
    /// let chest = skeleton.joint("chest")?;
    /// let (mut pose, mut breath) = (skeleton.rest_pose(), skeleton.rest_pose());
    /// pose.set_translation(chest, [0.0, 1.0, 0.0]);
    /// breath.set_translation(chest, [0.0, 0.0, 0.25]);
    /// pose.add(&Additive { weight: 2.0, ..Additive::new(&breath, skeleton.rest()) })?;
    /// assert_eq!(pose.translation(chest), [0.0, 1.0, 0.5]);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the layer's poses or mask differ in length from the pose, or its weight is negative or
    /// not finite.
    pub fn add(&mut self, layer: &Additive<'_>) -> Result<(), AnimationError> {
        let &Additive { pose, reference, weight, mask } = layer;
        check_len("joints of the pose to add", self.len(), pose.len())?;
        check_len("joints of the reference", self.len(), reference.len())?;
        check_len("morph weights of the pose to add", self.weights.len(), pose.weights.len())?;
        check_len("morph weights of the reference", self.weights.len(), reference.weights.len())?;
        check_mask(self, mask)?;
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(AnimationError::BadAdditiveWeight { weight });
        }
        if weight > 0.0 {
            self.add_checked(layer);
        }
        Ok(())
    }

    fn add_checked(&mut self, &Additive { pose, reference, weight, mask }: &Additive<'_>) {
        let differences = pose.weights.iter().zip(&reference.weights);
        for (sum, (to, from)) in self.weights.iter_mut().zip(differences) {
            *sum += weight * (to - from);
        }
        let scaled = pose.scaled || reference.scaled;
        self.scaled |= scaled;
        let Some(mask) = mask else {
            return self.add_blocks(0..self.rotations.len(), pose, reference, scaled, Factor::All(weight));
        };
        for start in (0..self.len()).step_by(BATCH) {
            // Lanes past the last joint have weight zero.
            let mut weights = [0.0; BATCH];
            for (joint_weight, factor) in weights.iter_mut().zip(&mask.factors()[start..]) {
                *joint_weight = weight * factor;
            }
            let blocks = start / BLOCK..self.rotations.len().min((start + BATCH) / BLOCK);
            let weights = Factor::Each(&weights[..BLOCK * blocks.len()]);
            self.add_blocks(blocks, pose, reference, scaled, weights);
        }
    }

    fn add_blocks(
        &mut self,
        blocks: Range<usize>,
        pose: &Self,
        reference: &Self,
        scaled: bool,
        weight: Factor<'_>,
    ) {
        self.runtime.kernels().add_poses(AddPoses {
            pose: pose.blocks(blocks.clone(), scaled),
            reference: reference.blocks(blocks.clone(), scaled),
            weight,
            rotations: &mut self.rotations[blocks.clone()],
            translations: &mut self.translations[blocks.clone()],
            scales: if scaled { &mut self.scales[blocks] } else { &mut [] },
        });
    }
}
