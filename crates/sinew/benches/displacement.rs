//! The displacement of vertices by levels of detail, relative to skinning with all influences.
//!
//! `cargo bench -p sinew --bench displacement`. A line for each motion of a figure: the largest
//! displacement of each level over a second of frames.

use std::env;
use std::error::Error;
use std::io::{Write, stdout};

use sinew::{Mesh, MeshSource, Palette, Skin};

const LEVELS: [usize; 3] = [1, 2, 3];

fn main() {
    // `cargo bench` passes `--bench`; `cargo test` only checks that the program runs.
    let measure = env::args().any(|argument| argument == "--bench");
    if let Err(error) = print("@figure", if measure { 60 } else { 1 }) {
        print_line(&format!("failed: {error}"));
    }
}

/// Prints the largest displacements over some frames of a sixtieth of a second.
fn print(name: &str, frames: u16) -> Result<(), Box<dyn Error>> {
    let scene = sinew_figures::scene(name)?;
    let skin = Skin::new(&scene.skeleton, &scene.skin_joints)?;
    let mesh = Mesh::new(&MeshSource { levels: &LEVELS, ..scene.mesh.source() }, &skin)?;
    let mut pose = scene.skeleton.rest_pose();
    let mut model_from_joint = scene.skeleton.identity_matrices();
    let mut palette = Palette::new(&skin);
    for motion in &scene.motions {
        let mut largest = LEVELS.map(|_| 0.0_f32);
        for frame in 0..frames {
            motion.pose(&scene.skeleton, f32::from(frame) / 60.0, &mut pose)?;
            scene.skeleton.to_model(&pose, .., &mut model_from_joint)?;
            palette.update(&model_from_joint, &skin)?;
            for (largest, level) in largest.iter_mut().zip(LEVELS) {
                *largest = largest.max(mesh.displacement(&palette, level)?);
            }
        }
        let mut line = format!("displacement, {name}, {}:", motion.name());
        for (largest, level) in largest.iter().zip(LEVELS) {
            line += &format!("  at most {level}: {:.1} mm", 1e3 * largest);
        }
        print_line(&line);
    }
    Ok(())
}

fn print_line(line: &str) {
    // A closed output cannot be reported anywhere.
    let _ = writeln!(stdout(), "{line}");
}
