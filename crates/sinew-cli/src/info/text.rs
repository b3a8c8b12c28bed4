//! A model as text, in a few lines.

use std::io::Write;

use sinew::model::{Image, UpAxis};
use sinew::{JointId, Model};

use super::bounds::{ModelBounds, to_text};
use super::json::{alpha_mode_name, bytes, depth, layout_name};
use super::vrm;
use crate::CliError;
use crate::model_input::{LoadedModel, ModelInput};
use crate::text::{count, one_line, short_name};

/// The most joints that are listed unless all are requested.
const MAX_JOINTS: usize = 100;

/// The most morph targets of a mesh instance that are listed unless all are requested.
const MAX_MORPH_TARGETS: usize = 20;

pub(super) fn print(
    out: &mut impl Write,
    input: &ModelInput,
    loaded: &LoadedModel,
    verbose: bool,
) -> Result<(), CliError> {
    let LoadedModel { model, report, .. } = loaded;
    let up = match model.up_axis() {
        UpAxis::Y => "+Y",
        UpAxis::Z => "+Z",
    };
    writeln!(out, "{}, {up} is up", one_line(&input.name()))?;
    print_skeleton(out, model, verbose)?;
    print_mesh_instances(out, model)?;
    print_morph_targets(out, model, verbose)?;
    if verbose {
        print_layouts(out, model)?;
    }
    let bounds = ModelBounds::new(model);
    writeln!(out, "bounds          {}", to_text(bounds.rest.as_ref()))?;
    print_clips(out, input, model, &bounds)?;
    print_materials(out, loaded)?;
    print_images(out, model)?;
    if let Some(vrm) = &loaded.vrm {
        vrm::print(out, vrm)?;
    }
    if report.is_empty() {
        return Ok(writeln!(out, "warnings        none")?);
    }
    writeln!(out, "warnings        {}", report.warnings().len())?;
    for warning in report.warnings() {
        writeln!(out, "  {}", one_line(&warning.to_string()))?;
    }
    Ok(())
}

fn print_skeleton(out: &mut impl Write, model: &Model, verbose: bool) -> Result<(), CliError> {
    let skeleton = model.skeleton();
    let (joints, roots) = (count(skeleton.len(), "joint"), count(skeleton.roots().count(), "root"));
    writeln!(out, "skeleton        {joints}, {roots}, depth {}", depth(model))?;
    let listed = if verbose { skeleton.len() } else { skeleton.len().min(MAX_JOINTS) };
    let mut rows = vec![["joint", "number", "parent"].map(str::to_owned)];
    for joint in skeleton.joints().take(listed) {
        let name = |joint: JointId| display_name(skeleton.name(joint), joint.index());
        let parent = skeleton.parent(joint).map_or_else(|| "-".to_owned(), name);
        rows.push([name(joint), joint.index().to_string(), parent]);
    }
    print_table(out, &rows)?;
    match skeleton.len() - listed {
        0 => Ok(()),
        more => Ok(writeln!(out, "  ... and {more} more; --verbose lists them")?),
    }
}

fn print_mesh_instances(out: &mut impl Write, model: &Model) -> Result<(), CliError> {
    if model.mesh_instances().is_empty() {
        return Ok(writeln!(out, "mesh instances  none")?);
    }
    let mut rows = vec![
        ["name", "vertices", "triangles", "influences", "morph targets", "skin", "skin joints", "material"]
            .map(str::to_owned),
    ];
    for (index, instance) in model.mesh_instances().iter().enumerate() {
        let primitive = model.primitive(index);
        let mesh = &primitive.mesh;
        let material = |index: usize| display_name(&model.materials()[index].name, index);
        rows.push([
            display_name(&instance.name, index),
            mesh.len().to_string(),
            mesh.triangles().len().to_string(),
            mesh.layout().max_influences.to_string(),
            mesh.morph_count().to_string(),
            instance.skin.to_string(),
            model.skins()[instance.skin].len().to_string(),
            primitive.material.map_or_else(|| "-".to_owned(), material),
        ]);
    }
    writeln!(out, "mesh instances  {}", model.mesh_instances().len())?;
    print_table(out, &rows)
}

/// Prints the names of the morph targets of each mesh instance that has any.
fn print_morph_targets(out: &mut impl Write, model: &Model, verbose: bool) -> Result<(), CliError> {
    let instances = model.mesh_instances().iter().enumerate();
    let morphed: Vec<_> =
        instances.filter(|(index, _)| model.primitive(*index).mesh.morph_count() > 0).collect();
    if morphed.is_empty() {
        return Ok(writeln!(out, "morph targets   none")?);
    }
    writeln!(out, "morph targets   of {}", count(morphed.len(), "mesh instance"))?;
    let listed = if verbose { usize::MAX } else { MAX_MORPH_TARGETS };
    for (index, instance) in morphed {
        let mesh = &model.primitive(index).mesh;
        let names = mesh.morph_names().enumerate().take(listed);
        let names: Vec<String> = names.map(|(target, name)| display_name(name, target)).collect();
        let more = match mesh.morph_count().saturating_sub(listed) {
            0 => String::new(),
            more => format!(", ... and {more} more; --verbose lists them"),
        };
        writeln!(out, "  {}: {}{more}", display_name(&instance.name, index), names.join(", "))?;
    }
    Ok(())
}

