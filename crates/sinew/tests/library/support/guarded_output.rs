//! Output memory of every layout, surrounded by guard values.

use std::ops::Range;

use sinew::mesh::VectorBlock;
use sinew::skinning::{VertexAttribute, VertexFormat, VertexLayout, VertexOrder, VertexOutput, VertexWriter};
use sinew_testkit::guarded::{Guard, Guarded};

/// A layout of output memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OutputKind {
    Blocks,
    NonTemporalBlocks,
    Streams,
    Packed,
    Interleaved { stride: usize, offsets: [usize; 4] },
}

impl OutputKind {
    /// All layouts with room for `vectors` vectors of a vertex. Kernels write the first two
    /// interleaved ones directly.
    pub(crate) fn every_kind(vectors: usize) -> Vec<Self> {
        let mut kinds = vec![Self::Blocks, Self::NonTemporalBlocks, Self::Streams, Self::Packed];
        let interleaved: [(usize, [usize; 4]); 10] = [
            (8, [0, 3, 8, 8]),
            (12, [0, 3, 6, 12]),
            (3, [0, 3, 3, 3]),
            (6, [3, 0, 6, 6]),
            (10, [0, 3, 6, 10]),
            (13, [0, 3, 6, 10]),
            (17, [13, 0, 7, 4]),
            (16, [0, 4, 8, 12]),
            (15, [5, 12, 8, 1]),
            (29, [20, 1, 24, 7]),
        ];
        for (stride, offsets) in interleaved {
            let kind = Self::Interleaved { stride, offsets };
            let fits = |vector: usize| offsets[vector] + kind.width(vector) <= stride;
            if (0..vectors).all(fits) {
                kinds.push(kind);
            }
        }
        kinds
    }

    /// Whether vertices can be written in this order.
    pub(crate) fn supports(self, order: VertexOrder) -> bool {
        order == VertexOrder::Run || !matches!(self, Self::Blocks | Self::NonTemporalBlocks)
    }

    /// An interleaved layout, with the tangent's sign.
    fn layout(self, vectors: usize) -> VertexLayout {
        let Self::Interleaved { stride, offsets } = self else { panic!("not interleaved") };
        let mut layout = VertexLayout::interleaved(4 * stride);
        for (vector, &offset) in offsets.iter().enumerate().take(vectors) {
            let format = if vector == 2 { VertexFormat::Float32x4 } else { VertexFormat::Float32x3 };
            layout = layout.with(VertexAttribute::ALL[vector], format, 4 * offset);
        }
        layout
    }

    /// The number of floats of one vector of a vertex.
    fn width(self, vector: usize) -> usize {
        if vector == 2 && matches!(self, Self::Interleaved { .. }) { 4 } else { 3 }
    }
}

/// Output memory for some vertices.
pub(crate) struct GuardedOutput {
    kind: OutputKind,
    vectors: usize,
    vertices: usize,
    blocks: Guarded<VectorBlock>,
    /// One for each stream or packed array, or the one interleaved buffer.
    floats: Vec<Guarded<f32>>,
}

impl GuardedOutput {
    /// Memory for `vertices` vertices. For blocks this is a multiple of eight.
    pub(crate) fn new(kind: OutputKind, vectors: usize, vertices: usize) -> Self {
        let blocks = match kind {
            OutputKind::Blocks | OutputKind::NonTemporalBlocks => vertices / 8 * vectors,
            _ => 0,
        };
        let (arrays, len) = match kind {
            OutputKind::Blocks | OutputKind::NonTemporalBlocks => (0, 0),
            OutputKind::Streams => (3 * vectors, vertices),
            OutputKind::Packed => (vectors, 3 * vertices),
            OutputKind::Interleaved { stride, .. } => (1, stride * vertices),
        };
        let floats = (0..arrays).map(|array| Guarded::new(len, 1 + 2 * array)).collect();
        Self { kind, vectors, vertices, blocks: Guarded::new(blocks, 3), floats }
    }

