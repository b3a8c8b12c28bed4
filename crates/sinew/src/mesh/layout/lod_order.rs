//! The order of vertices in meshes with levels of detail.
//!
//! A level needs only the joints that the vertices of a block keep, and the coarsest level keeps
//! only the strongest one. So the vertices of a run are clustered by their strongest joint.
//! Clusters get their own blocks as long as the run needs no additional block for that; their
//! remainders share blocks. Runs with the same number of joints are chained such that one begins
//! with the joint that the previous one ends with: a level then has one run there instead of two.

use std::mem::take;

use sinew_kernels::BLOCK;

use super::bins::Bins;
use super::slot_influences::RunSpan;
use crate::math::sort::{heap_sort, sort_by_key};
use crate::mesh::influences::VertexInfluences;

/// Orders runs, fewest influences first. Returns their spans, and the vertex of each slot or `pad`.
/// `vertices` is sorted by strongest joint.
pub(super) fn order_for_levels(
    bins: &Bins,
    vertices: &[u32],
    influences: &VertexInfluences,
    pad: u32,
) -> (Vec<RunSpan>, Vec<u32>) {
    let in_bins = bins.in_bins(vertices);
    let mut rest = &in_bins[..];
    let mut runs = Vec::with_capacity(bins.bins.len());
    for bin in &bins.bins {
        let (own, more) = rest.split_at(bin.vertices);
        runs.push(ClusteredRun::new(bin.influences, own, influences));
        rest = more;
    }
    let mut order: Vec<usize> = (0..runs.len()).collect();
    sort_by_key(&mut order, |&run| runs[run].influences as u64);
    let mut chain = RunChain::new(runs, influences.skin_len(), pad);
    for runs in order.chunk_by(|&a, &b| bins.bins[a].influences == bins.bins[b].influences) {
        chain.add(runs);
    }
    (chain.spans, chain.inverse_remap)
}

/// A run, divided into clusters.
struct ClusteredRun<'a> {
    influences: usize,
    /// The clusters that have their own blocks.
    clusters: Vec<JointCluster<'a>>,
    /// The vertices of each shared block, cluster by cluster.
    shared: Vec<Vec<&'a [u32]>>,
}

/// The vertices of a run with the same strongest joint.
struct JointCluster<'a> {
    joint: u32,
    /// The vertices in blocks of their own.
    own: &'a [u32],
}

impl<'a> ClusteredRun<'a> {
    fn new(influences: usize, vertices: &'a [u32], all_influences: &VertexInfluences) -> Self {
        let strongest = |vertex: u32| all_influences.joints(vertex as usize)[0];
        let (mut clusters, mut remainders) = (Vec::new(), Vec::new());
        let mut blocks = vertices.len().div_ceil(BLOCK);
        for all in vertices.chunk_by(|&a, &b| strongest(a) == strongest(b)) {
            let (own, rest) = all.split_at(all.len() - all.len() % BLOCK);
            blocks -= own.len() / BLOCK;
            if !rest.is_empty() {
                remainders.push(Remainder { cluster: clusters.len(), all, vertices: rest });
            }
            clusters.push(JointCluster { joint: strongest(all[0]), own });
        }
        let mut shared = Vec::new();
        for block in pack_remainders(remainders, blocks) {
            match block[..] {
                // Alone in its block: the whole cluster has blocks of its own.
                [Remainder { cluster, all, .. }] => clusters[cluster].own = all,
                _ => shared.push(block.iter().map(|remainder| remainder.vertices).collect()),
            }
        }
        clusters.retain(|cluster| !cluster.own.is_empty());
        Self { influences, clusters, shared }
    }
}

/// The vertices of a cluster that do not fill a block.
#[derive(Clone, Copy)]
struct Remainder<'a> {
    cluster: usize,
    /// All vertices of the cluster. It ends with the remainder.
    all: &'a [u32],
    vertices: &'a [u32],
}

