//! `sinew bake`: writes the skinned geometry of posed models, without skeletons.

mod arguments;
mod clips;
mod encoding;
mod format;
mod frame_encoder;
mod output;
mod poser;
mod shard;
mod skeleton_ancestors;

use std::io::{self, IsTerminal, Write};
use std::num::NonZero;

use sinew::mesh::Attributes;
use sinew::{FloatMode, Model};
use sinew_io::{BakedModel, ImageFiles, OverwritePolicy, dropped_by_glb};

pub(crate) use arguments::Bake;
use arguments::Space;
use clips::{OutputPaths, select_clips};
use encoding::Encoding;
use format::Format;
use frame_encoder::{EncodedFrames, FrameJob, encode_frames};
use output::Output;
use poser::{PoseOptions, Poser};
use skeleton_ancestors::skeleton_ancestors;

use crate::CliError;
use crate::error::print_stderr;
use crate::frame_times::FrameTimes;
use crate::json::{Value, json};
use crate::notes::{note, note_influences_without_effect, note_time_without_effect};
use crate::output_file::suggest_force;
use crate::progress::Progress;
use crate::thread_count::thread_count;

pub(crate) fn run(arguments: &Bake, out: &mut impl Write) -> Result<(), CliError> {
    let format = Format::from_path(&arguments.out)?;
    arguments.check(format)?;
    let levels: Vec<usize> = arguments.max_influences.map(NonZero::get).into_iter().collect();
    // Meshes embed their pictures or have them beside them.
    let pictures = if format.is_mesh() { ImageFiles::Load } else { ImageFiles::KeepUri };
    let float_mode = if arguments.reproducible { FloatMode::Reproducible } else { FloatMode::Fast };
    let options = arguments.input.options().levels(levels).image_files(pictures).float_mode(float_mode);
    let loaded = arguments.input.load_with(&options)?;
    loaded.check_vertex_limit(&arguments.input)?;
    if arguments.dual_quaternion {
        loaded.check_dual_quaternions(&arguments.input)?;
    }
    let model = &loaded.model;
    let policy = if arguments.force { OverwritePolicy::Replace } else { OverwritePolicy::Refuse };
    let paths = OutputPaths::new(&arguments.out, model)?;
    let mut outputs = Vec::new();
    for clip in select_clips(model, arguments.clip.as_deref(), arguments.shard)? {
        let played = clip.map(|clip| &model.clips()[clip]);
        let frame_times = FrameTimes::new(played, arguments.frame_choice(format))?;
        outputs.push(Output { clip, path: paths.path(clip), format, frame_times, policy });
    }
    for output in &outputs {
        output.check_paths(&loaded)?;
    }
    let model = loaded.into_model(&arguments.input);
    notes(arguments, &model, &outputs);
    if format == Format::Glb {
        dropped_by_glb(&model).iter().for_each(|dropped| note(&format!("not kept: {dropped}")));
    }
    let pose_options = PoseOptions::new(&model, arguments);
    let baked = BakedModel::new(&model)?;
    note_large_output(&outputs, &baked);
    let mut displacement = 0.0_f32;
    let frames =
        outputs.iter().map(|output| output.frame_times.frames * output.encodings(&model).len()).sum();
    let progress = Progress::new(frames, "frames");
    for output in &outputs {
        let encodings = output.encodings(&model);
        let threads = thread_count(arguments.threads);
        let job = FrameJob { frame_times: &output.frame_times, encodings: &encodings, threads };
        let attributes = encodings.iter().map(Encoding::attributes).max().unwrap_or(Attributes::Positions);
        let poser = || Poser::new(&model, output.clip, attributes, &pose_options);
        let write = |frames: &mut EncodedFrames<'_>| output.write(frames, &baked, &progress);
        let displaced = encode_frames(&job, &baked, poser, write).map_err(suggest_force)?;
        displacement = displacement.max(displaced);
    }
    progress.finish();
    for message in outputs.iter().filter_map(Output::leftover_message) {
        print_stderr(&message);
    }
    let displacement = arguments.max_influences.map(|_| displacement);
    print_summary(arguments, &outputs, &baked, displacement, out)
}

/// Notes options that have no effect on this model.
fn notes(arguments: &Bake, model: &Model, outputs: &[Output]) {
    for output in outputs {
        note_time_without_effect(model, output.clip, arguments.at, arguments.fps);
    }
    if let Some(limit) = arguments.max_influences {
        note_influences_without_effect(&format!("--max-influences {limit}"), model, limit.get());
    }
    if arguments.dual_quaternion {
        note_influences_without_effect("--dual-quaternion", model, 1);
    }
    if arguments.space == Space::Model && skeleton_ancestors(model).is_empty() {
        note("--space model has no effect: no node is above the skeleton's root joints");
    }
}

/// The bytes of output above which a note tells how much it is.
const LARGE_OUTPUT: usize = 2_000_000_000;

fn note_large_output(outputs: &[Output], baked: &BakedModel) {
    let bytes = |output: &Output| {
        let encodings = output.encodings(baked.model());
        let frame: usize = encodings.iter().map(|encoding| encoding.estimated_bytes(baked)).sum();
        frame.saturating_mul(output.frame_times.frames)
    };
    let bytes = outputs.iter().map(bytes).fold(0, usize::saturating_add);
    if bytes > LARGE_OUTPUT {
        note(&format!("the output is about {:.1} GB", bytes as f64 / 1e9));
    }
}

/// Prints what was written: as JSON on request, otherwise as text if the output is a terminal.
fn print_summary(
    arguments: &Bake,
    outputs: &[Output],
    baked: &BakedModel,
    displacement: Option<f32>,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let (vertices, triangles) = (baked.positions().len(), baked.triangles().len());
    if arguments.json {
        let outputs: Vec<Value> = outputs.iter().map(|output| output.json(baked.model())).collect();
        let value = json!({
            "vertices": vertices, "triangles": triangles, "displacement": displacement, "outputs": outputs,
        });
        return Ok(writeln!(out, "{value}")?);
    }
    if io::stdout().is_terminal() {
        for output in outputs {
            writeln!(out, "{}", output.summary(vertices))?;
        }
        if let Some(displacement) = displacement {
            writeln!(out, "--max-influences displaces vertices by at most {displacement:e}")?;
        }
    }
    Ok(())
}
