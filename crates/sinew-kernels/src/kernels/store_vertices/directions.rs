//! The vectors that are stored: those of the blocks, directions made unit, bitangents.

use super::store_vertices::BitangentSource;
use crate::kernels::skin_vertices::normalize;
use crate::kernels::vector::{Vector, cross};
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
