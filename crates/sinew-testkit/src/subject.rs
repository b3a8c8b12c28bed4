//! What every skinning kernel must hold, whatever its layout of joints and weights: said once.

use std::ops::Range;

use sinew_kernels::{DirectionLength, Kernels, NormalTransform, Run, SkinVertices, VectorBlock};

use crate::backends::{Checksums, EMULATED, every_backend};
use crate::checksum::Checksum;
use crate::guarded::{Guard, Guarded};
use crate::random::Random;
use crate::runs::Call;
#[cfg(feature = "oracle")]
use crate::skinned::assert_matches_oracle;
use crate::skinned::assert_near;

/// How many runs most tests take.
pub const RUNS: usize = if EMULATED { 5 } else { 30 };

/// Numbers of influences: the kernels of their own, and the one for any number.
pub const INFLUENCES: [usize; 7] = [1, 2, 3, 4, 5, 6, 11];

/// Random blocks in one layout, and the kernel that skins it.
pub trait Subject {
    /// As many runs of zero to four blocks.
    fn new(runs: usize, influences: usize, random: &mut Random) -> Self;

    /// All blocks of all runs.
    fn blocks(&self) -> usize;

    /// Skins windows of blocks, a call each, into a buffer between guards.
    fn skin(&self, kernels: &Kernels, call: Call, windows: &[Range<usize>]) -> Vec<VectorBlock>;

    /// Skins all blocks in one call.
    fn skin_all(&self, kernels: &Kernels, call: Call) -> Vec<VectorBlock> {
        self.skin(kernels, call, std::slice::from_ref(&(0..self.blocks())))
    }
}

/// Demands the bits of plain lanes of every row.
///
/// # Panics
///
/// When a row has others.
#[cfg(feature = "oracle")]
pub fn every_backend_matches_plain_lanes<S: Subject>() {
    for influences in INFLUENCES {
        for runs in 0..if EMULATED { 4 } else { 12 } {
            let subject = S::new(runs, influences, &mut Random::new(influences as u64));
            every_backend(|run| {
                for call in Call::every() {
                    let expected = subject.skin_all(run.oracle(), call);
                    let found = subject.skin_all(run.kernels, call);
                    assert_matches_oracle(&run, call, &expected, &found, &format!("{influences} influences"));
                }
            });
        }
    }
}

/// Demands the same bits however the blocks are divided into calls.
///
/// # Panics
///
/// When there are others.
pub fn splits_do_not_change_a_bit<S: Subject>(seed: u64) {
    let random = &mut Random::new(seed);
    for influences in INFLUENCES {
        let subject = S::new(RUNS, influences, random);
        let cut = random.below(subject.blocks() + 1);
        let pieces = [0..cut, cut..cut, cut..subject.blocks()];
        every_backend(|run| {
            for call in Call::every() {
                let expected = subject.skin_all(run.kernels, call);
                let found = subject.skin(run.kernels, call, &pieces);
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

/// The promise across machines: one number on every row and target, and another on all that fuse.
///
/// # Panics
///
/// When a row has another.
pub fn bits_are_the_same_everywhere<S: Subject>(seed: u64, expected: Checksums) {
    every_backend(|run| {
        let mut sum = Checksum::new();
        for influences in INFLUENCES {
            let subject = S::new(4, influences, &mut Random::new(seed));
            for call in Call::every() {
                for block in subject.skin_all(run.kernels, call) {
                    sum.add(block.rows.as_flattened());
                }
            }
        }
        run.assert_checksum(sum.value(), expected);
    });
}

/// Demands that a run that does not fit into its window of three blocks, or whose weights are not all there, is skinned as
/// far as both go, and nothing else is written. `skin` skins one run so that each of its vertices comes out as in `inside`;
/// it is told the influences, and has weights for three blocks.
///
/// # Panics
///
/// When anything else is written, or not all of it.
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
            // First block, blocks, first weights; which of the three blocks are written.
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

/// What skins all of some blocks of one vector count.
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
