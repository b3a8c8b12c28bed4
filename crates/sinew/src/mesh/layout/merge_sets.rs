//! Merges joint sets: small runs are combined if fewer blocks and runs outweigh the joints that
//! some of the vertices do not need.
//!
//! The algorithm is greedy: it merges the two runs that save most until no merge saves anything.
//! All vertices of a run keep one joint in common. Kernels compute the other joints relative to it,
//! so that a distant joint does not disturb a vertex that it does not influence. Candidates for a
//! merge are runs with similar joint sets. The result depends on the sets and their numbers of
//! vertices, with levels of detail also on the strongest joints, but not on the order of vertices.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sinew_kernels::BLOCK;

use super::bins::{Bin, Bins};
use super::costs;
use super::joint_sets::JointSets;
use crate::mesh::influences::VertexInfluences;

/// The maximum number of joints of a merged run. With more, the kernel loses more time than merging
/// saves.
const MAX_JOINTS: usize = 4;
/// The approximate number of pairs evaluated before the first merge. Each takes a few nanoseconds,
/// and a mesh of a million vertices should not take much longer than a tenth of a second.
const INITIAL_PAIRS: usize = 4_000_000;
/// The approximate number of pairs after which no more candidates are evaluated.
const MAX_EVALUATIONS: usize = 3 * INITIAL_PAIRS;
/// The maximum number of neighbors evaluated on each side in each list. A mesh with up to this many
/// sets evaluates all pairs.
const MAX_REACH: usize = 64;
/// Fills a [`SmallSet`] after its last joint.
const NONE: u32 = u32::MAX;
/// A joint that no set has.
const ABSENT: u32 = u32::MAX - 1;

/// At most four joints in ascending order, then `NONE`.
type SmallSet = [u32; MAX_JOINTS];

/// Merges joint sets. Returns one bin per run, in the order of their first vertices.
pub(super) fn merge_joint_sets(
    mut sets: JointSets,
    influences: &VertexInfluences,
    level_maxima: &[usize],
) -> Bins {
    let ids = 0..sets.len() as u32;
    let mut roots: Vec<u32> = ids.clone().collect();
    let mut counts: Vec<usize> = ids.clone().map(|id| sets.joints(id as usize).len()).collect();
    // Sets with more joints are not merged.
    let few = ids.filter(|&id| counts[id as usize] <= MAX_JOINTS);
    // As keys, so that a set comes before those that begin with it.
    let key = |id: u32| small_set(sets.joints(id as usize)).map(|joint| joint.wrapping_add(1));
    let mut order: Vec<(SmallSet, u32)> = few.map(|id| (key(id), id)).collect();
    let reach = (INITIAL_PAIRS / (10 * order.len()).max(1)).min(MAX_REACH);
    if reach > 0 {
        order.sort_unstable();
        let root = |&(_, id): &(SmallSet, u32)| {
            RootSet::new(small_set(sets.joints(id as usize)), sets.vertices[id as usize])
        };
        let mut merger = SetMerger::new(order.iter().map(root).collect(), influences.skin_len(), reach);
        if !level_maxima.is_empty() {
            let strongest = strongest_joints_of_sets(&sets, influences);
            merger.strongest = order.iter().map(|&(_, id)| strongest[id as usize]).collect();
        }
        merger.merge_all();
        for (rank, &(_, id)) in order.iter().enumerate() {
            let root = merger.root(rank as u32) as usize;
            roots[id as usize] = order[root].1;
            counts[id as usize] = merger.sets[root].len as usize;
        }
    }
    let mut run_of_root = vec![NONE; roots.len()];
    let mut run_of_set = Vec::with_capacity(roots.len());
    let mut bins = Vec::new();
    for (set, &root) in roots.iter().enumerate() {
        let run = &mut run_of_root[root as usize];
        if *run == NONE {
            *run = bins.len() as u32;
            bins.push(Bin { influences: counts[set], vertices: 0 });
        }
        bins[*run as usize].vertices += sets.vertices[set] as usize;
        run_of_set.push(*run);
    }
    sets.of_vertex.iter_mut().for_each(|set| *set = run_of_set[*set as usize]);
    Bins { of_vertex: sets.of_vertex, bins }
}

/// Joint sets by rank, which is their position when sorted by joints, as a disjoint-set forest: a
/// merged set has a parent, up to a root.
struct SetMerger {
    parents: Vec<u32>,
    /// What is known of each root.
    sets: Vec<RootSet>,
    /// The joints that are the strongest of some vertex of each root. Empty without levels of
    /// detail.
    strongest: Vec<SmallSet>,
    /// The ranks of the sets that contain each joint, joint by joint.
    by_joint: Vec<u32>,
    /// The start of each joint in `by_joint`, and the end of the last one.
    starts: Vec<u32>,
    reach: usize,
    /// The number of pairs evaluated so far.
    evaluations: usize,
}

