//! Ray casts against a crowd, in the poses of the last step.

use sinew_kernels::{Aabb, Matrix};

use super::frame::MemberFrame;
use super::members::Members;
use super::skin::SkinJob;
use super::{Crowd, MemberId};
use crate::model::Hit;
use crate::model::instance::build_bvhs;
use crate::query::Ray;

impl Crowd {
    /// Finds the member that a ray in world space hits first, in the poses of the last step. Point,
    /// normal and distance of the hit are in world space. `None` if the ray misses. Among hits at
    /// the same distance, the lower id wins.
    ///
    /// Members are skinned only near the ray, with their level of detail. Members outside the view
    /// frustum can be hit too. The first call allocates a BVH for each model, later calls do not. A
    /// member whose world matrix is singular is not hit.
    pub fn cast(&mut self, ray: &Ray) -> Option<(MemberId, Hit)> {
        let (mut ray, mut nearest) = (*ray, None);
        for members in &mut self.models {
            members.cast(&mut ray, &mut nearest);
        }
        nearest
    }
}

impl Members {
    /// Finds hits nearer than the current one, and shortens the ray to them.
    fn cast(&mut self, ray: &mut Ray, nearest: &mut Option<(MemberId, Hit)>) {
        let Self { model, options, frames: [shown, _], mesh_instances, scratches, bvhs, .. } = self;
        let job = SkinJob { model, options, mesh_instances, view: None, non_temporal: false };
        for frame in shown.iter().filter(|_| !model.mesh_instances().is_empty()) {
            if !may_hit(ray, &frame.bounds(model)) {
                continue;
            }
            let Some((local, back)) = ray_in_skinned_space(ray, frame) else { continue };
            let bvhs = bvhs.get_or_insert_with(|| build_bvhs(model));
            for (mesh_instance, (bvh, morphed)) in bvhs.iter_mut().zip(&mut scratches[0].morphed).enumerate()
            {
                let (palette, options) = job.skin_inputs(frame, mesh_instance, morphed);
                let mut cast = bvh
                    .begin(&model.primitive(mesh_instance).mesh, palette, &options)
                    .expect("BVH and palette were built for the mesh instance");
                let Some(hit) = cast.closest_hit(&local) else { continue };
                let hit = hit_in_world(
                    Hit::new(model, mesh_instance, &hit),
                    ray,
                    frame.world_from_skinned(),
                    &back,
                );
                let nearer = nearest.as_ref().is_none_or(|(id, other)| {
                    hit.distance < other.distance || hit.distance == other.distance && frame.id < *id
                });
                if nearer && hit.distance <= ray.max_distance {
                    ray.max_distance = hit.distance;
                    *nearest = Some((frame.id, hit));
                }
            }
        }
    }
}

/// The ray in the space of a member's skinned vertices, slightly longer than necessary, and the
/// matrix that transforms to it from world space.
fn ray_in_skinned_space(ray: &Ray, frame: &MemberFrame) -> Option<(Ray, Matrix)> {
    let from_world = frame.world_from_skinned().inverse()?;
    let direction = from_world.transform_vector(ray.direction);
    let stretched = length(direction) / length(ray.direction);
    let max_distance = (f64::from(ray.max_distance) * stretched * (1.0 + 1e-5)) as f32;
    let origin = from_world.transform_point(ray.origin);
    Some((Ray { origin, direction, max_distance, ..*ray }, from_world))
}

fn hit_in_world(hit: Hit, ray: &Ray, world: &Matrix, from_world: &Matrix) -> Hit {
    let point = world.transform_point(hit.point);
    // Normals are transformed by the transposed inverse.
    let [x, y, z] = from_world.rows;
    let turned = [0, 1, 2].map(|c| x[c] * hit.normal[0] + y[c] * hit.normal[1] + z[c] * hit.normal[2]);
    let size = length(turned) as f32;
    let distance = length(std::array::from_fn(|c| point[c] - ray.origin[c])) as f32;
    Hit { point, normal: turned.map(|element| element / size), distance, ..hit }
}

/// Whether a ray may hit an AABB. Conservative rounding misses no hit.
fn may_hit(ray: &Ray, bounds: &Aabb) -> bool {
    let (mut enter, mut leave) = (0.0_f64, f64::from(ray.max_distance) / length(ray.direction));
    for axis in 0..3 {
        let [origin, direction, low, high] =
            [ray.origin[axis], ray.direction[axis], bounds.min[axis], bounds.max[axis]].map(f64::from);
        let [a, b] = [(low - origin) / direction, (high - origin) / direction];
        // Parallel to an axis, the slab's planes are infinitely far away, or the ray lies in one of
        // them.
        if a.is_nan() || b.is_nan() {
            continue;
        }
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    enter <= leave * (1.0 + 1e-6) + 1e-30
}

fn length(v: [f32; 3]) -> f64 {
    let [x, y, z] = v.map(f64::from);
    (x * x + y * y + z * z).sqrt()
}
