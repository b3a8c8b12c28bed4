//! Random influences for the tests, what a layout should make of them, and what it did.

use std::collections::BTreeMap;

use sinew_kernels::reference::algebra;
use sinew_kernels::{BLOCK, Matrix};
use sinew_testkit::random::Random;
use sinew_testkit::rigs;

use crate::hanging::Hanging;
use crate::layout::{Groups, Layout};
use crate::{Bone, Influences, Skeleton, Skin, Transform, Weights};

/// For each joint of a vertex: weight x vector at rest, and the weight. Vectors are zero unless in joint space.
pub(super) type Pulls = BTreeMap<u32, [f64; 4]>;

/// Influences as a source lists them.
#[derive(Clone, Default)]
pub(super) struct Listed {
    pub(super) counts: Vec<u32>,
    pub(super) joints: Vec<u32>,
    pub(super) weights: Vec<f32>,
    pub(super) vectors: Vec<[f32; 3]>,
    pub(super) inverse_binds: Vec<Matrix>,
}

/// What is made of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Made {
    Normalised,
    AsStored,
    InJointSpace,
}

impl Listed {
    /// Vertices on some of so many sets of up to `most` joints; some name a joint twice, some weights are zero.
    pub(super) fn new(vertices: usize, sets: usize, most: usize, skin_len: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let inverse_binds = rigs::rigid_matrices(skin_len, &mut random);
        let mut listed = Self { inverse_binds, ..Self::default() };
        let sets: Vec<Vec<u32>> = (0..sets)
            .map(|_| (0..=random.below(most)).map(|_| random.below(skin_len) as u32).collect())
            .collect();
        for _ in 0..vertices {
            let set = &sets[random.below(sets.len())];
            let zero = random.below(20);
            let pulls = set.iter().enumerate();
            let pulls = pulls.map(|(i, &joint)| {
                let weight = if i > 0 && i == zero { 0.0 } else { random.between(0.05, 1.5) };
                (joint, weight, random.vector(2.0))
            });
            let pulls: Vec<_> = pulls.collect();
            listed.push(&pulls);
        }
        listed
    }

    /// Adds a vertex.
    pub(super) fn push(&mut self, pulls: &[(u32, f32, [f32; 3])]) {
        self.counts.push(pulls.len() as u32);
        self.joints.extend(pulls.iter().map(|pull| pull.0));
        self.weights.extend(pulls.iter().map(|pull| pull.1));
        self.vectors.extend(pulls.iter().map(|pull| pull.2));
    }

    pub(super) fn hanging(&self, made: Made) -> Hanging {
        let Self { counts, joints, weights, vectors, .. } = self;
        let influences = match made {
            Made::InJointSpace => Influences::JointSpace { counts, joints, weights, vectors },
            _ => Influences::Listed { counts, joints, weights },
        };
        let kept = if made == Made::AsStored { Weights::AsStored } else { Weights::Normalised };
        Hanging::new(influences, kept, counts.len(), &self.skin()).expect("sound influences")
    }

    pub(super) fn layout(&self, made: Made, levels: &[usize]) -> Layout {
        Layout::new(&self.hanging(made), levels)
    }

    fn skin(&self) -> Skin {
        let len = self.inverse_binds.len();
        let bones = vec![Bone::new("", None, Transform::IDENTITY); len];
        let skeleton = Skeleton::new(&bones).expect("roots");
        let joints: Vec<usize> = (0..len).collect();
        Skin::with_inverse_binds(&skeleton, &joints, &self.inverse_binds).expect("a sound skin")
    }

