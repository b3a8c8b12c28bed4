//! The shape of clips, until they are here.

use crate::{Error, Skeleton};

/// Keys of one channel of one joint.
#[derive(Clone, Copy, Debug)]
pub struct Track<'a> {
    /// Strictly rising, in seconds.
    pub times: &'a [f32],
    /// What is moved, and its values.
    pub keys: Keys<'a>,
    /// Between keys.
    pub interpolation: Interpolation,
}

/// What a track moves, and its values: one for each key, or three with [`Interpolation::Cubic`].
#[derive(Clone, Copy, Debug)]
pub enum Keys<'a> {
    /// Rotations.
    Rotations {
        /// Whose.
        joint: usize,
        /// (x, y, z, w).
        values: &'a [[f32; 4]],
    },
    /// Translations.
    Translations {
        /// Whose.
        joint: usize,
        /// In the parent's space.
        values: &'a [[f32; 3]],
    },
    /// Scales.
    Scales {
        /// Whose.
        joint: usize,
        /// Along the joint's axes.
        values: &'a [[f32; 3]],
    },
    /// Weights of morph targets.
    Weights {
        /// The first, in the list of poses.
        first: usize,
        /// How many.
        count: usize,
        /// So many for each key.
        values: &'a [f32],
    },
}

/// Between keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// The value of the key before.
    Step,
    /// Along the line; rotations along the arc.
    #[default]
    Linear,
    /// In-tangent, value, out-tangent.
    Cubic,
}

/// A clip.
#[derive(Clone, Debug)]
pub struct Clip {
    name: Box<str>,
    skeleton_len: usize,
    weights: usize,
    end: f32,
}

impl Clip {
    /// Checks tracks.
    ///
    /// # Errors
    ///
    /// None yet.
    pub fn new(name: &str, skeleton: &Skeleton, tracks: &[Track<'_>]) -> Result<Self, Error> {
        let end = tracks.iter().filter_map(|track| track.times.last()).fold(0.0_f32, |a, &b| a.max(b));
        Ok(Self {
            name: name.into(),
            skeleton_len: skeleton.len(),
            weights: skeleton.rest().morph_weights().len(),
            end,
        })
    }
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The time of the last key.
    #[must_use]
    pub fn end(&self) -> f32 {
        self.end
    }
    /// Of the skeleton.
    #[must_use]
    pub fn skeleton_len(&self) -> usize {
        self.skeleton_len
    }
    /// Of the skeleton.
    #[must_use]
    pub fn morph_weight_count(&self) -> usize {
        self.weights
    }
}
