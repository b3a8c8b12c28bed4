//! From the world to clip space.

use crate::{Error, Size};

/// Where the eye is, and what it sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eye {
    /// Where it is.
    pub at: [f32; 3],
    /// The point in the middle of the picture.
    pub target: [f32; 3],
    /// Which way is up, of any length.
    pub up: [f32; 3],
    /// Half the picture's height, as seen at a distance of one: the tangent of half the angle.
    pub slope: f32,
    /// What is nearer to the eye is cut off.
    pub near: f32,
}

impl Default for Eye {
    /// At the origin, looking along -Z, +Y up, 90 degrees from top to bottom.
    fn default() -> Self {
        Self { at: [0.0; 3], target: [0.0, 0.0, -1.0], up: [0.0, 1.0, 0.0], slope: 1.0, near: 0.01 }
    }
}

/// Takes points of the world to clip space, as the canvas takes them: x and y from -w to w within the picture, z the
/// near distance, so that z / w falls from one at the near plane to zero infinitely far away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    rows: [[f32; 4]; 4],
}

impl View {
    /// The view of an eye on a picture.
    ///
    /// # Errors
    ///
    /// When the eye sees nothing; see [`Error::Eye`].
    pub fn new(eye: &Eye, size: Size) -> Result<Self, Error> {
        let bad = |what| Err(Error::Eye { what });
        let numbers = eye.at.iter().chain(&eye.target).chain(&eye.up).chain([&eye.slope, &eye.near]);
        if !numbers.into_iter().all(|number| number.is_finite()) {
            return bad("expected finite numbers");
        }
        if eye.slope <= 0.0 || eye.near <= 0.0 {
            return bad("expected a slope and a near plane above zero");
        }
        let (at, target, up) = (eye.at.map(f64::from), eye.target.map(f64::from), eye.up.map(f64::from));
        let back = [at[0] - target[0], at[1] - target[1], at[2] - target[2]];
        let Some(back) = unit(back) else { return bad("expected a target elsewhere than the eye") };
        let Some(right) = unit(cross(up, back)) else {
            return bad("expected up to lead off the line of sight");
        };
        let above = cross(back, right);
        let row = |axis: [f64; 3], factor: f64| {
            let offset = -dot(axis, at);
            [axis[0] * factor, axis[1] * factor, axis[2] * factor, offset * factor].map(|n| n as f32)
        };
        let slope = f64::from(eye.slope);
        let aspect = size.width() as f64 / size.height() as f64;
        let rows = [
            row(right, 1.0 / (slope * aspect)),
            row(above, 1.0 / slope),
            [0.0, 0.0, 0.0, eye.near],
            row(back, -1.0),
        ];
        Ok(Self { rows })
    }

    /// Where a point is.
    #[must_use]
    pub fn point(&self, [x, y, z]: [f32; 3]) -> [f32; 4] {
        self.homogeneous([x, y, z, 1.0])
    }

    /// Where the point infinitely far away in a direction is.
    #[must_use]
    pub fn direction(&self, [x, y, z]: [f32; 3]) -> [f32; 4] {
        self.homogeneous([x, y, z, 0.0])
    }

    /// Where a point of four numbers is: a point where the last is 1, a direction where it is 0.
    #[must_use]
    pub fn homogeneous(&self, [x, y, z, w]: [f32; 4]) -> [f32; 4] {
        self.rows.map(|[a, b, c, d]| (a * x + b * y) + (c * z + d * w))
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// At length one; `None` where there is hardly any length.
fn unit(a: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(a, a).sqrt();
    (length > 1e-30).then(|| a.map(|element| element / length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_in_the_middle_and_depth_falls_with_distance() {
        let size = Size::new(200, 100).unwrap();
        let eye = Eye { at: [1.0, 2.0, 3.0], target: [4.0, 0.0, -2.0], near: 0.5, ..Eye::default() };
        let view = View::new(&eye, size).unwrap();
        let [x, y, z, w] = view.point(eye.target);
        assert!(x.abs() < 1e-5 && y.abs() < 1e-5, "{x} {y}");
        assert!((w - 38.0_f32.sqrt()).abs() < 1e-5 && z == 0.5);
        assert_eq!(view.direction([3.0, -2.0, -5.0])[2], 0.0);
        // Up is up, and what is to the right is to the right.
        assert!(view.point([4.0, 1.0, -2.0])[1] > 0.1);
        assert!(view.point([5.0, 0.0, -1.4])[0] > 0.1);
    }

    #[test]
    fn an_eye_that_sees_nothing_is_refused() {
        let size = Size::new(1, 1).unwrap();
        let good = Eye::default();
        assert!(View::new(&good, size).is_ok());
        for bad in [
            Eye { at: [f32::NAN, 0.0, 0.0], ..good },
            Eye { target: good.at, ..good },
            Eye { up: [0.0, 0.0, 2.0], ..good },
            Eye { up: [0.0; 3], ..good },
            Eye { slope: 0.0, ..good },
            Eye { near: -1.0, ..good },
            Eye { near: f32::INFINITY, ..good },
        ] {
            assert!(View::new(&bad, size).is_err(), "{bad:?}");
        }
    }
}
