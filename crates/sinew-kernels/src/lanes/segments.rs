//! Segments: vertices in the order of the output, cut into segments whose blocks share joints
//! and segments whose vertices have joints of their own.
//!
//! One fact holds for `column_table`, which relies on it: every joint of a column segment is below
//! the length of the segment's table. [`Segments::push_columns`] establishes it, and nothing
//! changes it.

use std::ops::Range;

use super::column_table::{ColumnMatrix, MAX_TABLE};
use crate::{BLOCK, ScalarBlock, VectorBlock};

/// The last joint of a shared segment whose weights need not sum to one: a matrix of zeros.
pub const NO_JOINT: u32 = u32::MAX;

/// The vertices of a mesh, for [`SkinIntoLayout`](crate::SkinIntoLayout): consecutive segments of
/// blocks, in the order in which they are pushed.
#[derive(Clone, Debug, PartialEq)]
pub struct Segments {
    segments: Vec<Segment>,
    vectors: usize,
    blocks: usize,
    column_blocks: usize,
    /// The joints of shared segments.
    joints: Vec<u32>,
    /// The weights of shared segments.
    weights: Vec<ScalarBlock>,
    /// The base vectors of shared segments.
    base: Vec<VectorBlock>,
    tables: Tables,
    /// The influences of each vertex of column segments.
    column_influences: Vec<ColumnInfluence>,
    /// The base vectors of column segments.
    column_base: Vec<VertexPair>,
}

/// One vector of two consecutive vertices: x, y, z and the fourth component of each.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct VertexPair(pub(crate) [f32; 8]);

/// A joint of one vertex, and its weight: next to each other, so that one address finds both.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ColumnInfluence {
    /// The offset of the joint's matrix in the segment's table, in bytes.
    pub(super) offset: u32,
    pub(super) weight: f32,
}

/// Consecutive blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Segment {
    first: u32,
    blocks: u32,
    /// Joints of the segment, or of each vertex of a column segment.
    influences: u32,
    /// The table of a column segment.
    table: Option<u32>,
    /// Index of the first joint.
    joints: usize,
    /// Index of the first weight.
    weights: usize,
    /// Index of the first base vector or pair.
    base: usize,
}

/// The joints of column segments, in tables of at most `MAX_TABLE`.
#[derive(Clone, Debug, Default, PartialEq)]
struct Tables {
    joints: Vec<u32>,
    /// The end of each table in `joints`.
    ends: Vec<usize>,
    /// The index of each joint in the last table.
    indices: Vec<Option<u32>>,
}

impl Segments {
    /// No segments, for vertices of this number of vectors: position, normal, tangent, bitangent.
    #[must_use]
    pub fn new(vectors: usize) -> Self {
        Self {
            segments: Vec::new(),
            vectors,
            blocks: 0,
            column_blocks: 0,
            joints: Vec::new(),
            weights: Vec::new(),
            base: Vec::new(),
            tables: Tables::default(),
            column_influences: Vec::new(),
            column_base: Vec::new(),
        }
    }

    /// Appends blocks whose vertices share joints: one, which has weight 1, or any number with a
    /// row of weights each for every block, followed by [`NO_JOINT`]. The weights need not sum to
    /// one.
    ///
    /// # Panics
    ///
    /// If there is no joint, if the last of several is not [`NO_JOINT`], or if there are not all
    /// vectors and weights of every block.
    pub fn push_shared(&mut self, joints: &[u32], weights: &[ScalarBlock], base: &[VectorBlock]) {
        let blocks = base.len() / self.vectors;
        assert!(blocks * self.vectors == base.len(), "all vectors of every block");
        assert!(
            !joints.is_empty() && weights.len() == (joints.len() - 1) * blocks,
            "all weights of every block"
        );
        assert!(joints.len() == 1 || joints.last() == Some(&NO_JOINT), "weights of all joints");
        let (first_joint, first_weight) = (self.joints.len(), self.weights.len());
        self.push_segment(blocks, joints.len(), None, [first_joint, first_weight, self.base.len()]);
        self.joints.extend_from_slice(joints);
        self.weights.extend_from_slice(weights);
        self.base.extend_from_slice(base);
    }

