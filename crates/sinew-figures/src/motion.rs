//! Procedural motions.

use sinew::{LengthError, Pose, Skeleton};

use crate::{cylinder, figure, ponytail, twist};

/// A procedural motion: a pose for every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// The cylinder bends in a wave that runs along it.
    Sine,
    /// The cylinder bends by noise. More octaves cost more time.
    Noise {
        /// The number of noise layers, each finer than the one before.
        octaves: u32,
    },
    /// The upper of two joints rotates about its own axis, by up to 180 degrees and back.
    Twist,
    /// The head turns left and right; springs move the ponytail.
    Shake,
    /// The figure walks on the spot.
    Walk,
    /// The figure stands and waves a hand.
    Wave,
}

impl Motion {
    /// The name, as shown to users.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sine => "sine",
            Self::Noise { .. } => "noise",
            Self::Twist => "twist",
            Self::Shake => "shake",
            Self::Walk => "walk",
            Self::Wave => "wave",
        }
    }

    /// The period in seconds; `None` for a motion that never repeats.
    #[must_use]
    pub const fn seconds(self) -> Option<f32> {
        match self {
            Self::Sine => Some(cylinder::SINE_SECONDS),
            Self::Noise { .. } => None,
            Self::Twist => Some(twist::TWIST_SECONDS),
            Self::Shake => Some(ponytail::SHAKE_SECONDS),
            Self::Walk => Some(figure::WALK_SECONDS),
            Self::Wave => Some(figure::WAVE_SECONDS),
        }
    }

    /// Writes every joint of a pose. Any time is valid, including negative ones.
    ///
    /// # Errors
    ///
    /// When the pose does not belong to the skeleton, or the skeleton to the motion's scene.
    pub fn pose(self, skeleton: &Skeleton, seconds: f32, pose: &mut Pose) -> Result<(), sinew::Error> {
        match self {
            Self::Sine => cylinder::sine(skeleton, seconds, pose),
            Self::Noise { octaves } => cylinder::noise(skeleton, octaves, seconds, pose),
            Self::Twist => twist::pose(skeleton, seconds, pose),
            Self::Shake => ponytail::shake(skeleton, seconds, pose),
            Self::Walk => figure::walk(skeleton, seconds, pose),
            Self::Wave => figure::wave(skeleton, seconds, pose),
        }
    }
}

/// Checks that a pose is of a scene's own skeleton.
pub(crate) fn check_joint_count(what: &'static str, expected: usize, pose: &Pose) -> Result<(), LengthError> {
    let found = pose.len();
    if found == expected { Ok(()) } else { Err(LengthError { what, expected, found }) }
}