/// A root: the sets that were merged into it.
#[derive(Clone, Copy)]
struct RootSet {
    /// The joints of all sets.
    union: SmallSet,
    /// The joints that all sets have in common.
    common: SmallSet,
    /// The number of joints of the union.
    len: u32,
    /// The number of vertices; zero for a set that is no longer a root.
    vertices: u32,
    /// The cost of its run.
    cost: i64,
}

impl RootSet {
    fn new(union: SmallSet, vertices: u32) -> Self {
        let len = len(&union);
        Self { union, common: union, len: len as u32, vertices, cost: run_cost(len, vertices) }
    }
}

fn run_cost(influences: usize, vertices: u32) -> i64 {
    costs::shared_joints(influences, (vertices as usize).div_ceil(BLOCK)) as i64
}

/// A merge of two roots. The greatest one saves most. Ties are won by the merge with most strongest
/// joints in common, which saves runs in levels of detail, then by the lowest ranks.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Merge {
    saved: i64,
    common_strongest: usize,
    ranks: Reverse<[u32; 2]>,
    /// The numbers of vertices for which the saving was computed.
    vertices: [u32; 2],
}

impl SetMerger {
    fn new(sets: Vec<RootSet>, skin_len: usize, reach: usize) -> Self {
        let mut starts = vec![0_u32; skin_len + 1];
        for &joint in sets.iter().flat_map(|set| joints(&set.union)) {
            starts[joint as usize + 1] += 1;
        }
        for joint in 0..skin_len {
            starts[joint + 1] += starts[joint];
        }
        let mut next = starts.clone();
        let mut by_joint = vec![0; starts[skin_len] as usize];
        for (rank, set) in sets.iter().enumerate() {
            for &joint in joints(&set.union) {
                by_joint[next[joint as usize] as usize] = rank as u32;
                next[joint as usize] += 1;
            }
        }
        let parents = (0..sets.len() as u32).collect();
        Self { parents, sets, strongest: Vec::new(), by_joint, starts, reach, evaluations: 0 }
    }

    fn merge_all(&mut self) {
        let mut queue: BinaryHeap<Merge> =
            (0..self.parents.len() as u32).filter_map(|rank| self.best_merge(rank)).collect();
        while let Some(merge) = queue.pop() {
            let Merge { ranks: Reverse([rank, partner]), vertices, .. } = merge;
            match self.vertices_of(rank, partner) {
                now if now == vertices => {}
                // The partner has grown or is no longer a root, so another one may be better.
                now if now[0] == vertices[0] => {
                    queue.extend(self.best_merge(rank));
                    continue;
                }
                // This set is no longer a root, or was evaluated again when it grew.
                _ => continue,
            }
            self.merge(rank.min(partner) as usize, rank.max(partner) as usize);
            queue.extend(self.best_merge(rank.min(partner)));
        }
    }

    /// Merges a root into another one.
    fn merge(&mut self, root: usize, merged: usize) {
        let (a, b) = (&self.sets[root], &self.sets[merged]);
        let joined = union(&a.union, &b.union).unwrap_or(a.union);
        let common = common(&a.common, &b.common);
        self.sets[root] = RootSet { common, ..RootSet::new(joined, a.vertices + b.vertices) };
        self.sets[merged].vertices = 0;
        self.parents[merged] = root as u32;
        if !self.strongest.is_empty() {
            let strongest = union(&self.strongest[root], &self.strongest[merged]);
            self.strongest[root] = strongest.unwrap_or(self.strongest[root]);
        }
    }

    fn vertices_of(&self, rank: u32, partner: u32) -> [u32; 2] {
        [self.sets[rank as usize].vertices, self.sets[partner as usize].vertices]
    }

