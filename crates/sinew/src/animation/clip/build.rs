//! Building a clip from tracks.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use super::check::{TrackLocation, check_duplicates, check_track};
use super::data::{Channel, Group};
use super::timeline::Timeline;
use super::{Clip, Interpolation, Keys, Track};
use crate::animation::AnimationError;
use crate::math::flush;
use crate::skeleton::{Skeleton, is_normalized};

impl Clip {
    /// Checks the tracks and packs them. Tracks with equal times share them, and a track whose keys
    /// are all equal is stored as one value. Tracks may be in any order. A clip without tracks has
    /// length zero.
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
    /// - no keys
    /// - a time that is negative, not finite or not after the previous one
    /// - a number of values that does not match the times and the interpolation
    /// - a value that is not finite
    /// - a rotation that is shorter than 1e-8
    /// - two tracks for the same channel of a joint, or for the same morph weight
    pub fn new(name: &str, skeleton: &Skeleton, tracks: &[Track<'_>]) -> Result<Self, AnimationError> {
        for (index, track) in tracks.iter().enumerate() {
            check_track(track, TrackLocation { clip: name, track: index }, skeleton)?;
        }
        check_duplicates(name, tracks)?;
        let mut timelines = Timelines::default();
        let mut pending = PendingTracks::default();
        for track in tracks {
            pending.add(track, &mut timelines);
        }
        let scaled = pending.scales.iter().any(|track| !track.is_identity());
        let (start, end) = time_range(tracks);
        timelines.times.shrink_to_fit();
        timelines.list.shrink_to_fit();
        let rotation = |value| skeleton.rotation_policy().apply(value).unwrap_or(value);
        let key_counts = timelines.list.iter().map(|timeline| timeline.len).collect::<Vec<_>>();
        Ok(Self {
            name: name.to_owned(),
            skeleton_len: skeleton.len(),
            morph_weight_count: skeleton.rest().morph_weights().len(),
            start,
            end,
            track_count: tracks.len(),
            key_count: tracks.iter().map(|track| track.times.len()).sum(),
            runtime: skeleton.runtime(),
            scaled,
            rotations: mark_unit_groups(flush_small_components(
                pack(pending.rotations, &key_counts, rotation, flush::vector),
                &key_counts,
            )),
            translations: pack(pending.translations, &key_counts, flush::vector, flush::vector),
            scales: pack(pending.scales, &key_counts, flush::vector, flush::vector),
            weights: pack(pending.weights, &key_counts, flush::scalar, flush::scalar),
            times: timelines.times,
            timelines: timelines.list,
        })
    }
}

/// The times of the first and the last key of all tracks; zero if there are no keys.
fn time_range(tracks: &[Track<'_>]) -> (f32, f32) {
    let firsts = tracks.iter().filter_map(|track| track.times.first());
    let lasts = tracks.iter().filter_map(|track| track.times.last());
    (firsts.copied().reduce(f32::min).unwrap_or(0.0), lasts.copied().reduce(f32::max).unwrap_or(0.0))
}

/// A track that is not packed into a channel yet.
struct PendingTrack<'a, T> {
    /// The sort key of the group: interpolation, timeline, the bits of the last time, and for
    /// weights the first weight.
    group: (Interpolation, usize, u32, Option<usize>),
    /// The joint, or the first weight.
    target: usize,
    /// The number of weights, or one for a joint.
    count: usize,
    values: &'a [T],
    source_interpolation: Interpolation,
}

impl PendingTrack<'_, [f32; 3]> {
    /// Whether all values are one, so the track never scales anything.
    fn is_identity(&self) -> bool {
        let mut values = self
            .values
            .iter()
            .skip(self.source_interpolation.value_row())
            .step_by(self.source_interpolation.values_per_key());
        self.group.0 == Interpolation::Step && values.all(|value| *value == [1.0; 3])
    }
}

/// Tracks by channel.
#[derive(Default)]
struct PendingTracks<'a> {
    rotations: Vec<PendingTrack<'a, [f32; 4]>>,
    translations: Vec<PendingTrack<'a, [f32; 3]>>,
    scales: Vec<PendingTrack<'a, [f32; 3]>>,
    weights: Vec<PendingTrack<'a, f32>>,
}

impl<'a> PendingTracks<'a> {
    fn add(&mut self, track: &Track<'a>, timelines: &mut Timelines<'a>) {
        match track.keys {
            Keys::Rotations { joint, values } => {
                self.rotations.push(pending_track(track, joint.index(), values, [0.0; 4], timelines));
            }
            Keys::Translations { joint, values } => {
                self.translations.push(pending_track(track, joint.index(), values, [0.0; 3], timelines));
            }
            Keys::Scales { joint, values } => {
                self.scales.push(pending_track(track, joint.index(), values, [0.0; 3], timelines));
            }
            Keys::Weights { first, values, .. } => {
                self.weights.push(pending_track(track, first, values, 0.0, timelines));
            }
        }
    }
}

fn pending_track<'a, T: PartialEq>(
    track: &Track<'a>,
    target: usize,
    values: &'a [T],
    zero_slope: T,
    timelines: &mut Timelines<'a>,
) -> PendingTrack<'a, T> {
    let (times, source_interpolation, count) = (track.times, track.interpolation, track.keys.count());
    let (interpolation, used_times) = if is_constant(values, source_interpolation, count, &zero_slope) {
        (Interpolation::Step, &times[..1])
    } else {
        (source_interpolation, times)
    };
    let weights_target = matches!(track.keys, Keys::Weights { .. }).then_some(target);
    let end = times[times.len() - 1].to_bits();
    PendingTrack {
        group: (interpolation, timelines.index(used_times), end, weights_target),
        target,
        count,
        values,
        source_interpolation,
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

/// The distinct lists of times.
#[derive(Default)]
struct Timelines<'a> {
    times: Vec<f32>,
    list: Vec<Timeline>,
    by_times: HashMap<TimesKey<'a>, usize>,
}

