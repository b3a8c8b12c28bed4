//! The distinct joint sets of vertices, and bins of vertices that are laid out together.

use std::collections::{BTreeMap, HashMap};

use sinew_kernels::BLOCK;

use super::costs;
use crate::mesh::influences::VertexInfluences;

/// The distinct joint sets, in order of first appearance.
pub(super) struct JointSets {
    /// The set of each vertex.
    pub(super) of_vertex: Vec<u32>,
    /// The joints of each set, in ascending order.
    pub(super) joints: Vec<Box<[u32]>>,
    /// The number of vertices of each set.
    pub(super) vertices: Vec<u32>,
}

impl JointSets {
    pub(super) fn new(influences: &VertexInfluences) -> Self {
        let mut sets = Self {
            of_vertex: Vec::with_capacity(influences.len()),
            joints: Vec::new(),
            vertices: Vec::new(),
        };
        let mut set_of_joints: HashMap<Box<[u32]>, u32> = HashMap::new();
        let mut joints = Vec::new();
        for vertex in 0..influences.len() {
            joints.clear();
            joints.extend_from_slice(influences.joints(vertex));
            joints.sort_unstable();
            let set = match set_of_joints.get(&joints[..]) {
                Some(&set) => set,
                None => {
                    let set = sets.joints.len() as u32;
                    sets.joints.push(joints.as_slice().into());
                    sets.vertices.push(0);
                    set_of_joints.insert(joints.as_slice().into(), set);
                    set
                }
            };
            sets.vertices[set as usize] += 1;
            sets.of_vertex.push(set);
        }
        sets
    }
}

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
    /// One bin per number of influences.
    pub(super) fn by_count(influences: &VertexInfluences) -> Self {
        let mut bin_of_count: BTreeMap<usize, u32> = BTreeMap::new();
        let mut bins = Self { of_vertex: Vec::with_capacity(influences.len()), bins: Vec::new() };
        for vertex in 0..influences.len() {
            let influences = influences.count(vertex);
            let bin = *bin_of_count.entry(influences).or_insert_with(|| {
                bins.bins.push(Bin { influences, vertices: 0 });
                bins.bins.len() as u32 - 1
            });
            bins.bins[bin as usize].vertices += 1;
            bins.of_vertex.push(bin);
        }
        bins
    }

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

    /// The cost of skinning if every vertex has its own joints.
    pub(super) fn per_vertex_joints_cost(&self) -> u64 {
        self.bins
            .iter()
            .map(|bin| costs::per_vertex_joints(bin.influences, bin.vertices.div_ceil(BLOCK)))
            .sum()
    }
}
