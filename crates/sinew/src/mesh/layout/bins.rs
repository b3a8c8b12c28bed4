//! Bins of vertices that are laid out together.

use sinew_kernels::BLOCK;

use super::costs;

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
