//! The positions of a mesh, each once, in the order that is best for skinning.
//!
//! Where only positions are skinned into source order, the vertices of a window are skinned as
//! segments of an order of their own: without the copies along seams of normals and texture
//! coordinates, and sorted by joints. Then they are copied to their places in source order, which
//! costs less than it saves for most meshes, but never for vertices with directions.

use std::ops::Range;

use sinew_kernels::{
    BLOCK, Kernels, MAX_UNIQUE_POSITIONS, Matrix, PositionRemap, Segments, SkinUniquePositions, VertexWriter,
};

use super::source_costs::SourceCosts;
use super::source_order::{SourceVertices, build_segments};
use crate::mesh::base_vectors::BaseVectors;
use crate::mesh::influences::{VertexInfluences, sort_few};
use crate::mesh::{Influences, MeshSource};

/// The number of vertices of a window.
const WINDOW: usize = MAX_UNIQUE_POSITIONS;
/// The most vertices of a mesh. Larger ones wait for memory, which skinning and copying in turns
/// use worse than skinning alone: a million vertices take a fifth longer.
const MAX_VERTICES: usize = 1 << 18;

/// Positions in windows, and where vertices find theirs.
#[derive(Clone, Debug)]
pub(crate) struct UniquePositions {
    segments: Segments,
    /// The first block of each window, and the end of the last.
    starts: Vec<usize>,
    /// Which position each vertex of a window has.
    remaps: Vec<PositionRemap>,
    vertices: usize,
}

impl UniquePositions {
    /// Finds the positions of vertices in source order. `None` where skinning them costs no less
    /// than skinning the vertices as they are, by an estimate.
    pub(crate) fn new(
        influences: &VertexInfluences,
        positions: &[[f32; 3]],
        costs: &'static SourceCosts,
    ) -> Option<Self> {
        if positions.len() > MAX_VERTICES {
            return None;
        }
        let copies = costs.copies(positions.len().div_ceil(BLOCK), positions.len().div_ceil(WINDOW));
        let direct = SourceVertices { influences, base: base_vectors(positions) }.plan_segments(costs).cost();
        if direct <= copies {
            return None;
        }
        let SortedWindows { vertices, starts, remaps } = SortedWindows::new(influences, positions);
        let sorted_positions: Vec<_> = vertices.iter().map(|&vertex| positions[vertex as usize]).collect();
        let sorted_influences = influences.gather(&vertices);
        let base = base_vectors(&sorted_positions);
        let source = SourceVertices { influences: &sorted_influences, base };
        let planned = source.plan_segments(costs);
        if planned.cost() + copies >= direct {
            return None;
        }
        let segments = build_segments(source, planned);
        // With thousands of joints, converting matrices to columns takes longer than all the rest.
        let converts_few = segments.column_matrices() <= BLOCK * segments.column_blocks();
        converts_few.then_some(Self { segments, starts, remaps, vertices: positions.len() })
    }

    /// Skins a window of blocks of source order.
    pub(crate) fn skin(
        &self,
        kernels: &Kernels,
        palette: &[Matrix],
        blocks: &Range<usize>,
        mut output: VertexWriter<'_>,
    ) {
        let vertices = BLOCK * blocks.start..(BLOCK * blocks.end).min(self.vertices);
        let mut first = vertices.start;
        while first < vertices.end {
            let index = first / WINDOW;
            let end = vertices.end.min(WINDOW * (index + 1));
            kernels.skin_unique_positions(SkinUniquePositions {
                palette,
                positions: &self.segments,
                window: self.starts[index]..self.starts[index + 1],
                remap: &self.remaps[index],
                vertices: first - WINDOW * index..end - WINDOW * index,
                output: output.slice(first - vertices.start..end - vertices.start),
            });
            first = end;
        }
    }

    /// The number of bytes of all arrays.
    pub(crate) fn bytes(&self) -> usize {
        let remaps = self.remaps.iter().map(PositionRemap::bytes).sum::<usize>();
        self.segments.bytes() + size_of_val(&self.starts[..]) + remaps
    }
}

