//! What animates a subject.

use sinew::Model;
use sinew_figures::Motion as ProceduralMotion;

use super::Subject;
use crate::settings::{Motion, Settings};

/// The source of the poses, with names resolved to indices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnimationSource {
    /// A procedural motion.
    Procedural(ProceduralMotion),
    /// One clip, or two that are blended.
    Clips {
        /// Index of the clip.
        first: usize,
        /// Index of the second clip and its weight from 0 to 1.
        second: Option<(usize, f32)>,
    },
    /// The rest pose.
    Rest,
}

impl AnimationSource {
    /// Resolves what the settings name.
    #[must_use]
    pub fn new(settings: &Settings, subject: &Subject) -> Self {
        if subject.is_cylinder {
            return Self::Procedural(match settings.motion {
                Motion::Sine => ProceduralMotion::Sine,
                Motion::Noise => ProceduralMotion::Noise { octaves: settings.octaves },
            });
        }
        let model = &subject.model;
        let find = |name: &Option<String>| name.as_ref().and_then(|name| find_clip(model, name));
        match find(&settings.clip) {
            Some(first) => {
                let second = find(&settings.second).map(|second| (second, settings.blend));
                Self::Clips { first, second: second.filter(|&(_, weight)| weight > 0.0) }
            }
            None => Self::Rest,
        }
    }

    /// Length in seconds after which it repeats; `None` if it never does.
    #[must_use]
    pub fn seconds(self, subject: &Subject) -> Option<f32> {
        match self {
            Self::Procedural(motion) => motion.seconds(),
            Self::Clips { first, .. } => {
                let clip = &subject.model.clips()[first];
                Some(clip.end() - clip.start()).filter(|&seconds| seconds > 0.0)
            }
            Self::Rest => None,
        }
    }
}

/// Index of the first clip with this name: names need not be unique.
pub(super) fn find_clip(model: &Model, name: &str) -> Option<usize> {
    model.clips().iter().position(|clip| clip.name() == name)
}
