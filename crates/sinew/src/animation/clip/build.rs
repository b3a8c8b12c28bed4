//! Building a clip from tracks.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use sinew_kernels::BLOCK;

use super::check::{TrackLocation, check_duplicates, check_key_count, check_track};
use super::curves::{CurveTrack, Curves, TrackPlace};
use super::data::{Channel, Group};
use super::flush_rotations::flush_small_components;
use super::joint_value::JointValue;
use super::keyed_tracks::KeyedTracks;
use super::nlerp::{Nlerp, split_tracks};
use super::plan_rows::{RowCandidate, plan_rows};
use super::row_tracks::RowTracks;
use super::single_rows::are_single;
use super::timeline::{KeyTimes, Timeline};
use super::{Clip, ClipOptions, Interpolation, Keys, Track};
use crate::animation::AnimationError;
use crate::math::flush;
use crate::math::sort::{heap_sort, sort_by_key};
use crate::skeleton::{Skeleton, is_normalized};

impl Clip {
    /// Checks the tracks and packs them. Tracks may be in any order. A clip without tracks has
    /// length zero.
    ///
    /// A track whose keys are all equal is stored as one value. Linear tracks of joints whose times
    /// lie on a common list of times, such as the frames of a recording, are stored on that list,
    /// as far as this takes at most twice the memory. Such tracks are sampled fastest. Keys that
    /// are added for this lie on the arc between their neighbors, up to rounding.
    ///
    /// Rotations are normalized, unless the skeleton's
    /// [`RotationPolicy`](crate::skeleton::RotationPolicy) keeps them as stored. Insignificant
    /// numbers are flushed to zero.
    ///
    /// # Errors
    ///
    /// The first fault, with its track and key:
    ///
    /// - a joint or morph weight that is not in the skeleton
    /// - no keys, or 2^32 keys or more in all tracks, which 32-bit indices cannot address
    /// - a time that is negative, not finite or not after the previous one
    /// - a number of values that does not match the times and the interpolation
    /// - a value that is not finite
    /// - a rotation that is shorter than 1e-8
    /// - two tracks for the same channel of a joint, or for the same morph weight
    pub fn new(name: &str, skeleton: &Skeleton, tracks: &[Track<'_>]) -> Result<Self, AnimationError> {
        Self::with_options(name, skeleton, tracks, &ClipOptions::default())
    }

    /// Like [`new`](Self::new), with options.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new), and an option that is out of range.
    pub fn with_options(
        name: &str,
        skeleton: &Skeleton,
        tracks: &[Track<'_>],
        options: &ClipOptions,
    ) -> Result<Self, AnimationError> {
        options.check()?;
        let mut previous = None;
        for (index, track) in tracks.iter().enumerate() {
            check_track(track, TrackLocation { clip: name, track: index }, skeleton, previous)?;
            previous = Some(track.times);
        }
        check_duplicates(name, tracks, skeleton)?;
        let key_count = tracks.iter().map(|track| track.times.len()).fold(0, usize::saturating_add);
        check_key_count(name, key_count)?;
        let (start, end) = time_range(tracks);
        let (mut rotations, mut translations) = (Vec::new(), Vec::new());
        let (mut scales, mut weights) = (Vec::new(), Vec::new());
        for track in tracks {
            match track.keys {
                Keys::Rotations { joint, values } => {
                    let policy = skeleton.rotation_policy();
                    let apply = |value| policy.apply(value).unwrap_or(value);
                    let mut pending =
                        PendingTrack::new(track, joint.index(), values, [0.0; 4], apply, flush::vector);
                    flush_small_components(&mut pending.values, pending.interpolation);
                    pending.is_regular = pending.values.iter().all(|&rotation| is_normalized(rotation));
                    rotations.push(pending);
                }
                Keys::Translations { joint, values } => {
                    translations.push(PendingTrack::vectors(track, joint.index(), values));
                }
                Keys::Scales { joint, values } => {
                    scales.push(PendingTrack::vectors(track, joint.index(), values));
                }
                Keys::Weights { first, values, .. } => {
                    weights.push(PendingTrack::new(track, first, values, 0.0, flush::scalar, flush::scalar));
                }
            }
        }
        let scaled = scales.iter().any(|track| !(track.is_constant() && track.values[0] == [1.0; 3]));
        let (mut rotations, mut translations, mut scales) =
            (SortedTracks::new(rotations), SortedTracks::new(translations), SortedTracks::new(scales));
        let mut nlerps = NlerpTracks::split_from(&mut rotations, options.nlerp_error);
        let common = CommonTimes::new(&mut rotations, &mut nlerps, &mut translations, &mut scales);
        let mut timelines = Timelines::default();
        let nlerp_rotations = (!nlerps.linear.is_empty()).then(|| Box::new(pack_nlerps(nlerps, &common)));
        let (rotations, translations, scales) = (
            pack_curves(rotations, &common, &mut timelines),
            pack_curves(translations, &common, &mut timelines),
            pack_curves(scales, &common, &mut timelines),
        );
        let weights = pack(weights, &mut timelines, |track| Some(track.target));
        let rows = (!common.times.is_empty()).then(|| timelines.times.add(&common.times));
        timelines.times.shrink();
        Ok(Self {
            name: name.to_owned(),
            skeleton_len: skeleton.len(),
            morph_weight_count: skeleton.rest().morph_weights().len(),
            start,
            end,
            track_count: tracks.len(),
            key_count,
            runtime: skeleton.runtime(),
            scaled,
            identity: Arc::new(()),
            rotations,
            nlerp_rotations,
            translations,
            scales,
            weights: (!weights.groups.is_empty()).then(|| Box::new(weights)),
            rows,
            times: timelines.times,
            timelines: timelines.list.into(),
            events: Vec::new(),
        })
    }
}

/// The times of the first and the last key of all tracks; zero if there are no keys.
fn time_range(tracks: &[Track<'_>]) -> (f32, f32) {
    let firsts = tracks.iter().filter_map(|track| track.times.first());
    let lasts = tracks.iter().filter_map(|track| track.times.last());
    (firsts.copied().reduce(f32::min).unwrap_or(0.0), lasts.copied().reduce(f32::max).unwrap_or(0.0))
}

/// A track that is not packed yet, with its values as they will be stored.
#[derive(Clone)]
pub(super) struct PendingTrack<'a, T> {
    /// The joint, or the first weight.
    pub(super) target: usize,
    /// The number of weights, or one for a joint.
    count: usize,
    /// Only the first time if the track never changes.
    pub(super) times: &'a [f32],
    /// The last time.
    end: f32,
    /// [`Interpolation::Step`] if the track never changes.
    interpolation: Interpolation,
    pub(super) values: Vec<T>,
    /// Whether kernels can interpolate the values.
    is_regular: bool,
    /// The index of its times among those of all linear tracks, once they are gathered.
    candidate: usize,
}

impl<'a, T: Copy + PartialEq> PendingTrack<'a, T> {
    /// `value` and `slope` convert each value and slope to what is stored.
    fn new(
        track: &Track<'a>,
        target: usize,
        values: &'a [T],
        zero_slope: T,
        value: impl Fn(T) -> T,
        slope: impl Fn(T) -> T,
    ) -> Self {
        let (times, interpolation, count) = (track.times, track.interpolation, track.keys.count());
        let (row, per_key) = (interpolation.value_row(), interpolation.values_per_key());
        let convert = |(i, &number): (usize, &T)| {
            // Without slopes, nothing is divided.
            if per_key == 1 || i / count % per_key == row { value(number) } else { slope(number) }
        };
        let end = times[times.len() - 1];
        let stored = values.iter().enumerate().map(convert);
        if is_constant(values, interpolation, count, &zero_slope) {
            let values = stored.skip(row * count).take(count).collect();
            let interpolation = Interpolation::Step;
            let times = &times[..1];
            return Self { target, count, times, end, interpolation, values, is_regular: true, candidate: 0 };
        }
        let values = stored.collect();
        Self { target, count, times, end, interpolation, values, is_regular: true, candidate: 0 }
    }

    fn is_constant(&self) -> bool {
        self.interpolation == Interpolation::Step && self.times.len() == 1
    }

    fn is_fit_for_kernels(&self) -> bool {
        self.interpolation == Interpolation::Linear && self.is_regular
    }
}

impl<'a> PendingTrack<'a, [f32; 3]> {
    fn vectors(track: &Track<'a>, joint: usize, values: &'a [[f32; 3]]) -> Self {
        let mut pending = Self::new(track, joint, values, [0.0; 3], flush::vector, flush::vector);
        // The difference of larger numbers could overflow.
        pending.is_regular = pending.values.as_flattened().iter().all(|number| number.abs() < 1e37);
        pending
    }
}

impl<'a> PendingTrack<'a, [f32; 4]> {
    pub(super) fn into_nlerp(self) -> PendingTrack<'a, Nlerp> {
        let Self { target, count, times, end, interpolation, values, is_regular, candidate } = self;
        let values = values.into_iter().map(Nlerp).collect();
        PendingTrack { target, count, times, end, interpolation, values, is_regular, candidate }
    }
}

impl<T: JointValue> PendingTrack<'_, T> {
    /// The value at a time, given the last key at or before it, or the first key.
    pub(super) fn value_at(&self, key: usize, seconds: f32) -> T {
        let (from, value) = (self.times[key], self.values[key]);
        match (self.times.get(key + 1), self.values.get(key + 1)) {
            (Some(&to), Some(&next)) if from < seconds => {
                let (from, to) = (f64::from(from), f64::from(to));
                value.resample(next, (f64::from(seconds) - from) / (to - from))
            }
            _ => value,
        }
    }
}

