//! Random influences for tests, and the decoding of groups to compare them with.

use std::collections::BTreeMap;

use sinew_kernels::reference::algebra;
use sinew_kernels::{BLOCK, Matrix};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::mesh::influences::VertexInfluences;
use crate::mesh::layout::{Groups, Layout};
use crate::mesh::{Influences, Weights};
use crate::skeleton::{Bone, JointId, Skeleton, Skin, Transform};

/// For each joint of a vertex, weight x vector at rest, then the weight. Vectors are zero except
/// for joint-space influences.
pub(super) type JointWeights = BTreeMap<u32, [f64; 4]>;

/// Influences as the arrays of a mesh source.
#[derive(Clone, Default)]
pub(super) struct InfluenceArrays {
    pub(super) counts: Vec<u32>,
    pub(super) joints: Vec<u32>,
    pub(super) weights: Vec<f32>,
    pub(super) vectors: Vec<[f32; 3]>,
    pub(super) inverse_binds: Vec<Matrix>,
}

/// How a mesh uses the influences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum InfluenceKind {
    Normalized,
    AsStored,
    JointSpace,
}

impl InfluenceArrays {
    /// Random vertices. Each has one of `sets` joint sets of up to `max` joints. Some list a joint
    /// twice, and some weights are zero.
    pub(super) fn new(vertices: usize, sets: usize, max: usize, skin_len: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let inverse_binds = rigs::rigid_matrices(skin_len, &mut random);
        let mut arrays = Self { inverse_binds, ..Self::default() };
        let sets: Vec<Vec<u32>> = (0..sets)
            .map(|_| (0..=random.below(max)).map(|_| random.below(skin_len) as u32).collect())
            .collect();
        for _ in 0..vertices {
            let set = &sets[random.below(sets.len())];
            let zero = random.below(20);
            let influences = set.iter().enumerate();
            let influences = influences.map(|(i, &joint)| {
                let weight = if i > 0 && i == zero { 0.0 } else { random.between(0.05, 1.5) };
                (joint, weight, random.vector(2.0))
            });
            let influences: Vec<_> = influences.collect();
            arrays.push(&influences);
        }
        arrays
    }

    /// Adds a vertex.
    pub(super) fn push(&mut self, influences: &[(u32, f32, [f32; 3])]) {
        self.counts.push(influences.len() as u32);
        self.joints.extend(influences.iter().map(|influence| influence.0));
        self.weights.extend(influences.iter().map(|influence| influence.1));
        self.vectors.extend(influences.iter().map(|influence| influence.2));
    }

    pub(super) fn influences(&self, kind: InfluenceKind) -> VertexInfluences {
        let Self { counts, joints, weights, vectors, .. } = self;
        let influences = match kind {
            InfluenceKind::JointSpace => Influences::JointSpace { counts, joints, weights, vectors },
            _ => Influences::Variable { counts, joints, weights },
        };
        let weight_mode =
            if kind == InfluenceKind::AsStored { Weights::AsStored } else { Weights::Normalized };
        VertexInfluences::new(influences, weight_mode, counts.len(), &self.skin()).expect("sound influences")
    }

    pub(super) fn layout(&self, kind: InfluenceKind, levels: &[usize]) -> Layout {
        Layout::new(self.influences(kind), levels)
    }

    fn skin(&self) -> Skin {
        let len = self.inverse_binds.len();
        let bones = vec![Bone::new("", None, Transform::IDENTITY); len];
        let skeleton = Skeleton::new(&bones).expect("roots");
        let joints: Vec<JointId> = skeleton.joints().collect();
        Skin::with_inverse_binds(&skeleton, &joints, &self.inverse_binds).expect("a sound skin")
    }

