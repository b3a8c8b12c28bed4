//! Which linear tracks get a common list of key times, and in which form they are stored on it.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use sinew_kernels::BLOCK;

use super::build::PendingTrack;
use super::joint_value::JointValue;
use super::keyed_tracks::KeyedTracks;
use super::row_tracks::is_single_block;
use super::sparse_tracks::word_bytes;
use crate::math::sort::{f32_key, sort_by_key};

/// Rows are sampled so much faster than tracks with keys at some of the times that they may take
/// this much more memory than the keys alone: a fraction.
const ROW_GROWTH: (u64, u64) = (5, 4);

/// Blocks of eight joints that do not all move are stored with free lanes if the clip's rows take at
/// most so many bytes per key in this form: they are sampled faster than packed ones.
const MAX_KEY_BYTES: u64 = 25;

/// From so many keys on, tracks keep times of their own: those with keys at some of the common times
/// number their keys in 32 bits.
const MAX_KEYS: u64 = 1 << 31;

/// The list of times that linear tracks of a clip share.
pub(super) struct CommonTimes {
    pub(super) times: Vec<f32>,
    /// Whether the tracks of each list of times take part.
    chosen: Vec<bool>,
    /// Whether rows have free lanes for joints that do not move.
    pub(super) pads_rows: bool,
}

/// The rows of a channel.
pub(super) struct RowUse {
    /// The number of the tracks' own keys.
    keys: u64,
    /// The bytes of rows with free lanes.
    padded_bytes: u64,
}

/// Tracks with the same list of times.
struct TimesUse<'a> {
    times: &'a [f32],
    tracks: u64,
    /// The bytes of a key, summed over the tracks.
    key_bytes: u64,
    /// The bytes of all tracks with times of their own.
    own_bytes: u64,
}

impl TimesUse<'_> {
    /// The cost of storing the tracks on this number of times, or with times of their own: bytes,
    /// more where sampling is slower.
    fn cost(&self, rows: Option<usize>) -> u64 {
        let slower = |bytes: u64| bytes * ROW_GROWTH.0;
        let Some(rows) = rows else { return slower(self.own_bytes) };
        let keys = self.times.len() as u64 * self.key_bytes;
        match bytes_in_rows(rows, self.tracks, self.key_bytes, keys) {
            Some(bytes) => bytes * ROW_GROWTH.1,
            None => slower(keys + self.tracks * word_bytes(rows)),
        }
    }
}

/// The lists of times of linear tracks, each once.
#[derive(Default)]
pub(super) struct TimeLists<'a> {
    uses: Vec<TimesUse<'a>>,
    by_times: HashMap<TimesKey<'a>, usize>,
}

impl<'a> TimeLists<'a> {
    /// Adds the tracks of a channel.
    pub(super) fn add<T: JointValue>(&mut self, tracks: &mut [PendingTrack<'a, T>]) {
        let mut last: Option<(&[f32], usize)> = None;
        for track in tracks {
            let i = match last {
                // Tracks often share their times, which need not be hashed again.
                Some((times, i)) if std::ptr::eq(times, track.times) => i,
                _ => self.index(track.times),
            };
            (last, track.time_list) = (Some((track.times, i)), i);
            self.uses[i].tracks += 1;
            self.uses[i].key_bytes += key_bytes::<T>();
            self.uses[i].own_bytes += KeyedTracks::<T>::track_bytes(track.times.len()) as u64;
        }
    }

    /// The index of a list.
    fn index(&mut self, times: &'a [f32]) -> usize {
        *self.by_times.entry(TimesKey(times)).or_insert_with(|| {
            self.uses.push(TimesUse { times, tracks: 0, key_bytes: 0, own_bytes: 0 });
            self.uses.len() - 1
        })
    }

    /// Chooses the common list.
    ///
    /// Recordings have a key at every frame, reduced ones at some of the frames: tracks whose times
    /// all occur in others, too, are what a common list pays for. Lists of the times that occur in
    /// all, some, or most of the tracks are tried. What takes part in the cheapest one is stored on
    /// it.
    pub(super) fn plan(self) -> CommonTimes {
        let uses = self.uses;
        let tracks: u64 = uses.iter().map(|list| list.tracks).sum();
        let keys: u64 = uses.iter().map(|list| list.tracks * list.times.len() as u64).sum();
        let all = count_times(&uses);
        let mut best = Plan { cost: u64::MAX, times: Vec::new(), chosen: vec![false; uses.len()] };
        let mut tried = None;
        for least in [1, 2, tracks / 8, tracks / 2] {
            // One list is all there is to choose from.
            if keys < MAX_KEYS && tried.is_none_or(|last| last < least && uses.len() > 1) {
                let plan = Plan::new(&uses, &all, least);
                if plan.cost < best.cost {
                    best = plan;
                }
                tried = Some(least);
            }
        }
        let own: u64 = uses.iter().map(|list| list.cost(None)).sum();
        if own < best.cost {
            best = Plan { cost: own, times: Vec::new(), chosen: vec![false; uses.len()] };
        }
        CommonTimes { times: best.times, chosen: best.chosen, pads_rows: false }
    }
}

/// All times in ascending order, each with the number of its tracks.
fn count_times(uses: &[TimesUse<'_>]) -> Vec<(f32, u64)> {
    // The sum makes a positive zero of a negative one.
    let times = uses.iter().flat_map(|list| list.times.iter().map(|&time| (time + 0.0, list.tracks)));
    let mut all: Vec<(f32, u64)> = times.collect();
    if uses.len() > 1 {
        sort_by_key(&mut all, |&(time, _)| f32_key(time));
    }
    all.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 += if same { next.1 } else { 0 };
        same
    });
    all
}

