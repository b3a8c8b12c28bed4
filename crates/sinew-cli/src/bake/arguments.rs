//! The arguments of `sinew bake`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::format::Format;
use super::shard::Shard;
use crate::CliError;
use crate::frame_times::FrameChoice;
use crate::model_input::ModelInput;
use crate::numbers;

/// The arguments of `sinew bake`.
#[derive(Args, Debug)]
#[command(after_help = "\
The extension of OUT selects the format:
  .obj .ply     a mesh; with --fps one file per frame: name.0000.obj, name.0001.obj
  .glb          a mesh, with materials and images
  .pc2 .mdd     a point cache: the positions of every frame, for a mesh with the same vertices
  .npz          times, indices, positions and normals, for NumPy

Vertices are in file order, one mesh instance after another. Without --at and --fps, a mesh
shows the first key frame of the clip, and .pc2, .mdd and .npz have 30 frames per second. With
--fps F, frame i is i / F seconds after the first key frame, up to the last key frame. Files
are written atomically, and their bytes do not depend on the number of threads.

The keys of --json: vertices, triangles, displacement (the largest distance that
--max-influences moves a vertex, or null), outputs (clip, file, frames, first, last).

Examples:
  sinew bake @figure --at 0.5 -o figure.obj
  sinew bake @figure:1000 --clip wave --fps 10 -o wave.ply      # wave.0000.ply, ...
  sinew bake @figure:1000 --clip all --fps 24 -o '{clip}.pc2'   # one file per clip
  sinew bake @cylinder --dual-quaternion --force -o figure.obj")]
pub(crate) struct Bake {
    #[command(flatten)]
    pub(super) input: ModelInput,

    /// The file to write; `{clip}` is replaced by the name of the clip
    #[arg(short, long, value_name = "OUT")]
    pub(super) out: PathBuf,

    /// The clip: its name, its number from 0, or `all`; default: the first clip, or the rest pose
    /// of a model without clips
    #[arg(long, value_name = "CLIP")]
    pub(super) clip: Option<String>,

    /// Write one frame, at this time in the clip
    #[arg(long, value_name = "SECONDS", value_parser = numbers::seconds, allow_negative_numbers = true, conflicts_with = "fps")]
    pub(super) at: Option<f64>,

    /// Write F frames per second, from the first key frame to the last
    #[arg(long, value_name = "F", value_parser = numbers::frame_rate, allow_negative_numbers = true)]
    pub(super) fps: Option<f64>,

    /// The space of the vertices
    #[arg(long, value_enum, default_value_t = Space::World)]
    pub(super) space: Space,

    /// Skin each vertex with its N largest weights only
    #[arg(long, value_name = "N", value_parser = numbers::influences, allow_negative_numbers = true)]
    pub(super) max_influences: Option<NonZero<usize>>,

    /// Use dual-quaternion skinning, which keeps the volume of twisted limbs
    #[arg(long)]
    pub(super) dual_quaternion: bool,

    /// Write the same bytes on every machine, instead of using the fastest arithmetic
    #[arg(long)]
    pub(super) reproducible: bool,

    /// Threads that animate and skin; default: one for each core, at most 8
    #[arg(long, value_name = "N", value_parser = numbers::threads, allow_negative_numbers = true)]
    pub(super) threads: Option<NonZero<usize>>,

    /// With `--clip all`, bake one of N parts, so that N machines can share the work: the clips
    /// whose number modulo N is I; parts are numbered from 0 or from 1
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,

    /// Overwrite existing files
    #[arg(long)]
    pub(super) force: bool,

    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// The space of the vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Space {
    /// The scene of the file
    World,
    /// The skeleton's own: without the transforms of the nodes above its root joints
    Model,
}

/// Frames per second of a point cache without `--fps`.
const DEFAULT_RATE: f64 = 30.0;

impl Bake {
    /// Checks that the options fit together.
    pub(super) fn check(&self, format: Format) -> Result<(), CliError> {
        let usage = |message: &str| Err(CliError::Usage(message.to_owned()));
        if self.fps.is_some() && format == Format::Glb {
            return usage("--fps: a .glb is one frame; choose it with --at");
        }
        let all = self.clip.as_deref() == Some("all");
        if all && !self.out.to_string_lossy().contains(super::clips::CLIP_PLACEHOLDER) {
            return usage("--clip all: expected {clip} in OUT, so that each clip gets its own file");
        }
        if self.shard.is_some() && !all {
            return usage("--shard: expected --clip all");
        }
        Ok(())
    }

    /// The frames that the options select.
    pub(super) fn frame_choice(&self, format: Format) -> FrameChoice {
        match (self.at, self.fps) {
            (Some(seconds), _) => FrameChoice::At(seconds),
            (None, Some(rate)) => FrameChoice::Rate(rate),
            (None, None) if format.is_mesh() => FrameChoice::First,
            (None, None) => FrameChoice::DefaultRate(DEFAULT_RATE),
        }
    }
}
