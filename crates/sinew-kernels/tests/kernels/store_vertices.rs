//! Storing blocks in vertex layouts: every vector in its slot, and nothing else is written. Formats
//! are in `vertex_formats.rs`, layouts of vertex buffers in `vertex_buffers.rs`.

use sinew_kernels::reference::{self, algebra};
use sinew_kernels::{
    Aabb, BLOCK, BitangentSource, DirectionLength, Kernels, ScalarBlock, StoreOutput, StoreVertices,
    VectorBlock, VertexAttribute, VertexFormat, VertexLayout, VertexWriter,
};
use sinew_testkit::backends::{Checksums, EMULATED, every_backend};
use sinew_testkit::checksum::Checksum;
use sinew_testkit::guarded::{Guard, Guarded};
use sinew_testkit::random::Random;
use sinew_testkit::shared_joints::{BASE_VECTORS, SharedJointsInput};
use sinew_testkit::tolerance::Tolerance;

const SIZES: &[usize] = if EMULATED { &[0, 1, 3] } else { &[0, 1, 2, 3, 10] };

/// Blocks to store, with signs and a remap table.
#[derive(Clone)]
struct Blocks {
    blocks: Vec<VectorBlock>,
    vectors: usize,
    signs: Vec<ScalarBlock>,
    directions: DirectionLength,
    bitangents: BitangentSource,
    /// A permutation of the slots.
    remap: Vec<u32>,
}

/// Each number of vectors, and each source of bitangents.
const KINDS: [(usize, BitangentSource); 6] = [
    (1, BitangentSource::AsSkinned),
    (2, BitangentSource::AsSkinned),
    (3, BitangentSource::AsSkinned),
    (4, BitangentSource::AsSkinned),
    (3, BitangentSource::FromSigns(DirectionLength::AsBlended)),
    (3, BitangentSource::FromSigns(DirectionLength::Unit)),
];

impl Blocks {
    fn new(blocks: usize, (vectors, bitangents): (usize, BitangentSource), random: &mut Random) -> Self {
        let runs = SharedJointsInput::from_run_lengths(vec![blocks as u32], 1, random);
        let kept = runs.base.chunks(BASE_VECTORS).flat_map(|block| block[..vectors].to_vec()).collect();
        let slots = blocks * BLOCK;
        let mut remap: Vec<u32> = (0..slots as u32).collect();
        for slot in (1..slots).rev() {
            remap.swap(slot, random.below(slot + 1));
        }
        let mut sign = || if random.below(2) == 0 { 1.0 } else { -1.0 };
        let signs = (0..blocks).map(|_| ScalarBlock(std::array::from_fn(|_| sign()))).collect();
        Self { blocks: kept, vectors, signs, directions: DirectionLength::AsBlended, bitangents, remap }
    }

    fn slots(&self) -> usize {
        self.remap.len()
    }

    /// Number of vectors written per vertex.
    fn output_vectors(&self) -> usize {
        self.vectors + usize::from(self.bitangents != BitangentSource::AsSkinned)
    }

    fn store(&self, kernels: &Kernels, layout: StoreOutput<'_>, remapped: bool, bounds: Option<&mut Aabb>) {
        kernels.store_vertices(StoreVertices {
            blocks: &self.blocks,
            vectors: self.vectors,
            signs: &self.signs,
            directions: self.directions,
            bitangents: self.bitangents,
            layout,
            remap: remapped.then_some(self.remap.as_slice()),
            bounds,
        });
    }

    /// What is written of each vertex, read from the layout of blocks.
    fn vertices(&self, kernels: &Kernels) -> Vec<Vec<[f32; 3]>> {
        let output_vectors = self.output_vectors();
        let mut to = Guarded::new(self.blocks.len() / self.vectors * output_vectors, 1);
        self.store(kernels, StoreOutput::Blocks(&mut to), true, None);
        to.check();
        let vector = |slot: usize, v: usize| to[slot / BLOCK * output_vectors + v].vector(slot % BLOCK);
        (0..self.slots()).map(|slot| (0..output_vectors).map(|v| vector(slot, v)).collect()).collect()
    }

