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

use super::costs;
use super::joint_sets::{Bin, Bins, JointSets};
use crate::mesh::influences::VertexInfluences;

/// The maximum number of joints of a merged run. With more, the kernel loses more time than merging
/// saves.
const MAX_JOINTS: usize = 4;
/// The approximate number of pairs evaluated before the first merge. More would take longer than
/// the one second allowed for a million vertices.
const INITIAL_PAIRS: usize = 4_000_000;
/// The approximate number of pairs after which no more candidates are evaluated.
const MAX_EVALUATIONS: usize = 3 * INITIAL_PAIRS;
/// The maximum number of neighbors evaluated on each side in each list. A mesh with up to this many
/// sets evaluates all pairs.
const MAX_REACH: usize = 64;
/// Fills a [`SmallSet`] after its last joint.
const NONE: u32 = u32::MAX;

/// At most four joints in ascending order, then `NONE`.
type SmallSet = [u32; MAX_JOINTS];

/// Merges joint sets. Returns one bin per run, in the order of their first vertices.
pub(super) fn merge_joint_sets(
    sets: &JointSets,
    influences: &VertexInfluences,
    level_maxima: &[usize],
) -> Bins {
    let set = |set: u32| &sets.joints[set as usize][..];
    let ids = 0..sets.joints.len() as u32;
    let mut roots: Vec<u32> = ids.clone().collect();
    let mut counts: Vec<usize> = ids.clone().map(|id| set(id).len()).collect();
    // Sets with more joints are not merged.
    let mut order: Vec<u32> = ids.filter(|&id| set(id).len() <= MAX_JOINTS).collect();
    let reach = (INITIAL_PAIRS / (10 * order.len()).max(1)).min(MAX_REACH);
    if reach > 0 {
        order.sort_unstable_by(|&a, &b| set(a).cmp(set(b)));
        let unions = order.iter().map(|&id| small_set(set(id))).collect();
        let vertices = order.iter().map(|&id| sets.vertices[id as usize]).collect();
        let mut merger = SetMerger::new(unions, vertices, influences.skin_len(), reach);
        if !level_maxima.is_empty() {
            let strongest = strongest_joints_of_sets(sets, influences);
            merger.strongest = order.iter().map(|&id| strongest[id as usize]).collect();
        }
        merger.merge_all();
        for (rank, &id) in order.iter().enumerate() {
            let root = merger.root(rank as u32) as usize;
            roots[id as usize] = order[root];
            counts[id as usize] = len(&merger.unions[root]);
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
    Bins { of_vertex: sets.of_vertex.iter().map(|&set| run_of_set[set as usize]).collect(), bins }
}

/// Joint sets by rank, which is their position when sorted by joints, as a disjoint-set forest: a
/// merged set has a parent, up to a root.
struct SetMerger {
    parents: Vec<u32>,
    /// The joints of each root.
    unions: Vec<SmallSet>,
    /// The joints that all sets of each root have in common.
    commons: Vec<SmallSet>,
    /// The joints that are the strongest of some vertex of each root. Empty without levels of
    /// detail.
    strongest: Vec<SmallSet>,
    /// The number of vertices of each root; zero for other sets.
    vertices: Vec<u32>,
    /// The ranks of the sets that contain each joint, joint by joint.
    by_joint: Vec<u32>,
    /// The start of each joint in `by_joint`, and the end of the last one.
    starts: Vec<u32>,
    reach: usize,
    /// The number of pairs evaluated so far.
    evaluations: usize,
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
    fn new(unions: Vec<SmallSet>, vertices: Vec<u32>, skin_len: usize, reach: usize) -> Self {
        let mut starts = vec![0_u32; skin_len + 1];
        for &joint in unions.iter().flat_map(joints) {
            starts[joint as usize + 1] += 1;
        }
        for joint in 0..skin_len {
            starts[joint + 1] += starts[joint];
        }
        let mut next = starts.clone();
        let mut by_joint = vec![0; starts[skin_len] as usize];
        for (rank, union) in unions.iter().enumerate() {
            for &joint in joints(union) {
                by_joint[next[joint as usize] as usize] = rank as u32;
                next[joint as usize] += 1;
            }
        }
        let parents = (0..unions.len() as u32).collect();
        let commons = unions.clone();
        let strongest = vec![[NONE; MAX_JOINTS]; unions.len()];
        Self { parents, unions, commons, strongest, vertices, by_joint, starts, reach, evaluations: 0 }
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
            let (root, merged) = (rank.min(partner) as usize, rank.max(partner) as usize);
            let union = union(&self.unions[root], &self.unions[merged]);
            self.unions[root] = union.unwrap_or(self.unions[root]);
            self.commons[root] = common(&self.commons[root], &self.commons[merged]);
            let strongest = self::union(&self.strongest[root], &self.strongest[merged]);
            self.strongest[root] = strongest.unwrap_or(self.strongest[root]);
            self.vertices[root] += self.vertices[merged];
            self.vertices[merged] = 0;
            self.parents[merged] = root as u32;
            queue.extend(self.best_merge(root as u32));
        }
    }

    fn vertices_of(&self, rank: u32, partner: u32) -> [u32; 2] {
        [self.vertices[rank as usize], self.vertices[partner as usize]]
    }

    /// The best merge of a root; among equal ones that with the lowest partner. `None` if no merge
    /// saves anything, or if enough pairs were evaluated.
    fn best_merge(&mut self, rank: u32) -> Option<Merge> {
        if self.evaluations > MAX_EVALUATIONS {
            return None;
        }
        let mut best = (0, 0, Reverse(NONE));
        let own = self.unions[rank as usize];
        for &joint in joints(&own) {
            let list = self.starts[joint as usize] as usize..self.starts[joint as usize + 1] as usize;
            let middle = list.start + self.by_joint[list.clone()].partition_point(|&other| other < rank);
            for index in neighborhood(middle, list.start, list.end, self.reach) {
                best = best.max(self.evaluate(rank, self.by_joint[index]));
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

    /// Evaluates merging a root with the root of another set: the saving, the number of strongest
    /// joints in common, and the other root.
    fn evaluate(&mut self, rank: u32, other: u32) -> (i64, usize, Reverse<u32>) {
        self.evaluations += 1;
        let other = self.root(other);
        let saved = if other == rank { None } else { self.saving(rank as usize, other as usize) };
        let common_strongest = common(&self.strongest[rank as usize], &self.strongest[other as usize]);
        (saved.unwrap_or(0), len(&common_strongest), Reverse(other))
    }

    fn saving(&self, a: usize, b: usize) -> Option<i64> {
        let both = len(&union(&self.unions[a], &self.unions[b])?);
        if len(&common(&self.commons[a], &self.commons[b])) == 0 {
            return None;
        }
        let cost = |influences: usize, vertices: u32| {
            costs::shared_joints(influences, (vertices as usize).div_ceil(BLOCK)) as i64
        };
        let (m, n) = (self.vertices[a], self.vertices[b]);
        Some(cost(len(&self.unions[a]), m) + cost(len(&self.unions[b]), n) - cost(both, m + n))
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
    let mut strongest = vec![[NONE; MAX_JOINTS]; sets.joints.len()];
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
