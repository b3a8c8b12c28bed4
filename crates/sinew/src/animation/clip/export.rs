//! Export: the tracks of a clip as arrays, for writing files.

use sinew_kernels::BLOCK;

use super::curves::{Curves, TrackPlace};
use super::data::{Channel, Group};
use super::joint_value::JointValue;
use super::{Clip, Interpolation, Keys, Track};
use crate::skeleton::JointId;

/// A track that owns its arrays; see [`Track`].
#[derive(Clone, Debug, PartialEq)]
pub struct TrackData {
    /// Seconds.
    pub times: Vec<f32>,
    /// The animated target and its values.
    pub keys: KeyData,
    /// How values between keys are interpolated.
    pub interpolation: Interpolation,
}

/// The values of a track in owned arrays; see [`Keys`].
#[derive(Clone, Debug, PartialEq)]
pub enum KeyData {
    /// See [`Keys::Rotations`].
    Rotations {
        /// The joint.
        joint: JointId,
        /// Unit quaternions (x, y, z, w), and slopes if cubic.
        values: Vec<[f32; 4]>,
    },
    /// See [`Keys::Translations`].
    Translations {
        /// The joint.
        joint: JointId,
        /// Translations, and slopes if cubic.
        values: Vec<[f32; 3]>,
    },
    /// See [`Keys::Scales`].
    Scales {
        /// The joint.
        joint: JointId,
        /// Scale factors, and slopes if cubic.
        values: Vec<[f32; 3]>,
    },
    /// See [`Keys::Weights`].
    Weights {
        /// The index of the first weight in the pose.
        first: usize,
        /// The number of weights.
        count: usize,
        /// The weights in key-major order.
        values: Vec<f32>,
    },
}

impl TrackData {
    /// The track in the borrowed form that [`Clip::new`] takes.
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
    /// All tracks: rotations first, then translations, scales and weights. Allocates for each
    /// track.
    ///
    /// A track equals the one that the clip was built from, with these exceptions: rotations are
    /// normalized, and a track whose keys are all equal has only the first and the last key, as
    /// [`Interpolation::Step`].
    pub fn tracks(&self) -> impl Iterator<Item = TrackData> {
        let rotations =
            self.joint_tracks(&self.rotations, |joint, values| KeyData::Rotations { joint, values });
        let nlerp_rotations = self.nlerp_rotations.iter().flat_map(|curves| {
            self.joint_tracks(curves, |joint, values| {
                let values = values.into_iter().map(|rotation| rotation.0).collect();
                KeyData::Rotations { joint, values }
            })
        });
        let translations =
            self.joint_tracks(&self.translations, |joint, values| KeyData::Translations { joint, values });
        let scales = self.joint_tracks(&self.scales, |joint, values| KeyData::Scales { joint, values });
        let weights = self.weights.iter().flat_map(|channel| {
            channel.groups.iter().map(|group| {
                let first = channel.targets_of(group).first().map_or(0, |&first| first as usize);
                let values = self.values(channel, group, 0..group.len);
                let keys = KeyData::Weights { first, count: group.len, values };
                TrackData { times: self.group_times(group), keys, interpolation: group.interpolation }
            })
        });
        rotations.chain(nlerp_rotations).chain(translations).chain(scales).chain(weights)
    }

    fn joint_tracks<T: JointValue>(
        &self,
        curves: &Curves<T>,
        keys: impl Fn(JointId, Vec<T>) -> KeyData,
    ) -> impl Iterator<Item = TrackData> {
        curves.tracks.iter().filter_map(move |track| {
            let (joint, lane) = (JointId::new(track.joint as usize), track.joint as usize % BLOCK);
            let (times, values, interpolation) = match track.place {
                TrackPlace::Rows { block, own } => {
                    let (times, values) = self.on_rows(curves.rows.own_keys(block as usize, lane, own));
                    (times, values, Interpolation::Linear)
                }
                TrackPlace::PackedRow { block, own } => {
                    let keys = curves.rows.own_packed_keys(block as usize, lane, own);
                    let (times, values) = self.on_rows(keys);
                    (times, values, Interpolation::Linear)
                }
                TrackPlace::SingleRow { number, own } => {
                    let (times, values) = self.on_rows(curves.rows.own_single_keys(number as usize, own));
                    (times, values, Interpolation::Linear)
                }
                TrackPlace::Keyed(track) => {
                    let (times, values) = curves.keyed()?.keys(track as usize);
                    (times, values, Interpolation::Linear)
                }
                TrackPlace::Sparse(track) => {
                    let (times, values) = self.on_rows(curves.sparse()?.keys(track as usize));
                    (times, values, Interpolation::Linear)
                }
                TrackPlace::Constant { start, end } => {
                    let times = if start < end { vec![start, end] } else { vec![start] };
                    let values = vec![curves.constant(joint.index())?; times.len()];
                    (times, values, Interpolation::Step)
                }
                TrackPlace::Other(group) => {
                    let others = curves.others.as_ref()?;
                    let group = &others.groups[group as usize];
                    let joints = others.targets_of(group);
                    let slot = joints.iter().position(|&joint| joint == track.joint).unwrap_or_default();
                    let values = self.values(others, group, slot..slot + 1);
                    (self.group_times(group), values, group.interpolation)
                }
            };
            Some(TrackData { times, keys: keys(joint, values), interpolation })
        })
    }

    /// The times and values of keys on the common timeline.
    fn on_rows<T>(&self, keys: impl Iterator<Item = (usize, T)>) -> (Vec<f32>, Vec<T>) {
        let times = self.rows.map_or(&[][..], |rows| rows.times(&self.times));
        keys.map(|(row, value)| (times[row], value)).unzip()
    }

    fn group_times(&self, group: &Group) -> Vec<f32> {
        let mut times = self.timelines[group.timeline].times(&self.times).to_vec();
        times.extend(self.omitted_end(group));
        times
    }

    /// The time of the last key, if that key was omitted.
    fn omitted_end(&self, group: &Group) -> Option<f32> {
        let times = self.timelines[group.timeline].times(&self.times);
        (times[times.len() - 1] < group.end).then_some(group.end)
    }

    fn values<T: Copy>(&self, channel: &Channel<T>, group: &Group, slots: std::ops::Range<usize>) -> Vec<T> {
        let last = self.timelines[group.timeline].len - 1;
        let keys = (0..=last).chain(self.omitted_end(group).map(|_| last));
        let rows = keys.flat_map(|key| (0..group.interpolation.values_per_key()).map(move |row| (key, row)));
        rows.flat_map(|(key, row)| channel.row(group, key, row)[slots.clone()].iter().copied()).collect()
    }
}
