//! Interpolation between two poses: rotations by slerp, translations and scales by lerp.

use super::pose_blocks::{Factor, load_rotation, load_vector, store_rotation, store_vector};
use super::slerp_weights::{angle_squared, dot, slerp_weights};
use crate::lanes::Lanes;
use crate::{RotationBlock, VectorBlock};

/// Each joint is interpolated between those of `from` and `to`. All slices have the same length,
/// except that `scales` may be empty, in all three poses.
///
/// Rotations are unit quaternions and take the shorter arc, at constant angular speed. The results
/// at 0 and 1 are exactly the inputs, except for the sign of `to`'s rotation and the rounding of
/// its length. Half a turn apart, both arcs are equally short and one is taken.
#[derive(Debug)]
pub struct SlerpPoses<'a> {
    /// The pose at factor 0.
    pub from: PoseBlocks<'a>,
    /// The pose at factor 1.
    pub to: PoseBlocks<'a>,
    /// The interpolation factors, from 0 (`from`) to 1 (`to`); eight per block if each has its own.
    pub factor: Factor<'a>,
    /// Output.
    pub rotations: &'a mut [RotationBlock],
    /// Output.
    pub translations: &'a mut [VectorBlock],
    /// Output.
    pub scales: &'a mut [VectorBlock],
}

/// A pose, or some of its blocks.
#[derive(Clone, Copy, Debug)]
pub struct PoseBlocks<'a> {
    /// Unit quaternions.
    pub rotations: &'a [RotationBlock],
    /// As many as rotations.
    pub translations: &'a [VectorBlock],
    /// As many as rotations, or none where scales are skipped.
    pub scales: &'a [VectorBlock],
}

#[inline(always)]
pub(crate) fn body<L: Lanes>(token: L::Token, contract: &mut SlerpPoses<'_>) {
    let SlerpPoses { from, to, factor, rotations, translations, scales } = contract;
    let len = rotations.len();
    assert!(translations.len() == len, "as many translations as rotations");
    assert!(scales.is_empty() || scales.len() == len, "as many scales as rotations, or none");
    for pose in [&*from, &*to] {
        assert!(pose.rotations.len() == len, "as many rotations in `from` and `to` as to write");
        assert!(pose.translations.len() == len, "as many translations in `from` and `to` as to write");
        assert!(pose.scales.len() == scales.len(), "as many scales in `from` and `to` as to write");
    }
    factor.check_blocks(len);
    for (b, result) in rotations.iter_mut().enumerate() {
        let (Some(from), Some(to)) = (from.rotations.get(b), to.rotations.get(b)) else { break };
        for group in 0..L::GROUPS {
            let (a, to) = (load_rotation::<L>(token, from, group), load_rotation::<L>(token, to, group));
            // `b` and `-b` are the same rotation; the one on `a`'s side is on the shorter arc.
            let away = dot(a, to).lt(L::splat(token, 0.0));
            let b_near = [
                L::negate_where(away, to[0]),
                L::negate_where(away, to[1]),
                L::negate_where(away, to[2]),
                L::negate_where(away, to[3]),
            ];
            let factor = factor.load(token, b, group);
            let [u, v] = slerp_weights(token, factor, angle_squared(token, a, b_near));
            let q = [
                v.mul_add(b_near[0], u * a[0]),
                v.mul_add(b_near[1], u * a[1]),
                v.mul_add(b_near[2], u * a[2]),
                v.mul_add(b_near[3], u * a[3]),
            ];
            store_rotation(q, result, group);
        }
    }
    lerp::<L>(token, from.translations, to.translations, *factor, translations);
    lerp::<L>(token, from.scales, to.scales, *factor, scales);
}

/// Exact at both ends.
#[inline(always)]
fn lerp<L: Lanes>(
    token: L::Token,
    from: &[VectorBlock],
    to: &[VectorBlock],
    factor: Factor<'_>,
    results: &mut [VectorBlock],
) {
    for (b, result) in results.iter_mut().enumerate() {
        let (Some(from), Some(to)) = (from.get(b), to.get(b)) else { break };
        for group in 0..L::GROUPS {
            let (a, to) = (load_vector::<L>(token, from, group), load_vector::<L>(token, to, group));
            let factor: L = factor.load(token, b, group);
            let rest = L::splat(token, 1.0) - factor;
            let vector = [
                factor.mul_add(to[0], rest * a[0]),
                factor.mul_add(to[1], rest * a[1]),
                factor.mul_add(to[2], rest * a[2]),
            ];
            store_vector(vector, result, group);
        }
    }
}
