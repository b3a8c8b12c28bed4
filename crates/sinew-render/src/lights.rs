//! The lights: a key over the camera's left shoulder, a fill from the right, a rim light from
//! behind, and the sky.

use sinew_raster::{DirectionalLight, Lighting, srgb_to_linear};

use crate::camera::{Axes, dot};

const KEY: [f32; 3] = [1.15, 1.02, 0.86];
const FILL: [f32; 3] = [0.14, 0.17, 0.22];
const RIM: [f32; 3] = [0.16, 0.18, 0.22];
const SKY: [f32; 3] = [0.26, 0.30, 0.36];
const GROUND: [f32; 3] = [0.12, 0.105, 0.09];
/// What metals reflect: a room about as bright as the picture's background, and its floor.
const ROOM: [[f32; 3]; 2] = [[0.62, 0.66, 0.72], [0.26, 0.25, 0.24]];

// In sRGB.
const BACKGROUND: [u8; 3] = [226, 230, 234];
const FLOOR: [u8; 3] = [238, 239, 240];
const FLOOR_IN_SHADOW: [u8; 3] = [168, 175, 184];

pub(crate) fn background() -> [f32; 3] {
    BACKGROUND.map(srgb_to_linear)
}

/// The color of the floor: lit, and in shadow.
pub(crate) fn floor_colors() -> [[f32; 3]; 2] {
    [FLOOR.map(srgb_to_linear), FLOOR_IN_SHADOW.map(srgb_to_linear)]
}

/// The lights of a picture, which follow the camera's yaw.
pub(crate) fn lighting(axes: &Axes) -> Lighting {
    let Axes { right, back, .. } = *axes;
    let level = |[x, _, z]: [f64; 3]| [x, 0.0, z];
    // Independent of the camera's pitch: the key stays above the horizon, so that the model casts a
    // shadow on the floor.
    let back = unit(level(back));
    let light = |color: [f32; 3], sideways: f64, up: f64, backward: f64| {
        let [x, y, z] = [0, 1, 2].map(|i| right[i] * sideways + back[i] * backward);
        DirectionalLight { towards: unit([x, y + up, z]).map(|x| x as f32), color }
    };
    Lighting {
        // High enough for a shadow that is shorter than the model.
        key: light(KEY, -0.6, 1.0, 0.4),
        others: [light(FILL, 0.9, 0.1, 0.5), light(RIM, 0.5, 0.5, -1.0)],
        ambient: [SKY, GROUND],
        reflected: ROOM,
    }
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let length = dot(a, a).sqrt();
    if length > 0.0 { a.map(|x| x / length) } else { [0.0, 1.0, 0.0] }
}
