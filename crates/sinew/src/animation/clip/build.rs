//! Building a clip from tracks.

use std::collections::HashMap;
use std::iter::repeat_n;
use std::sync::Arc;

use sinew_kernels::BLOCK;

use super::check::{TrackLocation, check_duplicates, check_key_count, check_track};
use super::common_times::{CommonTimes, TimeLists, TimesKey};
use super::curves::{CurveTrack, Curves, PairTracks, TrackPlace};
use super::data::{Channel, Group};
use super::flush_rotations::flush_small_components;
use super::joint_value::JointValue;
use super::keyed_tracks::KeyedTracks;
use super::nlerp::{Nlerp, split_tracks};
use super::row_tracks::RowTracks;
use super::sparse_tracks::SparseTracks;
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
    /// lie on a common list of times, such as the frames of a recording, are stored on that list:
    /// with a key at each of these times, where that takes at most a quarter more memory, else with
    /// their own keys. The former are sampled fastest. As long as all of them together take at most
    /// 25 bytes per key, they also have room for joints that do not move. Keys that are added for this lie on the arc
    /// between their neighbors, up to rounding.
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
        let mut nlerps;
        (rotations.linear, nlerps) = split_tracks(rotations.linear, options.nlerp_error);
        let mut lists = TimeLists::default();
        lists.add(&mut rotations.linear);
        lists.add(&mut nlerps);
        lists.add(&mut translations.linear);
        lists.add(&mut scales.linear);
        let mut common = lists.plan();
        common.plan_padding(&[
            common.row_use(&rotations.linear),
            common.row_use(&nlerps),
            common.row_use(&translations.linear),
            common.row_use(&scales.linear),
        ]);
        let mut timelines = Timelines::default();
        let nlerp_joints: Vec<usize> = nlerps.iter().map(|track| track.target).collect();
        let nlerp_rotations = (!nlerps.is_empty()).then(|| Box::new(pack_nlerps(nlerps, &common)));
        let (rotations, translations, scales) = (
            pack_curves(rotations, &nlerp_joints, &common, &mut timelines),
            pack_curves(translations, &[], &common, &mut timelines),
            pack_curves(scales, &[], &common, &mut timelines),
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
    /// The index of its times in [`TimeLists`], once they are listed.
    pub(super) time_list: usize,
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
            return Self { target, count, times, end, interpolation, values, is_regular: true, time_list: 0 };
        }
        let values = stored.collect();
        Self { target, count, times, end, interpolation, values, is_regular: true, time_list: 0 }
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
        let Self { target, count, times, end, interpolation, values, is_regular, time_list } = self;
        let values = values.into_iter().map(Nlerp).collect();
        PendingTrack { target, count, times, end, interpolation, values, is_regular, time_list }
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

/// `elsewhere` are joints that move in other curves.
fn pack_curves<'a, T: JointValue>(
    tracks: SortedTracks<'a, T>,
    elsewhere: &[usize],
    common: &CommonTimes,
    timelines: &mut Timelines<'a>,
) -> Curves<T> {
    let SortedTracks { constant, linear, other } = tracks;
    let moving = linear.iter().chain(&other).map(|track| track.target).chain(elsewhere.iter().copied());
    let constants = Curves::constant_blocks(&constant, moving);
    let (linear, mut list) = pack_linear(linear, common);
    list.extend(constant.iter().map(|track| {
        let place = TrackPlace::Constant { start: track.times[0], end: track.end };
        CurveTrack { joint: track.target as u32, place }
    }));
    let others = pack(other, timelines, |_| None);
    for (group, members) in others.groups.iter().enumerate() {
        let joints = others.targets_of(members).iter();
        list.extend(joints.map(|&joint| CurveTrack { joint, place: TrackPlace::Other(group as u32) }));
    }
    Curves::new(linear, constants, others, list)
}

fn pack_nlerps<'a>(tracks: Vec<PendingTrack<'a, Nlerp>>, common: &CommonTimes) -> Curves<Nlerp> {
    let (linear, list) = pack_linear(tracks, common);
    Curves::new(linear, Box::default(), Channel::default(), list)
}

/// Packs linear tracks, sorted by joint, and lists their places.
fn pack_linear<'a, T: JointValue>(
    linear: Vec<PendingTrack<'a, T>>,
    common: &CommonTimes,
) -> ((RowTracks<T>, PairTracks<T>), Vec<CurveTrack>) {
    let (members, keyed): (Vec<_>, Vec<_>) = linear.into_iter().partition(|track| common.contains(track));
    let blocks = members.chunk_by(|a, b| a.target / BLOCK == b.target / BLOCK);
    let are_rows = |block: &[_]| common.are_rows(&block.iter().collect::<Vec<_>>());
    let are_rows = blocks.flat_map(|block| repeat_n(are_rows(block), block.len()));
    let mut are_rows = are_rows.collect::<Vec<_>>().into_iter();
    let (rows, sparse): (Vec<_>, Vec<_>) = members.into_iter().partition(|_| are_rows.next() == Some(true));
    let (packed_rows, places) = match rows.is_empty() {
        true => (RowTracks::default(), Vec::new()),
        false => RowTracks::pack(&rows, common),
    };
    let packed_sparse = (!sparse.is_empty()).then(|| SparseTracks::pack(&sparse, &common.times));
    let packed_keyed = (!keyed.is_empty()).then(|| KeyedTracks::pack(&keyed));
    let mut list = Vec::with_capacity(rows.len() + sparse.len() + keyed.len());
    // The casts are safe: a skeleton has at most 2^29 joints.
    let mut add = |track: &PendingTrack<'_, T>, place| {
        list.push(CurveTrack { joint: track.target as u32, place });
    };
    rows.iter().zip(places).for_each(|(track, place)| add(track, place));
    for (track, packed) in sparse.iter().zip(packed_sparse.iter().cycle()) {
        add(track, TrackPlace::Sparse(packed.lane(track.target) as u32));
    }
    for (track, packed) in keyed.iter().zip(packed_keyed.iter().cycle()) {
        add(track, TrackPlace::Keyed(packed.number(track.target) as u32));
    }
    ((packed_rows, PairTracks { keyed: packed_keyed, sparse: packed_sparse }), list)
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
