//! Which planes face a light.

use crate::lanes::Lanes;
use crate::lanes::inline_zip::InlineZip;
use crate::lanes::quads::gather;
use crate::{BLOCK, Plane};

/// Bit `i` = whether a light is in front of `planes[i]`: normal . (x, y, z) + distance w is above
/// zero. Sixty-four planes per word, the first in the lowest bit; bits after the last plane are
/// zero. As many words as needed.
///
/// Zero is not in front: a light in the plane does not face it, and no light faces [`Plane::NONE`].
#[derive(Debug)]
pub struct ToFacing<'a> {
    /// Planes with normals of any length.
    pub planes: &'a [Plane],
    /// A point with w = 1, or a direction towards the light with w = 0. A light that is not finite
    /// faces no plane.
    pub light: [f32; 4],
    /// Output.
    pub words: &'a mut [u64],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut ToFacing<'_>) {
    let ToFacing { planes, light, words } = contract;
    assert!(planes.len().div_ceil(64) == words.len(), "a bit for every plane");
    let [x, y, z, w] = *light;
    let finite = x.is_finite() && y.is_finite() && z.is_finite() && w.is_finite();
    // With a light of zeros every sum is zero or NaN, so no plane faces it.
    let [x, y, z, w] = if finite { [x, y, z, w] } else { [0.0; 4] };
    let light = [L::splat(token, x), L::splat(token, y), L::splat(token, z), L::splat(token, w)];
    let (whole, tail) = planes.as_chunks::<64>();
    let mut words = words.iter_mut();
    for (planes, word) in whole.iter().inline_zip(&mut words) {
        // As bytes: with shifts the compiler would use a 512-bit register.
        let mut bytes = [0; 64 / BLOCK];
        for (byte, planes) in bytes.iter_mut().inline_zip(planes.as_chunks::<BLOCK>().0) {
            *byte = block::<L>(token, light, planes);
        }
        *word = u64::from_le_bytes(bytes);
    }
    if let Some(word) = words.next() {
        let (blocks, rest) = tail.as_chunks::<BLOCK>();
        let mut bits = 0;
        for (i, planes) in blocks.iter().enumerate() {
            bits |= u64::from(block::<L>(token, light, planes)) << (BLOCK * i);
        }
        // Planes past the end are `Plane::NONE` and face no light.
        *word = bits | u64::from(block::<L>(token, light, rest)) << (BLOCK * blocks.len() % 64);
    }
}

/// The bits of up to a block of planes.
#[inline(always)]
fn block<L: Lanes>(token: L::Token, [x, y, z, w]: [L; 4], planes: &[Plane]) -> u8 {
    let mut bits = 0;
    for group in 0..L::GROUPS {
        let [a, b, c, d] = gather::<L, _>(token, planes, 0, group);
        let side = a.mul_add(x, b.mul_add(y, c.mul_add(z, d * w)));
        bits |= L::bitmask(L::splat(token, 0.0).lt(side)) << (group * L::LEN);
    }
    bits
}
