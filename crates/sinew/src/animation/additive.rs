//! Additive layers: the difference between a pose and a reference, added to another pose.

use crate::animation::blend::check_mask;
use crate::animation::{AnimationError, Mask};
use crate::length::check_len;
use crate::math::quaternion::{IDENTITY, conjugate, lerp, multiply, normalize_or_identity, to_f32};
use crate::skeleton::{JointId, Pose, Transform};

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
        for joint in (0..self.len()).map(JointId::new) {
            let weight = mask.map_or(weight, |mask| weight * mask.factors()[joint.index()]);
            if weight == 0.0 {
                continue;
            }
            let (base, from, to) = (self.transform(joint), reference.transform(joint), pose.transform(joint));
            let (rotation, translation) = add_difference(&base, &from, &to, weight);
            self.set_rotation(joint, rotation);
            self.set_translation(joint, translation);
            if scaled {
                let add = |i: usize| add_scale_ratio(base.scale[i], from.scale[i], to.scale[i], weight);
                self.set_scale(joint, [0, 1, 2].map(add));
            }
        }
    }
}

/// The rotation and the translation of a joint after the difference of two others is added.
fn add_difference(base: &Transform, from: &Transform, to: &Transform, weight: f32) -> ([f32; 4], [f32; 3]) {
    let [base_rotation, from_rotation, to_rotation] =
        [base, from, to].map(|joint| joint.rotation.map(f64::from));
    // Lengths multiply, so it is enough to normalize the final product.
    let difference = multiply(conjugate(from_rotation), to_rotation);
    let rotation =
        to_f32(normalize_or_identity(multiply(base_rotation, lerp(IDENTITY, difference, f64::from(weight)))));
    let (a, b, c) = (base.translation, from.translation, to.translation);
    (rotation, [0, 1, 2].map(|i| a[i] + weight * (c[i] - b[i])))
}

fn add_scale_ratio(base: f32, from: f32, to: f32, weight: f32) -> f32 {
    let ratio = to / from;
    // A reference of zero has no ratio.
    if ratio.is_finite() { base * (1.0 + weight * (ratio - 1.0)) } else { base + weight * (to - from) }
}
