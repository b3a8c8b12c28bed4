//! The scene as the settings want it: what is loaded, who skins it, and what of it is drawn. Knows of no window.

use sinew::{Bounds, Light, isa};

use crate::draw::{Frame, Look, Moved, Point, Surface, View};
use crate::methods::{Crew, Kind, Refusals, Times, Work, max_influences};
use crate::scene::{self, Grid, Painting, Plan, Subject};
use crate::settings::{CYLINDERS, DEFAULT_CYLINDERS, Layer, MOST_COPIES, Settings, Threads};
use crate::shapes::{self, Faced, Hit, Picker, Places};
use crate::timing::timed;

/// The most vertices of all copies: more take longer than anybody waits.
const MOST_VERTICES: usize = 1 << 23;

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
    usual: View,
    crew: Crew,
    /// Skins beside the graphics processor, for what is drawn over the surface.
    helper: Option<Crew>,
    helped: Vec<Moved>,
    faced: Option<Faced>,
    picker: Picker,
    reach: Bounds,
    surfaces: Vec<Surface>,
    painting: Painting,
    versions: [u64; 2],
    made: Made,
    places: Places,
}

/// What the crew was made for.
#[derive(Clone, Debug, PartialEq)]
struct Made {
    model: String,
    kind: Kind,
    row: &'static str,
    weights: usize,
    threads: Threads,
    copies: usize,
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

    /// What is played.
    #[must_use]
    pub fn plan(&self, settings: &Settings) -> Plan {
        Plan::new(settings, &self.subject)
    }

    /// Animates and skins a frame, so many seconds after the last.
    pub fn step(&mut self, settings: &mut Settings, seconds: f64) -> Times {
        let work = self.work(settings, seconds);
        self.crew.step(&self.subject, &work)
    }

    /// The same many times, measured as `sinew bench` measures.
    pub fn measure(&mut self, settings: &mut Settings, seconds: f64) -> Times {
        let work = self.work(settings, seconds);
        self.crew.measure(&self.subject, &work)
    }

    fn work(&self, settings: &mut Settings, seconds: f64) -> Work {
        let step = if settings.playing { seconds * f64::from(settings.speed) } else { 0.0 };
        settings.seconds += step;
        Work { plan: self.plan(settings), seconds: settings.seconds, next: settings.seconds + step }
    }

    /// How many there are of surfaces and of their paintings so far: who has drawn others must take them anew.
    #[must_use]
    pub fn versions(&self) -> [u64; 2] {
        self.versions
    }

    /// What stays the same from frame to frame.
    #[must_use]
    pub fn surfaces(&self) -> &[Surface] {
        &self.surfaces
    }

    /// How many copies there are.
    #[must_use]
    pub fn copies(&self) -> usize {
        self.made.copies
    }

    /// The ray of a click: from -1 to 1, to the right and upwards, in a picture of this width by height.
    pub fn click(&mut self, aspect: f32, at: [f32; 2]) {
        let ray = self.view.ray(aspect, at);
        self.hit = self.picker.cast(&self.subject, (self.crew.copies(), &self.grid.copies), ray);
    }

    /// Goes back to where the scene was seen from first.
    pub fn reset_view(&mut self) {
        self.view = self.usual;
    }

    /// Where the joints of a copy are, in the scene.
    #[must_use]
    pub fn joint_places(&self, copy: usize) -> Vec<[f32; 3]> {
        let both = self.crew.copies().get(copy).zip(self.grid.copies.get(copy));
        both.map(|(animated, copy)| shapes::joint_places(&self.subject, animated, copy)).unwrap_or_default()
    }

    /// Writes all that a frame shows, but for its size. Gives the seconds that planes, shadows and all else took.
    pub fn fill(&mut self, settings: &Settings, frame: &mut Frame) -> f64 {
        frame.samples = settings.samples;
        frame.view = self.view;
        frame.towards_key = scene::towards_key();
        frame.look = if settings.bright { Look::LIGHT } else { Look::DARK };
        frame.world_from_model = self.subject.world_from_model();
        frame.copies.clone_from(&self.grid.copies);
        frame.textured = self.painting == Painting::Own;
        frame.solid = settings.shown.has(Layer::Surface);
        frame.wireframe = settings.shown.has(Layer::Wireframe);
        frame.floor = Some(scene::floor(&self.grid, &self.reach));
        let none = || Moved::Palette { joints: 0, floats: Vec::new() };
        frame.moved.resize_with(self.subject.parts(), none);
        for (part, moved) in frame.moved.iter_mut().enumerate() {
            self.crew.put(&self.subject, part, moved);
        }
        timed(|| self.fill_shapes(settings, frame))
    }

