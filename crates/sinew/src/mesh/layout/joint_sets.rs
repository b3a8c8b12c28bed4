//! The distinct joint sets of vertices.

use std::hash::{BuildHasher, RandomState};

use super::costs;
use crate::mesh::influences::{Ascending, VertexInfluences};

/// The distinct joint sets, in order of first appearance.
pub(super) struct JointSets {
    /// The set of each vertex.
    pub(super) of_vertex: Vec<u32>,
    /// The number of vertices of each set.
    pub(super) vertices: Vec<u32>,
    /// The joints of all sets, set by set.
    joints: Vec<u32>,
    /// The end of each set in `joints`.
    ends: Vec<usize>,
}

impl JointSets {
    pub(super) fn new(influences: &VertexInfluences) -> Self {
        let mut finder = SetFinder::new(influences.len());
        for vertex in 0..influences.len() {
            finder.push_vertex(influences, vertex);
        }
        finder.sets
    }

    /// The sets, or `None` if runs of these sets cost more than this, however they are merged. Most
    /// meshes with a set for every few vertices are decided long before their last vertex.
    pub(super) fn new_if_cheap(influences: &VertexInfluences, most: u64) -> Option<Self> {
        let mut finder = SetFinder::new(influences.len());
        let mut least = LeastCost::default();
        for vertex in 0..influences.len() {
            if finder.push_vertex(influences, vertex) {
                least.push_set(influences.count(vertex));
                if least.cost() > most {
                    return None;
                }
            }
        }
        Some(finder.sets)
    }

    /// The number of sets.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The joints of a set, in ascending order.
    pub(super) fn joints(&self, set: usize) -> &[u32] {
        &self.joints[set.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[set]]
    }
}

/// The least cost of runs. They are merged up to four joints, of which one is common to all sets of
/// the run. Among the subsets of four joints that have one in common, there are one of four joints,
/// three of three joints, and three of two.
#[derive(Default)]
struct LeastCost {
    /// The cost of sets that are not merged with others, as they have more than four joints.
    more: u64,
    /// The number of sets of two, three and four joints.
    sets: [u64; 3],
}

impl LeastCost {
    fn push_set(&mut self, joints: usize) {
        match joints {
            0 | 1 => {}
            2..=4 => self.sets[joints - 2] += 1,
            _ => self.more += costs::shared_joints(joints, 1),
        }
    }

    fn cost(&self) -> u64 {
        let [twos, threes, fours] = self.sets;
        self.more + fours.max(twos.max(threes) / 3) * costs::shared_joints(4, 1)
    }
}

/// Finds the set of each vertex: a hash table with open addressing.
struct SetFinder {
    sets: JointSets,
    ascending: Ascending<u32>,
    /// The hash of each set.
    hashes: Vec<u64>,
    /// For each place, the high half of a hash and one plus the number of its set; or zero. At most
    /// half of the places are taken.
    table: Vec<u64>,
    /// Random, so that no file can be made for its sets to collide.
    seed: [u64; 2],
}

impl SetFinder {
    fn new(vertices: usize) -> Self {
        let sets = JointSets {
            of_vertex: Vec::with_capacity(vertices),
            vertices: Vec::new(),
            joints: Vec::new(),
            ends: Vec::new(),
        };
        let random = RandomState::new();
        Self {
            sets,
            ascending: Ascending::new(u32::MAX),
            hashes: Vec::new(),
            table: vec![0; 64],
            seed: [random.hash_one(0), random.hash_one(1) | 1],
        }
    }

    /// Finds the set of the next vertex. Returns whether it is a new one.
    fn push_vertex(&mut self, influences: &VertexInfluences, vertex: usize) -> bool {
        let joints = influences.joints(vertex);
        // The joints of neighbors are often the same, even in the order of their weights.
        if let Some(&set) = self.sets.of_vertex.last()
            && joints.iter().eq(influences.joints(vertex - 1))
        {
            self.sets.vertices[set as usize] += 1;
            self.sets.of_vertex.push(set);
            return false;
        }
        let Self { sets, ascending, hashes, table, seed } = self;
        let joints = ascending.sort(joints.iter().copied());
        let hash = joints.iter().fold(seed[0], |hash, &joint| {
            let product = u128::from(hash ^ u64::from(joint)) * u128::from(seed[1]);
            product as u64 ^ (product >> 64) as u64
        });
        let mask = table.len() - 1;
        let mut place = hash as usize & mask;
        while table[place] != 0 {
            let set = (table[place] as u32 - 1) as usize;
            if table[place] >> 32 == hash >> 32 && sets.joints(set) == joints {
                sets.vertices[set] += 1;
                sets.of_vertex.push(set as u32);
                return false;
            }
            place = (place + 1) & mask;
        }
        let set = sets.len() as u32;
        table[place] = table_entry(hash, set);
        hashes.push(hash);
        sets.joints.extend_from_slice(joints);
        sets.ends.push(sets.joints.len());
        sets.vertices.push(1);
        sets.of_vertex.push(set);
        if 2 * sets.len() > table.len() {
            self.grow_table();
        }
        true
    }

    fn grow_table(&mut self) {
        let mut table = vec![0; 4 * self.table.len()];
        let mask = table.len() - 1;
        for (set, &hash) in self.hashes.iter().enumerate() {
            let mut place = hash as usize & mask;
            while table[place] != 0 {
                place = (place + 1) & mask;
            }
            table[place] = table_entry(hash, set as u32);
        }
        self.table = table;
    }
}

fn table_entry(hash: u64, set: u32) -> u64 {
    hash >> 32 << 32 | u64::from(set + 1)
}
