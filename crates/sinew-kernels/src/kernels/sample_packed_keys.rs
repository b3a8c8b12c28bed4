//! Sampling of key frames of a few tracks of a block of eight joints: only their keys are stored.
//!
//! The keys of a block at one time are its components one after the other, each with a float per
//! track. So registers are loaded with lanes of the next component behind the last track. Results
//! are moved to the lanes of the tracks' joints; lanes without a track keep what the pose has.

use super::pose_blocks::{load_rotation, load_vector, store_rotation, store_vector};
use super::sample_keys::{KeyTarget, lerp, nlerp, slerp};
use crate::lanes::Lanes;
use crate::{BLOCK, RotationBlock, VectorBlock};

/// Where the keys of a few joints of a block are, and which lanes of a pose they write.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackedTarget {
    /// The block and the lanes that are written.
    pub target: KeyTarget,
    /// The index of the first float of the keys.
    pub first: u32,
    /// The number of tracks: from 1 to 7.
    pub len: u32,
    /// For each lane that is written, the number of its track.
    pub tracks: [u8; BLOCK],
}

impl PackedTarget {
    /// The tracks of the first lanes of a block, in order, which registers of four lanes store as
    /// they are.
    pub const IN_ORDER: [u8; BLOCK] = [0, 1, 2, 3, 4, 5, 6, 7];
}

/// Interpolates rotation keys along their arcs, into the lanes of `targets`.
///
/// A target's keys are five floats per track: x of all tracks, y, z, w, and the squared angles of
/// [`RotationKeyBlock`](crate::RotationKeyBlock). From the first of them on, 40 floats can be read.
#[derive(Debug)]
pub struct SamplePackedRotations<'a> {
    /// The keys before the time, with the angles to the keys after it.
    pub from: &'a [f32],
    /// The keys after the time.
    pub to: &'a [f32],
    /// Part of the way from one key to the next: from 0 to below 1.
    pub factor: f32,
    /// Where the results go. A target is skipped if its block or its keys do not exist, or if it
    /// does not have from 1 to 7 tracks.
    pub targets: &'a [PackedTarget],
    /// Output.
    pub rotations: &'a mut [RotationBlock],
}

#[inline(always)]
pub(crate) fn rotations<L: Lanes>(token: L::Token, contract: &mut SamplePackedRotations<'_>) {
    let SamplePackedRotations { from, to, factor, targets, rotations } = contract;
    let factor = L::splat(token, *factor);
    for target in targets.iter() {
        let Some([from, to]) = find_keys::<{ 5 * BLOCK }>(from, to, target) else { continue };
        let Some(result) = rotations.get_mut(target.target.block as usize) else { continue };
        // Before the branch: where a load, a choice and a store of the same bytes meet, the compiler
        // makes masked stores of them, which take 12 cycles each on a Zen.
        let kept = [load_rotation::<L>(token, result, 0), load_rotation::<L>(token, result, L::GROUPS - 1)];
        let mut packed = [[0.0; BLOCK]; 4];
        for group in 0..L::GROUPS {
            if group * L::LEN < target.len as usize {
                let a = load_components::<L, 4, _>(token, from, target, group);
                let b = load_components::<L, 4, _>(token, to, target, group);
                let angle = load_component::<L, _>(token, from, target, 4, group);
                store_packed(slerp(token, [a, b], angle, factor), &mut packed, group);
            }
        }
        for group in 0..L::GROUPS {
            store_rotation(
                place_lanes::<L, 4>(token, &packed, target, kept[group % 2], group),
                result,
                group,
            );
        }
    }
}

/// Interpolates rotation keys along their chords and normalizes, into the lanes of `targets`: see
/// [`NlerpRotations`](crate::NlerpRotations).
///
/// A target's keys are four floats per track: x of all tracks, y, z and w. From the first of them
/// on, 32 floats can be read.
#[derive(Debug)]
pub struct NlerpPackedRotations<'a> {
    /// The keys before the time.
    pub from: &'a [f32],
    /// The keys after the time.
    pub to: &'a [f32],
    /// Part of the way from one key to the next: from 0 to below 1.
    pub factor: f32,
    /// Where the results go. A target is skipped if its block or its keys do not exist, or if it
    /// does not have from 1 to 7 tracks.
    pub targets: &'a [PackedTarget],
    /// Output.
    pub rotations: &'a mut [RotationBlock],
}

#[inline(always)]
pub(crate) fn nlerp_rotations<L: Lanes>(token: L::Token, contract: &mut NlerpPackedRotations<'_>) {
    let NlerpPackedRotations { from, to, factor, targets, rotations } = contract;
    let factor = L::splat(token, *factor);
    for target in targets.iter() {
        let Some([from, to]) = find_keys::<{ 4 * BLOCK }>(from, to, target) else { continue };
        let Some(result) = rotations.get_mut(target.target.block as usize) else { continue };
        // Before the branch: where a load, a choice and a store of the same bytes meet, the compiler
        // makes masked stores of them, which take 12 cycles each on a Zen.
        let kept = [load_rotation::<L>(token, result, 0), load_rotation::<L>(token, result, L::GROUPS - 1)];
        let mut packed = [[0.0; BLOCK]; 4];
        for group in 0..L::GROUPS {
            if group * L::LEN < target.len as usize {
                let a = load_components::<L, 4, _>(token, from, target, group);
                let b = load_components::<L, 4, _>(token, to, target, group);
                store_packed(nlerp(token, [a, b], factor), &mut packed, group);
            }
        }
        for group in 0..L::GROUPS {
            store_rotation(
                place_lanes::<L, 4>(token, &packed, target, kept[group % 2], group),
                result,
                group,
            );
        }
    }
}

