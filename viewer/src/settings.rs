//! All that a user can choose, and the names by which the command line and an address choose it.

use sinew::{Row, isa};

use crate::methods::{KINDS, Kind};

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
    pub row: &'static Row,
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

/// What is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown([bool; 9]);

/// One of the things that can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The filled surface.
    Surface,
    /// The edges of triangles.
    Wireframe,
    /// Lines from joint to joint.
    Bones,
    /// The joints' names.
    Names,
    /// Where the surface turns away from the eye.
    Silhouette,
    /// What the light does not reach.
    Shadow,
    /// A line along each normal.
    Normals,
    /// Colours by weight.
    Weights,
    /// Boxes.
    Bounds,
}

impl Layer {
    /// Every one there is.
    pub const ALL: [Self; 9] = [
        Self::Surface,
        Self::Wireframe,
        Self::Bones,
        Self::Names,
        Self::Silhouette,
        Self::Shadow,
        Self::Normals,
        Self::Weights,
        Self::Bounds,
    ];

    /// As options have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Surface => "surface",
            Self::Wireframe => "wireframe",
            Self::Bones => "bones",
            Self::Names => "names",
            Self::Silhouette => "silhouette",
            Self::Shadow => "shadow",
            Self::Normals => "normals",
            Self::Weights => "weights",
            Self::Bounds => "bounds",
        }
    }
}

impl Shown {
    /// Whether a layer is.
    #[must_use]
    pub const fn has(self, layer: Layer) -> bool {
        self.0[layer as usize]
    }

    /// Switches a layer.
    pub const fn set(&mut self, layer: Layer, on: bool) {
        self.0[layer as usize] = on;
    }

    /// The layers that are shown.
    pub fn layers(self) -> impl Iterator<Item = Layer> {
        Layer::ALL.into_iter().filter(move |&layer| self.has(layer))
    }
}

