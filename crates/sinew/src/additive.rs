//! Additive layers: what a pose differs from a reference by, on top of another pose.

use sinew_kernels::{Joint, Scale};

use crate::blend::check_mask;
use crate::error::check_len;
use crate::quaternion::{IDENTITY, conjugate, lerp, multiply, narrow, unit};
use crate::{Error, Mask, Pose};

/// The difference of a pose to a reference, and how much of it is added.
#[derive(Clone, Copy, Debug)]
pub struct Additive<'a> {
    /// As many joints and morph weights as the pose it is added to.
    pub pose: &'a Pose,
    /// What the pose is compared with: the first frame of its clip, or whatever it was made to be added to.
    pub reference: &'a Pose,
    /// Finite, zero or more; one adds the whole difference.
    pub weight: f32,
    /// What the weight is multiplied by at each joint; `None` means one.
    pub mask: Option<&'a Mask>,
}

impl<'a> Additive<'a> {
    /// The whole difference, at every joint.
    #[must_use]
    pub fn new(pose: &'a Pose, reference: &'a Pose) -> Self {
        Self { pose, reference, weight: 1.0, mask: None }
    }
}

impl Pose {
    /// Adds a layer on top.
    ///
    /// Each joint turns, in its own space, by the turn from reference to pose; translations and morph weights change by the
    /// difference, scales by the ratio (by the difference where the reference is zero). On the reference itself, weight
    /// one gives the pose. Weight zero changes nothing, not a bit. A mask says nothing of morph weights.
    ///
    /// ```
    /// use sinew::{Additive, Bone, Skeleton, Transform};
    ///
    /// let skeleton = Skeleton::new(&[Bone::new("chest", None, Transform::IDENTITY)])?;
    /// let (mut pose, mut breath) = (skeleton.rest_pose(), skeleton.rest_pose());
    /// pose.joints_mut()[0].translation = [0.0, 1.0, 0.0];
    /// breath.joints_mut()[0].translation = [0.0, 0.0, 0.25];
    /// pose.add(&Additive { weight: 2.0, ..Additive::new(&breath, skeleton.rest()) })?;
    /// assert_eq!(pose.joints()[0].translation, [0.0, 1.0, 0.5]);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the layer's poses or mask differ in length, or its weight is negative or not finite.
    pub fn add(&mut self, layer: &Additive<'_>) -> Result<(), Error> {
        let &Additive { pose, reference, weight, mask } = layer;
        check_len("joints of the pose to add", self.len(), pose.len())?;
        check_len("joints of the reference", self.len(), reference.len())?;
        check_len("morph weights of the pose to add", self.weights.len(), pose.weights.len())?;
        check_len("morph weights of the reference", self.weights.len(), reference.weights.len())?;
        check_mask(self, mask)?;
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(Error::BadAdditiveWeight { weight });
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
        for joint in 0..self.len() {
            let weight = mask.map_or(weight, |mask| weight * mask.factors()[joint]);
            if weight == 0.0 {
                continue;
            }
            let (from, to) = (&reference.joints[joint], &pose.joints[joint]);
            self.joints[joint] = joint_on_top(&self.joints[joint], from, to, weight);
            if scaled {
                let (from, to) = (reference.scales[joint].factors, pose.scales[joint].factors);
                let factors = self.scales[joint].factors;
                self.scales[joint] =
                    Scale::new([0, 1, 2].map(|i| scale_on_top(factors[i], from[i], to[i], weight)));
            }
        }
    }
}

fn joint_on_top(base: &Joint, from: &Joint, to: &Joint, weight: f32) -> Joint {
    let [base_turn, from_turn, to_turn] = [base, from, to].map(|joint| joint.rotation.map(f64::from));
    // Lengths multiply, so bringing the last product to one is enough.
    let difference = multiply(conjugate(from_turn), to_turn);
    let rotation = narrow(unit(multiply(base_turn, lerp(IDENTITY, difference, f64::from(weight)))));
    let (a, b, c) = (base.translation, from.translation, to.translation);
    Joint::new(rotation, [0, 1, 2].map(|i| a[i] + weight * (c[i] - b[i])))
}

fn scale_on_top(base: f32, from: f32, to: f32, weight: f32) -> f32 {
    let ratio = to / from;
    // Nothing is a multiple of zero.
    if ratio.is_finite() { base * (1.0 + weight * (ratio - 1.0)) } else { base + weight * (to - from) }
}
