//! Rotations that are interpolated by nlerp: along the chord between two keys, and normalized.
//!
//! Nlerp stays on the arc of slerp, at another speed. With `w` the angle between two unit
//! quaternions, which is half the angle between the rotations, and the part `(1 + x) / 2` of the
//! way, slerp is `x w / 2` from the middle of the arc and nlerp `atan(x tan(w / 2))`. Rotations
//! differ by twice the difference. It is largest where its derivative by `x` is zero: with
//! `h = w / 2` and `y = x tan h`, at `y = sqrt(tan(h) / h - 1)`, where it is
//! `2 (atan(y) - y h / tan(h))`. The series of that is `w^3 (1 + w^2 / 20 + ...) / (18 sqrt 3)`.

use sinew_kernels::{
    BLOCK, Kernels, KeyFactor, KeyTarget, NlerpPackedRotations, NlerpRotations, PackedTarget, RotationBlock,
};

use super::build::PendingTrack;
use super::hermite::HermiteBasis;
use super::joint_value::JointValue;
use crate::math::slerp;

/// A rotation that is interpolated by nlerp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Nlerp(pub(super) [f32; 4]);

impl JointValue for Nlerp {
    type PoseBlock = RotationBlock;
    type KeyBlock = RotationBlock;
    type Angle = ();
    const POSE_BLOCK: RotationBlock = RotationBlock::IDENTITY;
    const LERP: Option<fn(Self, Self, f32) -> Self> = None;

    fn key(block: &RotationBlock, lane: usize) -> Self {
        Self(block.rotation(lane))
    }

    #[inline]
    fn set_key(block: &mut RotationBlock, lane: usize, value: Self) {
        block.set_rotation(lane, value.0);
    }

    #[inline]
    fn set_angle(_: &mut RotationBlock, _: usize, (): ()) {}

    fn angle(self, _: Self) {}

    fn angle_component((): ()) -> Option<f32> {
        None
    }

    fn components(&self) -> impl Iterator<Item = f32> {
        self.0.iter().copied()
    }

    fn from_components(component: impl FnMut(usize) -> f32) -> Self {
        Self(std::array::from_fn(component))
    }

    /// On the arc, as for slerp.
    fn resample(self, next: Self, factor: f64) -> Self {
        Self(self.0.resample(next.0, factor))
    }

    #[inline]
    fn set_pose(block: &mut RotationBlock, lane: usize, value: Self) {
        block.set_rotation(lane, value.0);
    }

    fn pose(block: &RotationBlock, lane: usize) -> Self {
        Self(block.rotation(lane))
    }

    fn copy(from: &RotationBlock, lanes: [bool; BLOCK], to: &mut RotationBlock) {
        <[f32; 4]>::copy(from, lanes, to);
    }

    fn sample(
        kernels: &Kernels,
        [from, to]: [&[RotationBlock]; 2],
        factor: KeyFactor<'_>,
        targets: &[KeyTarget],
        rotations: &mut [RotationBlock],
    ) {
        kernels.nlerp_rotations(NlerpRotations { from, to, factor, targets, rotations });
    }

    fn sample_packed(
        kernels: &Kernels,
        [from, to]: [&[f32]; 2],
        factor: f32,
        targets: &[PackedTarget],
        rotations: &mut [RotationBlock],
    ) {
        kernels.nlerp_packed_rotations(NlerpPackedRotations { from, to, factor, targets, rotations });
    }

    fn curve(basis: HermiteBasis, ends: [Self; 4]) -> Self {
        Self(<[f32; 4]>::curve(basis, ends.map(|end| end.0)))
    }
}

