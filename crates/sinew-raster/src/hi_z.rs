//! Hierarchical depth (hi-z): depth ranges of blocks, which decide most stencil tests at once.

use crate::bins::{TILE_HEIGHT, TILE_WIDTH};
use crate::coverage::{BLOCK, Samples};
use crate::triangle_setup::SAMPLES;

/// The minimum and maximum depth of each block of a tile, and of the whole tile.
#[derive(Clone, Debug, Default)]
pub(crate) struct HiZ {
    /// Whether the tile's depths have changed since the ranges were computed.
    pub(crate) is_stale: bool,
    pub(crate) tile: [f32; 2],
    blocks: [[f32; 2]; BLOCKS],
}

const SIDE: usize = BLOCK as usize;
const COLUMNS: usize = TILE_WIDTH / SIDE;
const BLOCKS: usize = COLUMNS * (TILE_HEIGHT / SIDE);

impl HiZ {
    pub(crate) fn new(depths: &[Samples<f32>]) -> Self {
        let mut hi_z = Self { is_stale: false, tile: [f32::MAX, 0.0], blocks: [[f32::MAX, 0.0]; BLOCKS] };
        for (block, range) in hi_z.blocks.iter_mut().enumerate() {
            let start = block / COLUMNS * SIDE * TILE_WIDTH + block % COLUMNS * SIDE;
            let (mut low, mut high) = ([f32::MAX; SAMPLES], [0.0; SAMPLES]);
            for row in 0..SIDE {
                for depth in &depths[start + row * TILE_WIDTH..][..SIDE] {
                    for sample in 0..SAMPLES {
                        low[sample] = min(low[sample], depth[sample]);
                        high[sample] = max(high[sample], depth[sample]);
                    }
                }
            }
            *range = [low.into_iter().fold(f32::MAX, min), high.into_iter().fold(0.0, max)];
            hi_z.tile = [min(hi_z.tile[0], range[0]), max(hi_z.tile[1], range[1])];
        }
        hi_z
    }

    /// The range of the block that contains a pixel of the tile.
    pub(crate) fn block(&self, x: usize, y: usize) -> [f32; 2] {
        self.blocks[y / SIDE * COLUMNS + x / SIDE]
    }
}

fn min(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

fn max(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_the_range_of_its_own_depths() {
        let mut depths = vec![[0.5; SAMPLES]; TILE_WIDTH * TILE_HEIGHT];
        depths[9 * TILE_WIDTH + 17][3] = 0.25;
        depths[15 * TILE_WIDTH + 23][0] = 0.75;
        let hi_z = HiZ::new(&depths);
        assert_eq!((hi_z.tile, hi_z.is_stale), ([0.25, 0.75], false));
        for (x, y) in (0..TILE_WIDTH).flat_map(|x| (0..TILE_HEIGHT).map(move |y| (x, y))) {
            let expected = if (16..24).contains(&x) && y >= 8 { [0.25, 0.75] } else { [0.5; 2] };
            assert_eq!(hi_z.block(x, y), expected, "{x} {y}");
        }
    }
}