/// Distributes remainders over blocks that have room for all of them: the longest first, each into
/// the fullest block that has room. Remainders that fit nowhere are split.
fn pack_remainders(mut remainders: Vec<Remainder<'_>>, blocks: usize) -> Vec<Vec<Remainder<'_>>> {
    sort_by_key(&mut remainders, |remainder| !(remainder.vertices.len() as u64));
    let mut packed = vec![Vec::new(); blocks];
    let mut room = vec![BLOCK; blocks];
    let mut divided = Vec::new();
    for remainder in remainders {
        let fitting = (0..blocks).filter(|&block| room[block] >= remainder.vertices.len());
        match fitting.min_by_key(|&block| room[block]) {
            Some(block) => {
                packed[block].push(remainder);
                room[block] -= remainder.vertices.len();
            }
            None => divided.push(remainder),
        }
    }
    for mut remainder in divided {
        for (packed, room) in packed.iter_mut().zip(&mut room) {
            let (here, more) = remainder.vertices.split_at(remainder.vertices.len().min(*room));
            if !here.is_empty() {
                packed.push(Remainder { vertices: here, ..remainder });
                *room -= here.len();
            }
            remainder.vertices = more;
        }
    }
    packed
}

/// Builds the chain of runs.
struct RunChain<'a> {
    runs: Vec<ClusteredRun<'a>>,
    pushed: Vec<bool>,
    /// For each joint, the runs that can begin with it, in reverse order of preference. Some may
    /// already be in the chain.
    candidates: Vec<Vec<usize>>,
    spans: Vec<RunSpan>,
    inverse_remap: Vec<u32>,
    pad: u32,
    /// The strongest joint of the last block.
    end: Option<u32>,
}

impl<'a> RunChain<'a> {
    fn new(runs: Vec<ClusteredRun<'a>>, skin_len: usize, pad: u32) -> Self {
        let pushed = vec![false; runs.len()];
        let candidates = vec![Vec::new(); skin_len];
        Self { runs, pushed, candidates, spans: Vec::new(), inverse_remap: Vec::new(), pad, end: None }
    }

    /// Appends runs with the same number of joints. Each follows a run that ends with a joint it
    /// can begin with; if there is none, the lowest index comes next.
    fn add(&mut self, runs: &[usize]) {
        self.enqueue(runs);
        let mut by_number = runs.iter().copied();
        loop {
            let next = self.end.and_then(|joint| self.next(joint));
            match next.or_else(|| by_number.find(|&run| !self.pushed[run])) {
                Some(run) => self.push_run(run),
                None => return,
            }
        }
    }

    fn enqueue(&mut self, runs: &[usize]) {
        // A run without shared blocks and other clusters can be followed by another one that begins
        // with the same joint.
        let mut order: Vec<(usize, usize, usize)> = runs
            .iter()
            .map(|&run| (self.runs[run].shared.len(), self.runs[run].clusters.len(), run))
            .collect();
        heap_sort(&mut order, |a, b| a < b);
        for (_, _, run) in order.into_iter().rev() {
            for cluster in &self.runs[run].clusters {
                self.candidates[cluster.joint as usize].push(run);
            }
        }
    }

    /// The preferred run that can begin with the joint.
    fn next(&mut self, joint: u32) -> Option<usize> {
        let candidates = &mut self.candidates[joint as usize];
        while candidates.pop_if(|run| self.pushed[*run]).is_some() {}
        candidates.last().copied()
    }

    fn push_run(&mut self, run: usize) {
        self.pushed[run] = true;
        let ClusteredRun { influences, ref mut clusters, ref mut shared } = self.runs[run];
        let (mut clusters, shared) = (take(clusters), take(shared));
        // A cluster with whose joint another run can begin goes last.
        sort_by_key(&mut clusters, |cluster| {
            let (other, followed) = (Some(cluster.joint) != self.end, self.next(cluster.joint).is_some());
            u64::from(other) << 63 | u64::from(followed) << 62 | cluster.own.len() as u64
        });
        let first = self.inverse_remap.len() / BLOCK;
        let (first_cluster, others) = clusters.split_at(clusters.len().min(1));
        first_cluster.iter().for_each(|cluster| self.push_blocks(cluster.own));
        shared.iter().for_each(|block| self.push_blocks(&block.concat()));
        others.iter().for_each(|cluster| self.push_blocks(cluster.own));
        let blocks = self.inverse_remap.len() / BLOCK - first;
        self.spans.push(RunSpan { influences, first, blocks });
        self.end = clusters.last().map_or(self.end, |cluster| Some(cluster.joint));
    }

    /// Appends vertices, padded to whole blocks.
    fn push_blocks(&mut self, vertices: &[u32]) {
        self.inverse_remap.extend(vertices);
        self.inverse_remap.resize(self.inverse_remap.len().next_multiple_of(BLOCK), self.pad);
    }
}