    /// The best merge of a root; among equal ones that with the lowest partner. `None` if no merge
    /// saves anything, or if enough pairs were evaluated.
    fn best_merge(&mut self, rank: u32) -> Option<Merge> {
        if self.evaluations > MAX_EVALUATIONS {
            return None;
        }
        // The saving, the number of strongest joints in common, and the partner.
        let mut best = (0, 0, Reverse(NONE));
        let own = self.sets[rank as usize];
        let own_union = comparable(&own.union);
        let own_common = comparable(&own.common);
        for &joint in joints(&own.union) {
            let list = self.starts[joint as usize] as usize..self.starts[joint as usize + 1] as usize;
            let middle = list.start + self.by_joint[list.clone()].partition_point(|&other| other < rank);
            let neighbors = neighborhood(middle, list.start, list.end, self.reach);
            self.evaluations += neighbors.len();
            for index in neighbors {
                let partner = self.root(self.by_joint[index]);
                let other = &self.sets[partner as usize];
                let joints = own.len as usize + other.len as usize - count_common(&own_union, &other.union);
                if joints > MAX_JOINTS || partner == rank {
                    continue;
                }
                let saved = own.cost + other.cost - run_cost(joints, own.vertices + other.vertices);
                if saved <= 0 || saved < best.0 || count_common(&own_common, &other.common) == 0 {
                    continue;
                }
                let common_strongest = match &self.strongest[..] {
                    [] => 0,
                    strongest => len(&common(&strongest[rank as usize], &strongest[partner as usize])),
                };
                best = best.max((saved, common_strongest, Reverse(partner)));
            }
        }
        let (saved, common_strongest, Reverse(partner)) = best;
        let ranks = Reverse([rank, partner]);
        (saved > 0).then(|| Merge {
            saved,
            common_strongest,
            ranks,
            vertices: self.vertices_of(rank, partner),
        })
    }

    /// The root of a set.
    fn root(&mut self, rank: u32) -> u32 {
        let mut rank = rank as usize;
        while self.parents[rank] as usize != rank {
            // Path halving keeps later searches short.
            self.parents[rank] = self.parents[self.parents[rank] as usize];
            rank = self.parents[rank] as usize;
        }
        rank as u32
    }
}

/// For each set of at most four joints, those that are the strongest of some vertex.
fn strongest_joints_of_sets(sets: &JointSets, influences: &VertexInfluences) -> Vec<SmallSet> {
    let mut strongest = vec![[NONE; MAX_JOINTS]; sets.len()];
    for (vertex, &set) in sets.of_vertex.iter().enumerate() {
        let joints = &mut strongest[set as usize];
        let first = small_set(&influences.joints(vertex)[..1]);
        *joints = union(joints, &first).unwrap_or(*joints);
    }
    strongest
}

/// The indices around `middle`, at most `reach` on each side.
fn neighborhood(middle: usize, start: usize, end: usize, reach: usize) -> std::ops::Range<usize> {
    middle.saturating_sub(reach).max(start)..(middle + reach + 1).min(end)
}

/// Converts at most four joints.
fn small_set(set: &[u32]) -> SmallSet {
    let mut union = [NONE; MAX_JOINTS];
    for (to, &joint) in union.iter_mut().zip(set) {
        *to = joint;
    }
    union
}

fn len(union: &SmallSet) -> usize {
    union.iter().filter(|&&joint| joint != NONE).count()
}

fn joints(union: &SmallSet) -> &[u32] {
    &union[..len(union)]
}

/// The set with `ABSENT` in place of `NONE`, which no other set has.
fn comparable(set: &SmallSet) -> SmallSet {
    set.map(|joint| if joint == NONE { ABSENT } else { joint })
}

/// The number of joints that are in both sets, one of which is [`comparable`].
fn count_common(comparable: &SmallSet, set: &SmallSet) -> usize {
    // Without branches: few pairs have the same number.
    let is_common = |&joint: &u32| comparable.iter().fold(false, |found, &other| found | (other == joint));
    set.iter().map(|joint| usize::from(is_common(joint))).sum()
}

/// The joints that are in both sets.
fn common(a: &SmallSet, b: &SmallSet) -> SmallSet {
    let mut both = [NONE; MAX_JOINTS];
    let shared = joints(a).iter().filter(|&joint| joints(b).contains(joint));
    for (to, &joint) in both.iter_mut().zip(shared) {
        *to = joint;
    }
    both
}

/// The joints that are in either set; `None` if there are more than four.
fn union(a: &SmallSet, b: &SmallSet) -> Option<SmallSet> {
    let mut both = [NONE; MAX_JOINTS];
    let (mut i, mut j) = (0, 0);
    for to in &mut both {
        let next_a = a.get(i).copied().unwrap_or(NONE);
        let next_b = b.get(j).copied().unwrap_or(NONE);
        *to = next_a.min(next_b);
        i += usize::from(next_a == *to);
        j += usize::from(next_b == *to);
    }
    let left = a.get(i).is_some_and(|&joint| joint != NONE) || b.get(j).is_some_and(|&joint| joint != NONE);
    (!left).then_some(both)
}
