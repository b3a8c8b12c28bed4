//! Masks: how much of each joint a layer moves.

use std::sync::Arc;

use crate::{Error, Skeleton};

/// A factor from 0 to 1 for each joint: how much of a layer counts there. A clone is the same mask, and takes no memory.
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
    /// When there is none, or one is not from 0 to 1.
    pub fn new(factors: &[f32]) -> Result<Self, Error> {
        if factors.is_empty() {
            return Err(Error::Empty { what: "mask" });
        }
        match factors.iter().position(|factor| !(0.0..=1.0).contains(factor)) {
            Some(joint) => Err(Error::BadMaskFactor { joint, factor: factors[joint] }),
            None => Ok(Self { factors: factors.into() }),
        }
    }

    /// All of a joint and of everything below it, nothing of the others.
    ///
    /// ```
    /// use sinew::{Bone, Mask, Skeleton, Transform};
    ///
    /// let bone = |name, parent| Bone::new(name, parent, Transform::IDENTITY);
    /// let skeleton = Skeleton::new(&[bone("hip", None), bone("leg", Some(0)), bone("spine", Some(0))])?;
    /// let upper = Mask::subtree(&skeleton, skeleton.joint("spine")?)?;
    /// assert_eq!(upper.factors(), [0.0, 0.0, 1.0]);
    /// assert_eq!(upper.complement().factors(), [1.0, 1.0, 0.0]);
    /// # Ok::<(), sinew::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no such joint.
    pub fn subtree(skeleton: &Skeleton, joint: usize) -> Result<Self, Error> {
        if joint >= skeleton.len() {
            return Err(Error::JointOutOfRange { joint, len: skeleton.len() });
        }
        let mut factors = vec![0.0; skeleton.len()];
        factors[joint] = 1.0;
        for below in joint + 1..skeleton.len() {
            factors[below] = skeleton.parent(below).map_or(0.0, |parent| factors[parent]);
        }
        Ok(Self { factors: factors.into() })
    }

    /// The rest of each joint: one less the factor.
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
