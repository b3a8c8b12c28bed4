//! Which faces lie in which tile of the picture, in the order in which they came.

use crate::Size;
use crate::face::{Face, PARTS};

/// Pixels of a tile from left to right.
pub(crate) const TILE_WIDTH: usize = 64;
/// Pixels of a tile from top to bottom. Rows of tiles are what threads share out, so there are many of them.
pub(crate) const TILE_HEIGHT: usize = 16;

/// A list of faces for each tile.
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

    /// Empties all lists, and keeps their memory.
    pub(crate) fn clear(&mut self) {
        for list in &mut self.lists {
            list.clear();
        }
    }

    /// The lists of a row of tiles, from left to right.
    pub(crate) fn row(&self, row: usize) -> &[Vec<u32>] {
        &self.lists[row * self.columns..(row + 1) * self.columns]
    }

    /// Puts a face into the list of every tile that it may lie in.
    pub(crate) fn add(&mut self, number: u32, face: &Face) {
        let [left, top, right, bottom] = face.bounds.map(|pixel| pixel as usize);
        let columns = left / TILE_WIDTH..(right - 1) / TILE_WIDTH + 1;
        let rows = top / TILE_HEIGHT..(bottom - 1) / TILE_HEIGHT + 1;
        let one = columns.len() == 1 || rows.len() == 1;
        for row in rows {
            for column in columns.clone() {
                // A long face lies in few of the tiles around it.
                if one || touches(face, column, row) {
                    self.lists[row * self.columns + column].push(number);
                }
            }
        }
    }
}

fn touches(face: &Face, column: usize, row: usize) -> bool {
    let (x, y) = ((column * TILE_WIDTH) as i32, (row * TILE_HEIGHT) as i32);
    let (wide, high) = (TILE_WIDTH as i64 * i64::from(PARTS), TILE_HEIGHT as i64 * i64::from(PARTS));
    face.edges.iter().all(|edge| {
        let right = (i64::from(edge.a) * wide).max(0);
        let down = (i64::from(edge.b) * high).max(0);
        edge.at(x, y) + right + down >= 0
    })
}
