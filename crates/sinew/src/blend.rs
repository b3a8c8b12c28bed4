//! Blending: the weighted mean of many poses, joint by joint.

use std::ops::Range;

use sinew_kernels::{BlendJoints, BlendLayer, BlendPart, Factor};

use crate::error::check_len;
use crate::{Error, Mask, Pose};

/// How many joints are blended at once where masks give each a share of its own, on the stack.
pub(crate) const BATCH: usize = 64;

/// How many layers are handed to the kernel at once, and the rest pose with them.
const LAYERS: usize = 4;

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

    /// How much of the sums it is, at each joint from `start` on.
    fn shares_from(&self, start: usize, sums: &[f64], each: &mut [f32]) {
        let factors = self.mask.map_or(&[][..], |mask| &mask.factors()[start..]);
        for (joint, (share, &sum)) in each.iter_mut().zip(sums).enumerate() {
            let factor = factors.get(joint).map_or(1.0, |&factor| f64::from(factor));
            *share = (f64::from(self.weight) * factor * shares(sum).0) as f32;
        }
    }

    /// Adds its weight at each joint from `start` on to sums.
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
        check_len("joints of the rest pose", self.len(), rest.len())?;
        check_len("morph weights of the rest pose", self.weights.len(), rest.weights.len())?;
        for (place, layer) in layers.iter().enumerate() {
            self.check_layer(place, layer)?;
        }
        let sum = layers.iter().map(|layer| f64::from(layer.weight)).sum();
        self.begin_blend(rest, rest.scaled || layers.iter().any(|layer| layer.pose.scaled), sum);
        for layer in layers {
            self.blend_morph_weights(layer, sum);
        }
        if layers.iter().all(|layer| layer.mask.is_none()) {
            self.blend_parts(0..self.len(), rest, layers, &Sums::Same(sum));
            return Ok(());
        }
        for start in (0..self.len()).step_by(BATCH) {
            let range = start..self.len().min(start + BATCH);
            let mut sums = [0.0; BATCH];
            let sums = &mut sums[..range.len()];
            layers.iter().for_each(|layer| layer.add_weights(start, sums));
            self.blend_parts(range, rest, layers, &Sums::Each(sums));
        }
        Ok(())
    }

    fn blend_parts(&mut self, range: Range<usize>, rest: &Self, layers: &[Layer<'_>], sums: &Sums<'_>) {
        let mut done = 0;
        loop {
            let some = &layers[done..layers.len().min(done + LAYERS)];
            let part = part_of(done == 0, done + some.len() == layers.len());
            self.blend_part(range.clone(), part, rest, some, sums);
            done += some.len();
            if done == layers.len() {
                return;
            }
        }
    }

    /// Readies scales and morph weights for layers whose weights sum to this.
    pub(crate) fn begin_blend(&mut self, rest: &Self, scaled: bool, sum: f64) {
        if scaled {
            self.scaled = true;
        } else {
            self.clear_scales();
        }
        let (_, filling) = shares(sum);
        for (weight, rest) in self.weights.iter_mut().zip(&rest.weights) {
            *weight = filling * rest;
        }
    }

    /// Adds the morph weights of a layer.
    pub(crate) fn blend_morph_weights(&mut self, layer: &Layer<'_>, sum: f64) {
        let share = (f64::from(layer.weight) * shares(sum).0) as f32;
        for (weight, of_layer) in self.weights.iter_mut().zip(&layer.pose.weights) {
            *weight += share * of_layer;
        }
    }

    /// Adds some layers, at most [`LAYERS`], to joints of a range, and the rest pose after the last. The pose itself holds
    /// the sums on the way. Where sums differ the range has at most [`BATCH`] joints.
    pub(crate) fn blend_part(
        &mut self,
        range: Range<usize>,
        part: BlendPart,
        rest: &Self,
        layers: &[Layer<'_>],
        sums: &Sums<'_>,
    ) {
        let last = matches!(part, BlendPart::All | BlendPart::Last);
        let rest = last.then(|| Layer::new(rest, 0.0));
        let all = layers.iter().chain(&rest);
        match sums {
            Sums::Same(sum) => {
                let (factor, filling) = shares(*sum);
                let share = |i: usize| match layers.get(i) {
                    Some(layer) => (f64::from(layer.weight) * factor) as f32,
                    None => filling,
                };
                let filled = filling > 0.0 || layers.is_empty();
                let some = all.enumerate().map(|(i, layer)| (layer.pose, Factor::All(share(i))));
                self.add_layers(range, part, some.take(layers.len() + usize::from(filled)));
            }
            Sums::Each(sums) => {
                let mut each = [[0.0_f32; BATCH]; LAYERS + 1];
                for (each, layer) in each.iter_mut().zip(layers) {
                    layer.shares_from(range.start, sums, each);
                }
                for (filling, &sum) in each[layers.len()].iter_mut().zip(*sums) {
                    *filling = shares(sum).1;
                }
                let some =
                    all.zip(&each).map(|(layer, each)| (layer.pose, Factor::Each(&each[..sums.len()])));
                self.add_layers(range, part, some);
            }
        }
    }

    fn add_layers<'a>(
        &mut self,
        range: Range<usize>,
        part: BlendPart,
        layers: impl Iterator<Item = (&'a Self, Factor<'a>)>,
    ) {
        let none = BlendLayer { joints: &[], scales: &[], weight: Factor::All(0.0) };
        let (mut some, mut len) = ([none; LAYERS + 1], 0);
        for (to, (pose, share)) in some.iter_mut().zip(layers) {
            let (joints, scales) = (&pose.joints[range.clone()], &pose.scales[range.clone()]);
            *to = BlendLayer { joints, scales, weight: share };
            len += 1;
        }
        let joints = &mut self.joints[range.clone()];
        let scales = self.scaled.then_some(&mut self.scales[range]);
        self.kernels.blend_joints(BlendJoints { layers: &some[..len], part, joints, scales });
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
}

/// What the weights of all layers sum to. In `f64`, where no sum of weights is too large.
pub(crate) enum Sums<'a> {
    /// At every joint.
    Same(f64),
    /// At each joint of a range.
    Each(&'a [f64]),
}

/// Which part of a blend some layers are.
pub(crate) fn part_of(first: bool, last: bool) -> BlendPart {
    match (first, last) {
        (true, true) => BlendPart::All,
        (true, false) => BlendPart::First,
        (false, true) => BlendPart::Last,
        (false, false) => BlendPart::Next,
    }
}

/// What weights of a sum are multiplied by, and what is left for the rest pose.
fn shares(sum: f64) -> (f64, f32) {
    if sum > 1.0 { (1.0 / sum, 0.0) } else { (1.0, (1.0 - sum) as f32) }
}

/// A check of constant cost: the mask is as long as the pose.
pub(crate) fn check_mask(pose: &Pose, mask: Option<&Mask>) -> Result<(), Error> {
    mask.map_or(Ok(()), |mask| check_len("factors of the mask", pose.len(), mask.len()))
}

/// Demands a number from 0 to 1.
pub(crate) fn check_factor(what: &'static str, found: f32) -> Result<(), Error> {
    if (0.0..=1.0).contains(&found) { Ok(()) } else { Err(Error::BadFactor { what, found }) }
}
