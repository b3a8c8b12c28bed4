//! A model in a few lines.

use std::io::Write;

use sinew::{Image, Model, Up};

use super::bounds::{Boxes, to_text};
use super::json::{bytes, depth, path};
use crate::Failure;
use crate::source::Loaded;
use crate::words::{count, one_line};

pub(super) fn print(out: &mut impl Write, name: &str, loaded: &Loaded) -> Result<(), Failure> {
    let Loaded { model, report, .. } = loaded;
    let skeleton = model.skeleton();
    let up = match model.up() {
        Up::Y => "+Y",
        Up::Z => "+Z",
    };
    writeln!(out, "{}, {up} is up", one_line(name))?;
    let (joints, roots) = (count(skeleton.len(), "joint"), count(skeleton.roots().count(), "root"));
    writeln!(out, "skeleton   {joints}, {roots}, depth {}", depth(model))?;
    let joints: Vec<_> = model.skins().iter().take(8).map(|skin| skin.len().to_string()).collect();
    let more = if model.skins().len() > 8 { ", ..." } else { "" };
    match model.skins().len() {
        0 => writeln!(out, "skins      none")?,
        skins => writeln!(out, "skins      {skins}, of joints: {}{more}", joints.join(", "))?,
    }
    print_parts(out, model)?;
    let boxes = Boxes::new(model);
    writeln!(out, "bounds     {}", to_text(boxes.rest.as_ref()))?;
    print_clips(out, model, &boxes)?;
    print_looks(out, model)?;
    if report.is_empty() {
        return Ok(writeln!(out, "oddities   none")?);
    }
    writeln!(out, "oddities   {}", report.oddities().len())?;
    for oddity in report.oddities() {
        writeln!(out, "  {}", one_line(&oddity.to_string()))?;
    }
    Ok(())
}

fn print_parts(out: &mut impl Write, model: &Model) -> Result<(), Failure> {
    if model.parts().is_empty() {
        return Ok(writeln!(out, "parts      none")?);
    }
    let mut rows = vec![
        ["name", "vertices", "triangles", "influences", "runs", "padding", "path", "bytes"]
            .map(str::to_owned),
    ];
    for (index, part) in model.parts().iter().enumerate() {
        let mesh = &model.surface(index).mesh;
        let layout = mesh.layout();
        rows.push([
            shown(&part.name, index),
            mesh.len().to_string(),
            mesh.triangles().len().to_string(),
            layout.most_influences.to_string(),
            layout.runs.to_string(),
            (layout.places - mesh.len()).to_string(),
            path(layout.form).to_owned(),
            bytes(mesh).to_string(),
        ]);
    }
    writeln!(out, "parts      {}", model.parts().len())?;
    print_table(out, &rows)
}

fn print_clips(out: &mut impl Write, model: &Model, boxes: &Boxes) -> Result<(), Failure> {
    if model.clips().is_empty() {
        return Ok(writeln!(out, "clips      none")?);
    }
    let mut rows = vec![["name", "seconds", "tracks", "keys", "bytes", "bounds"].map(str::to_owned)];
    for (index, clip) in model.clips().iter().enumerate() {
        rows.push([
            shown(clip.name(), index),
            format!("{:.3}", clip.end()),
            clip.track_count().to_string(),
            clip.key_count().to_string(),
            clip.bytes().to_string(),
            to_text(boxes.clips[index].as_ref()),
        ]);
    }
    writeln!(out, "clips      {}", model.clips().len())?;
    print_table(out, &rows)
}

fn print_looks(out: &mut impl Write, model: &Model) -> Result<(), Failure> {
    let materials = model.materials().iter().enumerate().map(|(i, material)| shown(&material.name, i));
    print_list(out, "materials", materials.collect())?;
    let image = |(index, image): (usize, &Image)| {
        let name = if image.name.is_empty() { &image.uri } else { &image.name };
        match image.bytes.len() {
            0 => format!("{} (not in the file)", shown(name, index)),
            bytes => format!("{} ({bytes} bytes)", shown(name, index)),
        }
    };
    print_list(out, "images", model.images().iter().enumerate().map(image).collect())
}

fn print_list(out: &mut impl Write, what: &str, items: Vec<String>) -> Result<(), Failure> {
    let text = if items.is_empty() { "none".to_owned() } else { items.join(", ") };
    Ok(writeln!(out, "{what:<11}{text}")?)
}

/// Names to the left, all else to the right, under the heads of columns.
fn print_table<const N: usize>(out: &mut impl Write, rows: &[[String; N]]) -> Result<(), Failure> {
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

/// A name, or the number of what has none. Longer ones would push columns off the screen.
fn shown(name: &str, index: usize) -> String {
    let name = one_line(name);
    match name.chars().count() {
        0 => format!("#{index}"),
        1..=40 => name,
        _ => name.chars().take(37).chain("...".chars()).collect(),
    }
}
