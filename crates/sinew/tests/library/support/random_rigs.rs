//! Skeletons and poses from pseudo-random numbers, the same in every run.

use sinew::{Bone, JointId, Pose, Skeleton, Transform};

/// A linear congruential generator of numbers from -1 to 1.
pub(crate) struct Lcg(u64);

impl Lcg {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// A rotation of length one.
    pub(crate) fn rotation(&mut self) -> [f32; 4] {
        loop {
            let q = [self.next(), self.next(), self.next(), self.next()];
            let squared: f32 = q.iter().map(|element| element * element).sum();
            if (0.1..=1.0).contains(&squared) {
                return q.map(|element| element / squared.sqrt());
            }
        }
    }

    /// Any rotation and a translation of up to 0.1 on each axis.
    pub(crate) fn transform(&mut self) -> Transform {
        let rotation = self.rotation();
        let translation = [0.1 * self.next(), 0.1 * self.next(), 0.1 * self.next()];
        Transform { rotation, translation, scale: [1.0; 3] }
    }
}

/// A skeleton in which the parent of each joint is the joint before it.
pub(crate) fn chain(len: usize) -> Skeleton {
    build_skeleton(len, |joint| joint.checked_sub(1))
}

/// A skeleton in which the parent of each joint is any joint before it. A few joints are roots.
pub(crate) fn random_tree(len: usize) -> Skeleton {
    let mut rng = Lcg::new(len as u64);
    build_skeleton(len, |joint| {
        let fraction = rng.next().abs();
        (fraction < 0.97).then_some((fraction * joint as f32) as usize).filter(|&parent| parent < joint)
    })
}

/// A random tree whose poses have morph weights.
pub(crate) fn random_tree_with_morph_weights(len: usize) -> Skeleton {
    random_tree(len).with_morph_weights(&[0.25, 0.0, 1.0]).expect("finite weights")
}

/// A chain and a random tree of each size that the tests use.
pub(crate) fn skeletons_of_every_size() -> impl Iterator<Item = Skeleton> {
    [1, 2, 128, 1024, 20_000].into_iter().flat_map(|len| [chain(len), random_tree(len)])
}

fn build_skeleton(len: usize, mut parent: impl FnMut(usize) -> Option<usize>) -> Skeleton {
    let mut rng = Lcg::new(7);
    let bone = |joint| Bone::new(&format!("joint {joint}"), parent(joint), rng.transform());
    Skeleton::new(&(0..len).map(bone).collect::<Vec<_>>()).expect("parents before children")
}

/// A random pose without scale.
pub(crate) fn random_pose(skeleton: &Skeleton, seed: u64) -> Pose {
    let mut rng = Lcg::new(seed);
    let mut pose = Pose::new(skeleton);
    for joint in (0..pose.len()).map(JointId::new) {
        pose.set_transform(joint, &rng.transform());
    }
    pose
}

/// The same pose with uniform scales near one, which cause no shear.
pub(crate) fn random_scaled_pose(skeleton: &Skeleton, seed: u64) -> Pose {
    let mut rng = Lcg::new(seed + 1);
    let mut pose = random_pose(skeleton, seed);
    for joint in skeleton.joints() {
        pose.set_scale(joint, [1.0 + 0.001 * rng.next(); 3]);
    }
    pose
}

/// A random pose with non-uniform scales and morph weights.
pub(crate) fn random_full_pose(skeleton: &Skeleton, seed: u64) -> Pose {
    let mut rng = Lcg::new(seed + 1000);
    let mut pose = random_scaled_pose(skeleton, seed);
    for joint in skeleton.joints() {
        pose.set_scale(joint, [1.5 + rng.next(), 1.5 + rng.next(), 1.5]);
    }
    pose.morph_weights_mut().fill_with(|| rng.next());
    pose
}