    /// The expected strongest influences of each vertex.
    pub(super) fn expected(&self, kind: InfluenceKind, max: usize) -> Vec<JointWeights> {
        let mut listed = self.joints.iter().zip(&self.weights).zip(&self.vectors);
        let vertex = |&count: &u32| {
            let mut influences = JointWeights::new();
            for ((&joint, &weight), &vector) in listed.by_ref().take(count as usize) {
                if weight > 0.0 {
                    let influence = influences.entry(joint).or_default();
                    let [x, y, z] = self.at_rest(kind, joint, vector);
                    for (sum, component) in influence.iter_mut().zip([x, y, z, 1.0]) {
                        *sum += f64::from(weight) * component;
                    }
                }
            }
            let sum = |influences: &[(u32, [f64; 4])]| {
                influences.iter().map(|(_, influence)| influence[3]).sum::<f64>()
            };
            let mut influences: Vec<(u32, [f64; 4])> = influences.into_iter().collect();
            let all = sum(&influences);
            influences.sort_by(|a, b| b.1[3].total_cmp(&a.1[3]));
            influences.truncate(max);
            let scale = if kind == InfluenceKind::Normalized { 1.0 } else { all } / sum(&influences);
            influences.into_iter().map(|(joint, influence)| (joint, influence.map(|c| c * scale))).collect()
        };
        self.counts.iter().map(vertex).collect()
    }

    /// The vector that the joint's inverse bind matrix transforms to this one.
    fn at_rest(&self, kind: InfluenceKind, joint: u32, vector: [f32; 3]) -> [f64; 3] {
        if kind != InfluenceKind::JointSpace {
            return [0.0; 3];
        }
        let inverse = algebra::inverse(&algebra::widen(&self.inverse_binds[joint as usize]));
        let [x, y, z] = vector.map(f64::from);
        inverse.expect("rigid").map(|row| algebra::dot(row, [x, y, z, 1.0]))
    }
}

/// The influences of each slot, decoded as kernels read them. Every block must be in exactly one
/// run.
pub(super) fn decode(groups: &Groups, slots: usize) -> Vec<JointWeights> {
    let mut decoded: Vec<Option<JointWeights>> = vec![None; slots];
    let mut store = |slot: usize, influences: JointWeights| {
        assert_eq!(decoded[slot], None, "slot {slot} is skinned twice");
        decoded[slot] = Some(influences);
    };
    let lane = |row: [f32; BLOCK], slot: usize| f64::from(row[slot % BLOCK]);
    match groups {
        Groups::SharedJoints(groups) => {
            for group in groups {
                let rows = group.influences - 1;
                for (run, joints) in group.runs.iter().zip(group.joints.chunks(group.influences)) {
                    for (block, slot) in slots_of_run(run.first, run.blocks) {
                        let from = (run.weights as usize + block) * rows;
                        let weights = &group.weights[from..from + rows];
                        let mut weights: Vec<f64> = weights.iter().map(|row| lane(row.0, slot)).collect();
                        weights.push(1.0 - weights.iter().sum::<f64>());
                        let influence = |(&joint, &weight): (&u32, &f64)| (joint, [0.0, 0.0, 0.0, weight]);
                        store(slot, joints.iter().zip(&weights).map(influence).collect());
                    }
                }
            }
        }
        Groups::PerVertexJoints(groups) => {
            for group in groups {
                for run in &group.runs {
                    for (block, slot) in slots_of_run(run.first, run.blocks) {
                        let from = (run.weights as usize + block) * group.influences;
                        let rows = from..from + group.influences;
                        let influence = |i: usize| {
                            let joint = group.joints[i].0[slot % BLOCK];
                            (joint, [0.0, 0.0, 0.0, lane(group.weights[i].0, slot)])
                        };
                        // Unused joints repeat the last one, with weight zero.
                        let used = rows.map(influence).filter(|(_, vector)| vector[3] != 0.0);
                        store(slot, used.collect());
                    }
                }
            }
        }
        Groups::PreWeighted(groups) => {
            for group in groups {
                for (run, joints) in group.runs.iter().zip(group.joints.chunks(group.influences)) {
                    for (block, slot) in slots_of_run(run.first, run.blocks) {
                        let from = (run.weights as usize + block) * group.influences;
                        let blocks = joints.iter().zip(&group.blocks[from..from + group.influences]);
                        store(
                            slot,
                            blocks.map(|(&j, block)| (j, block.rows.map(|r| lane(r, slot)))).collect(),
                        );
                    }
                }
            }
        }
    }
    decoded.into_iter().map(|influences| influences.expect("every slot in a run")).collect()
}

/// The slots of a run, each with the index of its block in the run.
fn slots_of_run(first: u32, blocks: u32) -> impl Iterator<Item = (usize, usize)> {
    let first = BLOCK * first as usize;
    (0..BLOCK * blocks as usize).map(move |i| (i / BLOCK, first + i))
}
