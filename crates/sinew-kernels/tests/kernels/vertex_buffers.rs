//! Storing blocks in vertex buffers of any layout: every attribute in its format, and no other byte
//! is changed.

use std::ops::Range;

use sinew_kernels::reference::number_to_half;
use sinew_kernels::{
    BLOCK, BitangentSource, DirectionLength, FourthComponent, Kernels, ScalarBlock, StoreOutput,
    StoreVertices, VectorBlock, VertexAttribute, VertexFormat, VertexLayout, VertexWriter,
};
use sinew_testkit::backends::{EMULATED, every_backend};
use sinew_testkit::random::Random;

const FORMATS: [VertexFormat; 6] = [
    VertexFormat::Float32x3,
    VertexFormat::Float32x4,
    VertexFormat::Float16x4,
    VertexFormat::Snorm16x4,
    VertexFormat::Snorm16x2Octahedral,
    VertexFormat::Snorm8x4,
];

const FOURTHS: [FourthComponent; 3] =
    [FourthComponent::Zero, FourthComponent::One, FourthComponent::TangentSign];

/// Each number of vectors, and each source of bitangents.
const KINDS: [(usize, BitangentSource); 6] = [
    (1, BitangentSource::AsSkinned),
    (2, BitangentSource::AsSkinned),
    (3, BitangentSource::AsSkinned),
    (4, BitangentSource::AsSkinned),
    (3, BitangentSource::FromSigns(DirectionLength::AsBlended)),
    (3, BitangentSource::FromSigns(DirectionLength::Unit)),
];

/// Vertices to store.
struct Vertices {
    len: usize,
    blocks: Vec<VectorBlock>,
    vectors: usize,
    signs: Vec<ScalarBlock>,
    directions: DirectionLength,
    bitangents: BitangentSource,
    /// A permutation of the slots.
    remap: Option<Vec<u32>>,
}

impl Vertices {
    fn new(len: usize, random: &mut Random) -> Self {
        let (vectors, bitangents) = KINDS[random.below(KINDS.len())];
        let blocks = len.div_ceil(BLOCK);
        let mut vector_blocks = vec![VectorBlock::default(); blocks * vectors];
        for block in &mut vector_blocks {
            for lane in 0..BLOCK {
                block.set_vector(lane, random.vector(1.2));
            }
        }
        let mut sign = || if random.below(2) == 0 { 1.0 } else { -1.0 };
        let signs = (0..blocks).map(|_| ScalarBlock(std::array::from_fn(|_| sign()))).collect();
        let mut remap: Vec<u32> = (0..(BLOCK * blocks) as u32).collect();
        for slot in (1..remap.len()).rev() {
            remap.swap(slot, random.below(slot + 1));
        }
        let signs = if random.once_in(4) { Vec::new() } else { signs };
        let directions = if random.once_in(4) { DirectionLength::Unit } else { DirectionLength::AsBlended };
        let remap = random.once_in(3).then_some(remap);
        Self { len, blocks: vector_blocks, vectors, signs, directions, bitangents, remap }
    }

    fn output_vectors(&self) -> usize {
        self.vectors + usize::from(self.bitangents != BitangentSource::AsSkinned)
    }

    fn store(&self, kernels: &Kernels, layout: StoreOutput<'_>) {
        kernels.store_vertices(StoreVertices {
            blocks: &self.blocks,
            vectors: self.vectors,
            signs: &self.signs,
            directions: self.directions,
            bitangents: self.bitangents,
            layout,
            remap: self.remap.as_deref(),
            bounds: None,
        });
    }

    /// The blocks with what is computed.
    fn stored_blocks(&self, kernels: &Kernels) -> Vec<VectorBlock> {
        let mut to = vec![VectorBlock::default(); self.blocks.len() / self.vectors * self.output_vectors()];
        self.store(kernels, StoreOutput::Blocks(&mut to));
        to
    }

    fn sign(&self, slot: usize) -> f32 {
        self.signs.get(slot / BLOCK).map_or(1.0, |signs| signs.0[slot % BLOCK])
    }
}

