//! Vertex data in blocks of eight, stored component by component (SoA).

use crate::BLOCK;

/// One number for each of eight vertices: 32 bytes, 32-byte aligned.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct ScalarBlock(pub [f32; BLOCK]);

/// One joint index for each of eight vertices: 32 bytes, 32-byte aligned.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct JointIndexBlock(pub [u32; BLOCK]);

/// The positions of eight vertices relative to one joint, multiplied by its weights; 128 bytes,
/// 32-byte aligned.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct PreWeightedBlock {
    /// Weight times x, weight times y, weight times z, and the weight.
    pub rows: [[f32; BLOCK]; 4],
}

/// One vector for each of eight vertices: all x, all y, all z; 96 bytes, 32-byte aligned.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct VectorBlock {
    /// All x, all y, all z.
    pub rows: [[f32; BLOCK]; 3],
}

impl VectorBlock {
    /// The vector in one lane.
    ///
    /// # Panics
    ///
    /// When `lane` is not below [`BLOCK`].
    #[must_use]
    #[inline]
    pub fn vector(&self, lane: usize) -> [f32; 3] {
        [self.rows[0][lane], self.rows[1][lane], self.rows[2][lane]]
    }

    /// Sets the vector in one lane.
    ///
    /// # Panics
    ///
    /// When `lane` is not below [`BLOCK`].
    #[inline]
    pub fn set_vector(&mut self, lane: usize, vector: [f32; 3]) {
        for (row, component) in self.rows.iter_mut().zip(vector) {
            row[lane] = component;
        }
    }
}
