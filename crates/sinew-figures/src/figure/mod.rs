//! A procedural human figure: 64 joints, a closed mesh of any density, a walk and a wave.
//!
//! The body is a signed distance field of round cones around the bones. A coarse cage of
//! quadrilaterals, built tube by tube, gives the mesh its topology. The cage is subdivided to the
//! requested density and projected onto the field's zero level.

mod body_cage;
mod body_sdf;
mod cage;
mod fitted_cage;
mod joints;
mod pose_builder;
mod sdf;
mod subdivision;
mod tessellation;
mod uv_charts;
mod walk;
mod wave;
mod weights;

pub use joints::JOINTS;
pub use walk::{WALK_SECONDS, WALK_SPEED, walk};
pub use wave::{WAVE_SECONDS, wave};

use sinew::animation::SpringSource;

use crate::math::to_f32;
use crate::{MeshArrays, Motion, Scene};

/// The approximate number of vertices of a figure by default.
pub const DEFAULT_VERTICES: usize = 5000;

/// A figure with about `vertices` vertices and never more, except that the coarsest figure has
/// about 1500.
///
/// # Errors
///
/// When `SINEW_ISA` is invalid; see [`Skeleton::new`](sinew::Skeleton::new).
pub fn figure(vertices: usize) -> Result<Scene, sinew::Error> {
    let skeleton = joints::skeleton()?;
    let sdf = body_sdf::body_sdf();
    let cage = fitted_cage::FittedCage::new(body_cage::body_cage(), &sdf);
    let mesh = skinned_mesh(&tessellation::tessellate(&cage, vertices));
    let skin_joints = skeleton.joints().collect();
    Ok(Scene {
        skeleton,
        skin_joints,
        mesh,
        motions: vec![Motion::Walk, Motion::Wave],
        springs: SpringSource::default(),
    })
}

/// Adds influences and tangents to a tessellation.
fn skinned_mesh(tessellation: &tessellation::Tessellation) -> MeshArrays {
    let weights = weights::SkinWeights::new();
    let mut mesh = MeshArrays::default();
    let mut influences = Vec::new();
    for &(point, uv) in &tessellation.vertices {
        let position = tessellation.positions[point];
        mesh.positions.push(to_f32(position));
        mesh.normals.push(to_f32(tessellation.normals[point]));
        mesh.texture_coordinates.push(uv.map(|element| element as f32));
        weights.influences_at(position, &mut influences);
        mesh.push_influences(&mut influences);
    }
    mesh.triangles.clone_from(&tessellation.triangles);
    mesh.push_tangents();
    mesh
}
