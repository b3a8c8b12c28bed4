//! What a scene can do.

use sinew::{Pose, Skeleton};

use crate::{cylinder, figure, twist};

/// A motion by rule: a pose for every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// The cylinder bends in a wave that runs along it.
    Sine,
    /// The cylinder bends by noise of so many octaves; more of them take more time.
    Noise {
        /// Layers of noise, each finer than the one before.
        octaves: u32,
    },
    /// The upper joint of two turns about its own axis, by up to half a turn and back.
    Twist,
    /// The figure walks on the spot.
    Walk,
    /// The figure stands and waves a hand.
    Wave,
}

impl Motion {
    /// Its name, for menus.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sine => "sine",
            Self::Noise { .. } => "noise",
            Self::Twist => "twist",
            Self::Walk => "walk",
            Self::Wave => "wave",
        }
    }

    /// After how many seconds it repeats; `None` for never.
    #[must_use]
    pub const fn seconds(self) -> Option<f32> {
        match self {
            Self::Sine => Some(cylinder::SINE_SECONDS),
            Self::Noise { .. } => None,
            Self::Twist => Some(twist::TWIST_SECONDS),
            Self::Walk => Some(figure::WALK_SECONDS),
            Self::Wave => Some(figure::WAVE_SECONDS),
        }
    }

    /// Writes every joint of a pose as it is at a time, which may be any.
    ///
    /// # Errors
    ///
    /// When the pose is not the skeleton's, or the skeleton is not of the scene that the motion is for.
    pub fn pose(self, skeleton: &Skeleton, seconds: f32, pose: &mut Pose) -> Result<(), sinew::Error> {
        match self {
            Self::Sine => cylinder::sine(skeleton, seconds, pose),
            Self::Noise { octaves } => cylinder::noise(skeleton, octaves, seconds, pose),
            Self::Twist => twist::pose(skeleton, seconds, pose),
            Self::Walk => figure::walk(skeleton, seconds, pose),
            Self::Wave => figure::wave(skeleton, seconds, pose),
        }
    }
}
