//! Skinning directly into smaller numbers: the bytes of blocks that are stored afterwards, and no
//! other byte is written, whatever the window, the stride and the order of runs.

use std::ops::Range;

use sinew_kernels::{
    BLOCK, BitangentSource, DirectionLength, Kernels, LayoutOutput, Matrix, Run, RunGroup, ScalarBlock,
    SkinIntoLayout, SkinSource, StoreOutput, StoreVertices, VectorBlock, VertexAttribute, VertexFormat,
    VertexLayout, VertexWriter,
};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;
use sinew_testkit::shared_joints::{BASE_VECTORS, SharedJointsInput};
use sinew_testkit::skin_properties::SkinInput;

use crate::skin_segments::{JOINTS, Vertices};

const MESHES: usize = if EMULATED { 4 } else { 30 };

/// Two or three attributes: a position of floats or halves, and directions of halves or normalized
/// integers behind it, or apart from it. With gaps, and at addresses that are multiples of a
/// component's size only.
fn layouts() -> Vec<VertexLayout> {
    use VertexFormat::{Float16x4, Float32x3, Float32x4, Snorm8x4, Snorm16x4};
    let mut layouts = Vec::new();
    for vectors in [2, 3] {
        for position in [Float32x3, Float32x4, Float16x4] {
            for directions in [Float16x4, Snorm16x4, Snorm8x4] {
                let size = (vectors - 1) * directions.size();
                for (gap, first) in [(0, 0), (2, 0), (8, 8), (14, 6)] {
                    // Floats are at multiples of four bytes.
                    let odd = if position == Float16x4 { 1 } else { 2 };
                    let (gap, first) = (gap * odd, first * odd);
                    if position.size() + size >= 16 {
                        let stride = position.size() + size + gap;
                        layouts.push(layout(
                            vectors,
                            stride,
                            (position, first),
                            (directions, first + position.size()),
                        ));
                    }
                    if size == 16 {
                        let stride = position.size() + size + gap + 8;
                        let behind = first + position.size() + 4;
                        layouts.push(layout(vectors, stride, (position, first), (directions, behind)));
                        layouts.push(layout(vectors, stride, (position, first + size), (directions, first)));
                    }
                }
            }
        }
    }
    layouts
}

/// A position, and directions side by side, each at an offset.
fn layout(
    vectors: usize,
    stride: usize,
    (position, first): (VertexFormat, usize),
    (directions, next): (VertexFormat, usize),
) -> VertexLayout {
    let layout = VertexLayout::interleaved(stride).with(VertexAttribute::Position, position, first);
    let rest = VertexAttribute::ALL.into_iter().take(vectors).skip(1).enumerate();
    rest.fold(layout, |layout, (i, attribute)| {
        layout.with(attribute, directions, next + i * directions.size())
    })
}

/// Vertices to skin.
#[derive(Clone, Copy)]
struct Input<'a> {
    palette: &'a [Matrix],
    source: SkinSource<'a>,
    signs: &'a [ScalarBlock],
    blocks: usize,
    vertices: usize,
}

