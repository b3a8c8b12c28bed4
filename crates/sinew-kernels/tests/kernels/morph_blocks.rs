//! Morph targets: base plus weighted deltas, in any window, and nothing else is written.

use std::ops::Range;

use sinew_kernels::{BLOCK, Kernels, MorphBlocks, MorphTarget, VectorBlock, reference};
use sinew_testkit::backends::{Checksums, EMULATED, every_backend};
use sinew_testkit::checksum::Checksum;
use sinew_testkit::guarded::{Guard, Guarded};
use sinew_testkit::random::Random;
use sinew_testkit::tolerance::Tolerance;

const SIZES: &[usize] = if EMULATED { &[0, 1, 7] } else { &[0, 1, 2, 3, 7, 40] };
const TARGETS: usize = 9;

/// A mesh with targets that change all, some or none of its blocks.
#[derive(Clone)]
struct Morphs {
    base: Vec<VectorBlock>,
    base_vectors: usize,
    targets: Vec<MorphTarget>,
    blocks: Vec<u32>,
    deltas: Vec<VectorBlock>,
    weights: Vec<f32>,
}

impl Morphs {
    fn new(blocks: usize, base_vectors: usize, random: &mut Random) -> Self {
        let mut morphs = Self {
            base: (0..blocks * base_vectors).map(|_| block(2.0, random)).collect(),
            base_vectors,
            targets: Vec::new(),
            blocks: Vec::new(),
            deltas: Vec::new(),
            weights: Vec::new(),
        };
        for target in 0..TARGETS {
            // The first target is dense, the second empty, the others in between.
            let moved = |random: &mut Random| target == 0 || target > 1 && random.once_in(target);
            let moved: Vec<u32> = (0..blocks as u32).filter(|_| moved(random)).collect();
            let vectors = 1 + target % base_vectors;
            morphs.targets.push(MorphTarget {
                vectors,
                first: morphs.blocks.len(),
                blocks: moved.len(),
                deltas: morphs.deltas.len(),
            });
            morphs.deltas.extend((0..moved.len() * vectors).map(|_| block(0.5, random)));
            morphs.blocks.extend(moved);
            morphs.weights.push(if target == 4 { 0.0 } else { random.between(-1.0, 2.0) });
        }
        morphs
    }

    fn len(&self) -> usize {
        self.base.len() / self.base_vectors
    }

    /// Calls the kernel once, for a window.
    fn morph(&self, kernels: &Kernels, window: Range<usize>, output: &mut [VectorBlock]) {
        kernels.morph_blocks(MorphBlocks {
            base: &self.base,
            base_vectors: self.base_vectors,
            targets: &self.targets,
            blocks: &self.blocks,
            deltas: &self.deltas,
            weights: &self.weights,
            window,
            output,
        });
    }

    fn morphed(&self, kernels: &Kernels) -> Vec<VectorBlock> {
        let mut output = Guarded::new(self.base.len(), 1);
        self.morph(kernels, 0..self.len(), &mut output);
        output.check();
        output.to_vec()
    }

    /// The weighted deltas of one vector of one lane.
    fn moves(&self, block: usize, vector: usize, lane: usize) -> Vec<(f64, [f64; 3])> {
        let mut moves = Vec::new();
        for (target, &weight) in self.targets.iter().zip(&self.weights) {
            let own = &self.blocks[target.first..target.first + target.blocks];
            if let (Some(i), true) =
                (own.iter().position(|&own| own as usize == block), vector < target.vectors)
            {
                let delta = self.deltas[target.deltas + i * target.vectors + vector].vector(lane);
                moves.push((f64::from(weight), delta.map(f64::from)));
            }
        }
        moves
    }
}

fn block(reach: f32, random: &mut Random) -> VectorBlock {
    let mut block = VectorBlock::default();
    for lane in 0..BLOCK {
        block.set_vector(lane, random.vector(reach));
    }
    block
}

fn every_size(seed: u64, mut check: impl FnMut(&Morphs)) {
    let random = &mut Random::new(seed);
    for base_vectors in 1..=4 {
        for &size in SIZES {
            check(&Morphs::new(size, base_vectors, random));
        }
    }
}

fn bits(blocks: &[VectorBlock]) -> Vec<u32> {
    blocks.iter().flat_map(|block| block.rows.as_flattened().iter().map(|x| x.to_bits())).collect()
}

