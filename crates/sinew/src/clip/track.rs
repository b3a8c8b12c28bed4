//! What a clip is made of: tracks, each the keys of one channel.

/// The keys of one channel: when, what, and what lies between them.
#[derive(Clone, Copy, Debug)]
pub struct Track<'a> {
    /// Seconds, from zero up, each after the one before it. At least one.
    pub times: &'a [f32],
    /// What the track moves, and where to.
    pub keys: Keys<'a>,
    /// What lies between two keys.
    pub interpolation: Interpolation,
}

/// The values of a track: one for each time, or three for each where the interpolation is
/// [`Cubic`](Interpolation::Cubic).
#[derive(Clone, Copy, Debug)]
pub enum Keys<'a> {
    /// How a joint turns in its parent's space: quaternions (x, y, z, w), brought to length one.
    Rotations {
        /// Index in the skeleton.
        joint: usize,
        /// A quaternion for each key.
        values: &'a [[f32; 4]],
    },
    /// Where a joint stands in its parent's space: metres.
    Translations {
        /// Index in the skeleton.
        joint: usize,
        /// A place for each key.
        values: &'a [[f32; 3]],
    },
    /// How a joint is scaled along its own axes.
    Scales {
        /// Index in the skeleton.
        joint: usize,
        /// Three factors for each key.
        values: &'a [[f32; 3]],
    },
    /// Weights of morph targets, neighbours in the pose's list.
    Weights {
        /// The first weight's index in the pose.
        first: usize,
        /// How many weights: one or more.
        count: usize,
        /// `count` values for each key, key after key.
        values: &'a [f32],
    },
}

/// What lies between two keys. Before the first key and after the last, those hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Interpolation {
    /// The earlier key.
    Step,
    /// Rotations along the arc, the shortest way at even speed; everything else along the line.
    #[default]
    Linear,
    /// A curve with given slopes, as glTF's `CUBICSPLINE`. Three values for each key: the slope on the way in, the value
    /// and the slope on the way out, in units per second (for weights: `count` of each). Rotations are brought to length
    /// one afterwards; one that has no length there is no rotation at all.
    Cubic,
}

impl Interpolation {
    /// Values for each key.
    pub(super) fn width(self) -> usize {
        if self == Self::Cubic { 3 } else { 1 }
    }

    /// Which of those is where the track goes.
    pub(super) fn value_row(self) -> usize {
        if self == Self::Cubic { 1 } else { 0 }
    }
}

impl Keys<'_> {
    /// How many values there are, weights one by one.
    pub(super) fn len(&self) -> usize {
        match self {
            Keys::Rotations { values, .. } => values.len(),
            Keys::Translations { values, .. } | Keys::Scales { values, .. } => values.len(),
            Keys::Weights { values, .. } => values.len(),
        }
    }

    /// Values that stand in one place: as many as there are weights, else one.
    pub(super) fn count(&self) -> usize {
        match *self {
            Keys::Weights { count, .. } => count,
            _ => 1,
        }
    }
}
