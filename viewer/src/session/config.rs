//! The settings that a session was built for.

use std::sync::Arc;

use crate::methods::{MethodAvailability, MethodKind, Pipeline};
use crate::scene::{Subject, VertexColoring};
use crate::settings::{CYLINDERS, DEFAULT_CYLINDERS, Layer, MAX_COPIES, Settings, Threads, Weights};

/// Maximum vertices of all copies together.
const MAX_VERTICES: usize = 1 << 23;

/// The settings that need a new pipeline when they change.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SessionConfig {
    pub(super) model: String,
    pub(super) method: MethodKind,
    pub(super) backend: &'static str,
    pub(super) weights: Weights,
    pub(super) threads: Threads,
    pub(super) copies: usize,
}

impl SessionConfig {
    pub(super) fn new(settings: &Settings, subject: &Subject) -> Self {
        let default = if settings.model == CYLINDERS { DEFAULT_CYLINDERS } else { 1 };
        let max_copies = (MAX_VERTICES / subject.vertices().max(1)).clamp(1, MAX_COPIES);
        Self {
            model: settings.model.clone(),
            method: settings.method,
            backend: settings.backend.name(),
            weights: settings.weights,
            threads: settings.threads,
            copies: settings.copies.unwrap_or(default).min(max_copies),
        }
    }

    pub(super) fn build_pipeline(
        &self,
        subject: &Arc<Subject>,
        settings: &Settings,
    ) -> Result<Pipeline, String> {
        let method = (settings.method, settings.backend);
        Pipeline::new(subject, method, (self.weights, self.copies), self.threads)
    }
}

/// How the settings color vertices.
pub(super) fn vertex_coloring(settings: &Settings) -> VertexColoring {
    match (settings.layers.contains(Layer::Weights), settings.joint) {
        (false, _) => VertexColoring::Material,
        (true, None) => VertexColoring::AllJoints,
        (true, Some(joint)) => VertexColoring::Joint(joint),
    }
}

/// Replaces settings that the subject does not support, and returns a message that names them.
pub(super) fn drop_unavailable(
    settings: &mut Settings,
    subject: &Subject,
    availability: &MethodAvailability,
) -> Option<String> {
    let mut message = None;
    if settings.weights == Weights::Varying && !subject.is_cylinder {
        settings.weights = Weights::AtMost(4);
    }
    if let Some(reason) = availability.unavailable_reason(settings.method) {
        message = Some(format!("{}: {reason}", settings.method.name()));
        settings.method = MethodKind::Blocks;
    }
    let clips = subject.model.clips();
    let known = |name: &String| clips.iter().any(|clip| clip.name() == name);
    for chosen in [&mut settings.clip, &mut settings.second] {
        if let Some(name) = chosen.take_if(|name| !known(name) && !subject.is_cylinder) {
            let names: Vec<&str> = clips.iter().map(sinew::Clip::name).collect();
            message = Some(format!("clip {name:?}: expected one of {}", names.join(", ")));
        }
    }
    if settings.clip.is_none() && !subject.is_cylinder {
        settings.clip = clips.first().map(|clip| clip.name().to_owned());
    }
    message
}
