//! The weighted mean of the joints of several layers.
//!
//! Never fuses multiply-adds: the bits are the same in both float modes.

use std::hint::black_box;

use super::interpolate::factors_from;
use crate::lanes::Lanes;
use crate::lanes::quads::{Quads, gather, scatter};
use crate::{BLOCK, Factor, Joint, Scale};

/// `joints[i]` = the weighted mean of `layers[..].joints[i]`; the same for scales. All slices have
/// the same length.
///
/// Rotations are added in order, each with the sign nearer to the sum so far, and the sum is
/// normalized, unless its length is one up to rounding. The weights of a joint should sum to one. A
/// layer whose weight is not above zero is skipped, whatever it contains. Rotations that sum to
/// zero have no mean: the result is NaN.
#[derive(Debug)]
pub struct BlendJoints<'a> {
    /// The layers, in order.
    pub layers: &'a [BlendLayer<'a>],
    /// Which part of a longer list of layers this is.
    pub part: BlendPart,
    /// Output: the mean; or the sum so far, which the next part continues.
    pub joints: &'a mut [Joint],
    /// Output: the scales. `None` skips them.
    pub scales: Option<&'a mut [Scale]>,
}

/// One layer of a blend.
#[derive(Clone, Copy, Debug)]
pub struct BlendLayer<'a> {
    /// With unit rotations.
    pub joints: &'a [Joint],
    /// As many as joints; ignored if scales are skipped.
    pub scales: &'a [Scale],
    /// The layer's weight.
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
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut BlendJoints<'_>) {
    let BlendJoints { layers, part, joints, scales } = contract;
    let len = joints.len();
    if let Some(scales) = scales {
        assert!(scales.len() == len, "as many scales as joints");
    }
    for layer in layers.iter() {
        assert!(layer.joints.len() == len, "as many joints of each layer as to write");
        assert!(scales.is_none() || layer.scales.len() == len, "as many scales of each layer as to write");
        if let Factor::Each(weights) = layer.weight {
            assert!(weights.len() == len, "as many weights as joints");
        }
    }
    let (blocks, tail) = joints.as_chunks_mut::<BLOCK>();
    let done = BLOCK * blocks.len();
    for (b, block) in blocks.iter_mut().enumerate() {
        blend_rotations::<L>(token, layers, *part, BLOCK * b, block);
        blend_linear::<L, _>(token, layers, *part, BLOCK * b, block);
    }
    if !tail.is_empty() {
        blend_rotations::<L>(token, layers, *part, done, tail);
        blend_linear::<L, _>(token, layers, *part, done, tail);
    }

    let Some(scales) = scales else { return };
    let (blocks, tail) = scales.as_chunks_mut::<BLOCK>();
    for (b, block) in blocks.iter_mut().enumerate() {
        blend_linear::<L, _>(token, layers, *part, BLOCK * b, block);
    }
    if !tail.is_empty() {
        blend_linear::<L, _>(token, layers, *part, done, tail);
    }
}

/// Blends up to a block of rotations.
#[inline(always)]
fn blend_rotations<L: Lanes>(
    token: L::Token,
    layers: &[BlendLayer<'_>],
    part: BlendPart,
    first: usize,
    joints: &mut [Joint],
) {
    for group in 0..L::GROUPS {
        let mut sum =
            if part.begins() { [L::splat(token, 0.0); 4] } else { gather::<L, _>(token, joints, 0, group) };
        for layer in layers {
            let added = elements_from(layer.joints, first);
            // A whole block needs no bounds checks.
            let added = match added.first_chunk::<BLOCK>() {
                Some(block) => gather::<L, _>(token, block, 0, group),
                None => gather::<L, _>(token, added, 0, group),
            };
            match layer.weight {
                Factor::All(weight) if weight > 0.0 => {
                    sum = add_rotation(token, sum, added, L::splat(token, weight));
                }
                Factor::All(_) => {}
                Factor::Each(_) => {
                    let weight = L::load(token, &factors_from(layer.weight, first), group);
                    sum = select_sum(
                        L::splat(token, 0.0).lt(weight),
                        sum,
                        add_rotation(token, sum, added, weight),
                    );
                }
            }
        }
        scatter(if part.ends() { normalize(token, sum) } else { sum }, joints, 0, group);
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

/// The new sum where the layer counts. Selected, so that a NaN in a skipped layer has no effect.
#[inline(always)]
fn select_sum<L: Lanes>(counts: L::Mask, sum: [L; 4], with: [L; 4]) -> [L; 4] {
    [
        L::select(counts, with[0], sum[0]),
        L::select(counts, with[1], sum[1]),
        L::select(counts, with[2], sum[2]),
        L::select(counts, with[3], sum[3]),
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

/// An element with a quad that is blended linearly: the translation of a joint, or a scale.
trait LinearQuad: Quads + Sized {
    /// Index of that quad.
    const QUAD: usize;

    fn elements<'a>(layer: &BlendLayer<'a>) -> &'a [Self];
}

impl LinearQuad for Joint {
    const QUAD: usize = 1;

    #[inline(always)]
    fn elements<'a>(layer: &BlendLayer<'a>) -> &'a [Self] {
        layer.joints
    }
}

impl LinearQuad for Scale {
    const QUAD: usize = 0;

    #[inline(always)]
    fn elements<'a>(layer: &BlendLayer<'a>) -> &'a [Self] {
        layer.scales
    }
}