    /// The memory as an output to skin into: of all vertices, or of a window of blocks.
    pub(crate) fn output(&mut self, window: Option<Range<usize>>) -> VertexOutput<'_> {
        let (vectors, vertices) = (self.vectors, self.vertices);
        let part = |per_vertex: usize, len: usize| match &window {
            Some(window) => (8 * per_vertex * window.start).min(len)..(8 * per_vertex * window.end).min(len),
            None => 0..len,
        };
        let part_len = part(1, vertices).len();
        let block_range = match &window {
            Some(window) => vectors * window.start..vectors * window.end,
            None => 0..self.blocks.len(),
        };
        match self.kind {
            OutputKind::Blocks => VertexOutput::Blocks(&mut self.blocks[block_range]),
            OutputKind::NonTemporalBlocks => VertexOutput::NonTemporalBlocks(&mut self.blocks[block_range]),
            OutputKind::Streams => {
                let mut streams: [&mut [f32]; 12] = Default::default();
                for (stream, floats) in streams.iter_mut().zip(&mut self.floats) {
                    let part = part(1, floats.len());
                    *stream = &mut floats[part];
                }
                VertexOutput::Streams(streams)
            }
            OutputKind::Packed => {
                let buffers = self.floats.iter_mut().map(|floats| {
                    let part = part(3, floats.len());
                    &mut floats[part]
                });
                let writer = VertexWriter::new(&VertexLayout::packed(vectors), buffers, part_len);
                VertexOutput::Buffers(writer.expect("sound buffers"))
            }
            OutputKind::Interleaved { stride, .. } => {
                let layout = self.kind.layout(vectors);
                let part = part(stride, self.floats[0].len());
                let writer = VertexWriter::new(&layout, [&mut self.floats[0][part]], part_len);
                VertexOutput::Buffers(writer.expect("a sound buffer"))
            }
        }
    }

    /// A vector of a vertex or slot. An interleaved tangent has its sign as fourth component.
    pub(crate) fn vector(&self, vertex: usize, vector: usize) -> Vec<f32> {
        match self.kind {
            OutputKind::Blocks | OutputKind::NonTemporalBlocks => {
                self.blocks[vertex / 8 * self.vectors + vector].vector(vertex % 8).to_vec()
            }
            OutputKind::Streams => (0..3).map(|axis| self.floats[3 * vector + axis][vertex]).collect(),
            OutputKind::Packed => self.floats[vector][3 * vertex..3 * vertex + 3].to_vec(),
            OutputKind::Interleaved { stride, offsets } => {
                let from = stride * vertex + offsets[vector];
                self.floats[0][from..from + self.kind.width(vector)].to_vec()
            }
        }
    }

    /// Asserts that nothing was written before, after and between the vectors.
    #[track_caller]
    pub(crate) fn assert_guards_intact(&self) {
        self.blocks.check();
        self.floats.iter().for_each(Guarded::check);
        if let OutputKind::Interleaved { stride, offsets } = self.kind {
            let inside = |offset: usize, vector: usize| {
                (offsets[vector]..offsets[vector] + self.kind.width(vector)).contains(&offset)
            };
            let between: Vec<usize> = (0..stride)
                .filter(|&offset| !(0..self.vectors).any(|vector| inside(offset, vector)))
                .collect();
            for (vertex, floats) in self.floats[0].chunks(stride).enumerate() {
                for &offset in &between {
                    assert_eq!(floats[offset], f32::GUARD, "float {offset} of vertex {vertex} was written");
                }
            }
        }
    }

    /// Asserts that nothing was written at all.
    #[track_caller]
    pub(crate) fn assert_untouched(&self) {
        self.assert_guards_intact();
        assert!(self.blocks.iter().all(|block| *block == VectorBlock::GUARD), "a block was written");
        assert!(self.floats.iter().flat_map(|floats| floats.iter()).all(|float| *float == f32::GUARD));
    }
}
