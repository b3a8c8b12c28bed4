//! What `sinew render` can be asked for.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::camera::Orbit;
use super::compare::Pair;
use super::pixels::Pixels;
use crate::Failure;
use crate::bake::Timing;
use crate::source::Source;

/// What to draw, and where to.
#[derive(Args, Debug)]
#[command(after_help = "\
The format is told by how OUT ends: .png is one picture, .gif the whole clip, over and over.

The model stands on a floor and is framed so that all of the clip is seen; the key light
comes over the left shoulder. Yaw turns the camera around the model, 0 is straight from the
front; pitch lifts it, 0 is level; both are degrees. The distance is in the model's units,
from the middle; without it, the model fills the picture.

Layers, in any number: skin (the surface), shadow (a floor, and the shadow volume of the
model), wire (edges of triangles), bones, silhouette (edges between front and back),
normals, weights (a colour for each joint, mixed as its weights are) and bounds (a box
around each joint's vertices, and around all).

Base colours are drawn from pictures of PNG, at most 33554432 texels in all; how many others
there are is said on the standard error, and their materials have one colour each.

A picture is the same to the byte on every machine and for any number of threads.

Examples:
  sinew render @figure --at 0.3 -o figure.png
  sinew render @figure --clip walk --fps 20 --size 320x400 -o walk.gif
  sinew render @figure --show skin,bones,shadow --camera 60,10 -o bones.png
  sinew render @twist --at 1 --compare linear,dual -o twist.png
  sinew render @figure --at 0.3 --compare influences:1,linear --heat -o heat.png")]
pub(crate) struct Render {
    #[command(flatten)]
    pub(super) source: Source,

    /// The file to write: .png or .gif
    #[arg(short, long, value_name = "OUT")]
    pub(super) out: PathBuf,

    /// The clip: its name, or its number from 0; without it the first, or the rest pose where there is none
    #[arg(long, value_name = "CLIP")]
    pub(super) clip: Option<String>,

    /// One picture, at so many seconds of the clip's own time
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, conflicts_with = "fps")]
    pub(super) at: Option<f64>,

    /// So many pictures a second, at most 50; without it 25
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub(super) fps: Option<f64>,

    /// Pixels from left to right and from top to bottom
    #[arg(long, value_name = "WxH", default_value = "960x600")]
    pub(super) size: Pixels,

    /// What is drawn
    #[arg(long, value_name = "LAYERS", value_enum, value_delimiter = ',', default_value = "skin,shadow")]
    pub(super) show: Vec<Layer>,

    /// Where the camera is: YAW,PITCH or YAW,PITCH,DISTANCE
    #[arg(long, value_name = "YAW,PITCH,DISTANCE", default_value = "30,12", allow_hyphen_values = true)]
    pub(super) camera: Orbit,

    /// Two methods side by side: two of linear, dual and influences:N, with a comma between
    #[arg(long, value_name = "A,B")]
    pub(super) compare: Option<Pair>,

    /// With --compare, colour vertices by how far the two methods take them apart
    #[arg(long, requires = "compare")]
    pub(super) heat: bool,

    /// Threads that draw; without it one for each core, at most 8
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<NonZero<usize>>,

    /// Replace a file that is there
    #[arg(long)]
    pub(super) force: bool,
}

/// What can be drawn of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Layer {
    /// The surface
    Skin,
    /// The edges of triangles
    Wire,
    /// Joints, and lines to their parents
    Bones,
    /// Edges between what faces the camera and what does not
    Silhouette,
    /// A floor, with the shadow of the model
    Shadow,
    /// A line for the normal of each vertex
    Normals,
    /// The surface, with a colour for each joint
    Weights,
    /// Boxes around what each joint moves, and around all
    Bounds,
}

/// Pictures a second where nothing else is said.
const USUAL_RATE: f64 = 25.0;
/// Programs that show GIF take shorter times for long ones.
const MOST_RATE: f64 = 50.0;

/// What a file is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Png,
    Gif,
}

impl Render {
    /// Demands that the options go together.
    pub(super) fn check(&self) -> Result<Kind, Failure> {
        let usage = |message: String| Err(Failure::Usage(message));
        let extension = self.out.extension().unwrap_or_default().to_ascii_lowercase();
        let kind = match extension.to_str() {
            Some("png") => Kind::Png,
            Some("gif") => Kind::Gif,
            _ => {
                return usage(format!("{}: expected a name that ends with .png or .gif", self.out.display()));
            }
        };
        if self.at.is_some_and(|seconds| !seconds.is_finite()) {
            return usage("--at: expected a finite number of seconds".to_owned());
        }
        if self.fps.is_some_and(|rate| !(rate.is_finite() && rate > 0.0 && rate <= MOST_RATE)) {
            return usage(format!("--fps: expected a number above zero, at most {MOST_RATE}"));
        }
        if self.fps.is_some() && kind == Kind::Png {
            return usage("--fps: a .png is one picture; choose it with --at, or write a .gif".to_owned());
        }
        Ok(kind)
    }

    /// Which pictures.
    pub(super) fn timing(&self, kind: Kind) -> Timing {
        match (self.at, self.fps, kind) {
            (Some(seconds), ..) => Timing::At(seconds),
            (None, Some(rate), _) => Timing::Rate(rate),
            (None, None, Kind::Gif) => Timing::Usual(USUAL_RATE),
            (None, None, Kind::Png) => Timing::First,
        }
    }
}
