//! Between two arrays of rotations along the arc: what a clip's keys are.

use super::interpolate::{Slerp, factors_from, interpolate_rotations};
use crate::lanes::Lanes;
use crate::{BLOCK, Factor};

/// `rotations[i]` lies between `from[i]` and `to[i]`, the shortest way at even speed. All slices have the same length.
///
/// Quaternions (x, y, z, w) of length one. The result has the sign of `from`, and is what [`Kernels::slerp`] gives for
/// joints that turn the same way, to the bit.
///
/// [`Kernels::slerp`]: crate::Kernels::slerp
#[derive(Debug)]
pub struct SlerpRotations<'a> {
    /// Where factor 0 is.
    pub from: &'a [[f32; 4]],
    /// Where factor 1 is.
    pub to: &'a [[f32; 4]],
    /// How far to go.
    pub factor: Factor<'a>,
    /// Written.
    pub rotations: &'a mut [[f32; 4]],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut SlerpRotations<'_>) {
    let SlerpRotations { from, to, factor, rotations } = contract;
    let len = rotations.len();
    assert!(from.len() == len && to.len() == len, "as many rotations to come from and go to as to write");
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
