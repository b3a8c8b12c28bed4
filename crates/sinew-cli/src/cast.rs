//! `sinew cast`: what a ray hits of a posed model.

use std::io::Write;

use clap::Args;
use serde_json::{Value, json};
use sinew::{Faces, Hit, Model, Ray, Side};

use crate::Failure;
use crate::bake::find_clip;
use crate::source::Source;
use crate::words::one_line;

/// Which ray, and at which model.
#[derive(Args, Debug)]
#[command(after_help = "\
Points are x,y,z in the model's own space and units; a ray reaches as far as --to, and no
farther. What is nearest to --from is told: the point, its distance and normal, the
triangle with its side and how much each corner has of the point, and the joint that has
most weight there. A ray that hits nothing is an answer too: the exit code is 0, and the
output `no hit`.

The keys of --json: hit, which is null or has part, part_name, joint, joint_name, triangle,
barycentrics, point, normal, distance, side (front or back).

Examples:
  sinew cast @figure --from 0,1.2,5 --to 0,1.2,-5
  sinew cast @figure --clip wave --at 0.5 --from 5,1.5,0 --to -5,1.5,0 --json
  sinew cast @figure --front --from 0,9,0 --to 0,8,0            # no hit")]
pub(crate) struct Cast {
    #[command(flatten)]
    source: Source,

    /// The clip: its name, or its number from 0; without it the first, or the rest pose where there is none
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,

    /// At so many seconds of the clip's own time; without it at its first key. A model without clips has no times
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    at: Option<f64>,

    /// Where the ray begins
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    from: [f32; 3],

    /// Where it ends
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    to: [f32; 3],

    /// Hit only the fronts of triangles, where corners go counter-clockwise
    #[arg(long)]
    front: bool,

    /// Print JSON, for machines
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Cast, out: &mut impl Write) -> Result<(), Failure> {
    if arguments.at.is_some_and(|seconds| !seconds.is_finite()) {
        return Err(Failure::Usage("--at: expected a finite number of seconds".to_owned()));
    }
    if arguments.from == arguments.to {
        return Err(Failure::Usage("--to: expected another point than that of --from".to_owned()));
    }
    let loaded = arguments.source.load(&[])?;
    loaded.refuse_vast(&arguments.source)?;
    let model = loaded.noted(&arguments.source);
    let hit = cast(arguments, &model)?;
    if arguments.json {
        let value = json!({ "hit": hit.map(|hit| describe(&model, &hit)) });
        return Ok(writeln!(out, "{value:#}")?);
    }
    match hit {
        Some(hit) => tell(&model, &hit, out),
        None => Ok(writeln!(out, "no hit")?),
    }
}

fn cast(arguments: &Cast, model: &Model) -> Result<Option<Hit>, Failure> {
    let clip = match &arguments.clip {
        Some(wish) => Some(find_clip(model, wish)?),
        None => (!model.clips().is_empty()).then_some(0),
    };
    if clip.is_none() && arguments.at.is_some() {
        return Err(Failure::Usage("--at: the model has no clip, only its rest pose".to_owned()));
    }
    let mut instance = model.instance();
    if let Some(clip) = clip {
        let clip = &model.clips()[clip];
        let seconds = arguments.at.map_or(clip.start(), |seconds| seconds as f32);
        clip.sample(seconds, &mut clip.cursor(), instance.pose_mut())?;
    }
    let faces = if arguments.front { Faces::Front } else { Faces::Both };
    Ok(instance.cast(&Ray { faces, ..Ray::between(arguments.from, arguments.to) }))
}

fn side(side: Side) -> &'static str {
    match side {
        Side::Front => "front",
        Side::Back => "back",
    }
}

fn describe(model: &Model, hit: &Hit) -> Value {
    json!({
        "part": hit.part,
        "part_name": model.parts()[hit.part].name,
        "joint": hit.joint,
        "joint_name": model.skeleton().name(hit.joint),
        "triangle": hit.triangle,
        "barycentrics": hit.barycentrics,
        "point": hit.point,
        "normal": hit.normal,
        "distance": hit.distance,
        "side": side(hit.side),
    })
}

fn tell(model: &Model, hit: &Hit, out: &mut impl Write) -> Result<(), Failure> {
    let three = |[x, y, z]: [f32; 3]| format!("{x},{y},{z}");
    writeln!(out, "point     {}", three(hit.point))?;
    writeln!(out, "distance  {}", hit.distance)?;
    writeln!(out, "normal    {}", three(hit.normal))?;
    writeln!(out, "joint     {} {}", hit.joint, one_line(model.skeleton().name(hit.joint)))?;
    writeln!(out, "part      {} {}", hit.part, one_line(&model.parts()[hit.part].name))?;
    writeln!(out, "triangle  {}, {}, {}", hit.triangle, side(hit.side), three(hit.barycentrics))?;
    Ok(())
}

/// Three finite numbers with commas between them.
fn point(text: &str) -> Result<[f32; 3], String> {
    let expected = "expected three finite numbers: x,y,z";
    let number = |part: &str| part.trim().parse::<f32>().ok().filter(|number| number.is_finite());
    let numbers: Option<Vec<f32>> = text.split(',').map(number).collect();
    numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| expected.to_owned())
}
