//! The vectors that are stored: those of the blocks, directions made unit, bitangents.

use super::store_vertices::BitangentSource;
use crate::kernels::vector::Vector;
use crate::lanes::Lanes;
use crate::{DirectionLength, VectorBlock};

/// Index of the normal among the vectors.
const NORMAL: usize = 1;
/// Index of the tangent among the vectors.
pub(crate) const TANGENT: usize = 2;
/// Index of the bitangent among the vectors.
const BITANGENT: usize = 3;

/// Where the vectors that are stored come from.
#[derive(Clone, Copy)]
pub(super) enum VectorSource {
    /// The vector of this index.
    AsSkinned(usize),
    /// The direction of this index, made unit.
    Unit(usize),
    /// Normal x tangent, times the sign.
    Bitangent {
        /// The length of the normal and the tangent.
        directions: DirectionLength,
        /// The length of the bitangent.
        bitangents: DirectionLength,
    },
}

impl VectorSource {
    /// The source of a vector, by its index. `None` if there is none.
    #[inline(always)]
    pub(super) fn new(
        vector: usize,
        vectors: usize,
        directions: DirectionLength,
        bitangents: BitangentSource,
    ) -> Option<Self> {
        match (bitangents, directions) {
            _ if vector == 0 => Some(Self::AsSkinned(vector)),
            (_, DirectionLength::AsBlended) if vector < vectors => Some(Self::AsSkinned(vector)),
            (_, DirectionLength::Unit) if vector < vectors => Some(Self::Unit(vector)),
            (BitangentSource::FromSigns(bitangents), _) if vector == BITANGENT => {
                Some(Self::Bitangent { directions, bitangents })
            }
            _ => None,
        }
    }

    /// The vectors of one register of vertices of a block, whose vectors are `own`.
    #[inline(always)]
    pub(super) fn load<L: Lanes>(
        self,
        token: L::Token,
        own: &[VectorBlock],
        sign: L,
        group: usize,
    ) -> Vector<L> {
        let load = |vector: usize| match own.get(vector) {
            Some(block) => load(token, block, group),
            None => [L::splat(token, 0.0); 3],
        };
        match self {
            Self::AsSkinned(vector) => load(vector),
            Self::Unit(vector) => normalize(token, load(vector)),
            Self::Bitangent { directions, bitangents } => {
                let (mut normal, mut tangent) = (load(NORMAL), load(TANGENT));
                if directions == DirectionLength::Unit {
                    (normal, tangent) = (normalize(token, normal), normalize(token, tangent));
                }
                let [x, y, z] = cross(normal, tangent);
                let bitangent = [x * sign, y * sign, z * sign];
                if bitangents == DirectionLength::Unit { normalize(token, bitangent) } else { bitangent }
            }
        }
    }
}

#[inline(always)]
pub(super) fn load<L: Lanes>(token: L::Token, block: &VectorBlock, group: usize) -> Vector<L> {
    [
        L::load(token, &block.rows[0], group),
        L::load(token, &block.rows[1], group),
        L::load(token, &block.rows[2], group),
    ]
}

/// Normalizes, like [`skin_vertices::normalize`](crate::kernels::skin_vertices::normalize), but
/// without fused multiply-adds: so this kernel is compiled once for both float modes.
#[inline(always)]
fn normalize<L: Lanes>(token: L::Token, [x, y, z]: Vector<L>) -> Vector<L> {
    // The lower limit keeps vectors that are practically zero short.
    let length_squared = (x * x + (y * y + z * z)).max(L::splat(token, 1e-30));
    let inverse = length_squared.rsqrt(token);
    [x * inverse, y * inverse, z * inverse]
}

/// The cross product, without fused multiply-adds.
#[inline(always)]
fn cross<L: Lanes>(a: Vector<L>, b: Vector<L>) -> Vector<L> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