/// Prints how the vertices of each mesh instance are grouped for skinning.
fn print_layouts(out: &mut impl Write, model: &Model) -> Result<(), CliError> {
    let mut rows = vec![["name", "runs", "padding", "layout", "bytes"].map(str::to_owned)];
    for (index, instance) in model.mesh_instances().iter().enumerate() {
        let mesh = &model.primitive(index).mesh;
        let layout = mesh.layout();
        rows.push([
            display_name(&instance.name, index),
            layout.runs.to_string(),
            (layout.slots - mesh.len()).to_string(),
            layout_name(layout.grouping).to_owned(),
            bytes(mesh).to_string(),
        ]);
    }
    writeln!(out, "layouts         {}", model.mesh_instances().len())?;
    print_table(out, &rows)
}

fn print_clips(
    out: &mut impl Write,
    input: &ModelInput,
    model: &Model,
    bounds: &ModelBounds,
) -> Result<(), CliError> {
    if model.clips().is_empty() {
        let beside = input.md5_clips_beside();
        let hint = beside.first().map_or_else(String::new, |first| {
            let (clips, first) = (count(beside.len(), "MD5 clip"), one_line(&first.display().to_string()));
            format!("; {clips} beside the model: --with {first} adds one")
        });
        return Ok(writeln!(out, "clips           none{hint}")?);
    }
    let mut rows = vec![["name", "seconds", "tracks", "keys", "bounds"].map(str::to_owned)];
    for (index, clip) in model.clips().iter().enumerate() {
        rows.push([
            display_name(clip.name(), index),
            format!("{:.3}", clip.end()),
            clip.track_count().to_string(),
            clip.key_count().to_string(),
            to_text(bounds.clips[index].as_ref()),
        ]);
    }
    writeln!(out, "clips           {}", model.clips().len())?;
    print_table(out, &rows)
}

fn print_materials(out: &mut impl Write, loaded: &LoadedModel) -> Result<(), CliError> {
    let model = &loaded.model;
    if model.materials().is_empty() {
        return Ok(writeln!(out, "materials       none")?);
    }
    let mut rows = vec![["name", "base color", "picture", "alpha", "sides"].map(str::to_owned)];
    for (index, material) in model.materials().iter().enumerate() {
        let [red, green, blue, alpha] = material.base_color.map(|component| format!("{component:.2}"));
        let picture = match (material.base_texture, loaded.missing_picture(index)) {
            (Some(texture), _) => image_name(&model.images()[texture.image], texture.image),
            (None, Some(missing)) => format!("{}.png not found", display_name(missing, index)),
            (None, None) => "-".to_owned(),
        };
        rows.push([
            display_name(&material.name, index),
            format!("{red} {green} {blue} {alpha}"),
            picture,
            alpha_mode_name(material.alpha_mode).to_owned(),
            if material.double_sided { "2" } else { "1" }.to_owned(),
        ]);
    }
    writeln!(out, "materials       {}", model.materials().len())?;
    print_table(out, &rows)
}

fn print_images(out: &mut impl Write, model: &Model) -> Result<(), CliError> {
    let image = |(index, image): (usize, &Image)| match image.bytes.len() {
        0 => format!("{} (not in the file)", image_name(image, index)),
        bytes => format!("{} ({bytes} bytes)", image_name(image, index)),
    };
    print_list(out, "images", model.images().iter().enumerate().map(image).collect())
}

fn image_name(image: &Image, index: usize) -> String {
    display_name(if image.name.is_empty() { &image.uri } else { &image.name }, index)
}

fn print_list(out: &mut impl Write, label: &str, items: Vec<String>) -> Result<(), CliError> {
    let text = if items.is_empty() { "none".to_owned() } else { items.join(", ") };
    Ok(writeln!(out, "{label:<16}{text}")?)
}

/// Prints a table: the first row is the head. Columns of numbers are right-aligned.
pub(super) fn print_table<const N: usize>(
    out: &mut impl Write,
    rows: &[[String; N]],
) -> Result<(), CliError> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let has_text = |column: usize| {
        column == 0 || rows.iter().skip(1).any(|row| row[column].starts_with(|c: char| c.is_alphabetic()))
    };
    let is_left: [bool; N] = std::array::from_fn(has_text);
    for row in rows {
        let mut line = String::new();
        for ((cell, width), is_left) in row.iter().zip(widths).zip(is_left) {
            let cell = if is_left { format!("  {cell:<width$}") } else { format!("  {cell:>width$}") };
            line.push_str(&cell);
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// A name, or `#index` for an empty one. Long names are cut, so that columns fit the screen: paths
/// at their start, others at their end.
fn display_name(name: &str, index: usize) -> String {
    if name.is_empty() { format!("#{index}") } else { short_name(name) }
}
