//! Where skinned blocks go: vertex buffers with 16 bytes for each vector, or packed arrays.

use crate::kernels::vector::Vector;
use crate::lanes::Lanes;
use crate::lanes::vertex_stores::{PackedBlock, PackedStores, QuadBlock, QuadStores};
use crate::{BLOCK, ScalarBlock};

/// A destination of vertices with `V` vectors.
pub(super) trait Sink<const V: usize> {
    /// Writes a block whose vertices are in lanes.
    type Block<'a>: BlockWriter<V>
    where
        Self: 'a;
    /// The writer of a block, counted from the window's first. Created before the sums, so that no
    /// bounds check runs while they occupy the registers.
    fn block_writer<L: Lanes>(&mut self, token: L::Token, block: usize) -> Option<Self::Block<'_>>;
}

/// Writes the vectors of one block: lane `i` of register `group` is vertex `group * LEN + i`.
pub(super) trait BlockWriter<const V: usize> {
    fn store<L: Lanes>(&mut self, token: L::Token, group: usize, vectors: [Vector<L>; V]);
}

/// Buffers of 16 bytes for each vector.
pub(super) struct Buffers<'a, const V: usize> {
    pub(super) stores: QuadStores<'a, V>,
    /// The fourth component of each vector, unless it is the bitangent's sign.
    constants: [ScalarBlock; V],
    is_sign: [bool; V],
    /// The bitangent signs of each block.
    signs: &'a [ScalarBlock],
}

/// A block of such buffers.
pub(super) struct BufferBlock<'a, const V: usize> {
    to: QuadBlock<'a, V>,
    /// The fourth components of each vector.
    fourth: [&'a ScalarBlock; V],
    is_sign: [bool; V],
}

/// Signs where there are none.
const POSITIVE: &ScalarBlock = &ScalarBlock([1.0; BLOCK]);

impl<'b, const V: usize> Buffers<'b, V> {
    #[inline(always)]
    pub(super) fn new<L: Lanes>(
        token: L::Token,
        stores: QuadStores<'b, V>,
        signs: &'b [ScalarBlock],
    ) -> Self {
        let mut constants = [ScalarBlock([0.0; BLOCK]); V];
        let mut is_sign = [false; V];
        let fourth = stores.fourth();
        for v in 0..V {
            is_sign[v] = fourth[v].is_none();
            for group in 0..L::GROUPS {
                L::splat(token, fourth[v].unwrap_or(0.0)).store(&mut constants[v].0, group);
            }
        }
        Self { stores, constants, is_sign, signs }
    }

    /// The writer of a block.
    #[inline(always)]
    pub(super) fn block(&mut self, block: usize) -> BufferBlock<'_, V> {
        let Self { stores, constants, is_sign, signs } = self;
        let signs = signs.get(block).unwrap_or(POSITIVE);
        let mut fourth = [signs; V];
        for v in 0..V {
            if !is_sign[v] {
                fourth[v] = &constants[v];
            }
        }
        BufferBlock { to: stores.block(block), fourth, is_sign: *is_sign }
    }
}

impl<'b, const V: usize> Sink<V> for Buffers<'b, V> {
    type Block<'a>
        = BufferBlock<'a, V>
    where
        'b: 'a;

    #[inline(always)]
    fn block_writer<L: Lanes>(&mut self, token: L::Token, block: usize) -> Option<Self::Block<'_>> {
        self.stores.prefetch::<L>(token, block);
        Some(self.block(block))
    }
}

impl<const V: usize> BlockWriter<V> for BufferBlock<'_, V> {
    #[inline(always)]
    fn store<L: Lanes>(&mut self, token: L::Token, group: usize, vectors: [Vector<L>; V]) {
        // Quad `q` of row `k` is vertex `4 q + k`.
        let mut rows = [[vectors[0][0]; 4]; V];
        for v in 0..V {
            let [x, y, z] = vectors[v];
            rows[v] = L::transpose([x, y, z, L::load(token, &self.fourth[v].0, group)]);
        }
        for quad in 0..L::QUADS {
            for k in 0..4 {
                for v in 0..V {
                    self.to.store(v, group * L::LEN + 4 * quad + k, rows[v][k], quad);
                }
            }
        }
    }
}

impl<const V: usize> BufferBlock<'_, V> {
    /// Stores vertices in quads: quad `i` of register `step` is vertex `step * QUADS + i`. Each
    /// vector comes with a register whose lanes 3 are the bitangent's signs.
    #[inline(always)]
    pub(super) fn store_quads<L: Lanes, const FOURTH: bool>(
        &self,
        token: L::Token,
        step: usize,
        mut vectors: [[L; 2]; V],
    ) {
        for v in 0..V {
            let [vector, base] = vectors[v];
            if FOURTH {
                let fourth = if self.is_sign[v] { base } else { L::load(token, &self.fourth[v].0, 0) };
                vectors[v][0] = vector.with_lane_3(fourth);
            }
        }
        for quad in 0..L::QUADS {
            for v in 0..V {
                self.to.store(v, step * L::QUADS + quad, vectors[v][0], quad);
            }
        }
    }
}

/// Packed arrays.
pub(super) struct Packed<'a, const V: usize> {
    pub(super) stores: PackedStores<'a, V>,
}

impl<'b, const V: usize> Sink<V> for Packed<'b, V> {
    type Block<'a>
        = PackedBlock<'a, V>
    where
        'b: 'a;

    #[inline(always)]
    fn block_writer<L: Lanes>(&mut self, token: L::Token, block: usize) -> Option<Self::Block<'_>> {
        self.stores.prefetch::<L>(token, block);
        Some(self.stores.block(block))
    }
}

impl<const V: usize> BlockWriter<V> for PackedBlock<'_, V> {
    #[inline(always)]
    fn store<L: Lanes>(&mut self, _: L::Token, group: usize, vectors: [Vector<L>; V]) {
        for v in 0..V {
            L::store_packed(vectors[v], self.floats(v), group);
        }
    }
}
