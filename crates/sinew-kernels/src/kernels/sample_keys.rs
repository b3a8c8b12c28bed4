//! Sampling of key frames: blocks of eight tracks, between two keys each.
//!
//! A track is a lane of a block of joints. Lanes without a track keep what the pose has.

use super::pose_blocks::{load_rotation, load_vector, store_rotation, store_vector};
use super::slerp_weights::{dot, slerp_weights};
use crate::lanes::Lanes;
use crate::{BLOCK, RotationBlock, RotationKeyBlock, VectorBlock};

/// Which lanes of a pose a block of keys writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyTarget {
    /// The block of the pose.
    pub block: u32,
    /// Whether all lanes are written.
    pub full: bool,
    /// One for each lane that is written, zero for the others.
    pub lanes: [f32; BLOCK],
}

/// Where a time lies between two keys.
#[derive(Clone, Copy, Debug)]
pub enum KeyFactor<'a> {
    /// Part of the way from one key to the next, the same for all tracks: from 0 to below 1.
    All(f32),
    /// Tracks with key times of their own: a time in seconds, and for each block of keys the rows
    /// start, end and 1 / (end - start).
    Times(f32, &'a [VectorBlock]),
}

impl<'a> KeyFactor<'a> {
    /// Loads it into registers, and checks the number of blocks.
    // Field by field: the compiler loads a copied enum as a whole, which waits for the caller's
    // stores.
    #[inline(always)]
    fn load<L: Lanes>(&self, token: L::Token, blocks: usize) -> LoadedFactor<'a, L> {
        match self {
            KeyFactor::All(factor) => LoadedFactor { number: L::splat(token, *factor), times: None },
            KeyFactor::Times(seconds, times) => {
                assert!(times.len() == blocks, "as many times as keys");
                LoadedFactor { number: L::splat(token, *seconds), times: Some(times) }
            }
        }
    }
}

/// A [`KeyFactor`] in registers.
struct LoadedFactor<'a, L> {
    /// The factor, or the time in seconds if there are times.
    number: L,
    times: Option<&'a [VectorBlock]>,
}

impl<L: Lanes> LoadedFactor<'_, L> {
    /// The factors of a register of tracks.
    #[inline(always)]
    fn at(&self, token: L::Token, block: usize, group: usize) -> L {
        let Some(times) = self.times else { return self.number };
        let Some(times) = times.get(block) else { return L::splat(token, 0.0) };
        let [start, _, inverse] = load_vector::<L>(token, times, group);
        (self.number - start) * inverse
    }
}

/// Interpolates rotation keys along their arcs, into the lanes of `targets`. `from`, `to` and
/// `targets` have the same length.
#[derive(Debug)]
pub struct SampleRotations<'a> {
    /// The keys before the time, with the angles to the keys after it.
    pub from: &'a [RotationKeyBlock],
    /// The keys after the time.
    pub to: &'a [RotationKeyBlock],
    /// Where the time lies between them.
    pub factor: KeyFactor<'a>,
    /// Where the results go. A block that does not exist is skipped.
    pub targets: &'a [KeyTarget],
    /// Output.
    pub rotations: &'a mut [RotationBlock],
}

#[inline(always)]
pub(crate) fn rotations<L: Lanes>(token: L::Token, contract: &mut SampleRotations<'_>) {
    let SampleRotations { from, to, factor, targets, rotations } = contract;
    assert!(from.len() == targets.len() && to.len() == targets.len(), "as many keys as targets");
    let factor = factor.load::<L>(token, targets.len());
    for (b, target) in targets.iter().enumerate() {
        let (Some(from), Some(to)) = (from.get(b), to.get(b)) else { break };
        let Some(result) = rotations.get_mut(target.block as usize) else { continue };
        for group in 0..L::GROUPS {
            if skips::<L>(token, target, group) {
                continue;
            }
            let a = load_rotation::<L>(token, &from.rotation, group);
            let to = load_rotation::<L>(token, &to.rotation, group);
            let angle = L::load(token, &from.angle_squared, group);
            let q = slerp(token, [a, to], angle, factor.at(token, b, group));
            store_lanes::<L>(token, q, target, result, group);
        }
    }
}

