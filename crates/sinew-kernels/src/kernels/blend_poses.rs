//! The weighted mean of several poses.

use std::hint::black_box;

use super::pose_blocks::{Factor, load_rotation, load_vector, store_rotation, store_vector};
use super::slerp_poses::PoseBlocks;
use crate::lanes::Lanes;
use crate::{BLOCK, RotationBlock, VectorBlock};

/// Each joint is the weighted mean of the layers' joints. All slices have the same length, except
/// that `scales` may be empty.
///
/// Rotations are added in order, each with the sign nearer to the sum so far, and the sum is
/// normalized, unless its length is one up to rounding. The weights of a joint should sum to one. A
/// layer whose weight is not above zero is skipped, whatever it contains. Rotations that sum to
/// zero have no mean: the result is NaN.
#[derive(Debug)]
pub struct BlendPoses<'a> {
    /// The layers, in order.
    pub layers: &'a [BlendLayer<'a>],
    /// Which part of a longer list of layers this is.
    pub part: BlendPart,
    /// The number of joints, at most eight for each block. Lanes past the last joint may be left as
    /// they are.
    pub joints: usize,
    /// Output: the mean; or the sum so far, which the next part continues.
    pub rotations: &'a mut [RotationBlock],
    /// Output.
    pub translations: &'a mut [VectorBlock],
    /// Output. Empty skips the scales.
    pub scales: &'a mut [VectorBlock],
}

/// One layer of a blend.
#[derive(Clone, Copy, Debug)]
pub struct BlendLayer<'a> {
    /// The pose, with unit rotations. Its scales are ignored if scales are skipped.
    pub pose: PoseBlocks<'a>,
    /// The layer's weight; eight per block if each joint has its own.
    pub weight: Factor<'a>,
}

/// Which part of a list of layers a call blends, so that a long list can be split over several
/// calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlendPart {
    /// The whole list.
    #[default]
    All,
    /// The first part: starts the sums and does not normalize them.
    First,
    /// A middle part.
    Next,
    /// The last part.
    Last,
}

impl BlendPart {
    #[inline(always)]
    fn begins(self) -> bool {
        matches!(self, Self::All | Self::First)
    }

    #[inline(always)]
    fn ends(self) -> bool {
        matches!(self, Self::All | Self::Last)
    }
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut BlendPoses<'_>) {
    let BlendPoses { layers, part, joints, rotations, translations, scales } = contract;
    let len = rotations.len();
    assert!(translations.len() == len, "as many translations as rotations");
    assert!(scales.is_empty() || scales.len() == len, "as many scales as rotations, or none");
    assert!(*joints <= BLOCK * len, "no more joints than lanes");
    for layer in layers.iter() {
        check(&layer.pose, len, !scales.is_empty());
        layer.weight.check_blocks(len);
    }
    // Hidden from the compiler, which would call memset for no layers.
    let zero = L::splat(token, black_box(0.0));
    for (b, result) in rotations.iter_mut().enumerate() {
        blend_rotations::<L>(token, zero, layers, *part, b, result);
    }
    for (b, result) in translations.iter_mut().enumerate() {
        blend_vectors::<L, false>(token, zero, layers, *part, b, result);
    }
    for (b, result) in scales.iter_mut().enumerate() {
        blend_vectors::<L, true>(token, zero, layers, *part, b, result);
    }
}

/// Asserts that a layer's pose has as many blocks as are written.
#[inline(always)]
fn check(pose: &PoseBlocks<'_>, blocks: usize, with_scales: bool) {
    assert!(pose.rotations.len() == blocks, "as many rotations of each layer as to write");
    assert!(pose.translations.len() == blocks, "as many translations of each layer as to write");
    assert!(!with_scales || pose.scales.len() == blocks, "as many scales of each layer as to write");
}

/// Blends a block of rotations.
#[inline(always)]
fn blend_rotations<L: Lanes>(
    token: L::Token,
    zero: L,
    layers: &[BlendLayer<'_>],
    part: BlendPart,
    b: usize,
    result: &mut RotationBlock,
) {
    for group in 0..L::GROUPS {
        let mut sum = if part.begins() { [zero; 4] } else { load_rotation(token, result, group) };
        for layer in layers {
            let Some(added) = layer.pose.rotations.get(b) else { break };
            let weight: L = layer.weight.load(token, b, group);
            let with = add_rotation(token, sum, load_rotation(token, added, group), weight);
            // Selected, so that a NaN in a skipped layer has no effect.
            let counts = zero.lt(weight);
            sum = [
                L::select(counts, with[0], sum[0]),
                L::select(counts, with[1], sum[1]),
                L::select(counts, with[2], sum[2]),
                L::select(counts, with[3], sum[3]),
            ];
        }
        store_rotation(if part.ends() { normalize(token, sum) } else { sum }, result, group);
    }
}

/// Blends a block of translations or scales.
#[inline(always)]
fn blend_vectors<L: Lanes, const SCALES: bool>(
    token: L::Token,
    zero: L,
    layers: &[BlendLayer<'_>],
    part: BlendPart,
    b: usize,
    result: &mut VectorBlock,
) {
    for group in 0..L::GROUPS {
        let mut sum = if part.begins() { [zero; 3] } else { load_vector(token, result, group) };
        for layer in layers {
            let vectors = if SCALES { layer.pose.scales } else { layer.pose.translations };
            let Some(added) = vectors.get(b) else { break };
            let (added, weight) =
                (load_vector::<L>(token, added, group), layer.weight.load::<L>(token, b, group));
            let counts = zero.lt(weight);
            sum = [
                L::select(counts, weight.mul_add(added[0], sum[0]), sum[0]),
                L::select(counts, weight.mul_add(added[1], sum[1]), sum[1]),
                L::select(counts, weight.mul_add(added[2], sum[2]), sum[2]),
            ];
        }
        store_vector(sum, result, group);
    }
}

/// Adds a rotation, on the shorter arc.
#[inline(always)]
fn add_rotation<L: Lanes>(token: L::Token, sum: [L; 4], added: [L; 4], weight: L) -> [L; 4] {
    let turned = L::negate_where(dot(sum, added).lt(L::splat(token, 0.0)), weight);
    [
        turned.mul_add(added[0], sum[0]),
        turned.mul_add(added[1], sum[1]),
        turned.mul_add(added[2], sum[2]),
        turned.mul_add(added[3], sum[3]),
    ]
}

/// The deviation of a squared length from one that rounding can cause. Within it a sum is not
/// normalized, so that the mean of equal rotations keeps their bits.
const ROUNDING: f32 = 1.0 / (1 << 21) as f32;

#[inline(always)]
pub(super) fn normalize<L: Lanes>(token: L::Token, sum: [L; 4]) -> [L; 4] {
    let one = L::splat(token, 1.0);
    let squared = dot(sum, sum);
    let off = L::splat(token, ROUNDING).lt((squared - one).abs());
    let factor = L::select(off, one / squared.sqrt(), one);
    [sum[0] * factor, sum[1] * factor, sum[2] * factor, sum[3] * factor]
}

#[inline(always)]
pub(super) fn dot<L: Lanes>(a: [L; 4], b: [L; 4]) -> L {
    a[1].mul_add(b[1], a[0] * b[0]) + a[3].mul_add(b[3], a[2] * b[2])
}
