//! The exact AABB of skinned blocks, read again while they are in the L1 cache.
//!
//! Kept in registers while skinning, six running bounds would displace the sums: that takes half as
//! long again on 16 registers, reading the positions once more an eighth.

use super::store_vertices::RunningBounds;
use crate::lanes::Lanes;
use crate::{Aabb, BLOCK, VectorBlock};

/// Extends an AABB to contain the positions of blocks.
#[derive(Debug)]
pub struct BlockBounds<'a> {
    /// `vectors` for each block; the first is the position.
    pub blocks: &'a [VectorBlock],
    /// Vectors per block: one or more.
    pub vectors: usize,
    /// Extended to contain the positions. A NaN coordinate is ignored.
    pub bounds: &'a mut Aabb,
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut BlockBounds<'_>) {
    let BlockBounds { blocks, vectors, bounds } = contract;
    assert!(*vectors >= 1 && blocks.len() % *vectors == 0, "whole blocks");
    let mut running = RunningBounds::new::<L>(token);
    running.extend::<L>(token, blocks, *vectors, BLOCK * (blocks.len() / *vectors));
    running.add_to(bounds);
}