/// A common list of times, and which lists are part of it.
struct Plan {
    cost: u64,
    times: Vec<f32>,
    chosen: Vec<bool>,
}

impl Plan {
    /// Of the times of at least so many tracks.
    fn new(uses: &[TimesUse<'_>], all: &[(f32, u64)], least: u64) -> Self {
        let mut used = vec![least <= 1; all.len()];
        let mut chosen = vec![true; uses.len()];
        if least > 1 {
            let find = |time: &f32| {
                let found = all.binary_search_by(|(other, _)| other.total_cmp(&(time + 0.0))).ok();
                found.filter(|&i| all[i].1 >= least)
            };
            for (list, chosen) in uses.iter().zip(&mut chosen) {
                *chosen = list.times.iter().all(|time| find(time).is_some());
                if *chosen {
                    list.times.iter().filter_map(find).for_each(|i| used[i] = true);
                }
            }
        }
        let times: Vec<f32> =
            all.iter().zip(used).filter(|(_, used)| *used).map(|(time, _)| time.0).collect();
        let rows = times.len();
        let costs = uses.iter().zip(&chosen).map(|(list, &chosen)| list.cost(chosen.then_some(rows)));
        let table = size_of_val(&*times) as u64 * ROW_GROWTH.0;
        Self { cost: costs.fold(table, u64::saturating_add), times, chosen }
    }
}

impl CommonTimes {
    /// Whether a track takes part.
    pub(super) fn contains<T>(&self, track: &PendingTrack<'_, T>) -> bool {
        self.chosen[track.time_list]
    }

    /// Whether tracks of a block of joints with so many keys get a key at each of the common times.
    /// Others keep their keys.
    pub(super) fn are_rows<T: JointValue>(&self, tracks: &[&PendingTrack<'_, T>]) -> bool {
        let (count, bytes) = (tracks.len() as u64, key_bytes::<T>());
        bytes_in_rows(self.times.len(), count, count * bytes, key_count(tracks) * bytes).is_some()
    }

    /// What rows would take for the tracks of a channel, sorted by joint.
    pub(super) fn row_use<T: JointValue>(&self, tracks: &[PendingTrack<'_, T>]) -> RowUse {
        let mut channel = RowUse { keys: 0, padded_bytes: 0 };
        for block in tracks.chunk_by(|a, b| a.target / BLOCK == b.target / BLOCK) {
            let members: Vec<_> = block.iter().filter(|track| self.contains(track)).collect();
            if !members.is_empty() && self.are_rows(&members) {
                let row = match is_single_block::<T>(members.len()) {
                    true => size_of::<T>() * members.len(),
                    false => size_of::<T::KeyBlock>(),
                };
                channel.keys += key_count(&members);
                channel.padded_bytes += row as u64 * self.times.len() as u64;
            }
        }
        channel
    }

    /// Decides whether rows have free lanes, given those of all channels.
    pub(super) fn plan_padding(&mut self, channels: &[RowUse]) {
        let keys: u64 = channels.iter().map(|channel| channel.keys).sum();
        let padded: u64 = channels.iter().map(|channel| channel.padded_bytes).sum();
        self.pads_rows = padded <= MAX_KEY_BYTES * keys;
    }
}

/// The bytes of tracks in so many rows, if they are worth it. `row` is the bytes of a key of each
/// track, `keys` those of all their keys.
fn bytes_in_rows(rows: usize, tracks: u64, row: u64, keys: u64) -> Option<u64> {
    let rows_alone = (rows as u64).checked_mul(row)?;
    // Bits that tell the tracks' own keys.
    let own_keys = if rows_alone > keys { tracks * 8 * rows.div_ceil(64) as u64 } else { 0 };
    let bytes = rows_alone.checked_add(own_keys)?;
    (bytes.checked_mul(ROW_GROWTH.1)? <= keys * ROW_GROWTH.0).then_some(bytes)
}

fn key_count<T>(tracks: &[&PendingTrack<'_, T>]) -> u64 {
    tracks.iter().map(|track| track.times.len() as u64).sum()
}

/// The bytes of a key without its time.
fn key_bytes<T: JointValue>() -> u64 {
    (size_of::<T>() + size_of::<T::Angle>()) as u64
}

/// A list of times as a hash key, compared bit by bit.
pub(super) struct TimesKey<'a>(pub(super) &'a [f32]);

impl TimesKey<'_> {
    fn bits(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|time| time.to_bits())
    }
}

impl PartialEq for TimesKey<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.bits().eq(other.bits())
    }
}

