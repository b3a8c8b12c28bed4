//! Blending: the weighted average of several poses.

use std::ops::Range;

use sinew_kernels::{BLOCK, BlendLayer, BlendPart, BlendPoses, BlendTwoPoses, Factor};

use crate::animation::{AnimationError, Mask};
use crate::length::check_len;
use crate::skeleton::Pose;

/// The number of joints in a batch when each joint has its own weights, which are kept on the
/// stack: whole blocks.
pub(crate) const BATCH: usize = 64;

/// The maximum number of layers, besides the rest pose, in one kernel call.
const MAX_LAYERS: usize = 4;

/// One pose of a blend and its weight.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'a> {
    /// The pose. Must have as many joints and morph weights as the pose it is blended into.
    pub pose: &'a Pose,
    /// The weight: finite, zero or more.
    pub weight: f32,
    /// The factor of the weight for each joint; `None` means one.
    pub mask: Option<&'a Mask>,
}

impl<'a> Layer<'a> {
    /// A layer without a mask.
    #[must_use]
    pub fn new(pose: &'a Pose, weight: f32) -> Self {
        Self { pose, weight, mask: None }
    }

    /// Writes the layer's normalized weight at each joint from `start` on, given the sum of all
    /// layers' weights at each joint.
    fn write_joint_weights(&self, start: usize, sums: &[f64], joint_weights: &mut [f32]) {
        let factors = self.mask.map_or(&[][..], |mask| &mask.factors()[start..]);
        for (joint, (weight, &sum)) in joint_weights.iter_mut().zip(sums).enumerate() {
            let factor = factors.get(joint).map_or(1.0, |&factor| f64::from(factor));
            *weight = (f64::from(self.weight) * factor * weight_factors(sum).0) as f32;
        }
    }

    /// Adds the layer's weight at each joint from `start` on to `sums`.
    pub(crate) fn add_weights(&self, start: usize, sums: &mut [f64]) {
        let weight = f64::from(self.weight);
        match self.mask {
            Some(mask) => {
                for (sum, &factor) in sums.iter_mut().zip(&mask.factors()[start..]) {
                    *sum += weight * f64::from(factor);
                }
            }
            None => sums.iter_mut().for_each(|sum| *sum += weight),
        }
    }
}

