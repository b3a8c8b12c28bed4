//! Masks: how strongly a layer affects each joint.

use std::sync::Arc;

use crate::animation::AnimationError;
use crate::skeleton::{JointId, Skeleton, SkeletonError, check_joint};

/// A factor from 0 to 1 for each joint that scales the weight of a layer. Clones share the same
/// data.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::len_without_is_empty, reason = "a mask is as long as a skeleton, which is never empty")]
pub struct Mask {
    /// Finite, from 0 to 1.
    factors: Arc<[f32]>,
}

impl Mask {
    /// A mask from its factors, one for each joint of the skeleton.
    ///
    /// # Errors
    ///
    /// When there are no factors, or a factor is not from 0 to 1.
    pub fn new(factors: &[f32]) -> Result<Self, AnimationError> {
        if factors.is_empty() {
            return Err(SkeletonError::Empty { what: "mask" }.into());
        }
        match factors.iter().position(|factor| !(0.0..=1.0).contains(factor)) {
            Some(joint) => Err(AnimationError::BadMaskFactor { joint, factor: factors[joint] }),
            None => Ok(Self { factors: factors.into() }),
        }
    }

    /// A mask that is one for a joint and all its descendants, and zero for all other joints.
    ///
    /// ```
    /// use sinew::{Bone, Skeleton, Transform};
    /// use sinew::animation::Mask;
    ///
    /// let bone = |name, parent| Bone::new(name, parent, Transform::IDENTITY);
    /// let bones = [bone("hip", None), bone("leg", Some(0)), bone("spine", Some(0))];
    /// let skeleton = Skeleton::new(&bones)?;
    /// let upper = Mask::subtree(&skeleton, skeleton.joint("spine")?)?;
    /// assert_eq!(upper.factors(), [0.0, 0.0, 1.0]);
    /// assert_eq!(upper.complement().factors(), [1.0, 1.0, 0.0]);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the joint does not exist.
    pub fn subtree(skeleton: &Skeleton, joint: JointId) -> Result<Self, AnimationError> {
        let joint = check_joint(joint, skeleton.len())?;
        let mut factors = vec![0.0; skeleton.len()];
        factors[joint] = 1.0;
        for below in skeleton.joints().skip(joint + 1) {
            factors[below.index()] = skeleton.parent(below).map_or(0.0, |parent| factors[parent.index()]);
        }
        Ok(Self { factors: factors.into() })
    }

    /// The complementary mask: one minus each factor.
    #[must_use]
    pub fn complement(&self) -> Self {
        Self { factors: self.factors.iter().map(|factor| 1.0 - factor).collect() }
    }

    /// The number of joints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.factors.len()
    }

    /// The factor of each joint.
    #[must_use]
    pub fn factors(&self) -> &[f32] {
        &self.factors
    }
}