/// Interpolates keys of translations or scales linearly, into the lanes of `targets`: see
/// [`SampleVectors`](crate::SampleVectors).
///
/// A target's keys are three floats per track: x of all tracks, y and z. From the first of them on,
/// 24 floats can be read.
#[derive(Debug)]
pub struct SamplePackedVectors<'a> {
    /// The keys before the time.
    pub from: &'a [f32],
    /// The keys after the time.
    pub to: &'a [f32],
    /// Part of the way from one key to the next: from 0 to below 1.
    pub factor: f32,
    /// Where the results go. A target is skipped if its block or its keys do not exist, or if it
    /// does not have from 1 to 7 tracks.
    pub targets: &'a [PackedTarget],
    /// Output.
    pub vectors: &'a mut [VectorBlock],
}

#[inline(always)]
pub(crate) fn vectors<L: Lanes>(token: L::Token, contract: &mut SamplePackedVectors<'_>) {
    let SamplePackedVectors { from, to, factor, targets, vectors } = contract;
    let factor = L::splat(token, *factor);
    for target in targets.iter() {
        let Some([from, to]) = find_keys::<{ 3 * BLOCK }>(from, to, target) else { continue };
        let Some(result) = vectors.get_mut(target.target.block as usize) else { continue };
        let kept = [load_vector::<L>(token, result, 0), load_vector::<L>(token, result, L::GROUPS - 1)];
        let mut packed = [[0.0; BLOCK]; 3];
        for group in 0..L::GROUPS {
            if group * L::LEN < target.len as usize {
                let a = load_components::<L, 3, _>(token, from, target, group);
                let b = load_components::<L, 3, _>(token, to, target, group);
                store_packed(lerp([a, b], factor), &mut packed, group);
            }
        }
        for group in 0..L::GROUPS {
            store_vector(place_lanes::<L, 3>(token, &packed, target, kept[group % 2], group), result, group);
        }
    }
}

/// The keys of a target before and after the time, and what follows them.
#[inline(always)]
fn find_keys<'a, const N: usize>(
    from: &'a [f32],
    to: &'a [f32],
    target: &PackedTarget,
) -> Option<[&'a [f32; N]; 2]> {
    if !(1..BLOCK as u32).contains(&target.len) {
        return None;
    }
    let first = target.first as usize;
    Some([from.get(first..)?.first_chunk()?, to.get(first..)?.first_chunk()?])
}

/// Loads one component of the keys of `LEN` tracks.
#[inline(always)]
fn load_component<L: Lanes, const N: usize>(
    token: L::Token,
    keys: &[f32; N],
    target: &PackedTarget,
    component: usize,
    group: usize,
) -> L {
    // Below eight, so that no index needs a check.
    let len = target.len as usize % BLOCK;
    let row = keys.get(component * len..).and_then(|keys| keys.first_chunk());
    L::load(token, row.unwrap_or(&[0.0; BLOCK]), group)
}

/// Loads the first components of the keys of `LEN` tracks.
#[inline(always)]
fn load_components<L: Lanes, const C: usize, const N: usize>(
    token: L::Token,
    keys: &[f32; N],
    target: &PackedTarget,
    group: usize,
) -> [L; C] {
    let mut components = [L::splat(token, 0.0); C];
    for c in 0..C {
        components[c] = load_component::<L, N>(token, keys, target, c, group);
    }
    components
}

#[inline(always)]
fn store_packed<L: Lanes, const C: usize>(values: [L; C], packed: &mut [[f32; BLOCK]; C], group: usize) {
    for c in 0..C {
        values[c].store(&mut packed[c], group);
    }
}

/// The values of tracks in the lanes of their joints, `kept` in the others.
#[inline(always)]
fn place_lanes<L: Lanes, const C: usize>(
    token: L::Token,
    packed: &[[f32; BLOCK]; C],
    target: &PackedTarget,
    mut values: [L; C],
    group: usize,
) -> [L; C] {
    let written = L::splat(token, 0.0).lt(L::load(token, &target.target.lanes, group));
    // Registers of four lanes are put together lane by lane, unless that can be avoided.
    if L::GROUPS > 1 && L::bitmask(written) == 0 {
        return values;
    }
    let in_order = L::GROUPS > 1 && target.tracks == PackedTarget::IN_ORDER;
    for c in 0..C {
        let placed = match in_order {
            true => L::load(token, &packed[c], group),
            false => L::load_reordered(token, &packed[c], &target.tracks, group),
        };
        values[c] = L::select(written, placed, values[c]);
    }
    values
}