impl Eq for TimesKey<'_> {}

impl Hash for TimesKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (pairs, rest) = self.0.as_chunks::<2>();
        let bits = |time: f32| u64::from(time.to_bits());
        pairs.iter().for_each(|&[first, second]| state.write_u64(bits(first) << 32 | bits(second)));
        rest.iter().for_each(|&last| state.write_u64(bits(last)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(lists: &[(&[f32], u64)]) -> (Vec<f32>, Vec<bool>) {
        let mut all = TimeLists::default();
        for &(times, tracks) in lists {
            let (key_bytes, own_bytes) = (20 * tracks, tracks * (25 * times.len() as u64 + 64));
            all.uses.push(TimesUse { times, tracks, key_bytes, own_bytes });
        }
        let common = all.plan();
        (common.times, common.chosen)
    }

    fn frames(rate: usize, seconds: usize) -> Vec<f32> {
        (0..=rate * seconds).map(|i| i as f32 / rate as f32).collect()
    }

    fn every(times: &[f32], first: usize, step: usize) -> Vec<f32> {
        times.iter().copied().skip(first).step_by(step).collect()
    }

    #[test]
    fn lists_of_one_grid_take_part() {
        let all = frames(30, 100);
        let (half, third) = (every(&all, 0, 2), every(&all, 1, 3));
        assert_eq!(plan(&[(&half, 1), (&all, 1), (&third, 1)]), (all.clone(), vec![true; 3]));
        let (sixth, other) = (every(&all, 1, 6), every(&all, 4, 6));
        let (common, chosen) = plan(&[(&third, 4), (&sixth, 1), (&other, 1)]);
        assert_eq!((common, chosen), (third.clone(), vec![true; 3]));
    }

    #[test]
    fn a_list_beside_the_grid_of_most_tracks_stays_apart() {
        let (slow, fast) = (frames(30, 100), frames(60, 100));
        assert_eq!(plan(&[(&slow, 60), (&fast, 3)]), (slow.clone(), vec![true, false]));
        assert_eq!(plan(&[(&slow, 3), (&fast, 60)]).1, [true, true]);
        let odd: Vec<f32> = slow.iter().map(|time| time * 1.01 + 0.007).collect();
        let [a, b, c] = [0, 1, 2].map(|first| every(&slow, first, 3));
        let (common, chosen) = plan(&[(&a, 8), (&odd, 1), (&b, 8), (&c, 8)]);
        assert_eq!((common, chosen), (slow.clone(), vec![true, false, true, true]));
    }

    #[test]
    fn lists_without_a_common_grid_keep_their_times() {
        let shifted = |list: usize| (0..3000).map(|i| i as f32 + 0.009 * list as f32).collect();
        let lists: Vec<Vec<f32>> = (0..100).map(shifted).collect();
        let lists: Vec<(&[f32], u64)> = lists.iter().map(|times| (&times[..], 1)).collect();
        assert_eq!(plan(&lists), (vec![], vec![false; 100]));
        assert_eq!(plan(&[]), (vec![], vec![]));
    }

    #[test]
    fn one_list_is_the_common_one() {
        let times = frames(30, 1);
        assert_eq!(plan(&[(&times, 1)]), (times.clone(), vec![true]));
        assert_eq!(plan(&[(&[0.5], 3)]), (vec![0.5], vec![true]));
    }
}
