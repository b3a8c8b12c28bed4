//! The light: a key over the camera's left shoulder, a fill from the right, and the sky.

use sinew_raster::from_code;

use super::camera::{Axes, dot};

/// What falls on a model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lights {
    /// Towards the key light, of length one.
    pub(super) key: [f32; 3],
    fill: [f32; 3],
    rim: [f32; 3],
}

const KEY: [f32; 3] = [1.15, 1.02, 0.86];
const FILL: [f32; 3] = [0.14, 0.17, 0.22];
const RIM: [f32; 3] = [0.16, 0.18, 0.22];
const SKY: [f32; 3] = [0.26, 0.30, 0.36];
const GROUND: [f32; 3] = [0.12, 0.105, 0.09];
/// The key is gone a little before a surface turns away from it, where its triangles already do.
const GRAZING: f32 = 0.06;

/// Codes of sRGB.
const BACKGROUND: [u8; 3] = [226, 230, 234];
const FLOOR: [u8; 3] = [238, 239, 240];
const FLOOR_IN_SHADOW: [u8; 3] = [168, 175, 184];

pub(super) fn background() -> [f32; 3] {
    BACKGROUND.map(from_code)
}

/// The floor, lit and in the shadow.
pub(super) fn floor() -> [[f32; 3]; 2] {
    [FLOOR.map(from_code), FLOOR_IN_SHADOW.map(from_code)]
}

impl Lights {
    pub(super) fn new(axes: &Axes) -> Self {
        let Axes { right, back, .. } = *axes;
        let level = |[x, _, z]: [f64; 3]| [x, 0.0, z];
        // Above the horizon whatever the pitch, so that there is a shadow on the floor.
        let back = unit(level(back));
        let towards = |aside: f64, up: f64, near: f64| {
            let [x, y, z] = [0, 1, 2].map(|i| right[i] * aside + back[i] * near);
            unit([x, y + up, z]).map(|x| x as f32)
        };
        Self { key: towards(-0.8, 1.0, 0.55), fill: towards(0.9, 0.1, 0.5), rim: towards(0.5, 0.5, -1.0) }
    }

    /// How a surface looks in the light and in the shadow of the key.
    pub(super) fn on(&self, colour: [f32; 3], normal: [f32; 3]) -> [[f32; 3]; 2] {
        let along = |light: [f32; 3]| normal[0] * light[0] + normal[1] * light[1] + normal[2] * light[2];
        let positive = |x: f32| if x > 0.0 { x } else { 0.0 };
        let key = positive((along(self.key) - GRAZING) / (1.0 - GRAZING));
        let (fill, rim) = (positive(along(self.fill)), positive(along(self.rim)));
        let high = 0.5 + 0.5 * normal[1];
        let shaded = [0, 1, 2].map(|i| {
            let sky = GROUND[i] + (SKY[i] - GROUND[i]) * high;
            colour[i] * (sky + FILL[i] * fill + RIM[i] * rim)
        });
        let lit = [0, 1, 2].map(|i| shaded[i] + colour[i] * KEY[i] * key);
        [lit, shaded]
    }
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let length = dot(a, a).sqrt();
    if length > 0.0 { a.map(|x| x / length) } else { [0.0, 1.0, 0.0] }
}
