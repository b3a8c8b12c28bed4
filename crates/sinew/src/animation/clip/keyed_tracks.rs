//! Linear tracks with key times of their own, eight at a time, and what a cursor keeps of them.
//!
//! A cursor holds the two keys around its time for each track. A later time of the same pair costs
//! one comparison for eight tracks; only tracks that have passed a key are touched.

use sinew_kernels::{BLOCK, Kernels, KeyFactor, KeyTarget, VectorBlock};

use super::build::PendingTrack;
use super::joint_value::JointValue;
use super::row_tracks::{block_of, key_targets};
use super::timeline::{KeyTimes, Timeline};

/// The linear tracks of one channel that have key times of their own.
#[derive(Clone, Debug)]
pub(super) struct KeyedTracks<T: JointValue> {
    pub(super) targets: Vec<KeyTarget>,
    /// Eight for each target.
    lanes: Vec<Option<KeyedTrack>>,
    values: Vec<T>,
    /// One for each value, if the channel has angles.
    angles: Vec<f32>,
}

#[derive(Clone, Copy, Debug)]
struct KeyedTrack {
    timeline: Timeline,
    first_value: usize,
}

impl<T: JointValue> Default for KeyedTracks<T> {
    fn default() -> Self {
        Self { targets: Vec::new(), lanes: Vec::new(), values: Vec::new(), angles: Vec::new() }
    }
}

