//! Where a lazy BVH takes vertices from: it skins them, or reads those that are already skinned.

use std::ops::Range;

use sinew_kernels::{BLOCK, VectorBlock};

use super::mesh_bvh::{copy_block, nan_unless_finite};
use crate::geometry::PositionView;
use crate::mesh::{Attributes, Mesh};
use crate::skinning::{Palette, SkinOptions, Target, VertexOrder, VertexOutput};

/// Blocks skinned at a time: few enough for the L1 cache.
const TILE: usize = 16;

/// Where the vertices of a frame come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum VertexSource<'a> {
    Skin {
        palette: &'a Palette,
        options: SkinOptions<'a>,
    },
    /// As many positions as the mesh has in that order.
    Read {
        positions: PositionView<'a>,
        order: VertexOrder,
    },
}

impl VertexSource<'_> {
    /// Loads the positions of some blocks of run order.
    pub(super) fn load(&self, mesh: &Mesh, blocks: Range<usize>, positions: &mut [[f32; 4]]) {
        let (to, _) = positions.as_chunks_mut::<BLOCK>();
        match *self {
            Self::Skin { palette, ref options } => skin(mesh, palette, options, blocks, to),
            Self::Read {
                positions: PositionView::Blocks { blocks: from, vectors },
                order: VertexOrder::Run,
            } => {
                for block in blocks {
                    copy_block(&from[block * vectors.max(1)], &mut to[block]);
                }
            }
            Self::Read { positions, order } => {
                for slot in BLOCK * blocks.start..BLOCK * blocks.end {
                    let vertex = match order {
                        VertexOrder::Run => slot,
                        VertexOrder::Source => mesh.inverse_remap()[slot] as usize,
                    };
                    let [x, y, z] = positions.position(vertex);
                    to[slot / BLOCK][slot % BLOCK] = nan_unless_finite(x, y, z);
                }
            }
        }
    }
}

fn skin(
    mesh: &Mesh,
    palette: &Palette,
    options: &SkinOptions<'_>,
    blocks: Range<usize>,
    to: &mut [[[f32; 4]; BLOCK]],
) {
    let mut tile = [VectorBlock::default(); TILE];
    for start in blocks.clone().step_by(TILE) {
        let range = start..blocks.end.min(start + TILE);
        let tile = &mut tile[..range.len()];
        let skinned = mesh.skin_into(palette, options, block_target(range.clone(), tile));
        skinned.expect("the mesh and the palette were checked as the frame began");
        for (block, to) in tile.iter().zip(&mut to[range]) {
            copy_block(block, to);
        }
    }
}

pub(super) fn block_target(blocks: Range<usize>, to: &mut [VectorBlock]) -> Target<'_> {
    Target::new(Attributes::Positions, VertexOutput::Blocks(to)).with_window(blocks)
}
