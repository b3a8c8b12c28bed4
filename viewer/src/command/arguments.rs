//! What can be said on the command line, and its help.

use std::path::PathBuf;

use clap::Parser;

use crate::settings::Settings;

/// Every method of skinning at work: Davies' 64 cylinders, or any model
///
/// Without arguments a window opens in which everything can be chosen. Options choose it before.
#[derive(Parser, Debug)]
#[command(
    name = "sinew-viewer",
    version,
    after_help = "\
A MODEL is a file of glTF, GLB or MD5, or made by rule:
  @cylinders                     Davies' scene: 64 cylinders of 30 bones (the default)
  @figure, @figure:VERTICES      a human figure, of about 5000 vertices or so many
  @cylinder, @cylinder:WEIGHTS   one cylinder; 1, 2, 3, 4 weights or varying
  @twist                         a cylinder of two bones that turn against each other

Methods: plain, plain-collapsed, papers-sse2-gathered, papers-sse2 (Davies 2004);
blended-plain, -sse2, -sse3, weighted-plain, -sse2, -sse3 (van Waveren 2005); sinew,
sinew-vertices, sinew-duals; gpu, the vertex shader.

Exit codes: 0 all went well, 1 something cannot be had or written, 2 bad usage.

Environment:
  SINEW_ISA                 instruction set that models are made on instead of the fastest
  LIBGL_ALWAYS_SOFTWARE=1   draws without a graphics processor, where Mesa does

Examples:
  sinew-viewer                                  # 64 cylinders
  sinew-viewer fox.glb --clip Run --copies 9
  sinew-viewer @twist --method sinew-duals --show surface,bones,names
  sinew-viewer --method papers-sse2 --weights 2 --threads data
  sinew-viewer @figure --at 0.4 --screenshot figure.png --size 800x800
  sinew-viewer --measure --method sinew --weights 4   # times, without a window"
)]
pub(super) struct Arguments {
    /// A file of glTF, GLB or MD5, or a model made by rule: @cylinders, @figure, @cylinder, @twist
    #[arg(value_name = "MODEL")]
    model: Option<String>,

    /// Add a clip to a model of MD5, named after its file; may be given many times
    #[arg(long, value_name = "MD5ANIM")]
    with: Vec<String>,

    /// What skins: see the list below
    #[arg(long, value_name = "NAME", help_heading = "Method")]
    method: Option<String>,

    /// The instruction set of sinew's methods: sse2, avx2, avx512, neon, simd128
    #[arg(long, value_name = "NAME", help_heading = "Method")]
    isa: Option<String>,

    /// Weights of a vertex: 1 to 4
    #[arg(long, value_name = "N", help_heading = "Method")]
    weights: Option<String>,

    /// off, data (all share the vertices) or task (one animates ahead)
    #[arg(long, value_name = "HOW", help_heading = "Method")]
    threads: Option<String>,

    /// How many are shown, up to 1024
    #[arg(long, value_name = "N", help_heading = "Scene")]
    copies: Option<String>,

    /// What moves the cylinders: sine or noise
    #[arg(long, value_name = "NAME", help_heading = "Scene")]
    motion: Option<String>,

    /// Layers of noise: 1 to 20
    #[arg(long, value_name = "N", help_heading = "Scene")]
    octaves: Option<String>,

    /// The clip that a model plays
    #[arg(long, value_name = "NAME", help_heading = "Scene")]
    clip: Option<String>,

    /// A clip to blend in
    #[arg(long, value_name = "NAME", help_heading = "Scene")]
    second: Option<String>,

    /// How much of the second clip, from 0 to 1
    #[arg(long, value_name = "SHARE", help_heading = "Scene")]
    blend: Option<String>,

    /// Where to begin, in seconds
    #[arg(long, value_name = "SECONDS", help_heading = "Scene", allow_hyphen_values = true)]
    at: Option<String>,

    /// Times as fast
    #[arg(long, value_name = "FACTOR", help_heading = "Scene")]
    speed: Option<String>,

