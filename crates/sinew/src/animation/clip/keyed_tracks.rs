//! Linear tracks with key times of their own, eight at a time, and what a cursor keeps of them.
//!
//! A cursor holds the two keys around its time for each track. A later time of the same pair costs
//! one comparison for eight tracks; only tracks that have passed a key are touched.

use sinew_kernels::{BLOCK, FindStaleKeys, Kernels, KeyFactor, KeyTarget, VectorBlock};

use super::build::PendingTrack;
use super::joint_value::JointValue;
use super::row_tracks::{block_of, key_targets};
use super::timeline::{KeyTimes, Timeline};

/// The linear tracks of one channel that have key times of their own.
#[derive(Clone, Debug)]
pub(super) struct KeyedTracks<T: JointValue> {
    pub(super) targets: Box<[KeyTarget]>,
    /// Eight for each target.
    lanes: Box<[Option<KeyedTrack>]>,
    values: Box<[T]>,
    /// One for each value, if the channel has angles.
    angles: Box<[f32]>,
}

#[derive(Clone, Copy, Debug)]
struct KeyedTrack {
    timeline: Timeline,
    first_value: usize,
}

impl<T: JointValue> KeyedTracks<T> {
    /// Packs tracks, sorted by target. `timeline` gives the timeline of a list of times.
    pub(super) fn pack<'a>(
        tracks: &[PendingTrack<'a, T>],
        mut timeline: impl FnMut(&'a [f32]) -> Timeline,
    ) -> Self {
        let targets = key_targets(tracks.iter().map(|track| track.target));
        let mut lanes = vec![None; BLOCK * targets.len()];
        let (mut values, mut angles) = (Vec::new(), Vec::new());
        for track in tracks {
            let lane = lane_number(&targets, track.target);
            lanes[lane] = Some(KeyedTrack { timeline: timeline(track.times), first_value: values.len() });
            values.extend_from_slice(&track.values);
            if T::HAS_ANGLES {
                let next = track.values.iter().skip(1).chain(track.values.last());
                angles.extend(track.values.iter().zip(next).map(|(&key, &next)| key.angle(next)));
            }
        }
        Self { targets, lanes: lanes.into(), values: values.into(), angles: angles.into() }
    }

    /// The number of a joint's track.
    pub(super) fn number(&self, joint: usize) -> usize {
        lane_number(&self.targets, joint)
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
        pairs: &KeyPairs<'_, T>,
        to: &mut [T::PoseBlock],
    ) {
        let factor = KeyFactor::Times(seconds, pairs.times);
        T::sample(kernels, [pairs.from, pairs.to], factor, &self.targets, to);
    }

    /// Finds the keys around a time for the tracks whose pair does not hold it.
    pub(super) fn refresh(
        &self,
        kernels: &Kernels,
        all: &KeyTimes,
        seconds: f32,
        KeyPairs { from, to, times, keys }: &mut KeyPairs<'_, T>,
    ) {
        for start in (0..times.len()).step_by(BLOCK) {
            let mut stale = [0; BLOCK];
            let blocks = start..times.len().min(start + BLOCK);
            let len = blocks.len();
            let times_now = &times[blocks];
            kernels.find_stale_keys(FindStaleKeys { seconds, times: times_now, stale: &mut stale[..len] });
            // One loop over the bits of 64 tracks: loops over eight would end unpredictably.
            let mut stale = u64::from_le_bytes(stale);
            while stale != 0 {
                let track = stale.trailing_zeros() as usize;
                stale &= stale - 1;
                let (block, lane) = (start + track / BLOCK, track % BLOCK);
                let Some(keyed) = &self.lanes[BLOCK * block + lane] else { continue };
                let pair = (&mut from[block], &mut to[block], &mut times[block]);
                self.set_pair(keyed, all, seconds, &mut keys[block].keys[lane], pair, lane);
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
        size_of_val(self)
            + size_of_val(&*self.targets)
            + size_of_val(&*self.lanes)
            + size_of_val(&*self.values)
            + size_of_val(&*self.angles)
    }
}

/// The number of a joint's lane among those of all targets.
fn lane_number(targets: &[KeyTarget], joint: usize) -> usize {
    BLOCK * block_of(targets, joint) + joint % BLOCK
}

/// What a cursor holds for one channel, for each block of tracks.
pub(super) struct KeyPairs<'a, T: JointValue> {
    /// The keys before the cursor's time.
    from: &'a mut [T::KeyBlock],
    /// The keys after it.
    to: &'a mut [T::KeyBlock],
    /// Start, end and inverse of their distance.
    times: &'a mut [VectorBlock],
    keys: &'a mut [KeyedBlock],
}

impl<'a, T: JointValue> KeyPairs<'a, T> {
    /// The first half of `pairs` is before the time.
    pub(super) fn new(
        pairs: &'a mut [T::KeyBlock],
        times: &'a mut [VectorBlock],
        keys: &'a mut [KeyedBlock],
    ) -> Self {
        let (from, to) = pairs.split_at_mut(times.len());
        Self { from, to, times, keys }
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
