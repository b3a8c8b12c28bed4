//! Linear tracks with key times of their own. A cursor holds the two keys around its time.

use sinew_kernels::{BLOCK, Kernels, KeyTarget};

use super::build::PendingTrack;
use super::joint_value::JointValue;
use super::key_pairs::{FindPair, KeyPair, KeyPairs, PairLane, sample_pair};
use super::row_tracks::{key_targets, lane_number};

/// The linear tracks of one channel that have key times of their own.
#[derive(Clone, Debug)]
pub(super) struct KeyedTracks<T: JointValue> {
    pub(super) targets: Box<[KeyTarget]>,
    /// Eight for each target.
    lanes: Box<[KeyedTrack]>,
    /// The keys of all tracks. Each track ends with one more key at infinity, with the last value.
    keys: Box<[Key<T>]>,
    /// For each track and bucket, the number of keys in earlier buckets: see [`KeyedTrack`].
    buckets: Box<[u16]>,
}

/// A key, with all that sampling needs of it side by side: where tracks have times of their own,
/// finding keys is mostly waiting for memory.
#[derive(Clone, Copy, Debug)]
struct Key<T: JointValue> {
    time: f32,
    value: T,
    angle: T::Angle,
}

/// Where the keys of a track are.
///
/// The time from the first to the last key is divided into buckets of equal length, about one for
/// two keys. So a search looks at a few keys only, however long the clip is.
#[derive(Clone, Copy, Debug, Default)]
struct KeyedTrack {
    first_key: usize,
    /// The number of keys; zero if the lane has no track.
    len: u32,
    first_bucket: u32,
    /// Numbers of keys are divided by this power of two, so that buckets of long tracks fit into 16
    /// bits.
    bucket_shift: u32,
    /// The number of buckets less one.
    last_bucket: f32,
    /// Buckets per second.
    bucket_rate: f32,
    /// The time of the first key.
    start: f32,
}

/// The key before a time that is before the first key.
const BEFORE: u32 = u32::MAX;

/// The number of keys that a search compares at once.
const WINDOW: usize = 4;

/// So many buckets can be counted by [`KeyedTrack::bucket`].
const MAX_BUCKETS: usize = 1 << 22;

impl KeyedTrack {
    /// The bucket of a time that is not before the first key. A later time is in the same bucket or
    /// in a later one.
    #[inline(always)]
    fn bucket(&self, seconds: f32) -> usize {
        // Rounds to a whole number in the lowest bits: a cast to an integer would check for NaN and
        // overflow.
        const WHOLE: f32 = (1 << 23) as f32;
        let bucket = ((seconds - self.start) * self.bucket_rate).min(self.last_bucket);
        ((bucket + WHOLE).to_bits() - WHOLE.to_bits()) as usize
    }
}

impl<T: JointValue> KeyedTracks<T> {
    /// About the bytes of a track of this number of keys.
    pub(super) const fn track_bytes(keys: usize) -> usize {
        (keys + 1) * size_of::<Key<T>>() + keys.div_ceil(2) * size_of::<u16>() + size_of::<KeyedTrack>()
    }

