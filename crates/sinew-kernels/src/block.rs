//! Vertices as kernels take them: eight at a time, component by component.

use crate::BLOCK;

/// One number of each of eight vertices: 32 bytes, 32-byte aligned.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct ScalarBlock(pub [f32; BLOCK]);

/// One joint of each of eight vertices: 32 bytes, 32-byte aligned.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct JointIndexBlock(pub [u32; BLOCK]);

/// What one joint holds of each of eight vertices, times its weight; 128 bytes, 32-byte aligned.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct PreWeightedBlock {
    /// Weight x x, weight x y, weight x z, and the weight.
    pub rows: [[f32; BLOCK]; 4],
}

/// One vector of each of eight vertices: all x, all y, all z; 96 bytes, 32-byte aligned.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct VectorBlock {
    /// x, y and z.
    pub rows: [[f32; BLOCK]; 3],
}

impl VectorBlock {
    /// The vector of one of the eight.
    ///
    /// # Panics
    ///
    /// When `lane` is not below [`BLOCK`].
    #[must_use]
    pub fn vector(&self, lane: usize) -> [f32; 3] {
        [self.rows[0][lane], self.rows[1][lane], self.rows[2][lane]]
    }

    /// Puts in the vector of one of the eight.
    ///
    /// # Panics
    ///
    /// When `lane` is not below [`BLOCK`].
    pub fn set_vector(&mut self, lane: usize, vector: [f32; 3]) {
        for (row, component) in self.rows.iter_mut().zip(vector) {
            row[lane] = component;
        }
    }
}