/// Whether all keys have the same value and all slopes are zero.
fn is_constant<T: PartialEq>(
    values: &[T],
    source_interpolation: Interpolation,
    count: usize,
    zero_slope: &T,
) -> bool {
    let per_key = source_interpolation.values_per_key() * count;
    let value = |key: &[T]| {
        source_interpolation.value_row() * count
            ..source_interpolation.value_row() * count + count.min(key.len())
    };
    let first = &values[..per_key];
    let same = |key: &[T]| {
        let slopes = source_interpolation == Interpolation::Cubic
            && key.iter().enumerate().any(|(i, slope)| !value(key).contains(&i) && slope != zero_slope);
        !slopes && key[value(key)] == first[value(first)]
    };
    values.len() == per_key || values.chunks_exact(per_key).all(same)
}

/// The tracks of one channel of joints, each kind sorted by joint.
struct SortedTracks<'a, T> {
    constant: Vec<PendingTrack<'a, T>>,
    linear: Vec<PendingTrack<'a, T>>,
    other: Vec<PendingTrack<'a, T>>,
}

impl<'a, T: JointValue> SortedTracks<'a, T> {
    fn new(mut tracks: Vec<PendingTrack<'a, T>>) -> Self {
        sort_by_key(&mut tracks, |track| track.target as u64);
        let (constant, changing): (Vec<_>, Vec<_>) = tracks.into_iter().partition(PendingTrack::is_constant);
        let (linear, other) = changing.into_iter().partition(PendingTrack::is_fit_for_kernels);
        Self { constant, linear, other }
    }
}