impl Input<'_> {
    fn skin(&self, kernels: &Kernels, window: Range<usize>, vectors: usize, output: LayoutOutput<'_>) {
        let Self { palette, source, signs, .. } = *self;
        kernels.skin_into_layout(SkinIntoLayout { palette, source, window, vectors, signs, output });
    }

    /// Random bytes, with a few behind the last vertex.
    fn buffer(&self, layout: &VertexLayout) -> Vec<u32> {
        let mut random = Random::new(5);
        (0..layout.buffer_len(0, self.vertices).div_ceil(4) + 20).map(|_| random.bits() as u32).collect()
    }

    /// Skinned directly, window by window.
    fn directly(&self, kernels: &Kernels, layout: &VertexLayout, windows: &[Range<usize>]) -> Vec<u32> {
        let mut buffer = self.buffer(layout);
        for window in windows {
            let mut writer = VertexWriter::new(layout, [&mut buffer[..]], self.vertices).expect("sound");
            let writer = writer.slice(BLOCK * window.start..BLOCK * window.end);
            self.skin(kernels, window.clone(), layout.vectors(), LayoutOutput::Buffers(writer));
        }
        buffer
    }

    /// Skinned into blocks, which another kernel stores. Blocks without a vertex that is skinned
    /// are `skipped`.
    fn by_blocks(&self, kernels: &Kernels, layout: &VertexLayout, skipped: &[usize]) -> Vec<u32> {
        let (vectors, mut buffer) = (layout.vectors(), self.buffer(layout));
        let mut blocks = vec![VectorBlock::default(); vectors * self.blocks];
        self.skin(kernels, 0..self.blocks, vectors, LayoutOutput::Blocks(&mut blocks));
        let mut writer = VertexWriter::new(layout, [&mut buffer[..]], self.vertices).expect("sound");
        for block in (0..self.blocks).filter(|block| !skipped.contains(block)) {
            let own = writer.slice(BLOCK * block..BLOCK * (block + 1));
            kernels.store_vertices(StoreVertices {
                blocks: &blocks[vectors * block..vectors * (block + 1)],
                vectors,
                signs: self.signs.get(block..block + 1).unwrap_or_default(),
                directions: DirectionLength::AsBlended,
                bitangents: BitangentSource::AsSkinned,
                layout: StoreOutput::Buffers(own.into_parts()),
                remap: None,
                bounds: None,
            });
        }
        buffer
    }
}

/// Whether the backend stores a layout directly.
fn stores_directly(kernels: &Kernels, layout: &VertexLayout) -> bool {
    let mut bytes = vec![0_u8; layout.buffer_len(0, 1)];
    let writer = VertexWriter::new(layout, [&mut bytes[..]], 1).expect("a sound buffer");
    assert!(writer.is_direct_format() && !writer.is_direct());
    kernels.stores_directly(&writer)
}

/// Numbers that halves or normalized integers cannot hold, but no NaN of several operands, whose
/// bits depend on their order.
fn make_extreme(base: &mut [[[f32; 4]; 3]], random: &mut Random) {
    for vertex in base {
        let scale = [1.0, 1.0, 1e-4, 1e-6, 1e-38, 1e5, 1e7, 1e30][random.below(8)];
        vertex.iter_mut().for_each(|vector| vector[..3].iter_mut().for_each(|x| *x *= scale));
    }
}

#[test]
fn segments_have_the_bytes_of_blocks_that_are_stored_afterwards() {
    every_backend(|run| {
        let mut random = Random::new(600);
        for mesh_index in 0..MESHES {
            let mut mesh = Vertices::random(&mut random);
            if mesh_index % 2 == 1 {
                make_extreme(&mut mesh.base, &mut random);
            }
            let (palette, signs) = (rigs::sheared_matrices(JOINTS, &mut random), mesh.signs());
            let blocks = mesh.base.len() / BLOCK;
            let vertices = mesh.base.len() - random.below(BLOCK);
            let cut = random.below(blocks + 1);
            for shared in 0..3 {
                let segments = mesh.segments(|index| [false, true, index % 2 == 0][shared]);
                let source = SkinSource::Segments(&segments);
                let input = Input { palette: &palette, source, signs: &signs, blocks, vertices };
                for layout in layouts() {
                    if !stores_directly(run.kernels, &layout) {
                        continue;
                    }
                    let expected = input.by_blocks(run.oracle(), &layout, &[]);
                    let windows = [0..cut, cut..blocks, blocks..blocks];
                    for windows in [std::slice::from_ref(&(0..blocks)), &windows] {
                        let found = input.directly(run.kernels, &layout, windows);
                        assert!(found == expected, "{run}: {layout:?} {windows:?}");
                    }
                }
            }
        }
    });
}

