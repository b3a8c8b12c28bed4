//! The two keys around a cursor's time, for tracks that are not stored in rows.
//!
//! A later time of the same pair costs one comparison for eight tracks; only tracks that have
//! passed a key are touched.

use sinew_kernels::{BLOCK, FindStaleKeys, Kernels, KeyFactor, KeyTarget, VectorBlock};

use super::joint_value::JointValue;

/// The keys around a time of one track.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyPair<T: JointValue> {
    /// Start, end and inverse of their distance.
    times: [f32; 3],
    from: T,
    to: T,
    angle: T::Angle,
}

impl<T: JointValue> KeyPair<T> {
    /// Two keys.
    #[inline(always)]
    pub(super) fn new([start, end]: [f32; 2], [from, to]: [T; 2], angle: T::Angle) -> Self {
        // Finite, also for times that differ by a subnormal number. Zero after the last key.
        let inverse = (1.0 / (end - start)).min(f32::MAX);
        Self { times: [start, end, inverse], from, to, angle }
    }

    /// Before the first key of a track.
    pub(super) fn before(start: f32, first: T) -> Self {
        Self { times: [f32::MIN, start, 0.0], from: first, to: first, angle: T::Angle::default() }
    }

    /// After the last key of a track.
    pub(super) fn after(end: f32, last: T) -> Self {
        Self { times: [end, f32::INFINITY, 0.0], from: last, to: last, angle: T::Angle::default() }
    }
}

/// A lane of the blocks of [`KeyPairs`].
pub(super) struct PairLane<'a, T: JointValue> {
    from: &'a mut T::KeyBlock,
    to: &'a mut T::KeyBlock,
    times: &'a mut VectorBlock,
    lane: usize,
}

impl<T: JointValue> PairLane<'_, T> {
    /// A search calls this instead of returning the pair, so that it stays in registers.
    #[inline(always)]
    pub(super) fn set(self, pair: KeyPair<T>) {
        self.times.set_vector(self.lane, pair.times);
        T::set_key(self.from, self.lane, pair.from);
        T::set_key(self.to, self.lane, pair.to);
        T::set_angle(self.from, self.lane, pair.angle);
    }
}

/// A search for the keys around a time. Not a closure, which would not always be inlined.
pub(super) trait FindPair<T: JointValue> {
    /// Sets the keys of a track. `key` is what the last search left there, or any number.
    fn find_pair(&self, track: usize, key: &mut u32, pair: PairLane<'_, T>);
}

/// Samples one track.
pub(super) fn sample_pair<T: JointValue>(
    kernels: &Kernels,
    seconds: f32,
    search: &impl FindPair<T>,
    track: usize,
) -> T {
    let (mut from, mut to) = ([T::KeyBlock::default()], [T::KeyBlock::default()]);
    let mut times = [VectorBlock::default()];
    let pair = PairLane { from: &mut from[0], to: &mut to[0], times: &mut times[0], lane: 0 };
    search.find_pair(track, &mut 0, pair);
    let target = [KeyTarget { block: 0, full: true, lanes: [1.0; BLOCK] }];
    let mut result = [T::POSE_BLOCK];
    T::sample(kernels, [&from, &to], KeyFactor::Times(seconds, &times), &target, &mut result);
    T::pose(&result[0], 0)
}

/// What a cursor holds for one channel, for each block of tracks.
pub(super) struct KeyPairs<'a, T: JointValue> {
    /// The keys before the cursor's time.
    from: &'a mut [T::KeyBlock],
    /// The keys after it.
    to: &'a mut [T::KeyBlock],
    /// Start, end and inverse of their distance.
    times: &'a mut [VectorBlock],
    keys: &'a mut [KeyNumbers],
}

impl<'a, T: JointValue> KeyPairs<'a, T> {
    /// The first half of `pairs` is before the time.
    pub(super) fn new(
        pairs: &'a mut [T::KeyBlock],
        times: &'a mut [VectorBlock],
        keys: &'a mut [KeyNumbers],
    ) -> Self {
        let (from, to) = pairs.split_at_mut(times.len());
        Self { from, to, times, keys }
    }

    /// The first blocks, and the others.
    pub(super) fn split_at(&mut self, blocks: usize) -> [KeyPairs<'_, T>; 2] {
        let (from, other_from) = self.from.split_at_mut(blocks);
        let (to, other_to) = self.to.split_at_mut(blocks);
        let (times, other_times) = self.times.split_at_mut(blocks);
        let (keys, other_keys) = self.keys.split_at_mut(blocks);
        [
            KeyPairs { from, to, times, keys },
            KeyPairs { from: other_from, to: other_to, times: other_times, keys: other_keys },
        ]
    }

    /// Finds the keys around a time for the tracks whose pair does not hold it.
    #[inline(always)]
    pub(super) fn refresh(&mut self, kernels: &Kernels, seconds: f32, search: &impl FindPair<T>) {
        let Self { from, to, times, keys } = self;
        for start in (0..times.len()).step_by(BLOCK) {
            let mut stale = 0;
            let times_now = &times[start..times.len().min(start + BLOCK)];
            kernels.find_stale_keys(FindStaleKeys { seconds, times: times_now, stale: &mut stale });
            // One loop over the bits of 64 tracks: loops over eight would end unpredictably.
            for track in BitPositions(stale) {
                let (block, lane) = (start + track / BLOCK, track % BLOCK);
                let (from, to, times) = (&mut from[block], &mut to[block], &mut times[block]);
                let pair = PairLane { from, to, times, lane };
                search.find_pair(BLOCK * start + track, &mut keys[block].keys[lane], pair);
            }
        }
    }

    /// Interpolates the pairs at a time that they hold.
    pub(super) fn sample(
        &self,
        kernels: &Kernels,
        seconds: f32,
        targets: &[KeyTarget],
        to: &mut [T::PoseBlock],
    ) {
        T::sample(kernels, [self.from, self.to], KeyFactor::Times(seconds, self.times), targets, to);
    }
}

/// The positions of the bits of a number.
struct BitPositions(u64);

impl Iterator for BitPositions {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let position = self.0.trailing_zeros() as usize;
        self.0 &= self.0.checked_sub(1)?;
        Some(position)
    }
}

/// A number for each of a block of tracks, such as that of the key before a cursor's time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeyNumbers {
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