    /// Packs tracks, sorted by target.
    pub(super) fn pack(tracks: &[PendingTrack<'_, T>]) -> Self {
        let targets = key_targets(tracks.iter().map(|track| track.target));
        let mut lanes = vec![KeyedTrack::default(); BLOCK * targets.len()];
        let (mut keys, mut buckets) = (Vec::new(), Vec::new());
        for track in tracks {
            lanes[lane_number(&targets, track.target)] = pack_track(track, &mut keys, &mut buckets);
        }
        Self { targets, lanes: lanes.into(), keys: keys.into(), buckets: buckets.into() }
    }

    /// The number of a joint's track.
    pub(super) fn number(&self, joint: usize) -> usize {
        lane_number(&self.targets, joint)
    }

    /// Samples one track.
    pub(super) fn sample_one(&self, kernels: &Kernels, seconds: f32, track: usize) -> T {
        sample_pair(kernels, seconds, &OwnTimeSearch { tracks: self, seconds }, track)
    }

    /// Finds the keys around a time for the tracks whose pair does not hold it.
    pub(super) fn refresh(&self, kernels: &Kernels, seconds: f32, pairs: &mut KeyPairs<'_, T>) {
        pairs.refresh(kernels, seconds, &OwnTimeSearch { tracks: self, seconds });
    }

    /// The last key at or before a time, or [`BEFORE`]. `key` is that of the last time.
    #[inline(always)]
    fn find_key(&self, track: &KeyedTrack, seconds: f32, key: u32) -> u32 {
        let next = key.wrapping_add(1);
        // Any key will do as a guess.
        let next = if next < track.len { next } else { 0 };
        if let Some([from, to]) = self.keys_from(track, next)
            && (from.time <= seconds) & (seconds < to.time)
        {
            return next;
        }
        if seconds < track.start { BEFORE } else { self.search(track, seconds) }
    }

    /// The last key at or before a time that is not before the first key.
    #[inline(always)]
    fn search(&self, track: &KeyedTrack, seconds: f32) -> u32 {
        let bucket = track.first_bucket as usize + track.bucket(seconds);
        let Some(&[low, high]) = self.buckets.get(bucket..).and_then(<[u16]>::first_chunk) else { return 0 };
        let (low, high) = (usize::from(low) << track.bucket_shift, usize::from(high) << track.bucket_shift);
        // All keys of earlier buckets are earlier, all of later buckets later. The key may be the
        // last one of an earlier bucket.
        let keys = self.keys.get(track.first_key + low..).unwrap_or_default();
        let is_passed = |key: &Key<T>| key.time <= seconds;
        let passed = match keys.first_chunk::<WINDOW>() {
            // Counting is branchless: how many keys have passed is unpredictable. The key at
            // infinity stops it at the end of the track.
            Some(window) if (high - low <= WINDOW) & (track.bucket_shift == 0) => {
                let first = is_passed(&window[0]);
                let second = first & is_passed(&window[1]);
                let third = second & is_passed(&window[2]);
                let fourth = third & is_passed(&window[3]);
                usize::from(first) + usize::from(second) + usize::from(third) + usize::from(fourth)
            }
            _ => {
                let high = (high + (1 << track.bucket_shift) - 1).min(track.len as usize);
                keys[..high - low].partition_point(is_passed)
            }
        };
        (low + passed - 1) as u32
    }

    /// Sets the keys around a time, given the key before it: both are the first one before it, and
    /// the last one from there on.
    #[inline(always)]
    fn set_pair(&self, track: &KeyedTrack, key: u32, pair: PairLane<'_, T>) {
        let is_before = key == BEFORE;
        let Some(&[first, next]) = self.keys_from(track, if is_before { 0 } else { key }) else { return };
        pair.set(match is_before {
            true => KeyPair::before(track.start, first.value),
            false => KeyPair::new([first.time, next.time], [first.value, next.value], first.angle),
        });
    }

    /// A key of a track, and the next one.
    #[inline(always)]
    fn keys_from(&self, track: &KeyedTrack, key: u32) -> Option<&[Key<T>; 2]> {
        self.keys.get(track.first_key + key as usize..)?.first_chunk()
    }

    /// The times and values of a track.
    pub(super) fn keys(&self, track: usize) -> (Vec<f32>, Vec<T>) {
        let KeyedTrack { first_key, len, .. } = self.lanes[track];
        self.keys[first_key..][..len as usize].iter().map(|key| (key.time, key.value)).unzip()
    }

    /// The bytes of its lists.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.targets)
            + size_of_val(&*self.lanes)
            + size_of_val(&*self.keys)
            + size_of_val(&*self.buckets)
    }
}

/// A search for the keys around a time.
struct OwnTimeSearch<'a, T: JointValue> {
    tracks: &'a KeyedTracks<T>,
    seconds: f32,
}

impl<T: JointValue> FindPair<T> for OwnTimeSearch<'_, T> {
    #[inline(always)]
    fn find_pair(&self, track: usize, key: &mut u32, pair: PairLane<'_, T>) {
        let track = &self.tracks.lanes[track];
        *key = self.tracks.find_key(track, self.seconds, *key);
        self.tracks.set_pair(track, *key, pair);
    }
}

/// Appends the keys of a track.
fn pack_track<T: JointValue>(
    track: &PendingTrack<'_, T>,
    keys: &mut Vec<Key<T>>,
    buckets: &mut Vec<u16>,
) -> KeyedTrack {
    let (len, start, end) = (track.times.len(), track.times[0], track.times[track.times.len() - 1]);
    let count = (len / 2).clamp(1, MAX_BUCKETS);
    let rate = count as f32 / (end - start);
    let (count, bucket_rate) = if rate.is_finite() { (count, rate) } else { (1, 0.0) };
    let packed = KeyedTrack {
        first_key: keys.len(),
        // The casts are safe: a clip has fewer than 2^32 keys, and a track has no more buckets than
        // keys.
        len: len as u32,
        first_bucket: buckets.len() as u32,
        bucket_shift: (usize::BITS - len.leading_zeros()).saturating_sub(u16::BITS),
        last_bucket: (count - 1) as f32,
        bucket_rate,
        start,
    };
    for (key, (&time, &value)) in track.times.iter().zip(&track.values).enumerate() {
        let angle = track.values.get(key + 1).map(|&next| value.angle(next)).unwrap_or_default();
        keys.push(Key { time, value, angle });
    }
    let last = track.values[len - 1];
    keys.push(Key { time: f32::INFINITY, value: last, angle: T::Angle::default() });
    let (mut key, shift) = (0, packed.bucket_shift);
    for bucket in 0..count {
        while key < len && packed.bucket(track.times[key]) < bucket {
            key += 1;
        }
        buckets.push((key >> shift) as u16);
    }
    buckets.push((len >> shift) as u16);
    packed
}
