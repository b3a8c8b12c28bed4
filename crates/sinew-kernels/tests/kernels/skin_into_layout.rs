//! Skinning directly into packed arrays and interleaved vertices: the bits of blocks, and nothing
//! else is written.

use std::ops::Range;

use sinew_kernels::{
    BLOCK, DirectionLength, LayoutOutput, NormalTransform, RunGroup, ScalarBlock, SkinIntoLayout, SkinSource,
    VectorBlock, VertexAttribute, VertexFormat, VertexLayout, VertexWriter,
};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::guarded::{Guard, Guarded};
use sinew_testkit::random::Random;
use sinew_testkit::shared_joints::{BASE_VECTORS, SharedJointsInput, SkinCall};
use sinew_testkit::skin_properties::SkinInput;

const RUNS: usize = if EMULATED { 4 } else { 12 };

/// Runs of one to seven influences, with bitangent signs.
fn scenes() -> Vec<(SharedJointsInput, Vec<ScalarBlock>)> {
    let random = &mut Random::new(1);
    let mut scenes = Vec::new();
    for influences in [1, 2, 3, 4, 5, 7] {
        let runs = SharedJointsInput::new(RUNS, influences, random);
        let mut sign = || if random.below(2) == 0 { 1.0 } else { -1.0 };
        let signs = (0..runs.blocks()).map(|_| ScalarBlock(std::array::from_fn(|_| sign()))).collect();
        scenes.push((runs, signs));
    }
    scenes
}

fn run_groups(runs: &SharedJointsInput) -> [RunGroup<'_>; 1] {
    let SharedJointsInput { influences, runs, joints, weights, .. } = runs;
    [RunGroup { influences: *influences, runs, joints, weights }]
}

fn contract<'a>(
    runs: &'a SharedJointsInput,
    signs: &'a [ScalarBlock],
    groups: &'a [RunGroup<'a>],
    window: Range<usize>,
    vectors: usize,
    output: LayoutOutput<'a>,
) -> SkinIntoLayout<'a> {
    SkinIntoLayout {
        palette: &runs.palette,
        source: SkinSource::Runs { groups, base: &runs.base, base_vectors: BASE_VECTORS },
        window,
        vectors,
        signs,
        output,
    }
}

/// The skinned blocks of the whole mesh.
fn blocks(runs: &SharedJointsInput, kernels: &sinew_kernels::Kernels, vectors: usize) -> Vec<VectorBlock> {
    let call =
        SkinCall { vectors, directions: DirectionLength::AsBlended, normals: NormalTransform::BlendedMatrix };
    runs.skin(kernels, call, std::slice::from_ref(&(0..runs.blocks())))
}

fn windows(runs: &SharedJointsInput) -> [Range<usize>; 4] {
    let (blocks, cut) = (runs.blocks(), runs.blocks() / 3);
    [0..blocks, 0..cut, cut..cut, cut..blocks]
}

#[test]
fn packed_arrays_have_the_bits_of_blocks() {
    for (runs, _) in scenes() {
        every_backend(|run| {
            for vectors in 1..=3 {
                let expected = blocks(&runs, run.kernels, vectors);
                for window in windows(&runs) {
                    let slots = BLOCK * window.len();
                    let mut arrays: [Guarded<f32>; 3] =
                        std::array::from_fn(|i| Guarded::new(3 * slots, 1 + i));
                    let buffers = arrays.iter_mut().take(vectors).map(|array| &mut array[..]);
                    let writer = VertexWriter::new(&VertexLayout::packed(vectors), buffers, slots);
                    let to = LayoutOutput::Buffers(writer.expect("sound buffers"));
                    run.kernels.skin_into_layout(contract(
                        &runs,
                        &[],
                        &run_groups(&runs),
                        window.clone(),
                        vectors,
                        to,
                    ));
                    for (v, array) in arrays.iter().enumerate() {
                        array.check();
                        for (slot, found) in array.as_chunks::<3>().0.iter().enumerate() {
                            let block = (window.start + slot / BLOCK) * vectors + v;
                            let expected = match v < vectors {
                                true => expected[block].vector(slot % BLOCK),
                                false => [f32::GUARD; 3],
                            };
                            assert_eq!(
                                found.map(f32::to_bits),
                                expected.map(f32::to_bits),
                                "{run}: vector {v}"
                            );
                        }
                    }
                }
            }
        });
    }
}

