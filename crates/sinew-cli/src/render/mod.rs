//! `sinew render`: pictures of a model, drawn without a graphics card.

mod actor;
mod arguments;
mod boxes;
mod camera;
mod compare;
mod encode;
mod facing;
mod floor;
mod labels;
mod light;
mod look;
mod marks;
mod outline;
mod pixels;
mod shadow;
mod show;
mod stage;
mod textures;

use std::io::{self, IsTerminal, Write};

use sinew::FloatMode;
use sinew_io::{Options, OverwritePolicy, Pictures};

pub(crate) use arguments::Render;
use show::Show;

use crate::Failure;
use crate::bake::{Plan, Timing, find_clip, force_helps, refuse_path};
use crate::progress::Progress;
use crate::words::count;

pub(crate) fn run(arguments: &Render, out: &mut impl Write) -> Result<(), Failure> {
    let kind = arguments.check()?;
    let policy = if arguments.force { OverwritePolicy::Replace } else { OverwritePolicy::Refuse };
    let methods = arguments.compare.map(|pair| pair.0.to_vec()).unwrap_or_default();
    let levels: Vec<usize> = methods.iter().filter_map(|method| method.max_influences()).collect();
    let (float_mode, pictures) = (FloatMode::Reproducible, Pictures::Read);
    let options = Options { levels, float_mode, pictures, ..arguments.source.options() };
    let loaded = arguments.source.load_as(&options)?;
    loaded.refuse_vast(&arguments.source)?;
    refuse_path(arguments.out.clone(), policy, &loaded)?;
    let model = loaded.noted(&arguments.source);
    let clip = match &arguments.clip {
        Some(wish) => Some(find_clip(&model, wish)?),
        None => (!model.clips().is_empty()).then_some(0),
    };
    let timing = arguments.timing(kind);
    let played = clip.map(|clip| &model.clips()[clip]);
    let plan = Plan::new(played, timing)?.round(played);
    let mut show = Show::new(arguments, &model, clip, &plan)?;
    match kind {
        arguments::Kind::Png => {
            let picture = show.picture(plan.seconds(0))?;
            encode::write_png(&arguments.out, policy, picture).map_err(force_helps)?;
        }
        arguments::Kind::Gif => {
            let rate = match timing {
                Timing::Rate(rate) | Timing::Usual(rate) => rate,
                Timing::First | Timing::At(_) => 1.0,
            };
            let progress = Progress::new(plan.frames, "frames");
            encode::write_gif(&arguments.out, policy, &plan, rate, &mut show, &progress)?;
            progress.end();
        }
    }
    tell(arguments, plan.frames, out)
}

/// Says what was drawn, where somebody looks.
fn tell(arguments: &Render, frames: usize, out: &mut impl Write) -> Result<(), Failure> {
    if io::stdout().is_terminal() {
        let (size, frames) = (arguments.size.0, count(frames, "picture"));
        let file = arguments.out.display();
        writeln!(out, "{file}: {frames} of {} x {} pixels", size.width(), size.height())?;
    }
    Ok(())
}