    /// Appends blocks whose vertices have joints of their own, `influences` each: at least one. The
    /// weights need not sum to one; a single one must be 1. `base` has the vectors of each vertex
    /// in turn, with the usual fourth component: 1 for positions, 0 for normals and bitangents, the
    /// bitangent's sign for tangents.
    ///
    /// # Panics
    ///
    /// If there is no joint, not all vectors, joints and weights of every vertex, or not whole
    /// blocks.
    pub fn push_columns(&mut self, influences: usize, joints: &[u32], weights: &[f32], base: &[[f32; 4]]) {
        let vertices = base.len() / self.vectors;
        assert!(
            vertices.is_multiple_of(BLOCK) && vertices * self.vectors == base.len(),
            "all vectors of whole blocks"
        );
        let expected = vertices.checked_mul(influences);
        assert!(influences > 0 && expected == Some(joints.len()), "all joints of every vertex");
        assert!(joints.len() == weights.len(), "as many weights as joints");
        // Blocks whose joints fit into the last table are one segment.
        let mut done = 0;
        while done < vertices {
            let table = self.tables.table_for(&joints[done * influences..], BLOCK * influences);
            let start = done;
            let (first, first_pair) = (self.column_influences.len(), self.column_base.len());
            while let Some(block) = joints.get(done * influences..(done + BLOCK) * influences) {
                let weights = &weights[done * influences..(done + BLOCK) * influences];
                if !self.tables.extend(block, weights, &mut self.column_influences) {
                    break;
                }
                done += BLOCK;
            }
            assert!(done > start, "at most 64 joints of each vertex");
            let blocks = (done - start) / BLOCK;
            self.push_segment(blocks, influences, Some(table), [first, first, first_pair]);
            self.push_pairs(&base[start * self.vectors..done * self.vectors]);
        }
    }

    fn push_segment(
        &mut self,
        blocks: usize,
        influences: usize,
        table: Option<u32>,
        [joints, weights, base]: [usize; 3],
    ) {
        let segment = Segment {
            first: self.blocks as u32,
            blocks: blocks as u32,
            influences: influences as u32,
            table,
            joints,
            weights,
            base,
        };
        self.blocks += blocks;
        self.column_blocks += if table.is_some() { blocks } else { 0 };
        self.segments.push(segment);
    }

