//! `sinew info`: shows what a model contains.

mod bounds;
mod json;
mod locality;
mod text;
mod vrm;

use std::io::Write;

use clap::Args;

use crate::CliError;
use crate::model_input::ModelInput;

/// The arguments of `sinew info`.
#[derive(Args, Debug)]
#[command(after_help = "\
Lists joints with their parents (the first 100), mesh instances with their skins, morph
targets (the first 20 of a mesh instance), clips, materials, images and warnings. With
--verbose all joints and morph targets are listed, and mesh instances also with the layout
that skinning uses: the runs of vertices that share a joint set, the padding vertices of
these runs, the bytes that skinning reads, and how vertices are grouped:
  shared-joints       runs of vertices with one joint set
  per-vertex-joints   too many joint sets: vertices grouped by their number of influences
  pre-weighted        influences in joint space, as in MD5

Bounds contain every vertex, in the rest pose and over each clip, sampled 30 times per second
or less often in long clips. They are computed from joints alone, so they may be a little
larger than the tightest box.

The keys of --json: file, up, vertices, triangles, bounds (min, max), skeleton (joints,
roots, depth, morph_weights), joints (name, parent), skins (joints, joint_numbers),
mesh_instances (name, joint, skin, primitive, material, vertices, triangles, max_influences,
average_influences, morph_targets, morph_target_names), clips (name, seconds, first, tracks,
keys, bytes, bounds), materials (name, base_color, image, missing_picture, alpha_mode,
double_sided, metallic, roughness), images (name, media_type, bytes, uri), warnings
(location, found, action), and for VRM files vrm (version, animation, humanoid, expressions,
springs, colliders, constraints). A missing_picture is the name, without ending, of the file
that was looked for beside an MD5 model. Parents, skins, joints, materials and images are
numbers from 0; those that do not exist are null. The seconds of a clip are the time of its
last key frame, and first is that of its first one. Bounds are null when they are empty or
not finite. With --verbose, mesh_instances also have runs, padding, layout,
shared_joints_cost, per_vertex_joints_cost and bytes.

--locality measures for each primitive how well a GPU reuses vertices: how many it transforms
per triangle with a cache of 16 (acmr: at best about 0.5), and how many bytes it fetches per
byte of vertices of 32 bytes (overfetch: at best 1). Vertices are in source order or in run
order, triangles as in the file or as `Mesh::draw_triangles` orders them (drawn). JSON:
locality (primitive, triangles, acmr, acmr_drawn, source_overfetch, source_overfetch_drawn,
run_overfetch, run_overfetch_drawn).

Examples:
  sinew info @figure
  sinew info @cylinder:varying --json")]
pub(crate) struct Info {
    #[command(flatten)]
    input: ModelInput,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,

    /// List all joints and morph targets, and how vertices are grouped for skinning
    #[arg(long)]
    verbose: bool,

    /// Also measure how well a GPU reuses vertices, in the file's order and ordered for drawing
    #[arg(long)]
    locality: bool,
}

pub(crate) fn run(arguments: &Info, out: &mut impl Write) -> Result<(), CliError> {
    let input = &arguments.input;
    let loaded = input.load(&[])?;
    let locality = arguments.locality.then(|| locality::measure(&loaded.model));
    if arguments.json {
        let mut model = json::model_json(&input.name(), &loaded, arguments.verbose);
        if let Some(locality) = &locality {
            model.push_field("locality", locality::to_json(locality));
        }
        return Ok(writeln!(out, "{model}")?);
    }
    text::print(out, input, &loaded, arguments.verbose)?;
    match &locality {
        Some(locality) => locality::print(out, locality),
        None => Ok(()),
    }
}