#[test]
fn runs_in_any_order_have_the_bytes_of_blocks_and_what_no_run_covers_is_kept() {
    every_backend(|run| {
        let mut random = Random::new(601);
        for influences in [1, 2, 3, 4, 5, 7] {
            let mut runs = SharedJointsInput::new(12, influences, &mut random);
            let blocks = runs.blocks();
            // Backwards, without the first run and without the one that ends with the last block.
            let mut joints: Vec<&[u32]> = runs.joints.chunks(influences).collect();
            joints.reverse();
            runs.joints = joints.concat();
            runs.runs.reverse();
            let covered = |run: &Run, block: usize| {
                (run.first as usize..(run.first + run.blocks) as usize).contains(&block)
            };
            let mut signs = Vec::new();
            for _ in 0..blocks {
                signs.push(ScalarBlock(std::array::from_fn(|_| [1.0, -1.0][random.below(2)])));
            }
            for lacking in [false, true] {
                let (own_runs, own_joints) = match lacking {
                    true => {
                        let last = runs.runs.iter().position(|run| covered(run, blocks - 1)).expect("a run");
                        let joints: Vec<u32> = runs.joints[influences * (last + 1)..].to_vec();
                        (&runs.runs[last + 1..], joints)
                    }
                    false => (&runs.runs[..], runs.joints.clone()),
                };
                let skipped: Vec<usize> =
                    (0..blocks).filter(|&block| !own_runs.iter().any(|run| covered(run, block))).collect();
                assert_eq!(skipped.is_empty(), !lacking);
                let weights = &runs.weights;
                let groups = [RunGroup { influences, runs: own_runs, joints: &own_joints, weights }];
                let source =
                    SkinSource::Runs { groups: &groups, base: &runs.base, base_vectors: BASE_VECTORS };
                for (signs, vertices) in [(&signs[..], BLOCK * blocks), (&[], BLOCK * blocks - 3)] {
                    let input = Input { palette: &runs.palette, source, signs, blocks, vertices };
                    let cut = random.below(blocks);
                    for layout in layouts() {
                        if !stores_directly(run.kernels, &layout) {
                            continue;
                        }
                        let expected = input.by_blocks(run.oracle(), &layout, &skipped);
                        for windows in [[0..0, 0..blocks], [cut..blocks, 0..cut]] {
                            let found = input.directly(run.kernels, &layout, &windows);
                            assert!(found == expected, "{run}: {influences} influences, {layout:?}");
                        }
                    }
                }
            }
        }
    });
}

#[test]
fn numbers_that_are_not_finite_become_what_stored_blocks_have() {
    every_backend(|run| {
        let numbers = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -1.5, 65520.0, 1e-7, 0.25];
        let base = [1.0, 0.0, 1.0].map(|fourth| numbers.map(|x| [x, 0.5, -0.5, fourth]));
        let mut segments = sinew_kernels::Segments::new(3);
        // By columns, then with shared joints.
        let pairs: Vec<[f32; 4]> = (0..BLOCK).flat_map(|i| (0..3).map(move |v| base[v][i])).collect();
        segments.push_columns(1, &[0; BLOCK], &[1.0; BLOCK], &pairs);
        let rows: Vec<VectorBlock> = base
            .iter()
            .map(|vectors| {
                let mut block = VectorBlock::default();
                vectors.iter().enumerate().for_each(|(i, &[x, y, z, _])| block.set_vector(i, [x, y, z]));
                block
            })
            .collect();
        segments.push_shared(&[0], &[], &rows);
        let source = SkinSource::Segments(&segments);
        let palette = &[Matrix::IDENTITY];
        let input = Input { palette, source, signs: &[], blocks: 2, vertices: 2 * BLOCK };
        for layout in layouts() {
            if !stores_directly(run.kernels, &layout) {
                continue;
            }
            let expected = input.by_blocks(run.oracle(), &layout, &[]);
            let found = input.directly(run.kernels, &layout, &[0..1, 1..2]);
            let [found, expected] = [found, expected].map(|words| with_equal_nans(&layout, &words));
            assert!(found == expected, "{run}: {layout:?}: {found:x?} {expected:x?}");
        }
    });
}

