//! The command-line options and their help.

use std::path::PathBuf;

use clap::Parser;

use crate::settings::Settings;

/// Every skinning method at work: a walking figure, Davies' 64 cylinders, or any model
///
/// Without arguments, a window opens in which everything can be chosen. Options preset these
/// choices.
#[derive(Parser, Debug)]
#[command(
    name = "sinew-viewer",
    version,
    after_help = "\
A MODEL is a glTF, GLB, VRM, MD5 or BVH file, or a built-in scene:
  @figure, @figure:VERTICES      a human figure of about 5000 vertices, or as many as given
                                 (the default)
  @cylinders                     Davies' scene: 64 cylinders of 30 joints
  @cylinder, @cylinder:WEIGHTS   one cylinder; WEIGHTS is 1, 2, 3, 4 or varying
  @twist                         a cylinder of two joints that twist against each other

Methods: plain, plain-collapsed, papers-sse2-gathered, papers-sse2 (Davies 2004);
blended-plain, -sse2, -sse3, weighted-plain, -sse2, -sse3 (van Waveren 2005); sinew,
sinew-vertices, sinew-duals; gpu (the vertex shader).

Exit codes: 0 success, 1 runtime error, 2 bad usage.

Environment:
  SINEW_ISA                 instruction set to build models for, instead of the fastest
  LIBGL_ALWAYS_SOFTWARE=1   draws without a GPU, with Mesa

Examples:
  sinew-viewer                                  # a walking figure
  sinew-viewer @cylinders                       # Davies' scene
  sinew-viewer fox.glb --clip Run --copies 9
  sinew-viewer @twist --method sinew-duals --show surface,bones,names
  sinew-viewer @cylinders --method papers-sse2 --weights 2 --threads data
  sinew-viewer @figure --at 0.4 --screenshot figure.png --size 800x800
  sinew-viewer @cylinders --measure --weights 4       # timings, without a window"
)]
pub(super) struct Arguments {
    /// A glTF, GLB, VRM, MD5 or BVH file, or a built-in scene: @cylinders, @figure, @cylinder,
    /// @twist
    #[arg(value_name = "MODEL")]
    model: Option<String>,

    /// Add a clip to an MD5 model, named after its file; may be repeated
    #[arg(long, value_name = "MD5ANIM")]
    with: Vec<String>,

    /// The skinning method: see the list below
    #[arg(long, value_name = "NAME", help_heading = "Method")]
    method: Option<String>,

    /// The instruction set of sinew's methods: sse2, avx2, avx512, neon, simd128
    #[arg(long, value_name = "NAME", help_heading = "Method")]
    isa: Option<String>,

    /// Maximum weights per vertex: 1 to 4; or varying, for cylinders
    #[arg(long, value_name = "N", help_heading = "Method")]
    weights: Option<String>,

    /// off, data (threads share the vertices of each copy) or task (one thread animates ahead)
    #[arg(long, value_name = "MODE", help_heading = "Method")]
    threads: Option<String>,

    /// Number of copies, up to 1024
    #[arg(long, value_name = "N", help_heading = "Scene")]
    copies: Option<String>,

    /// Motion of the cylinders: sine or noise
    #[arg(long, value_name = "NAME", help_heading = "Scene")]
    motion: Option<String>,

    /// Octaves of noise: 1 to 20
    #[arg(long, value_name = "N", help_heading = "Scene")]
    octaves: Option<String>,

    /// The clip to play
    #[arg(long, value_name = "NAME", help_heading = "Scene")]
    clip: Option<String>,

    /// A second clip to blend in
    #[arg(long, value_name = "NAME", help_heading = "Scene")]
    second: Option<String>,

    /// Weight of the second clip, from 0 to 1
    #[arg(long, value_name = "WEIGHT", help_heading = "Scene")]
    blend: Option<String>,

    /// Start time in seconds
    #[arg(long, value_name = "SECONDS", help_heading = "Scene", allow_hyphen_values = true)]
    at: Option<String>,

    /// Playback speed
    #[arg(long, value_name = "FACTOR", help_heading = "Scene")]
    speed: Option<String>,

    /// Start paused
    #[arg(long, help_heading = "Scene")]
    pause: bool,

    /// Layers to show: any of surface, toon, wireframe, bones, names, silhouette, shadow, normals,
    /// weights, bounds
    #[arg(long, value_name = "LAYERS", help_heading = "Appearance")]
    show: Option<String>,

    /// Index of the joint whose weights are shown
    #[arg(long, value_name = "N", help_heading = "Appearance")]
    joint: Option<String>,

    /// Camera angles in degrees: to the right and upwards
    #[arg(long, value_name = "YAW,PITCH", help_heading = "Appearance", allow_hyphen_values = true)]
    turn: Option<String>,

    /// Camera zoom; 2 halves the distance
    #[arg(long, value_name = "FACTOR", help_heading = "Appearance")]
    zoom: Option<String>,

    /// Samples per pixel; 0 switches antialiasing off
    #[arg(long, value_name = "N", help_heading = "Appearance")]
    samples: Option<String>,

    /// Use the bright theme
    #[arg(long, help_heading = "Appearance")]
    bright: bool,

    /// Draw nothing, only skin
    #[arg(long, help_heading = "Appearance")]
    drawing_off: bool,

    /// Do not wait for vertical sync
    #[arg(long, help_heading = "Appearance")]
    no_vsync: bool,

    /// Size of the window or the picture
    #[arg(long, value_name = "WxH", help_heading = "For scripts", default_value = "1280x800", value_parser = size)]
    pub(super) size: [u32; 2],

    /// Stop after this many frames, each 1/60 s after the previous one
    #[arg(long, value_name = "N", help_heading = "For scripts", value_parser = clap::value_parser!(u64).range(1..1_000_000))]
    pub(super) frames: Option<u64>,

    /// Write the last frame as PNG, without a window; the same options give the same bytes
    #[arg(long, value_name = "OUT.png", help_heading = "For scripts", value_parser = png_path)]
    pub(super) screenshot: Option<PathBuf>,

    /// Print how long animating and skinning take, without a window, timed as `sinew bench` does
    #[arg(long, help_heading = "For scripts", conflicts_with = "screenshot")]
    pub(super) measure: bool,

    /// Print a line of JSON whenever something changes: controls and their rectangles, what is
    /// shown, timings
    #[arg(long, help_heading = "For scripts")]
    log_state: bool,
}

impl Arguments {
    /// The settings that the options describe.
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
        settings.clip_files.clone_from(&self.with);
        settings.playing = !self.pause;
        settings.bright = self.bright;
        settings.drawing = !self.drawing_off;
        settings.vsync = !self.no_vsync;
        settings.log_state = self.log_state;
        Ok(settings)
    }
}

/// A picture is PNG, and its name says so.
fn png_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png")) {
        true => Ok(path),
        false => Err("expected a name that ends in .png, the only format of screenshots".to_owned()),
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
    fn clap_accepts_the_definitions() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_screenshot_is_png() {
        assert!(["a.png", "b/c.PNG"].iter().all(|path| png_path(path).is_ok()));
        assert!(["a.jpg", "a", "png", ".png"].iter().all(|path| png_path(path).is_err()));
    }

    #[test]
    fn a_size_is_width_x_height() {
        assert_eq!(size("640x480"), Ok([640, 480]));
        for wrong in ["640", "x", "0x5", "1e3x20", "99999x20"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