#[test]
fn interleaved_vertices_have_the_bits_of_blocks_and_keep_other_floats() {
    for (runs, signs) in scenes() {
        every_backend(|run| {
            for (vectors, stride) in [(2, 6), (2, 8), (3, 10), (3, 12)] {
                let mut layout = VertexLayout::interleaved(4 * stride);
                for v in 0..vectors {
                    let format = if v == 2 { VertexFormat::Float32x4 } else { VertexFormat::Float32x3 };
                    layout = layout.with(VertexAttribute::ALL[v], format, 12 * v);
                }

                let skinned = blocks(&runs, run.kernels, vectors);
                for window in windows(&runs) {
                    let mut floats = Guarded::<f32>::new(BLOCK * window.len() * stride, 1);
                    let writer = VertexWriter::new(&layout, [&mut floats[..]], BLOCK * window.len());
                    let writer = writer.expect("a sound buffer");
                    assert!(writer.is_direct());
                    let to = LayoutOutput::Buffers(writer);
                    run.kernels.skin_into_layout(contract(
                        &runs,
                        &signs,
                        &run_groups(&runs),
                        window.clone(),
                        vectors,
                        to,
                    ));
                    floats.check();
                    let mut expected = vec![f32::GUARD; floats.len()];
                    for (slot, vertex) in expected.chunks_mut(stride).enumerate() {
                        let (block, lane) = (window.start + slot / BLOCK, slot % BLOCK);
                        for v in 0..vectors {
                            let vector = skinned[block * vectors + v].vector(lane);
                            vertex[3 * v..3 * v + 3].copy_from_slice(&vector);
                        }
                        if vectors == 3 {
                            vertex[9] = signs[block].0[lane];
                        }
                    }
                    let bits = |floats: &[f32]| floats.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    assert!(bits(&floats) == bits(&expected), "{run}: {vectors} vectors");
                }
            }
        });
    }
}

#[test]
fn non_temporal_blocks_have_the_bits_of_blocks() {
    for (runs, _) in scenes() {
        every_backend(|run| {
            for vectors in 1..=3 {
                let expected = blocks(&runs, run.kernels, vectors);
                for window in windows(&runs) {
                    let mut found = Guarded::<VectorBlock>::new(vectors * window.len(), 1);
                    let to = LayoutOutput::NonTemporalBlocks(&mut found);
                    run.kernels.skin_into_layout(contract(
                        &runs,
                        &[],
                        &run_groups(&runs),
                        window.clone(),
                        vectors,
                        to,
                    ));
                    found.check();
                    let bits = |block: &VectorBlock| block.rows.map(|row| row.map(f32::to_bits));
                    for (found, expected) in found.iter().zip(&expected[vectors * window.start..]) {
                        assert_eq!(bits(found), bits(expected), "{run}: {vectors} vectors");
                    }
                }
            }
        });
    }
}

#[test]
fn a_run_is_skinned_as_far_as_window_and_weights_go() {
    let (all, inside) = (u32::MAX, VectorBlock { rows: [[7.0; BLOCK]; 3] });
    every_backend(|run| {
        for influences in 1..=6 {
            // First block, blocks, first weights; how many of the three blocks are written. With
            // one influence there are no weights that could be missing.
            let one = if influences == 1 { 3 } else { 0 };
            for (first, blocks, weights, written) in [
                (0, 0, 0, 0),
                (0, 2, 0, 2),
                (0, all, 0, 3),
                (3, 1, 0, 0),
                (all, all, 0, 0),
                (0, 3, all, one),
                (0, 3, 1, one),
            ] {
                // The last block whole or not, in arrays without gaps and with.
                for (stride, vertices) in
                    [(3, 3 * BLOCK), (3, 3 * BLOCK - 1), (4, 3 * BLOCK), (4, 3 * BLOCK - 1)]
                {
                    let layout = VertexLayout::interleaved(4 * stride);
                    let layout = layout.with(VertexAttribute::Position, VertexFormat::Float32x3, 0);
                    let mut positions = Guarded::<f32>::new(stride * vertices, 1);
                    let writer = VertexWriter::new(&layout, [&mut positions[..]], vertices);
                    run.kernels.skin_into_layout(SkinIntoLayout {
                        palette: &[],
                        source: SkinSource::Runs {
                            groups: &[RunGroup {
                                influences,
                                runs: &[sinew_kernels::Run { first, blocks, weights }],
                                joints: &vec![0; influences],
                                weights: &vec![ScalarBlock::default(); 3 * (influences - 1)],
                            }],
                            base: &[inside; 3],
                            base_vectors: 1,
                        },
                        window: 0..3,
                        vectors: 1,
                        signs: &[],
                        output: LayoutOutput::Buffers(writer.expect("a sound buffer")),
                    });
                    positions.check();
                    for (i, &number) in positions.iter().enumerate() {
                        let skinned = i / stride < BLOCK * written && i % stride < 3;
                        let expected = if skinned { 7.0 } else { f32::GUARD };
                        assert_eq!(
                            number, expected,
                            "{run}: {influences} influences, {blocks} blocks from {first}, {i} of {stride}"
                        );
                    }
                }
            }
        }
    });
}
