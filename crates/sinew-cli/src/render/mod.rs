//! `sinew render`: draws pictures of a model with the software rasterizer.

mod arguments;
mod gif;
mod layer_argument;
mod picture_size;

use std::io::{self, IsTerminal, Write};

use sinew::FloatMode;
use sinew_io::{Error, ImageFiles, OverwritePolicy, Tangents};

pub(crate) use arguments::Render;
use gif::write_gif;
use sinew_render::{ComparedMethod, RenderOptions, Renderer, write_png};

use crate::CliError;
use crate::clip_choice::select_clip;
use crate::error::print_stderr;
use crate::frame_times::{FrameChoice, FrameTimes};
use crate::notes::{note_influences_without_effect, note_missing_pictures, note_time_without_effect};
use crate::output_file::{check_output_path, suggest_force, write_file};
use crate::progress::Progress;
use crate::text::count;
use crate::thread_count::thread_count;

pub(crate) fn run(arguments: &Render, out: &mut impl Write) -> Result<(), CliError> {
    let format = arguments.check()?;
    let policy = if arguments.force { OverwritePolicy::Replace } else { OverwritePolicy::Refuse };
    let methods = arguments.compare.map(|pair| pair.0.to_vec()).unwrap_or_default();
    let levels: Vec<usize> = methods.iter().filter_map(|method| method.max_influences()).collect();
    let (float_mode, pictures) = (FloatMode::Reproducible, ImageFiles::Load);
    let options = arguments.input.options().levels(levels).float_mode(float_mode).image_files(pictures);
    // For normal textures.
    let options = options.tangents(Tangents::Generate);
    let loaded = arguments.input.load_with(&options)?;
    loaded.check_vertex_limit(&arguments.input)?;
    if methods.contains(&ComparedMethod::Dual) {
        loaded.check_dual_quaternions(&arguments.input)?;
    }
    check_output_path(arguments.out.clone(), policy, &loaded)?;
    note_missing_pictures(&loaded);
    let model = loaded.into_model(&arguments.input);
    let clip = select_clip(&model, arguments.clip.as_deref())?;
    note_time_without_effect(&model, clip, arguments.at, arguments.fps);
    for limit in methods.iter().filter_map(|method| method.max_influences()) {
        note_influences_without_effect(&format!("--compare influences:{limit}"), &model, limit);
    }
    let choice = arguments.frame_choice(format);
    let played = clip.map(|clip| &model.clips()[clip]);
    let frame_times = FrameTimes::new(played, choice)?.without_loop_end(played);
    let mut times = (0..frame_times.frames).map(|frame| frame_times.seconds(frame));
    let mut renderer = Renderer::new(&render_options(arguments), &model, clip, &mut times)?;
    for message in renderer.skip_messages() {
        print_stderr(&format!("{}: {message}", arguments.input.name()));
    }
    match format {
        arguments::Format::Png => {
            let picture = renderer.picture(frame_times.seconds(0))?;
            let failed = |source| Error::Write { file: arguments.out.clone(), source };
            write_file(&arguments.out, policy, |file| write_png(file, picture).map_err(failed))
                .map_err(suggest_force)?;
        }
        arguments::Format::Gif => {
            let rate = match choice {
                FrameChoice::Rate(rate) | FrameChoice::DefaultRate(rate) => rate,
                FrameChoice::First | FrameChoice::At(_) => 1.0,
            };
            let progress = Progress::new(frame_times.frames, "frames");
            write_gif(&arguments.out, policy, &frame_times, rate, &mut renderer, &progress)?;
            progress.finish();
        }
    }
    print_summary(arguments, frame_times.frames, out)
}

fn render_options(arguments: &Render) -> RenderOptions {
    let mut options = RenderOptions::new(arguments.size.0);
    options.layers = arguments.show.iter().map(|argument| argument.0).collect();
    options.camera = arguments.camera;
    options.compare = arguments.compare;
    options.heat = arguments.heat;
    options.threads = thread_count(arguments.threads);
    options
}

/// Prints what was drawn, if the output is a terminal.
fn print_summary(arguments: &Render, frames: usize, out: &mut impl Write) -> Result<(), CliError> {
    if io::stdout().is_terminal() {
        let (size, frames) = (arguments.size.0, count(frames, "frame"));
        let file = arguments.out.display();
        writeln!(out, "{file}: {frames} of {} x {} pixels", size.width(), size.height())?;
    }
    Ok(())
}
