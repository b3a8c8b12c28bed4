//! From tracks, as files have them, to a clip.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use super::check::{Place, check_track, check_twice};
use super::data::{Channel, Group};
use super::timeline::Timeline;
use super::{Clip, Interpolation, Keys, Track};
use crate::transform::is_unit;
use crate::{Error, Skeleton, flush};

impl Clip {
    /// Checks the tracks and packs them: those with equal times share them, and one whose keys are all the same is stored
    /// as one value. Tracks may move any joints and weights, in any order; none at all is a clip of no length.
    ///
    /// Rotations are brought to length one, unless the skeleton keeps them as stored. Numbers too
    /// small to matter become zero.
    ///
    /// # Errors
    ///
    /// The first fault, with its track and key: a joint or a morph weight that the skeleton does not have, no keys, a
    /// time that is negative or not finite or not after the one before it, values that are not as many as the
    /// interpolation asks for, a value that is not finite, a rotation that is shorter than 1e-8; or two tracks that move
    /// the same.
    pub fn new(name: &str, skeleton: &Skeleton, tracks: &[Track<'_>]) -> Result<Self, Error> {
        for (track, given) in tracks.iter().enumerate() {
            check_track(given, Place { clip: name, track }, skeleton)?;
        }
        check_twice(name, tracks)?;
        let mut timelines = Timelines::default();
        let mut items = Items::default();
        for track in tracks {
            items.add(track, &mut timelines);
        }
        let scales = items.scales.iter().any(|item| !item.is_one());
        let (start, end) = span(tracks);
        timelines.times.shrink_to_fit();
        timelines.list.shrink_to_fit();
        let rotation = |value| skeleton.rotations().kept(value).unwrap_or(value);
        let lens = timelines.list.iter().map(|timeline| timeline.len).collect::<Vec<_>>();
        Ok(Self {
            name: name.to_owned(),
            skeleton_len: skeleton.len(),
            morph_weight_count: skeleton.rest().morph_weights().len(),
            start,
            end,
            track_count: tracks.len(),
            key_count: tracks.iter().map(|track| track.times.len()).sum(),
            kernels: skeleton.kernels(),
            scales,
            rotations: marked(flushed(pack(items.rotations, &lens, rotation, flush::vector), &lens)),
            translations: pack(items.translations, &lens, flush::vector, flush::vector),
            scalings: pack(items.scales, &lens, flush::vector, flush::vector),
            weights: pack(items.weights, &lens, flush::number, flush::number),
            times: timelines.times,
            timelines: timelines.list,
        })
    }
}

/// The times of the first and the last key of all; zero where there are none.
fn span(tracks: &[Track<'_>]) -> (f32, f32) {
    let firsts = tracks.iter().filter_map(|track| track.times.first());
    let lasts = tracks.iter().filter_map(|track| track.times.last());
    (firsts.copied().reduce(f32::min).unwrap_or(0.0), lasts.copied().reduce(f32::max).unwrap_or(0.0))
}

/// A track on its way into a channel.
struct Item<'a, T> {
    /// What decides the group: interpolation, timeline, the bits of the last time, and of weights the first.
    group: (Interpolation, usize, u32, Option<usize>),
    /// The joint, or the first weight.
    target: usize,
    /// One joint, or how many weights.
    count: usize,
    values: &'a [T],
    given: Interpolation,
}

impl Item<'_, [f32; 3]> {
    /// Whether all there is are ones, so that nothing is scaled.
    fn is_one(&self) -> bool {
        let mut values = self.values.iter().skip(self.given.value_row()).step_by(self.given.width());
        self.group.0 == Interpolation::Step && values.all(|value| *value == [1.0; 3])
    }
}

/// Tracks by channel.
#[derive(Default)]
struct Items<'a> {
    rotations: Vec<Item<'a, [f32; 4]>>,
    translations: Vec<Item<'a, [f32; 3]>>,
    scales: Vec<Item<'a, [f32; 3]>>,
    weights: Vec<Item<'a, f32>>,
}

impl<'a> Items<'a> {
    fn add(&mut self, track: &Track<'a>, timelines: &mut Timelines<'a>) {
        match track.keys {
            Keys::Rotations { joint, values } => {
                self.rotations.push(item(track, joint, values, [0.0; 4], timelines));
            }
            Keys::Translations { joint, values } => {
                self.translations.push(item(track, joint, values, [0.0; 3], timelines));
            }
            Keys::Scales { joint, values } => {
                self.scales.push(item(track, joint, values, [0.0; 3], timelines));
            }
            Keys::Weights { first, values, .. } => {
                self.weights.push(item(track, first, values, 0.0, timelines));
            }
        }
    }
}

fn item<'a, T: PartialEq>(
    track: &Track<'a>,
    target: usize,
    values: &'a [T],
    level: T,
    timelines: &mut Timelines<'a>,
) -> Item<'a, T> {
    let (times, given, count) = (track.times, track.interpolation, track.keys.count());
    let (interpolation, kept) = if never_changes(values, given, count, &level) {
        (Interpolation::Step, &times[..1])
    } else {
        (given, times)
    };
    let alone = matches!(track.keys, Keys::Weights { .. }).then_some(target);
    let end = times[times.len() - 1].to_bits();
    Item { group: (interpolation, timelines.index(kept), end, alone), target, count, values, given }
}