    /// The output index of a slot's vertex.
    fn target(&self, slot: usize, remapped: bool) -> usize {
        if remapped { self.remap[slot] as usize } else { slot }
    }

    fn sign(&self, slot: usize) -> f32 {
        self.signs[slot / BLOCK].0[slot % BLOCK]
    }
}

/// Calls with blocks of every size and kind.
fn every_kind(seed: u64, mut check: impl FnMut(&Blocks)) {
    let random = &mut Random::new(seed);
    for kind in KINDS {
        for &size in SIZES {
            check(&Blocks::new(size, kind, random));
        }
    }
}

fn assert_same(found: [f32; 3], expected: [f32; 3], what: impl std::fmt::Display) {
    assert_eq!(found.map(f32::to_bits), expected.map(f32::to_bits), "{what}: {found:?}, not {expected:?}");
}

#[test]
fn blocks_are_copied_by_cached_and_non_temporal_stores() {
    every_kind(1, |blocks| {
        every_backend(|run| {
            let vertices = blocks.vertices(run.kernels);
            for (slot, vertex) in vertices.iter().enumerate() {
                for (v, &found) in vertex.iter().take(blocks.vectors).enumerate() {
                    let block = &blocks.blocks[slot / BLOCK * blocks.vectors + v];
                    assert_same(found, block.vector(slot % BLOCK), run);
                }
            }
            let mut non_temporal = Guarded::new(blocks.slots() / BLOCK * blocks.output_vectors(), 1);
            blocks.store(run.kernels, StoreOutput::NonTemporalBlocks(&mut non_temporal), false, None);
            non_temporal.check();
            for (slot, vertex) in vertices.iter().enumerate() {
                for (v, &expected) in vertex.iter().enumerate() {
                    let block = &non_temporal[slot / BLOCK * blocks.output_vectors() + v];
                    assert_same(block.vector(slot % BLOCK), expected, run);
                }
            }
        });
    });
}

#[test]
fn streams_hold_one_component_each() {
    every_kind(2, |blocks| {
        every_backend(|run| {
            for remapped in [false, true] {
                let mut streams: [Guarded<f32>; 12] =
                    std::array::from_fn(|i| Guarded::new(blocks.slots(), 1 + i));
                blocks.store(
                    run.kernels,
                    StoreOutput::Streams(streams.each_mut().map(|s| &mut **s)),
                    remapped,
                    None,
                );
                for (i, stream) in streams.iter().enumerate() {
                    stream.check();
                    let written = i < 3 * blocks.output_vectors();
                    assert!(written || stream.iter().all(|number| *number == f32::GUARD));
                }
                for (slot, vertex) in blocks.vertices(run.kernels).iter().enumerate() {
                    let target = blocks.target(slot, remapped);
                    for (v, &expected) in vertex.iter().enumerate() {
                        assert_same(std::array::from_fn(|axis| streams[3 * v + axis][target]), expected, run);
                    }
                }
            }
        });
    });
}

#[test]
fn packed_arrays_hold_one_vector_each() {
    every_kind(3, |blocks| {
        every_backend(|run| {
            for remapped in [false, true] {
                let output_vectors = blocks.output_vectors();
                let mut arrays: [Guarded<f32>; 4] =
                    std::array::from_fn(|i| Guarded::new(3 * blocks.slots(), 1 + i));
                let to = arrays.iter_mut().take(output_vectors).map(|array| &mut **array);
                let writer = VertexWriter::new(&VertexLayout::packed(output_vectors), to, blocks.slots());
                let to = StoreOutput::Buffers(writer.expect("arrays that fit").into_parts());
                blocks.store(run.kernels, to, remapped, None);
                for array in &arrays {
                    array.check();
                }
                for (slot, vertex) in blocks.vertices(run.kernels).iter().enumerate() {
                    let target = blocks.target(slot, remapped);
                    for (v, &expected) in vertex.iter().enumerate() {
                        assert_same(arrays[v].as_chunks().0[target], expected, run);
                    }
                }
            }
        });
    });
}

