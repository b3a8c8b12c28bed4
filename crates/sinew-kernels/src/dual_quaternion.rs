//! A rigid move as a dual quaternion.

/// A rotation and a translation after it, in a form that can be summed by weights: 32 bytes, 16-byte aligned.
///
/// The real part is the rotation's unit quaternion `r` (x, y, z, w), the dual part is half of the translation, as a
/// quaternion without w, times `r`. Both parts negated are the same move.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct DualQuaternion {
    /// Unit quaternion (x, y, z, w).
    pub real: [f32; 4],
    /// At right angles to the real part.
    pub dual: [f32; 4],
}

const _: () = assert!(size_of::<DualQuaternion>() == 32);

impl DualQuaternion {
    /// The move that changes nothing.
    pub const IDENTITY: Self = Self { real: [0.0, 0.0, 0.0, 1.0], dual: [0.0; 4] };
}

impl Default for DualQuaternion {
    fn default() -> Self {
        Self::IDENTITY
    }
}
