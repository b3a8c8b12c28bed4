//! `sinew convert`: writes a model with its clips as GLB.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use sinew::model::UpAxis;
use sinew_io::{
    Deviation, ImageFiles, OverwritePolicy, UpAxisConversion, dropped_by_glb, write_model_glb, write_vrm_glb,
};

use crate::CliError;
use crate::json::json;
use crate::model_input::ModelInput;
use crate::notes::note;
use crate::output_file::{check_folder, suggest_force, write_file};
use crate::text::{one_line, short_name};

/// The arguments of `sinew convert`.
#[derive(Args, Debug)]
#[command(after_help = "\
Writes joints, skins, meshes with any number of influences, morph targets, clips, materials,
images, and the VRM data of avatars. Prints the deviation: the largest distance between a
skinned vertex of the model and of the file, over all key frames of all clips. It is not zero
where GLB cannot store the model exactly: an MD5 vertex has a position per influence, and
weights of any sum. Then lists what is not kept: extensions, cameras, images of other formats.

The keys of --json: file, deviation, clip, seconds, mesh_instance, vertex, dropped.

Examples:
  sinew convert @figure -o figure.glb
  sinew info figure.glb
  sinew convert @cylinder:2 --json --force -o figure.glb")]
pub(crate) struct Convert {
    #[command(flatten)]
    input: ModelInput,

    /// The file to write; its name must end with .glb, or .vrm or .vrma for a model with VRM data
    #[arg(short, long, value_name = "OUT.glb")]
    out: PathBuf,

    /// Rotate a model with +Z up, such as MD5, to glTF's +Y up
    #[arg(long)]
    y_up: bool,

    /// Overwrite an existing file
    #[arg(long)]
    force: bool,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Convert, out: &mut impl Write) -> Result<(), CliError> {
    let path = &arguments.out;
    let is_glb = |extension: &std::ffi::OsStr| {
        ["glb", "vrm", "vrma"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    };
    if !path.extension().is_some_and(is_glb) {
        return Err(CliError::Usage(format!(
            "{}: expected a name that ends with .glb, .vrm or .vrma",
            path.display()
        )));
    }
    let options = arguments.input.options().image_files(ImageFiles::Load);
    let loaded = arguments.input.load_with(&options)?;
    loaded.check_vertex_limit(&arguments.input)?;
    loaded.check_not_input(path)?;
    check_folder(path)?;
    let mut dropped = loaded.dropped.clone();
    let vrm = loaded.vrm.clone();
    let model = loaded.into_model(&arguments.input);
    dropped.extend(dropped_by_glb(&model));
    if arguments.y_up && model.up_axis() == UpAxis::Y {
        note("--y-up has no effect: +Y is already up in this model");
    }
    let policy = if arguments.force { OverwritePolicy::Replace } else { OverwritePolicy::Refuse };
    let conversion = if arguments.y_up { UpAxisConversion::ToYUp } else { UpAxisConversion::None };
    let mut deviation = Deviation::default();
    write_file(path, policy, |file| {
        deviation = match &vrm {
            Some(vrm) => write_vrm_glb(file, &model, vrm, conversion)?,
            None => write_model_glb(file, &model, conversion)?,
        };
        Ok(())
    })
    .map_err(suggest_force)?;
    let Deviation { largest, clip, seconds, mesh_instance, vertex } = deviation;
    let clip = clip.map(|clip| model.clips()[clip].name());
    let shown = path.display().to_string();
    if arguments.json {
        let value = json!({
            "file": shown, "deviation": largest, "clip": clip, "seconds": seconds,
            "mesh_instance": mesh_instance, "vertex": vertex, "dropped": dropped,
        });
        return Ok(writeln!(out, "{value}")?);
    }
    if largest == 0.0 {
        writeln!(out, "{shown}: no vertex deviates")?;
    } else {
        let pose = clip.map_or_else(
            || "rest pose".to_owned(),
            |clip| format!("clip {:?} at {seconds:.3} s", short_name(clip)),
        );
        let place = format!("vertex {vertex} of mesh instance {mesh_instance}, {pose}");
        writeln!(out, "{shown}: largest deviation of a vertex {largest:.2e} ({place})")?;
    }
    if !dropped.is_empty() {
        writeln!(out, "not kept: {}", one_line(&dropped.join(", ")))?;
    }
    Ok(())
}
