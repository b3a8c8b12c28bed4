//! What can be chosen, and what is chosen where nobody does.

use sinew::{Backend, backend};

use super::layers::{Layer, Shown};
use crate::methods::Kind;

/// The scene of Davies' application.
pub const CYLINDERS: &str = "@cylinders";
/// As many as in his paper.
pub const DEFAULT_CYLINDERS: usize = 64;
/// More than anybody can tell apart.
pub const MOST_COPIES: usize = 1024;
/// More layers of noise than are seen.
pub const MOST_OCTAVES: u32 = 20;

/// All choices.
#[derive(Clone, Debug)]
pub struct Settings {
    /// [`CYLINDERS`], a model made by rule, or a file.
    pub model: String,
    /// Files with clips of MD5 that belong to the model.
    pub with: Vec<String>,
    /// What skins.
    pub kind: Kind,
    /// On which row, where the method has rows.
    pub row: &'static Backend,
    /// The most influences of a vertex: 1 to 4; more are all.
    pub weights: usize,
    /// Who does the work.
    pub threads: Threads,
    /// How many are shown; `None` for as many as the scene usually has.
    pub copies: Option<usize>,
    /// What moves the cylinders.
    pub motion: Motion,
    /// Layers of noise.
    pub octaves: u32,
    /// The clip that a model plays: its name.
    pub clip: Option<String>,
    /// The clip that is blended in.
    pub second: Option<String>,
    /// How much of the second clip there is, from 0 to 1.
    pub blend: f32,
    /// Times as fast.
    pub speed: f32,
    /// Whether time passes.
    pub playing: bool,
    /// The time in seconds.
    pub seconds: f64,
    /// What is seen.
    pub shown: Shown,
    /// The joint whose weights are painted; `None` paints all.
    pub joint: Option<usize>,
    /// Whether anything is drawn: without, as many frames are skinned as there is time for.
    pub drawing: bool,
    /// Bright surroundings in place of dark ones.
    pub bright: bool,
    /// Of each pixel.
    pub samples: u32,
    /// Whether the window may do without shadow and smooth edges where drawing is slow: until somebody chooses.
    pub may_simplify: bool,
    /// To the right and upwards, in degrees, and times as near; `None` for the usual view.
    pub turn: Option<[f32; 2]>,
    /// Times as near as usual.
    pub zoom: f32,
    /// Whether frames wait for the display.
    pub vsync: bool,
    /// Whether the state is told, with a sum of the picture.
    pub log_state: bool,
}

/// Who does the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// One thread.
    Off,
    /// Threads share the vertices.
    Data,
    /// One animates the next frame while another skins this one.
    Task,
}

/// What moves the cylinders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// A wave.
    Sine,
    /// Gradient noise.
    Noise,
}

impl Default for Settings {
    fn default() -> Self {
        let mut shown = Shown::NOTHING;
        shown.set(Layer::Surface, true);
        shown.set(Layer::Shadow, true);
        Self {
            model: CYLINDERS.to_owned(),
            with: Vec::new(),
            kind: Kind::Blocks,
            row: backend::fastest(),
            weights: 4,
            threads: Threads::Off,
            copies: None,
            motion: Motion::Sine,
            octaves: 10,
            clip: None,
            second: None,
            blend: 0.0,
            speed: 1.0,
            playing: true,
            seconds: 0.0,
            shown,
            joint: None,
            drawing: true,
            bright: false,
            samples: 4,
            may_simplify: true,
            turn: None,
            zoom: 1.0,
            vsync: true,
            log_state: false,
        }
    }
}

impl Settings {
    /// Chooses another model, from its beginning and with clips and copies of its own.
    pub fn choose_model(&mut self, model: &str) {
        model.clone_into(&mut self.model);
        (self.copies, self.joint, self.seconds) = (None, None, 0.0);
        (self.clip, self.second) = (None, None);
    }
}

impl Threads {
    /// Every one there is.
    pub const ALL: [Self; 3] = [Self::Off, Self::Data, Self::Task];

    /// As options have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Data => "data",
            Self::Task => "task",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|threads| threads.name() == name)
    }
}

impl Motion {
    /// As options have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sine => "sine",
            Self::Noise => "noise",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::Sine, Self::Noise].into_iter().find(|motion| motion.name() == name)
    }
}