    fn push_pairs(&mut self, base: &[[f32; 4]]) {
        for pair in base.chunks_exact(2 * self.vectors) {
            let (a, b) = pair.split_at(self.vectors);
            for (a, b) in a.iter().zip(b) {
                self.column_base.push(VertexPair([a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]]));
            }
        }
    }

    /// Replaces the base vectors of all vertices, given in blocks, such as by morphed ones. Fourth
    /// components stay.
    ///
    /// # Panics
    ///
    /// If there are not all vectors of every block.
    pub fn replace_base(&mut self, base: &[VectorBlock]) {
        let vectors = self.vectors;
        assert!(base.len() == self.blocks * vectors, "all vectors of every block");
        for segment in &self.segments {
            let (first, len) = (segment.first as usize * vectors, segment.blocks as usize * vectors);
            let from = &base[first..first + len];
            if segment.table.is_none() {
                self.base[segment.base..segment.base + len].copy_from_slice(from);
                continue;
            }
            let pairs = &mut self.column_base[segment.base..segment.base + BLOCK / 2 * len];
            for (from, pairs) in from.chunks_exact(vectors).zip(pairs.chunks_exact_mut(BLOCK / 2 * vectors)) {
                for (at, VertexPair(to)) in pairs.iter_mut().enumerate() {
                    let ([x, y, z], lane) = (&from[at % vectors].rows, at / vectors * 2);
                    [to[0], to[1], to[2]] = [x[lane], y[lane], z[lane]];
                    [to[4], to[5], to[6]] = [x[lane + 1], y[lane + 1], z[lane + 1]];
                }
            }
        }
    }

    /// Vectors per vertex.
    #[must_use]
    pub fn vectors(&self) -> usize {
        self.vectors
    }

    /// The number of blocks of eight vertices.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// The number of segments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// Whether there are no segments.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// The number of blocks in column segments.
    #[must_use]
    pub fn column_blocks(&self) -> usize {
        self.column_blocks
    }

    /// The number of matrices that skinning converts to columns: each joint once for every table
    /// that it is in.
    #[must_use]
    pub fn column_matrices(&self) -> usize {
        self.tables.joints.len()
    }

    /// The number of bytes of all arrays.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.segments[..])
            + size_of_val(&self.joints[..])
            + size_of_val(&self.weights[..])
            + size_of_val(&self.base[..])
            + size_of_val(&self.tables.joints[..])
            + size_of_val(&self.column_influences[..])
            + size_of_val(&self.column_base[..])
    }

    /// Releases memory that was only needed while segments were pushed.
    pub fn shrink(&mut self) {
        self.tables.indices = Vec::new();
    }
}

impl Tables {
    /// The last table, or a new one if the first joints do not fit.
    fn table_for(&mut self, joints: &[u32], first: usize) -> u32 {
        let fits = |tables: &Self| {
            let new = joints.iter().take(first).filter(|&&joint| tables.index_of(joint).is_none()).count();
            tables.last_len() + new <= MAX_TABLE
        };
        if self.ends.is_empty() || !fits(self) {
            self.indices.clear();
            self.ends.push(self.joints.len());
        }
        self.ends.len() as u32 - 1
    }

    fn index_of(&self, joint: u32) -> Option<u32> {
        self.indices.get(joint as usize).copied().flatten()
    }

    fn last_start(&self) -> usize {
        self.ends.len().checked_sub(2).map_or(0, |before| self.ends[before])
    }

    fn last_len(&self) -> usize {
        self.joints.len() - self.last_start()
    }

    /// Appends influences with the indices of joints in the last table, which grows by those that
    /// it lacks. Appends nothing and returns false if they do not fit.
    fn extend(&mut self, joints: &[u32], weights: &[f32], to: &mut Vec<ColumnInfluence>) -> bool {
        let new = joints.iter().filter(|&&joint| self.index_of(joint).is_none()).count();
        if self.last_len() + new > MAX_TABLE {
            return false;
        }
        for (&joint, &weight) in joints.iter().zip(weights) {
            let index = self.index_of(joint).unwrap_or_else(|| {
                let index = self.last_len() as u32;
                if self.indices.len() <= joint as usize {
                    self.indices.resize(joint as usize + 1, None);
                }
                self.indices[joint as usize] = Some(index);
                self.joints.push(joint);
                index
            });
            to.push(ColumnInfluence { offset: index * size_of::<ColumnMatrix>() as u32, weight });
        }
        if let Some(end) = self.ends.last_mut() {
            *end = self.joints.len();
        }
        true
    }

    #[inline(always)]
    fn get(&self, table: u32) -> Option<&[u32]> {
        let table = table as usize;
        let start = match table.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.joints.get(start..*self.ends.get(table)?)
    }
}

/// The part of a segment inside a window of blocks.
pub(crate) enum SegmentSlice<'a> {
    Shared(SharedSegment<'a>),
    Columns(ColumnSegment<'a>),
}

/// Takes the first `len` elements of a slice, or all.
#[inline(always)]
pub(super) fn take_slice<'a, T>(slice: &mut &'a [T], len: usize) -> &'a [T] {
    let (first, rest) = slice.split_at_checked(len).unwrap_or((slice, &[]));
    *slice = rest;
    first
}