/// The vertices of windows, sorted by their joints, without copies.
struct SortedWindows {
    /// The vertices of all windows. The last one of a window is repeated to fill its last block.
    vertices: Vec<u32>,
    starts: Vec<usize>,
    remaps: Vec<PositionRemap>,
}

impl SortedWindows {
    fn new(influences: &VertexInfluences, positions: &[[f32; 3]]) -> Self {
        let mut sorted = Self { vertices: Vec::new(), starts: vec![0], remaps: Vec::new() };
        let (mut sets, mut keys) = (Vec::new(), Vec::new());
        for first in (0..positions.len()).step_by(WINDOW) {
            let window = first..positions.len().min(first + WINDOW);
            sets.clear();
            sets.extend(window.clone().map(|vertex| joint_key(influences.joints(vertex))));
            let of_vertices = sets.clone();
            sets.sort_unstable();
            sets.dedup();
            keys.clear();
            keys.extend(window.zip(of_vertices).map(|(vertex, set)| {
                let rank = sets.partition_point(|&other| other < set);
                sort_key(rank, hash(positions[vertex], influences, vertex), vertex - first)
            }));
            keys.sort_unstable();
            sorted.push_window(influences, positions, first, &keys);
        }
        sorted
    }

    /// Appends a window of sorted vertices.
    fn push_window(
        &mut self,
        influences: &VertexInfluences,
        positions: &[[f32; 3]],
        first: usize,
        keys: &[u64],
    ) {
        let start = self.vertices.len();
        let mut indices = vec![0; keys.len()];
        let mut last = None;
        for key in keys {
            let in_window = *key as usize % WINDOW;
            let vertex = first + in_window;
            let is_copy = |other: usize| {
                positions[other].map(f32::to_bits) == positions[vertex].map(f32::to_bits)
                    && influences.joints(other) == influences.joints(vertex)
                    && influences.weights(other) == influences.weights(vertex)
            };
            if !last.is_some_and(is_copy) {
                self.vertices.push(vertex as u32);
                last = Some(vertex);
            }
            indices[in_window] = self.vertices.len() - start - 1;
        }
        let filled = self.vertices.len().next_multiple_of(BLOCK);
        if let Some(&last) = self.vertices.last() {
            self.vertices.resize(filled, last);
        }
        self.starts.push(filled / BLOCK);
        self.remaps.push(PositionRemap::new(indices));
    }
}

/// A key by which vertices with the same joints are neighbors, and those that share the highest are
/// near.
fn joint_key(joints: &[u32]) -> u64 {
    let mut few = [0; 4];
    few.iter_mut().zip(joints).for_each(|(few, &joint)| *few = joint.saturating_add(1).min(0xffff));
    sort_few(&mut few);
    few.iter().rev().fold(0, |key, &joint| key << 16 | u64::from(joint))
}

/// A key by which copies of a vertex are neighbors: by the rank of its joints, then by a hash.
/// Where another vertex has the same hash, copies may be kept twice.
fn sort_key(rank: usize, hash: u32, in_window: usize) -> u64 {
    (rank as u64) << 44 | u64::from(hash) << 12 | in_window as u64
}

const _: () = assert!(WINDOW == 1 << 12);

fn hash(position: [f32; 3], influences: &VertexInfluences, vertex: usize) -> u32 {
    let joints = influences.joints(vertex).iter().copied();
    let numbers = position.iter().chain(influences.weights(vertex)).map(|number| number.to_bits());
    let hash = numbers.chain(joints).fold(0_u64, |hash, number| {
        (hash ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    });
    (hash >> 32) as u32
}

/// Vertices that are nothing but positions.
fn base_vectors(positions: &[[f32; 3]]) -> BaseVectors<'_> {
    let none = Influences::Variable { counts: &[], joints: &[], weights: &[] };
    BaseVectors::new(&MeshSource::new(positions, none))
}

#[cfg(test)]
mod tests {
    use sinew_testkit::random::Random;

    use super::super::test_support::{InfluenceArrays, InfluenceKind};
    use super::*;

