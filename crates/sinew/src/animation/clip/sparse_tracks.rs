//! Linear tracks with keys at some of the common key times, as after a reduction of keys.
//!
//! A bit for each common time says whether a track has a key there. So the time of a sample is
//! searched for once, and a track's keys around it are found by counting bits. A cursor holds the
//! two keys, as for tracks with times of their own.

use sinew_kernels::{BLOCK, Kernels, KeyTarget};

use super::build::PendingTrack;
use super::joint_value::JointValue;
use super::key_pairs::{FindPair, KeyPair, KeyPairs, PairLane, sample_pair};
use super::row_tracks::{key_targets, lane_number};

/// The linear tracks of one channel with keys at some of the common times.
#[derive(Clone, Debug)]
pub(super) struct SparseTracks<T: JointValue> {
    pub(super) targets: Box<[KeyTarget]>,
    /// For each lane of the targets, the number of its track; zero if it has none.
    numbers: Box<[u32]>,
    /// The number of tracks.
    len: usize,
    /// For each 32 common times, a word for each track. Then one more for each track, without keys.
    words: Box<[KeyWord]>,
    /// The keys of all tracks.
    keys: Box<[SparseKey<T>]>,
}

#[derive(Clone, Copy, Debug)]
struct SparseKey<T: JointValue> {
    value: T,
    angle: T::Angle,
}

/// The keys of a track at 32 of the common times, and at 16 on either side of them: nearly always
/// the key before a time and the one after it are there.
#[derive(Clone, Copy, Debug, Default)]
struct KeyWord {
    /// The index of the first of them, or of what follows if there are none.
    first: u32,
    /// One bit for each time, the first in the lowest. Not a `u64`, so that a word has 12 bytes.
    bits: [u32; 2],
}

/// The number of times from one [`KeyWord`] to the next.
const WORD: usize = 32;

/// The number of times before those.
const MARGIN: usize = 16;

impl KeyWord {
    #[inline(always)]
    fn bits(self) -> u64 {
        u64::from(self.bits[1]) << 32 | u64::from(self.bits[0])
    }

    /// The bits up to a time's, and those after it.
    #[inline(always)]
    fn split(self, row: usize) -> [u64; 2] {
        let passed = self.bits() & (u64::MAX >> (u64::BITS as usize - 1 - MARGIN - row % WORD));
        [passed, self.bits() ^ passed]
    }
}

/// The number of words of a track, the last of which begins after the last time.
fn word_count(times: usize) -> usize {
    (times + MARGIN).div_ceil(WORD) + 1
}

/// The bytes of a track besides its keys, with this number of common times.
pub(super) fn word_bytes(times: usize) -> u64 {
    (word_count(times) * size_of::<KeyWord>()) as u64
}

/// A time as tracks on the common times need it.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommonTime<'a> {
    /// Not before the first of the times.
    pub(super) seconds: f32,
    /// The index of the last time that is not after it.
    pub(super) row: usize,
    pub(super) times: &'a [f32],
    /// Whether that index is another one than at the last sample.
    pub(super) is_new: bool,
}

