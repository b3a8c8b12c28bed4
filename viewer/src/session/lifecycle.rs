//! Builds a session and updates it when settings change.

use std::sync::Arc;

use sinew::Aabb;
use sinew::geometry::MeshFacing;

use super::config::{SessionConfig, drop_unavailable, vertex_coloring};
use crate::draw::{OrbitCamera, Surface, SurfaceInput};
use crate::methods::{MethodAvailability, Pipeline, PipelineTimes, influence_limit};
use crate::scene::{self, AnimationSource, Grid, Subject, VertexColoring};
use crate::settings::{FIGURE, Settings};
use crate::shapes::{Hit, Picker, RunPositions};

/// Seconds that the stages of a frame took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageTimes {
    /// Animating and skinning.
    pub pipeline: PipelineTimes,
    /// Planes, silhouettes, shadows and other overlays.
    pub shapes: f64,
    /// Uploading and drawing.
    pub draw: f64,
}

/// A loaded subject with its copies, its skinning pipeline and its camera.
pub struct Session {
    /// The model that the copies show.
    pub subject: Arc<Subject>,
    /// Positions of the copies.
    pub grid: Grid,
    /// The camera.
    pub camera: OrbitCamera,
    /// Which methods are unavailable for the subject.
    pub availability: MethodAvailability,
    /// The hit of the last click.
    pub hit: Option<Hit>,
    /// The camera to which "Reset view" returns.
    pub(super) default_camera: OrbitCamera,
    pub(super) pipeline: Pipeline,
    /// CPU skinning for overlays while the GPU method is active.
    pub(super) cpu_pipeline: Option<Pipeline>,
    pub(super) cpu_surfaces: Vec<SurfaceInput>,
    /// Edges and facing of each mesh instance, found when a layer first needs them.
    pub(super) facing: Option<Vec<MeshFacing>>,
    pub(super) picker: Picker,
    pub(super) motion_bounds: Aabb,
    pub(super) surfaces: Vec<Surface>,
    pub(super) coloring: VertexColoring,
    pub(super) versions: [u64; 2],
    pub(super) config: SessionConfig,
    pub(super) positions: RunPositions,
    /// What the user should know about the subject, until it was shown.
    note: Option<String>,
}

impl Session {
    /// Loads what the settings name. If that fails, loads the figure and also returns a message.
    ///
    /// # Errors
    ///
    /// If the figure cannot be built either, because `SINEW_ISA` is invalid.
    pub fn new(settings: &mut Settings) -> Result<(Self, Option<String>), String> {
        match scene::load(&settings.model, settings.weights, &settings.clip_files)
            .and_then(|subject| Self::from_subject(subject, settings))
        {
            Ok(loaded) => Ok(loaded),
            Err(error) => {
                settings.choose_model(FIGURE);
                let (session, _) = Self::from_subject(scene::load(FIGURE, settings.weights, &[])?, settings)?;
                Ok((session, Some(error)))
            }
        }
    }

    /// Builds a session for a subject. Also returns a message if settings had to change for it.
    ///
    /// # Errors
    ///
    /// If the subject cannot be skinned at all.
    pub fn from_subject(subject: Subject, settings: &mut Settings) -> Result<(Self, Option<String>), String> {
        let subject = Arc::new(subject);
        let availability = MethodAvailability::new(&subject, settings.weights);
        let message = drop_unavailable(settings, &subject, &availability);
        let config = SessionConfig::new(settings, &subject);
        let source = AnimationSource::new(settings, &subject);
        let motion_bounds = scene::motion_bounds(&subject, source);
        let spacing = scene::spacing(&subject, &motion_bounds);
        let grid = Grid::new(config.copies, spacing, subject.is_cylinder);
        let pipeline = config.build_pipeline(&subject, settings)?;
        let coloring = vertex_coloring(settings);
        let surfaces = scene::surfaces(&subject, influence_limit(&subject, settings.weights), coloring);
        let camera = initial_camera(settings, &grid, &motion_bounds);
        let note = subject.note.clone();
        let session = Self {
            subject,
            grid,
            camera,
            default_camera: camera,
            availability,
            hit: None,
            pipeline,
            cpu_pipeline: None,
            cpu_surfaces: Vec::new(),
            facing: None,
            picker: Picker::default(),
            motion_bounds,
            surfaces,
            coloring,
            versions: [0, 0],
            config,
            positions: RunPositions::default(),
            note,
        };
        Ok((session, message))
    }