#[test]
fn every_backend_matches_the_reference() {
    every_size(1, |morphs| {
        every_backend(|run| {
            let mut tolerance = Tolerance::new(format!("{run}: morphs"));
            for (i, found) in morphs.morphed(run.kernels).iter().enumerate() {
                let (block, vector) = (i / morphs.base_vectors, i % morphs.base_vectors);
                for lane in 0..BLOCK {
                    let base = morphs.base[i].vector(lane).map(f64::from);
                    let expected = reference::morph(base, &morphs.moves(block, vector, lane));
                    // Nine products of at most one are added to at most two: sums below eleven,
                    // rounded nine times.
                    tolerance.all_close(i, expected, found.vector(lane), 5e-6);
                }
            }
        });
    });
}

#[test]
fn every_backend_matches_plain_lanes() {
    every_size(2, |morphs| {
        every_backend(|run| {
            assert_eq!(bits(&morphs.morphed(run.kernels)), bits(&morphs.morphed(run.oracle())), "{run}");
        });
    });
}

#[test]
fn windows_do_not_change_a_bit() {
    every_size(3, |morphs| {
        every_backend(|run| {
            let (len, vectors) = (morphs.len(), morphs.base_vectors);
            let whole = morphs.morphed(run.kernels);
            for (start, end) in
                [(0, len), (0, len / 2), (len / 2, len), (len / 3, len / 3 + len / 2), (len, len)]
            {
                let mut output = Guarded::new((end - start) * vectors, 3);
                morphs.morph(run.kernels, start..end, &mut output);
                output.check();
                assert_eq!(
                    bits(&output),
                    bits(&whole[start * vectors..end * vectors]),
                    "{run}: {start}..{end}"
                );
            }
        });
    });
}

#[test]
fn the_previous_output_does_not_matter() {
    every_size(4, |morphs| {
        every_backend(|run| {
            let mut output = vec![VectorBlock { rows: [[f32::NAN; BLOCK]; 3] }; morphs.base.len()];
            morphs.morph(run.kernels, 0..morphs.len(), &mut output);
            assert_eq!(bits(&output), bits(&morphs.morphed(run.kernels)), "{run}");
        });
    });
}

#[test]
fn a_target_without_weight_is_not_read() {
    every_size(5, |morphs| {
        let mut broken = morphs.clone();
        broken.deltas.fill(VectorBlock { rows: [[f32::NAN; BLOCK]; 3] });
        broken.blocks.fill(u32::MAX);
        for weight in [0.0, -0.0] {
            broken.weights.fill(weight);
            every_backend(|run| assert_eq!(bits(&broken.morphed(run.kernels)), bits(&morphs.base), "{run}"));
        }
    });
}

#[test]
fn the_base_keeps_its_bits_without_deltas() {
    let signalling = f32::from_bits(0x7F80_0001);
    let base = VectorBlock { rows: [[-0.0; BLOCK], [f32::NAN; BLOCK], [signalling; BLOCK]] };
    let morphs = Morphs { base: vec![base; 6], base_vectors: 3, ..Morphs::new(0, 3, &mut Random::new(6)) };
    every_backend(|run| assert_eq!(bits(&morphs.morphed(run.kernels)), bits(&morphs.base), "{run}"));
}

#[test]
fn blocks_outside_of_the_mesh_are_skipped() {
    every_backend(|run| {
        let mut morphs = Morphs::new(3, 2, &mut Random::new(7));
        let sound = morphs.morphed(run.kernels);
        let target = MorphTarget { vectors: 2, first: morphs.blocks.len(), blocks: 3, deltas: 0 };
        morphs.deltas.splice(0..0, [VectorBlock::GUARD; 6]);
        for target in &mut morphs.targets {
            target.deltas += 6;
        }
        morphs.blocks.extend([3, 4, u32::MAX]);
        morphs.targets.push(target);
        morphs.weights.push(1.0);
        assert_eq!(bits(&morphs.morphed(run.kernels)), bits(&sound), "{run}");
    });
}

#[test]
fn bits_are_the_same_everywhere() {
    every_backend(|run| {
        let mut sum = Checksum::new();
        for base_vectors in 1..=4 {
            let morphs = Morphs::new(7, base_vectors, &mut Random::new(8));
            for block in morphs.morphed(run.kernels) {
                sum.add(block.rows.as_flattened());
            }
        }
        run.assert_checksum(
            sum.value(),
            Checksums { reproducible: "fff6680de7189cc2", fused: "2d4cd5b6046f0e73" },
        );
    });
}
