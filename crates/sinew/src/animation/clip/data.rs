//! The memory layout of a clip.
//!
//! Linear tracks of joints, which are nearly all, are stored in blocks of eight joints: see
//! `curves.rs`. For others, tracks of one channel with the same times and interpolation form a
//! group. The values of a group are stored in key-major order, so sampling interpolates between two
//! rows of values, and one search finds both rows.

use std::sync::Arc;

use sinew_kernels::KeyTarget;

use super::curves::Curves;
use super::nlerp::Nlerp;
use super::sparse_tracks::CommonTime;
use super::timeline::{KeySpan, KeyTimes, Timeline};
use super::{ClipEvent, Cursor, Interpolation};
use crate::runtime::Runtime;

/// Key frames that animate joints and morph weights of a skeleton, checked once.
///
/// The size of a clip depends only on its tracks, not on the skeleton. A track whose keys are all
/// equal is stored as one value. A clip can be shared between threads; each thread needs its own
/// [`Cursor`].
///
/// ```
/// use sinew::animation::{Interpolation, Keys, Track};
/// use sinew::{Bone, Clip, Pose, Skeleton, Transform};
///
/// let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)])?;
/// let root = skeleton.joint("root")?;
/// let track = Track {
///     times: &[0.0, 2.0],
///     keys: Keys::Translations { joint: root, values: &[[0.0; 3], [4.0, 0.0, 0.0]] },
///     interpolation: Interpolation::Linear,
/// };
/// let clip = Clip::new("slide", &skeleton, &[track])?;
/// let (mut cursor, mut pose) = (clip.cursor(), Pose::new(&skeleton));
/// clip.sample(0.5, &mut cursor, &mut pose)?;
/// assert_eq!(pose.translation(root), [1.0, 0.0, 0.0]);
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Clip {
    pub(super) name: String,
    pub(super) skeleton_len: usize,
    pub(super) morph_weight_count: usize,
    pub(super) start: f32,
    pub(super) end: f32,
    pub(super) track_count: usize,
    pub(super) key_count: usize,
    /// The runtime for sampling single joints. Sampling a pose uses the pose's runtime.
    pub(super) runtime: Runtime,
    /// Whether any scale differs from one.
    pub(super) scaled: bool,
    /// Tells cursors of this clip, or of a clone, from those of other clips.
    pub(super) identity: Arc<()>,
    /// The times of all timelines.
    pub(super) times: KeyTimes,
    /// The timelines of groups.
    pub(super) timelines: Box<[Timeline]>,
    /// The common timeline of linear tracks that have one.
    pub(super) rows: Option<Timeline>,
    pub(super) rotations: Curves<[f32; 4]>,
    /// Rotations that are interpolated by nlerp: linear tracks only. `None` if there are none.
    pub(super) nlerp_rotations: Option<Box<Curves<Nlerp>>>,
    pub(super) translations: Curves<[f32; 3]>,
    pub(super) scales: Curves<[f32; 3]>,
    /// `None` if no morph weight is animated.
    pub(super) weights: Option<Box<Channel<f32>>>,
    /// In order of their times.
    pub(super) events: Vec<ClipEvent>,
}

/// Tracks of one channel in groups.
#[derive(Clone, Debug)]
pub(super) struct Channel<T> {
    pub(super) groups: Vec<Group>,
    /// The targets of each group, concatenated: joints in ascending order within a group, or
    /// weights.
    pub(super) targets: Vec<u32>,
    /// The values of each group, concatenated, in key-major order. A cubic key has three rows:
    /// slopes in, values and slopes out of all tracks. Other keys have one row of values.
    pub(super) values: Vec<T>,
}

impl<T> Default for Channel<T> {
    fn default() -> Self {
        Self { groups: Vec::new(), targets: Vec::new(), values: Vec::new() }
    }
}