    /// What the strongest influences of each vertex should be.
    pub(super) fn expected(&self, made: Made, most: usize) -> Vec<Pulls> {
        let mut listed = self.joints.iter().zip(&self.weights).zip(&self.vectors);
        let vertex = |&count: &u32| {
            let mut pulls = Pulls::new();
            for ((&joint, &weight), &vector) in listed.by_ref().take(count as usize) {
                if weight > 0.0 {
                    let pull = pulls.entry(joint).or_default();
                    let [x, y, z] = self.at_rest(made, joint, vector);
                    for (sum, component) in pull.iter_mut().zip([x, y, z, 1.0]) {
                        *sum += f64::from(weight) * component;
                    }
                }
            }
            let sum = |pulls: &[(u32, [f64; 4])]| pulls.iter().map(|(_, pull)| pull[3]).sum::<f64>();
            let mut pulls: Vec<(u32, [f64; 4])> = pulls.into_iter().collect();
            let all = sum(&pulls);
            pulls.sort_by(|a, b| b.1[3].total_cmp(&a.1[3]));
            pulls.truncate(most);
            let scale = if made == Made::Normalised { 1.0 } else { all } / sum(&pulls);
            pulls.into_iter().map(|(joint, pull)| (joint, pull.map(|c| c * scale))).collect()
        };
        self.counts.iter().map(vertex).collect()
    }

    /// The vector that the joint's inverse bind takes to this one.
    fn at_rest(&self, made: Made, joint: u32, vector: [f32; 3]) -> [f64; 3] {
        if made != Made::InJointSpace {
            return [0.0; 3];
        }
        let inverse = algebra::inverse(&algebra::widen(&self.inverse_binds[joint as usize]));
        let [x, y, z] = vector.map(f64::from);
        inverse.expect("rigid").map(|row| algebra::dot(row, [x, y, z, 1.0]))
    }
}

/// The influences of each place, read from groups as the kernels read them. Every block must be in one run.
pub(super) fn read(groups: &Groups, places: usize) -> Vec<Pulls> {
    let mut read: Vec<Option<Pulls>> = vec![None; places];
    let mut put = |place: usize, pulls: Pulls| {
        assert_eq!(read[place], None, "place {place} is skinned twice");
        read[place] = Some(pulls);
    };
    let lane = |row: [f32; BLOCK], place: usize| f64::from(row[place % BLOCK]);
    match groups {
        Groups::Runs(groups) => {
            for group in groups {
                let rows = group.influences - 1;
                for (run, joints) in group.runs.iter().zip(group.joints.chunks(group.influences)) {
                    for (block, place) in places_of(run.first, run.blocks) {
                        let from = (run.weights as usize + block) * rows;
                        let weights = &group.weights[from..from + rows];
                        let mut weights: Vec<f64> = weights.iter().map(|row| lane(row.0, place)).collect();
                        weights.push(1.0 - weights.iter().sum::<f64>());
                        let pull = |(&joint, &weight): (&u32, &f64)| (joint, [0.0, 0.0, 0.0, weight]);
                        put(place, joints.iter().zip(&weights).map(pull).collect());
                    }
                }
            }
        }
        Groups::Counts(groups) => {
            for group in groups {
                for run in &group.runs {
                    for (block, place) in places_of(run.first, run.blocks) {
                        let from = (run.weights as usize + block) * group.influences;
                        let rows = from..from + group.influences;
                        let pull = |i: usize| {
                            let joint = group.joints[i].0[place % BLOCK];
                            (joint, [0.0, 0.0, 0.0, lane(group.weights[i].0, place)])
                        };
                        put(place, rows.map(pull).collect());
                    }
                }
            }
        }
        Groups::Weighted(groups) => {
            for group in groups {
                for (run, joints) in group.runs.iter().zip(group.joints.chunks(group.influences)) {
                    for (block, place) in places_of(run.first, run.blocks) {
                        let from = (run.weights as usize + block) * group.influences;
                        let blocks = joints.iter().zip(&group.blocks[from..from + group.influences]);
                        put(
                            place,
                            blocks.map(|(&j, block)| (j, block.rows.map(|r| lane(r, place)))).collect(),
                        );
                    }
                }
            }
        }
    }
    read.into_iter().map(|pulls| pulls.expect("every place in a run")).collect()
}

/// The places of a run, each with its block in the run.
fn places_of(first: u32, blocks: u32) -> impl Iterator<Item = (usize, usize)> {
    let first = BLOCK * first as usize;
    (0..BLOCK * blocks as usize).map(move |i| (i / BLOCK, first + i))
}
