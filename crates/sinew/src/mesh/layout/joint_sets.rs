//! The distinct joint sets of vertices.

use std::hash::{BuildHasher, RandomState};

use super::costs;
use crate::mesh::influences::{Ascending, VertexInfluences, sort_few};

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
    /// The hash and the packed joints of each set.
    hashes: Vec<(u64, u64)>,
    /// The packed joints of the last vertex.
    last: u64,
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
            last: MANY,
            table: vec![0; 64],
            seed: [random.hash_one(0), random.hash_one(1) | 1],
        }
    }

    /// Finds the set of the next vertex. Returns whether it is a new one.
    fn push_vertex(&mut self, influences: &VertexInfluences, vertex: usize) -> bool {
        let Self { sets, ascending, hashes, last, table, seed } = self;
        let packed = pack(influences, vertex);
        // The joints of neighbors are often the same.
        let is_same = match packed {
            MANY => vertex > 0 && influences.joints(vertex) == influences.joints(vertex - 1),
            packed => packed == *last,
        };
        *last = packed;
        if let Some(&set) = sets.of_vertex.last()
            && is_same
        {
            sets.vertices[set as usize] += 1;
            sets.of_vertex.push(set);
            return false;
        }
        let mix = |hash: u64, number: u64| {
            let product = u128::from(hash ^ number) * u128::from(seed[1]);
            product as u64 ^ (product >> 64) as u64
        };
        let many = match packed {
            MANY => ascending.sort(influences.joints(vertex).iter().copied()),
            _ => &[],
        };
        let hash = match packed {
            MANY => many.iter().fold(seed[0], |hash, &joint| mix(hash, joint.into())),
            packed => mix(seed[0], packed),
        };
        let mask = table.len() - 1;
        let mut place = hash as usize & mask;
        while table[place] != 0 {
            let set = (table[place] as u32 - 1) as usize;
            if table[place] >> 32 == hash >> 32
                && hashes[set].1 == packed
                && (packed != MANY || sets.joints(set) == many)
            {
                sets.vertices[set] += 1;
                sets.of_vertex.push(set as u32);
                return false;
            }
            place = (place + 1) & mask;
        }
        let set = sets.len() as u32;
        table[place] = table_entry(hash, set);
        hashes.push((hash, packed));
        match packed {
            MANY => sets.joints.extend_from_slice(many),
            packed => sets.joints.extend(unpack(packed)),
        }
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
        for (set, &(hash, _)) in self.hashes.iter().enumerate() {
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

/// What is packed of sets with more joints than four, or with joints that take more than 16 bits.
const MANY: u64 = u64::MAX;

/// Up to four joints in ascending order as one number of four times 16 bits, different for each
/// set.
#[inline(always)]
fn pack(influences: &VertexInfluences, vertex: usize) -> u64 {
    // Joints from one on, so that zero is none.
    let Some(mut few) = influences.few_joints(vertex) else { return MANY };
    sort_few(&mut few);
    if few[3] > u32::from(u16::MAX) {
        return MANY;
    }
    few.iter().fold(0, |packed, &joint| packed << 16 | u64::from(joint))
}

/// The joints that were packed.
fn unpack(packed: u64) -> impl Iterator<Item = u32> {
    let numbers = [48, 32, 16, 0].map(|shift| (packed >> shift) as u16);
    numbers.into_iter().filter_map(|number| u32::from(number).checked_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Influences, Weights};
    use crate::skeleton::{Bone, JointId, Skeleton, Skin, Transform};

    /// The distinct sets of these rows, and the set of each row, found one by one.
    fn expected(rows: &[Vec<u32>]) -> (Vec<Vec<u32>>, Vec<u32>) {
        let (mut sets, mut of_row): (Vec<Vec<u32>>, _) = (Vec::new(), Vec::new());
        for row in rows {
            let mut row = row.clone();
            row.sort_unstable();
            let set = sets.iter().position(|set| *set == row).unwrap_or_else(|| {
                sets.push(row);
                sets.len() - 1
            });
            of_row.push(set as u32);
        }
        (sets, of_row)
    }

    #[test]
    fn sets_of_few_and_of_many_joints_are_found() {
        // Joints on both sides of what is packed.
        let joints = [0, 1, 2, 3, 65533, 65534, 65535, 65536, 65537];
        let bones = vec![Bone::new("", None, Transform::IDENTITY); 65538];
        let skeleton = Skeleton::new(&bones).expect("roots");
        let all: Vec<_> = (0..65538).map(JointId::new).collect();
        let skin = Skin::new(&skeleton, &all).expect("a sound skin");
        let mut state = 1_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let mut rows: Vec<Vec<u32>> = Vec::new();
        for _ in 0..3000 {
            let (first, count) = (next(joints.len()), 1 + next(6));
            let mut row: Vec<u32> = (0..count).map(|i| joints[(first + i) % joints.len()]).collect();
            row.rotate_left(next(count));
            rows.push(row);
        }
        let counts: Vec<u32> = rows.iter().map(|row| row.len() as u32).collect();
        let weights: Vec<f32> = rows.iter().flat_map(|row| vec![1.0 / row.len() as f32; row.len()]).collect();
        let flat = rows.concat();
        let source = Influences::Variable { counts: &counts, joints: &flat, weights: &weights };
        let influences =
            VertexInfluences::new(source, Weights::Normalized, rows.len(), &skin).expect("sound influences");
        let found = JointSets::new(&influences);
        let (sets, of_row) = expected(&rows);
        assert_eq!(found.of_vertex, of_row);
        assert_eq!((0..found.len()).map(|set| found.joints(set).to_vec()).collect::<Vec<_>>(), sets);
        for (set, &vertices) in found.vertices.iter().enumerate() {
            assert_eq!(of_row.iter().filter(|&&own| own as usize == set).count(), vertices as usize);
        }
    }
}
