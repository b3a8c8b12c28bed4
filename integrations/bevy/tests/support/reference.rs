//! The reference: positions from Bevy's joint matrices in `f64`, and all triangles in turn.

use bevy_app::App;
use bevy_asset::Assets;
use bevy_ecs::entity::Entity;
use bevy_math::{DMat4, DVec3, Ray3d, Vec3};
use bevy_mesh::morph::{MeshMorphWeights, MorphWeights};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Indices, Mesh, Mesh3d, VertexAttributeValues};
use bevy_transform::components::GlobalTransform;

use super::rng::Rng;

/// The triangles of an entity as they are drawn, in world space.
pub(crate) struct Surface {
    pub(crate) entity: Entity,
    pub(crate) positions: Vec<DVec3>,
    pub(crate) triangles: Vec<[usize; 3]>,
}

/// A hit on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ReferenceHit {
    pub(crate) entity: Entity,
    pub(crate) triangle: usize,
    pub(crate) distance: f64,
}

impl Surface {
    /// Skins and morphs a mesh as Bevy's shaders do.
    pub(crate) fn of(app: &App, entity: Entity) -> Self {
        let world = app.world();
        let mesh = &world.get::<Mesh3d>(entity).expect("a mesh").0;
        let mesh = world.resource::<Assets<Mesh>>().get(mesh).expect("a loaded mesh");
        let mut positions: Vec<DVec3> = mesh
            .attribute(Mesh::ATTRIBUTE_POSITION)
            .and_then(VertexAttributeValues::as_float3)
            .expect("positions")
            .iter()
            .map(|&position| Vec3::from_array(position).as_dvec3())
            .collect();
        morph(app, entity, mesh, &mut positions);
        match world.get::<SkinnedMesh>(entity) {
            Some(skin) => {
                let matrices = joint_matrices(app, skin);
                let Some(VertexAttributeValues::Uint16x4(joints)) =
                    mesh.attribute(Mesh::ATTRIBUTE_JOINT_INDEX)
                else {
                    panic!("no joints");
                };
                let Some(VertexAttributeValues::Float32x4(weights)) =
                    mesh.attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT)
                else {
                    panic!("no weights");
                };
                for ((position, joints), weights) in positions.iter_mut().zip(joints).zip(weights) {
                    let moved = |(&joint, &weight): (&u16, &f32)| {
                        matrices[usize::from(joint)].transform_point3(*position) * f64::from(weight)
                    };
                    *position = joints.iter().zip(weights).map(moved).sum();
                }
            }
            None => {
                let transform = world.get::<GlobalTransform>(entity).expect("a transform");
                let world_from_mesh = transform.to_matrix().as_dmat4();
                for position in &mut positions {
                    *position = world_from_mesh.transform_point3(*position);
                }
            }
        }
        let indices: Vec<usize> = match mesh.indices() {
            Some(Indices::U16(indices)) => indices.iter().map(|&index| usize::from(index)).collect(),
            Some(Indices::U32(indices)) => indices.iter().map(|&index| index as usize).collect(),
            None => (0..positions.len()).collect(),
        };
        Self { entity, positions, triangles: indices.as_chunks().0.to_vec() }
    }

    /// The center, and a distance from it that no vertex exceeds.
    pub(crate) fn sphere(&self) -> (Vec3, f32) {
        let low = self.positions.iter().fold(DVec3::INFINITY, |low, &position| low.min(position));
        let high = self.positions.iter().fold(DVec3::NEG_INFINITY, |high, &position| high.max(position));
        ((0.5 * (low + high)).as_vec3(), (0.5 * (high - low).length()) as f32)
    }

    /// A ray from outside: every other one at a point of a triangle, the others near the middle.
    pub(crate) fn random_ray(&self, index: usize, rng: &mut Rng) -> Ray3d {
        let (center, radius) = self.sphere();
        let direction = rng.direction();
        let target = if index.is_multiple_of(2) {
            let corners = self.triangles[rng.below(self.triangles.len())];
            let mut weights = [rng.unit(), rng.unit(), rng.unit()].map(|weight| f64::from(weight) + 0.05);
            let sum: f64 = weights.iter().sum();
            weights = weights.map(|weight| weight / sum);
            let point: DVec3 =
                corners.iter().zip(weights).map(|(&corner, weight)| self.positions[corner] * weight).sum();
            point.as_vec3()
        } else {
            center + *rng.direction() * (radius * rng.unit())
        };
        Ray3d::new(target - *direction * (3.0 * radius), direction)
    }

    fn cast(&self, ray: Ray3d, margin: f64) -> Option<ReferenceHit> {
        let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_vec3().as_dvec3());
        let mut nearest: Option<ReferenceHit> = None;
        for (triangle, corners) in self.triangles.iter().enumerate() {
            let [a, b, c] = corners.map(|corner| self.positions[corner]);
            if let Some(distance) = intersect(origin, direction, [a, b, c], margin)
                && nearest.is_none_or(|nearest| distance < nearest.distance)
            {
                nearest = Some(ReferenceHit { entity: self.entity, triangle, distance });
            }
        }
        nearest
    }
}

/// The nearest hit on any surface. Triangles are larger by a part of their size, the margin.
pub(crate) fn cast(surfaces: &[Surface], ray: Ray3d, margin: f64) -> Option<ReferenceHit> {
    let hits = surfaces.iter().filter_map(|surface| surface.cast(ray, margin));
    hits.min_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// World from mesh, for each joint.
fn joint_matrices(app: &App, skin: &SkinnedMesh) -> Vec<DMat4> {
    let world = app.world();
    let bind_poses = world.resource::<Assets<SkinnedMeshInverseBindposes>>();
    let bind_poses = bind_poses.get(&skin.inverse_bindposes).expect("loaded bind poses");
    let matrix = |(&joint, bind_pose): (&Entity, &bevy_math::Mat4)| {
        let world_from_joint = world.get::<GlobalTransform>(joint).expect("a joint").to_matrix();
        world_from_joint.as_dmat4() * bind_pose.as_dmat4()
    };
    skin.joints.iter().zip(bind_poses.iter()).map(matrix).collect()
}

fn morph(app: &App, entity: Entity, mesh: &Mesh, positions: &mut [DVec3]) {
    let world = app.world();
    let weights = match world.get::<MeshMorphWeights>(entity) {
        None => return,
        Some(MeshMorphWeights::Value { weights }) => weights.as_slice(),
        Some(&MeshMorphWeights::Reference(entity)) => {
            world.get::<MorphWeights>(entity).expect("weights").weights()
        }
    };
    let deltas = mesh.morph_targets().expect("morph targets");
    for (deltas, &weight) in deltas.chunks(positions.len()).zip(weights) {
        for (position, delta) in positions.iter_mut().zip(deltas) {
            *position += delta.position.as_dvec3() * f64::from(weight);
        }
    }
}

/// The distance to a triangle, by Cramer's rule.
fn intersect(origin: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3], margin: f64) -> Option<f64> {
    let (ab, ac, from_a) = (b - a, c - a, origin - a);
    let normal = ab.cross(ac);
    let determinant = -direction.dot(normal);
    let distance = from_a.dot(normal) / determinant;
    let moment = from_a.cross(direction);
    let (v, w) = (ac.dot(moment) / determinant, -ab.dot(moment) / determinant);
    let is_inside = v >= -margin && w >= -margin && v + w <= 1.0 + margin;
    (determinant != 0.0 && distance >= 0.0 && is_inside).then_some(distance)
}
