//! `sinew render`: draws pictures of a model with the software rasterizer.

mod arguments;
mod bounds_lines;
mod camera;
mod captions;
mod compared_method;
mod encode;
mod floor;
mod lights;
mod model_renderer;
mod overlays;
mod picture_size;
mod posed_model;
mod renderer;
mod shadow_volumes;
mod silhouette_lines;
mod textures;
mod vertex_colors;

use std::io::{self, IsTerminal, Write};

use sinew::FloatMode;
use sinew_io::{ImageFiles, OverwritePolicy};

pub(crate) use arguments::Render;
use renderer::Renderer;

use crate::CliError;
use crate::clip_choice::select_clip;
use crate::frame_times::{FrameChoice, FrameTimes};
use crate::output_file::{check_output_path, suggest_force};
use crate::progress::Progress;
use crate::text::count;

pub(crate) fn run(arguments: &Render, out: &mut impl Write) -> Result<(), CliError> {
    let format = arguments.check()?;
    let policy = if arguments.force { OverwritePolicy::Replace } else { OverwritePolicy::Refuse };
    let methods = arguments.compare.map(|pair| pair.0.to_vec()).unwrap_or_default();
    let levels: Vec<usize> = methods.iter().filter_map(|method| method.max_influences()).collect();
    let (float_mode, pictures) = (FloatMode::Reproducible, ImageFiles::Load);
    let options = arguments.input.options().levels(levels).float_mode(float_mode).image_files(pictures);
    let loaded = arguments.input.load_with(&options)?;
    loaded.check_vertex_limit(&arguments.input)?;
    check_output_path(arguments.out.clone(), policy, &loaded)?;
    let model = loaded.into_model(&arguments.input);
    let clip = select_clip(&model, arguments.clip.as_deref())?;
    let choice = arguments.frame_choice(format);
    let played = clip.map(|clip| &model.clips()[clip]);
    let frame_times = FrameTimes::new(played, choice)?.without_loop_end(played);
    let mut renderer = Renderer::new(arguments, &model, clip, &frame_times)?;
    match format {
        arguments::Format::Png => {
            let picture = renderer.picture(frame_times.seconds(0))?;
            encode::write_png(&arguments.out, policy, picture).map_err(suggest_force)?;
        }
        arguments::Format::Gif => {
            let rate = match choice {
                FrameChoice::Rate(rate) | FrameChoice::DefaultRate(rate) => rate,
                FrameChoice::First | FrameChoice::At(_) => 1.0,
            };
            let progress = Progress::new(frame_times.frames, "frames");
            encode::write_gif(&arguments.out, policy, &frame_times, rate, &mut renderer, &progress)?;
            progress.finish();
        }
    }
    print_summary(arguments, frame_times.frames, out)
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