impl Default for Settings {
    fn default() -> Self {
        let mut shown = Shown([false; 9]);
        shown.set(Layer::Surface, true);
        shown.set(Layer::Shadow, true);
        Self {
            model: CYLINDERS.to_owned(),
            with: Vec::new(),
            kind: Kind::Blocks,
            row: isa::detected(),
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
    /// From the query of an address: `model=@figure&copies=4`.
    ///
    /// # Errors
    ///
    /// When there is no such option, or it cannot have the value.
    pub fn of_query(query: &str) -> Result<Self, String> {
        let mut settings = Self::default();
        for pair in query.trim_start_matches('?').split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, "on"));
            settings.set(name, &decoded(value))?;
        }
        Ok(settings)
    }

    /// Sets one option by its name.
    ///
    /// # Errors
    ///
    /// When there is no such option, or it cannot have the value: which, what was expected and what was found.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.may_simplify &= !matches!(name, "show" | "samples");
        let wrong = |expected: &str| format!("{name}: expected {expected}, found {value:?}");
        match name {
            "model" => self.model = value.to_owned(),
            "with" => self.with.push(value.to_owned()),
            "method" => {
                let names = || KINDS.map(Kind::name).join(", ");
                self.kind = Kind::named(value).ok_or_else(|| wrong(&format!("one of {}", names())))?;
            }
            "isa" => self.row = isa::find(value).map_err(|error| format!("{name}: {error}"))?,
            "weights" => self.weights = number(value, 1, 4).ok_or_else(|| wrong("1, 2, 3 or 4"))?,
            "threads" => {
                self.threads = Threads::named(value).ok_or_else(|| wrong("off, data or task"))?;
            }
            "copies" => {
                let expected = || wrong(&format!("a number from 1 to {MOST_COPIES}"));
                self.copies = Some(number(value, 1, MOST_COPIES).ok_or_else(expected)?);
            }
            "motion" => self.motion = Motion::named(value).ok_or_else(|| wrong("sine or noise"))?,
            "octaves" => {
                let expected = || wrong(&format!("a number from 1 to {MOST_OCTAVES}"));
                self.octaves = number(value, 1, MOST_OCTAVES as usize).ok_or_else(expected)? as u32;
            }
            "clip" => self.clip = Some(value.to_owned()),
            "second" => self.second = Some(value.to_owned()),
            "blend" => self.blend = real(value, 0.0, 1.0).ok_or_else(|| wrong("a number from 0 to 1"))?,
            "speed" => self.speed = real(value, 0.0, 10.0).ok_or_else(|| wrong("a number from 0 to 10"))?,
            "at" => {
                let seconds = real(value, -1e6, 1e6).ok_or_else(|| wrong("a number of seconds"))?;
                self.seconds = f64::from(seconds);
            }
            "pause" => self.playing = !switch(value).ok_or_else(|| wrong("on or off"))?,
            "drawing" => self.drawing = switch(value).ok_or_else(|| wrong("on or off"))?,
            "vsync" => self.vsync = switch(value).ok_or_else(|| wrong("on or off"))?,
            "log-state" => self.log_state = switch(value).ok_or_else(|| wrong("on or off"))?,
            "bright" => self.bright = switch(value).ok_or_else(|| wrong("on or off"))?,
            "show" => self.show(value)?,
            "joint" => self.joint = Some(number(value, 0, 65_535).ok_or_else(|| wrong("a joint's number"))?),
            "samples" => self.samples = number(value, 0, 16).ok_or_else(|| wrong("0 to 16"))? as u32,
            "turn" => self.turn = Some(pair(value).ok_or_else(|| wrong("two angles, YAW,PITCH"))?),
            "zoom" => {
                self.zoom = real(value, 0.01, 100.0).ok_or_else(|| wrong("a number from 0.01 to 100"))?;
            }
            _ => return Err(format!("{name}: no such option")),
        }
        Ok(())
    }

    /// Shows these layers, and no others.
    fn show(&mut self, names: &str) -> Result<(), String> {
        let mut shown = Shown([false; 9]);
        for name in names.split(',').filter(|name| !name.is_empty() && *name != "nothing") {
            let layer = Layer::ALL.into_iter().find(|layer| layer.name() == name);
            let all = || Layer::ALL.map(Layer::name).join(", ");
            shown
                .set(layer.ok_or_else(|| format!("show: expected some of {}, found {name:?}", all()))?, true);
        }
        self.shown = shown;
        Ok(())
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

    fn named(name: &str) -> Option<Self> {
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

    fn named(name: &str) -> Option<Self> {
        [Self::Sine, Self::Noise].into_iter().find(|motion| motion.name() == name)
    }
}

fn number(value: &str, least: usize, most: usize) -> Option<usize> {
    value.parse().ok().filter(|number| (least..=most).contains(number))
}

fn real(value: &str, least: f32, most: f32) -> Option<f32> {
    value.parse().ok().filter(|number| (least..=most).contains(number))
}

fn pair(value: &str) -> Option<[f32; 2]> {
    let (yaw, pitch) = value.split_once(',')?;
    Some([real(yaw, -360.0, 360.0)?, real(pitch, -10.0, 89.0)?])
}

fn switch(value: &str) -> Option<bool> {
    match value {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// Without the signs that addresses have for others.
fn decoded(value: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = value.as_bytes();
    while let [first, others @ ..] = rest {
        rest = others;
        let code = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        match (first, others.get(..2).and_then(code)) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &others[2..];
            }
            (b'+', _) => bytes.push(b' '),
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_sets_what_it_names() {
        let settings =
            Settings::of_query("?model=%40figure%3A500&copies=4&pause&show=wireframe,bones&turn=30,10");
        let settings = settings.expect("options that there are");
        assert_eq!(settings.model, "@figure:500");
        assert_eq!((settings.copies, settings.playing), (Some(4), false));
        assert!(settings.shown.layers().eq([Layer::Wireframe, Layer::Bones]));
        assert_eq!(settings.turn, Some([30.0, 10.0]));
    }

    #[test]
    fn what_cannot_be_is_told_with_what_can() {
        for (query, told) in [
            ("weights=5", "weights: expected 1, 2, 3 or 4, found \"5\""),
            ("threads=many", "threads: expected off, data or task, found \"many\""),
            ("show=bones,soul", "found \"soul\""),
            ("method=magic", "method: expected one of plain, "),
            ("isa=mmx", "isa: unknown instruction set"),
            ("colour=red", "colour: no such option"),
            ("speed=NaN", "speed: expected a number"),
        ] {
            let error = Settings::of_query(query).expect_err(query);
            assert!(error.contains(told), "{error}");
        }
    }
}
