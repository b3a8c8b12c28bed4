//! The properties that every linear blend kernel must have, written once for all layouts of joints
//! and weights.

use std::ops::Range;

use sinew_kernels::{DirectionLength, Kernels, NormalTransform, Run, SkinVertices, VectorBlock};

use crate::backends::{Checksums, EMULATED, every_backend};
use crate::checksum::Checksum;
#[cfg(feature = "oracle")]
use crate::expected_vertex::assert_matches_oracle;
use crate::expected_vertex::assert_near;
use crate::guarded::{Guard, Guarded};
use crate::random::Random;
use crate::shared_joints::SkinCall;

/// The number of runs in most tests.
pub const RUNS: usize = if EMULATED { 5 } else { 30 };

/// Numbers of influences: those with specialized kernels, and some for the general one.
pub const INFLUENCES: [usize; 7] = [1, 2, 3, 4, 5, 6, 11];

/// Random blocks in one layout, with the kernel that skins them.
pub trait SkinInput {
    /// `runs` random runs of zero to four blocks.
    fn new(runs: usize, influences: usize, random: &mut Random) -> Self;

    /// The number of blocks of all runs.
    fn blocks(&self) -> usize;

    /// Skins each range of blocks with one call, into a buffer between guard values.
    fn skin(&self, kernels: &Kernels, call: SkinCall, windows: &[Range<usize>]) -> Vec<VectorBlock>;

    /// Skins all blocks in one call.
    fn skin_all(&self, kernels: &Kernels, call: SkinCall) -> Vec<VectorBlock> {
        self.skin(kernels, call, std::slice::from_ref(&(0..self.blocks())))
    }
}

/// Checks that every backend has the bits of plain lanes.
///
/// # Panics
///
/// When bits differ.
#[cfg(feature = "oracle")]
pub fn every_backend_matches_plain_lanes<S: SkinInput>() {
    for influences in INFLUENCES {
        for runs in 0..if EMULATED { 4 } else { 12 } {
            let input = S::new(runs, influences, &mut Random::new(influences as u64));
            every_backend(|run| {
                for call in SkinCall::all() {
                    let expected = input.skin_all(run.oracle(), call);
                    let found = input.skin_all(run.kernels, call);
                    assert_matches_oracle(&run, call, &expected, &found, &format!("{influences} influences"));
                }
            });
        }
    }
}

/// Checks that the division of blocks into calls does not change the bits.
///
/// # Panics
///
/// When bits differ.
pub fn splits_do_not_change_a_bit<S: SkinInput>(seed: u64) {
    let random = &mut Random::new(seed);
    for influences in INFLUENCES {
        let input = S::new(RUNS, influences, random);
        let cut = random.below(input.blocks() + 1);
        let pieces = [0..cut, cut..cut, cut..input.blocks()];
        every_backend(|run| {
            for call in SkinCall::all() {
                let expected = input.skin_all(run.kernels, call);
                let found = input.skin(run.kernels, call, &pieces);
                for (expected, found) in expected.iter().zip(&found) {
                    assert_near(
                        expected,
                        found,
                        0.0,
                        &format!("{run}: {influences} influences, cut at {cut}"),
                    );
                }
            }
        });
    }
}

/// Checks the checksums: one on every backend and target, another on all backends that fuse.
///
/// # Panics
///
/// When a checksum differs.
pub fn bits_are_the_same_everywhere<S: SkinInput>(seed: u64, expected: Checksums) {
    every_backend(|run| {
        let mut sum = Checksum::new();
        for influences in INFLUENCES {
            let input = S::new(4, influences, &mut Random::new(seed));
            for call in SkinCall::all() {
                for block in input.skin_all(run.kernels, call) {
                    sum.add(block.rows.as_flattened());
                }
            }
        }
        run.assert_checksum(sum.value(), expected);
    });
}

/// Checks that a run that exceeds its window of three blocks, or whose weights are missing, is
/// skinned as far as window and weights reach, and nothing else is written. `skin` gets the number
/// of influences and has weights for three blocks; every skinned block must equal `inside`.
///
/// # Panics
///
/// When other blocks are written, or not all of these.
pub fn a_run_is_skinned_as_far_as_window_and_weights_go(
    base: &[VectorBlock; 3],
    inside: VectorBlock,
    skin: impl Fn(&Kernels, usize, Run, SkinVertices<'_>),
    needs_weights: impl Fn(usize) -> bool,
) {
    let all = u32::MAX;
    every_backend(|run| {
        for influences in INFLUENCES {
            let without = !needs_weights(influences);
            // First block, number of blocks, first weights; which of the three blocks are written.
            for (first, blocks, weights, written) in [
                (0, 0, 0, [false; 3]),
                (0, 1, 0, [true, false, false]),
                (1, 1, 2, [false, true, false]),
                (0, all, 0, [true; 3]),
                (2, all, 2, [false, false, true]),
                (3, 1, 0, [false; 3]),
                (all, all, 0, [false; 3]),
                (0, 3, 1, [without; 3]),
                (0, 3, all, [without; 3]),
                (0, 3, 0, [true; 3]),
            ] {
                let mut output = Guarded::new(3, 1);
                let vertices = every_block(base, 1, &mut output);
                skin(run.kernels, influences, Run { first, blocks, weights }, vertices);
                output.check();
                for (i, (block, written)) in output.iter().zip(written).enumerate() {
                    let expected = if written { inside } else { VectorBlock::GUARD };
                    assert_eq!(
                        *block, expected,
                        "{run}: {influences} influences, {blocks} blocks from {first}, block {i}"
                    );
                }
            }
        }
    });
}

/// The arguments that skin all blocks.
pub fn every_block<'a>(
    base: &'a [VectorBlock],
    vectors: usize,
    output: &'a mut [VectorBlock],
) -> SkinVertices<'a> {
    SkinVertices {
        base,
        base_vectors: vectors,
        window: 0..base.len() / vectors,
        output,
        vectors,
        directions: DirectionLength::Unit,
        normals: NormalTransform::BlendedMatrix,
    }
}