#[cfg(test)]
mod tests {
    use super::super::groups::Groups;
    use super::super::test_support::{InfluenceArrays, InfluenceKind};
    use super::*;

    /// Adds vertices that are influenced by all these joints, with one strongest joint.
    fn push(arrays: &mut InfluenceArrays, joints: &[u32], strongest: u32, vertices: usize) {
        let influence = |&joint: &u32| (joint, if joint == strongest { 2.0 } else { 1.0 }, [0.0; 3]);
        let influences: Vec<_> = joints.iter().map(influence).collect();
        (0..vertices).for_each(|_| arrays.push(&influences));
    }

    #[test]
    fn as_few_clusters_as_possible_share_a_block() {
        let mut arrays = InfluenceArrays::new(0, 1, 1, 4, 1);
        for (strongest, vertices) in [(0, 29), (1, 17), (2, 6), (3, 6)] {
            push(&mut arrays, &[0, 1, 2, 3], strongest, vertices);
        }
        let vertices: Vec<u32> = (0..58).collect();
        let run = ClusteredRun::new(4, &vertices, &arrays.influences(InfluenceKind::Normalized));
        let own: Vec<_> = run.clusters.iter().map(|cluster| (cluster.joint, cluster.own.len())).collect();
        assert_eq!(own, [(0, 29), (1, 16), (3, 6)]);
        let shared: Vec<Vec<_>> =
            run.shared.iter().map(|block| block.iter().map(|remainder| remainder.len()).collect()).collect();
        assert_eq!(shared, [[6, 1]]);
    }

    #[test]
    fn remainders_that_fit_nowhere_are_split_and_none_is_lost() {
        let vertices: Vec<u32> = (0..70).collect();
        for lens in [&[7, 7, 7, 3][..], &[5, 5, 5], &[6, 6, 6, 6], &[1; 9], &[4, 4], &[7], &[]] {
            let mut next = 0;
            let remainder = |(cluster, &len): (usize, &usize)| {
                let all = &vertices[next..next + len];
                next += len;
                Remainder { cluster, all, vertices: all }
            };
            let remainders: Vec<_> = lens.iter().enumerate().map(remainder).collect();
            let blocks = next.div_ceil(BLOCK);
            let packed = pack_remainders(remainders, blocks);
            assert_eq!(packed.len(), blocks);
            let filled = |block: &Vec<Remainder<'_>>| {
                block.iter().map(|remainder| remainder.vertices.len()).sum::<usize>()
            };
            assert!(packed.iter().all(|block| filled(block) <= BLOCK), "{lens:?}");
            let mut found: Vec<u32> =
                packed.iter().flatten().flat_map(|remainder| remainder.vertices).copied().collect();
            found.sort_unstable();
            assert_eq!(found, vertices[..next], "{lens:?}");
        }
    }

    #[test]
    fn a_run_begins_with_the_joint_that_another_ends_with() {
        let mut arrays = InfluenceArrays::new(0, 1, 1, 4, 1);
        for (joints, strongest) in [([0, 1], 0), ([0, 1], 1), ([2, 3], 2), ([1, 2], 2), ([1, 2], 1)] {
            push(&mut arrays, &joints, strongest, 8);
        }
        let layout = arrays.layout(InfluenceKind::Normalized, &[1]);
        let Groups::SharedJoints(groups) = &layout.levels[0].groups else { panic!("no runs") };
        let [group] = &groups[..] else { panic!("more than one joint in a block") };
        assert_eq!(group.joints, [0, 1, 2]);
        assert_eq!(group.runs.iter().map(|run| run.blocks).collect::<Vec<_>>(), [1, 2, 2]);
    }

    #[test]
    fn a_run_has_no_more_blocks_than_its_vertices_fill() {
        for seed in 0..40 {
            let arrays = InfluenceArrays::new(300, 1 + seed as usize, 4, 9, seed);
            for kind in [InfluenceKind::Normalized, InfluenceKind::JointSpace] {
                let layout = arrays.layout(kind, &[1]);
                let mut runs = layout.full.run_starts();
                runs.push(layout.inverse_remap.len() / BLOCK);
                for run in runs.windows(2) {
                    let mut vertices = layout.inverse_remap[BLOCK * run[0]..BLOCK * run[1]].to_vec();
                    vertices.dedup();
                    assert_eq!(vertices.len().div_ceil(BLOCK), run[1] - run[0]);
                }
            }
        }
    }
}