#[test]
fn directions_are_renormalized_if_asked() {
    every_kind(10, |blocks| {
        every_backend(|run| {
            let blended = blocks.vertices(run.kernels);
            let unit = Blocks { directions: DirectionLength::Unit, ..blocks.clone() };
            let mut tolerance = Tolerance::new(format!("{run}: unit directions"));
            for (slot, (found, blended)) in unit.vertices(run.kernels).iter().zip(&blended).enumerate() {
                assert_same(found[0], blended[0], run);
                for v in 1..unit.vectors {
                    let expected = reference::unit(blended[v].map(f64::from));
                    tolerance.all_close(slot, expected, found[v], 3e-7);
                }
                let BitangentSource::FromSigns(bitangents) = unit.bitangents else { continue };
                // Of the normal and the tangent that are stored.
                let [normal, tangent] = [found[1], found[2]].map(|vector| vector.map(f64::from));
                let bitangent = algebra::cross(normal, tangent);
                let mut expected = algebra::scaled(bitangent, unit.sign(slot).into());
                let mut allowed = 4e-7;
                if bitangents == DirectionLength::Unit {
                    allowed = 6e-7 / algebra::length(expected);
                    expected = reference::unit(expected);
                }
                tolerance.all_close(slot, expected, found[3], allowed);
            }
            for (found, expected) in unit.vertices(run.kernels).iter().zip(unit.vertices(run.oracle())) {
                assert!(found == &expected, "{run}");
            }
        });
    });
}

#[test]
fn bitangents_are_normal_cross_tangent_times_sign() {
    every_kind(5, |blocks| {
        let BitangentSource::FromSigns(directions) = blocks.bitangents else { return };
        every_backend(|run| {
            let mut tolerance = Tolerance::new(format!("{run}: bitangents, {directions:?}"));
            for (slot, vertex) in blocks.vertices(run.kernels).iter().enumerate() {
                let [normal, tangent] = [vertex[1], vertex[2]].map(|vector| vector.map(f64::from));
                let sign = f64::from(blocks.sign(slot));
                let mut expected = algebra::scaled(algebra::cross(normal, tangent), sign);
                let mut allowed = 4e-7;
                if directions == DirectionLength::Unit {
                    let length = algebra::length(expected);
                    expected = algebra::scaled(expected, 1.0 / length);
                    allowed = 6e-7 / length;
                }
                tolerance.all_close(slot, expected, vertex[3], allowed);
            }
        });
    });
}

#[test]
fn every_backend_matches_plain_lanes() {
    every_kind(6, |blocks| {
        every_backend(|run| {
            let (found, expected) = (blocks.vertices(run.kernels), blocks.vertices(run.oracle()));
            for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
                for (found, expected) in found.iter().zip(expected) {
                    assert_eq!(found.to_bits(), expected.to_bits(), "{run}: {found:?}, not {expected:?}");
                }
            }
        });
    });
}

#[test]
fn bits_are_the_same_everywhere() {
    every_backend(|run| {
        let mut sum = Checksum::new();
        for kind in KINDS {
            let blocks = Blocks::new(4, kind, &mut Random::new(7));
            for vertex in blocks.vertices(run.kernels) {
                sum.add(vertex.as_flattened());
            }
        }
        run.assert_checksum(
            sum.value(),
            Checksums { reproducible: "b27d45c728abb474", fused: "b27d45c728abb474" },
        );
    });
}

#[test]
fn bounds_are_the_aabb_of_the_positions() {
    every_kind(8, |blocks| {
        every_backend(|run| {
            let vertices = blocks.vertices(run.kernels);
            let positions: Vec<[f32; 3]> = vertices.iter().map(|vertex| vertex[0]).collect();
            let mut bounds = Aabb::EMPTY;
            let mut to = vec![VectorBlock::default(); blocks.slots() / BLOCK * blocks.output_vectors()];
            blocks.store(run.kernels, StoreOutput::Blocks(&mut to), false, Some(&mut bounds));
            assert_eq!(bounds, Aabb::from_points(&positions), "{run}");
            assert_eq!(bounds.is_empty(), positions.is_empty());

            // Bounds are extended: what they contained stays inside.
            let mut grown = Aabb { min: [-100.0; 3], max: [-99.0; 3] };
            let expected = grown.union(&bounds);
            blocks.store(run.kernels, StoreOutput::Blocks(&mut to), false, Some(&mut grown));
            assert_eq!(grown, expected, "{run}");
        });
    });
}

