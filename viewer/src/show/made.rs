//! What a show was made for, and what it cannot have.

use crate::methods::{Crew, Kind, Refusals};
use crate::scene::{Painting, Subject};
use crate::settings::{CYLINDERS, DEFAULT_CYLINDERS, Layer, MOST_COPIES, Settings, Threads};

/// The most vertices of all copies: more take longer than anybody waits.
const MOST_VERTICES: usize = 1 << 23;

/// What the crew was made for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Made {
    pub(super) model: String,
    pub(super) kind: Kind,
    pub(super) row: &'static str,
    pub(super) weights: usize,
    pub(super) threads: Threads,
    pub(super) copies: usize,
}

impl Made {
    pub(super) fn new(settings: &Settings, subject: &Subject) -> Self {
        let usual = if settings.model == CYLINDERS { DEFAULT_CYLINDERS } else { 1 };
        let room = (MOST_VERTICES / subject.vertices().max(1)).clamp(1, MOST_COPIES);
        Self {
            model: settings.model.clone(),
            kind: settings.kind,
            row: settings.row.name(),
            weights: settings.weights,
            threads: settings.threads,
            copies: settings.copies.unwrap_or(usual).min(room),
        }
    }

    pub(super) fn crew(&self, subject: &Subject, settings: &Settings) -> Result<Crew, String> {
        let method = (settings.kind, settings.row);
        Crew::new(subject, method, (self.weights, self.copies), self.threads)
    }
}

/// What the settings colour vertices by.
pub(super) fn painting(settings: &Settings) -> Painting {
    match (settings.shown.has(Layer::Weights), settings.joint) {
        (false, _) => Painting::Own,
        (true, None) => Painting::Mixed,
        (true, Some(joint)) => Painting::Joint(joint),
    }
}

/// Gives up what a subject cannot have, and tells it.
pub(super) fn settle(settings: &mut Settings, subject: &Subject, refusals: &Refusals) -> Option<String> {
    let mut told = None;
    if let Some(reason) = refusals.of(settings.kind) {
        told = Some(format!("{}: {reason}", settings.kind.name()));
        settings.kind = Kind::Blocks;
    }
    let clips = subject.model.clips();
    let known = |name: &String| clips.iter().any(|clip| clip.name() == name);
    for chosen in [&mut settings.clip, &mut settings.second] {
        if let Some(name) = chosen.take_if(|name| !known(name) && !subject.is_cylinder) {
            let names: Vec<&str> = clips.iter().map(sinew::Clip::name).collect();
            told = Some(format!("clip {name:?}: expected one of {}", names.join(", ")));
        }
    }
    if settings.clip.is_none() && !subject.is_cylinder {
        settings.clip = clips.first().map(|clip| clip.name().to_owned());
    }
    told
}
