//! Blocks to other forms: every vector where it belongs, and nothing else touched.

use sinew_kernels::reference::algebra;
use sinew_kernels::{
    Aabb, BLOCK, BitangentSource, DirectionLength, Kernels, ScalarBlock, StoreVertices, VectorBlock,
    VertexLayout,
};
use sinew_testkit::backends::{Checksums, EMULATED, every_backend};
use sinew_testkit::checksum::Checksum;
use sinew_testkit::guarded::{Guard, Guarded};
use sinew_testkit::random::Random;
use sinew_testkit::runs::{BASE_VECTORS, Runs};
use sinew_testkit::tolerance::Tolerance;

const SIZES: &[usize] = if EMULATED { &[0, 1, 3] } else { &[0, 1, 2, 3, 10] };

/// Blocks to put, with signs and an order of places.
struct Blocks {
    blocks: Vec<VectorBlock>,
    vectors: usize,
    signs: Vec<ScalarBlock>,
    bitangents: BitangentSource,
    /// A permutation of the vertices, of which the last occurs once more, as pads do.
    order: Vec<u32>,
}

/// Each number of vectors, and the ways to a fourth.
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
        let runs = Runs::of_blocks(vec![blocks as u32], 1, random);
        let kept = runs.base.chunks(BASE_VECTORS).flat_map(|block| block[..vectors].to_vec()).collect();
        let places = blocks * BLOCK;
        let mut order: Vec<u32> = (0..places as u32).collect();
        for place in (1..places).rev() {
            order.swap(place, random.below(place + 1));
        }
        let mut sign = || if random.below(2) == 0 { 1.0 } else { -1.0 };
        let signs = (0..blocks).map(|_| ScalarBlock(std::array::from_fn(|_| sign()))).collect();
        Self { blocks: kept, vectors, signs, bitangents, order }
    }

    fn places(&self) -> usize {
        self.order.len()
    }

    /// Vectors of each vertex that is written.
    fn written(&self) -> usize {
        self.vectors + usize::from(self.bitangents != BitangentSource::AsSkinned)
    }

    fn put(&self, kernels: &Kernels, to: VertexLayout<'_>, ordered: bool, bounds: Option<&mut Aabb>) {
        kernels.store_vertices(StoreVertices {
            blocks: &self.blocks,
            vectors: self.vectors,
            signs: &self.signs,
            bitangents: self.bitangents,
            layout: to,
            remap: ordered.then_some(self.order.as_slice()),
            bounds,
        });
    }

    /// What is written of each vertex, taken from the form of blocks.
    fn vertices(&self, kernels: &Kernels) -> Vec<Vec<[f32; 3]>> {
        let written = self.written();
        let mut to = Guarded::new(self.blocks.len() / self.vectors * written, 1);
        self.put(kernels, VertexLayout::Blocks(&mut to), true, None);
        to.check();
        let vector = |place: usize, v: usize| to[place / BLOCK * written + v].vector(place % BLOCK);
        (0..self.places()).map(|place| (0..written).map(|v| vector(place, v)).collect()).collect()
    }

    /// Where a place's vertex goes.
    fn target(&self, place: usize, ordered: bool) -> usize {
        if ordered { self.order[place] as usize } else { place }
    }

    fn sign(&self, place: usize) -> f32 {
        self.signs[place / BLOCK].0[place % BLOCK]
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
fn blocks_stay_as_they_are_on_both_ways_to_memory() {
    every_kind(1, |blocks| {
        every_backend(|run| {
            let vertices = blocks.vertices(run.kernels);
            for (place, vertex) in vertices.iter().enumerate() {
                for (v, &found) in vertex.iter().take(blocks.vectors).enumerate() {
                    let block = &blocks.blocks[place / BLOCK * blocks.vectors + v];
                    assert_same(found, block.vector(place % BLOCK), run);
                }
            }
            let mut past = Guarded::new(blocks.places() / BLOCK * blocks.written(), 1);
            blocks.put(run.kernels, VertexLayout::NonTemporalBlocks(&mut past), false, None);
            past.check();
            for (place, vertex) in vertices.iter().enumerate() {
                for (v, &expected) in vertex.iter().enumerate() {
                    let block = &past[place / BLOCK * blocks.written() + v];
                    assert_same(block.vector(place % BLOCK), expected, run);
                }
            }
        });
    });
}

#[test]
fn streams_hold_one_component_each() {
    every_kind(2, |blocks| {
        every_backend(|run| {
            for ordered in [false, true] {
                let mut streams: [Guarded<f32>; 12] =
                    std::array::from_fn(|i| Guarded::new(blocks.places(), 1 + i));
                blocks.put(
                    run.kernels,
                    VertexLayout::Streams(streams.each_mut().map(|s| &mut **s)),
                    ordered,
                    None,
                );
                for (i, stream) in streams.iter().enumerate() {
                    stream.check();
                    let written = i < 3 * blocks.written();
                    assert!(written || stream.iter().all(|number| *number == f32::GUARD));
                }
                for (place, vertex) in blocks.vertices(run.kernels).iter().enumerate() {
                    let target = blocks.target(place, ordered);
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
            for ordered in [false, true] {
                let mut arrays: [Guarded<f32>; 4] =
                    std::array::from_fn(|i| Guarded::new(3 * blocks.places(), 1 + i));
                let to = arrays.each_mut().map(|array| array.as_chunks_mut::<3>().0);
                blocks.put(run.kernels, VertexLayout::Packed(to), ordered, None);
                for array in &arrays {
                    array.check();
                }
                for (place, vertex) in blocks.vertices(run.kernels).iter().enumerate() {
                    let target = blocks.target(place, ordered);
                    for (v, &expected) in vertex.iter().enumerate() {
                        assert_same(arrays[v].as_chunks().0[target], expected, run);
                    }
                }
            }
        });
    });
}

#[test]
fn interleaved_vertices_keep_what_lies_between() {
    // Stride and offsets: as tight as can be, in any order, and far apart.
    let layouts = [
        (13, [0, 3, 6, 10]),
        (13, [10, 7, 3, 0]),
        (16, [0, 3, 6, 10]),
        (23, [1, 6, 10, 20]),
        (20, [4, 0, 8, 12]),
    ];
    every_kind(4, |blocks| {
        every_backend(|run| {
            let vertices = blocks.vertices(run.kernels);
            for (stride, offsets) in layouts {
                for ordered in [false, true] {
                    let mut floats = Guarded::<f32>::new(stride * blocks.places(), 1);
                    let form = VertexLayout::Interleaved { floats: &mut floats, stride, offsets };
                    blocks.put(run.kernels, form, ordered, None);
                    floats.check();
                    let mut expected = vec![f32::GUARD; floats.len()];
                    for (place, vertex) in vertices.iter().enumerate() {
                        let to = &mut expected[stride * blocks.target(place, ordered)..];
                        for (v, vector) in vertex.iter().enumerate() {
                            to[offsets[v]..offsets[v] + 3].copy_from_slice(vector);
                            if v == 2 {
                                to[offsets[v] + 3] = blocks.sign(place);
                            }
                        }
                    }
                    let bits = |floats: &[f32]| floats.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    assert_eq!(bits(&floats), bits(&expected), "{run}: {stride}, {offsets:?}, {ordered}");
                }
            }
        });
    });
}

#[test]
fn bitangents_stand_on_normal_and_tangent() {
    every_kind(5, |blocks| {
        let BitangentSource::FromSigns(directions) = blocks.bitangents else { return };
        every_backend(|run| {
            let mut tolerance = Tolerance::new(format!("{run}: bitangents, {directions:?}"));
            for (place, vertex) in blocks.vertices(run.kernels).iter().enumerate() {
                let [normal, tangent] = [vertex[1], vertex[2]].map(|vector| vector.map(f64::from));
                let sign = f64::from(blocks.sign(place));
                let mut expected = algebra::scaled(algebra::cross(normal, tangent), sign);
                let mut allowed = 4e-7;
                if directions == DirectionLength::Unit {
                    let length = algebra::length(expected);
                    expected = algebra::scaled(expected, 1.0 / length);
                    allowed = 6e-7 / length;
                }
                tolerance.all_close(place, expected, vertex[3], allowed);
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
            Checksums { reproducible: "b27d45c728abb474", fused: "490371055a9e5450" },
        );
    });
}

#[test]
fn bounds_hold_the_positions_and_no_more() {
    every_kind(8, |blocks| {
        every_backend(|run| {
            let vertices = blocks.vertices(run.kernels);
            let positions: Vec<[f32; 3]> = vertices.iter().map(|vertex| vertex[0]).collect();
            let mut bounds = Aabb::EMPTY;
            let mut to = vec![VectorBlock::default(); blocks.places() / BLOCK * blocks.written()];
            blocks.put(run.kernels, VertexLayout::Blocks(&mut to), false, Some(&mut bounds));
            assert_eq!(bounds, Aabb::from_points(&positions), "{run}");
            assert_eq!(bounds.is_empty(), positions.is_empty());

            // Bounds grow; those of another part stay in.
            let mut grown = Aabb { min: [-100.0; 3], max: [-99.0; 3] };
            let expected = grown.union(&bounds);
            blocks.put(run.kernels, VertexLayout::Blocks(&mut to), false, Some(&mut grown));
            assert_eq!(grown, expected, "{run}");
        });
    });
}

#[test]
fn bounds_have_one_zero_and_no_broken_coordinate() {
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
                bitangents: BitangentSource::AsSkinned,
                layout: VertexLayout::Blocks(&mut [VectorBlock::default()]),
                remap: None,
                bounds: Some(&mut bounds),
            });
            assert_eq!(bounds.min.map(f32::to_bits), [0.0_f32, 5.0, 0.0].map(f32::to_bits), "{run}: {lane}");
            assert_eq!(bounds.max, [0.0, 5.0, f32::INFINITY], "{run}: {lane}");
        }
    });
}