/// Blocks whose vertices share joints.
pub(crate) struct SharedSegment<'a> {
    /// At least one.
    pub(crate) joints: &'a [u32],
    pub(crate) weights: &'a [ScalarBlock],
    pub(crate) base: &'a [VectorBlock],
}

/// Blocks whose vertices have joints of their own.
pub(crate) struct ColumnSegment<'a> {
    /// The number of blocks.
    pub(crate) blocks: usize,
    pub(super) influences: usize,
    pub(super) table: u32,
    /// The joints of the table.
    pub(super) table_joints: &'a [u32],
    /// `influences` of each vertex, all in the table.
    pub(super) own: &'a [ColumnInfluence],
    /// `vectors` of each pair of vertices.
    pub(super) base: &'a [VertexPair],
    pub(super) vectors: usize,
    /// Whether there are so many vertices that they come from outside of the near caches. For few,
    /// fetching them ahead takes up to a twentieth of the time, since loads are what columns wait
    /// for; of many it saves a tenth.
    pub(super) reads_ahead: bool,
}

/// The number of blocks from which on vertices are read ahead: a megabyte and a half of them.
const MANY_BLOCKS: usize = 2048;

impl Segments {
    /// The indices of the segments that have blocks in a window.
    #[inline(always)]
    pub(crate) fn in_window(&self, window: &Range<usize>) -> Range<usize> {
        // Not `partition_point`, which is not inlined without LTO.
        let (mut low, mut high) = (0, self.segments.len());
        while low < high {
            let middle = (low + high) / 2;
            match self.segments.get(middle) {
                Some(segment) if (segment.first + segment.blocks) as usize <= window.start => {
                    low = middle + 1
                }
                _ => high = middle,
            }
        }
        let start = low;
        high = self.segments.len();
        while low < high {
            let middle = (low + high) / 2;
            match self.segments.get(middle) {
                Some(segment) if (segment.first as usize) < window.end => low = middle + 1,
                _ => high = middle,
            }
        }
        start..low
    }

    /// Whether the vertices of a block share joints.
    #[inline(always)]
    pub(crate) fn shares_joints(&self, block: usize) -> bool {
        let index = self.in_window(&(block..block + 1)).start;
        self.segments.get(index).is_some_and(|segment| segment.table.is_none())
    }

    /// A segment, clipped to a window; `None` if nothing is left.
    #[inline(always)]
    pub(crate) fn slice(&self, index: usize, window: &Range<usize>) -> Option<SegmentSlice<'_>> {
        let segment = self.segments.get(index)?;
        let first = segment.first as usize;
        let start = first.max(window.start);
        let end = (first + segment.blocks as usize).min(window.end);
        if start >= end {
            return None;
        }
        let (skipped, len, influences) = (start - first, end - start, segment.influences as usize);
        let Some(table) = segment.table else {
            let rows = influences - 1;
            return Some(SegmentSlice::Shared(SharedSegment {
                joints: self.joints.get(segment.joints..)?.get(..influences)?,
                weights: self.weights.get(segment.weights + skipped * rows..)?.get(..len * rows)?,
                base: self.base.get(segment.base + skipped * self.vectors..)?.get(..len * self.vectors)?,
            }));
        };
        let (each, pairs) = (BLOCK * influences, BLOCK / 2 * self.vectors);
        Some(SegmentSlice::Columns(ColumnSegment {
            blocks: len,
            influences,
            table,
            table_joints: self.tables.get(table)?,
            own: self.column_influences.get(segment.joints + skipped * each..)?.get(..len * each)?,
            base: self.column_base.get(segment.base + skipped * pairs..)?.get(..len * pairs)?,
            vectors: self.vectors,
            reads_ahead: self.blocks >= MANY_BLOCKS,
        }))
    }
}