    /// Begin paused
    #[arg(long, help_heading = "Scene")]
    pause: bool,

    /// What is seen: some of surface, wireframe, bones, names, silhouette, shadow, normals, weights, bounds
    #[arg(long, value_name = "LAYERS", help_heading = "Looks")]
    show: Option<String>,

    /// The number of the joint whose weights are painted
    #[arg(long, value_name = "N", help_heading = "Looks")]
    joint: Option<String>,

    /// From where: two angles in degrees, to the right and upwards
    #[arg(long, value_name = "YAW,PITCH", help_heading = "Looks", allow_hyphen_values = true)]
    turn: Option<String>,

    /// Times as near
    #[arg(long, value_name = "FACTOR", help_heading = "Looks")]
    zoom: Option<String>,

    /// Samples of each pixel; 0 for hard edges
    #[arg(long, value_name = "N", help_heading = "Looks")]
    samples: Option<String>,

    /// Bright surroundings
    #[arg(long, help_heading = "Looks")]
    bright: bool,

    /// Draw nothing, skin only
    #[arg(long, help_heading = "Looks")]
    drawing_off: bool,

    /// Do not wait for the display
    #[arg(long, help_heading = "Looks")]
    no_vsync: bool,

    /// Of the window or the picture
    #[arg(long, value_name = "WxH", help_heading = "For scripts", default_value = "1280x800", value_parser = size)]
    pub(super) size: [u32; 2],

    /// Stop after so many frames, each a sixtieth of a second after the one before
    #[arg(long, value_name = "N", help_heading = "For scripts", value_parser = clap::value_parser!(u64).range(1..1_000_000))]
    pub(super) frames: Option<u64>,

    /// Write the last frame as PNG, without a window: the same bytes each time
    #[arg(long, value_name = "OUT.png", help_heading = "For scripts")]
    pub(super) screenshot: Option<PathBuf>,

    /// Print how long animating and skinning take, without a window, measured as `sinew bench` measures
    #[arg(long, help_heading = "For scripts", conflicts_with = "screenshot")]
    pub(super) measure: bool,

    /// Print a line of JSON whenever something changes: controls and where they are, what is shown, figures
    #[arg(long, help_heading = "For scripts")]
    log_state: bool,
}

impl Arguments {
    /// The settings that they make.
    pub(super) fn settings(&self) -> Result<Settings, String> {
        let mut settings = Settings::default();
        let values = [
            ("model", &self.model),
            ("method", &self.method),
            ("isa", &self.isa),
            ("weights", &self.weights),
            ("threads", &self.threads),
            ("copies", &self.copies),
            ("motion", &self.motion),
            ("octaves", &self.octaves),
            ("clip", &self.clip),
            ("second", &self.second),
            ("blend", &self.blend),
            ("at", &self.at),
            ("speed", &self.speed),
            ("show", &self.show),
            ("joint", &self.joint),
            ("turn", &self.turn),
            ("zoom", &self.zoom),
            ("samples", &self.samples),
        ];
        for (name, value) in values {
            if let Some(value) = value {
                settings.set(name, value).map_err(|error| format!("--{error}"))?;
            }
        }
        settings.with.clone_from(&self.with);
        settings.playing = !self.pause;
        settings.bright = self.bright;
        settings.drawing = !self.drawing_off;
        settings.vsync = !self.no_vsync;
        settings.log_state = self.log_state;
        Ok(settings)
    }
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let expected = || "expected WIDTHxHEIGHT, each from 16 to 8192".to_owned();
    let (width, height) = text.split_once('x').ok_or_else(expected)?;
    let side = |text: &str| text.parse().ok().filter(|side| (16..=8192).contains(side)).ok_or_else(expected);
    Ok([side(width)?, side(height)?])
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definitions_are_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn sizes_are_two_sides() {
        assert_eq!(size("640x480"), Ok([640, 480]));
        for wrong in ["640", "x", "0x5", "1e3x20", "99999x20"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
