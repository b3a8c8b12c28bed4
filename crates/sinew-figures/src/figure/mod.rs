//! A human figure by rule: 64 joints, a closed surface of any density, a walk and a wave.
//!
//! The body is a field of soft round cones around the bones. A coarse cage of quadrilaterals, grown tube by
//! tube, gives the surface its topology; it is divided as finely as asked and pulled onto the field's zero.

mod body;
mod cage;
mod chart;
mod division;
mod field;
mod joints;
mod lattice;
mod mover;
mod outline;
mod surface;
mod walk;
mod wave;
mod weights;

pub use joints::JOINTS;
pub use walk::{WALK_SECONDS, WALK_SPEED, walk};
pub use wave::{WAVE_SECONDS, wave};

use crate::portable::narrow;
use crate::{Motion, Scene, Shape};

/// How many vertices a figure has, about, when nothing is asked.
pub const DEFAULT_VERTICES: usize = 5000;

/// A figure of about so many vertices, and never more of them, except that the coarsest figure has some 1500.
///
/// # Errors
///
/// A bad `SINEW_ISA`, as of every skeleton.
pub fn figure(vertices: usize) -> Result<Scene, sinew::Error> {
    let skeleton = joints::skeleton()?;
    let field = body::body();
    let lattice = lattice::Lattice::new(outline::outline(), &field);
    let surface = surface::divide(&lattice, vertices);
    let shape = shape(&surface);
    let skin_joints = (0..skeleton.len()).collect();
    Ok(Scene { skeleton, skin_joints, shape, motions: vec![Motion::Walk, Motion::Wave] })
}

fn shape(surface: &surface::Surface) -> Shape {
    let weights = weights::Weights::new();
    let mut shape = Shape::default();
    let mut influences = Vec::new();
    for &(place, texture) in &surface.vertices {
        let position = surface.positions[place];
        shape.positions.push(narrow(position));
        shape.normals.push(narrow(surface.normals[place]));
        shape.texture_coordinates.push(texture.map(|element| element as f32));
        weights.of(position, &mut influences);
        shape.push_influences(&mut influences);
    }
    shape.triangles.clone_from(&surface.triangles);
    shape.push_tangents();
    shape
}
