//! Random joints, scales, matrices and skeletons, special cases included.

use sinew_kernels::{Joint, Matrix, NO_PARENT, Scale};

use crate::random::Random;

/// Normalizes a quaternion and rounds it from `f64`.
#[must_use]
pub fn unit(quaternion: [f64; 4]) -> [f32; 4] {
    let length = quaternion.iter().map(|c| c * c).sum::<f64>().sqrt();
    quaternion.map(|c| (c / length) as f32)
}

/// A uniformly distributed rotation.
pub fn rotation(random: &mut Random) -> [f32; 4] {
    loop {
        let q = [0; 4].map(|_| f64::from(random.between(-1.0, 1.0)));
        let squared = q.iter().map(|c| c * c).sum::<f64>();
        if (0.01..=1.0).contains(&squared) {
            return unit(q);
        }
    }
}

/// Rotations that are edge cases of conversions: the identity, half turns about every axis and
/// diagonal, near half turns, and each component the largest with either sign.
#[must_use]
pub fn special_rotations() -> Vec<[f32; 4]> {
    let mut rotations = vec![[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0]];
    // Axes with components -1, 0 and 1: the coordinate axes and all diagonals.
    for code in 0..27 {
        let [x, y, z] = [code % 3, code / 3 % 3, code / 9].map(|digit| f64::from(digit) - 1.0);
        if [x, y, z] == [0.0; 3] {
            continue;
        }
        for w in [0.0, 1e-7, -1e-4, 1e-2, 1.0, -1.0, 1e4] {
            rotations.push(unit([x, y, z, w]));
        }
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

/// A joint with a random rotation, one in eight a special one, and a translation within two meters.
pub fn joint(random: &mut Random) -> Joint {
    let rotation = if random.once_in(8) {
        let special = special_rotations();
        special[random.below(special.len())]
    } else {
        rotation(random)
    };
    Joint::new(rotation, random.vector(2.0))
}

/// Random joints.
pub fn joints(len: usize, random: &mut Random) -> Vec<Joint> {
    (0..len).map(|_| joint(random)).collect()
}

/// A joint per special rotation, then random ones.
pub fn special_and_random_joints(random_ones: usize, random: &mut Random) -> Vec<Joint> {
    let special = special_rotations().into_iter();
    let mut joints: Vec<_> = special.map(|rotation| Joint::new(rotation, random.vector(100.0))).collect();
    joints.extend(self::joints(random_ones, random));
    joints
}

/// A scale from 0.5 to 2: one in four uniform, one in four a mirror.
pub fn scale(random: &mut Random) -> Scale {
    let mut factors = [0; 3].map(|_| random.between(0.5, 2.0));
    if random.once_in(4) {
        factors = [factors[0]; 3];
    }
    if random.once_in(4) {
        factors[random.below(3)] *= -1.0;
    }
    Scale::new(factors)
}

/// Random scales.
pub fn scales(len: usize, random: &mut Random) -> Vec<Scale> {
    (0..len).map(|_| scale(random)).collect()
}

/// Random matrices without scale.
pub fn rigid_matrices(len: usize, random: &mut Random) -> Vec<Matrix> {
    (0..len).map(|_| Matrix::from_joint(&joint(random), Scale::ONE)).collect()
}

/// Random matrices with non-uniform scale, mirrors and some shear.
pub fn sheared_matrices(len: usize, random: &mut Random) -> Vec<Matrix> {
    (0..len)
        .map(|_| {
            let mut shear = Matrix::IDENTITY;
            if random.once_in(2) {
                let [a, b, c] = random.vector(0.5);
                (shear.rows[0][1], shear.rows[0][2], shear.rows[1][2]) = (a, b, c);
            }
            Matrix::from_joint(&joint(random), scale(random)) * shear
        })
        .collect()
}

/// How the joints of a skeleton are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkeletonShape {
    /// Each joint is the child of the one before it.
    Chain,
    /// All joints are children of the first.
    Star,
    /// Humanoids of 66 joints with spine, head, arms, fingers and legs, depth first.
    Humanoids,
    /// Several roots, each encoded in another way; parents anywhere before the child.
    Forest,
}

impl SkeletonShape {
    /// Every shape.
    pub const ALL: [Self; 4] = [Self::Chain, Self::Star, Self::Humanoids, Self::Forest];
}

/// The parents of `len` joints.
pub fn parents(shape: SkeletonShape, len: usize, random: &mut Random) -> Vec<u32> {
    let humanoid = humanoid();
    let parent = |joint: usize| match shape {
        SkeletonShape::Chain => joint.checked_sub(1),
        SkeletonShape::Star => (joint > 0).then_some(0),
        SkeletonShape::Humanoids => {
            let first = joint - joint % humanoid.len();
            humanoid[joint - first].map(|parent| first + parent)
        }
        SkeletonShape::Forest if joint == 0 || random.once_in(6) => match random.below(3) {
            0 => None,
            1 => Some(joint),
            _ => Some(joint + 1 + random.below(5)),
        },
        SkeletonShape::Forest if random.once_in(2) => Some(joint - 1),
        SkeletonShape::Forest => Some(random.below(joint)),
    };
    (0..len).map(parent).map(|parent| parent.map_or(NO_PARENT, |parent| parent as u32)).collect()
}

/// The parents of a humanoid, depth first.
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
    use super::*;

    #[test]
    fn rotations_have_length_one() {
        let mut random = Random::new(2);
        let random = (0..100).map(|_| rotation(&mut random)).collect::<Vec<_>>();
        for q in random.into_iter().chain(special_rotations()) {
            let squared: f64 = q.iter().map(|&c| f64::from(c) * f64::from(c)).sum();
            assert!((squared - 1.0).abs() < 3e-7, "{q:?}");
        }
    }

    #[test]
    fn a_humanoid_has_66_joints_and_every_parent_comes_first() {
        let humanoid = humanoid();
        assert_eq!(humanoid.len(), 66);
        assert!(
            humanoid.iter().enumerate().all(|(joint, parent)| parent.is_none_or(|parent| parent < joint))
        );
    }

    #[test]
    fn every_shape_has_a_root_first() {
        for shape in SkeletonShape::ALL {
            for len in [0, 1, 5, 200] {
                let parents = parents(shape, len, &mut Random::new(3));
                assert_eq!(parents.len(), len);
                assert!(parents.iter().take(1).all(|&parent| parent as usize >= len || parent == 0));
            }
        }
    }
}
