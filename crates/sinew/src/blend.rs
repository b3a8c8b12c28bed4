//! Blending: the weighted mean of many poses, joint by joint.

use std::ops::Range;

use sinew_kernels::{Factor, Joint, Scale};

use crate::error::check_len;
use crate::{Error, Mask, Pose};

/// How many joints are blended at once, their weights on the stack.
const BATCH: usize = 64;

/// How far a squared length may be from one and count as one: what rounding in `f32` can cause. So a mean of equal
/// rotations keeps their bits.
const ROUNDING: f32 = 1.0 / (1 << 21) as f32;

/// One pose of a blend and how much it counts.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'a> {
    /// As many joints and morph weights as the pose it is blended into.
    pub pose: &'a Pose,
    /// Finite, zero or more.
    pub weight: f32,
    /// What the weight is multiplied by at each joint; `None` means one.
    pub mask: Option<&'a Mask>,
}

impl<'a> Layer<'a> {
    /// A layer of every joint.
    #[must_use]
    pub fn new(pose: &'a Pose, weight: f32) -> Self {
        Self { pose, weight, mask: None }
    }

    /// The weights of joints from `start`. In `f64`, where no sum of weights is too large.
    fn weights_from(&self, start: usize) -> [f64; BATCH] {
        let mut weights = [f64::from(self.weight); BATCH];
        let factors = self.mask.map_or(&[][..], |mask| &mask.factors()[start..]);
        for (weight, &factor) in weights.iter_mut().zip(factors) {
            *weight *= f64::from(factor);
        }
        weights
    }
}

impl Pose {
    /// Becomes the weighted mean of layers. Where their weights at a joint, masks counted in, sum to less than one,
    /// `rest` fills up to one; where they sum to more, they are divided by the sum. Without layers it is `rest`.
    ///
    /// Rotations are added the short way and brought back to length one. Their order matters only to rounding where every
    /// two rotations of a joint are less than half a turn apart. Elsewhere each is turned toward the sum of those before
    /// it, `rest` last.
    ///
    /// Has scales where `rest` or a layer has them. A mask says nothing of morph weights: the layer's weight counts.
    ///
    /// ```
    /// use sinew::{Bone, Layer, Mask, Pose, Skeleton, Transform};
    ///
    /// let bone = |name, parent| Bone::new(name, parent, Transform::IDENTITY);
    /// let skeleton = Skeleton::new(&[bone("hip", None), bone("spine", Some(0))])?;
    /// let upper = Mask::subtree(&skeleton, 1)?;
    /// let (mut walk, mut wave, mut pose) = (skeleton.rest_pose(), skeleton.rest_pose(), skeleton.rest_pose());
    /// walk.joints_mut()[0].translation = [0.0, 1.0, 0.0];
    /// wave.joints_mut()[1].translation = [4.0, 0.0, 0.0];
    /// let layers = [Layer::new(&walk, 1.0), Layer { mask: Some(&upper), ..Layer::new(&wave, 1.0) }];
    /// pose.blend(skeleton.rest(), &layers)?;
    /// assert_eq!(pose.joints()[0].translation, [0.0, 1.0, 0.0]); // The hip walks;
    /// assert_eq!(pose.joints()[1].translation, [2.0, 0.0, 0.0]); // the spine does half of each.
    /// # Ok::<(), sinew::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When `rest`, a layer or its mask differs in length, or a weight is negative or not finite.
    pub fn blend(&mut self, rest: &Self, layers: &[Layer<'_>]) -> Result<(), Error> {
        self.blend_layers(rest, layers.iter().copied())
    }

    /// The same of layers that stand nowhere in one slice.
    pub(crate) fn blend_layers<'a>(
        &mut self,
        rest: &Self,
        layers: impl Iterator<Item = Layer<'a>> + Clone,
    ) -> Result<(), Error> {
        check_len("joints of the rest pose", self.len(), rest.len())?;
        check_len("morph weights of the rest pose", self.weights.len(), rest.weights.len())?;
        for (place, layer) in layers.clone().enumerate() {
            self.check_layer(place, &layer)?;
        }
        if rest.scaled || layers.clone().any(|layer| layer.pose.scaled) {
            self.scaled = true;
        } else {
            self.clear_scales();
        }
        self.blend_morph_weights(rest, layers.clone());
        for start in (0..self.len()).step_by(BATCH) {
            self.blend_batch(start, rest, layers.clone());
        }
        Ok(())
    }

    /// Becomes what lies between two poses, `passed` from 0 to 1 being how much of the time of the fade has gone by. Begins
    /// and ends softly; otherwise the same as [`nlerp`](Self::nlerp).
    ///
    /// # Errors
    ///
    /// When the poses differ in length or in morph weights, or `passed` is not from 0 to 1.
    pub fn cross_fade(&mut self, from: &Self, to: &Self, passed: f32) -> Result<(), Error> {
        check_factor("time passed of the cross-fade", passed)?;
        self.nlerp(from, to, Factor::All(passed * passed * (3.0 - 2.0 * passed)))
    }

