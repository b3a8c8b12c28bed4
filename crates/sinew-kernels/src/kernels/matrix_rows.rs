//! A matrix held in registers.

use crate::Matrix;
use crate::lanes::Lanes;

/// The rows of a matrix in registers: three registers of one quad each, or two of two quads, with
/// the third row stored twice.
#[derive(Clone, Copy)]
pub(super) struct MatrixRows<L>([L; 3]);

/// The rows of a matrix in memory.
#[inline(always)]
pub(super) fn rows(matrix: &Matrix) -> [&[f32; 4]; 3] {
    [&matrix.rows[0], &matrix.rows[1], &matrix.rows[2]]
}

impl<L: Lanes> MatrixRows<L> {
    const REGISTERS: usize = 3_usize.div_ceil(L::QUADS);

    #[inline(always)]
    pub(super) fn load(token: L::Token, matrix: &Matrix) -> Self {
        Self::load_rows(token, rows(matrix))
    }

    #[inline(always)]
    pub(super) fn load_rows(token: L::Token, rows: [&[f32; 4]; 3]) -> Self {
        let register = |r: usize| L::load_quads(token, |i| rows[(r * L::QUADS + i).min(2)]);
        Self([register(0), register(1), register(2)])
    }

    #[inline(always)]
    pub(super) fn store(self, matrix: &mut Matrix) {
        for i in 0..3 {
            self.0[i / L::QUADS].store_quad(i % L::QUADS, &mut matrix.rows[i]);
        }
    }

    /// `self x right`. The sum is a tree of two halves, three operations deep instead of four: the
    /// latency that a chain of joints waits for.
    #[inline(always)]
    pub(super) fn mul(self, token: L::Token, right: [&[f32; 4]; 3]) -> Self {
        let right_row = |r: usize| L::load_quads(token, |_| right[r]);
        let (a, b, c) = (right_row(0), right_row(1), right_row(2));
        let mut product = self;
        for register in &mut product.0[..Self::REGISTERS] {
            let left = *register;
            let near = left.broadcast_lane::<0>().mul_add(a, left.keep_lane_3());
            let far = left.broadcast_lane::<2>().mul_add(c, left.broadcast_lane::<1>() * b);
            *register = near + far;
        }
        product
    }

    /// `self - right`.
    #[inline(always)]
    pub(super) fn sub(self, right: Self) -> Self {
        Self([self.0[0] - right.0[0], self.0[1] - right.0[1], self.0[2] - right.0[2]])
    }
}
