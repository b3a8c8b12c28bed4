//! Rotations of eight joints, stored component by component (SoA).

use crate::BLOCK;

/// One rotation for each of eight joints: all x, all y, all z, all w; 128 bytes, 32-byte aligned.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct RotationBlock {
    /// All x, all y, all z, all w.
    pub rows: [[f32; BLOCK]; 4],
}

impl RotationBlock {
    /// No rotation in any lane.
    pub const IDENTITY: Self = Self { rows: [[0.0; BLOCK], [0.0; BLOCK], [0.0; BLOCK], [1.0; BLOCK]] };

    /// The rotation in one lane: a quaternion (x, y, z, w).
    ///
    /// # Panics
    ///
    /// When `lane` is not below [`BLOCK`].
    #[must_use]
    #[inline]
    pub fn rotation(&self, lane: usize) -> [f32; 4] {
        [self.rows[0][lane], self.rows[1][lane], self.rows[2][lane], self.rows[3][lane]]
    }

    /// Sets the rotation in one lane.
    ///
    /// # Panics
    ///
    /// When `lane` is not below [`BLOCK`].
    #[inline]
    pub fn set_rotation(&mut self, lane: usize, rotation: [f32; 4]) {
        for (row, component) in self.rows.iter_mut().zip(rotation) {
            row[lane] = component;
        }
    }
}

impl Default for RotationBlock {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// One rotation key for each of eight tracks, with the angle to the next key; 160 bytes, 32-byte
/// aligned.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct RotationKeyBlock {
    /// The rotations.
    pub rotation: RotationBlock,
    /// The square of the angle between this key's quaternion and the next key's, in radians: at
    /// most (pi/2)^2. Its sign bit says whether the next key's quaternion is negated first, so that
    /// the arc between them is the shorter one.
    pub angle_squared: [f32; BLOCK],
}