impl<T: JointValue> SparseTracks<T> {
    /// Packs tracks, sorted by target, whose times are all among `times`.
    pub(super) fn pack(tracks: &[PendingTrack<'_, T>], times: &[f32]) -> Self {
        let targets = key_targets(tracks.iter().map(|track| track.target));
        let stride = tracks.len();
        let mut numbers = vec![0; BLOCK * targets.len()];
        let mut words = vec![KeyWord::default(); stride * word_count(times.len())];
        let mut keys = Vec::with_capacity(tracks.iter().map(|track| track.times.len()).sum());
        for (number, track) in tracks.iter().enumerate() {
            // The cast is safe: a skeleton has fewer joints than fit into 32 bits.
            numbers[lane_number(&targets, track.target)] = number as u32;
            let mut row = 0;
            for &time in track.times {
                while times[row] < time {
                    row += 1;
                }
                let position = row + MARGIN;
                // In the word that begins there or before, and in the one before that.
                for word in (position / WORD).saturating_sub(1)..=position / WORD {
                    let (bit, word) = (position - WORD * word, &mut words[word * stride + number]);
                    word.bits[bit / 32] |= 1 << (bit % 32);
                }
            }
            let mut first = keys.len();
            let mut later = 0;
            // The words overlap: a word begins with what the one before has in its second half.
            for word in words.iter_mut().skip(number).step_by(stride) {
                // The cast is safe: `CommonTimes` allows fewer keys.
                word.first = first as u32;
                first += word.bits[0].count_ones() as usize;
                later = word.bits[1];
            }
            debug_assert_eq!((first, later), (keys.len() + track.times.len(), 0));
            for (key, &value) in track.values.iter().enumerate() {
                let angle = track.values.get(key + 1).map(|&next| value.angle(next)).unwrap_or_default();
                keys.push(SparseKey { value, angle });
            }
        }
        Self { targets, numbers: numbers.into(), len: stride, words: words.into(), keys: keys.into() }
    }

    /// The number of a joint's lane.
    pub(super) fn lane(&self, joint: usize) -> usize {
        lane_number(&self.targets, joint)
    }

    /// Samples the track of a lane.
    pub(super) fn sample_one(&self, kernels: &Kernels, time: CommonTime<'_>, lane: usize) -> T {
        sample_pair(kernels, time.seconds, &CommonTimeSearch { tracks: self, time }, lane)
    }

    /// Finds the keys around a time for the tracks whose pair does not hold it.
    pub(super) fn refresh(&self, kernels: &Kernels, time: CommonTime<'_>, pairs: &mut KeyPairs<'_, T>) {
        if time.is_new {
            pairs.refresh(kernels, time.seconds, &CommonTimeSearch { tracks: self, time });
        }
    }

    /// The keys around a time, of which one is not among the times of its word or does not exist.
    #[inline(never)]
    fn find_far_pair(&self, track: usize, time: CommonTime<'_>) -> KeyPair<T> {
        let word = self.word(time.row / WORD, track);
        let [passed, _] = word.split(time.row);
        let (start, end) = self.key_range(track);
        let next = (word.first + passed.count_ones()) as usize;
        if next == start {
            return KeyPair::before(time.times[self.row(track, start)], self.keys[start].value);
        }
        let key = &self.keys[next - 1];
        let from = time.times[self.row(track, next - 1)];
        match next < end {
            true => {
                let to = time.times[self.row(track, next)];
                KeyPair::new([from, to], [key.value, self.keys[next].value], key.angle)
            }
            false => KeyPair::after(from, key.value),
        }
    }

    fn word(&self, word: usize, track: usize) -> KeyWord {
        self.words[word * self.len + track]
    }

    /// The indices of the first key of a track, and of what follows the last.
    fn key_range(&self, track: usize) -> (usize, usize) {
        let last = self.words.len() / self.len - 1;
        (self.word(0, track).first as usize, self.word(last, track).first as usize)
    }

    /// The index of the time of a key.
    fn row(&self, track: usize, key: usize) -> usize {
        let words = self.words.len() / self.len;
        // The last word that begins at the key or before it: the words before it without keys begin
        // at the same.
        let (mut low, mut high) = (0, words);
        while high - low > 1 {
            let middle = low.midpoint(high);
            match self.word(middle, track).first as usize <= key {
                true => low = middle,
                false => high = middle,
            }
        }
        let word = self.word(low, track);
        let mut bits = word.bits();
        for _ in word.first as usize..key {
            bits &= bits - 1;
        }
        WORD * low + bits.trailing_zeros() as usize - MARGIN
    }

    /// The indices of the times, and the values of the track of a lane.
    pub(super) fn keys(&self, lane: usize) -> impl Iterator<Item = (usize, T)> {
        let track = self.numbers[lane] as usize;
        let (start, end) = self.key_range(track);
        (start..end).map(move |key| (self.row(track, key), self.keys[key].value))
    }

    /// The bytes of its lists.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.numbers)
            + size_of_val(&*self.targets)
            + size_of_val(&*self.words)
            + size_of_val(&*self.keys)
    }
}

/// A search for the keys around a time.
struct CommonTimeSearch<'a, T: JointValue> {
    tracks: &'a SparseTracks<T>,
    time: CommonTime<'a>,
}

impl<T: JointValue> FindPair<T> for CommonTimeSearch<'_, T> {
    #[inline(always)]
    fn find_pair(&self, lane: usize, _: &mut u32, pair: PairLane<'_, T>) {
        let Self { tracks: SparseTracks { numbers, len, words, keys, .. }, time } = self;
        let (word, track) = (time.row / WORD, numbers[lane] as usize);
        if let Some(&found) = words.get(word * len + track) {
            let [passed, later] = found.split(time.row);
            let next = (found.first + passed.count_ones()) as usize;
            let row = |bit: u32| (word * WORD + bit as usize).wrapping_sub(MARGIN);
            if let Some(before) = passed.checked_ilog2()
                && later != 0
                && let Some(&[from, to]) = keys.get(next - 1..).and_then(<[_]>::first_chunk)
                && let Some(&start) = time.times.get(row(before))
                && let Some(&end) = time.times.get(row(later.trailing_zeros()))
            {
                return pair.set(KeyPair::new([start, end], [from.value, to.value], from.angle));
            }
        }
        pair.set(self.tracks.find_far_pair(track, *time));
    }
}