impl<'a> Timelines<'a> {
    fn index(&mut self, times: &'a [f32]) -> usize {
        let Self { times: all, list, by_times } = self;
        *by_times.entry(TimesKey(times)).or_insert_with(|| {
            list.push(Timeline::add(times, all));
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
        self.bits().for_each(|bits| state.write_u32(bits));
    }
}

/// Packs tracks into groups in key-major order. `key_counts` has the number of keys of each
/// timeline. `value` and `slope` convert each value and slope before it is stored.
fn pack<T: Copy>(
    mut pending: Vec<PendingTrack<'_, T>>,
    key_counts: &[usize],
    value: impl Fn(T) -> T,
    slope: impl Fn(T) -> T,
) -> Channel<T> {
    pending.sort_unstable_by_key(|track| (track.group, track.target));
    let mut channel = Channel::default();
    for tracks in pending.chunk_by(|a, b| a.group == b.group) {
        let (interpolation, timeline, end, _) = tracks[0].group;
        let (first_target, first_value) = (channel.targets.len(), channel.values.len());
        let group = channel.groups.len() as u32;
        for track in tracks {
            // The casts are safe: `check_target` has checked that indices fit into 32 bits.
            channel.targets.extend((track.target..track.target + track.count).map(|target| target as u32));
            channel.index.push((track.target as u32, group));
        }
        let (len, end) = (channel.targets.len() - first_target, f32::from_bits(end));
        channel.groups.push(Group {
            timeline,
            interpolation,
            first_target,
            len,
            first_value,
            end,
            unit_length: true,
        });
        for key in 0..key_counts[timeline] {
            for row in 0..interpolation.values_per_key() {
                append_row(tracks, key, row, (&value, &slope), &mut channel.values);
            }
        }
    }
    channel.index.sort_unstable();
    channel.shrink();
    channel
}

/// Flushes insignificant components of rotation keys to zero.
///
/// If two keys are half a turn apart, the smallest components determine the direction of the
/// interpolation. For such keys a lower threshold is used, or nothing is flushed if flushing would
/// change the direction.
fn flush_small_components(mut channel: Channel<[f32; 4]>, key_counts: &[usize]) -> Channel<[f32; 4]> {
    for group in &channel.groups {
        let (values_per_key, value_row) =
            (group.interpolation.values_per_key(), group.interpolation.value_row());
        for target in 0..group.len {
            let at = |key: usize| group.first_value + (key * values_per_key + value_row) * group.len + target;
            let mut before = KeyAngle::BelowHalfTurn;
            for key in 0..key_counts[group.timeline] {
                let value = channel.values[at(key)];
                let next = (key + 1 < key_counts[group.timeline]).then(|| channel.values[at(key + 1)]);
                let after = next.map_or(KeyAngle::BelowHalfTurn, |next| KeyAngle::between(value, next));
                channel.values[at(key)] = match before.max(after) {
                    KeyAngle::BelowHalfTurn => flush::rotation(value),
                    KeyAngle::HalfTurn => flush::vector(value),
                    KeyAngle::HalfTurnBySmallComponents => value,
                };
                before = after;
            }
        }
    }
    channel
}

/// The angle between two rotation keys.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum KeyAngle {
    /// Less than half a turn.
    BelowHalfTurn,
    /// Half a turn, up to one millionth.
    HalfTurn,
    /// Half a turn, and flushing small components would change the direction.
    HalfTurnBySmallComponents,
}

impl KeyAngle {
    fn between(a: [f32; 4], b: [f32; 4]) -> Self {
        let dot = |a: [f32; 4], b: [f32; 4]| -> f64 {
            a.iter().zip(&b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
        };
        let (exact, flushed) = (dot(a, b), dot(flush::vector(a), flush::vector(b)));
        match exact.abs() < 1e-6 {
            false => Self::BelowHalfTurn,
            true if (exact < 0.0) == (flushed < 0.0) => Self::HalfTurn,
            true => Self::HalfTurnBySmallComponents,
        }
    }
}

/// Sets `unit_length` of each group.
fn mark_unit_groups(mut channel: Channel<[f32; 4]>) -> Channel<[f32; 4]> {
    let starts: Vec<usize> = channel.groups.iter().map(|group| group.first_value).collect();
    for (i, group) in channel.groups.iter_mut().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(channel.values.len());
        group.unit_length =
            channel.values[group.first_value..end].iter().all(|&rotation| is_normalized(rotation));
    }
    channel
}

/// Appends one row of one key for all tracks of a group.
fn append_row<T: Copy>(
    tracks: &[PendingTrack<'_, T>],
    key: usize,
    row: usize,
    (convert_value, convert_slope): (impl Fn(T) -> T, impl Fn(T) -> T),
    to: &mut Vec<T>,
) {
    for track in tracks {
        let (values_per_key, value_row) =
            (track.source_interpolation.values_per_key(), track.source_interpolation.value_row());
        // A cubic track with constant keys is stored as a step: only its values are kept.
        let row = if track.group.0 == Interpolation::Cubic { row } else { value_row };
        let values = &track.values[(key * values_per_key + row) * track.count..][..track.count];
        to.extend(
            values
                .iter()
                .map(|&value| if row == value_row { convert_value(value) } else { convert_slope(value) }),
        );
    }
}