/// Splits linear tracks, sorted by joint, into those of slerp and of nlerp, whose error in radians
/// stays below a bound. The tracks of a block of eight joints stay together.
pub(super) fn split_tracks<'a>(
    tracks: Vec<PendingTrack<'a, [f32; 4]>>,
    bound: f32,
) -> (Vec<PendingTrack<'a, [f32; 4]>>, Vec<PendingTrack<'a, Nlerp>>) {
    if bound <= 0.0 {
        return (tracks, Vec::new());
    }
    let within = |track: &PendingTrack<'_, [f32; 4]>| {
        let angles = track.values.windows(2).map(|pair| slerp::angle_squared(pair[0], pair[1]).0);
        is_within(angles.fold(0.0, f64::max), f64::from(bound))
    };
    let blocks = tracks.chunk_by(|a, b| a.target / BLOCK == b.target / BLOCK);
    let mut choices: Vec<bool> = Vec::with_capacity(tracks.len());
    for block in blocks {
        let all = block.iter().all(within);
        choices.extend(block.iter().map(|_| all));
    }
    let (mut slerps, mut nlerps) = (Vec::new(), Vec::new());
    for (track, is_within) in tracks.into_iter().zip(choices) {
        match is_within {
            true => nlerps.push(track.into_nlerp()),
            false => slerps.push(track),
        }
    }
    (slerps, nlerps)
}

/// Whether nlerp between two quaternions is within a bound of slerp, given the square of the angle
/// between them.
fn is_within(angle_squared: f64, bound: f64) -> bool {
    angle_squared <= MAX_ANGLE_SQUARED && max_error(angle_squared) <= bound
}

/// The square of a sixth of a turn between quaternions, which is a third between rotations. From
/// there on rounding could move the dot product of keys towards zero, and its sign chooses the arc.
const MAX_ANGLE_SQUARED: f64 = 1.0966;

/// An upper bound of the difference between nlerp and slerp as rotations, in radians, at most one
/// percent above the largest. Unlike the exact one it needs no function of the platform's library,
/// so the same tracks are chosen everywhere.
fn max_error(angle_squared: f64) -> f64 {
    let cubed = angle_squared * angle_squared.sqrt();
    cubed * (1.0 + angle_squared / 17.0) / (18.0 * 3.0_f64.sqrt())
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    /// The largest difference, as derived above.
    fn exact_error(angle: f64) -> f64 {
        let half = 0.5 * angle;
        let y = (half.tan() / half - 1.0).sqrt();
        2.0 * (y.atan() - y * half / half.tan())
    }

    /// The difference at one place.
    fn difference(angle: f64, factor: f64) -> f64 {
        let nlerp = (factor * angle.sin()).atan2(1.0 - factor + factor * angle.cos());
        2.0 * (nlerp - factor * angle).abs()
    }

    #[test]
    fn no_difference_is_above_the_largest_and_one_reaches_it() {
        for step in 1..=90 {
            let angle = FRAC_PI_2 * f64::from(step) / 90.0;
            let found = (0..=2000).map(|i| difference(angle, f64::from(i) / 2000.0)).fold(0.0, f64::max);
            let exact = exact_error(angle);
            assert!(found <= exact + 1e-15, "{angle}: {found} above {exact}");
            assert!(found >= exact * (1.0 - 1e-5) - 1e-15, "{angle}: {found} below {exact}");
        }
    }

    #[test]
    fn the_bound_is_at_most_one_percent_above_the_largest_difference() {
        for step in 10..=10_000 {
            let angle = FRAC_PI_2 * f64::from(step) / 10_000.0;
            let ratio = max_error(angle * angle) / exact_error(angle);
            // Differences of smaller angles are rounded away.
            let tolerance = 1e-15 / exact_error(angle);
            assert!((1.0 - tolerance..1.01 + tolerance).contains(&ratio), "{angle}: {ratio}");
        }
    }

    #[test]
    fn keys_more_than_a_third_of_a_turn_apart_are_never_within_a_bound() {
        assert!(is_within(1.09, f64::MAX));
        assert!(!is_within(1.1, f64::MAX));
        assert!(!is_within(f64::NAN, f64::MAX));
    }
}
