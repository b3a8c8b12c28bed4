//! Memory stays in proportion to the file: small files that would need much memory are refused.

use std::fmt::Write as _;

use crate::{ClipFile, Error, Import, ImportOptions, load_bytes};

/// Imports a model with clips, and checks the memory that this takes.
#[track_caller]
fn import_md5(mesh: &str, clips: &[String]) -> Result<Import, Error> {
    let clip = |text: &String| ClipFile::Bytes { name: "clip".to_owned(), bytes: text.clone().into_bytes() };
    let options = ImportOptions::default().clips(clips.iter().map(clip).collect());
    let len = mesh.len() + clips.iter().map(String::len).sum::<usize>();
    let mut import = None;
    let memory = allocation_counter::measure(|| import = Some(load_bytes(mesh.as_bytes(), &options)));
    eprintln!("{len} bytes of files, {} MB of memory", memory.bytes_max >> 20);
    assert!(memory.bytes_max <= (256 << 20) + 4 * len as u64, "{} bytes for {len}", memory.bytes_max);
    import.expect("it was measured")
}

/// A model with `joints` joints, all at the origin, and these meshes.
fn md5_mesh(joints: usize, meshes: &[String]) -> String {
    let mut text = format!("MD5Version 10 numJoints {joints} numMeshes {} joints{{", meshes.len());
    for joint in 0..joints {
        let _ = write!(text, "\"{joint}\"-1(0 0 0)(0 0 0)");
    }
    text + "}" + &meshes.concat()
}

/// A block of vertices that share weights: each vertex uses `each` of them, on consecutive joints.
fn md5_block(vertices: usize, weights: usize, each: usize, joints: usize) -> String {
    let mut text = format!("mesh{{numverts {vertices} ");
    for vertex in 0..vertices {
        let _ = write!(text, "vert {vertex}(0 0){} {each} ", vertex % (weights - each + 1));
    }
    let _ = write!(text, "numtris {vertices} ");
    for triangle in 0..vertices {
        let _ = write!(text, "tri {triangle} 0 1 2 ");
    }
    let _ = write!(text, "numweights {weights} ");
    for weight in 0..weights {
        let _ = write!(text, "weight {weight} {} 1({weight} 0 0)", weight % joints);
    }
    text + "}"
}

/// A clip for such a model, in which the frames change the components in `flags` of each joint. The
/// first component of a joint comes `step` after that of the previous joint; with 0, all joints
/// share the same components.
fn md5_clip(joints: usize, frames: usize, flags: u32, step: usize) -> String {
    let each = flags.count_ones() as usize;
    let components = each + step * (joints - 1);
    let mut text = format!("MD5Version 10 numFrames {frames} numJoints {joints} frameRate 24 ");
    let _ = write!(text, "numAnimatedComponents {components} hierarchy{{");
    for joint in 0..joints {
        let _ = write!(text, "\"{joint}\"-1 {flags} {} ", joint * step);
    }
    text += "}baseframe{";
    text += &"(0 0 0)(0 0 0)".repeat(joints);
    text += "}";
    for frame in 0..frames {
        let _ = write!(text, "frame {frame}{{{}}}", format!("0.{} ", frame % 10).repeat(components));
    }
    text
}

#[test]
fn joints_stay_within_memory() {
    for (joints, sound) in [(50_000, true), (80_000, true), (400_000, false)] {
        assert_eq!(import_md5(&md5_mesh(joints, &[]), &[]).is_ok(), sound, "{joints}");
        let clip = md5_clip(joints, 1, 0, 0);
        let _ = import_md5(&md5_mesh(joints, &[]), &[clip]);
    }
}

#[test]
fn meshes_stay_within_memory() {
    let counts =
        [(200_000, 1, 1), (200_000, 200_000, 1), (2_000, 1_000, 200), (100_000, 100_000, 4), (800_000, 9, 1)];
    for (vertices, weights, each) in counts {
        for joints in [1, 5_000] {
            let _ = import_md5(&md5_mesh(joints, &[md5_block(vertices, weights, each, joints)]), &[]);
        }
    }
}

#[test]
fn clips_share_one_budget() {
    let (mesh, clip) = (md5_mesh(100, &[]), md5_clip(100, 5_000, 1, 0));
    assert!(import_md5(&mesh, std::slice::from_ref(&clip)).is_ok());
    assert!(import_md5(&mesh, &vec![clip; 20]).is_err());
}

#[test]
fn keys_stay_within_memory() {
    for (frames, flags, step) in [(10_000, 63, 0), (30_000, 8, 0), (8_000, 63, 6), (30_000, 63, 6)] {
        let _ = import_md5(&md5_mesh(100, &[]), &[md5_clip(100, frames, flags, step)]);
    }
}
