//! What is shown: how it is made, and how it follows the settings.

use sinew::Aabb;

use super::made::{Made, painting, settle};
use crate::draw::{Moved, Surface, View};
use crate::methods::{Crew, Refusals, Times, max_influences};
use crate::scene::{self, Grid, Painting, Plan, Subject};
use crate::settings::{CYLINDERS, Settings};
use crate::shapes::{Faced, Hit, Picker, Places};

/// Seconds of the stages of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stages {
    /// Animating and skinning.
    pub crew: Times,
    /// Planes, silhouettes, shadows and what else follows the skin.
    pub shapes: f64,
    /// Until the picture is there.
    pub draw: f64,
}

/// What is shown.
pub struct Show {
    /// Of which copies are shown.
    pub subject: Subject,
    /// Where they stand.
    pub grid: Grid,
    /// From where they are seen.
    pub view: View,
    /// Which methods cannot be chosen, and why.
    pub refusals: Refusals,
    /// Where the last click met a surface.
    pub hit: Option<Hit>,
    /// From where they were seen first.
    pub(super) usual: View,
    pub(super) crew: Crew,
    /// Skins beside the graphics processor, for what is drawn over the surface.
    pub(super) helper: Option<Crew>,
    pub(super) helped: Vec<Moved>,
    pub(super) faced: Option<Faced>,
    pub(super) picker: Picker,
    pub(super) reach: Aabb,
    pub(super) surfaces: Vec<Surface>,
    pub(super) painting: Painting,
    pub(super) versions: [u64; 2],
    pub(super) made: Made,
    pub(super) places: Places,
}

impl Show {
    /// Loads what the settings name. What cannot be had is replaced by the cylinders, and told.
    ///
    /// # Errors
    ///
    /// When not even those can be made: a bad `SINEW_ISA`.
    pub fn new(settings: &mut Settings) -> Result<(Self, Option<String>), String> {
        match scene::load(&settings.model, settings.weights, &settings.with)
            .and_then(|subject| Self::of(subject, settings))
        {
            Ok(show) => Ok((show.0, show.1)),
            Err(error) => {
                settings.model = CYLINDERS.to_owned();
                let (show, _) = Self::of(scene::load(CYLINDERS, settings.weights, &[])?, settings)?;
                Ok((show, Some(error)))
            }
        }
    }

    /// Shows a subject. Tells what the settings had to give up for it.
    ///
    /// # Errors
    ///
    /// When it cannot be skinned at all.
    pub fn of(subject: Subject, settings: &mut Settings) -> Result<(Self, Option<String>), String> {
        let refusals = Refusals::new(&subject, settings.weights);
        let told = settle(settings, &subject, &refusals);
        let made = Made::new(settings, &subject);
        let plan = Plan::new(settings, &subject);
        let reach = scene::reach(&subject, plan);
        let spacing = scene::spacing(&subject, &reach);
        let grid = Grid::new(made.copies, spacing, subject.is_cylinder);
        let crew = made.crew(&subject, settings)?;
        let painting = painting(settings);
        let surfaces = scene::surfaces(&subject, max_influences(&subject, settings.weights), painting);
        let view = usual_view(settings, &grid, &reach);
        let show = Self {
            subject,
            grid,
            view,
            usual: view,
            refusals,
            hit: None,
            crew,
            helper: None,
            helped: Vec::new(),
            faced: None,
            picker: Picker::default(),
            reach,
            surfaces,
            painting,
            versions: [0, 0],
            made,
            places: Places::default(),
        };
        Ok((show, told))
    }

    /// Becomes what the settings say now; tells what they cannot have. What is shown stays where nothing else can be had.
    pub fn follow(&mut self, settings: &mut Settings) -> Option<String> {
        let wanted = Made::new(settings, &self.subject);
        let other_model = wanted.model != self.made.model;
        let other_cylinders = self.subject.is_cylinder && wanted.weights != self.made.weights;
        if other_model || other_cylinders {
            return self.reload(settings, other_model);
        }
        let mut told = None;
        if wanted != self.made {
            if wanted.weights != self.made.weights {
                self.refusals = Refusals::new(&self.subject, wanted.weights);
            }
            told = settle(settings, &self.subject, &self.refusals);
            told = self.remake(settings).or(told);
        }
        if painting(settings) != self.painting {
            self.painting = painting(settings);
            scene::paint(&self.subject, self.painting, &mut self.surfaces);
            self.versions[1] += 1;
        }
        told
    }

    fn reload(&mut self, settings: &mut Settings, other_model: bool) -> Option<String> {
        let before = (self.view, self.versions, self.made.model.clone());
        let made = scene::load(&settings.model, settings.weights, &settings.with)
            .and_then(|subject| Self::of(subject, settings));
        match made {
            Ok((show, told)) => {
                *self = show;
                self.versions = before.1.map(|version| version + 1);
                if !other_model {
                    self.view = before.0;
                }
                told
            }
            Err(error) => {
                settings.model = before.2;
                settings.weights = self.made.weights;
                Some(error)
            }
        }
    }

    /// Shows another subject in place of this one.
    pub fn replace(&mut self, subject: Subject, settings: &mut Settings) -> Option<String> {
        let before = self.versions;
        settings.model = subject.name.clone();
        match Self::of(subject, settings) {
            Ok((show, told)) => {
                *self = show;
                self.versions = before.map(|version| version + 1);
                told
            }
            Err(error) => {
                settings.model = self.made.model.clone();
                Some(error)
            }
        }
    }

    /// The same subject with another method, or other copies.
    fn remake(&mut self, settings: &mut Settings) -> Option<String> {
        let made = Made::new(settings, &self.subject);
        match made.crew(&self.subject, settings) {
            Ok(crew) => {
                if made.copies != self.made.copies {
                    let spacing = scene::spacing(&self.subject, &self.reach);
                    self.grid = Grid::new(made.copies, spacing, self.subject.is_cylinder);
                    let View { yaw, pitch, .. } = self.view;
                    self.usual = usual_view(settings, &self.grid, &self.reach);
                    self.view = View { yaw, pitch, ..self.usual };
                    self.hit = None;
                }
                if made.weights != self.made.weights {
                    let most = max_influences(&self.subject, made.weights);
                    self.surfaces = scene::surfaces(&self.subject, most, self.painting);
                    self.versions[0] += 1;
                }
                (self.crew, self.made, self.helper) = (crew, made, None);
                None
            }
            Err(error) => {
                (settings.kind, settings.weights) = (self.made.kind, self.made.weights);
                Some(error)
            }
        }
    }
}

fn usual_view(settings: &Settings, grid: &Grid, reach: &Aabb) -> View {
    let mut view = scene::frame_view(grid, reach);
    if let Some([yaw, pitch]) = settings.turn {
        (view.yaw, view.pitch) = (yaw.to_radians(), pitch.to_radians());
    }
    view.zoom(1.0 / settings.zoom);
    view
}