/// A random sound layout with some of the first `vectors` attributes.
fn random_layout(vectors: usize, random: &mut Random) -> VertexLayout {
    loop {
        let interleaved = random.below(3) > 0;
        let mut layout = match interleaved {
            true => VertexLayout::interleaved(12 + random.below(85)),
            false => VertexLayout::separate(),
        };
        let tight = random.once_in(2);
        let mut next = 0;
        for attribute in VertexAttribute::ALL.into_iter().take(vectors) {
            if random.once_in(4) {
                continue;
            }
            // Half of them floats, which touch more than themselves.
            let formats = if random.once_in(2) { 2 } else { FORMATS.len() };
            let format = FORMATS[random.below(formats)];
            let offset = if interleaved && tight { next } else { random.below(48) };
            next += format.size();
            layout = layout.with(attribute, format, offset);
            if !interleaved && random.once_in(2) {
                layout = layout.with_stride(attribute, 4 + random.below(60));
            }
            if random.once_in(3) {
                layout = layout.with_fourth(attribute, FOURTHS[random.below(3)]);
            }
        }
        if interleaved && tight && random.once_in(2) {
            layout = layout.with_stride(VertexAttribute::Position, next.max(4));
        }
        if layout.check().is_ok() {
            return layout;
        }
    }
}

/// Bytes of a buffer in the midst of others, at an address that suits the layout.
struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    len: usize,
}

/// Bytes before and behind a buffer.
const AROUND: usize = 40;

impl Buffer {
    fn new(layout: &VertexLayout, buffer: usize, vertices: usize, random: &mut Random) -> Self {
        let own = VertexAttribute::ALL.into_iter().filter_map(|attribute| layout.attribute(attribute));
        let own = own.filter(|attribute| attribute.buffer == buffer);
        let alignment = own.map(|attribute| attribute.format.alignment()).max().unwrap_or(1);
        let len = layout.buffer_len(buffer, vertices) + random.below(2) * random.below(40);
        let shift = alignment * random.below(5);
        let content: Vec<u8> = (0..len + 2 * AROUND).map(|_| random.bits() as u8).collect();
        // The content begins where the buffer will be at a multiple of 16, and the shift more.
        let mut bytes = vec![0; content.len() + 16 + shift];
        let start = bytes[AROUND..].as_ptr().align_offset(16) + shift;
        bytes.truncate(start + content.len());
        bytes[start..].copy_from_slice(&content);
        Self { bytes, start, len }
    }

