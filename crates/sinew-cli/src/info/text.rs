//! A model as text, in a few lines.

use std::io::Write;

use sinew::Model;
use sinew::model::{Image, UpAxis};

use super::bounds::{ModelBounds, to_text};
use super::json::{bytes, depth, layout_name};
use super::vrm;
use crate::CliError;
use crate::model_input::LoadedModel;
use crate::text::{count, one_line};

pub(super) fn print(out: &mut impl Write, name: &str, loaded: &LoadedModel) -> Result<(), CliError> {
    let LoadedModel { model, report, .. } = loaded;
    let skeleton = model.skeleton();
    let up = match model.up_axis() {
        UpAxis::Y => "+Y",
        UpAxis::Z => "+Z",
    };
    writeln!(out, "{}, {up} is up", one_line(name))?;
    let (joints, roots) = (count(skeleton.len(), "joint"), count(skeleton.roots().count(), "root"));
    writeln!(out, "skeleton        {joints}, {roots}, depth {}", depth(model))?;
    let joints: Vec<_> = model.skins().iter().take(8).map(|skin| skin.len().to_string()).collect();
    let more = if model.skins().len() > 8 { ", ..." } else { "" };
    match model.skins().len() {
        0 => writeln!(out, "skins           none")?,
        skins => writeln!(out, "skins           {skins}, with joints: {}{more}", joints.join(", "))?,
    }
    print_mesh_instances(out, model)?;
    let bounds = ModelBounds::new(model);
    writeln!(out, "bounds          {}", to_text(bounds.rest.as_ref()))?;
    print_clips(out, model, &bounds)?;
    print_materials(out, model)?;
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

fn print_mesh_instances(out: &mut impl Write, model: &Model) -> Result<(), CliError> {
    if model.mesh_instances().is_empty() {
        return Ok(writeln!(out, "mesh instances  none")?);
    }
    let mut rows = vec![
        ["name", "vertices", "triangles", "influences", "runs", "padding", "layout", "bytes"]
            .map(str::to_owned),
    ];
    for (index, instance) in model.mesh_instances().iter().enumerate() {
        let mesh = &model.primitive(index).mesh;
        let layout = mesh.layout();
        rows.push([
            display_name(&instance.name, index),
            mesh.len().to_string(),
            mesh.triangles().len().to_string(),
            layout.max_influences.to_string(),
            layout.runs.to_string(),
            (layout.slots - mesh.len()).to_string(),
            layout_name(layout.grouping).to_owned(),
            bytes(mesh).to_string(),
        ]);
    }
    writeln!(out, "mesh instances  {}", model.mesh_instances().len())?;
    print_table(out, &rows)
}

fn print_clips(out: &mut impl Write, model: &Model, bounds: &ModelBounds) -> Result<(), CliError> {
    if model.clips().is_empty() {
        return Ok(writeln!(out, "clips           none")?);
    }
    let mut rows = vec![["name", "seconds", "tracks", "keys", "bytes", "bounds"].map(str::to_owned)];
    for (index, clip) in model.clips().iter().enumerate() {
        rows.push([
            display_name(clip.name(), index),
            format!("{:.3}", clip.end()),
            clip.track_count().to_string(),
            clip.key_count().to_string(),
            clip.bytes().to_string(),
            to_text(bounds.clips[index].as_ref()),
        ]);
    }
    writeln!(out, "clips           {}", model.clips().len())?;
    print_table(out, &rows)
}

fn print_materials(out: &mut impl Write, model: &Model) -> Result<(), CliError> {
    let materials = model.materials().iter().enumerate().map(|(i, material)| display_name(&material.name, i));
    print_list(out, "materials", materials.collect())?;
    let image = |(index, image): (usize, &Image)| {
        let name = if image.name.is_empty() { &image.uri } else { &image.name };
        match image.bytes.len() {
            0 => format!("{} (not in the file)", display_name(name, index)),
            bytes => format!("{} ({bytes} bytes)", display_name(name, index)),
        }
    };
    print_list(out, "images", model.images().iter().enumerate().map(image).collect())
}

fn print_list(out: &mut impl Write, label: &str, items: Vec<String>) -> Result<(), CliError> {
    let text = if items.is_empty() { "none".to_owned() } else { items.join(", ") };
    Ok(writeln!(out, "{label:<16}{text}")?)
}

/// Prints a table: the first row is the head, the first column is left-aligned, the others right.
pub(super) fn print_table<const N: usize>(
    out: &mut impl Write,
    rows: &[[String; N]],
) -> Result<(), CliError> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    for row in rows {
        write!(out, "  {:<1$}", row[0], widths[0])?;
        for (cell, width) in row.iter().zip(widths).skip(1) {
            write!(out, "  {cell:>width$}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A name, or `#index` for an empty one. Long names are cut, so that columns fit the screen.
fn display_name(name: &str, index: usize) -> String {
    let name = one_line(name);
    match name.chars().count() {
        0 => format!("#{index}"),
        1..=40 => name,
        _ => name.chars().take(37).chain("...".chars()).collect(),
    }
}
