//! The weighted mean of the joints of several layers.
//!
//! Nothing fuses here, whatever the rounding: a blend has the same bits in both.

use std::hint::black_box;

use super::interpolate::factors_from;
use crate::lanes::Lanes;
use crate::lanes::quads::{Quads, gather, scatter};
use crate::{BLOCK, Factor, Joint, Scale};

/// `joints[i]` = the mean of `layers[..].joints[i]`, each counting for its weight; the same for scales. All slices have the
/// same length.
///
/// Rotations are added in order, each turned toward the sum of those before it, and the sum is brought to length one; one
/// that is within rounding of it keeps its bits. The weights of a joint are meant to sum to one. A weight that is not above
/// zero leaves its layer out, whatever is in it. Of rotations that sum to zero there is no mean, and it is not a number.
#[derive(Debug)]
pub struct BlendJoints<'a> {
    /// What is added, in order.
    pub layers: &'a [BlendLayer<'a>],
    /// Which layers of a sum they are.
    pub part: BlendPart,
    /// Written: the mean, or the sum so far, which the next part goes on from.
    pub joints: &'a mut [Joint],
    /// Written like the joints; `None` leaves scales out.
    pub scales: Option<&'a mut [Scale]>,
}

/// One layer of a blend.
#[derive(Clone, Copy, Debug)]
pub struct BlendLayer<'a> {
    /// Rotations have length one.
    pub joints: &'a [Joint],
    /// As many, where scales are blended; not looked at where they are left out.
    pub scales: &'a [Scale],
    /// How much it counts.
    pub weight: Factor<'a>,
}

/// Which layers of a sum a call is given: so that there may be any number, a few at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlendPart {
    /// All of them.
    #[default]
    All,
    /// The first ones: sums are begun, and not brought to length one.
    First,
    /// Neither the first nor the last.
    Next,
    /// The last ones.
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

/// Up to a block of rotations.
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
            // A whole block needs no look at its end.
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

/// One rotation more, the short way.
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

/// The sum with one more where that counts: what does not may not even bring in what is not a number.
#[inline(always)]
fn select_sum<L: Lanes>(counts: L::Mask, sum: [L; 4], with: [L; 4]) -> [L; 4] {
    [
        L::select(counts, with[0], sum[0]),
        L::select(counts, with[1], sum[1]),
        L::select(counts, with[2], sum[2]),
        L::select(counts, with[3], sum[3]),
    ]
}

/// How far a squared length may be from one and count as one: what rounding can cause. So a mean of equal rotations keeps
/// their bits.
const ROUNDING: f32 = 1.0 / (1 << 21) as f32;

#[inline(always)]
fn normalize<L: Lanes>(token: L::Token, sum: [L; 4]) -> [L; 4] {
    let one = L::splat(token, 1.0);
    let squared = dot(sum, sum);
    let off = L::splat(token, ROUNDING).lt((squared - one).abs());
    let factor = L::select(off, one / squared.sqrt(), one);
    [sum[0] * factor, sum[1] * factor, sum[2] * factor, sum[3] * factor]
}

/// What is blended along the line: translations of joints, or scales.
trait LinearQuad: Quads + Sized {
    /// Which of its quads.
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

/// Registers that are summed side by side: all of a block where a register has eight lanes.
const SUMS: usize = 4;

/// Up to a block of quads.
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
            // Scales lie side by side: the compiler would make 512-bit stores of two, and a call of many that are zero.
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
