//! How deep the surfaces of a tile are: enough to know of most faces without a look at the samples.

use crate::bins::{TILE_HEIGHT, TILE_WIDTH};
use crate::face::SAMPLES;
use crate::window::{BLOCK, Quad};

/// The least and the greatest depth of each block of a tile, and of all of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranges {
    /// Whether depths have changed since.
    pub(crate) is_stale: bool,
    pub(crate) all: [f32; 2],
    blocks: [[f32; 2]; BLOCKS],
}

const SIDE: usize = BLOCK as usize;
const BLOCKS_WIDE: usize = TILE_WIDTH / SIDE;
const BLOCKS: usize = BLOCKS_WIDE * (TILE_HEIGHT / SIDE);

impl Ranges {
    pub(crate) fn of(depths: &[Quad<f32>]) -> Self {
        let mut ranges = Self { is_stale: false, all: [f32::MAX, 0.0], blocks: [[f32::MAX, 0.0]; BLOCKS] };
        for (block, range) in ranges.blocks.iter_mut().enumerate() {
            let start = block / BLOCKS_WIDE * SIDE * TILE_WIDTH + block % BLOCKS_WIDE * SIDE;
            let (mut least, mut most) = ([f32::MAX; SAMPLES], [0.0; SAMPLES]);
            for row in 0..SIDE {
                for depth in &depths[start + row * TILE_WIDTH..][..SIDE] {
                    for sample in 0..SAMPLES {
                        least[sample] = lesser(least[sample], depth[sample]);
                        most[sample] = greater(most[sample], depth[sample]);
                    }
                }
            }
            *range = [least.into_iter().fold(f32::MAX, lesser), most.into_iter().fold(0.0, greater)];
            ranges.all = [lesser(ranges.all[0], range[0]), greater(ranges.all[1], range[1])];
        }
        ranges
    }

    /// That of the block that a pixel of the tile lies in.
    pub(crate) fn block(&self, x: usize, y: usize) -> [f32; 2] {
        self.blocks[y / SIDE * BLOCKS_WIDE + x / SIDE]
    }
}

fn lesser(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

fn greater(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_the_least_and_the_greatest_of_its_own_depths() {
        let mut depths = vec![[0.5; SAMPLES]; TILE_WIDTH * TILE_HEIGHT];
        depths[9 * TILE_WIDTH + 17][3] = 0.25;
        depths[15 * TILE_WIDTH + 23][0] = 0.75;
        let ranges = Ranges::of(&depths);
        assert_eq!((ranges.all, ranges.is_stale), ([0.25, 0.75], false));
        for (x, y) in (0..TILE_WIDTH).flat_map(|x| (0..TILE_HEIGHT).map(move |y| (x, y))) {
            let expected = if (16..24).contains(&x) && y >= 8 { [0.25, 0.75] } else { [0.5; 2] };
            assert_eq!(ranges.block(x, y), expected, "{x} {y}");
        }
    }
}