/// Whether all keys have the same values, and no slope takes the way between them elsewhere.
fn never_changes<T: PartialEq>(values: &[T], given: Interpolation, count: usize, level: &T) -> bool {
    let per_key = given.width() * count;
    let value = |key: &[T]| given.value_row() * count..given.value_row() * count + count.min(key.len());
    let first = &values[..per_key];
    let same = |key: &[T]| {
        let slopes = given == Interpolation::Cubic
            && key.iter().enumerate().any(|(i, slope)| !value(key).contains(&i) && slope != level);
        !slopes && key[value(key)] == first[value(first)]
    };
    values.len() == per_key || values.chunks_exact(per_key).all(same)
}

/// Distinct lists of times.
#[derive(Default)]
struct Timelines<'a> {
    times: Vec<f32>,
    list: Vec<Timeline>,
    known: HashMap<Times<'a>, usize>,
}

impl<'a> Timelines<'a> {
    fn index(&mut self, times: &'a [f32]) -> usize {
        let Self { times: all, list, known } = self;
        *known.entry(Times(times)).or_insert_with(|| {
            list.push(Timeline::add(times, all));
            list.len() - 1
        })
    }
}

/// Times that can be looked up, bit for bit.
struct Times<'a>(&'a [f32]);

impl Times<'_> {
    fn bits(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|time| time.to_bits())
    }
}

impl PartialEq for Times<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.bits().eq(other.bits())
    }
}

impl Eq for Times<'_> {}

impl Hash for Times<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits().for_each(|bits| state.write_u32(bits));
    }
}

/// Puts tracks into groups, key after key; `lens` are the keys of each timeline. `value` and
/// `slope` say what is kept of each.
fn pack<T: Copy>(
    mut items: Vec<Item<'_, T>>,
    lens: &[usize],
    value: impl Fn(T) -> T,
    slope: impl Fn(T) -> T,
) -> Channel<T> {
    items.sort_unstable_by_key(|item| (item.group, item.target));
    let mut channel = Channel::default();
    for tracks in items.chunk_by(|a, b| a.group == b.group) {
        let (interpolation, timeline, end, _) = tracks[0].group;
        let (first_target, first_value) = (channel.targets.len(), channel.values.len());
        let group = channel.groups.len() as u32;
        for track in tracks {
            // Checked: joints and weights are numbered in 32 bits.
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
            unit: true,
        });
        for key in 0..lens[timeline] {
            for row in 0..interpolation.width() {
                put_row(tracks, key, row, (&value, &slope), &mut channel.values);
            }
        }
    }
    channel.index.sort_unstable();
    channel.shrink();
    channel
}

/// The same with zero for what is too small to matter. Of two keys that are half a turn apart the
/// smallest components say which way it goes, so less of them is taken, and nothing where the way
/// would be another.
fn flushed(mut channel: Channel<[f32; 4]>, lens: &[usize]) -> Channel<[f32; 4]> {
    for group in &channel.groups {
        let (width, value_row) = (group.interpolation.width(), group.interpolation.value_row());
        for target in 0..group.len {
            let at = |key: usize| group.first_value + (key * width + value_row) * group.len + target;
            let mut before = Turn::Short;
            for key in 0..lens[group.timeline] {
                let value = channel.values[at(key)];
                let next = (key + 1 < lens[group.timeline]).then(|| channel.values[at(key + 1)]);
                let after = next.map_or(Turn::Short, |next| Turn::between(value, next));
                channel.values[at(key)] = match before.max(after) {
                    Turn::Short => flush::rotation(value),
                    Turn::Half => flush::vector(value),
                    Turn::HalfByTheLeast => value,
                };
                before = after;
            }
        }
    }
    channel
}

/// How far two keys are apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    /// Less than half a turn.
    Short,
    /// Half a turn, but for a millionth.
    Half,
    /// The same, and only numbers too small to matter say which way it goes.
    HalfByTheLeast,
}

impl Turn {
    fn between(a: [f32; 4], b: [f32; 4]) -> Self {
        let dot = |a: [f32; 4], b: [f32; 4]| -> f64 {
            a.iter().zip(&b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
        };
        let (exact, flushed) = (dot(a, b), dot(flush::vector(a), flush::vector(b)));
        match exact.abs() < 1e-6 {
            false => Self::Short,
            true if (exact < 0.0) == (flushed < 0.0) => Self::Half,
            true => Self::HalfByTheLeast,
        }
    }
}

/// The same with groups marked in which a rotation is not of length one.
fn marked(mut channel: Channel<[f32; 4]>) -> Channel<[f32; 4]> {
    let starts: Vec<usize> = channel.groups.iter().map(|group| group.first_value).collect();
    for (i, group) in channel.groups.iter_mut().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(channel.values.len());
        group.unit = channel.values[group.first_value..end].iter().all(|&rotation| is_unit(rotation));
    }
    channel
}

/// One row of one key of all tracks of a group.
fn put_row<T: Copy>(
    tracks: &[Item<'_, T>],
    key: usize,
    row: usize,
    (kept_value, kept_slope): (impl Fn(T) -> T, impl Fn(T) -> T),
    to: &mut Vec<T>,
) {
    for track in tracks {
        let (width, value_row) = (track.given.width(), track.given.value_row());
        // Of cubic keys that never change only the values are left.
        let row = if track.group.0 == Interpolation::Cubic { row } else { value_row };
        let values = &track.values[(key * width + row) * track.count..][..track.count];
        to.extend(
            values.iter().map(|&value| if row == value_row { kept_value(value) } else { kept_slope(value) }),
        );
    }
}