/// The linear rotation tracks of nlerp.
struct NlerpTracks<'a> {
    linear: Vec<PendingTrack<'a, Nlerp>>,
    /// Tracks that never change and fill lanes of the same blocks.
    fillers: Vec<PendingTrack<'a, Nlerp>>,
}

impl<'a> NlerpTracks<'a> {
    /// Takes the tracks out of `rotations` that stay within a bound of the error, in radians.
    fn split_from(rotations: &mut SortedTracks<'a, [f32; 4]>, bound: f32) -> Self {
        let (slerps, linear) = split_tracks(std::mem::take(&mut rotations.linear), bound);
        rotations.linear = slerps;
        let fills = |track: &&PendingTrack<'_, _>| {
            linear.binary_search_by_key(&(track.target / BLOCK), |track| track.target / BLOCK).is_ok()
        };
        let constants = rotations.constant.iter().filter(fills);
        Self { fillers: constants.map(|track| track.clone().into_nlerp()).collect(), linear }
    }
}

/// The list of times that linear tracks of a clip share.
struct CommonTimes {
    times: Vec<f32>,
    /// Whether the tracks of each candidate take part.
    chosen: Vec<bool>,
}

impl CommonTimes {
    fn new<'a>(
        rotations: &mut SortedTracks<'a, [f32; 4]>,
        nlerps: &mut NlerpTracks<'a>,
        translations: &mut SortedTracks<'a, [f32; 3]>,
        scales: &mut SortedTracks<'a, [f32; 3]>,
    ) -> Self {
        let mut candidates = Candidates::default();
        candidates.add(&mut rotations.linear, 0);
        candidates.add(&mut nlerps.linear, 3);
        candidates.add(&mut translations.linear, 1);
        candidates.add(&mut scales.linear, 2);
        let (times, chosen) = plan_rows(&candidates.list);
        Self { times, chosen }
    }

    fn contains<T>(&self, track: &PendingTrack<'_, T>) -> bool {
        self.chosen[track.candidate]
    }
}