/// Interpolates rotations along their arcs.
#[inline(always)]
pub(super) fn slerp<L: Lanes>(token: L::Token, [a, b]: [[L; 4]; 2], angle: L, factor: L) -> [L; 4] {
    let [u, v] = slerp_weights(token, factor, angle.abs());
    weighted_sum([u, v.negate_by_sign(angle)], [a, b])
}

/// `u a + v b`.
#[inline(always)]
fn weighted_sum<L: Lanes>([u, v]: [L; 2], [a, b]: [[L; 4]; 2]) -> [L; 4] {
    [
        v.mul_add(b[0], u * a[0]),
        v.mul_add(b[1], u * a[1]),
        v.mul_add(b[2], u * a[2]),
        v.mul_add(b[3], u * a[3]),
    ]
}

/// Stores rotations in the lanes of a target.
#[inline(always)]
fn store_lanes<L: Lanes>(
    token: L::Token,
    q: [L; 4],
    target: &KeyTarget,
    result: &mut RotationBlock,
    group: usize,
) {
    if target.full {
        store_rotation(q, result, group);
        return;
    }
    let written = L::splat(token, 0.0).lt(L::load(token, &target.lanes, group));
    let kept = load_rotation::<L>(token, result, group);
    let q = [
        L::select(written, q[0], kept[0]),
        L::select(written, q[1], kept[1]),
        L::select(written, q[2], kept[2]),
        L::select(written, q[3], kept[3]),
    ];
    store_rotation(q, result, group);
}

/// Interpolates rotation keys along their chords and normalizes, into the lanes of `targets`:
/// nlerp, which follows the arc of slerp at a speed that is not constant. `from`, `to` and
/// `targets` have the same length.
///
/// Keys are unit quaternions less than half a turn apart. The shorter arc is taken.
#[derive(Debug)]
pub struct NlerpRotations<'a> {
    /// The keys before the time.
    pub from: &'a [RotationBlock],
    /// The keys after the time.
    pub to: &'a [RotationBlock],
    /// Where the time lies between them.
    pub factor: KeyFactor<'a>,
    /// Where the results go. A block that does not exist is skipped.
    pub targets: &'a [KeyTarget],
    /// Output.
    pub rotations: &'a mut [RotationBlock],
}

#[inline(always)]
pub(crate) fn nlerp_rotations<L: Lanes>(token: L::Token, contract: &mut NlerpRotations<'_>) {
    let NlerpRotations { from, to, factor, targets, rotations } = contract;
    assert!(from.len() == targets.len() && to.len() == targets.len(), "as many keys as targets");
    let factor = factor.load::<L>(token, targets.len());
    for (b, target) in targets.iter().enumerate() {
        let (Some(from), Some(to)) = (from.get(b), to.get(b)) else { break };
        let Some(result) = rotations.get_mut(target.block as usize) else { continue };
        for group in 0..L::GROUPS {
            if skips::<L>(token, target, group) {
                continue;
            }
            let a = load_rotation::<L>(token, from, group);
            let to = load_rotation::<L>(token, to, group);
            let q = nlerp(token, [a, to], factor.at(token, b, group));
            store_lanes::<L>(token, q, target, result, group);
        }
    }
}

/// Interpolates rotations along their chords and normalizes.
#[inline(always)]
pub(super) fn nlerp<L: Lanes>(token: L::Token, [a, b]: [[L; 4]; 2], factor: L) -> [L; 4] {
    let (u, v) = (L::splat(token, 1.0) - factor, factor);
    // The squared length of u a + v b is u^2 + v^2 + 2 u v dot(a, b), in which the first terms are
    // the same for all tracks with common key times.
    let cosine = dot(a, b);
    let length_squared = ((u + u) * v).mul_add(cosine.abs(), u.mul_add(u, v * v));
    let inverse = length_squared.rsqrt(token);
    weighted_sum([u * inverse, (v * inverse).negate_by_sign(cosine)], [a, b])
}

