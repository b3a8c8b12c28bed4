//! Memory of every form between guards, and what was written there.

use std::ops::Range;

use sinew::{Order, VectorBlock, VertexLayout};
use sinew_testkit::guarded::{Guard, Guarded};

/// Which form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Blocks,
    NonTemporalBlocks,
    Streams,
    Packed,
    Interleaved { stride: usize, offsets: [usize; 4] },
}

impl Kind {
    /// All that hold so many vectors. Kernels write the first two interleaved ones themselves.
    pub(crate) fn every(vectors: usize) -> Vec<Self> {
        let mut every = vec![Self::Blocks, Self::NonTemporalBlocks, Self::Streams, Self::Packed];
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
                every.push(kind);
            }
        }
        every
    }

    /// Whether vertices can be in this order.
    pub(crate) fn allows(self, order: Order) -> bool {
        order == Order::Run || !matches!(self, Self::Blocks | Self::NonTemporalBlocks)
    }

    /// Floats of one vector of a vertex.
    fn width(self, vector: usize) -> usize {
        if vector == 2 && matches!(self, Self::Interleaved { .. }) { 4 } else { 3 }
    }
}

/// Room for some vertices.
pub(crate) struct Memory {
    kind: Kind,
    vectors: usize,
    blocks: Guarded<VectorBlock>,
    /// For each stream, each packed array, or the one interleaved buffer.
    floats: Vec<Guarded<f32>>,
}

impl Memory {
    /// For as many vertices: whole blocks of them, where the form is blocks.
    pub(crate) fn new(kind: Kind, vectors: usize, vertices: usize) -> Self {
        let blocks = match kind {
            Kind::Blocks | Kind::NonTemporalBlocks => vertices / 8 * vectors,
            _ => 0,
        };
        let (arrays, len) = match kind {
            Kind::Blocks | Kind::NonTemporalBlocks => (0, 0),
            Kind::Streams => (3 * vectors, vertices),
            Kind::Packed => (vectors, 3 * vertices),
            Kind::Interleaved { stride, .. } => (1, stride * vertices),
        };
        let floats = (0..arrays).map(|array| Guarded::new(len, 1 + 2 * array)).collect();
        Self { kind, vectors, blocks: Guarded::new(blocks, 3), floats }
    }

    /// The form of the vertices, or of a window of blocks of them.
    pub(crate) fn form(&mut self, window: Option<Range<usize>>) -> VertexLayout<'_> {
        let vectors = self.vectors;
        let part = |per_place: usize, len: usize| match &window {
            Some(window) => 8 * per_place * window.start..8 * per_place * window.end,
            None => 0..len,
        };
        let of_blocks = match &window {
            Some(window) => vectors * window.start..vectors * window.end,
            None => 0..self.blocks.len(),
        };
        match self.kind {
            Kind::Blocks => VertexLayout::Blocks(&mut self.blocks[of_blocks]),
            Kind::NonTemporalBlocks => VertexLayout::NonTemporalBlocks(&mut self.blocks[of_blocks]),
            Kind::Streams => {
                let mut streams: [&mut [f32]; 12] = Default::default();
                for (stream, floats) in streams.iter_mut().zip(&mut self.floats) {
                    let part = part(1, floats.len());
                    *stream = &mut floats[part];
                }
                VertexLayout::Streams(streams)
            }
            Kind::Packed => {
                let mut arrays: [&mut [[f32; 3]]; 4] = Default::default();
                for (array, floats) in arrays.iter_mut().zip(&mut self.floats) {
                    let part = part(3, floats.len());
                    *array = floats[part].as_chunks_mut().0;
                }
                VertexLayout::Packed(arrays)
            }
            Kind::Interleaved { stride, offsets } => {
                let part = part(stride, self.floats[0].len());
                VertexLayout::Interleaved { floats: &mut self.floats[0][part], stride, offsets }
            }
        }
    }

    /// A vector of a vertex, or of a place; an interleaved tangent with its sign.
    pub(crate) fn vector(&self, vertex: usize, vector: usize) -> Vec<f32> {
        match self.kind {
            Kind::Blocks | Kind::NonTemporalBlocks => {
                self.blocks[vertex / 8 * self.vectors + vector].vector(vertex % 8).to_vec()
            }
            Kind::Streams => (0..3).map(|axis| self.floats[3 * vector + axis][vertex]).collect(),
            Kind::Packed => self.floats[vector][3 * vertex..3 * vertex + 3].to_vec(),
            Kind::Interleaved { stride, offsets } => {
                let from = stride * vertex + offsets[vector];
                self.floats[0][from..from + self.kind.width(vector)].to_vec()
            }
        }
    }

    /// Demands that nothing was written before, behind and between the vertices.
    #[track_caller]
    pub(crate) fn check(&self) {
        self.blocks.check();
        self.floats.iter().for_each(Guarded::check);
        if let Kind::Interleaved { stride, offsets } = self.kind {
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

    /// Demands that nothing was written at all.
    #[track_caller]
    pub(crate) fn check_untouched(&self) {
        self.check();
        assert!(self.blocks.iter().all(|block| *block == VectorBlock::GUARD), "a block was written");
        assert!(self.floats.iter().flat_map(|floats| floats.iter()).all(|float| *float == f32::GUARD));
    }
}