/// The candidates for a common list of times.
#[derive(Default)]
struct Candidates<'a> {
    list: Vec<RowCandidate<'a>>,
    by_times: HashMap<TimesKey<'a>, usize>,
}

impl<'a> Candidates<'a> {
    /// Adds the tracks of one of four channels.
    fn add<T: JointValue>(&mut self, tracks: &mut [PendingTrack<'a, T>], channel: usize) {
        let are_single = are_single(tracks);
        let mut last: Option<(&[f32], usize)> = None;
        for (track, is_single) in tracks.iter_mut().zip(are_single) {
            let i = match last {
                // Tracks often share their times, which need not be hashed again.
                Some((times, i)) if std::ptr::eq(times, track.times) => i,
                _ => self.index(track.times),
            };
            (last, track.candidate) = (Some((track.times, i)), i);
            let candidate = &mut self.list[i];
            candidate.bytes += track.times.len() * KeyedTracks::<T>::KEY_BYTES;
            let block = match is_single {
                true => (8 * track.target + 2 * channel, size_of::<T>()),
                false => (8 * (track.target / BLOCK) + 2 * channel + 1, size_of::<T::KeyBlock>()),
            };
            // Tracks are sorted by joint.
            if candidate.blocks.last() != Some(&block) {
                candidate.blocks.push(block);
            }
        }
    }

    /// The candidate with these times.
    fn index(&mut self, times: &'a [f32]) -> usize {
        *self.by_times.entry(TimesKey(times)).or_insert_with(|| {
            self.list.push(RowCandidate { times, blocks: Vec::new(), bytes: 0 });
            self.list.len() - 1
        })
    }
}

fn pack_curves<'a, T: JointValue>(
    tracks: SortedTracks<'a, T>,
    common: &CommonTimes,
    timelines: &mut Timelines<'a>,
) -> Curves<T> {
    let SortedTracks { constant, linear, other } = tracks;
    let (rows, keyed, mut list) = pack_linear(&constant, linear, common);
    list.extend(constant.iter().map(|track| {
        let place = TrackPlace::Constant { start: track.times[0], end: track.end };
        CurveTrack { joint: track.target as u32, place }
    }));
    let others = pack(other, timelines, |_| None);
    for (group, members) in others.groups.iter().enumerate() {
        let joints = others.targets_of(members).iter();
        list.extend(joints.map(|&joint| CurveTrack { joint, place: TrackPlace::Other(group as u32) }));
    }
    let constants = Curves::constant_blocks(&constant, &rows);
    Curves::new(rows, keyed, constants, others, list)
}

