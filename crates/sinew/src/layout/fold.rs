//! Folding: small runs go into others, where fewer blocks and runs outweigh the joints that a vertex does not need.
//!
//! Greedy: the two runs that save most become one, and so on until none save any. All vertices of a run have a joint in
//! common, against which the kernel takes the others, so that a joint far away does not disturb a vertex that does not
//! hang on it. A run looks for a partner among those whose sets of joints are near its own. What is folded depends on the
//! sets and on how many vertices have each, with levels of detail also on their strongest joints, not on the order of the
//! vertices.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sinew_kernels::BLOCK;

use super::costs::of_run;
use super::sets::{Bin, Bins, Sets};
use crate::hanging::Hanging;

/// The most joints of a run that others are folded into; with more the kernel is slower by more than folding saves.
const MOST: usize = 4;
/// About how many pairs are looked at before anything is folded. More do not fit into the second that a million vertices
/// may take.
const PAIRS: usize = 4_000_000;
/// After about so many pairs no more partners are looked for.
const TRIES: usize = 3 * PAIRS;
/// The most neighbours looked at on each side in each list: all, in a mesh of so many sets.
const REACH: usize = 64;
/// Stands after the last joint of a set.
const NONE: u32 = u32::MAX;

/// At most four joints by rising number, then `NONE`.
type Union = [u32; MOST];

/// A bin for each run, runs in the order of their first vertices.
pub(super) fn folded(sets: &Sets, hanging: &Hanging, maxima: &[usize]) -> Bins {
    let set = |set: u32| hanging.set(sets.first[set as usize]);
    let ids = 0..sets.first.len() as u32;
    let mut roots: Vec<u32> = ids.clone().collect();
    let mut influences: Vec<usize> = ids.clone().map(|id| set(id).len()).collect();
    // Sets of more joints stay what they are.
    let mut order: Vec<u32> = ids.filter(|&id| set(id).len() <= MOST).collect();
    let reach = (PAIRS / (10 * order.len()).max(1)).min(REACH);
    if reach > 0 {
        order.sort_unstable_by(|&a, &b| set(a).cmp(set(b)));
        let unions = order.iter().map(|&id| union_of(set(id))).collect();
        let vertices = order.iter().map(|&id| sets.vertices[id as usize]).collect();
        let mut folding = Folding::new(unions, vertices, hanging.skin_len(), reach);
        if !maxima.is_empty() {
            let strongest = strongest_of(sets, hanging);
            folding.strongest = order.iter().map(|&id| strongest[id as usize]).collect();
        }
        folding.fold();
        for (rank, &id) in order.iter().enumerate() {
            let root = folding.root(rank as u32) as usize;
            roots[id as usize] = order[root];
            influences[id as usize] = len(&folding.unions[root]);
        }
    }
    let mut run_of_root = vec![NONE; roots.len()];
    let mut run_of_set = Vec::with_capacity(roots.len());
    let mut bins = Vec::new();
    for (set, &root) in roots.iter().enumerate() {
        let run = &mut run_of_root[root as usize];
        if *run == NONE {
            *run = bins.len() as u32;
            bins.push(Bin { influences: influences[set], vertices: 0 });
        }
        bins[*run as usize].vertices += sets.vertices[set] as usize;
        run_of_set.push(*run);
    }
    Bins { of_vertex: sets.of_vertex.iter().map(|&set| run_of_set[set as usize]).collect(), bins }
}

/// Sets by rank: their place when sorted by their joints. A set that was folded has a parent, up to a root.
struct Folding {
    parents: Vec<u32>,
    /// Of roots.
    unions: Vec<Union>,
    /// The joints that all sets of a root have.
    commons: Vec<Union>,
    /// The joints that are the strongest of a vertex of each root; none where that does not matter.
    strongest: Vec<Union>,
    /// Of roots; zero of others.
    vertices: Vec<u32>,
    /// The ranks of the sets that have each joint, one joint after the other.
    by_joint: Vec<u32>,
    /// Where each joint's begin, and the end of the last.
    starts: Vec<u32>,
    reach: usize,
    /// Pairs looked at so far.
    tried: usize,
}

/// Two roots, and what is saved when they become one. The greatest saves most; of equal ones it has most strongest joints in
/// common, which saves runs in levels of detail; of equal ones it has the lowest ranks.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Fold {
    saved: i64,
    alike: usize,
    ranks: Reverse<[u32; 2]>,
    /// Of both, when that was computed.
    vertices: [u32; 2],
}

impl Folding {
    fn new(unions: Vec<Union>, vertices: Vec<u32>, skin_len: usize, reach: usize) -> Self {
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
        let strongest = vec![[NONE; MOST]; unions.len()];
        Self { parents, unions, commons, strongest, vertices, by_joint, starts, reach, tried: 0 }
    }

