//! A clip as it lies in memory.
//!
//! Tracks of one channel that have the same times and interpolation form a group, whose values lie key after key: to
//! sample it is to go from one row of values to the next, and one search finds both.

use sinew_kernels::Kernels;

use super::timeline::Timeline;
use super::{Cursor, Interpolation};

/// Keys over time that move some joints and morph weights of a skeleton, checked once.
///
/// A clip owns nothing that grows with the skeleton, and tracks whose keys are all the same are stored as one value. It may
/// be shared by any number of threads; each has a [`Cursor`] of its own.
///
/// ```
/// use sinew::{Bone, Clip, Interpolation, Keys, Pose, Skeleton, Track, Transform};
///
/// let skeleton = Skeleton::new(&[Bone::new("root", None, Transform::IDENTITY)])?;
/// let clip = Clip::new("slide", &skeleton, &[Track {
///     times: &[0.0, 2.0],
///     keys: Keys::Translations { joint: 0, values: &[[0.0; 3], [4.0, 0.0, 0.0]] },
///     interpolation: Interpolation::Linear,
/// }])?;
/// let (mut cursor, mut pose) = (clip.cursor(), Pose::new(&skeleton));
/// clip.sample(0.5, &mut cursor, &mut pose)?;
/// assert_eq!(pose.joints()[0].translation, [1.0, 0.0, 0.0]);
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
    /// For looks at single joints; sampling takes the pose's.
    pub(super) kernels: &'static Kernels,
    /// Whether a scale is ever other than one.
    pub(super) scales: bool,
    /// Of all timelines, one after the other.
    pub(super) times: Vec<f32>,
    pub(super) timelines: Vec<Timeline>,
    pub(super) rotations: Channel<[f32; 4]>,
    pub(super) translations: Channel<[f32; 3]>,
    pub(super) scalings: Channel<[f32; 3]>,
    pub(super) weights: Channel<f32>,
}

/// All tracks of one channel.
#[derive(Clone, Debug)]
pub(super) struct Channel<T> {
    pub(super) groups: Vec<Group>,
    /// What the tracks of groups move, group after group: joints, in order within a group; or weights.
    pub(super) targets: Vec<u32>,
    /// The values of groups, group after group; within a group key after key; within a key slope in, value and slope out
    /// of all tracks, or the values alone.
    pub(super) values: Vec<T>,
    /// Targets in order, each with its group.
    pub(super) index: Vec<(u32, u32)>,
}

impl<T> Default for Channel<T> {
    fn default() -> Self {
        Self { groups: Vec::new(), targets: Vec::new(), values: Vec::new(), index: Vec::new() }
    }
}

/// Tracks of one channel with the same times and interpolation; or one track of weights.
///
/// Tracks that never change are steps with one key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) timeline: usize,
    pub(super) interpolation: Interpolation,
    /// Where its targets begin.
    pub(super) first_target: usize,
    /// How many targets.
    pub(super) len: usize,
    /// Where its values begin.
    pub(super) first_value: usize,
    /// When the last key was, also where it was left out because nothing changes.
    pub(super) end: f32,
    /// Whether all rotations have length one; means nothing of other channels, and of cubic tracks.
    pub(super) unit: bool,
}

impl<T: Copy> Channel<T> {
    #[inline]
    pub(super) fn targets_of(&self, group: &Group) -> &[u32] {
        &self.targets[group.first_target..][..group.len]
    }

    /// The values of a key, one for each target. Of cubic keys the slopes in (row 0), values (1) or slopes out (2).
    #[inline]
    pub(super) fn row(&self, group: &Group, key: usize, row: usize) -> &[T] {
        let first = (key * group.interpolation.width() + row) * group.len;
        &self.values[group.first_value + first..][..group.len]
    }

    /// Gives back what memory is not used.
    pub(super) fn shrink(&mut self) {
        self.groups.shrink_to_fit();
        self.targets.shrink_to_fit();
        self.values.shrink_to_fit();
        self.index.shrink_to_fit();
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.groups)
            + size_of_val(&*self.targets)
            + size_of_val(&*self.values)
            + size_of_val(&*self.index)
    }
}

impl Clip {
    /// Its name; may be empty.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Seconds: the time of the first key of all; zero where there are no keys.
    #[must_use]
    pub fn start(&self) -> f32 {
        self.start
    }

    /// Seconds: the time of the last key of all; zero where there are no keys.
    #[must_use]
    pub fn end(&self) -> f32 {
        self.end
    }

    /// How many tracks it was made of.
    #[must_use]
    pub fn track_count(&self) -> usize {
        self.track_count
    }

    /// How many keys those had together.
    #[must_use]
    pub fn key_count(&self) -> usize {
        self.key_count
    }

    /// How many joints the skeleton has that it was made for.
    #[must_use]
    pub fn skeleton_len(&self) -> usize {
        self.skeleton_len
    }

    /// How many morph weights that skeleton has.
    #[must_use]
    pub fn morph_weight_count(&self) -> usize {
        self.morph_weight_count
    }

    /// Whether it ever scales a joint.
    pub(crate) fn has_scales(&self) -> bool {
        self.scales
    }

    /// The memory it takes, all of it, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.name.len()
            + size_of_val(&*self.times)
            + size_of_val(&*self.timelines)
            + self.rotations.bytes()
            + self.translations.bytes()
            + self.scalings.bytes()
            + self.weights.bytes()
    }

    /// Remembers places in this clip, so that going on from them is cheap. Takes all its memory now.
    #[must_use]
    pub fn cursor(&self) -> Cursor {
        Cursor::new(self.timelines.len())
    }
}
