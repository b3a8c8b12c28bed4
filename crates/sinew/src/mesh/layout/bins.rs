//! Bins of vertices that are laid out together.

use sinew_kernels::BLOCK;

use super::costs;
use crate::mesh::influences::VertexInfluences;

/// A partition of the vertices into bins. The vertices of a bin are laid out together.
pub(super) struct Bins {
    /// The bin of each vertex.
    pub(super) of_vertex: Vec<u32>,
    pub(super) bins: Vec<Bin>,
}

/// Vertices that are skinned with the same number of influences.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bin {
    pub(super) influences: usize,
    pub(super) vertices: usize,
}

impl Bins {
    /// Sorts vertices by bin, keeping their order within a bin.
    pub(super) fn in_bins(&self, vertices: &[u32]) -> Vec<u32> {
        let mut end = 0;
        let starts = self.bins.iter().map(|bin| {
            end += bin.vertices;
            end - bin.vertices
        });
        let mut next: Vec<usize> = starts.collect();
        let mut in_bins = vec![0; vertices.len()];
        for &vertex in vertices {
            let next = &mut next[self.of_vertex[vertex as usize] as usize];
            in_bins[*next] = vertex;
            *next += 1;
        }
        in_bins
    }

    /// The cost of skinning if every bin is a run with shared joints.
    pub(super) fn shared_joints_cost(&self) -> u64 {
        self.bins.iter().map(|bin| costs::shared_joints(bin.influences, bin.vertices.div_ceil(BLOCK))).sum()
    }
}

/// One bin per number of influences, in order of first appearance.
pub(super) struct CountBins {
    bins: Vec<Bin>,
    /// The bin of each number of influences, or `NO_BIN`.
    of_count: Vec<u32>,
}

/// A number of influences that no vertex has.
const NO_BIN: u32 = u32::MAX;

impl CountBins {
    pub(super) fn new(influences: &VertexInfluences) -> Self {
        let mut bins: Vec<Bin> = Vec::new();
        let mut of_count = vec![NO_BIN; influences.max_count() + 1];
        for vertex in 0..influences.len() {
            let influences = influences.count(vertex);
            let bin = &mut of_count[influences];
            if *bin == NO_BIN {
                *bin = bins.len() as u32;
                bins.push(Bin { influences, vertices: 0 });
            }
            bins[*bin as usize].vertices += 1;
        }
        Self { bins, of_count }
    }

    /// The cost of skinning if every vertex has its own joints.
    pub(super) fn per_vertex_joints_cost(&self) -> u64 {
        let cost = |bin: &Bin| costs::per_vertex_joints(bin.influences, bin.vertices.div_ceil(BLOCK));
        self.bins.iter().map(cost).sum()
    }

    /// The partition of the vertices that the bins were made of.
    pub(super) fn bins(self, influences: &VertexInfluences) -> Bins {
        let of_vertex = (0..influences.len()).map(|vertex| self.of_count[influences.count(vertex)]);
        Bins { of_vertex: of_vertex.collect(), bins: self.bins }
    }
}
