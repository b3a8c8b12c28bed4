//! The camera: its position, and how it frames a model.

use std::str::FromStr;

use sinew_figures::sin_cos_turns;
use sinew_raster::{Camera, Size, ViewProjection};

use crate::Error;
use crate::lights::lighting;

/// The tangent of half the vertical field of view, which is thirty degrees.
const TAN_HALF_FOV: f64 = 0.267_949_192_431_122_7;
/// The factor on the camera's distance that keeps the model away from the picture's border.
const MARGIN: f64 = 1.1;
/// The near plane, relative to the distance.
const NEAR: f64 = 0.01;

/// A camera that orbits the center of a model. Parsed from `YAW,PITCH` or `YAW,PITCH,DISTANCE`, in
/// degrees and the model's units; without a distance the model fits into the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// In turns; 0 looks at the front.
    yaw: f64,
    /// In turns; positive is above the model.
    pitch: f64,
    /// In the model's units; `None` to fit the model into the picture.
    distance: Option<f64>,
}

impl Default for Orbit {
    /// From the front at the right, slightly above.
    fn default() -> Self {
        Self { yaw: 30.0 / 360.0, pitch: 12.0 / 360.0, distance: None }
    }
}

/// In degrees. At 90, the up direction would be undefined.
const MAX_PITCH: f64 = 89.0;

impl FromStr for Orbit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            format!(
                "expected YAW,PITCH or YAW,PITCH,DISTANCE: degrees, pitch from -{MAX_PITCH} to {MAX_PITCH}, \
                 a distance above zero"
            )
        };
        let number = |text: &str| match text.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(expected()),
        };
        let numbers = text.split(',').map(number).collect::<Result<Vec<_>, _>>()?;
        let (yaw, pitch, distance) = match numbers[..] {
            [yaw, pitch] => (yaw, pitch, None),
            [yaw, pitch, distance] if distance > 0.0 && (distance as f32).is_normal() => {
                (yaw, pitch, Some(distance))
            }
            _ => return Err(expected()),
        };
        if pitch.abs() > MAX_PITCH {
            return Err(expected());
        }
        Ok(Self { yaw: yaw / 360.0, pitch: pitch / 360.0, distance })
    }
}

/// The axes of a camera in the picture's space, which has +Y up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axes {
    pub(crate) right: [f64; 3],
    pub(crate) up: [f64; 3],
    /// From the model to the camera.
    pub(crate) back: [f64; 3],
}

impl Orbit {
    pub(crate) fn axes(&self) -> Axes {
        let (sine_yaw, cosine_yaw) = sin_cos_turns(self.yaw);
        let (sine_pitch, cosine_pitch) = sin_cos_turns(self.pitch);
        Axes {
            right: [cosine_yaw, 0.0, -sine_yaw],
            up: [-sine_pitch * sine_yaw, cosine_pitch, -sine_pitch * cosine_yaw],
            back: [cosine_pitch * sine_yaw, sine_pitch, cosine_pitch * cosine_yaw],
        }
    }
}

/// Fractions of the picture's height that the model must not cover.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Margins {
    pub(crate) top: f64,
    pub(crate) bottom: f64,
}

/// Accumulates the points that a picture must show. The nearest camera that shows all of them
/// follows from the maxima of a few sums, so the points are not stored.
#[derive(Clone, Debug)]
pub(crate) struct Framing {
    axes: Axes,
    /// The slopes of the frustum's sides against the view direction: right and left, top and
    /// bottom.
    slopes: [[f64; 2]; 2],
    /// For each side of the frustum, the maximum over all points of the depth plus the lateral
    /// offset divided by the slope.
    extents: [[f64; 2]; 2],
    /// As `extents`, for the shadows of points on a floor at height zero.
    shadow_extents: [[f64; 2]; 2],
    /// The direction towards the light, per unit of height.
    shadow_slant: [f64; 3],
    /// The corners of the box around all points.
    pub(crate) min: [f64; 3],
    pub(crate) max: [f64; 3],
}

impl Framing {
    pub(crate) fn new(orbit: &Orbit, size: Size, margins: Margins) -> Self {
        let aspect = size.width() as f64 / size.height() as f64;
        let key = lighting(&orbit.axes()).key.towards;
        let vertical = [margins.top, margins.bottom].map(|margin| TAN_HALF_FOV * (1.0 - 2.0 * margin));
        Self {
            axes: orbit.axes(),
            slopes: [[TAN_HALF_FOV * aspect; 2], vertical],
            extents: [[f64::NEG_INFINITY; 2]; 2],
            shadow_extents: [[f64::NEG_INFINITY; 2]; 2],
            shadow_slant: key.map(|x| f64::from(x) / f64::from(key[1])),
            min: [f64::INFINITY; 3],
            max: [f64::NEG_INFINITY; 3],
        }
    }

