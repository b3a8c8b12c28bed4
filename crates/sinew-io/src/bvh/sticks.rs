//! The stick mesh: a slim double pyramid from each joint to each of its children.

use super::hierarchy::BvhJoint;
use crate::error::BoxedError as Error;
use crate::math::vector::{add, cross, dot, scale, sub};
use crate::scene::Budget;
use crate::{RawInfluences, RawMesh, RawPrimitive};

/// The thickest part of a stick, as a part of its length, and its half width.
const WAIST: f64 = 0.1;
const HALF_WIDTH: f64 = 0.04;

/// Triangles of a stick, each with its own vertices, so that normals are flat.
const TRIANGLES: usize = 8;

/// The bytes of a vertex in the scene and in the mesh.
const VERTEX_BYTES: u64 = 256;

/// The sticks of all joints that have a length, in model space at rest, or no mesh. Each moves with
/// the joint it starts at.
pub(super) fn sticks(joints: &[BvhJoint], budget: &Budget) -> Result<Option<RawMesh<'static>>, Error> {
    budget.charge("joints", "sticks", joints.len() as u64, 3 * TRIANGLES as u64 * VERTEX_BYTES)?;
    let mut origins: Vec<[f64; 3]> = Vec::with_capacity(joints.len());
    let (mut positions, mut normals, mut owners) = (Vec::new(), Vec::new(), Vec::new());
    for joint in joints {
        let Some(parent) = joint.parent else {
            origins.push(joint.offset);
            continue;
        };
        let from = origins[parent];
        let to = add(from, joint.offset);
        origins.push(to);
        let length = dot(joint.offset, joint.offset).sqrt();
        if !(length.is_finite() && length > 1e-9) {
            continue;
        }
        for triangle in stick(from, joint.offset, length) {
            let [a, b, c] = triangle;
            let normal = cross(sub(b, a), sub(c, a));
            let size = dot(normal, normal).sqrt();
            for corner in triangle {
                positions.push(corner.map(|component| component as f32));
                normals.push(normal.map(|component| (component / size) as f32));
                owners.push(parent as u32);
            }
        }
    }
    if positions.is_empty() {
        return Ok(None);
    }
    let influences = RawInfluences::Lists {
        counts: vec![1; owners.len()],
        weights: vec![1.0; owners.len()],
        joints: owners,
    };
    let primitive = RawPrimitive {
        location: "the sticks".to_owned(),
        positions: positions.into(),
        normals: Some(normals.into()),
        influences,
        ..RawPrimitive::default()
    };
    Ok(Some(RawMesh { name: "sticks".to_owned(), primitives: vec![primitive], ..RawMesh::default() }))
}

fn stick(from: [f64; 3], along: [f64; 3], length: f64) -> [[[f64; 3]; 3]; TRIANGLES] {
    // An axis that is far from the stick's direction gives a stable frame.
    let least = (0..3).min_by(|&a, &b| along[a].abs().total_cmp(&along[b].abs())).unwrap_or(0);
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let side = cross(along, axis);
    let side = scale(side, HALF_WIDTH * length / dot(side, side).sqrt());
    let other = scale(cross(along, side), 1.0 / length);
    let waist = add(from, scale(along, WAIST));
    let ring = [add(waist, side), add(waist, other), sub(waist, side), sub(waist, other)];
    let tip = add(from, along);
    std::array::from_fn(|triangle| {
        let (a, b) = (ring[triangle % 4], ring[(triangle + 1) % 4]);
        if triangle < 4 { [from, b, a] } else { [tip, a, b] }
    })
}