    fn fold(&mut self) {
        let mut best: BinaryHeap<Fold> =
            (0..self.parents.len() as u32).filter_map(|rank| self.best(rank)).collect();
        while let Some(fold) = best.pop() {
            let Fold { ranks: Reverse([rank, partner]), vertices, .. } = fold;
            match self.vertices_of(rank, partner) {
                now if now == vertices => {}
                // The other has grown or is gone, so another may be better.
                now if now[0] == vertices[0] => {
                    best.extend(self.best(rank));
                    continue;
                }
                // It is gone, or it has looked again when it grew.
                _ => continue,
            }
            let (root, folded) = (rank.min(partner) as usize, rank.max(partner) as usize);
            let union = union(&self.unions[root], &self.unions[folded]);
            self.unions[root] = union.unwrap_or(self.unions[root]);
            self.commons[root] = common(&self.commons[root], &self.commons[folded]);
            let strongest = self::union(&self.strongest[root], &self.strongest[folded]);
            self.strongest[root] = strongest.unwrap_or(self.strongest[root]);
            self.vertices[root] += self.vertices[folded];
            self.vertices[folded] = 0;
            self.parents[folded] = root as u32;
            best.extend(self.best(root as u32));
        }
    }

    fn vertices_of(&self, rank: u32, partner: u32) -> [u32; 2] {
        [self.vertices[rank as usize], self.vertices[partner as usize]]
    }

    /// How a root saves most; of equal ways the one with the lowest partner. `None` where it saves nothing, and when
    /// enough has been tried.
    fn best(&mut self, rank: u32) -> Option<Fold> {
        if self.tried > TRIES {
            return None;
        }
        let mut best = (0, 0, Reverse(NONE));
        let own = self.unions[rank as usize];
        for &joint in joints(&own) {
            let list = self.starts[joint as usize] as usize..self.starts[joint as usize + 1] as usize;
            let middle = list.start + self.by_joint[list.clone()].partition_point(|&other| other < rank);
            for place in near(middle, list.start, list.end, self.reach) {
                best = best.max(self.tried(rank, self.by_joint[place]));
            }
        }
        let (saved, alike, Reverse(partner)) = best;
        let ranks = Reverse([rank, partner]);
        (saved > 0).then(|| Fold { saved, alike, ranks, vertices: self.vertices_of(rank, partner) })
    }

    /// What a root saves with the root of another set, how many strongest joints they have in common, and which that is.
    fn tried(&mut self, rank: u32, other: u32) -> (i64, usize, Reverse<u32>) {
        self.tried += 1;
        let other = self.root(other);
        let saved = if other == rank { None } else { self.saved(rank as usize, other as usize) };
        let alike = common(&self.strongest[rank as usize], &self.strongest[other as usize]);
        (saved.unwrap_or(0), len(&alike), Reverse(other))
    }

    fn saved(&self, a: usize, b: usize) -> Option<i64> {
        let both = len(&union(&self.unions[a], &self.unions[b])?);
        if len(&common(&self.commons[a], &self.commons[b])) == 0 {
            return None;
        }
        let cost =
            |influences: usize, vertices: u32| of_run(influences, (vertices as usize).div_ceil(BLOCK)) as i64;
        let (m, n) = (self.vertices[a], self.vertices[b]);
        Some(cost(len(&self.unions[a]), m) + cost(len(&self.unions[b]), n) - cost(both, m + n))
    }

    /// The set that a set was folded into in the end.
    fn root(&mut self, rank: u32) -> u32 {
        let mut rank = rank as usize;
        while self.parents[rank] as usize != rank {
            // Shortens the way for the next time.
            self.parents[rank] = self.parents[self.parents[rank] as usize];
            rank = self.parents[rank] as usize;
        }
        rank as u32
    }
}

/// For each set of at most four joints those that are the strongest of a vertex.
fn strongest_of(sets: &Sets, hanging: &Hanging) -> Vec<Union> {
    let mut strongest = vec![[NONE; MOST]; sets.first.len()];
    for (vertex, &set) in sets.of_vertex.iter().enumerate() {
        let joints = &mut strongest[set as usize];
        let first = union_of(&hanging.joints(vertex)[..1]);
        *joints = union(joints, &first).unwrap_or(*joints);
    }
    strongest
}

/// The places around the middle, at most `reach` on each side.
fn near(middle: usize, start: usize, end: usize, reach: usize) -> std::ops::Range<usize> {
    middle.saturating_sub(reach).max(start)..(middle + reach + 1).min(end)
}

/// At most four joints.
fn union_of(set: &[u32]) -> Union {
    let mut union = [NONE; MOST];
    for (to, &joint) in union.iter_mut().zip(set) {
        *to = joint;
    }
    union
}

fn len(union: &Union) -> usize {
    union.iter().filter(|&&joint| joint != NONE).count()
}

fn joints(union: &Union) -> &[u32] {
    &union[..len(union)]
}

/// The joints that are in both.
fn common(a: &Union, b: &Union) -> Union {
    let mut both = [NONE; MOST];
    let shared = joints(a).iter().filter(|&joint| joints(b).contains(joint));
    for (to, &joint) in both.iter_mut().zip(shared) {
        *to = joint;
    }
    both
}

/// All joints of both; `None` where these are more than four.
fn union(a: &Union, b: &Union) -> Option<Union> {
    let mut both = [NONE; MOST];
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