    /// Adds a point that the picture must show.
    pub(crate) fn add(&mut self, point: [f32; 3]) {
        let point = point.map(f64::from);
        self.extents = max_of(self.extents, self.extents_of(point));
        for ((min, max), x) in self.min.iter_mut().zip(&mut self.max).zip(point) {
            *min = if x < *min { x } else { *min };
            *max = larger(*max, x);
        }
    }

    /// Adds the shadow of a point on the floor, which is at the height of the lowest point of all.
    pub(crate) fn add_shadow(&mut self, point: [f32; 3]) {
        let point = point.map(f64::from);
        let on_floor = [0, 1, 2].map(|i| point[i] - self.shadow_slant[i] * point[1]);
        self.shadow_extents = max_of(self.shadow_extents, self.extents_of(on_floor));
    }

    /// The depth of a point plus its lateral offset divided by the slope, for each side.
    fn extents_of(&self, point: [f64; 3]) -> [[f64; 2]; 2] {
        let depth = dot(point, self.axes.back);
        [(self.axes.right, self.slopes[0]), (self.axes.up, self.slopes[1])].map(|(axis, slopes)| {
            let offset = dot(point, axis);
            [depth + offset / slopes[0], depth - offset / slopes[1]]
        })
    }

    /// The extents of all points and shadows.
    fn all_extents(&self) -> [[f64; 2]; 2] {
        // Extents are linear in the point, so those of all shadows move with the floor by the same.
        let height = self.min[1];
        let moved = self.extents_of(self.shadow_slant.map(|slant| slant * height));
        let shadows = [0, 1].map(|i| [0, 1].map(|side| self.shadow_extents[i][side] + moved[i][side]));
        max_of(self.extents, shadows)
    }

    /// Half the diagonal of the box around all points; one when there are no points.
    pub(crate) fn radius(&self) -> f64 {
        let sides = [0, 1, 2].map(|axis| self.max[axis] - self.min[axis]);
        let radius = 0.5 * dot(sides, sides).sqrt();
        if radius.is_finite() && radius > 0.0 { radius } else { 1.0 }
    }

    /// The center of the box around all points.
    pub(crate) fn center(&self) -> [f64; 3] {
        let center = [0, 1, 2].map(|axis| 0.5 * (self.min[axis] + self.max[axis]));
        if center.iter().all(|x| x.is_finite()) { center } else { [0.0; 3] }
    }

    /// The camera that shows all points, or the one at the distance of `orbit`.
    pub(crate) fn view(&self, orbit: &Orbit, size: Size) -> Result<CameraView, Error> {
        let Axes { right, up, back } = self.axes;
        // The frustum's sides through the outermost points meet in the eye: its distance and its
        // lateral offset, from left and right and from top and bottom.
        let extents = self.all_extents();
        let [horizontal, vertical] = [0, 1].map(|i| {
            let ([plus, minus], [first, second]) = (extents[i], self.slopes[i]);
            let offset = (plus - minus) / (1.0 / first + 1.0 / second);
            [plus - offset / first, offset]
        });
        let center = self.center();
        let depth = dot(center, back);
        let fitted = larger(horizontal[0], vertical[0]) - depth;
        let fitted = if fitted.is_finite() && fitted > 1e-3 * self.radius() {
            MARGIN * fitted
        } else {
            4.0 * self.radius()
        };
        let distance = orbit.distance.unwrap_or(fitted);
        let offset = |eye: f64, axis: [f64; 3]| if eye.is_finite() { eye - dot(center, axis) } else { 0.0 };
        let (x, y) = (offset(horizontal[1], right), offset(vertical[1], up));
        let target = [0, 1, 2].map(|i| center[i] + right[i] * x + up[i] * y);
        let position = [0, 1, 2].map(|i| target[i] + back[i] * distance);
        let narrow = |point: [f64; 3]| point.map(|x| x as f32);
        let camera = Camera {
            position: narrow(position),
            target: narrow(target),
            up: narrow(up),
            tan_half_fov: TAN_HALF_FOV as f32,
            near: (NEAR * distance) as f32,
        };
        let view = ViewProjection::new(&camera, size).map_err(Error::Camera)?;
        Ok(CameraView { view, position: camera.position, axes: self.axes })
    }
}

/// A camera in the picture's space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CameraView {
    pub(crate) view: ViewProjection,
    /// The position of the camera.
    pub(crate) position: [f32; 3],
    pub(crate) axes: Axes,
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The larger of two extents for each side.
fn max_of(a: [[f64; 2]; 2], b: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
    [0, 1].map(|i| [0, 1].map(|side| larger(a[i][side], b[i][side])))
}

fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}