    fn used(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start + AROUND..][..self.len]
    }

    /// The bytes, and those around them.
    fn content(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

/// The bytes of an attribute, from the definition of its format.
fn expected_bytes(format: VertexFormat, [x, y, z]: [f32; 3], w: f32) -> Vec<u8> {
    let normalized = |x: f32, largest: f32| (x * largest).clamp(-largest, largest).round_ties_even() as i16;
    let four = [x, y, z, w];
    match format {
        VertexFormat::Float32x3 => [x, y, z].iter().flat_map(|x| x.to_le_bytes()).collect(),
        VertexFormat::Float32x4 => four.iter().flat_map(|x| x.to_le_bytes()).collect(),
        VertexFormat::Float16x4 => four.iter().flat_map(|&x| number_to_half(x).to_le_bytes()).collect(),
        VertexFormat::Snorm16x4 => four.iter().flat_map(|&x| normalized(x, 32767.0).to_le_bytes()).collect(),
        VertexFormat::Snorm8x4 => four.iter().map(|&x| normalized(x, 127.0) as u8).collect(),
        VertexFormat::Snorm16x2Octahedral => {
            let scale = 1.0 / (x.abs() + y.abs() + z.abs());
            let (mut u, mut v) = (x * scale, y * scale);
            if z < 0.0 {
                (u, v) = ((1.0 - v.abs()).copysign(u), (1.0 - u.abs()).copysign(v));
            }
            [u, v].iter().flat_map(|&x| normalized(x, 32767.0).to_le_bytes()).collect()
        }
        _ => unreachable!("all formats are listed"),
    }
}

/// Writes into the buffers what storing the vertices should.
fn store_expected(
    vertices: &Vertices,
    layout: &VertexLayout,
    blocks: &[VectorBlock],
    buffers: &mut [Buffer],
) {
    for attribute in VertexAttribute::ALL {
        let Some(own) = layout.attribute(attribute) else { continue };
        for slot in 0..BLOCK * vertices.len.div_ceil(BLOCK) {
            let vertex = vertices.remap.as_ref().map_or(slot, |remap| remap[slot] as usize);
            if vertex >= vertices.len {
                continue;
            }
            let block = &blocks[slot / BLOCK * vertices.output_vectors() + attribute as usize];
            let w = match own.fourth {
                FourthComponent::Zero => 0.0,
                FourthComponent::One => 1.0,
                FourthComponent::TangentSign => vertices.sign(slot),
            };
            let bytes = expected_bytes(own.format, block.vector(slot % BLOCK), w);
            let from = vertex * own.stride + own.offset;
            buffers[own.buffer].used()[from..from + bytes.len()].copy_from_slice(&bytes);
        }
    }
}

#[test]
fn random_layouts_are_stored_as_their_formats_say() {
    let random = &mut Random::new(1);
    for case in 0..if EMULATED { 300 } else { 5_000 } {
        // Now and then more than a tile.
        let len = if case % 100 == 99 { 999 } else { case % 71 };
        let vertices = Vertices::new(len, random);
        let layout = random_layout(vertices.output_vectors(), random);
        let seed = random.bits();
        every_backend(|run| {
            let buffers = || -> Vec<Buffer> {
                let random = &mut Random::new(seed);
                (0..layout.buffers()).map(|b| Buffer::new(&layout, b, vertices.len, random)).collect()
            };
            let (mut found, mut expected) = (buffers(), buffers());
            let writer = VertexWriter::new(&layout, found.iter_mut().map(Buffer::used), vertices.len);
            vertices.store(run.kernels, StoreOutput::Buffers(writer.expect("a sound layout").into_parts()));
            let blocks = vertices.stored_blocks(run.kernels);
            store_expected(&vertices, &layout, &blocks, &mut expected);
            for (found, expected) in found.iter().zip(&expected) {
                let (len, remapped) = (vertices.len, vertices.remap.is_some());
                assert!(
                    found.content() == expected.content(),
                    "{run}: {len} vertices, remapped: {remapped}, {layout:?}"
                );
            }
        });
    }
}

#[test]
fn slices_of_a_writer_are_stored_apart() {
    let random = &mut Random::new(2);
    for case in 0..if EMULATED { 50 } else { 500 } {
        let vertices = Vertices { remap: None, ..Vertices::new(1 + case % 71, random) };
        let layout = random_layout(vertices.output_vectors(), random);
        let split = random.below(vertices.blocks.len() / vertices.vectors + 1);
        let seed = random.bits();
        every_backend(|run| {
            let buffers = || -> Vec<Buffer> {
                let random = &mut Random::new(seed);
                (0..layout.buffers()).map(|b| Buffer::new(&layout, b, vertices.len, random)).collect()
            };
            let (mut whole, mut apart) = (buffers(), buffers());
            let writer = VertexWriter::new(&layout, whole.iter_mut().map(Buffer::used), vertices.len);
            vertices.store(run.kernels, StoreOutput::Buffers(writer.expect("a sound layout").into_parts()));
            let writer = VertexWriter::new(&layout, apart.iter_mut().map(Buffer::used), vertices.len);
            let mut writer = writer.expect("a sound layout");
            // The second part first: neither may touch the other.
            let all = vertices.blocks.len() / vertices.vectors;
            for Range { start, end } in [split..all, 0..split] {
                let signs = if vertices.signs.is_empty() { &[] } else { &vertices.signs[start..end] };
                run.kernels.store_vertices(StoreVertices {
                    blocks: &vertices.blocks[start * vertices.vectors..end * vertices.vectors],
                    vectors: vertices.vectors,
                    signs,
                    directions: vertices.directions,
                    bitangents: vertices.bitangents,
                    layout: StoreOutput::Buffers(writer.slice(BLOCK * start..BLOCK * end).into_parts()),
                    remap: None,
                    bounds: None,
                });
            }
            for (whole, apart) in whole.iter().zip(&apart) {
                assert!(whole.content() == apart.content(), "{run}: {split}, {layout:?}");
            }
        });
    }
}
