//! A rigid transform as a dual quaternion.

/// A rotation followed by a translation, in a form that blends by weighted sums: 32 bytes, 16-byte
/// aligned.
///
/// The real part is the rotation's unit quaternion `r` (x, y, z, w). The dual part is half the
/// translation, as a quaternion with w = 0, times `r`. Negating both parts gives the same
/// transform.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct DualQuaternion {
    /// Unit quaternion (x, y, z, w).
    pub real: [f32; 4],
    /// Orthogonal to the real part.
    pub dual: [f32; 4],
}

const _: () = assert!(size_of::<DualQuaternion>() == 32);

impl DualQuaternion {
    /// The identity transform.
    pub const IDENTITY: Self = Self { real: [0.0, 0.0, 0.0, 1.0], dual: [0.0; 4] };
}

impl Default for DualQuaternion {
    fn default() -> Self {
        Self::IDENTITY
    }
}
