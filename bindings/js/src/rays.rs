//! Rays and hits.

use sinew_handles::records::{Hit, Ray, Sphere};

/// A ray as JavaScript has it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RayRecord {
    /// The origin.
    pub origin: [f64; 3],
    /// The direction, of any length but zero.
    pub direction: [f64; 3],
    /// The largest distance of a hit.
    pub max_distance: f64,
    /// 0: both sides of triangles are hit. 1: only their fronts.
    pub faces: u32,
}

/// A hit.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct HitRecord {
    /// The distance from the ray's origin.
    pub distance: f64,
    /// The point.
    pub point: [f32; 3],
    /// The unit normal of the triangle's front.
    pub normal: [f32; 3],
    /// The barycentric coordinates of the point.
    pub barycentrics: [f32; 3],
    /// The triangle.
    pub triangle: u32,
    /// The joint with the largest weight at the point.
    pub joint: u32,
    /// 0: the front was hit. 1: the back.
    pub side: u32,
    /// The mesh instance of a model.
    pub mesh_instance: u32,
    /// Whether there is a hit.
    pub is_hit: u32,
}

impl HitRecord {
    pub(crate) fn new(hit: &Hit, shift: f64) -> Self {
        Self {
            distance: if hit.is_hit == 1 { f64::from(hit.distance) + shift } else { 0.0 },
            point: hit.point,
            normal: hit.normal,
            barycentrics: hit.barycentrics,
            triangle: hit.triangle,
            joint: hit.joint,
            side: hit.side,
            mesh_instance: hit.mesh_instance,
            is_hit: hit.is_hit,
        }
    }
}

/// The ray from where it comes near a sphere, and how far that is from its origin: a camera far
/// away would lose precision as `f32`. `None` if the ray misses the sphere.
pub(crate) fn near_sphere(ray: &RayRecord, sphere: Sphere) -> Option<(Ray, f64)> {
    let RayRecord { origin, direction, max_distance, faces } = *ray;
    let length = dot(direction, direction).sqrt();
    // False for NaN.
    if !(length > 0.0 && length < f64::INFINITY && max_distance >= 0.0) {
        return None;
    }
    let unit = direction.map(|component| component / length);
    let mut shift = 0.0;
    let radius = f64::from(sphere.radius);
    if radius.is_finite() && sphere.center.iter().all(|component| component.is_finite()) {
        let center = sphere.center.map(f64::from);
        let to_center: [f64; 3] = std::array::from_fn(|axis| center[axis] - origin[axis]);
        let along = dot(to_center, unit);
        // More than the rounding of both.
        let margin = 1e-6 * (radius + dot(center, center).sqrt()) + 1e-12 * along.abs();
        let reach = radius + margin;
        let across: [f64; 3] = std::array::from_fn(|axis| to_center[axis] - along * unit[axis]);
        // False for NaN, too.
        if !(radius >= 0.0 && dot(across, across) <= reach * reach && along + reach >= 0.0) {
            return None;
        }
        shift = (along - reach).max(0.0);
    }
    let rest = max_distance - shift;
    let near: [f64; 3] = std::array::from_fn(|axis| origin[axis] + shift * unit[axis]);
    let single = |vector: [f64; 3]| vector.map(|component| component as f32);
    let ray = Ray { origin: single(near), direction: single(unit), max_distance: rest as f32, faces };
    (rest >= 0.0).then_some((ray, shift))
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ray(origin: [f64; 3], direction: [f64; 3]) -> RayRecord {
        RayRecord { origin, direction, max_distance: f64::INFINITY, faces: 0 }
    }

    #[test]
    fn a_ray_from_afar_starts_at_the_sphere() {
        let sphere = Sphere { center: [0.0, 1.0, 0.0], radius: 2.0 };
        let (near, shift) = near_sphere(&ray([0.0, 1.0, 1e7], [0.0, 0.0, -3.0]), sphere).expect("a hit");
        assert!((shift - (1e7 - 2.0)).abs() < 1e-3);
        assert!(near.origin[2] >= 2.0 && near.origin[2] < 2.1);
        let (_, inside) = near_sphere(&ray([0.0, 1.0, 0.0], [0.0, 1.0, 0.0]), sphere).expect("a hit");
        assert_eq!(inside, 0.0);
    }

    #[test]
    fn rays_that_cannot_hit_are_dropped() {
        let sphere = Sphere { center: [0.0; 3], radius: 1.0 };
        assert!(near_sphere(&ray([0.0, 1.1, 5.0], [0.0, 0.0, -1.0]), sphere).is_none());
        assert!(near_sphere(&ray([0.0, 0.0, 5.0], [0.0, 0.0, 1.0]), sphere).is_none());
        assert!(near_sphere(&ray([0.0, 0.0, f64::NAN], [0.0, 0.0, 1.0]), sphere).is_none());
        assert!(near_sphere(&ray([0.0, 0.0, 5.0], [0.0; 3]), sphere).is_none());
        let short = RayRecord { max_distance: 3.0, ..ray([0.0, 0.0, 5.0], [0.0, 0.0, -1.0]) };
        assert!(near_sphere(&short, sphere).is_none());
        let empty = Sphere { center: [0.0; 3], radius: -1.0 };
        assert!(near_sphere(&ray([0.0, 0.0, 5.0], [0.0, 0.0, -1.0]), empty).is_none());
    }
}