    /// What the user should know about a newly loaded subject; `None` when asked again.
    pub fn take_note(&mut self) -> Option<String> {
        self.note.take()
    }

    /// Updates the session to the settings. If they cannot be met, the session stays as it was, the
    /// settings are changed back, and a message is returned.
    pub fn apply_settings(&mut self, settings: &mut Settings) -> Option<String> {
        let wanted = SessionConfig::new(settings, &self.subject);
        let model_changed = wanted.model != self.config.model;
        let cylinder_weights_changed = self.subject.is_cylinder && wanted.weights != self.config.weights;
        if model_changed || cylinder_weights_changed {
            return self.reload(settings, model_changed);
        }
        let mut message = None;
        if wanted != self.config {
            if wanted.weights != self.config.weights {
                self.availability = MethodAvailability::new(&self.subject, wanted.weights);
            }
            message = drop_unavailable(settings, &self.subject, &self.availability);
            message = self.rebuild_pipeline(settings).or(message);
        }
        if vertex_coloring(settings) != self.coloring {
            self.coloring = vertex_coloring(settings);
            scene::recolor(&self.subject, self.coloring, &mut self.surfaces);
            self.versions[1] += 1;
        }
        message
    }

    fn reload(&mut self, settings: &mut Settings, model_changed: bool) -> Option<String> {
        let previous = (self.camera, self.versions, self.config.model.clone());
        let loaded = scene::load(&settings.model, settings.weights, &settings.clip_files)
            .and_then(|subject| Self::from_subject(subject, settings));
        match loaded {
            Ok((session, message)) => {
                *self = session;
                self.versions = previous.1.map(|version| version + 1);
                if !model_changed {
                    self.camera = previous.0;
                }
                message
            }
            Err(error) => {
                settings.model = previous.2;
                settings.weights = self.config.weights;
                Some(error)
            }
        }
    }

    /// Replaces the subject.
    pub fn replace_subject(&mut self, subject: Subject, settings: &mut Settings) -> Option<String> {
        let previous = self.versions;
        settings.model = subject.name.clone();
        match Self::from_subject(subject, settings) {
            Ok((session, message)) => {
                *self = session;
                self.versions = previous.map(|version| version + 1);
                message
            }
            Err(error) => {
                settings.model = self.config.model.clone();
                Some(error)
            }
        }
    }

    /// Rebuilds the pipeline for another method or number of copies.
    fn rebuild_pipeline(&mut self, settings: &mut Settings) -> Option<String> {
        let config = SessionConfig::new(settings, &self.subject);
        match config.build_pipeline(&self.subject, settings) {
            Ok(pipeline) => {
                if config.copies != self.config.copies {
                    let spacing = scene::spacing(&self.subject, &self.motion_bounds);
                    self.grid = Grid::new(config.copies, spacing, self.subject.is_cylinder);
                    let OrbitCamera { yaw, pitch, .. } = self.camera;
                    self.default_camera = initial_camera(settings, &self.grid, &self.motion_bounds);
                    self.camera = OrbitCamera { yaw, pitch, ..self.default_camera };
                    self.hit = None;
                }
                if config.weights != self.config.weights {
                    let limit = influence_limit(&self.subject, config.weights);
                    self.surfaces = scene::surfaces(&self.subject, limit, self.coloring);
                    self.versions[0] += 1;
                }
                (self.pipeline, self.config, self.cpu_pipeline) = (pipeline, config, None);
                None
            }
            Err(error) => {
                (settings.method, settings.weights) = (self.config.method, self.config.weights);
                Some(error)
            }
        }
    }
}

fn initial_camera(settings: &Settings, grid: &Grid, motion_bounds: &Aabb) -> OrbitCamera {
    let mut camera = scene::default_camera(grid, motion_bounds);
    if let Some([yaw, pitch]) = settings.turn {
        (camera.yaw, camera.pitch) = (yaw.to_radians(), pitch.to_radians());
    }
    camera.zoom(1.0 / settings.zoom);
    camera
}