    fn fill_shapes(&mut self, settings: &Settings, frame: &mut Frame) {
        frame.volumes.clear();
        frame.lines.clear();
        frame.lines_on_top.clear();
        let has = |layer| settings.shown.has(layer);
        let follows = [Layer::Shadow, Layer::Silhouette, Layer::Normals].into_iter().any(has);
        if follows || self.hit.is_some() {
            self.help(settings);
            self.fill_faced(settings, frame);
        }
        for (copy, animated) in self.grid.copies.iter().zip(self.crew.copies()) {
            if has(Layer::Bones) {
                let places = shapes::joint_places(&self.subject, animated, copy);
                shapes::bones(&self.subject, &places, settings.joint, &mut frame.lines_on_top);
            }
            if has(Layer::Bounds) {
                shapes::boxes(&self.subject, animated, copy, &mut frame.lines);
            }
        }
    }

    /// Skins on the processor what the graphics processor skins for itself.
    fn help(&mut self, settings: &Settings) {
        if settings.kind != Kind::Gpu {
            self.helper = None;
            return;
        }
        if self.helper.is_none() {
            let weights = (settings.weights, self.made.copies);
            let made = Crew::new(&self.subject, (Kind::Blocks, isa::detected()), weights, Threads::Off);
            self.helper = made.ok();
        }
        let Some(helper) = &mut self.helper else { return };
        let work = Work {
            plan: Plan::new(settings, &self.subject),
            seconds: settings.seconds,
            next: settings.seconds,
        };
        helper.step(&self.subject, &work);
        self.helped.resize_with(self.subject.parts(), || Moved::Palette { joints: 0, floats: Vec::new() });
        for (part, moved) in self.helped.iter_mut().enumerate() {
            helper.put(&self.subject, part, moved);
        }
    }

    fn fill_faced(&mut self, settings: &Settings, frame: &mut Frame) {
        let has = |layer| settings.shown.has(layer);
        if self.faced.is_none() && (has(Layer::Shadow) || has(Layer::Silhouette)) {
            self.faced = Faced::new(&self.subject).ok();
        }
        let Frame { moved, volumes, lines, lines_on_top, .. } = frame;
        let source = if self.helper.is_some() { &self.helped } else { &*moved };
        let subject = &self.subject;
        let light = Light::Direction(subject.as_modelled(scene::towards_key()));
        let eye = self.view.eye();
        for (part, moved) in source.iter().enumerate() {
            let mesh = subject.mesh(part);
            for (index, copy) in self.grid.copies.iter().enumerate() {
                let clicked = self.hit.as_ref().filter(|hit| (hit.copy, hit.part) == (index, part));
                if !has(Layer::Shadow) && !has(Layer::Silhouette) && clicked.is_none() {
                    continue;
                }
                shapes::places(mesh, moved, index, &mut self.places);
                let points = self.places.points();
                let in_scene = |place: [f32; 3]| {
                    let place = subject.upright(place);
                    [0, 1, 2].map(|i| place[i] + copy.offset[i])
                };
                if let (Some(faced), true) = (&mut self.faced, has(Layer::Shadow)) {
                    faced.shadow(part, index, points, light, volumes);
                }
                if let (Some(faced), true) = (&mut self.faced, has(Layer::Silhouette)) {
                    let eye = subject.as_modelled([0, 1, 2].map(|i| eye[i] - copy.offset[i]));
                    let colour = if settings.bright { [190, 30, 20, 255] } else { [255, 232, 120, 255] };
                    faced.silhouette(part, points, eye, |ends| {
                        lines.extend(ends.map(|place| Point { position: in_scene(place), colour }));
                    });
                }
                if let Some(hit) = clicked {
                    let corners = mesh.triangles()[hit.triangle].map(|place| points.point(place as usize));
                    outline(corners.map(in_scene), lines_on_top);
                }
            }
            if has(Layer::Normals) {
                let length = 0.03 * (self.reach.max[1] - self.reach.min[1]).max(1e-6);
                shapes::normals(subject, moved, &self.grid.copies, length, lines);
            }
        }
    }
}

fn usual_view(settings: &Settings, grid: &Grid, reach: &Bounds) -> View {
    let mut view = scene::frame_view(grid, reach);
    if let Some([yaw, pitch]) = settings.turn {
        (view.yaw, view.pitch) = (yaw.to_radians(), pitch.to_radians());
    }
    view.zoom(1.0 / settings.zoom);
    view
}

/// The sides of a triangle.
fn outline([a, b, c]: [[f32; 3]; 3], lines: &mut Vec<Point>) {
    for position in [a, b, b, c, c, a] {
        lines.push(Point { position, colour: [255, 60, 60, 255] });
    }
}

fn painting(settings: &Settings) -> Painting {
    match (settings.shown.has(Layer::Weights), settings.joint) {
        (false, _) => Painting::Own,
        (true, None) => Painting::Mixed,
        (true, Some(joint)) => Painting::Joint(joint),
    }
}

/// Gives up what a subject cannot have, and tells it.
fn settle(settings: &mut Settings, subject: &Subject, refusals: &Refusals) -> Option<String> {
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

impl Made {
    fn new(settings: &Settings, subject: &Subject) -> Self {
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

    fn crew(&self, subject: &Subject, settings: &Settings) -> Result<Crew, String> {
        let method = (settings.kind, settings.row);
        Crew::new(subject, method, (self.weights, self.copies), self.threads)
    }
}
