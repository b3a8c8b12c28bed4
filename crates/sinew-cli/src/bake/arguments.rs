//! What `sinew bake` can be asked for.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::format::Format;
use super::plan::Timing;
use super::shard::Shard;
use crate::Failure;
use crate::source::Source;

/// What to bake, and where to.
#[derive(Args, Debug)]
#[command(after_help = "\
The format is told by how OUT ends:
  .obj .ply     a mesh; with --fps one file for each frame: name.0000.obj, name.0001.obj
  .glb          a mesh, with materials and pictures
  .pc2 .mdd     positions frame by frame, for a mesh with the same vertices
  .npz          times, indices, positions and normals, for NumPy

Vertices are in the order of the file, parts one after another. Without --at and --fps, a
mesh is that of the clip's first key, and .pc2, .mdd and .npz have 30 frames a second. With
--fps F, frame i is at the first key and i / F seconds, up to the last key. A file appears
whole or not at all, and is the same for any number of threads.

The keys of --json: vertices, triangles, displacement (how far --max-influences moves a
vertex from where all would have it, at the most), outputs (clip, file, frames, first, last).

Examples:
  sinew bake @figure --at 0.5 -o figure.obj
  sinew bake @figure:1000 --clip wave --fps 10 -o wave.ply      # wave.0000.ply and so on
  sinew bake @figure:1000 --clip all --fps 24 -o '{clip}.pc2'   # a file for each clip
  sinew bake @cylinder --dual-quaternion --force -o figure.obj")]
pub(crate) struct Bake {
    #[command(flatten)]
    pub(super) source: Source,

    /// The file to write; `{clip}` in it becomes the name of the clip
    #[arg(short, long, value_name = "OUT")]
    pub(super) out: PathBuf,

    /// The clip: its name, its number from 0, or `all`; without it the first, or the rest pose where there is none
    #[arg(long, value_name = "CLIP")]
    pub(super) clip: Option<String>,

    /// One frame, at so many seconds of the clip's own time
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, conflicts_with = "fps")]
    pub(super) at: Option<f64>,

    /// So many frames a second, from the first key to the last
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    pub(super) fps: Option<f64>,

    /// Where vertices are: in the world, or without what stands above the skeleton's roots
    #[arg(long, value_enum, default_value_t = Space::World)]
    pub(super) space: Space,

    /// Move each vertex by its strongest influences only, at most so many
    #[arg(long, value_name = "N")]
    pub(super) max_influences: Option<NonZero<usize>>,

    /// Blend joints by dual quaternions, which keep the volume of what twists
    #[arg(long)]
    pub(super) dual_quaternion: bool,

    /// Threads that pose and skin; without it one for each core, at most 8
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<NonZero<usize>>,

    /// With `--clip all`, only every N-th clip, beginning with number I (I = N is 0)
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,

    /// Replace files that are there
    #[arg(long)]
    pub(super) force: bool,

    /// Print what was written as JSON, for machines
    #[arg(long)]
    pub(super) json: bool,
}

/// Where vertices are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Space {
    /// With all that moves them
    World,
    /// Without the transforms above the skeleton's roots
    Model,
}

/// Frames a second where nothing else is said.
const USUAL_RATE: f64 = 30.0;

impl Bake {
    /// Demands that the options go together.
    pub(super) fn check(&self, format: Format) -> Result<(), Failure> {
        let usage = |message: &str| Err(Failure::Usage(message.to_owned()));
        if self.at.is_some_and(|seconds| !seconds.is_finite()) {
            return usage("--at: expected a finite number of seconds");
        }
        if self.fps.is_some_and(|rate| !(rate.is_finite() && rate > 0.0)) {
            return usage("--fps: expected a finite number above zero");
        }
        if self.fps.is_some() && format == Format::Glb {
            return usage("--fps: a .glb is one frame; choose it with --at");
        }
        let all = self.clip.as_deref() == Some("all");
        if all && !self.out.to_string_lossy().contains(super::clips::MARK) {
            return usage("--clip all: expected {clip} in OUT, so that each clip has its own file");
        }
        if self.shard.is_some() && !all {
            return usage("--shard: only with --clip all");
        }
        Ok(())
    }

    /// Which frames.
    pub(super) fn timing(&self, format: Format) -> Timing {
        match (self.at, self.fps) {
            (Some(seconds), _) => Timing::At(seconds),
            (None, Some(rate)) => Timing::Rate(rate),
            (None, None) if format.is_mesh() => Timing::First,
            (None, None) => Timing::Usual(USUAL_RATE),
        }
    }
}
