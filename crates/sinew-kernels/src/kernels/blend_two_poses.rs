//! The weighted mean of two poses, with the same weights for all joints.

use super::blend_poses::{dot, normalize};
use super::pose_blocks::{load_rotation, load_vector, store_rotation, store_vector};
use super::slerp_poses::PoseBlocks;
use crate::lanes::Lanes;
use crate::{BLOCK, RotationBlock, VectorBlock};

/// Each joint is the weighted mean of two poses' joints: the same values as
/// [`BlendPoses`](super::BlendPoses) of two layers with weights above zero, without a list of
/// layers. Only the sign of a zero may differ, and the direction between rotations so near half a
/// turn apart that rounding decides. All slices have the same length, except that `scales` may be
/// empty.
#[derive(Debug)]
pub struct BlendTwoPoses<'a> {
    /// The first pose, with unit rotations. Its scales are ignored if scales are skipped.
    pub one: PoseBlocks<'a>,
    /// The second pose.
    pub other: PoseBlocks<'a>,
    /// The weights, which should sum to one. A pose whose weight is zero is not skipped: a NaN in
    /// it has an effect, and the result may be the other pose's rotation negated.
    // References: of numbers in this struct, the compiler loads more than was stored at once, which
    // waits until the stores are in the cache.
    pub weights: [&'a f32; 2],
    /// The number of joints, at most eight for each block. Lanes past the last joint may be left as
    /// they are.
    pub joints: usize,
    /// Output.
    pub rotations: &'a mut [RotationBlock],
    /// Output.
    pub translations: &'a mut [VectorBlock],
    /// Output. Empty skips the scales.
    pub scales: &'a mut [VectorBlock],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut BlendTwoPoses<'_>) {
    let len = contract.rotations.len();
    let scaled = !contract.scales.is_empty();
    assert!(contract.translations.len() == len, "as many translations as rotations");
    assert!(!scaled || contract.scales.len() == len, "as many scales as rotations, or none");
    assert!(contract.joints <= BLOCK * len, "no more joints than lanes");
    for pose in [&contract.one, &contract.other] {
        assert!(pose.rotations.len() == len, "as many rotations of each pose as to write");
        assert!(pose.translations.len() == len, "as many translations of each pose as to write");
        assert!(!scaled || pose.scales.len() == len, "as many scales of each pose as to write");
    }
    if scaled { blend::<L, true>(token, contract) } else { blend::<L, false>(token, contract) }
}

/// In one loop: the vectors' short work is done while root and division of the rotations take their
/// time.
#[inline(always)]
fn blend<L: Lanes, const SCALED: bool>(token: L::Token, contract: &mut BlendTwoPoses<'_>) {
    // Copies, which stay in registers: stores might change the memory of arguments. Field by field,
    // so that the compiler knows the blocks' alignment.
    let (one, other, joints) = (&contract.one, &contract.other, contract.joints);
    let weights = [L::splat(token, *contract.weights[0]), L::splat(token, *contract.weights[1])];
    let (rotations, translations, scales) =
        (&mut *contract.rotations, &mut *contract.translations, &mut *contract.scales);
    let (one_rotations, other_rotations) = (one.rotations, other.rotations);
    let (one_translations, other_translations) = (one.translations, other.translations);
    let (one_scales, other_scales) = (one.scales, other.scales);
    for b in 0..rotations.len() {
        let (Some(rotation), Some(a), Some(c)) =
            (rotations.get_mut(b), one_rotations.get(b), other_rotations.get(b))
        else {
            return;
        };
        let (Some(translation), Some(from), Some(to)) =
            (translations.get_mut(b), one_translations.get(b), other_translations.get(b))
        else {
            return;
        };
        for group in 0..L::GROUPS {
            // A register of the last block without joints.
            if group > 0 && BLOCK * b + group * L::LEN >= joints {
                return;
            }
            let a = load_rotation::<L>(token, a, group);
            let c = load_rotation::<L>(token, c, group);
            // The rotations' own angle, not that to the sum: it need not wait for the product.
            // Compared, not by its sign: that of a zero or a NaN differs between backends.
            let weight = L::negate_where(dot(a, c).lt(L::splat(token, 0.0)), weights[1]);
            let sum = [
                weight.mul_add(c[0], weights[0] * a[0]),
                weight.mul_add(c[1], weights[0] * a[1]),
                weight.mul_add(c[2], weights[0] * a[2]),
                weight.mul_add(c[3], weights[0] * a[3]),
            ];
            store_rotation(normalize(token, sum), rotation, group);
            add_vectors::<L>(token, [from, to], weights, translation, group);
            if SCALED {
                let (Some(scale), Some(from), Some(to)) =
                    (scales.get_mut(b), one_scales.get(b), other_scales.get(b))
                else {
                    return;
                };
                add_vectors::<L>(token, [from, to], weights, scale, group);
            }
        }
    }
}

#[inline(always)]
fn add_vectors<L: Lanes>(
    token: L::Token,
    [one, other]: [&VectorBlock; 2],
    weights: [L; 2],
    result: &mut VectorBlock,
    group: usize,
) {
    let (one, other) = (load_vector::<L>(token, one, group), load_vector::<L>(token, other, group));
    let sum = [
        weights[1].mul_add(other[0], weights[0] * one[0]),
        weights[1].mul_add(other[1], weights[0] * one[1]),
        weights[1].mul_add(other[2], weights[0] * one[2]),
    ];
    store_vector(sum, result, group);
}
