//! Draws what the pointer hits: its ray, the triangle, the normal and the name of the joint.

use bevy::color::palettes::tailwind;
use bevy::picking::hover::HoverMap;
use bevy::prelude::*;
use bevy_sinew::{CpuSkinned, SkinnedHit};

/// Draws all hits. A hit was found where the surface was drawn last; the triangle and the
/// barycentric coordinates say where its point has moved since.
pub(crate) fn draw(
    hovered: Res<HoverMap>,
    copies: Query<(&CpuSkinned, &Mesh3d)>,
    meshes: Res<Assets<Mesh>>,
    names: Query<&Name>,
    cameras: Query<&GlobalTransform, With<Camera>>,
    mut gizmos: Gizmos,
) {
    for hit in hovered.values().flat_map(|hits| hits.values()) {
        let Ok(camera) = cameras.get(hit.camera) else { continue };
        let Some(hit) = hit.extra_as::<SkinnedHit>() else { continue };
        let copy = copies.iter().find(|(copy, _)| copy.source() == hit.entity);
        let Some(corners) = copy.and_then(|(_, copy)| corners(meshes.get(copy)?, hit.triangle)) else {
            continue;
        };
        let [a, b, c] = corners;
        let weights = hit.barycentrics;
        let point = a * weights.x + b * weights.y + c * weights.z;
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let size = 0.05 * camera.translation().distance(point);
        gizmos.linestrip([a, b, c, a], tailwind::RED_500);
        gizmos.sphere(point, 0.1 * size, tailwind::RED_500);
        gizmos.arrow(point, point + size * normal, tailwind::YELLOW_300);
        // A little below the camera, which could not see the line otherwise.
        gizmos.line(camera.translation() - 0.1 * size * camera.up(), point, tailwind::SKY_400);
        // Beside the point, and facing the camera.
        let beside = Isometry3d::new(point + size * camera.right(), camera.rotation());
        let left = Vec2::new(-0.5, 0.0);
        let label = format!("{}\ntriangle {}", joint_name(hit, &names), hit.triangle);
        gizmos.text(beside, &label, 0.3 * size, left, tailwind::SKY_100);
    }
}

pub(crate) fn joint_name<'a>(hit: &SkinnedHit, names: &'a Query<&Name>) -> &'a str {
    let joint = hit.joint.and_then(|joint| names.get(joint).ok());
    joint.map_or("no joint", |name| name.as_str())
}

fn corners(mesh: &Mesh, triangle: usize) -> Option<[Vec3; 3]> {
    let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION)?.as_float3()?;
    let corner = |corner: usize| {
        let index = match mesh.indices() {
            Some(indices) => indices.iter().nth(3 * triangle + corner)?,
            None => 3 * triangle + corner,
        };
        positions.get(index).map(|&position| Vec3::from_array(position))
    };
    Some([corner(0)?, corner(1)?, corner(2)?])
}
