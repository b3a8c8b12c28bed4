//! The different sets of joints on which vertices hang, and bins of vertices that are placed together.

use std::collections::{BTreeMap, HashMap};

use sinew_kernels::BLOCK;

use super::costs;
use crate::hanging::Hanging;

/// The sets, in the order in which they first appear.
pub(super) struct Sets {
    /// For each vertex its set.
    pub(super) of_vertex: Vec<u32>,
    /// For each set its first vertex.
    pub(super) first: Vec<u32>,
    /// For each set the number of its vertices.
    pub(super) vertices: Vec<u32>,
}

impl Sets {
    pub(super) fn new(hanging: &Hanging) -> Self {
        let mut sets =
            Self { of_vertex: Vec::with_capacity(hanging.len()), first: Vec::new(), vertices: Vec::new() };
        let mut set_of_joints: HashMap<&[u32], u32> = HashMap::new();
        for vertex in 0..hanging.len() as u32 {
            let set = *set_of_joints.entry(hanging.set(vertex)).or_insert_with(|| {
                sets.first.push(vertex);
                sets.vertices.push(0);
                sets.first.len() as u32 - 1
            });
            sets.vertices[set as usize] += 1;
            sets.of_vertex.push(set);
        }
        sets
    }
}

/// Vertices in bins: those of a bin are placed together.
pub(super) struct Bins {
    /// For each vertex its bin.
    pub(super) of_vertex: Vec<u32>,
    pub(super) bins: Vec<Bin>,
}

/// Vertices that are skinned with one number of influences.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bin {
    pub(super) influences: usize,
    pub(super) vertices: usize,
}

impl Bins {
    /// A bin for each number of influences.
    pub(super) fn by_count(hanging: &Hanging) -> Self {
        let mut bin_of_count: BTreeMap<usize, u32> = BTreeMap::new();
        let mut bins = Self { of_vertex: Vec::with_capacity(hanging.len()), bins: Vec::new() };
        for vertex in 0..hanging.len() as u32 {
            let influences = hanging.count(vertex);
            let bin = *bin_of_count.entry(influences).or_insert_with(|| {
                bins.bins.push(Bin { influences, vertices: 0 });
                bins.bins.len() as u32 - 1
            });
            bins.bins[bin as usize].vertices += 1;
            bins.of_vertex.push(bin);
        }
        bins
    }

    /// These vertices bin after bin, in their order within each.
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

    /// What skinning costs where every bin is a run.
    pub(super) fn cost_of_runs(&self) -> u64 {
        self.bins.iter().map(|bin| costs::of_run(bin.influences, bin.vertices.div_ceil(BLOCK))).sum()
    }

    /// What skinning costs where vertices have their own joints.
    pub(super) fn cost_of_counts(&self) -> u64 {
        self.bins.iter().map(|bin| costs::of_counted(bin.influences, bin.vertices.div_ceil(BLOCK))).sum()
    }
}
