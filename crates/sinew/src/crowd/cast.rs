//! Rays against a crowd where the last step took it.

use super::frame::Frame;
use super::members::Members;
use super::skin::What;
use super::{Crowd, MemberId};
use crate::instance::trees;
use crate::{Aabb, Hit, Matrix, Ray};

impl Crowd {
    /// The member that a ray in the world hits first, where the last step took its joints, and where: point, normal and
    /// distance are in the world. `None` where it hits nobody. Of hits at the same distance that of the lower name.
    ///
    /// Members are skinned, with their level of detail, only near the ray. Whoever is outside the view is
    /// hit all the same. The first call takes memory for a tree of boxes over each model, later ones none. Who stands by a
    /// matrix without an inverse is not hit.
    pub fn cast(&mut self, ray: &Ray) -> Option<(MemberId, Hit)> {
        let (mut ray, mut nearest) = (*ray, None);
        for members in &mut self.models {
            members.cast(&mut ray, &mut nearest);
        }
        nearest
    }
}

impl Members {
    /// Looks for hits that are nearer, and shortens the ray to them.
    fn cast(&mut self, ray: &mut Ray, nearest: &mut Option<(MemberId, Hit)>) {
        let Self { model, options, frames: [shown, _], parts, skinners, casting, .. } = self;
        let what = What { model, options, parts, view: None, non_temporal: false };
        for frame in shown.iter().filter(|_| !model.parts().is_empty()) {
            if !meets(ray, &frame.bounds(model)) {
                continue;
            }
            let Some((local, back)) = in_model(ray, frame) else { continue };
            let casting = casting.get_or_insert_with(|| trees(model));
            for (part, (tree, morphed)) in casting.iter_mut().zip(&mut skinners[0].morphed).enumerate() {
                let (palette, options) = what.of_part(frame, part, morphed);
                let mut cast = tree
                    .begin(&model.surface(part).mesh, palette, &options)
                    .expect("tree and palette were made for the part");
                let Some(hit) = cast.closest_hit(&local) else { continue };
                let hit = in_world(Hit::new(model, part, &hit), ray, frame.world_from_skinned(), &back);
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

/// The ray in the space of a member's vertices, a little longer than it must be, and the way there.
fn in_model(ray: &Ray, frame: &Frame) -> Option<(Ray, Matrix)> {
    let from_world = frame.world_from_skinned().inverse()?;
    let direction = from_world.transform_vector(ray.direction);
    let stretched = length(direction) / length(ray.direction);
    let max_distance = (f64::from(ray.max_distance) * stretched * (1.0 + 1e-5)) as f32;
    let origin = from_world.transform_point(ray.origin);
    Some((Ray { origin, direction, max_distance, ..*ray }, from_world))
}

fn in_world(hit: Hit, ray: &Ray, world: &Matrix, from_world: &Matrix) -> Hit {
    let point = world.transform_point(hit.point);
    // Normals go by the inverse, rows for columns.
    let [x, y, z] = from_world.rows;
    let turned = [0, 1, 2].map(|c| x[c] * hit.normal[0] + y[c] * hit.normal[1] + z[c] * hit.normal[2]);
    let size = length(turned) as f32;
    let distance = length(std::array::from_fn(|c| point[c] - ray.origin[c])) as f32;
    Hit { point, normal: turned.map(|element| element / size), distance, ..hit }
}

/// Whether a ray may meet a box: rounded so that none that does is missed.
fn meets(ray: &Ray, bounds: &Aabb) -> bool {
    let (mut enter, mut leave) = (0.0_f64, f64::from(ray.max_distance) / length(ray.direction));
    for axis in 0..3 {
        let [origin, direction, low, high] =
            [ray.origin[axis], ray.direction[axis], bounds.min[axis], bounds.max[axis]].map(f64::from);
        let [a, b] = [(low - origin) / direction, (high - origin) / direction];
        // Along an axis where the ray does not move, planes are infinitely far, or it lies in one of them.
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