impl<T: JointValue> KeyedTracks<T> {
    /// Packs tracks, sorted by target. `timeline` gives the timeline of a list of times.
    pub(super) fn pack<'a>(
        tracks: &[PendingTrack<'a, T>],
        mut timeline: impl FnMut(&'a [f32]) -> Timeline,
    ) -> Self {
        let mut keyed =
            Self { targets: key_targets(tracks.iter().map(|track| track.target)), ..Self::default() };
        keyed.lanes = vec![None; BLOCK * keyed.targets.len()];
        for track in tracks {
            let lane = keyed.number(track.target);
            let first_value = keyed.values.len();
            keyed.lanes[lane] = Some(KeyedTrack { timeline: timeline(track.times), first_value });
            keyed.values.extend_from_slice(&track.values);
            if T::HAS_ANGLES {
                let next = track.values.iter().skip(1).chain(track.values.last());
                keyed.angles.extend(track.values.iter().zip(next).map(|(&key, &next)| key.angle(next)));
            }
        }
        keyed.values.shrink_to_fit();
        keyed.angles.shrink_to_fit();
        keyed
    }

    /// The number of a joint's track.
    pub(super) fn number(&self, joint: usize) -> usize {
        BLOCK * block_of(&self.targets, joint) + joint % BLOCK
    }

    /// Samples one track.
    pub(super) fn sample_one(
        &self,
        kernels: &Kernels,
        all: &KeyTimes,
        seconds: f32,
        track: usize,
    ) -> Option<T> {
        let (mut from, mut to) = ([T::KeyBlock::default()], [T::KeyBlock::default()]);
        let mut times = [VectorBlock::default()];
        let keyed = self.lanes[track].as_ref()?;
        self.set_pair(keyed, all, seconds, &mut 0, (&mut from[0], &mut to[0], &mut times[0]), track % BLOCK);
        let target = [KeyTarget { block: 0, full: true, lanes: [1.0; BLOCK] }];
        let mut result = [T::POSE_BLOCK];
        T::sample(kernels, [&from, &to], KeyFactor::Times(seconds, &times), &target, &mut result);
        Some(T::pose(&result[0], track % BLOCK))
    }

    /// Samples all tracks at a time, after [`refresh`](Self::refresh).
    pub(super) fn sample(
        &self,
        kernels: &Kernels,
        seconds: f32,
        pairs: &KeyPairs<T>,
        times: &[VectorBlock],
        to: &mut [T::PoseBlock],
    ) {
        if !self.targets.is_empty() {
            let factor = KeyFactor::Times(seconds, times);
            T::sample(kernels, [&pairs.from, &pairs.to], factor, &self.targets, to);
        }
    }

    /// Finds the keys around a time for the tracks that are marked as stale.
    pub(super) fn refresh(
        &self,
        all: &KeyTimes,
        seconds: f32,
        pairs: &mut KeyPairs<T>,
        state: &mut [KeyedBlock],
        times: &mut [VectorBlock],
        stale: &[u8],
    ) {
        // One loop over the bits of 64 tracks: loops over eight would end unpredictably.
        for (i, stale) in stale.chunks(BLOCK).enumerate() {
            let mut bytes = [0; BLOCK];
            bytes[..stale.len()].copy_from_slice(stale);
            let mut stale = u64::from_le_bytes(bytes);
            while stale != 0 {
                let track = stale.trailing_zeros() as usize;
                stale &= stale - 1;
                let (block, lane) = (BLOCK * i + track / BLOCK, track % BLOCK);
                let Some(keyed) = &self.lanes[BLOCK * block + lane] else { continue };
                let to = (&mut pairs.from[block], &mut pairs.to[block], &mut times[block]);
                self.set_pair(keyed, all, seconds, &mut state[block].keys[lane], to, lane);
            }
        }
    }

    /// Sets the keys around a time in one lane: both are the first one before it, and the last one
    /// from there on. `hint` is the key to try first.
    #[inline(always)]
    fn set_pair(
        &self,
        &KeyedTrack { ref timeline, first_value }: &KeyedTrack,
        all: &KeyTimes,
        seconds: f32,
        hint: &mut u32,
        (from, to, times): (&mut T::KeyBlock, &mut T::KeyBlock, &mut VectorBlock),
        lane: usize,
    ) {
        let key_times = timeline.padded_times(all);
        let (is_before, last) = (seconds < key_times[0], timeline.len - 1);
        let key = if is_before { 0 } else { timeline.find_key(all, seconds, *hint as usize) };
        *hint = key as u32;
        let next = if is_before { 0 } else { (key + 1).min(last) };
        let start = if is_before { f32::MIN } else { key_times[key] };
        let end = if is_before { key_times[0] } else { key_times[key + 1] };
        // Finite, also for times that differ by a subnormal number.
        let inverse = if key == next { 0.0 } else { (1.0 / (end - start)).min(f32::MAX) };
        times.set_vector(lane, [start, end, inverse]);
        T::set_key(from, lane, self.values[first_value + key]);
        T::set_key(to, lane, self.values[first_value + next]);
        let angle = self.angles.get(first_value + key).copied().unwrap_or_default();
        T::set_angle(from, lane, if key == next { 0.0 } else { angle });
    }

    /// The times and values of a track.
    pub(super) fn keys<'a>(&'a self, all: &'a KeyTimes, track: usize) -> (&'a [f32], &'a [T]) {
        self.lanes[track].map_or((&[], &[]), |KeyedTrack { timeline, first_value }| {
            (timeline.times(all), &self.values[first_value..first_value + timeline.len])
        })
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.targets)
            + size_of_val(&*self.lanes)
            + size_of_val(&*self.values)
            + size_of_val(&*self.angles)
    }
}

/// The keys before and after a cursor's time, for each block of tracks.
#[derive(Clone, Debug)]
pub(super) struct KeyPairs<T: JointValue> {
    from: Vec<T::KeyBlock>,
    to: Vec<T::KeyBlock>,
}

impl<T: JointValue> KeyPairs<T> {
    pub(super) fn new(tracks: &KeyedTracks<T>) -> Self {
        let none = vec![T::KeyBlock::default(); tracks.targets.len()];
        Self { from: none.clone(), to: none }
    }

    pub(super) fn bytes(&self) -> usize {
        2 * size_of_val(&*self.from)
    }
}

/// The numbers of the keys before a cursor's time, for a block of tracks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeyedBlock {
    keys: [u32; BLOCK],
}

/// Start, end and inverse of a block of tracks that are all stale, except lanes without a track.
pub(super) fn stale_times(target: &KeyTarget) -> VectorBlock {
    let mut times = VectorBlock::default();
    for lane in 0..BLOCK {
        let stale = target.lanes[lane] > 0.0;
        let (start, end) = if stale { (f32::INFINITY, f32::MIN) } else { (f32::MIN, f32::INFINITY) };
        times.set_vector(lane, [start, end, 0.0]);
    }
    times
}
