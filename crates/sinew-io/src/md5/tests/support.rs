//! The text of a small model and a clip, and functions to import them.

use std::fmt::Write as _;

use sinew::Model;

use crate::md5::check_anim;
use crate::{ClipFile, Error, ImportOptions, Report, load_bytes};

/// Two joints, and a strip of triangles with weights on both.
pub(super) fn mesh_text(strips: usize) -> String {
    let mut text = String::from("MD5Version 10\ncommandline \"\"\nnumJoints 2\nnumMeshes 1\njoints {\n");
    text += "\t\"root\" -1 ( 0 0 0 ) ( 0 0 0 ) // \n\t\"tip\" 0 ( 0 0 1 ) ( 0 0 0.5 ) // root\n}\n";
    text += "mesh {\n\t// meshes: strip\n\tshader \"skin\"\n";
    let vertices = 2 + 2 * strips;
    let _ = writeln!(text, "\tnumverts {vertices}");
    for vertex in 0..vertices {
        let _ = writeln!(text, "\tvert {vertex} ( 0.{vertex} 0.5 ) {} 2", 2 * (vertex % 4));
    }
    let _ = writeln!(text, "\tnumtris {}", vertices - 2);
    for triangle in 0..vertices - 2 {
        let _ = writeln!(text, "\ttri {triangle} {triangle} {} {}", triangle + 1, triangle + 2);
    }
    text += "\tnumweights 8\n";
    for weight in 0..8 {
        let _ = writeln!(text, "\tweight {weight} {} 0.5 ( {weight}.25 -1e-1 3 )", weight % 2);
    }
    text + "}\n"
}

/// A clip for this model.
pub(super) fn anim_text(frames: usize) -> String {
    let mut text =
        format!("MD5Version 10\ncommandline \"\"\nnumFrames {frames}\nnumJoints 2\nframeRate 24\n");
    text +=
        "numAnimatedComponents 7\nhierarchy {\n\t\"root\" -1 1 0\n\t\"tip\" 0 63 1 // root\n}\nbounds {\n";
    text += &"\t( -1 -1 -1 ) ( 1 1 1 )\n".repeat(frames);
    text += "}\nbaseframe {\n\t( 0 0 0 ) ( 0 0 0 )\n\t( 0 0 1 ) ( 0 0 0.5 )\n}\n";
    for frame in 0..frames {
        let _ = writeln!(text, "frame {frame} {{\n\t0.{frame}\n\t0 0 1 0 0.{frame} 0.5\n}}");
    }
    text
}

pub(super) fn import(mesh: &[u8], clip: &[u8]) -> Result<(Model, Report), Error> {
    let clips = vec![ClipFile::Bytes { name: "clip".to_owned(), bytes: clip.to_vec() }];
    let options = ImportOptions::default().clips(if clip.is_empty() { Vec::new() } else { clips });
    let import = load_bytes(mesh, &options)?;
    Ok((import.model, import.report))
}

pub(super) fn check_clip(clip: &[u8]) -> Result<(usize, Report), Error> {
    let mut report = Report::new(false);
    let summary = check_anim(clip, &ImportOptions::default(), &mut report)?;
    Ok((summary.frames, report))
}