    /// Vertices of which every third is a copy of another, and every fifth has another's position
    /// only.
    fn vertices(len: usize) -> (VertexInfluences, Vec<[f32; 3]>) {
        let mut random = Random::new(len as u64);
        let arrays = InfluenceArrays::new(len, 20, 5, 24, len as u64);
        let influences = arrays.influences(InfluenceKind::Normalized);
        let mut positions: Vec<_> = (0..len).map(|_| random.vector(1.0)).collect();
        let mut rows: Vec<u32> = (0..len as u32).collect();
        for vertex in 1..len {
            let other = random.below(vertex);
            if vertex % 3 == 0 {
                (positions[vertex], rows[vertex]) = (positions[other], rows[other]);
            } else if vertex % 5 == 0 {
                positions[vertex] = positions[other];
            }
        }
        (influences.gather(&rows), positions)
    }

    #[test]
    fn every_vertex_finds_its_position_and_influences_once() {
        for len in [0, 1, 7, 8, 300, WINDOW - 1, WINDOW, WINDOW + 1, 2 * WINDOW + 905] {
            let (influences, positions) = vertices(len);
            let sorted = SortedWindows::new(&influences, &positions);
            assert_eq!(sorted.starts.len(), len.div_ceil(WINDOW) + 1, "{len} vertices");
            assert_eq!(BLOCK * sorted.starts.last().expect("an end"), sorted.vertices.len());
            let mut windows = (0..len).step_by(WINDOW).zip(sorted.starts.windows(2)).enumerate();
            for (index, (first, ends)) in windows.by_ref() {
                let own = first..len.min(first + WINDOW);
                let blocks = ends[1] - ends[0];
                assert!(blocks <= own.len().div_ceil(BLOCK), "no more than there are vertices");
                if own.len() > 100 {
                    assert!(BLOCK * blocks < own.len(), "copies in {len} vertices are left out");
                }
                let remap = &sorted.remaps[index];
                assert_eq!((remap.len(), remap.required_positions().div_ceil(BLOCK)), (own.len(), blocks));
                for (vertex, offset) in own.zip(remap.indices()) {
                    let found = sorted.vertices[BLOCK * ends[0] + offset] as usize;
                    assert_eq!(positions[found], positions[vertex], "vertex {vertex} of {len}");
                    assert_eq!(influences.joints(found), influences.joints(vertex));
                    assert_eq!(influences.weights(found), influences.weights(vertex));
                }
            }
        }
    }

    #[test]
    fn joints_with_large_indices_are_told_apart() {
        let (counts, weights) = ([1; 3], [1.0; 3]);
        let joints = [70_000, 80_000, 70_000];
        let arrays = InfluenceArrays {
            counts: counts.to_vec(),
            joints: joints.to_vec(),
            weights: weights.to_vec(),
            vectors: vec![[0.0; 3]; 3],
            inverse_binds: vec![Matrix::IDENTITY; 80_001],
        };
        let influences = arrays.influences(InfluenceKind::Normalized);
        let sorted = SortedWindows::new(&influences, &[[1.0; 3]; 3]);
        let [first, other, copy] = [0, 1, 2].map(|vertex| sorted.remaps[0].indices().nth(vertex));
        assert!(first == copy && first != other);
    }

    #[test]
    fn positions_that_cost_no_less_are_not_kept() {
        for costs in [&SourceCosts::POSITIONS_EIGHT_LANES, &SourceCosts::POSITIONS_FOUR_LANES] {
            let (influences, positions) = vertices(3000);
            let found = UniquePositions::new(&influences, &positions, costs);
            assert!(found.is_some_and(|found| found.bytes() > 0));
            for len in [0, 1, 20] {
                let (influences, positions) = vertices(len);
                assert!(UniquePositions::new(&influences, &positions, costs).is_none(), "{len} vertices");
            }
            let (influences, positions) = vertices(1);
            let many = influences.gather(&vec![0; MAX_VERTICES + 1]);
            assert!(UniquePositions::new(&many, &vec![positions[0]; MAX_VERTICES + 1], costs).is_none());
        }
    }
}
