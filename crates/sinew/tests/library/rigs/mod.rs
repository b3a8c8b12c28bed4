//! Skeletons and poses by rule, for the tests.

use sinew::{Bone, Matrix, Pose, Scale, Skeleton, Transform};

/// Numbers from -1 to 1 that look random and are the same every time.
pub(crate) struct Numbers(u64);

impl Numbers {
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

    /// A joint that turns any way and stands a little off its parent.
    pub(crate) fn transform(&mut self) -> Transform {
        let rotation = self.rotation();
        let translation = [0.1 * self.next(), 0.1 * self.next(), 0.1 * self.next()];
        Transform { rotation, translation, scale: [1.0; 3] }
    }
}

/// Each joint's parent is the joint before it.
pub(crate) fn chain(len: usize) -> Skeleton {
    grown(len, |joint| joint.checked_sub(1))
}

/// Each joint's parent is anywhere before it; now and then there is another root.
pub(crate) fn bush(len: usize) -> Skeleton {
    let mut numbers = Numbers::new(len as u64);
    grown(len, |joint| {
        let part = numbers.next().abs();
        (part < 0.97).then_some((part * joint as f32) as usize).filter(|&parent| parent < joint)
    })
}

/// A chain and a bush of each size that the tests ask for.
pub(crate) fn all() -> impl Iterator<Item = Skeleton> {
    [1, 2, 128, 1024, 20_000].into_iter().flat_map(|len| [chain(len), bush(len)])
}

fn grown(len: usize, mut parent: impl FnMut(usize) -> Option<usize>) -> Skeleton {
    let mut numbers = Numbers::new(7);
    let bone = |joint| Bone::new(&format!("joint {joint}"), parent(joint), numbers.transform());
    Skeleton::new(&(0..len).map(bone).collect::<Vec<_>>()).expect("parents before children")
}

/// A pose of a skeleton, without scale.
pub(crate) fn pose(skeleton: &Skeleton, seed: u64) -> Pose {
    let mut numbers = Numbers::new(seed);
    let mut pose = Pose::new(skeleton);
    for joint in 0..pose.len() {
        pose.set_transform(joint, &numbers.transform());
    }
    pose
}

/// The same pose with scales near one, the same in all directions, so that no shear comes of them.
pub(crate) fn scaled_pose(skeleton: &Skeleton, seed: u64) -> Pose {
    let mut numbers = Numbers::new(seed + 1);
    let mut pose = pose(skeleton, seed);
    for scale in pose.scales_mut() {
        *scale = Scale::new([1.0 + 0.001 * numbers.next(); 3]);
    }
    pose
}

/// A skeleton with morph weights beside its joints.
pub(crate) fn bush_with_weights(len: usize) -> Skeleton {
    bush(len).with_morph_weights(&[0.25, 0.0, 1.0]).expect("finite weights")
}

/// A pose of everything: joints, scales and morph weights.
pub(crate) fn full_pose(skeleton: &Skeleton, seed: u64) -> Pose {
    let mut numbers = Numbers::new(seed + 1000);
    let mut pose = scaled_pose(skeleton, seed);
    pose.scales_mut().fill_with(|| Scale::new([1.5 + numbers.next(), 1.5 + numbers.next(), 1.5]));
    pose.morph_weights_mut().fill_with(|| numbers.next());
    pose
}

/// The largest difference of two elements.
pub(crate) fn difference(a: &[Matrix], b: &[Matrix]) -> f32 {
    assert_eq!(a.len(), b.len());
    let elements = |matrices: &[Matrix]| matrices.iter().flat_map(|m| m.rows).flatten().collect::<Vec<_>>();
    elements(a).iter().zip(elements(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// The largest element, and at least one.
pub(crate) fn size(matrices: &[Matrix]) -> f32 {
    matrices.iter().flat_map(|m| m.rows).flatten().map(f32::abs).fold(1.0, f32::max)
}

/// Fails where two poses differ by more than `tolerance` in an element; rotations up to the sign of their quaternions.
pub(crate) fn assert_near(found: &Pose, expected: &Pose, tolerance: f32) {
    for joint in 0..expected.len() {
        let (a, b) = (found.transform(joint), expected.transform(joint));
        let sign = a.rotation.iter().zip(b.rotation).map(|(a, b)| a * b).sum::<f32>().signum();
        let elements = |t: Transform| t.rotation.into_iter().chain(t.translation).chain(t.scale);
        let b = Transform { rotation: b.rotation.map(|element| element * sign), ..b };
        for (a, b) in elements(a).zip(elements(b)) {
            assert!((a - b).abs() <= tolerance, "joint {joint}: {a} {b}");
        }
    }
}
