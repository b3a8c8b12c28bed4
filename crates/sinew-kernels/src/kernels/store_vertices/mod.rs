//! Stores skinned blocks in the caller's vertex layout and order.
//!
//! Skinning writes blocks. What it cannot store directly goes through a tile: a few blocks that are
//! still in the L1 cache when they are stored. So one skinning loop serves all layouts and formats,
//! and only this folder knows them.

mod block_layouts;
mod bounds;
mod directions;
mod formats;
mod octahedral;
mod store_vertices;
mod tile;

pub(crate) use store_vertices::body;
pub use store_vertices::{BitangentSource, StoreOutput, StoreVertices};
#[allow(unused_imports, reason = "for kernels that store tiles of their own")]
pub(super) use {
    bounds::RunningBounds,
    directions::TANGENT,
    tile::{TILE_BLOCKS, Tile, TileVertices, store_tile},
};
