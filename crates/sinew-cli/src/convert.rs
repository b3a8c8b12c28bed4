//! `sinew convert`: a model with its clips, as GLB.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use sinew_io::{Deviation, Options, OverwritePolicy, Pictures, Turn, write_model_glb};

use crate::Failure;
use crate::bake::force_helps;
use crate::output_file::write_file;
use crate::source::Source;

/// What to convert, and where to.
#[derive(Args, Debug)]
#[command(after_help = "\
Joints, skins, meshes with any number of influences, morph targets, clips, materials and
pictures are written. The largest distance between a vertex of the model and of the file,
over all keys of all clips, is printed: GLB has one position for each vertex and weights
with a sum of one, where a model of MD5 may have others.

The keys of --json: file, deviation, clip, seconds, part, vertex.

Examples:
  sinew convert @figure -o figure.glb
  sinew info figure.glb
  sinew convert @cylinder:2 --json --force -o figure.glb")]
pub(crate) struct Convert {
    #[command(flatten)]
    source: Source,

    /// The file to write, which ends with .glb
    #[arg(short, long, value_name = "OUT.glb")]
    out: PathBuf,

    /// Turn a model that has +Z up, as MD5 has, to the +Y of glTF
    #[arg(long)]
    y_up: bool,

    /// Replace a file that is there
    #[arg(long)]
    force: bool,

    /// Print JSON, for machines
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Convert, out: &mut impl Write) -> Result<(), Failure> {
    let path = &arguments.out;
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("glb")) {
        return Err(Failure::Usage(format!("{}: expected a name that ends with .glb", path.display())));
    }
    let options = Options { pictures: Pictures::Read, ..arguments.source.options() };
    let loaded = arguments.source.load_as(&options)?;
    loaded.refuse_vast(&arguments.source)?;
    loaded.refuse_input(path)?;
    let model = loaded.noted(&arguments.source);
    let policy = if arguments.force { OverwritePolicy::Replace } else { OverwritePolicy::Refuse };
    let turn = if arguments.y_up { Turn::ToY } else { Turn::None };
    let mut deviation = Deviation::default();
    write_file(path, policy, |file| {
        deviation = write_model_glb(file, &model, turn)?;
        Ok(())
    })
    .map_err(force_helps)?;
    let Deviation { largest, clip, seconds, part, vertex } = deviation;
    let clip = clip.map(|clip| model.clips()[clip].name());
    let shown = path.display().to_string();
    if arguments.json {
        let value = json!({
            "file": shown, "deviation": largest, "clip": clip, "seconds": seconds, "part": part, "vertex": vertex,
        });
        return Ok(writeln!(out, "{value:#}")?);
    }
    let during = clip.map_or_else(|| "at rest".to_owned(), |clip| format!("in {clip:?} at {seconds} s"));
    writeln!(
        out,
        "{shown}: vertices deviate by at most {largest:e} (vertex {vertex} of part {part}, {during})"
    )?;
    Ok(())
}
