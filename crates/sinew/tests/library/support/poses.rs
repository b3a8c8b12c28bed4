//! Poses: sampling, comparison, and their bits.

use sinew::mesh::VectorBlock;
use sinew::{Clip, JointId, Pose, Skeleton, Transform};

/// The rest pose with a clip sampled into it.
pub(crate) fn sample_pose(clip: &Clip, skeleton: &Skeleton, seconds: f32) -> Pose {
    let mut pose = Pose::new(skeleton);
    clip.sample(seconds, &mut clip.cursor(), &mut pose).expect("a pose of the skeleton");
    pose
}

/// The bits of all joints, scales and morph weights.
pub(crate) fn pose_bits(pose: &Pose) -> Vec<u32> {
    let joints = pose.transforms().flat_map(|joint| joint.rotation.into_iter().chain(joint.translation));
    let scales = pose.transforms().filter(|_| pose.has_scales()).flat_map(|joint| joint.scale);
    joints.chain(scales).chain(pose.morph_weights().iter().copied()).map(f32::to_bits).collect()
}

/// The scale of each joint; `None` while scales are off.
pub(crate) fn scales(pose: &Pose) -> Option<Vec<[f32; 3]>> {
    pose.has_scales().then(|| pose.transforms().map(|joint| joint.scale).collect())
}

/// The rotation and the translation of each joint.
pub(crate) fn rigid_parts(pose: &Pose) -> Vec<([f32; 4], [f32; 3])> {
    pose.transforms().map(|joint| (joint.rotation, joint.translation)).collect()
}

/// The bits of all components of some blocks.
pub(crate) fn block_bits(blocks: &[VectorBlock]) -> Vec<u32> {
    blocks.iter().flat_map(|block| block.rows).flatten().map(f32::to_bits).collect()
}

/// Asserts that no element of two poses differs by more than `tolerance`. Rotations are compared up
/// to the sign of their quaternions.
pub(crate) fn assert_poses_near(found: &Pose, expected: &Pose, tolerance: f32) {
    for joint in (0..expected.len()).map(JointId::new) {
        let (a, b) = (found.transform(joint), expected.transform(joint));
        let sign = a.rotation.iter().zip(b.rotation).map(|(a, b)| a * b).sum::<f32>().signum();
        let elements = |t: Transform| t.rotation.into_iter().chain(t.translation).chain(t.scale);
        let b = Transform { rotation: b.rotation.map(|element| element * sign), ..b };
        for (a, b) in elements(a).zip(elements(b)) {
            assert!((a - b).abs() <= tolerance, "joint {joint}: {a} {b}");
        }
    }
}