/// Number of registers summed side by side: a whole block with eight lanes.
const SUMS: usize = 4;

/// Blends up to a block of quads linearly.
#[inline(always)]
fn blend_linear<L: Lanes, T: LinearQuad>(
    token: L::Token,
    layers: &[BlendLayer<'_>],
    part: BlendPart,
    first: usize,
    results: &mut [T],
) {
    for start in 0..BLOCK / (SUMS * L::QUADS) {
        let start = start * SUMS * L::QUADS;
        let mut sums = [L::splat(token, 0.0); SUMS];
        if !part.begins() {
            for k in 0..SUMS {
                sums[k] = load_elements(token, results, start + k * L::QUADS);
            }
        }
        for layer in layers {
            let added = elements_from(T::elements(layer), first);
            match added.first_chunk::<BLOCK>() {
                Some(block) => add_quads::<L, T>(token, &mut sums, block, layer.weight, first, start),
                None => add_quads::<L, T>(token, &mut sums, added, layer.weight, first, start),
            }
        }
        for k in 0..SUMS {
            for i in 0..L::QUADS {
                if let Some(to) = results.get_mut(start + k * L::QUADS + i) {
                    sums[k].store_quad(i, to.quad_mut(T::QUAD));
                }
            }
            // Scales are adjacent in memory: the compiler would merge two into a 512-bit store, and
            // many zeros into a call.
            if T::QUAD == 0 {
                black_box(&*results);
            }
        }
    }
}

/// Adds the quads from `start` on of a block whose first joint is `first`.
#[inline(always)]
fn add_quads<L: Lanes, T: LinearQuad>(
    token: L::Token,
    sums: &mut [L; SUMS],
    added: &[T],
    weight: Factor<'_>,
    first: usize,
    start: usize,
) {
    match weight {
        Factor::All(weight) if weight > 0.0 => {
            let weight = L::splat(token, weight);
            for k in 0..SUMS {
                sums[k] = sums[k] + weight * load_elements::<L, T>(token, added, start + k * L::QUADS);
            }
        }
        Factor::All(_) => {}
        Factor::Each(_) => {
            let (zero, weights) = (L::splat(token, 0.0), factors_from(weight, first));
            for k in 0..SUMS {
                let start = start + k * L::QUADS;
                let weight = L::splat_quads(token, |i| weights[(start + i) % BLOCK]);
                let sum = sums[k] + weight * load_elements::<L, T>(token, added, start);
                sums[k] = L::select(zero.lt(weight), sum, sums[k]);
            }
        }
    }
}

#[inline(always)]
fn load_elements<L: Lanes, T: LinearQuad>(token: L::Token, elements: &[T], start: usize) -> L {
    L::load_quads(token, |i| elements.get(start + i).unwrap_or(T::PADDING).quad(T::QUAD))
}

#[inline(always)]
fn elements_from<T>(elements: &[T], first: usize) -> &[T] {
    elements.get(first..).unwrap_or_default()
}

#[inline(always)]
fn dot<L: Lanes>(a: [L; 4], b: [L; 4]) -> L {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
}
