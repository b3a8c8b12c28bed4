//! Inertialized transitions: a decaying offset, added to a pose.
//!
//! Never fuses multiply-adds: the bits are the same in both float modes.

use super::add_poses::product;
use super::pose_blocks::{load_rotation, load_vector, store_rotation, store_vector};
use super::slerp_poses::PoseBlocks;
use crate::lanes::Lanes;
use crate::{RotationBlock, VectorBlock};

/// Adds `factors[0] * offset + factors[1] * velocity` to each joint of a pose. All slices have the
/// same length, except that `scales` may be empty, in all three poses.
///
/// An offset of a rotation is stored as modified Rodrigues parameters: the axis times the tangent
/// of a quarter of the angle, in x, y and z; w is not read. It needs no trigonometry, and has no
/// singularity below a full turn. The joint is rotated by it in its parent's space. The offset of a
/// translation or a scale is a difference.
#[derive(Debug)]
pub struct AddPoseOffsets<'a> {
    /// The offsets.
    pub offset: PoseBlocks<'a>,
    /// More offsets, which have a factor of their own.
    pub velocity: PoseBlocks<'a>,
    /// The factors of both.
    pub factors: [f32; 2],
    /// Input and output: unit quaternions.
    pub rotations: &'a mut [RotationBlock],
    /// Input and output.
    pub translations: &'a mut [VectorBlock],
    /// Input and output. Empty skips the scales.
    pub scales: &'a mut [VectorBlock],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut AddPoseOffsets<'_>) {
    let AddPoseOffsets { offset, velocity, factors, rotations, translations, scales } = contract;
    let len = rotations.len();
    assert!(translations.len() == len, "as many translations as rotations");
    assert!(scales.is_empty() || scales.len() == len, "as many scales as rotations, or none");
    for added in [&*offset, &*velocity] {
        assert!(added.rotations.len() == len, "as many rotations in both offsets as to write");
        assert!(added.translations.len() == len, "as many translations in both offsets as to write");
        assert!(added.scales.len() == scales.len(), "as many scales in both offsets as to write");
    }
    let factors = [L::splat(token, factors[0]), L::splat(token, factors[1])];
    for (b, result) in rotations.iter_mut().enumerate() {
        let (Some(offset), Some(velocity)) = (offset.rotations.get(b), velocity.rotations.get(b)) else {
            break;
        };
        for group in 0..L::GROUPS {
            let [ox, oy, oz, _] = load_rotation::<L>(token, offset, group);
            let [vx, vy, vz, _] = load_rotation::<L>(token, velocity, group);
            let parameters = sum([ox, oy, oz], [vx, vy, vz], factors);
            let rotation = load_rotation::<L>(token, result, group);
            store_rotation(product(to_quaternion(token, parameters), rotation), result, group);
        }
    }
    add_vectors::<L>(token, offset.translations, velocity.translations, factors, translations);
    add_vectors::<L>(token, offset.scales, velocity.scales, factors, scales);
}

#[inline(always)]
fn add_vectors<L: Lanes>(
    token: L::Token,
    offsets: &[VectorBlock],
    velocities: &[VectorBlock],
    factors: [L; 2],
    results: &mut [VectorBlock],
) {
    for (b, result) in results.iter_mut().enumerate() {
        let (Some(offset), Some(velocity)) = (offsets.get(b), velocities.get(b)) else { break };
        for group in 0..L::GROUPS {
            let offset = load_vector::<L>(token, offset, group);
            let added = sum(offset, load_vector::<L>(token, velocity, group), factors);
            let base = load_vector::<L>(token, result, group);
            store_vector([base[0] + added[0], base[1] + added[1], base[2] + added[2]], result, group);
        }
    }
}

#[inline(always)]
fn sum<L: Lanes>(offset: [L; 3], velocity: [L; 3], factors: [L; 2]) -> [L; 3] {
    [
        factors[0] * offset[0] + factors[1] * velocity[0],
        factors[0] * offset[1] + factors[1] * velocity[1],
        factors[0] * offset[2] + factors[1] * velocity[2],
    ]
}

/// The unit quaternion of modified Rodrigues parameters.
#[inline(always)]
fn to_quaternion<L: Lanes>(token: L::Token, m: [L; 3]) -> [L; 4] {
    let one = L::splat(token, 1.0);
    let squared = (m[0] * m[0] + m[1] * m[1]) + m[2] * m[2];
    let inverse = one / (one + squared);
    let twice = inverse + inverse;
    [m[0] * twice, m[1] * twice, m[2] * twice, (one - squared) * inverse]
}
