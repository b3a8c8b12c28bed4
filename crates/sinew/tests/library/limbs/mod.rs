//! Limbs by rule, and the vectors to check them with.

use sinew::{Bone, Matrix, Pose, Skeleton, Transform};

use crate::rigs::Numbers;

pub(crate) const LIMB: [usize; 3] = [2, 4, 6];
pub(crate) const END: usize = 6;

/// How joints of a rig scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scales {
    None,
    Even,
    UnevenAbove,
    UnevenEverywhere,
}

/// root, hip, thigh, twist, shin, twist, foot, toe: turned any way, of any lengths.
pub(crate) fn rig(scales: Scales, numbers: &mut Numbers) -> (Skeleton, Pose, Vec<Matrix>) {
    let bone = |joint: usize| {
        let factor = |numbers: &mut Numbers| 1.25 + numbers.next();
        let scale = match scales {
            Scales::Even => [factor(numbers); 3],
            Scales::UnevenAbove if joint > 1 => [1.0; 3],
            Scales::UnevenAbove | Scales::UnevenEverywhere => {
                [factor(numbers), factor(numbers), factor(numbers)]
            }
            Scales::None => [1.0; 3],
        };
        let transform = numbers.transform();
        let translation = transform.translation.map(|element| 5.0 * element + 0.1);
        Bone::new("a joint", joint.checked_sub(1), Transform { translation, scale, ..transform })
    };
    let mut bone = bone;
    let skeleton = Skeleton::new(&(0..8).map(&mut bone).collect::<Vec<_>>()).expect("a chain");
    let pose = skeleton.rest_pose();
    let matrices = whole(&skeleton, &pose);
    (skeleton, pose, matrices)
}

pub(crate) fn whole(skeleton: &Skeleton, pose: &Pose) -> Vec<Matrix> {
    let mut matrices = skeleton.model_matrices();
    skeleton.to_model(pose, .., &mut matrices).expect("a matrix for each joint");
    matrices
}

pub(crate) fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|i| a[i] - b[i])
}

pub(crate) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn length(a: [f32; 3]) -> f32 {
    dot(a, a).sqrt()
}

pub(crate) fn unit(a: [f32; 3]) -> [f32; 3] {
    a.map(|element| element / length(a))
}

pub(crate) fn beside(a: [f32; 3], axis: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|i| a[i] - axis[i] * dot(a, axis))
}

pub(crate) fn direction(numbers: &mut Numbers) -> [f32; 3] {
    loop {
        let v = [numbers.next(), numbers.next(), numbers.next()];
        if (0.1..1.0).contains(&length(v)) {
            return unit(v);
        }
    }
}

/// Lengths of both bones, in model space.
pub(crate) fn bones(matrices: &[Matrix]) -> [f32; 2] {
    let [start, middle, end] = LIMB.map(|joint| matrices[joint].translation());
    [length(sub(middle, start)), length(sub(end, middle))]
}

pub(crate) fn assert_finite(pose: &Pose, matrices: &[Matrix]) {
    assert!(matrices.iter().all(Matrix::is_finite));
    for joint in pose.joints() {
        let squared: f32 = joint.rotation.iter().map(|element| element * element).sum();
        assert!((squared - 1.0).abs() < 1e-5);
    }
}

/// A straight arm of two metres along x.
pub(crate) fn straight() -> (Skeleton, Pose, Vec<Matrix>) {
    let along = Transform { translation: [1.0, 0.0, 0.0], ..Transform::IDENTITY };
    let bones =
        [("shoulder", None, Transform::IDENTITY), ("elbow", Some(0), along), ("hand", Some(1), along)];
    let bones = bones.map(|(name, parent, rest)| Bone::new(name, parent, rest));
    let skeleton = Skeleton::new(&bones).expect("an arm");
    let pose = skeleton.rest_pose();
    let matrices = whole(&skeleton, &pose);
    (skeleton, pose, matrices)
}

pub(crate) fn multiply(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}
