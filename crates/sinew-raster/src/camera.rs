//! The camera, and its transform from world space to clip space.

use crate::{Error, Size};

/// A perspective camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position in world space.
    pub position: [f32; 3],
    /// The point that appears at the center of the picture.
    pub target: [f32; 3],
    /// The up direction, of any length.
    pub up: [f32; 3],
    /// The tangent of half the vertical field of view: half the picture's height at distance one.
    pub tan_half_fov: f32,
    /// Distance of the near plane.
    pub near: f32,
}

impl Default for Camera {
    /// At the origin, looking along -Z, +Y up, with a vertical field of view of 90 degrees.
    fn default() -> Self {
        Self {
            position: [0.0; 3],
            target: [0.0, 0.0, -1.0],
            up: [0.0, 1.0, 0.0],
            tan_half_fov: 1.0,
            near: 0.01,
        }
    }
}

/// The view-projection transform, from world space to clip space. In clip space x and y range from
/// -w to w within the picture, and z is the near distance, so z / w falls from one at the near
/// plane to zero at infinity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewProjection {
    rows: [[f32; 4]; 4],
}

impl ViewProjection {
    /// The transform of a camera for a picture of this size.
    ///
    /// # Errors
    ///
    /// When the camera has no valid view; see [`Error::Camera`].
    pub fn new(camera: &Camera, size: Size) -> Result<Self, Error> {
        let invalid = |reason| Err(Error::Camera { reason });
        let vectors = camera.position.iter().chain(&camera.target).chain(&camera.up);
        let elements = vectors.chain([&camera.tan_half_fov, &camera.near]);
        if !elements.into_iter().all(|element| element.is_finite()) {
            return invalid("expected finite numbers");
        }
        if camera.tan_half_fov <= 0.0 || camera.near <= 0.0 {
            return invalid("expected a field of view and a near distance above zero");
        }
        let (position, target) = (camera.position.map(f64::from), camera.target.map(f64::from));
        let back = [position[0] - target[0], position[1] - target[1], position[2] - target[2]];
        let Some(back) = normalize(back) else {
            return invalid("expected a target that differs from the position");
        };
        let Some(right) = normalize(cross(camera.up.map(f64::from), back)) else {
            return invalid("expected an up direction that is not parallel to the view direction");
        };
        let up = cross(back, right);
        let row = |axis: [f64; 3], factor: f64| {
            let offset = -dot(axis, position);
            [axis[0] * factor, axis[1] * factor, axis[2] * factor, offset * factor].map(|n| n as f32)
        };
        let tan_half_fov = f64::from(camera.tan_half_fov);
        let aspect = size.width() as f64 / size.height() as f64;
        let rows = [
            row(right, 1.0 / (tan_half_fov * aspect)),
            row(up, 1.0 / tan_half_fov),
            [0.0, 0.0, 0.0, camera.near],
            row(back, -1.0),
        ];
        Ok(Self { rows })
    }

    /// Transforms a point to clip space.
    #[must_use]
    pub fn transform_point(&self, [x, y, z]: [f32; 3]) -> [f32; 4] {
        self.transform([x, y, z, 1.0])
    }

    /// Transforms a direction: the point at infinity that it leads to.
    #[must_use]
    pub fn transform_direction(&self, [x, y, z]: [f32; 3]) -> [f32; 4] {
        self.transform([x, y, z, 0.0])
    }

    /// Transforms homogeneous coordinates: w is 1 for a point and 0 for a direction.
    #[must_use]
    pub fn transform(&self, [x, y, z, w]: [f32; 4]) -> [f32; 4] {
        self.rows.map(|[a, b, c, d]| (a * x + b * y) + (c * z + d * w))
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `None` where the vector has hardly any length.
fn normalize(a: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(a, a).sqrt();
    (length > 1e-30).then(|| a.map(|element| element / length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_centered_and_depth_falls_with_distance() {
        let size = Size::new(200, 100).unwrap();
        let camera =
            Camera { position: [1.0, 2.0, 3.0], target: [4.0, 0.0, -2.0], near: 0.5, ..Camera::default() };
        let view = ViewProjection::new(&camera, size).unwrap();
        let [x, y, z, w] = view.transform_point(camera.target);
        assert!(x.abs() < 1e-5 && y.abs() < 1e-5, "{x} {y}");
        assert!((w - 38.0_f32.sqrt()).abs() < 1e-5 && z == 0.5);
        assert_eq!(view.transform_direction([3.0, -2.0, -5.0])[2], 0.0);
        // A point above the target has a positive y, a point to its right a positive x.
        assert!(view.transform_point([4.0, 1.0, -2.0])[1] > 0.1);
        assert!(view.transform_point([5.0, 0.0, -1.4])[0] > 0.1);
    }

    #[test]
    fn an_invalid_camera_is_an_error() {
        let size = Size::new(1, 1).unwrap();
        let good = Camera::default();
        assert!(ViewProjection::new(&good, size).is_ok());
        for bad in [
            Camera { position: [f32::NAN, 0.0, 0.0], ..good },
            Camera { target: good.position, ..good },
            Camera { up: [0.0, 0.0, 2.0], ..good },
            Camera { up: [0.0; 3], ..good },
            Camera { tan_half_fov: 0.0, ..good },
            Camera { near: -1.0, ..good },
            Camera { near: f32::INFINITY, ..good },
        ] {
            assert!(ViewProjection::new(&bad, size).is_err(), "{bad:?}");
        }
    }
}
