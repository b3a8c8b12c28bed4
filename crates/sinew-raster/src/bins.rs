//! Bins: for each tile of the picture, the triangles that may touch it, in submission order.

use crate::Size;
use crate::triangle_setup::{RasterTriangle, SAMPLE_GRID};

/// Width of a tile in pixels.
pub(crate) const TILE_WIDTH: usize = 64;
/// Height of a tile in pixels. Threads take whole rows of tiles, so low tiles give them more jobs.
pub(crate) const TILE_HEIGHT: usize = 16;

/// A list of triangle indices for each tile.
#[derive(Clone, Debug)]
pub(crate) struct Bins {
    columns: usize,
    lists: Vec<Vec<u32>>,
}

impl Bins {
    pub(crate) fn new(size: Size) -> Self {
        let columns = size.width().div_ceil(TILE_WIDTH);
        let rows = size.height().div_ceil(TILE_HEIGHT);
        Self { columns, lists: vec![Vec::new(); columns * rows] }
    }

    /// Empties all lists and keeps their memory.
    pub(crate) fn clear(&mut self) {
        for list in &mut self.lists {
            list.clear();
        }
    }

    /// The lists of a row of tiles, from left to right.
    pub(crate) fn row(&self, row: usize) -> &[Vec<u32>] {
        &self.lists[row * self.columns..(row + 1) * self.columns]
    }

    /// Adds a triangle to the list of every tile that it may touch.
    pub(crate) fn add(&mut self, index: u32, triangle: &RasterTriangle) {
        let [left, top, right, bottom] = triangle.bounds.map(|pixel| pixel as usize);
        let columns = left / TILE_WIDTH..(right - 1) / TILE_WIDTH + 1;
        let rows = top / TILE_HEIGHT..(bottom - 1) / TILE_HEIGHT + 1;
        let is_strip = columns.len() == 1 || rows.len() == 1;
        for row in rows {
            for column in columns.clone() {
                // A long diagonal triangle touches few of the tiles in its bounds.
                if is_strip || touches_tile(triangle, column, row) {
                    self.lists[row * self.columns + column].push(index);
                }
            }
        }
    }
}

/// Whether no edge has the whole tile on its outside.
fn touches_tile(triangle: &RasterTriangle, column: usize, row: usize) -> bool {
    let (x, y) = ((column * TILE_WIDTH) as i32, (row * TILE_HEIGHT) as i32);
    let width = TILE_WIDTH as i64 * i64::from(SAMPLE_GRID);
    let height = TILE_HEIGHT as i64 * i64::from(SAMPLE_GRID);
    triangle.edges.iter().all(|edge| {
        let right = (i64::from(edge.a) * width).max(0);
        let down = (i64::from(edge.b) * height).max(0);
        edge.at(x, y) + right + down >= 0
    })
}
