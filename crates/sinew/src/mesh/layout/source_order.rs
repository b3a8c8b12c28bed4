//! The vertices in source order, as segments that share joints and segments of columns.
//!
//! A vertex of a mesh is often repeated, along seams of texture coordinates or normals. Its copies
//! must be skinned to the same bits, or cracks open. So what a vertex is blended of depends on
//! nothing but itself, whatever segment it is in: its joints in ascending order, each with its
//! weight. A joint that only other vertices of a segment need has weight zero.

use std::ops::Range;

use sinew_kernels::{BLOCK, NO_JOINT, ScalarBlock, Segments, VectorBlock};

use super::segment_planner::{BlockNeeds, PlannedSegment, SegmentPlanner, SharedJoints};
use super::source_costs::{MAX_COLUMNS, SourceCosts};
use crate::mesh::base_vectors::BaseVectors;
use crate::mesh::influences::{Ascending, VertexInfluences};

/// The most blocks of one segment: its data is put together in a near cache.
const MAX_BLOCKS: usize = 256;

/// Builds segments. Not for joint-space influences.
pub(crate) fn build_source_order(
    influences: &VertexInfluences,
    base: BaseVectors<'_>,
    costs: &'static SourceCosts,
) -> Segments {
    let source = SourceVertices { influences, base };
    build_segments(source, source.plan_segments(costs))
}

/// Builds the segments of a plan.
pub(super) fn build_segments(source: SourceVertices<'_>, plan: SegmentPlanner) -> Segments {
    let mut segments = Segments::new(source.base.len());
    let mut builder = SegmentBuilder::new(source);
    for segment in plan.finish() {
        builder.build(segment, |piece| piece.push_to(&mut segments));
    }
    segments.shrink();
    segments
}

/// The vertices in source order, in blocks of eight.
#[derive(Clone, Copy)]
pub(super) struct SourceVertices<'a> {
    pub(super) influences: &'a VertexInfluences,
    pub(super) base: BaseVectors<'a>,
}

impl SourceVertices<'_> {
    pub(super) fn blocks(&self) -> usize {
        self.base.vertices().div_ceil(BLOCK)
    }

    /// The vertices of a block. The last vertex is repeated to fill the last one.
    #[inline(always)]
    fn vertices_of(&self, block: usize) -> [u32; BLOCK] {
        let last = self.base.vertices() - 1;
        std::array::from_fn(|lane| (BLOCK * block + lane).min(last) as u32)
    }

    /// Plans the cheapest cut into segments.
    pub(super) fn plan_segments(&self, costs: &'static SourceCosts) -> SegmentPlanner {
        let mut planner = SegmentPlanner::new(costs, self.blocks(), self.column_influences().into_iter());
        (0..self.blocks()).for_each(|block| planner.push(&self.needs(block)));
        planner
    }

    /// The numbers of influences that a block of columns may need.
    fn column_influences(&self) -> Vec<usize> {
        let mut is_there = [false; MAX_COLUMNS + 1];
        for vertex in 0..self.base.vertices() {
            if let Some(there) = is_there.get_mut(self.columns_of(vertex)) {
                *there = true;
            }
        }
        (1..=MAX_COLUMNS).filter(|&influences| is_there[influences]).collect()
    }

    /// What a block needs.
    pub(super) fn needs(&self, block: usize) -> BlockNeeds {
        let mut shared = SharedJoints::EMPTY;
        let (mut fits, mut influences) = (true, 0);
        let mut before: &[u32] = &[];
        for vertex in self.block_range(block..block + 1) {
            let joints = self.influences.joints(vertex);
            influences = influences.max(self.columns_of(vertex));
            shared.weighted |= self.is_weighted(vertex);
            // Neighbors often have the same joints.
            if fits && !joints.iter().eq(before) {
                fits = joints.iter().all(|&joint| shared.insert(joint));
                before = joints;
            }
        }
        BlockNeeds { shared: fits.then_some(shared), influences }
    }

    /// The number of influences that a vertex needs as columns. A single weight that is not one
    /// needs two.
    #[inline(always)]
    fn columns_of(&self, vertex: usize) -> usize {
        self.influences.count(vertex).max(1 + usize::from(self.is_weighted(vertex)))
    }

    /// Whether a vertex has other weights than a single one of exactly one.
    #[inline(always)]
    fn is_weighted(&self, vertex: usize) -> bool {
        let weights = self.influences.weights(vertex);
        weights.len() != 1 || weights[0] != 1.0
    }

    /// The vertices of some blocks, without repeated ones.
    fn block_range(&self, blocks: Range<usize>) -> Range<usize> {
        BLOCK * blocks.start..(BLOCK * blocks.end).min(self.base.vertices())
    }
}

