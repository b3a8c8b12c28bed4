//! The settings and their defaults.

use sinew::runtime::{Backend, backend};

use super::layers::{Layer, LayerSet};
use crate::methods::MethodKind;

/// The scene that opens first: a walking figure.
pub const FIGURE: &str = "@figure";
/// The scene of Davies' application.
pub const CYLINDERS: &str = "@cylinders";
/// One of its cylinders.
pub const CYLINDER: &str = "@cylinder";
/// Number of cylinders in Davies' paper.
pub const DEFAULT_CYLINDERS: usize = 64;
/// Maximum number of copies.
pub const MAX_COPIES: usize = 1024;
/// Maximum octaves of noise; more add no visible detail.
pub const MAX_OCTAVES: u32 = 20;

/// Everything that a user can choose.
#[derive(Clone, Debug)]
pub struct Settings {
    /// A built-in scene such as [`FIGURE`] or [`CYLINDERS`], or a file.
    pub model: String,
    /// MD5 files with clips for the model.
    pub clip_files: Vec<String>,
    /// The skinning method.
    pub method: MethodKind,
    /// The instruction set, for methods that have a choice.
    pub backend: &'static Backend,
    /// Influences per vertex.
    pub weights: Weights,
    /// How the work is split over threads.
    pub threads: Threads,
    /// Number of copies; `None` for the default of the scene.
    pub copies: Option<usize>,
    /// Motion of the cylinders.
    pub motion: Motion,
    /// Octaves of noise.
    pub octaves: u32,
    /// Name of the clip that is played.
    pub clip: Option<String>,
    /// Name of the clip that is blended in.
    pub second: Option<String>,
    /// Weight of the second clip, from 0 to 1.
    pub blend: f32,
    /// Playback speed.
    pub speed: f32,
    /// Whether time advances.
    pub playing: bool,
    /// Time in seconds.
    pub seconds: f64,
    /// The layers that are shown.
    pub layers: LayerSet,
    /// The joint whose weights are shown; `None` shows all joints.
    pub joint: Option<usize>,
    /// Whether frames are drawn. If not, the method runs as often as possible.
    pub drawing: bool,
    /// Bright instead of dark theme.
    pub bright: bool,
    /// Samples per pixel.
    pub samples: u32,
    /// Whether the window may start without shadow and antialiasing and add them if drawing is
    /// fast. Set until the user chooses either.
    pub auto_quality: bool,
    /// Camera angles in degrees, to the right and upwards; `None` for the default.
    pub turn: Option<[f32; 2]>,
    /// Camera zoom relative to the default.
    pub zoom: f32,
    /// Whether frames wait for vertical sync.
    pub vsync: bool,
    /// Whether the state is logged, with a checksum of the picture.
    pub log_state: bool,
}

/// Influences per vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// At most as many: 1 to 4. For models other than the cylinders, 4 means all.
    AtMost(usize),
    /// One at the bottom of a cylinder, up to four at its top. Other models have weights of their
    /// own.
    Varying,
}

/// How the work is split over threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// One thread.
    Off,
    /// Threads share the vertices of each copy.
    Data,
    /// One thread animates the next frame while another skins this one.
    Task,
}

/// Motion of the cylinders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// A sine wave.
    Sine,
    /// Gradient noise.
    Noise,
}

impl Default for Settings {
    fn default() -> Self {
        let mut layers = LayerSet::EMPTY;
        layers.set(Layer::Surface, true);
        layers.set(Layer::Shadow, true);
        Self {
            model: FIGURE.to_owned(),
            clip_files: Vec::new(),
            method: MethodKind::Blocks,
            backend: backend::fastest(),
            weights: Weights::AtMost(4),
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
            layers,
            joint: None,
            drawing: true,
            bright: false,
            samples: 4,
            auto_quality: true,
            turn: None,
            zoom: 1.0,
            vsync: true,
            log_state: false,
        }
    }
}

impl Settings {
    /// Selects another model and resets time, clips, copies and joint.
    pub fn choose_model(&mut self, model: &str) {
        self.set_model(model);
        (self.copies, self.joint, self.seconds) = (None, None, 0.0);
        (self.clip, self.second) = (None, None);
    }

    /// Names a model. The weights in the name of a cylinder become the setting, which can then be
    /// changed.
    pub(super) fn set_model(&mut self, model: &str) {
        let weights = model.strip_prefix("@cylinder:").and_then(Weights::from_name);
        weights.map_or(model, |_| CYLINDER).clone_into(&mut self.model);
        self.weights = weights.unwrap_or(self.weights);
    }
}

impl Weights {
    /// All choices, in the order of the columns of Figure 15.
    pub const ALL: [Self; 5] =
        [Self::AtMost(1), Self::AtMost(2), Self::AtMost(3), Self::AtMost(4), Self::Varying];

    /// The name used by options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AtMost(..=1) => "1",
            Self::AtMost(2) => "2",
            Self::AtMost(3) => "3",
            Self::AtMost(_) => "4",
            Self::Varying => "varying",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|weights| weights.name() == name)
    }

    /// The maximum number of influences per vertex.
    #[must_use]
    pub const fn most(self) -> usize {
        match self {
            Self::AtMost(most) => most,
            Self::Varying => 4,
        }
    }
}

impl Threads {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Off, Self::Data, Self::Task];

    /// The name used by options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Data => "data",
            Self::Task => "task",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|threads| threads.name() == name)
    }
}

impl Motion {
    /// The name used by options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sine => "sine",
            Self::Noise => "noise",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::Sine, Self::Noise].into_iter().find(|motion| motion.name() == name)
    }
}