    fn check_layer(&self, place: usize, layer: &Layer<'_>) -> Result<(), Error> {
        check_len("joints of the layer", self.len(), layer.pose.len())?;
        check_len("morph weights of the layer", self.weights.len(), layer.pose.weights.len())?;
        check_mask(self, layer.mask)?;
        if layer.weight >= 0.0 && layer.weight.is_finite() {
            Ok(())
        } else {
            Err(Error::BadLayerWeight { layer: place, weight: layer.weight })
        }
    }

    fn blend_morph_weights<'a>(&mut self, rest: &Self, layers: impl Iterator<Item = Layer<'a>> + Clone) {
        let (factor, filling) = shares(layers.clone().map(|layer| f64::from(layer.weight)).sum());
        for (weight, rest) in self.weights.iter_mut().zip(&rest.weights) {
            *weight = filling * rest;
        }
        for layer in layers {
            let share = (f64::from(layer.weight) * factor) as f32;
            for (weight, of_layer) in self.weights.iter_mut().zip(&layer.pose.weights) {
                *weight += share * of_layer;
            }
        }
    }

    /// The joints from `start`, at most [`BATCH`] of them. The pose itself holds the sums on the way.
    fn blend_batch<'a>(
        &mut self,
        start: usize,
        rest: &Self,
        layers: impl Iterator<Item = Layer<'a>> + Clone,
    ) {
        let range = start..self.len().min(start + BATCH);
        let mut sums = [0.0_f64; BATCH];
        for layer in layers.clone() {
            for (sum, weight) in sums.iter_mut().zip(layer.weights_from(start)) {
                *sum += weight;
            }
        }
        self.joints[range.clone()].fill(Joint::new([0.0; 4], [0.0; 3]));
        if self.scaled {
            self.scales[range.clone()].fill(Scale::new([0.0; 3]));
        }
        let (factors, fillings) = (sums.map(|sum| shares(sum).0), sums.map(|sum| shares(sum).1));
        let mut of_layer = [0.0_f32; BATCH];
        for layer in layers {
            for ((share, factor), weight) in of_layer.iter_mut().zip(factors).zip(layer.weights_from(start)) {
                *share = (weight * factor) as f32;
            }
            self.add_shares(range.clone(), layer.pose, &of_layer);
        }
        self.add_shares(range.clone(), rest, &fillings);
        for joint in &mut self.joints[range] {
            joint.rotation = unit(joint.rotation);
        }
    }

    fn add_shares(&mut self, range: Range<usize>, of: &Self, shares: &[f32; BATCH]) {
        let joints = self.joints[range.clone()].iter_mut().zip(&of.joints[range.clone()]);
        for ((sum, added), &share) in joints.zip(shares) {
            add_joint(sum, added, share);
        }
        if self.scaled {
            let scales = self.scales[range.clone()].iter_mut().zip(&of.scales[range]);
            for ((sum, added), &share) in scales.zip(shares).filter(|(_, share)| **share > 0.0) {
                let (a, b) = (sum.factors, added.factors);
                *sum = Scale::new([0, 1, 2].map(|i| a[i] + share * b[i]));
            }
        }
    }
}

fn add_joint(sum: &mut Joint, added: &Joint, share: f32) {
    // What counts for nothing may not even decide which way is short, nor bring in what is not a number.
    if share > 0.0 {
        let (a, b) = (sum.rotation, added.rotation);
        let turned = if dot(a, b) < 0.0 { -share } else { share };
        sum.rotation = [0, 1, 2, 3].map(|i| a[i] + turned * b[i]);
        let (a, b) = (sum.translation, added.translation);
        sum.translation = [0, 1, 2].map(|i| a[i] + share * b[i]);
    }
}

/// What weights of a sum are multiplied by, and what is left for the rest pose.
fn shares(sum: f64) -> (f64, f32) {
    if sum > 1.0 { (1.0 / sum, 0.0) } else { (1.0, (1.0 - sum) as f32) }
}

fn dot(a: [f32; 4], b: [f32; 4]) -> f32 {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
}

/// At length one. A sum of rotations that were turned toward each other is never zero.
fn unit(rotation: [f32; 4]) -> [f32; 4] {
    let squared = dot(rotation, rotation);
    if (squared - 1.0).abs() <= ROUNDING {
        return rotation;
    }
    let length = squared.sqrt();
    rotation.map(|element| element / length)
}

/// A check of constant cost: the mask is as long as the pose.
pub(crate) fn check_mask(pose: &Pose, mask: Option<&Mask>) -> Result<(), Error> {
    mask.map_or(Ok(()), |mask| check_len("factors of the mask", pose.len(), mask.len()))
}

/// Demands a number from 0 to 1.
pub(crate) fn check_factor(what: &'static str, found: f32) -> Result<(), Error> {
    if (0.0..=1.0).contains(&found) { Ok(()) } else { Err(Error::BadFactor { what, found }) }
}