#[test]
fn bounds_of_buffers_leave_out_what_is_past_the_end() {
    every_kind(11, |blocks| {
        every_backend(|run| {
            let positions: Vec<[f32; 3]> =
                blocks.vertices(run.kernels).iter().map(|vertex| vertex[0]).collect();
            for left_out in 0..BLOCK.min(blocks.slots() + 1) {
                let len = blocks.slots().saturating_sub(left_out);
                let mut to = Guarded::<f32>::new(3 * len, 1);
                let writer = VertexWriter::new(&VertexLayout::packed(1), [&mut *to], len);
                let to = StoreOutput::Buffers(writer.expect("an array that fits").into_parts());
                let mut bounds = Aabb::EMPTY;
                blocks.store(run.kernels, to, false, Some(&mut bounds));
                assert_eq!(bounds, Aabb::from_points(&positions[..len]), "{run}: {len}");
            }
        });
    });
}

#[test]
fn bounds_have_positive_zeros_and_ignore_nan() {
    every_backend(|run| {
        for lane in 0..BLOCK {
            let mut block = VectorBlock::default();
            block.rows[0][lane] = -0.0;
            block.rows[1] = [5.0; BLOCK];
            block.rows[1][lane] = f32::NAN;
            block.rows[2][lane] = f32::INFINITY;
            let mut bounds = Aabb::EMPTY;
            run.kernels.store_vertices(StoreVertices {
                blocks: &[block],
                vectors: 1,
                signs: &[],
                directions: DirectionLength::AsBlended,
                bitangents: BitangentSource::AsSkinned,
                layout: StoreOutput::Blocks(&mut [VectorBlock::default()]),
                remap: None,
                bounds: Some(&mut bounds),
            });
            assert_eq!(bounds.min.map(f32::to_bits), [0.0_f32, 5.0, 0.0].map(f32::to_bits), "{run}: {lane}");
            assert_eq!(bounds.max, [0.0, 5.0, f32::INFINITY], "{run}: {lane}");
        }
    });
}

#[test]
fn remapped_vertices_out_of_range_are_skipped() {
    let mut blocks = Blocks::new(1, (3, BitangentSource::AsSkinned), &mut Random::new(9));
    blocks.remap = vec![0, 1, 2, 3, 4, 5, u32::MAX, u32::MAX / 2];
    let interleaved = VertexLayout::interleaved(40)
        .with(VertexAttribute::Position, VertexFormat::Float32x3, 0)
        .with(VertexAttribute::Normal, VertexFormat::Float32x3, 12)
        .with(VertexAttribute::Tangent, VertexFormat::Float32x4, 24);
    every_backend(|run| {
        let mut arrays: [Guarded<f32>; 3] = std::array::from_fn(|_| Guarded::new(18, 1));
        let to = arrays.iter_mut().map(|array| &mut **array);
        let writer = VertexWriter::new(&VertexLayout::packed(3), to, 6).expect("arrays that fit");
        blocks.store(run.kernels, StoreOutput::Buffers(writer.into_parts()), true, None);
        let mut floats = Guarded::<f32>::new(60, 1);
        let writer = VertexWriter::new(&interleaved, [&mut *floats], 6).expect("a buffer that fits");
        blocks.store(run.kernels, StoreOutput::Buffers(writer.into_parts()), true, None);
        let mut streams: [Guarded<f32>; 9] = std::array::from_fn(|_| Guarded::new(6, 1));
        let [a, b, c, d, e, f, g, h, i] = streams.each_mut().map(|stream| &mut **stream);
        let layout = StoreOutput::Streams([a, b, c, d, e, f, g, h, i, &mut [], &mut [], &mut []]);
        blocks.store(run.kernels, layout, true, None);
        for guarded in arrays.iter().chain([&floats]).chain(&streams) {
            guarded.check();
            assert!(guarded.iter().all(|number| *number != f32::GUARD));
        }
    });
}
