//! Slerp between two arrays of rotations, such as a clip's keys.

use super::interpolate::{Slerp, factors_from, interpolate_rotations};
use crate::lanes::Lanes;
use crate::{BLOCK, Factor};

/// `rotations[i]` is interpolated between `from[i]` and `to[i]` by slerp, along the shorter arc.
/// All slices have the same length.
///
/// Rotations are unit quaternions (x, y, z, w). The result has the sign of `from` and the bits that
/// [`Kernels::slerp`](crate::Kernels::slerp) gives for joints with these rotations.
#[derive(Debug)]
pub struct SlerpRotations<'a> {
    /// The rotations at factor 0.
    pub from: &'a [[f32; 4]],
    /// The rotations at factor 1.
    pub to: &'a [[f32; 4]],
    /// The interpolation factors.
    pub factor: Factor<'a>,
    /// Output.
    pub rotations: &'a mut [[f32; 4]],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut SlerpRotations<'_>) {
    let SlerpRotations { from, to, factor, rotations } = contract;
    let len = rotations.len();
    assert!(from.len() == len && to.len() == len, "as many rotations in `from` and `to` as to write");
    if let Factor::Each(factors) = factor {
        assert!(factors.len() == len, "as many factors as rotations");
    }
    let (from_blocks, from_tail) = from.as_chunks::<BLOCK>();
    let (to_blocks, to_tail) = to.as_chunks::<BLOCK>();
    let (blocks, tail) = rotations.as_chunks_mut::<BLOCK>();
    for (b, rotations) in blocks.iter_mut().enumerate() {
        let (Some(from), Some(to)) = (from_blocks.get(b), to_blocks.get(b)) else { break };
        interpolate_rotations::<L, Slerp, _>(token, from, to, &factors_from(*factor, b * BLOCK), rotations);
    }
    if !tail.is_empty() {
        let factors = factors_from(*factor, len - tail.len());
        interpolate_rotations::<L, Slerp, _>(token, from_tail, to_tail, &factors, tail);
    }
}
