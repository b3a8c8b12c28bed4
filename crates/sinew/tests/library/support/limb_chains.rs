//! Random limbs for IK: chains of joints with twist joints between, and a straight arm.

use sinew::{Bone, JointId, Matrix, Pose, Skeleton, Transform};

use super::matrices::compute_model_matrices;
use super::random_rigs::Lcg;
use super::vec3_f32::{length, normalize, sub};

/// The start, middle and end joint of a random limb.
pub(crate) const LIMB: [JointId; 3] = [JointId::new(2), JointId::new(4), JointId::new(6)];
pub(crate) const END: JointId = JointId::new(6);

/// The scales of a random limb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scales {
    None,
    Uniform,
    NonUniformAbove,
    NonUniformEverywhere,
}

/// Root, hip, thigh, twist, shin, twist, foot, toe, with random rotations and lengths.
pub(crate) fn random_limb(scales: Scales, rng: &mut Lcg) -> (Skeleton, Pose, Vec<Matrix>) {
    let bone = |joint: usize| {
        let factor = |rng: &mut Lcg| 1.25 + rng.next();
        let scale = match scales {
            Scales::Uniform => [factor(rng); 3],
            Scales::NonUniformAbove if joint > 1 => [1.0; 3],
            Scales::NonUniformAbove | Scales::NonUniformEverywhere => [factor(rng), factor(rng), factor(rng)],
            Scales::None => [1.0; 3],
        };
        let transform = rng.transform();
        let translation = transform.translation.map(|element| 5.0 * element + 0.1);
        Bone::new("a joint", joint.checked_sub(1), Transform { translation, scale, ..transform })
    };
    let mut bone = bone;
    let skeleton = Skeleton::new(&(0..8).map(&mut bone).collect::<Vec<_>>()).expect("a chain");
    let pose = skeleton.rest_pose();
    let matrices = compute_model_matrices(&skeleton, &pose);
    (skeleton, pose, matrices)
}

/// A straight arm along x, two meters long.
pub(crate) fn straight_arm() -> (Skeleton, Pose, Vec<Matrix>) {
    let along = Transform { translation: [1.0, 0.0, 0.0], ..Transform::IDENTITY };
    let bones =
        [("shoulder", None, Transform::IDENTITY), ("elbow", Some(0), along), ("hand", Some(1), along)];
    let bones = bones.map(|(name, parent, rest)| Bone::new(name, parent, rest));
    let skeleton = Skeleton::new(&bones).expect("an arm");
    let pose = skeleton.rest_pose();
    let matrices = compute_model_matrices(&skeleton, &pose);
    (skeleton, pose, matrices)
}

/// A random direction of length one.
pub(crate) fn random_direction(rng: &mut Lcg) -> [f32; 3] {
    loop {
        let v = [rng.next(), rng.next(), rng.next()];
        if (0.1..1.0).contains(&length(v)) {
            return normalize(v);
        }
    }
}

/// The lengths of both bones of a random limb, in model space.
pub(crate) fn bone_lengths(matrices: &[Matrix]) -> [f32; 2] {
    let [start, middle, end] = LIMB.map(|joint| matrices[joint.index()].translation());
    [length(sub(middle, start)), length(sub(end, middle))]
}

/// Asserts that matrices are finite and rotations have length one.
pub(crate) fn assert_finite_and_normalized(pose: &Pose, matrices: &[Matrix]) {
    assert!(matrices.iter().all(Matrix::is_finite));
    for transform in pose.transforms() {
        let squared: f32 = transform.rotation.iter().map(|element| element * element).sum();
        assert!((squared - 1.0).abs() < 1e-5);
    }
}

pub(crate) fn multiply_quaternions(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}