#[test]
fn a_vertex_outside_of_what_is_written_is_left_out() {
    let mut blocks = Blocks::new(1, (3, BitangentSource::AsSkinned), &mut Random::new(9));
    blocks.order = vec![0, 1, 2, 3, 4, 5, u32::MAX, u32::MAX / 2];
    every_backend(|run| {
        let mut arrays: [Guarded<f32>; 3] = std::array::from_fn(|_| Guarded::new(18, 1));
        let [a, b, c] = arrays.each_mut().map(|array| array.as_chunks_mut::<3>().0);
        blocks.put(run.kernels, VertexLayout::Packed([a, b, c, &mut []]), true, None);
        let mut floats = Guarded::<f32>::new(60, 1);
        let form = VertexLayout::Interleaved { floats: &mut floats, stride: 10, offsets: [0, 3, 6, 0] };
        blocks.put(run.kernels, form, true, None);
        let mut streams: [Guarded<f32>; 9] = std::array::from_fn(|_| Guarded::new(6, 1));
        let [a, b, c, d, e, f, g, h, i] = streams.each_mut().map(|stream| &mut **stream);
        let form = VertexLayout::Streams([a, b, c, d, e, f, g, h, i, &mut [], &mut [], &mut []]);
        blocks.put(run.kernels, form, true, None);
        for guarded in arrays.iter().chain([&floats]).chain(&streams) {
            guarded.check();
            assert!(guarded.iter().all(|number| *number != f32::GUARD));
        }
    });
}