fn pack_nlerps(tracks: NlerpTracks<'_>, common: &CommonTimes) -> Curves<Nlerp> {
    let (rows, keyed, list) = pack_linear(&tracks.fillers, tracks.linear, common);
    Curves::new(rows, keyed, Box::default(), Channel::default(), list)
}

/// Packs linear tracks, sorted by joint, and lists their places. `constants` fill lanes of the same
/// blocks.
fn pack_linear<T: JointValue>(
    constants: &[PendingTrack<'_, T>],
    linear: Vec<PendingTrack<'_, T>>,
    common: &CommonTimes,
) -> (RowTracks<T>, Option<KeyedTracks<T>>, Vec<CurveTrack>) {
    let (rows, keyed): (Vec<_>, Vec<_>) = linear.into_iter().partition(|track| common.contains(track));
    let (packed_rows, places) = match rows.is_empty() {
        true => (RowTracks::default(), Vec::new()),
        false => RowTracks::pack(&rows, constants, &common.times),
    };
    // The casts are safe: a skeleton has fewer joints than fit into 32 bits.
    let joint = |track: &PendingTrack<'_, T>| track.target as u32;
    let on_rows = rows.iter().zip(places).map(|(track, place)| CurveTrack { joint: joint(track), place });
    let mut list: Vec<_> = on_rows.collect();
    let packed_keyed = (!keyed.is_empty()).then(|| KeyedTracks::pack(&keyed));
    list.extend(keyed.iter().zip(packed_keyed.iter().cycle()).map(|(track, packed)| {
        let place = TrackPlace::Keyed(packed.number(track.target) as u32);
        CurveTrack { joint: joint(track), place }
    }));
    (packed_rows, packed_keyed, list)
}

/// The distinct lists of times.
#[derive(Default)]
struct Timelines<'a> {
    times: KeyTimes,
    /// Those of groups.
    list: Vec<Timeline>,
    group_lists: HashMap<TimesKey<'a>, usize>,
}

impl<'a> Timelines<'a> {
    /// The number of a group's timeline.
    fn index(&mut self, times: &'a [f32]) -> usize {
        let Self { times: all, list, group_lists, .. } = self;
        *group_lists.entry(TimesKey(times)).or_insert_with(|| {
            list.push(all.add(times));
            list.len() - 1
        })
    }
}

/// A list of times as a hash key, compared bit by bit.
struct TimesKey<'a>(&'a [f32]);

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

/// Packs tracks into groups in key-major order. `apart` tells tracks apart that belong into groups
/// of their own.
fn pack<'a, T: Copy>(
    pending: Vec<PendingTrack<'a, T>>,
    timelines: &mut Timelines<'a>,
    apart: impl Fn(&PendingTrack<'a, T>) -> Option<usize>,
) -> Channel<T> {
    let group_of = |track: PendingTrack<'a, T>| {
        let timeline = timelines.index(track.times);
        ((track.interpolation, timeline, track.end.to_bits(), apart(&track)), track)
    };
    let mut keyed: Vec<_> = pending.into_iter().map(group_of).collect();
    heap_sort(&mut keyed, |(a, one), (b, other)| (a, one.target) < (b, other.target));
    let mut channel = Channel::default();
    for tracks in keyed.chunk_by(|a, b| a.0 == b.0) {
        let ((interpolation, timeline, end, _), first) = &tracks[0];
        let (first_target, first_value) = (channel.targets.len(), channel.values.len());
        for (_, track) in tracks {
            // The casts are safe: `check_target` has checked that indices fit into 32 bits.
            channel.targets.extend((track.target..track.target + track.count).map(|target| target as u32));
        }
        channel.groups.push(Group {
            timeline: *timeline,
            interpolation: *interpolation,
            first_target,
            len: channel.targets.len() - first_target,
            first_value,
            end: f32::from_bits(*end),
        });
        for row in 0..first.times.len() * interpolation.values_per_key() {
            for (_, track) in tracks {
                channel.values.extend_from_slice(&track.values[row * track.count..][..track.count]);
            }
        }
    }
    channel.shrink();
    channel
}
