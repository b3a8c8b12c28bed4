//! A joint's local transform: rotation and translation, with scale in a stream of its own.

/// Rotation and translation of a joint relative to its parent: 32 bytes, 16-byte aligned.
///
/// The rotation is a unit quaternion (x, y, z, w) in the usual convention: `R(q) v = q v q*`.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct Joint {
    /// Unit quaternion (x, y, z, w).
    pub rotation: [f32; 4],
    /// Position of the joint in its parent's space.
    pub translation: [f32; 3],
    /// Pads the joint to two whole 128-bit registers. Zero, unless cast from bytes; never read.
    #[cfg_attr(feature = "serde", serde(skip))]
    pad: f32,
}

impl Joint {
    /// No rotation, no translation.
    pub const IDENTITY: Self = Self::new([0.0, 0.0, 0.0, 1.0], [0.0; 3]);

    /// A joint from its rotation and translation.
    #[must_use]
    pub const fn new(rotation: [f32; 4], translation: [f32; 3]) -> Self {
        Self { rotation, translation, pad: 0.0 }
    }
}

impl PartialEq for Joint {
    fn eq(&self, other: &Self) -> bool {
        (self.rotation, self.translation) == (other.rotation, other.translation)
    }
}

impl Default for Joint {
    fn default() -> Self {
        Self::IDENTITY
    }
}

#[cfg(feature = "mint")]
impl From<(mint::Quaternion<f32>, mint::Vector3<f32>)> for Joint {
    fn from((rotation, translation): (mint::Quaternion<f32>, mint::Vector3<f32>)) -> Self {
        Self::new(rotation.into(), translation.into())
    }
}

#[cfg(feature = "mint")]
impl From<Joint> for (mint::Quaternion<f32>, mint::Vector3<f32>) {
    fn from(joint: Joint) -> Self {
        (joint.rotation.into(), joint.translation.into())
    }
}

/// Scale of a joint along its own axes: 16 bytes, 16-byte aligned. Negative factors mirror.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct Scale {
    /// Factors along x, y and z.
    pub factors: [f32; 3],
    /// Pads the scale to a whole 128-bit register. Zero, unless cast from bytes; never read.
    #[cfg_attr(feature = "serde", serde(skip))]
    pad: f32,
}

impl Scale {
    /// No scale.
    pub const ONE: Self = Self::new([1.0; 3]);

    /// A scale from its factors.
    #[must_use]
    pub const fn new(factors: [f32; 3]) -> Self {
        Self { factors, pad: 0.0 }
    }
}

impl PartialEq for Scale {
    fn eq(&self, other: &Self) -> bool {
        self.factors == other.factors
    }
}

impl Default for Scale {
    fn default() -> Self {
        Self::ONE
    }
}

#[cfg(feature = "mint")]
impl From<mint::Vector3<f32>> for Scale {
    fn from(factors: mint::Vector3<f32>) -> Self {
        Self::new(factors.into())
    }
}

#[cfg(feature = "mint")]
impl From<Scale> for mint::Vector3<f32> {
    fn from(scale: Scale) -> Self {
        scale.factors.into()
    }
}
