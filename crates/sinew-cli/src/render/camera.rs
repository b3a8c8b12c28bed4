//! Where the camera is, and how it frames a model.

use std::str::FromStr;

use sinew::Up;
use sinew_figures::sine_cosine;
use sinew_raster::{Eye, Size, View};

use crate::Failure;

/// Half the picture's height at a distance of one: an angle of thirty degrees from top to bottom.
const SLOPE: f64 = 0.267_949_192_431_122_7;
/// How much farther than needed the camera stands, so that nothing touches the border.
const MARGIN: f64 = 1.1;
/// The near plane, as a share of the distance.
const NEAR: f64 = 0.01;

/// A camera around the middle of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Orbit {
    /// In turns, from the front.
    yaw: f64,
    /// In turns, upwards.
    pitch: f64,
    /// In the model's units; `None` as it fits.
    distance: Option<f64>,
}

/// Straight from above, up would have no meaning.
const STEEPEST: f64 = 89.0;

impl FromStr for Orbit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            format!(
                "expected YAW,PITCH or YAW,PITCH,DISTANCE: degrees, pitch from -{STEEPEST} to {STEEPEST}, \
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
        if pitch.abs() > STEEPEST {
            return Err(expected());
        }
        Ok(Self { yaw: yaw / 360.0, pitch: pitch / 360.0, distance })
    }
}

/// The directions of a camera in a world with +Y up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    pub(super) right: [f64; 3],
    pub(super) up: [f64; 3],
    /// From the model to the camera.
    pub(super) back: [f64; 3],
}

impl Orbit {
    pub(super) fn axes(&self) -> Axes {
        let (sine_yaw, cosine_yaw) = sine_cosine(self.yaw);
        let (sine_pitch, cosine_pitch) = sine_cosine(self.pitch);
        Axes {
            right: [cosine_yaw, 0.0, -sine_yaw],
            up: [-sine_pitch * sine_yaw, cosine_pitch, -sine_pitch * cosine_yaw],
            back: [cosine_pitch * sine_yaw, sine_pitch, cosine_pitch * cosine_yaw],
        }
    }
}

/// Parts of a picture's height that are to stay free.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Room {
    pub(super) above: f64,
    pub(super) below: f64,
}

/// Which points a picture must hold, gathered one after another: the nearest camera that sees them all follows from the
/// extremes of a few sums.
#[derive(Clone, Debug)]
pub(super) struct Framing {
    axes: Axes,
    /// How steeply the borders lead away from the line of sight: right and left, upper and lower.
    slopes: [[f64; 2]; 2],
    /// The most of depth plus the way aside by the slope, for each border.
    most: [[f64; 2]; 2],
    /// The lowest and the highest point along each axis.
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
}

impl Framing {
    pub(super) fn new(orbit: &Orbit, size: Size, room: Room) -> Self {
        let aspect = size.width() as f64 / size.height() as f64;
        let vertical = [room.above, room.below].map(|part| SLOPE * (1.0 - 2.0 * part));
        Self {
            axes: orbit.axes(),
            slopes: [[SLOPE * aspect; 2], vertical],
            most: [[f64::NEG_INFINITY; 2]; 2],
            low: [f64::INFINITY; 3],
            high: [f64::NEG_INFINITY; 3],
        }
    }

    /// The picture must hold this point.
    pub(super) fn add(&mut self, point: [f32; 3]) {
        let point = point.map(f64::from);
        let depth = dot(point, self.axes.back);
        let sums = [self.axes.right, self.axes.up].into_iter().zip(&self.slopes).zip(&mut self.most);
        for ((axis, slopes), [plus, minus]) in sums {
            let aside = dot(point, axis);
            *plus = greater(*plus, depth + aside / slopes[0]);
            *minus = greater(*minus, depth - aside / slopes[1]);
        }
        for ((low, high), x) in self.low.iter_mut().zip(&mut self.high).zip(point) {
            *low = if x < *low { x } else { *low };
            *high = greater(*high, x);
        }
    }

    /// Half the diagonal of the box that holds all points; one where there are none.
    pub(super) fn radius(&self) -> f64 {
        let sides = [0, 1, 2].map(|axis| self.high[axis] - self.low[axis]);
        let radius = 0.5 * dot(sides, sides).sqrt();
        if radius.is_finite() && radius > 0.0 { radius } else { 1.0 }
    }

    /// The middle of that box.
    pub(super) fn middle(&self) -> [f64; 3] {
        let middle = [0, 1, 2].map(|axis| 0.5 * (self.low[axis] + self.high[axis]));
        if middle.iter().all(|x| x.is_finite()) { middle } else { [0.0; 3] }
    }

    /// The view that holds all points.
    pub(super) fn view(&self, orbit: &Orbit, size: Size) -> Result<Shot, Failure> {
        let Axes { right, up, back } = self.axes;
        // Where the borders through the outermost points to both sides meet: how far back, and how far aside.
        let [across, along] = [0, 1].map(|i| {
            let ([plus, minus], [first, second]) = (self.most[i], self.slopes[i]);
            let aside = (plus - minus) / (1.0 / first + 1.0 / second);
            [plus - aside / first, aside]
        });
        let middle = self.middle();
        let depth = dot(middle, back);
        let fitted = greater(across[0], along[0]) - depth;
        let fitted = if fitted.is_finite() && fitted > 1e-3 * self.radius() {
            MARGIN * fitted
        } else {
            4.0 * self.radius()
        };
        let distance = orbit.distance.unwrap_or(fitted);
        let aside = |wish: f64, axis: [f64; 3]| if wish.is_finite() { wish - dot(middle, axis) } else { 0.0 };
        let (x, y) = (aside(across[1], right), aside(along[1], up));
        let target = [0, 1, 2].map(|i| middle[i] + right[i] * x + up[i] * y);
        let at = [0, 1, 2].map(|i| target[i] + back[i] * distance);
        let narrow = |point: [f64; 3]| point.map(|x| x as f32);
        let eye = Eye {
            at: narrow(at),
            target: narrow(target),
            up: narrow(up),
            slope: SLOPE as f32,
            near: (NEAR * distance) as f32,
        };
        let view = View::new(&eye, size).map_err(|error| Failure::Usage(format!("--camera: {error}")))?;
        Ok(Shot { view, eye: eye.at, axes: self.axes })
    }
}

/// What a picture is taken with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shot {
    pub(super) view: View,
    /// Where the camera is.
    pub(super) eye: [f32; 3],
    pub(super) axes: Axes,
}

/// From the model's space to that of the picture, which has +Y up and the front of a model along +Z.
pub(super) fn upright(up: Up, [x, y, z]: [f32; 3]) -> [f32; 3] {
    match up {
        Up::Y => [x, y, z],
        // Models of MD5 look along +X.
        Up::Z => [y, z, x],
    }
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}