/// Whether a register of a block has no lane to write.
#[inline(always)]
fn skips<L: Lanes>(token: L::Token, target: &KeyTarget, group: usize) -> bool {
    let none = || L::bitmask(L::splat(token, 0.0).lt(L::load(token, &target.lanes, group))) == 0;
    L::GROUPS > 1 && !target.full && none()
}

/// Interpolates keys of translations or scales linearly, into the lanes of `targets`. `from`, `to`
/// and `targets` have the same length. Never fuses multiply-adds: equal keys give exactly their
/// value.
#[derive(Debug)]
pub struct SampleVectors<'a> {
    /// The keys before the time.
    pub from: &'a [VectorBlock],
    /// The keys after the time.
    pub to: &'a [VectorBlock],
    /// Where the time lies between them.
    pub factor: KeyFactor<'a>,
    /// Where the results go. A block that does not exist is skipped.
    pub targets: &'a [KeyTarget],
    /// Output.
    pub vectors: &'a mut [VectorBlock],
}

#[inline(always)]
pub(crate) fn vectors<L: Lanes>(token: L::Token, contract: &mut SampleVectors<'_>) {
    let SampleVectors { from, to, factor, targets, vectors } = contract;
    assert!(from.len() == targets.len() && to.len() == targets.len(), "as many keys as targets");
    let factor = factor.load::<L>(token, targets.len());
    for (b, target) in targets.iter().enumerate() {
        let (Some(from), Some(to)) = (from.get(b), to.get(b)) else { break };
        let Some(result) = vectors.get_mut(target.block as usize) else { continue };
        for group in 0..L::GROUPS {
            if skips::<L>(token, target, group) {
                continue;
            }
            let (a, to) = (load_vector::<L>(token, from, group), load_vector::<L>(token, to, group));
            let vector = lerp([a, to], factor.at(token, b, group));
            if target.full {
                store_vector(vector, result, group);
                continue;
            }
            let written = L::splat(token, 0.0).lt(L::load(token, &target.lanes, group));
            let kept = load_vector::<L>(token, result, group);
            let vector = [
                L::select(written, vector[0], kept[0]),
                L::select(written, vector[1], kept[1]),
                L::select(written, vector[2], kept[2]),
            ];
            store_vector(vector, result, group);
        }
    }
}

/// Interpolates vectors. Equal ones give exactly their value.
#[inline(always)]
pub(super) fn lerp<L: Lanes>([a, b]: [[L; 3]; 2], factor: L) -> [L; 3] {
    [a[0] + (b[0] - a[0]) * factor, a[1] + (b[1] - a[1]) * factor, a[2] + (b[2] - a[2]) * factor]
}

/// Finds the tracks whose current pair of keys does not hold a time.
#[derive(Debug)]
pub struct FindStaleKeys<'a> {
    /// The time.
    pub seconds: f32,
    /// For each block of tracks the rows start, end and whatever else. A track holds its start, and
    /// not its end. At most eight blocks.
    pub times: &'a [VectorBlock],
    /// Output: one bit per track, the first in the lowest; zeros behind the last block.
    // Not a byte per block, which the caller would load together, and wait for each.
    pub stale: &'a mut u64,
}

#[inline(always)]
pub(crate) fn find_stale<L: Lanes>(token: L::Token, contract: &mut FindStaleKeys<'_>) {
    let FindStaleKeys { seconds, times, stale } = contract;
    assert!(times.len() * BLOCK <= u64::BITS as usize, "a bit for each track");
    let seconds = L::splat(token, *seconds);
    let mut bits = 0;
    for (b, times) in times.iter().enumerate() {
        for group in 0..L::GROUPS {
            let start = L::load(token, &times.rows[0], group);
            let end = L::load(token, &times.rows[1], group);
            let holds = L::bitmask(seconds.lt(end)) & !L::bitmask(seconds.lt(start));
            let lanes = ((1_u16 << L::LEN) - 1) as u8;
            bits |= u64::from(!holds & lanes) << (BLOCK * b + group * L::LEN);
        }
    }
    **stale = bits;
}
