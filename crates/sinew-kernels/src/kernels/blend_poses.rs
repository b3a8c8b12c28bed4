//! The weighted mean of several poses.
//!
//! Never fuses multiply-adds: the bits are the same in both float modes.

use std::hint::black_box;

use super::pose_blocks::{Factor, load_rotation, load_vector, store_rotation, store_vector};
use super::slerp_poses::PoseBlocks;
use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;
use crate::{RotationBlock, VectorBlock};

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
    let BlendPoses { layers, part, rotations, translations, scales } = contract;
    let len = rotations.len();
    assert!(translations.len() == len, "as many translations as rotations");
    assert!(scales.is_empty() || scales.len() == len, "as many scales as rotations, or none");
    for layer in layers.iter() {
        assert!(layer.pose.rotations.len() == len, "as many rotations of each layer as to write");
        assert!(layer.pose.translations.len() == len, "as many translations of each layer as to write");
        assert!(
            scales.is_empty() || layer.pose.scales.len() == len,
            "as many scales of each layer as to write"
        );
        layer.weight.check_blocks(len);
    }
    if let (BlendPart::All, [first, second]) = (*part, *layers)
        && let (Factor::All(weight), Factor::All(other)) = (first.weight, second.weight)
        && weight > 0.0
        && other > 0.0
    {
        let weights = [L::splat(token, weight), L::splat(token, other)];
        blend_two::<L>(token, [&first.pose, &second.pose], weights, rotations, translations, scales);
        return;
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

/// The usual case: two poses, and the same weights for all joints.
#[inline(always)]
fn blend_two<L: Lanes>(
    token: L::Token,
    poses: [&PoseBlocks<'_>; 2],
    weights: [L; 2],
    rotations: &mut [RotationBlock],
    translations: &mut [VectorBlock],
    scales: &mut [VectorBlock],
) {
    let layers = poses[0].rotations.iter().inline_zip(poses[1].rotations);
    for (result, (one, other)) in rotations.iter_mut().inline_zip(layers) {
        for group in 0..L::GROUPS {
            let one = load_rotation::<L>(token, one, group);
            let [w, _] = weights;
            let sum = [w * one[0], w * one[1], w * one[2], w * one[3]];
            let sum = add_rotation(token, sum, load_rotation(token, other, group), weights[1]);
            store_rotation(normalize(token, sum), result, group);
        }
    }
    add_two::<L>(token, [poses[0].translations, poses[1].translations], weights, translations);
    add_two::<L>(token, [poses[0].scales, poses[1].scales], weights, scales);
}

#[inline(always)]
fn add_two<L: Lanes>(
    token: L::Token,
    vectors: [&[VectorBlock]; 2],
    weights: [L; 2],
    results: &mut [VectorBlock],
) {
    let layers = vectors[0].iter().inline_zip(vectors[1]);
    for (result, (one, other)) in results.iter_mut().inline_zip(layers) {
        for group in 0..L::GROUPS {
            let (one, other) = (load_vector::<L>(token, one, group), load_vector::<L>(token, other, group));
            let sum = [
                weights[0] * one[0] + weights[1] * other[0],
                weights[0] * one[1] + weights[1] * other[1],
                weights[0] * one[2] + weights[1] * other[2],
            ];
            store_vector(sum, result, group);
        }
    }
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
                L::select(counts, sum[0] + weight * added[0], sum[0]),
                L::select(counts, sum[1] + weight * added[1], sum[1]),
                L::select(counts, sum[2] + weight * added[2], sum[2]),
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
        sum[0] + turned * added[0],
        sum[1] + turned * added[1],
        sum[2] + turned * added[2],
        sum[3] + turned * added[3],
    ]
}

/// The deviation of a squared length from one that rounding can cause. Within it a sum is not
/// normalized, so that the mean of equal rotations keeps their bits.
const ROUNDING: f32 = 1.0 / (1 << 21) as f32;

#[inline(always)]
fn normalize<L: Lanes>(token: L::Token, sum: [L; 4]) -> [L; 4] {
    let one = L::splat(token, 1.0);
    let squared = dot(sum, sum);
    let off = L::splat(token, ROUNDING).lt((squared - one).abs());
    let factor = L::select(off, one / squared.sqrt(), one);
    [sum[0] * factor, sum[1] * factor, sum[2] * factor, sum[3] * factor]
}

#[inline(always)]
fn dot<L: Lanes>(a: [L; 4], b: [L; 4]) -> L {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
}
