//! The lights: a key over the camera's left shoulder, a fill from the right, a rim light from
//! behind, and the sky.

use sinew_raster::srgb_to_linear;

use crate::camera::{Axes, dot};

/// The directions towards the lights, all of length one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lights {
    /// The only light that casts shadows.
    pub(crate) key: [f32; 3],
    fill: [f32; 3],
    rim: [f32; 3],
}

const KEY: [f32; 3] = [1.15, 1.02, 0.86];
const FILL: [f32; 3] = [0.14, 0.17, 0.22];
const RIM: [f32; 3] = [0.16, 0.18, 0.22];
const SKY: [f32; 3] = [0.26, 0.30, 0.36];
const GROUND: [f32; 3] = [0.12, 0.105, 0.09];
/// The cosine to the key light at which its contribution reaches zero. It is above zero because the
/// first triangles of a curved surface turn away, and are in shadow, before its normals do.
const GRAZING: f32 = 0.12;

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

impl Lights {
    pub(crate) fn new(axes: &Axes) -> Self {
        let Axes { right, back, .. } = *axes;
        let level = |[x, _, z]: [f64; 3]| [x, 0.0, z];
        // Independent of the camera's pitch: the key stays above the horizon, so that the model
        // casts a shadow on the floor.
        let back = unit(level(back));
        let towards = |sideways: f64, up: f64, backward: f64| {
            let [x, y, z] = [0, 1, 2].map(|i| right[i] * sideways + back[i] * backward);
            unit([x, y + up, z]).map(|x| x as f32)
        };
        Self { key: towards(-0.95, 1.0, 0.45), fill: towards(0.9, 0.1, 0.5), rim: towards(0.5, 0.5, -1.0) }
    }

    /// The color of a surface, lit by the key light and in its shadow. The key light uses the
    /// normal of the vertex or of its triangles (`flat`), whichever is darker, because shadows
    /// follow the triangles.
    pub(crate) fn shade(&self, color: [f32; 3], normal: [f32; 3], flat: [f32; 3]) -> [[f32; 3]; 2] {
        let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let along = |light: [f32; 3]| dot(normal, light);
        let positive = |x: f32| if x > 0.0 { x } else { 0.0 };
        let (smooth, flat) = (along(self.key), dot(flat, self.key));
        let cosine = if flat < smooth { flat } else { smooth };
        let key = positive((cosine - GRAZING) / (1.0 - GRAZING));
        let (fill, rim) = (positive(along(self.fill)), positive(along(self.rim)));
        let upward = 0.5 + 0.5 * normal[1];
        let shadowed = [0, 1, 2].map(|i| {
            let sky = GROUND[i] + (SKY[i] - GROUND[i]) * upward;
            color[i] * (sky + FILL[i] * fill + RIM[i] * rim)
        });
        let lit = [0, 1, 2].map(|i| shadowed[i] + color[i] * KEY[i] * key);
        [lit, shadowed]
    }
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let length = dot(a, a).sqrt();
    if length > 0.0 { a.map(|x| x / length) } else { [0.0, 1.0, 0.0] }
}