/// The data of a segment.
pub(super) enum Piece<'a> {
    Shared { joints: &'a [u32], weights: &'a [ScalarBlock], base: &'a [VectorBlock] },
    Columns { influences: usize, joints: &'a [u32], weights: &'a [f32], base: &'a [[f32; 4]] },
}

impl Piece<'_> {
    fn push_to(self, segments: &mut Segments) {
        match self {
            Self::Shared { joints, weights, base } => segments.push_shared(joints, weights, base),
            Self::Columns { influences, joints, weights, base } => {
                segments.push_columns(influences, joints, weights, base);
            }
        }
    }
}

/// Puts the data of segments together, in memory that is used again.
pub(super) struct SegmentBuilder<'a> {
    source: SourceVertices<'a>,
    joints: Vec<u32>,
    /// The row of weights of each joint of the skin, or `NO_ROW`.
    row_of_joint: Vec<u32>,
    shared_weights: Vec<ScalarBlock>,
    shared_base: Vec<VectorBlock>,
    column_weights: Vec<f32>,
    column_base: Vec<[f32; 4]>,
    /// A joint, then its weight.
    ascending: Ascending<u64>,
}

/// The row of a joint that a segment does not share.
const NO_ROW: u32 = u32::MAX;

impl<'a> SegmentBuilder<'a> {
    pub(super) fn new(source: SourceVertices<'a>) -> Self {
        Self {
            source,
            joints: Vec::new(),
            row_of_joint: vec![NO_ROW; source.influences.skin_len()],
            shared_weights: Vec::new(),
            shared_base: Vec::new(),
            column_weights: Vec::new(),
            column_base: Vec::new(),
            ascending: Ascending::new(u64::MAX),
        }
    }

    /// Builds a planned segment, in parts of at most [`MAX_BLOCKS`] blocks.
    pub(super) fn build(&mut self, segment: PlannedSegment, mut push: impl FnMut(Piece<'_>)) {
        let (mut first, end) = (segment.first, segment.first + segment.blocks);
        while first < end {
            let blocks = first..end.min(first + MAX_BLOCKS);
            first = blocks.end;
            push(if segment.columns { self.columns(blocks) } else { self.shared(blocks) });
        }
    }

    fn shared(&mut self, blocks: Range<usize>) -> Piece<'_> {
        let Self { source, joints, row_of_joint, shared_weights: weights, shared_base: base, .. } = self;
        let influences = source.influences;
        joints.clear();
        let mut weighted = false;
        for vertex in source.block_range(blocks.clone()) {
            weighted |= source.is_weighted(vertex);
            for &joint in influences.joints(vertex) {
                let row = &mut row_of_joint[joint as usize];
                if *row == NO_ROW {
                    *row = 0;
                    joints.push(joint);
                }
            }
        }
        joints.sort_unstable();
        for (row, &joint) in joints.iter().enumerate() {
            row_of_joint[joint as usize] = row as u32;
        }
        let rows = if weighted || joints.len() > 1 { joints.len() } else { 0 };
        weights.clear();
        weights.resize(rows * blocks.len(), ScalarBlock::default());
        base.clear();
        for (index, block) in blocks.enumerate() {
            let vertices = source.vertices_of(block);
            source.base.push_block(&vertices, base);
            let weights = &mut weights[rows * index..rows * (index + 1)];
            if rows == 0 {
                continue;
            }
            for (lane, &vertex) in vertices.iter().enumerate() {
                let own = influences.joints(vertex as usize).iter().zip(influences.weights(vertex as usize));
                for (&joint, &weight) in own {
                    weights[row_of_joint[joint as usize] as usize].0[lane] = weight;
                }
            }
        }
        for &joint in joints.iter() {
            row_of_joint[joint as usize] = NO_ROW;
        }
        if rows > 0 {
            joints.push(NO_JOINT);
        }
        Piece::Shared { joints, weights, base }
    }

    fn columns(&mut self, blocks: Range<usize>) -> Piece<'_> {
        let Self { source, joints, column_weights: weights, column_base: base, ascending, .. } = self;
        let needed = source.block_range(blocks.clone()).map(|vertex| source.columns_of(vertex));
        let influences = needed.max().unwrap_or(1);
        joints.clear();
        weights.clear();
        base.clear();
        for vertex in blocks.flat_map(|block| source.vertices_of(block)) {
            let vertex = vertex as usize;
            let own = source.influences.joints(vertex).iter().zip(source.influences.weights(vertex));
            let own = own.map(|(&joint, &weight)| u64::from(joint) << 32 | u64::from(weight.to_bits()));
            let own = ascending.sort(own);
            joints.extend(own.iter().map(|&key| (key >> 32) as u32));
            weights.extend(own.iter().map(|&key| f32::from_bits(key as u32)));
            // A vertex with fewer influences has its last joint again, with weight zero.
            if let (Some(&last), unused @ 1..) = (joints.last(), influences - own.len()) {
                joints.extend(std::iter::repeat_n(last, unused));
                weights.extend(std::iter::repeat_n(0.0, unused));
            }
            source.base.push_vertex(vertex, base);
        }
        Piece::Columns { influences, joints, weights, base }
    }
}
