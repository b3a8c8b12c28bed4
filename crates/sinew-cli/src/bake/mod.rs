//! `sinew bake`: geometry where joints take it, in files that know no joints.

mod arguments;
mod clips;
mod encoding;
mod format;
mod frames;
mod plan;
mod pose;
mod shard;
mod space;
mod write;

use std::io::{self, IsTerminal, Write};
use std::num::NonZero;

use serde_json::{Value, json};
use sinew::Attributes;
use sinew_io::{Baked, Options, OverwritePolicy, Pictures};

pub(crate) use arguments::Bake;
pub(crate) use clips::find as find_clip;
use encoding::Encoding;
use format::Format;
use frames::{Frames, Work};
pub(crate) use plan::{Plan, Timing};
pub(crate) use pose::scales_unevenly;
use pose::{How, Poser};
pub(crate) use write::refuse_path;
use write::{Job, refuse_existing};

use crate::Failure;
use crate::failure::say;
use crate::progress::Progress;
use crate::threads::threads;

pub(crate) fn run(arguments: &Bake, out: &mut impl Write) -> Result<(), Failure> {
    let format = Format::of(&arguments.out)?;
    arguments.check(format)?;
    let levels: Vec<usize> = arguments.max_influences.map(NonZero::get).into_iter().collect();
    // Only a GLB has pictures in itself.
    let pictures = if format == Format::Glb { Pictures::Read } else { Pictures::Name };
    let options = Options { levels, pictures, ..arguments.source.options() };
    let loaded = arguments.source.load_as(&options)?;
    loaded.refuse_vast(&arguments.source)?;
    let model = &loaded.model;
    let policy = if arguments.force { OverwritePolicy::Replace } else { OverwritePolicy::Refuse };
    let chosen = clips::chosen(model, arguments.clip.as_deref(), arguments.shard)?;
    let paths = clips::Paths::new(&arguments.out, model)?;
    let mut jobs = Vec::new();
    for clip in chosen {
        let path = paths.of(clip);
        let plan = Plan::new(clip.map(|clip| &model.clips()[clip]), arguments.timing(format))?;
        jobs.push(Job { clip, path, format, plan, policy });
    }
    for job in &jobs {
        refuse_existing(job, &loaded)?;
    }
    let model = loaded.noted(&arguments.source);
    let how = How::new(&model, arguments);
    let baked = Baked::new(&model)?;
    let mut displacement = 0.0_f32;
    let frames = jobs.iter().map(|job| job.plan.frames * job.encodings(&model).len()).sum();
    let progress = Progress::new(frames, "frames");
    for job in &jobs {
        let encodings = job.encodings(&model);
        let work = Work { plan: &job.plan, encodings: &encodings, threads: threads(arguments.threads) };
        let most = encodings.iter().map(Encoding::attributes).max().unwrap_or(Attributes::Positions);
        let poser = || Poser::new(&model, job.clip, most, &how);
        let write = |frames: &mut Frames<'_>| job.write(frames, &baked, &progress);
        displacement = displacement.max(frames::with(&work, &baked, poser, write).map_err(force_helps)?);
    }
    progress.end();
    for old in jobs.iter().filter_map(Job::left_over) {
        say(&old);
    }
    let displacement = arguments.max_influences.map(|_| displacement);
    tell(arguments, &jobs, &baked, displacement, out)
}

/// Says what was written, where somebody looks or a machine asks.
fn tell(
    arguments: &Bake,
    jobs: &[Job],
    baked: &Baked,
    displacement: Option<f32>,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let (vertices, triangles) = (baked.positions().len(), baked.triangles().len());
    if arguments.json {
        let outputs: Vec<Value> = jobs.iter().map(|job| job.describe(baked.model())).collect();
        let value = json!({
            "vertices": vertices, "triangles": triangles, "displacement": displacement, "outputs": outputs,
        });
        return Ok(writeln!(out, "{value:#}")?);
    }
    if io::stdout().is_terminal() {
        for job in jobs {
            writeln!(out, "{}", job.told(vertices))?;
        }
        if let Some(displacement) = displacement {
            writeln!(out, "fewer influences displace vertices by at most {displacement:e}")?;
        }
    }
    Ok(())
}

/// Says how to replace a file that is there.
pub(crate) fn force_helps(error: sinew_io::Error) -> Failure {
    match error {
        sinew_io::Error::Exists { .. } => Failure::Input(format!("{error}; --force replaces it")),
        other => other.into(),
    }
}
