//! Affine transforms of eight characters, stored component by component (SoA).

use crate::{Matrix, VectorBlock};

/// One affine transform for each of eight characters: the three columns of the linear part, and the
/// translation; 384 bytes, 32-byte aligned.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
pub struct AffineBlock {
    /// Where the x axis, the y axis and the z axis go, and the translation.
    pub columns: [VectorBlock; 4],
}

impl AffineBlock {
    /// The transform in one lane.
    ///
    /// # Panics
    ///
    /// When `lane` is not below [`BLOCK`](crate::BLOCK).
    #[must_use]
    #[inline]
    pub fn matrix(&self, lane: usize) -> Matrix {
        let columns = self.columns.map(|column| column.vector(lane));
        Matrix { rows: std::array::from_fn(|r| columns.map(|column| column[r])) }
    }

    /// Sets the transform in one lane.
    ///
    /// # Panics
    ///
    /// When `lane` is not below [`BLOCK`](crate::BLOCK).
    #[inline]
    pub fn set_matrix(&mut self, lane: usize, matrix: &Matrix) {
        for (c, column) in self.columns.iter_mut().enumerate() {
            column.set_vector(lane, matrix.rows.map(|row| row[c]));
        }
    }
}
