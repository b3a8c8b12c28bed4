//! The AABB of positions in blocks.

use crate::kernels::skin_vertices::store_vector;
use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;
use crate::{Aabb, BLOCK, VectorBlock};

/// The AABBs of the positions in each lane of blocks.
pub(crate) struct RunningBounds {
    /// All smallest x, y and z.
    lowest: VectorBlock,
    /// All largest x, y and z.
    highest: VectorBlock,
}

impl RunningBounds {
    /// Of no position.
    #[inline(always)]
    pub(crate) fn new<L: Lanes>(token: L::Token) -> Self {
        let zeros = VectorBlock { rows: [[0.0; BLOCK]; 3] };
        let mut bounds = Self { lowest: zeros, highest: zeros };
        // Not constants, which would be copied by a call.
        for group in 0..L::GROUPS {
            store_vector([L::splat(token, f32::INFINITY); 3], &mut bounds.lowest, group);
            store_vector([L::splat(token, f32::NEG_INFINITY); 3], &mut bounds.highest, group);
        }
        bounds
    }

    /// Extends the bounds to contain the positions of the first `len` vertices of blocks with this
    /// number of vectors each. A NaN coordinate is ignored.
    #[inline(always)]
    pub(crate) fn extend<L: Lanes>(
        &mut self,
        token: L::Token,
        blocks: &[VectorBlock],
        vectors: usize,
        len: usize,
    ) {
        for group in 0..L::GROUPS {
            let mut lowest = [L::splat(token, 0.0); 3];
            let mut highest = lowest;
            for axis in 0..3 {
                lowest[axis] = L::load(token, &self.lowest.rows[axis], group);
                highest[axis] = L::load(token, &self.highest.rows[axis], group);
            }
            let mut next = 0;
            for _ in 0..len / BLOCK {
                let Some(block) = blocks.get(next) else { break };
                next += vectors;
                for axis in 0..3 {
                    let x = L::load(token, &block.rows[axis], group);
                    lowest[axis] = x.min(lowest[axis]);
                    highest[axis] = x.max(highest[axis]);
                }
            }
            for axis in 0..3 {
                lowest[axis].store(&mut self.lowest.rows[axis], group);
                highest[axis].store(&mut self.highest.rows[axis], group);
            }
        }
        if let Some(last) = blocks.get(len / BLOCK * vectors) {
            for axis in 0..3 {
                for lane in 0..len % BLOCK {
                    let x = last.rows[axis][lane];
                    let (lowest, highest) =
                        (&mut self.lowest.rows[axis][lane], &mut self.highest.rows[axis][lane]);
                    *lowest = if x < *lowest { x } else { *lowest };
                    *highest = if x > *highest { x } else { *highest };
                }
            }
        }
    }

    /// Extends an AABB to contain these.
    #[inline(always)]
    pub(crate) fn add_to(&self, bounds: &mut Aabb) {
        for axis in 0..3 {
            for (low, high) in self.lowest.rows[axis].iter().inline_zip(&self.highest.rows[axis]) {
                // Adding zero turns -0.0 into 0.0, so that the result does not depend on the order
                // of lanes.
                let (low, high) = (low + 0.0, high + 0.0);
                bounds.min[axis] = if low < bounds.min[axis] { low } else { bounds.min[axis] };
                bounds.max[axis] = if high > bounds.max[axis] { high } else { bounds.max[axis] };
            }
        }
    }
}
