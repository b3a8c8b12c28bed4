//! The arguments of `sinew render`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use sinew_render::{MethodPair, Orbit};

use super::layer_argument::LayerArgument;
use super::picture_size::PictureSize;
use crate::CliError;
use crate::frame_times::FrameChoice;
use crate::model_input::ModelInput;
use crate::numbers;

/// The arguments of `sinew render`.
#[derive(Args, Debug)]
#[command(after_help = "\
The extension of OUT selects the format: .png is one frame, .gif the whole clip in a loop.

The model stands on a floor, and the camera frames the whole clip; the key light comes from
over the camera's left shoulder. The camera orbits the model: YAW 0 looks at its front, PITCH
0 is level, both in degrees. DISTANCE is measured from the model's center in the model's
units; by default the model fills the picture.

Materials are drawn as glTF defines them: base color, metal and roughness, normal, occlusion
and emissive textures, alpha as mask or blended, one or both sides. Textures are PNG, JPEG and
WebP images with at most 33554432 texels in total. Images that are missing or skipped are named
on standard error; their materials are drawn without them. An MD5 model names materials only:
of material models/imp, a picture imp.png, imp_d.png or imp_diffuse.png beside the model is
drawn, or .jpg, .jpeg, .webp or .tga.

A picture has the same bytes on every machine and for any number of threads.

Examples:
  sinew render @figure --at 0.3 -o figure.png
  sinew render @figure --clip walk --fps 20 --size 320x400 -o walk.gif
  sinew render @figure --show skin,bones,shadow --camera 60,10 -o bones.png
  sinew render @twist --at 1 --compare linear,dual -o twist.png
  sinew render @figure --at 0.3 --compare influences:1,linear --heat -o heat.png")]
pub(crate) struct Render {
    #[command(flatten)]
    pub(super) input: ModelInput,

    /// The file to write: .png or .gif
    #[arg(short, long, value_name = "OUT")]
    pub(super) out: PathBuf,

    /// The clip: its name, or its number from 0; default: the first clip, or the rest pose of a
    /// model without clips
    #[arg(long, value_name = "CLIP")]
    pub(super) clip: Option<String>,

    /// Draw one frame, at this time in the clip
    #[arg(long, value_name = "SECONDS", value_parser = numbers::seconds, allow_negative_numbers = true, conflicts_with = "fps")]
    pub(super) at: Option<f64>,

    /// Frames per second of a GIF, at most 50; default: 25
    #[arg(long, value_name = "F", value_parser = numbers::frame_rate, allow_negative_numbers = true)]
    pub(super) fps: Option<f64>,

    /// Width and height of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "960x600")]
    pub(super) size: PictureSize,

    /// The layers to draw, separated by commas
    #[arg(long, value_name = "LAYERS", value_enum, value_delimiter = ',', default_value = "skin,shadow")]
    pub(super) show: Vec<LayerArgument>,

    /// The camera: YAW,PITCH or YAW,PITCH,DISTANCE
    #[arg(long, value_name = "YAW,PITCH,DISTANCE", default_value = "30,12", allow_hyphen_values = true)]
    pub(super) camera: Orbit,

    /// Draw two skinning methods side by side: two of linear, dual and influences:N, separated by
    /// a comma
    #[arg(long, value_name = "A,B")]
    pub(super) compare: Option<MethodPair>,

    /// With --compare, color vertices by the distance between the results of both methods
    #[arg(long, requires = "compare")]
    pub(super) heat: bool,

    /// Threads that draw; default: one for each core, at most 8
    #[arg(long, value_name = "N", value_parser = numbers::threads, allow_negative_numbers = true)]
    pub(super) threads: Option<NonZero<usize>>,

    /// Overwrite an existing file
    #[arg(long)]
    pub(super) force: bool,
}

/// Frames per second of a GIF without `--fps`.
const DEFAULT_RATE: f64 = 25.0;
/// The most frames per second of a GIF. Viewers replace shorter delays by long ones.
const MAX_RATE: f64 = 50.0;

/// The format of the output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Png,
    Gif,
}

impl Render {
    /// Checks that the options fit together, and returns the output format.
    pub(super) fn check(&self) -> Result<Format, CliError> {
        let usage = |message: String| Err(CliError::Usage(message));
        let extension = self.out.extension().unwrap_or_default().to_ascii_lowercase();
        let format = match extension.to_str() {
            Some("png") => Format::Png,
            Some("gif") => Format::Gif,
            _ => {
                return usage(format!("{}: expected a name that ends with .png or .gif", self.out.display()));
            }
        };
        if self.fps.is_some_and(|rate| rate > MAX_RATE) {
            return usage(format!("--fps: expected a number above 0, at most {MAX_RATE} for a GIF"));
        }
        if self.fps.is_some() && format == Format::Png {
            return usage("--fps: a .png is one frame; choose it with --at, or write a .gif".to_owned());
        }
        Ok(format)
    }

    /// The frames that the options select.
    pub(super) fn frame_choice(&self, format: Format) -> FrameChoice {
        match (self.at, self.fps, format) {
            (Some(seconds), ..) => FrameChoice::At(seconds),
            (None, Some(rate), _) => FrameChoice::Rate(rate),
            (None, None, Format::Gif) => FrameChoice::DefaultRate(DEFAULT_RATE),
            (None, None, Format::Png) => FrameChoice::First,
        }
    }
}
