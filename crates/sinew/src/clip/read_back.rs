//! A clip's tracks as arrays again, to write them to files.

use super::data::{Channel, Group};
use super::{Clip, Interpolation, Keys, Track};

/// A track with arrays of its own; see [`Track`].
#[derive(Clone, Debug, PartialEq)]
pub struct TrackData {
    /// Seconds.
    pub times: Vec<f32>,
    /// What the track moves, and where to.
    pub keys: KeyData,
    /// What lies between two keys.
    pub interpolation: Interpolation,
}

/// The values of a track with arrays of its own; see [`Keys`].
#[derive(Clone, Debug, PartialEq)]
pub enum KeyData {
    /// See [`Keys::Rotations`].
    Rotations {
        /// Index in the skeleton.
        joint: usize,
        /// Unit quaternions (x, y, z, w), and slopes.
        values: Vec<[f32; 4]>,
    },
    /// See [`Keys::Translations`].
    Translations {
        /// Index in the skeleton.
        joint: usize,
        /// Places, and slopes.
        values: Vec<[f32; 3]>,
    },
    /// See [`Keys::Scales`].
    Scales {
        /// Index in the skeleton.
        joint: usize,
        /// Factors, and slopes.
        values: Vec<[f32; 3]>,
    },
    /// See [`Keys::Weights`].
    Weights {
        /// The first weight's index in the pose.
        first: usize,
        /// How many weights.
        count: usize,
        /// Key after key.
        values: Vec<f32>,
    },
}

impl TrackData {
    /// The same, borrowed: what [`Clip::new`] takes.
    #[must_use]
    pub fn track(&self) -> Track<'_> {
        let keys = match &self.keys {
            KeyData::Rotations { joint, values } => Keys::Rotations { joint: *joint, values },
            KeyData::Translations { joint, values } => Keys::Translations { joint: *joint, values },
            KeyData::Scales { joint, values } => Keys::Scales { joint: *joint, values },
            KeyData::Weights { first, count, values } => {
                Keys::Weights { first: *first, count: *count, values }
            }
        };
        Track { times: &self.times, keys, interpolation: self.interpolation }
    }
}

impl Clip {
    /// Every track, rotations before translations, scales and weights. Takes memory for each.
    ///
    /// A track is as it was given, with two exceptions: rotations have length one, and a track whose keys are all the same
    /// has only the first and the last of them, as [`Interpolation::Step`].
    pub fn tracks(&self) -> impl Iterator<Item = TrackData> {
        let rotations = self.of_joints(&self.rotations, |joint, values| KeyData::Rotations { joint, values });
        let translations =
            self.of_joints(&self.translations, |joint, values| KeyData::Translations { joint, values });
        let scales = self.of_joints(&self.scalings, |joint, values| KeyData::Scales { joint, values });
        let weights = self.weights.groups.iter().map(|group| {
            let first = self.weights.targets_of(group).first().map_or(0, |&first| first as usize);
            let values = self.values(&self.weights, group, 0..group.len);
            let keys = KeyData::Weights { first, count: group.len, values };
            TrackData { times: self.times_of(group), keys, interpolation: group.interpolation }
        });
        rotations.chain(translations).chain(scales).chain(weights)
    }

    fn of_joints<T: Copy>(
        &self,
        channel: &Channel<T>,
        keys: impl Fn(usize, Vec<T>) -> KeyData,
    ) -> impl Iterator<Item = TrackData> {
        let slots = channel.groups.iter().flat_map(|group| (0..group.len).map(move |slot| (group, slot)));
        slots.map(move |(group, slot)| {
            let joint = channel.targets_of(group)[slot] as usize;
            let keys = keys(joint, self.values(channel, group, slot..slot + 1));
            TrackData { times: self.times_of(group), keys, interpolation: group.interpolation }
        })
    }

    fn times_of(&self, group: &Group) -> Vec<f32> {
        let mut times = self.timelines[group.timeline].times(&self.times).to_vec();
        times.extend(self.left_out(group));
        times
    }

    /// The time of the last key where that was left out.
    fn left_out(&self, group: &Group) -> Option<f32> {
        let times = self.timelines[group.timeline].times(&self.times);
        (times[times.len() - 1] < group.end).then_some(group.end)
    }

    fn values<T: Copy>(&self, channel: &Channel<T>, group: &Group, slots: std::ops::Range<usize>) -> Vec<T> {
        let last = self.timelines[group.timeline].len - 1;
        let keys = (0..=last).chain(self.left_out(group).map(|_| last));
        let rows = keys.flat_map(|key| (0..group.interpolation.width()).map(move |row| (key, row)));
        rows.flat_map(|(key, row)| channel.row(group, key, row)[slots.clone()].iter().copied()).collect()
    }
}
