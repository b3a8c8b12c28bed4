//! Additive layers: the difference between two poses, added to a third.
//!
//! Never fuses multiply-adds: the bits are the same in both float modes.

use super::pose_blocks::{Factor, load_rotation, load_vector, store_rotation, store_vector};
use super::slerp_poses::PoseBlocks;
use crate::lanes::Lanes;
use crate::{RotationBlock, VectorBlock};

/// Adds to each joint the difference between those of `reference` and `pose`, times a weight. All
/// slices have the same length, except that `scales` may be empty, in all three poses.
///
/// Rotations are unit quaternions. A joint is rotated, in its own space, by the shorter rotation
/// from the reference to the pose, which is interpolated linearly from the identity and normalized.
/// Translations change by the difference, scales by the ratio; by the difference where the ratio is
/// not finite. A joint whose weight is not above zero keeps its bits, whatever the poses contain.
#[derive(Debug)]
pub struct AddPoses<'a> {
    /// The pose to add.
    pub pose: PoseBlocks<'a>,
    /// What the difference is relative to.
    pub reference: PoseBlocks<'a>,
    /// The weights; eight per block if each joint has its own. They may be above one.
    pub weight: Factor<'a>,
    /// Input and output: the pose that is added to.
    pub rotations: &'a mut [RotationBlock],
    /// Input and output.
    pub translations: &'a mut [VectorBlock],
    /// Input and output. Empty skips the scales.
    pub scales: &'a mut [VectorBlock],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut AddPoses<'_>) {
    let AddPoses { pose, reference, weight, rotations, translations, scales } = contract;
    let len = rotations.len();
    assert!(translations.len() == len, "as many translations as rotations");
    assert!(scales.is_empty() || scales.len() == len, "as many scales as rotations, or none");
    for added in [&*pose, &*reference] {
        assert!(added.rotations.len() == len, "as many rotations in both poses as to write");
        assert!(added.translations.len() == len, "as many translations in both poses as to write");
        assert!(added.scales.len() == scales.len(), "as many scales in both poses as to write");
    }
    weight.check_blocks(len);
    for (b, result) in rotations.iter_mut().enumerate() {
        let (Some(to), Some(from)) = (pose.rotations.get(b), reference.rotations.get(b)) else { break };
        for group in 0..L::GROUPS {
            let base = load_rotation::<L>(token, result, group);
            let (from, to) = (load_rotation::<L>(token, from, group), load_rotation::<L>(token, to, group));
            let weight = weight.load(token, b, group);
            store_rotation(add_rotation(token, base, from, to, weight), result, group);
        }
    }
    for (b, result) in translations.iter_mut().enumerate() {
        let (Some(to), Some(from)) = (pose.translations.get(b), reference.translations.get(b)) else { break };
        for group in 0..L::GROUPS {
            let base = load_vector::<L>(token, result, group);
            let (from, to) = (load_vector::<L>(token, from, group), load_vector::<L>(token, to, group));
            let weight: L = weight.load(token, b, group);
            let counts = L::splat(token, 0.0).lt(weight);
            let moved = [
                L::select(counts, base[0] + weight * (to[0] - from[0]), base[0]),
                L::select(counts, base[1] + weight * (to[1] - from[1]), base[1]),
                L::select(counts, base[2] + weight * (to[2] - from[2]), base[2]),
            ];
            store_vector(moved, result, group);
        }
    }
    for (b, result) in scales.iter_mut().enumerate() {
        let (Some(to), Some(from)) = (pose.scales.get(b), reference.scales.get(b)) else { break };
        for group in 0..L::GROUPS {
            let base = load_vector::<L>(token, result, group);
            let (from, to) = (load_vector::<L>(token, from, group), load_vector::<L>(token, to, group));
            let weight: L = weight.load(token, b, group);
            let scaled = [
                add_scale(token, base[0], from[0], to[0], weight),
                add_scale(token, base[1], from[1], to[1], weight),
                add_scale(token, base[2], from[2], to[2], weight),
            ];
            store_vector(scaled, result, group);
        }
    }
}

/// The rotation `base * lerp(identity, from⁻¹ to, weight)`, normalized.
#[inline(always)]
fn add_rotation<L: Lanes>(token: L::Token, base: [L; 4], from: [L; 4], to: [L; 4], weight: L) -> [L; 4] {
    let (zero, one) = (L::splat(token, 0.0), L::splat(token, 1.0));
    let inverse = [-from[0], -from[1], -from[2], from[3]];
    let difference = product(inverse, to);
    // A large weight is divided out, so that no square overflows.
    let divisor = weight.max(one);
    let (kept, added) = ((one - weight) / divisor, weight / divisor);
    let signed = L::negate_where(difference[3].lt(zero), added);
    let factor = [
        signed * difference[0],
        signed * difference[1],
        signed * difference[2],
        kept + signed * difference[3],
    ];
    let turned = product(base, factor);
    let squared =
        (turned[0] * turned[0] + turned[1] * turned[1]) + (turned[2] * turned[2] + turned[3] * turned[3]);
    let scale = one / squared.sqrt();
    let counts = zero.lt(weight);
    [
        L::select(counts, turned[0] * scale, base[0]),
        L::select(counts, turned[1] * scale, base[1]),
        L::select(counts, turned[2] * scale, base[2]),
        L::select(counts, turned[3] * scale, base[3]),
    ]
}

/// The Hamilton product `a * b`.
#[inline(always)]
pub(super) fn product<L: Lanes>(a: [L; 4], b: [L; 4]) -> [L; 4] {
    [
        (a[3] * b[0] + a[0] * b[3]) + (a[1] * b[2] - a[2] * b[1]),
        (a[3] * b[1] + a[1] * b[3]) + (a[2] * b[0] - a[0] * b[2]),
        (a[3] * b[2] + a[2] * b[3]) + (a[0] * b[1] - a[1] * b[0]),
        (a[3] * b[3] - a[0] * b[0]) - (a[1] * b[1] + a[2] * b[2]),
    ]
}

#[inline(always)]
fn add_scale<L: Lanes>(token: L::Token, base: L, from: L, to: L, weight: L) -> L {
    let one = L::splat(token, 1.0);
    let ratio = to / from;
    let multiplied = base * (one + weight * (ratio - one));
    // False for infinities and NaN.
    let finite = ratio.abs().lt(L::splat(token, f32::INFINITY));
    let changed = L::select(finite, multiplied, base + weight * (to - from));
    L::select(L::splat(token, 0.0).lt(weight), changed, base)
}
