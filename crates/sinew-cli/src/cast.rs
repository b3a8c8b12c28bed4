//! `sinew cast`: casts a ray at a posed model.

use std::io::Write;

use clap::Args;
use sinew::geometry::Side;
use sinew::model::ClipSampler;
use sinew::query::Faces;
use sinew::{Hit, Model, Ray};

use crate::CliError;
use crate::clip_choice::select_clip;
use crate::json::{Value, json};
use crate::model_input::ModelInput;
use crate::notes::note_time_without_effect;
use crate::numbers;
use crate::text::{BUILT_FOR_MODEL, CLIP_OF_MODEL, one_line};

/// The arguments of `sinew cast`.
#[derive(Args, Debug)]
#[command(after_help = "\
Points are x,y,z in model space and in the model's units. The ray is the segment from --from
to --to. Prints the hit nearest to --from: its point, distance and normal, the joint with the
largest weight there, the mesh instance, and the triangle with the side that was hit and the
barycentric coordinates. When nothing is hit, the output is `no hit` and the exit code is 0.

The keys of --json: hit, which is null or has mesh_instance, mesh_instance_name, joint,
joint_name, triangle, barycentrics, point, normal, distance, side (front or back).

Examples:
  sinew cast @figure --from 0,1.2,5 --to 0,1.2,-5
  sinew cast @figure --clip wave --at 0.5 --from 5,1.5,0 --to -5,1.5,0 --json
  sinew cast @figure --front --from 0,9,0 --to 0,8,0            # no hit")]
pub(crate) struct Cast {
    #[command(flatten)]
    input: ModelInput,

    /// The clip: its name, or its number from 0; default: the first clip, or the rest pose of a
    /// model without clips
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,

    /// The time in the clip; default: its first key frame
    #[arg(long, value_name = "SECONDS", value_parser = numbers::seconds, allow_negative_numbers = true)]
    at: Option<f64>,

    /// The start of the ray
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_point, allow_hyphen_values = true)]
    from: [f32; 3],

    /// The end of the ray
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_point, allow_hyphen_values = true)]
    to: [f32; 3],

    /// Ignore back faces: hit only triangles that are counter-clockwise as seen from --from
    #[arg(long)]
    front: bool,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Cast, out: &mut impl Write) -> Result<(), CliError> {
    if arguments.from == arguments.to {
        return Err(CliError::Usage("--to: expected a point that differs from --from".to_owned()));
    }
    let loaded = arguments.input.load(&[])?;
    loaded.check_vertex_limit(&arguments.input)?;
    let model = loaded.into_model(&arguments.input);
    let hit = cast(arguments, &model)?;
    if arguments.json {
        let value = json!({ "hit": hit.map(|hit| hit_json(&model, &hit)) });
        return Ok(writeln!(out, "{value}")?);
    }
    match hit {
        Some(hit) => print_hit(&model, &hit, out),
        None => Ok(writeln!(out, "no hit")?),
    }
}

fn cast(arguments: &Cast, model: &Model) -> Result<Option<Hit>, CliError> {
    let clip = select_clip(model, arguments.clip.as_deref())?;
    note_time_without_effect(model, clip, arguments.at, None);
    let mut instance = model.instance();
    let first_key = clip.map_or(0.0, |clip| f64::from(model.clips()[clip].start()));
    let seconds = arguments.at.unwrap_or(first_key) as f32;
    let mut sampler = ClipSampler::new(model, clip).expect(CLIP_OF_MODEL);
    instance.sample_clip(&mut sampler, seconds).expect(BUILT_FOR_MODEL);
    let faces = if arguments.front { Faces::Front } else { Faces::Both };
    let hit = instance.cast(&Ray { faces, ..Ray::between(arguments.from, arguments.to) });
    Ok(hit.map(without_rounding_errors))
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Front => "front",
        Side::Back => "back",
    }
}

fn hit_json(model: &Model, hit: &Hit) -> Value {
    json!({
        "mesh_instance": hit.mesh_instance,
        "mesh_instance_name": model.mesh_instances()[hit.mesh_instance].name,
        "joint": hit.joint.index(),
        "joint_name": model.skeleton().name(hit.joint),
        "triangle": hit.triangle,
        "barycentrics": hit.barycentrics,
        "point": hit.point,
        "normal": hit.normal,
        "distance": hit.distance,
        "side": side_name(hit.side),
    })
}

fn print_hit(model: &Model, hit: &Hit, out: &mut impl Write) -> Result<(), CliError> {
    let vector = |[x, y, z]: [f32; 3]| format!("{x},{y},{z}");
    writeln!(out, "point          {}", vector(hit.point))?;
    writeln!(out, "distance       {}", hit.distance)?;
    writeln!(out, "normal         {}", vector(hit.normal))?;
    writeln!(out, "joint          {} {}", hit.joint, one_line(model.skeleton().name(hit.joint)))?;
    writeln!(
        out,
        "mesh instance  {} {}",
        hit.mesh_instance,
        one_line(&model.mesh_instances()[hit.mesh_instance].name)
    )?;
    let (side, barycentrics) = (side_name(hit.side), vector(hit.barycentrics));
    writeln!(out, "triangle       {}, {side}, {barycentrics}", hit.triangle)?;
    Ok(())
}

/// Replaces components of vectors by zero that are no more than rounding errors of the largest one.
fn without_rounding_errors(mut hit: Hit) -> Hit {
    for vector in [&mut hit.point, &mut hit.normal, &mut hit.barycentrics] {
        let largest = vector.iter().copied().map(f32::abs).fold(0.0, f32::max);
        for component in vector.iter_mut().filter(|component| component.abs() <= largest * f32::EPSILON) {
            *component = 0.0;
        }
    }
    hit
}

/// Parses three finite numbers separated by commas.
fn parse_point(text: &str) -> Result<[f32; 3], String> {
    let expected = "expected three finite numbers: x,y,z";
    let number = |part: &str| part.trim().parse::<f32>().ok().filter(|number| number.is_finite());
    let numbers: Option<Vec<f32>> = text.split(',').map(number).collect();
    numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| expected.to_owned())
}
