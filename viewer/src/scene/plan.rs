//! What is played.

use sinew::Model;
use sinew_figures::Motion as Rule;

use super::Subject;
use crate::settings::{Motion, Settings};

/// What moves a subject, in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Plan {
    /// A motion by rule.
    Rule(Rule),
    /// A clip; and another, with how much there is of it.
    Clips {
        /// Which of the model's.
        first: usize,
        /// Which of the model's, and its share from 0 to 1.
        second: Option<(usize, f32)>,
    },
    /// Nothing.
    Rest,
}

impl Plan {
    /// What the settings say of a subject.
    #[must_use]
    pub fn new(settings: &Settings, subject: &Subject) -> Self {
        if subject.is_cylinder {
            return Self::Rule(match settings.motion {
                Motion::Sine => Rule::Sine,
                Motion::Noise => Rule::Noise { octaves: settings.octaves },
            });
        }
        let model = &subject.model;
        let find = |name: &Option<String>| name.as_ref().and_then(|name| clip_named(model, name));
        match find(&settings.clip) {
            Some(first) => {
                let second = find(&settings.second).map(|second| (second, settings.blend));
                Self::Clips { first, second: second.filter(|&(_, share)| share > 0.0) }
            }
            None => Self::Rest,
        }
    }

    /// After how many seconds it repeats; `None` for never.
    #[must_use]
    pub fn seconds(self, subject: &Subject) -> Option<f32> {
        match self {
            Self::Rule(rule) => rule.seconds(),
            Self::Clips { first, .. } => {
                let clip = &subject.model.clips()[first];
                Some(clip.end() - clip.start()).filter(|&seconds| seconds > 0.0)
            }
            Self::Rest => None,
        }
    }
}

/// The first of a name: names need not be unique.
pub(super) fn clip_named(model: &Model, name: &str) -> Option<usize> {
    model.clips().iter().position(|clip| clip.name() == name)
}