/// Tracks of one channel with the same times and interpolation, or a single track of weights.
///
/// A track that never changes is stored as a step with one key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) timeline: usize,
    pub(super) interpolation: Interpolation,
    /// The index of its first target.
    pub(super) first_target: usize,
    /// The number of targets.
    pub(super) len: usize,
    /// The index of its first value.
    pub(super) first_value: usize,
    /// The time of the last key, even if that key was omitted because the track never changes.
    pub(super) end: f32,
}

impl<T: Copy> Channel<T> {
    #[inline]
    pub(super) fn targets_of(&self, group: &Group) -> &[u32] {
        &self.targets[group.first_target..][..group.len]
    }

    /// The values of a key, one for each target. For cubic keys: slopes in (row 0), values (row 1)
    /// or slopes out (row 2).
    #[inline]
    pub(super) fn row(&self, group: &Group, key: usize, row: usize) -> &[T] {
        let first = (key * group.interpolation.values_per_key() + row) * group.len;
        &self.values[group.first_value + first..][..group.len]
    }

    /// Frees unused capacity.
    pub(super) fn shrink(&mut self) {
        self.groups.shrink_to_fit();
        self.targets.shrink_to_fit();
        self.values.shrink_to_fit();
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.groups) + size_of_val(&*self.targets) + size_of_val(&*self.values)
    }
}

impl Clip {
    /// The name; may be empty.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The time of the first key in seconds; zero if there are no keys.
    #[must_use]
    pub fn start(&self) -> f32 {
        self.start
    }

    /// The time of the last key in seconds; zero if there are no keys.
    #[must_use]
    pub fn end(&self) -> f32 {
        self.end
    }

    /// The number of tracks that the clip was built from.
    #[must_use]
    pub fn track_count(&self) -> usize {
        self.track_count
    }

    /// The total number of keys of those tracks.
    #[must_use]
    pub fn key_count(&self) -> usize {
        self.key_count
    }

    /// The number of joints of the skeleton that the clip was built for.
    #[must_use]
    pub fn skeleton_len(&self) -> usize {
        self.skeleton_len
    }

    /// The number of morph weights of that skeleton.
    #[must_use]
    pub fn morph_weight_count(&self) -> usize {
        self.morph_weight_count
    }

    /// The blocks of tracks that a cursor holds keys of: rotations, those by nlerp, translations,
    /// scales.
    pub(super) fn cursor_targets(&self) -> [[&[KeyTarget]; 2]; 4] {
        let none: [&[KeyTarget]; 2] = [&[], &[]];
        let nlerp = self.nlerp_rotations.as_ref().map_or(none, |rotations| rotations.cursor_targets());
        let Self { rotations, translations, scales, .. } = self;
        [rotations.cursor_targets(), nlerp, translations.cursor_targets(), scales.cursor_targets()]
    }

    /// A time as tracks on the common timeline need it. `last_row` is that of the last sample.
    pub(super) fn common_time(&self, seconds: f32, span: KeySpan, last_row: usize) -> CommonTime<'_> {
        let times = self.rows.map_or(&[][..], |rows| rows.times(&self.times));
        let seconds = times.first().map_or(seconds, |&first| seconds.max(first));
        CommonTime { seconds, row: span.key, times, is_new: last_row != span.key }
    }

    /// Whether the clip scales any joint.
    pub(crate) fn has_scales(&self) -> bool {
        self.scaled
    }

    /// The size of the clip in memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.name.len()
            + self.times.bytes()
            + size_of_val(&*self.timelines)
            + self.rotations.bytes()
            + self.nlerp_rotations.as_ref().map_or(0, |curves| size_of_val(&**curves) + curves.bytes())
            + self.translations.bytes()
            + self.scales.bytes()
            + self.weights.as_ref().map_or(0, |weights| size_of_val(&**weights) + weights.bytes())
            + size_of_val(&*self.events)
            + self.events.iter().map(|event| event.name.len()).sum::<usize>()
    }

    /// A cursor for sampling this clip. It does not allocate after this call.
    #[must_use]
    pub fn cursor(&self) -> Cursor {
        Cursor::new(self)
    }
}