/// The bytes of vertices, with every float and half that is NaN replaced by the same one: the sign of
/// a NaN that comes from an infinity depends on the CPU.
fn with_equal_nans(layout: &VertexLayout, words: &[u32]) -> Vec<u8> {
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    for attribute in VertexAttribute::ALL.into_iter().filter_map(|attribute| layout.attribute(attribute)) {
        let numbers = (0..).map(|vertex| vertex * attribute.stride + attribute.offset);
        for start in numbers.take_while(|start| start + attribute.format.size() <= words.len() * 4) {
            let own = &mut bytes[start..start + attribute.format.size()];
            match attribute.format {
                VertexFormat::Float16x4 => {
                    for half in own.as_chunks_mut::<2>().0 {
                        if u16::from_le_bytes(*half) & 0x7FFF > 0x7C00 {
                            *half = 0x7E00_u16.to_le_bytes();
                        }
                    }
                }
                VertexFormat::Float32x3 | VertexFormat::Float32x4 => {
                    for float in own.as_chunks_mut::<4>().0 {
                        if f32::from_le_bytes(*float).is_nan() {
                            *float = f32::NAN.to_le_bytes();
                        }
                    }
                }
                _ => {}
            }
        }
    }
    bytes
}

#[test]
fn other_layouts_are_not_direct() {
    use sinew_kernels::FourthComponent;
    use {VertexAttribute::*, VertexFormat::*};
    let two = |a, b| VertexLayout::interleaved(40).with(Position, a, 0).with(Normal, b, 8);
    let halves = two(Float16x4, Float16x4);
    let direct = |layout: VertexLayout| {
        let mut buffers = vec![[0_u32; 20]; layout.buffers()];
        let writer = VertexWriter::new(&layout, buffers.iter_mut().map(|buffer| &mut buffer[..]), 1);
        writer.expect("sound buffers").is_direct_format()
    };
    assert!(direct(halves) && direct(two(Float16x4, Snorm16x4)));
    assert!(direct(halves.with(Tangent, Float16x4, 16)));
    assert!(direct(halves.with(Normal, Snorm16x4, 16).with(Tangent, Snorm16x4, 24)));
    assert!(!direct(two(Float16x4, Snorm8x4)), "twelve bytes");
    assert!(!direct(halves.with(Normal, Float16x4, 16)), "eight bytes of directions apart");
    assert!(!direct(two(Float16x4, Snorm16x2Octahedral)), "octahedral encoding");
    assert!(!direct(halves.with(Normal, Float32x3, 8)), "directions of floats");
    assert!(!direct(two(Snorm16x4, Snorm16x4)), "normalized positions");
    assert!(!direct(VertexLayout::interleaved(8).with(Position, Float16x4, 0)), "positions alone");
    assert!(!direct(halves.with(Tangent, Snorm16x4, 16)), "two formats of directions");
    assert!(!direct(halves.with(Tangent, Float16x4, 24)), "a gap");
    assert!(!direct(halves.with(Normal, Float16x4, 16).with(Tangent, Float16x4, 8)), "another order");
    assert!(!direct(halves.with_fourth(Normal, FourthComponent::One)), "another fourth component");
    assert!(!direct(halves.with(Tangent, Float16x4, 16).with(Bitangent, Float16x4, 24)), "bitangents");
    assert!(!direct(VertexLayout::interleaved(40).with(Normal, Float16x4, 0)), "no positions");
    let separate = VertexLayout::separate().with(Position, Float16x4, 0).with(Normal, Float16x4, 8);
    assert!(!direct(separate.with_stride(Normal, 16)), "two buffers");
}
