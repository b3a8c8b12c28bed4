//! Vertex buffers of any formats, from segments: vertices with joints of their own go straight to
//! the buffers, and those that share joints through a tile of a few blocks.

use std::ops::Range;

use super::columns::skin_format_pairs;
use super::{Blocks, SkinSegments};
use crate::kernels::store_vertices::{BitangentSource, Tile, TileVertices, store_tile};
use crate::lanes::block_scratch::BlockTile;
use crate::lanes::column_table::ColumnTable;
use crate::lanes::format_pairs::FormatPairs;
use crate::lanes::segments::SegmentSlice;
use crate::lanes::{Lanes, Outlined};
use crate::{BLOCK, DirectionLength, Matrix, ScalarBlock, Segments, VertexParts};

/// The most blocks of a tile.
const TILE_BLOCKS: usize = 32;

/// Skins segments into buffers of any formats.
pub(super) struct SkinIntoFormats<'a, 'b, const V: usize> {
    pub(super) palette: &'a [Matrix],
    pub(super) segments: &'a Segments,
    pub(super) window: Range<usize>,
    pub(super) table: &'a mut ColumnTable,
    /// The bitangent signs of each block of the mesh.
    pub(super) signs: &'a [ScalarBlock],
    /// The vertices of the window.
    pub(super) to: &'a mut VertexParts<'b>,
}

impl<L: Lanes, const V: usize> Outlined<L> for SkinIntoFormats<'_, '_, V> {
    #[inline(always)]
    fn run(mut self, token: L::Token) {
        let mut tile = BlockTile::<V, TILE_BLOCKS>::new();
        let window = self.window.clone();
        // The last vertices, if they are fewer than a block, go through the tile.
        let whole = window.start + self.to.len() / BLOCK;
        // Blocks that go through the tile.
        let mut waiting = window.start..window.start;
        for index in self.segments.in_window(&window) {
            let blocks = self.segments.clip(index, &window);
            let in_pairs = blocks.start..blocks.end.min(whole);
            if let Some(SegmentSlice::Columns(segment)) = self.segments.slice(index, &in_pairs) {
                self.skin_through_tile::<L>(token, waiting, &mut tile);
                let first = BLOCK * (in_pairs.start - window.start);
                let vertices = self.table.vertices::<L>(token, &segment, self.palette);
                if let Some(to) = FormatPairs::<V>::new(self.to, first, segment.blocks) {
                    skin_format_pairs::<L, V>(token, vertices, to);
                }
                waiting = in_pairs.end..in_pairs.end;
            }
            waiting.end = blocks.end;
        }
        self.skin_through_tile::<L>(token, waiting, &mut tile);
    }
}

impl<const V: usize> SkinIntoFormats<'_, '_, V> {
    /// Skins blocks, and stores them.
    #[inline(always)]
    fn skin_through_tile<L: Lanes>(
        &mut self,
        token: L::Token,
        blocks: Range<usize>,
        tile: &mut BlockTile<V, TILE_BLOCKS>,
    ) {
        let mut start = blocks.start;
        while start < blocks.end {
            let window = start..blocks.end.min(start + TILE_BLOCKS);
            start = window.end;
            let skinned = tile.blocks(window.len());
            L::outline(
                token,
                SkinSegments::<_, V> {
                    palette: self.palette,
                    segments: self.segments,
                    window: window.clone(),
                    table: self.table,
                    sink: Blocks { to: skinned, non_temporal: false },
                },
            );
            let first = BLOCK * (window.start - self.window.start);
            let len = self.to.len().saturating_sub(first).min(BLOCK * window.len());
            L::outline(
                token,
                StoreTile {
                    tile: Tile {
                        blocks: tile.vectors(window.len()),
                        vectors: V,
                        signs: self.signs.get(window).unwrap_or_default(),
                        directions: DirectionLength::AsBlended,
                        bitangents: BitangentSource::AsSkinned,
                    },
                    to: self.to,
                    vertices: TileVertices::InOrder { first, len },
                },
            );
        }
    }
}

/// Stores a tile.
struct StoreTile<'a, 'b> {
    tile: Tile<'a>,
    to: &'a mut VertexParts<'b>,
    vertices: TileVertices<'a>,
}

impl<L: Lanes> Outlined<L> for StoreTile<'_, '_> {
    #[inline(always)]
    fn run(self, token: L::Token) {
        store_tile::<L>(token, &self.tile, self.to, self.vertices);
    }
}
