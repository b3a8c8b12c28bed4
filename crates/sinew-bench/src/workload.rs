//! What is timed: random joints, matrices, vectors and skeletons, equal on every machine.
//!
//! The same numbers as the test kit's, which programs do not link.

use sinew_kernels::{Joint, Matrix, NO_PARENT, Scale};

/// A splitmix64 generator. Equal seeds give equal numbers on every target.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    counter: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { counter: seed }
    }

    fn bits(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.counter;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    /// A number in [0, 1), a multiple of 2^-24.
    pub(crate) fn fraction(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1_u32 << 24) as f32
    }

    /// Three numbers in [`-reach`, `reach`].
    pub(crate) fn vector(&mut self, reach: f32) -> [f32; 3] {
        [0; 3].map(|_| -reach + 2.0 * reach * self.fraction())
    }

    /// A uniformly distributed rotation.
    fn rotation(&mut self) -> [f32; 4] {
        loop {
            let q = [0; 4].map(|_| f64::from(-1.0 + 2.0 * self.fraction()));
            if (0.01..=1.0).contains(&q.iter().map(|c| c * c).sum::<f64>()) {
                return unit(q);
            }
        }
    }

    /// One rotation in eight is a special one; the translation is within two meters.
    fn joint(&mut self) -> Joint {
        let rotation = if self.below(8) == 0 {
            let special = special_rotations();
            special[self.below(special.len())]
        } else {
            self.rotation()
        };
        Joint::new(rotation, self.vector(2.0))
    }
}

fn unit(quaternion: [f64; 4]) -> [f32; 4] {
    let length = quaternion.iter().map(|c| c * c).sum::<f64>().sqrt();
    quaternion.map(|c| (c / length) as f32)
}

/// Identity, half turns and near half turns: every branch from a matrix to a quaternion is taken.
fn special_rotations() -> Vec<[f32; 4]> {
    let mut rotations = vec![[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0]];
    // Axes with components -1, 0 and 1: the coordinate axes and all diagonals.
    for code in (0..27).filter(|&code| code != 13) {
        let [x, y, z] = [code % 3, code / 3 % 3, code / 9].map(|digit| f64::from(digit) - 1.0);
        let near_half_turns = [0.0, 1e-7, -1e-4, 1e-2, 1.0, -1.0, 1e4];
        rotations.extend(near_half_turns.map(|w| unit([x, y, z, w])));
    }
    for largest in 0..4 {
        for sign in [1.0, -1.0] {
            let mut q = [0.3, -0.2, 0.25, 0.15];
            q[largest] = sign;
            rotations.push(unit(q));
        }
    }
    rotations
}

/// Random joints.
pub(crate) fn joints(len: usize, random: &mut Random) -> Vec<Joint> {
    (0..len).map(|_| random.joint()).collect()
}

/// Matrices of random joints, without scale.
pub(crate) fn rigid_matrices(len: usize, random: &mut Random) -> Vec<Matrix> {
    (0..len).map(|_| Matrix::from_joint(&random.joint(), Scale::ONE)).collect()
}

/// How the joints of a skeleton are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkeletonShape {
    /// Each joint is the child of the one before it.
    Chain,
    /// Humanoids of 66 joints with spine, head, arms, fingers and legs, depth first.
    Humanoids,
}

/// The parents of a skeleton whose only root is joint 0, which is all that the papers' loops
/// support.
pub(crate) fn parents(shape: SkeletonShape, len: usize) -> Vec<u32> {
    let humanoid = humanoid();
    let parent = |joint: usize| match shape {
        SkeletonShape::Chain => joint.checked_sub(1),
        SkeletonShape::Humanoids => {
            let first = joint - joint % humanoid.len();
            humanoid[joint - first].map_or(joint.checked_sub(1), |parent| Some(first + parent))
        }
    };
    (0..len).map(|joint| parent(joint).map_or(NO_PARENT, |parent| parent as u32)).collect()
}

fn humanoid() -> Vec<Option<usize>> {
    let mut parents = vec![None];
    let mut limb = |from: usize, len: usize| {
        let first = parents.len();
        parents.push(Some(from));
        parents.extend((first..first + len - 1).map(Some));
        parents.len() - 1
    };
    let chest = limb(0, 4);
    limb(chest, 3);
    for _side in 0..2 {
        let hand = limb(chest, 4);
        for _finger in 0..5 {
            limb(hand, 4);
        }
    }
    limb(0, 5);
    limb(0, 5);
    parents
}

#[cfg(test)]
mod tests {
    use sinew_testkit::{random, rigs};

    use super::*;

    #[test]
    fn numbers_are_those_of_the_test_kit() {
        let (own, test) = (&mut Random::new(1), &mut random::Random::new(1));
        assert_eq!(rigid_matrices(100, own), rigs::rigid_matrices(100, test));
        assert_eq!(joints(100, own), rigs::joints(100, test));
        assert_eq!((own.vector(2.0), own.fraction()), (test.vector(2.0), test.fraction()));
    }

    #[test]
    fn every_joint_but_the_first_has_a_parent_before_it() {
        for shape in [SkeletonShape::Chain, SkeletonShape::Humanoids] {
            let parents = parents(shape, 200);
            assert_eq!(parents[0], NO_PARENT);
            assert!((1..200).all(|joint| (parents[joint] as usize) < joint));
        }
    }
}
