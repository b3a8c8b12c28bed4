//! `sinew info`: what a model is made of.

mod bounds;
mod json;
mod text;

use std::io::Write;

use clap::Args;

use crate::Failure;
use crate::source::Source;

/// What to look at.
#[derive(Args, Debug)]
#[command(after_help = "\
Parts are shown with their vertices, triangles, the most influences of a vertex, the
runs of vertices that hang on the same joints, what the padding of runs adds, the way
in which they are skinned, and their bytes. Ways: runs (of one set of joints), counts
(too many sets: grouped by number of influences), weighted (influences in joint space).

Bounds hold every vertex, at rest and of thirty frames for each second of a clip, fewer
of long ones. They come from joints alone, and may be a little larger than the smallest.

The keys of --json: file, up, vertices, triangles, bounds (min, max), skeleton (joints,
roots, depth, morph_weights), skins (joints), parts (name, joint, skin, surface,
vertices, triangles, most_influences, average_influences, morph_targets, runs, padding,
path, cost_of_runs, cost_of_counts, bytes), clips (name, seconds, first, tracks, keys,
bytes, bounds), materials (name, base_colour, image), images (name, media_type, bytes,
uri), oddities (place, found, done). The seconds of a clip are the time of its last key.
Bounds are null where there is nothing, or it is nowhere.

Examples:
  sinew info @figure
  sinew info @cylinder:varying --json")]
pub(crate) struct Info {
    #[command(flatten)]
    source: Source,

    /// Print JSON, for machines
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Info, out: &mut impl Write) -> Result<(), Failure> {
    let source = &arguments.source;
    let loaded = source.load(&[])?;
    if arguments.json {
        return Ok(writeln!(out, "{:#}", json::describe(&source.name(), &loaded))?);
    }
    text::print(out, &source.name(), &loaded)
}