impl Pose {
    /// Sets this pose to the weighted average of layers.
    ///
    /// Where the weights at a joint, including masks, sum to less than one, `rest` gets the
    /// remaining weight. Where they sum to more than one, they are divided by the sum. Without
    /// layers the result is `rest`.
    ///
    /// Rotations are summed along the shorter path and normalized. If any two rotations of a joint
    /// are less than half a turn apart, the order of layers affects only rounding. Otherwise each
    /// rotation is negated, if necessary, to point toward the sum of the previous ones, with `rest`
    /// last.
    ///
    /// The result has scales if `rest` or a layer has scales. Masks do not affect morph weights,
    /// only the layer's weight does.
    ///
    /// ```
    /// use sinew::animation::{Layer, Mask};
    /// use sinew::{Bone, Skeleton, Transform};
    ///
    /// let bone = |name, parent| Bone::new(name, parent, Transform::IDENTITY);
    /// let skeleton = Skeleton::new(&[bone("hip", None), bone("spine", Some(0))])?;
    /// let (hip, spine) = (skeleton.joint("hip")?, skeleton.joint("spine")?);
    /// let upper = Mask::subtree(&skeleton, spine)?;
    /// let (mut walk, mut wave) = (skeleton.rest_pose(), skeleton.rest_pose());
    /// walk.set_translation(hip, [0.0, 1.0, 0.0]);
    /// wave.set_translation(spine, [4.0, 0.0, 0.0]);
    /// let layers =
    ///     [Layer::new(&walk, 1.0), Layer { mask: Some(&upper), ..Layer::new(&wave, 1.0) }];
    /// let mut pose = skeleton.rest_pose();
    /// pose.blend(skeleton.rest(), &layers)?;
    /// assert_eq!(pose.translation(hip), [0.0, 1.0, 0.0]); // The mask excludes the hip.
    /// assert_eq!(pose.translation(spine), [2.0, 0.0, 0.0]); // The spine gets half of each.
    /// # Ok::<(), sinew::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When `rest`, a layer or a mask differs in length, or a weight is negative or not finite.
    pub fn blend(&mut self, rest: &Self, layers: &[Layer<'_>]) -> Result<(), AnimationError> {
        if let [one, two] = layers
            && self.is_pair(rest, one, two)
        {
            let weights = [one.weight, two.weight];
            let sum = f64::from(weights[0]) + f64::from(weights[1]);
            let (factor, _) = weight_factors(sum);
            let normalized = weights.map(|weight| (f64::from(weight) * factor) as f32);
            let scaled = rest.scaled | one.pose.scaled | two.pose.scaled;
            if (1.0..f64::INFINITY).contains(&sum) && normalized[0] > 0.0 && normalized[1] > 0.0 {
                // Nearly always equal. The processor predicts so, and the blend need not wait for
                // the division.
                if normalized == weights {
                    self.blend_pair([one.pose, two.pose], [&one.weight, &two.weight], scaled);
                } else {
                    self.blend_unequal_pair([one.pose, two.pose], &normalized, scaled);
                }
                return Ok(());
            }
        }
        self.blend_layers(rest, layers)
    }

    /// Whether two layers are the usual case: no masks, no morph weights, no wrong length. For few
    /// joints the general case takes longer than the blend itself.
    #[inline]
    fn is_pair(&self, rest: &Self, one: &Layer<'_>, two: &Layer<'_>) -> bool {
        let fits = |pose: &Self| (pose.len() == self.len()) & pose.weights.is_empty();
        let is_plain = |layer: &Layer<'_>| fits(layer.pose) & layer.mask.is_none();
        is_plain(one) & is_plain(two) & fits(rest) & self.weights.is_empty()
    }

    /// [`blend_pair`](Self::blend_pair) out of line, so that the usual path stays short.
    #[inline(never)]
    fn blend_unequal_pair(&mut self, poses: [&Self; 2], weights: &[f32; 2], scaled: bool) {
        self.blend_pair(poses, weights.each_ref(), scaled);
    }

    /// The mean of two poses of the same length, both with weights above zero. Leaves morph weights
    /// as they are.
    #[inline]
    pub(super) fn blend_pair(&mut self, [one, other]: [&Self; 2], weights: [&f32; 2], scaled: bool) {
        self.set_scaled(scaled);
        self.runtime.kernels().blend_two_poses(BlendTwoPoses {
            one: one.all_blocks(),
            other: other.all_blocks(),
            weights,
            joints: self.len(),
            rotations: &mut self.rotations,
            translations: &mut self.translations,
            scales: if scaled { &mut self.scales } else { &mut [] },
        });
    }

    #[inline(never)]
    fn blend_layers(&mut self, rest: &Self, layers: &[Layer<'_>]) -> Result<(), AnimationError> {
        check_len("joints of the rest pose", self.len(), rest.len())?;
        check_len("morph weights of the rest pose", self.weights.len(), rest.weights.len())?;
        for (index, layer) in layers.iter().enumerate() {
            self.check_layer(index, layer)?;
        }
        let sum = layers.iter().map(|layer| f64::from(layer.weight)).sum();
        self.begin_blend(rest, rest.scaled || layers.iter().any(|layer| layer.pose.scaled), sum);
        for layer in layers {
            self.add_morph_weights(layer, sum);
        }
        if layers.iter().all(|layer| layer.mask.is_none()) {
            self.blend_batches(0..self.len(), rest, layers, &WeightSums::Uniform(sum));
            return Ok(());
        }
        for start in (0..self.len()).step_by(BATCH) {
            let range = start..self.len().min(start + BATCH);
            let mut sums = [0.0; BATCH];
            let sums = &mut sums[..range.len()];
            layers.iter().for_each(|layer| layer.add_weights(start, sums));
            self.blend_batches(range, rest, layers, &WeightSums::PerJoint(sums));
        }
        Ok(())
    }

    fn blend_batches(
        &mut self,
        range: Range<usize>,
        rest: &Self,
        layers: &[Layer<'_>],
        sums: &WeightSums<'_>,
    ) {
        let mut done = 0;
        loop {
            let some = &layers[done..layers.len().min(done + MAX_LAYERS)];
            let part = batch_part(done == 0, done + some.len() == layers.len());
            self.blend_batch(range.clone(), part, rest, some, sums);
            done += some.len();
            if done == layers.len() {
                return;
            }
        }
    }

    /// Prepares scales and morph weights for layers whose weights have this sum.
    pub(crate) fn begin_blend(&mut self, rest: &Self, scaled: bool, sum: f64) {
        self.set_scaled(scaled);
        let (_, rest_weight) = weight_factors(sum);
        for (weight, rest) in self.weights.iter_mut().zip(&rest.weights) {
            *weight = rest_weight * rest;
        }
    }

    /// Adds the morph weights of a layer.
    pub(crate) fn add_morph_weights(&mut self, layer: &Layer<'_>, sum: f64) {
        let layer_weight = (f64::from(layer.weight) * weight_factors(sum).0) as f32;
        for (weight, added) in self.weights.iter_mut().zip(&layer.pose.weights) {
            *weight += layer_weight * added;
        }
    }

    /// Adds up to [`MAX_LAYERS`] layers to a range of joints, and the rest pose after the last
    /// layer. The pose stores the intermediate sums. The range starts at a block. With per-joint
    /// sums it has at most [`BATCH`] joints.
    pub(crate) fn blend_batch(
        &mut self,
        range: Range<usize>,
        part: BlendPart,
        rest: &Self,
        layers: &[Layer<'_>],
        sums: &WeightSums<'_>,
    ) {
        match sums {
            WeightSums::Uniform(sum) => {
                let blocks = range.start / BLOCK..range.end.div_ceil(BLOCK);
                self.blend_uniform(blocks, part, rest, layers, *sum);
            }
            WeightSums::PerJoint(sums) => self.blend_per_joint(range, part, rest, layers, sums),
        }
    }

    /// Adds layers whose weights differ from joint to joint.
    fn blend_per_joint(
        &mut self,
        range: Range<usize>,
        part: BlendPart,
        rest: &Self,
        layers: &[Layer<'_>],
        sums: &[f64],
    ) {
        let blocks = range.start / BLOCK..range.end.div_ceil(BLOCK);
        let mut joint_weights = [[0.0_f32; BATCH]; MAX_LAYERS + 1];
        for (joint_weights, layer) in joint_weights.iter_mut().zip(layers) {
            layer.write_joint_weights(range.start, sums, joint_weights);
        }
        // Lanes past the last joint take the rest pose's.
        joint_weights[layers.len()] = [1.0; BATCH];
        for (rest_weight, &sum) in joint_weights[layers.len()].iter_mut().zip(sums) {
            *rest_weight = weight_factors(sum).1;
        }
        let (lanes, last) = (BLOCK * blocks.len(), matches!(part, BlendPart::All | BlendPart::Last));
        let poses = layers.iter().map(|layer| layer.pose).chain([rest]);
        let mut all = [blend_layer(rest, blocks.clone(), Factor::All(0.0)); MAX_LAYERS + 1];
        for ((to, pose), joint_weights) in all.iter_mut().zip(poses).zip(&joint_weights) {
            *to = blend_layer(pose, blocks.clone(), Factor::Each(&joint_weights[..lanes]));
        }
        self.run_kernel(blocks, part, &all[..layers.len() + usize::from(last)]);
    }

    /// Adds layers whose weights are the same at every joint.
    #[inline]
    fn blend_uniform(
        &mut self,
        blocks: Range<usize>,
        part: BlendPart,
        rest: &Self,
        layers: &[Layer<'_>],
        sum: f64,
    ) {
        let (factor, rest_weight) = weight_factors(sum);
        let normalized = |layer: &Layer<'_>| (f64::from(layer.weight) * factor) as f32;
        let last = matches!(part, BlendPart::All | BlendPart::Last);
        let with_rest = last && (rest_weight > 0.0 || layers.is_empty());
        if let (BlendPart::All, false, [one, other]) = (part, with_rest, layers)
            && blocks.len() == self.rotations.len()
        {
            let weights = [normalized(one), normalized(other)];
            if weights[0] > 0.0 && weights[1] > 0.0 {
                return self.blend_pair([one.pose, other.pose], weights.each_ref(), self.scaled);
            }
        }
        let mut all = [blend_layer(rest, blocks.clone(), Factor::All(rest_weight)); MAX_LAYERS + 1];
        for (to, layer) in all.iter_mut().zip(layers) {
            *to = blend_layer(layer.pose, blocks.clone(), Factor::All(normalized(layer)));
        }
        self.run_kernel(blocks, part, &all[..layers.len() + usize::from(with_rest)]);
    }

    /// Blends layers at some blocks.
    pub(super) fn run_kernel(&mut self, blocks: Range<usize>, part: BlendPart, layers: &[BlendLayer<'_>]) {
        self.runtime.kernels().blend_poses(BlendPoses {
            layers,
            part,
            joints: BLOCK * blocks.len(),
            rotations: &mut self.rotations[blocks.clone()],
            translations: &mut self.translations[blocks.clone()],
            scales: if self.scaled { &mut self.scales[blocks] } else { &mut [] },
        });
    }

    /// Sets this pose to a cross-fade between two poses. `progress` is the fraction of the fade's
    /// duration that has passed, from 0 to 1. The fade eases in and out; otherwise it works like
    /// [`nlerp`](Self::nlerp).
    ///
    /// # Errors
    ///
    /// When the poses differ in length or in morph weights, or `progress` is not from 0 to 1.
    pub fn cross_fade(&mut self, from: &Self, to: &Self, progress: f32) -> Result<(), AnimationError> {
        check_factor("time passed of the cross-fade", progress)?;
        self.nlerp(from, to, Factor::All(progress * progress * (3.0 - 2.0 * progress)))
    }

    fn check_layer(&self, index: usize, layer: &Layer<'_>) -> Result<(), AnimationError> {
        check_len("joints of the layer", self.len(), layer.pose.len())?;
        check_len("morph weights of the layer", self.weights.len(), layer.pose.weights.len())?;
        check_mask(self, layer.mask)?;
        if layer.weight >= 0.0 && layer.weight.is_finite() {
            Ok(())
        } else {
            Err(AnimationError::BadLayerWeight { layer: index, weight: layer.weight })
        }
    }
}

/// Some blocks of a pose, as a layer.
#[inline(always)]
fn blend_layer<'a>(pose: &'a Pose, blocks: Range<usize>, weight: Factor<'a>) -> BlendLayer<'a> {
    BlendLayer { pose: pose.blocks(blocks, true), weight }
}

/// The sum of the weights of all layers, in `f64` so that it cannot overflow.
pub(crate) enum WeightSums<'a> {
    /// The same sum at every joint.
    Uniform(f64),
    /// The sum at each joint of a range.
    PerJoint(&'a [f64]),
}

/// Which part of a blend a batch of layers is.
pub(crate) fn batch_part(first: bool, last: bool) -> BlendPart {
    match (first, last) {
        (true, true) => BlendPart::All,
        (true, false) => BlendPart::First,
        (false, true) => BlendPart::Last,
        (false, false) => BlendPart::Next,
    }
}

/// The factor that normalizes weights with this sum, and the weight that remains for the rest pose.
fn weight_factors(sum: f64) -> (f64, f32) {
    if sum > 1.0 { (1.0 / sum, 0.0) } else { (1.0, (1.0 - sum) as f32) }
}

/// Checks in constant time that the mask is as long as the pose.
pub(crate) fn check_mask(pose: &Pose, mask: Option<&Mask>) -> Result<(), AnimationError> {
    mask.map_or(Ok(()), |mask| Ok(check_len("factors of the mask", pose.len(), mask.len())?))
}

/// Checks that a number is from 0 to 1.
pub(crate) fn check_factor(what: &'static str, found: f32) -> Result<(), AnimationError> {
    if (0.0..=1.0).contains(&found) { Ok(()) } else { Err(AnimationError::BadFactor { what, found }) }
}
