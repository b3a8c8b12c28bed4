//! The floor: a disk that fades into the background.

use sinew_figures::sin_cos_turns;
use sinew_raster::Vertex;

use crate::camera::{CameraView, Framing};
use crate::lights::{background, floor_colors};

const RINGS: usize = 16;
const SIDES: usize = 64;
/// The radius of the floor, in radii of the model.
const RADIUS: f64 = 3.2;
/// The fraction of the radius at which the floor begins to fade.
const FADE_START: f64 = 0.15;

/// A disk under the model.
pub(crate) struct Floor {
    /// Each with its opacity.
    points: Vec<([f32; 3], f32)>,
    pub(crate) triangles: Vec<[u32; 3]>,
    pub(crate) vertices: Vec<Vertex>,
}

impl Floor {
    /// A floor below all points that the picture shows.
    pub(crate) fn new(framing: &Framing) -> Self {
        let [x, _, z] = framing.center();
        let radius = RADIUS * framing.radius();
        let height = if framing.min[1].is_finite() { framing.min[1] } else { 0.0 };
        let mut points = vec![([x as f32, height as f32, z as f32], 1.0)];
        for ring in 1..=RINGS {
            let fraction = ring as f64 / RINGS as f64;
            let faded = ((fraction - FADE_START) / (1.0 - FADE_START)).clamp(0.0, 1.0);
            let opacity = 1.0 - faded * faded * (3.0 - 2.0 * faded);
            for side in 0..SIDES {
                let (sine, cosine) = sin_cos_turns(side as f64 / SIDES as f64);
                let (x, z) = (x + radius * fraction * sine, z + radius * fraction * cosine);
                points.push(([x as f32, height as f32, z as f32], opacity as f32));
            }
        }
        Self { vertices: Vec::with_capacity(points.len()), points, triangles: triangles() }
    }

    /// Projects the floor for a camera.
    pub(crate) fn project(&mut self, camera: &CameraView) {
        let background = background();
        let blend = |color: [f32; 3], opacity: f32| {
            [0, 1, 2].map(|i| background[i] + (color[i] - background[i]) * opacity)
        };
        let [lit, shadowed] = floor_colors();
        self.vertices.clear();
        self.vertices.extend(self.points.iter().map(|&(point, opacity)| Vertex {
            position: camera.view.transform_point(point),
            lit: blend(lit, opacity),
            shadowed: blend(shadowed, opacity),
        }));
    }
}

/// The triangles of the disk, counter-clockwise seen from above.
fn triangles() -> Vec<[u32; 3]> {
    let vertex = |ring: usize, side: usize| (1 + (ring - 1) * SIDES + side % SIDES) as u32;
    let mut triangles: Vec<[u32; 3]> =
        (0..SIDES).map(|side| [0, vertex(1, side), vertex(1, side + 1)]).collect();
    for ring in 1..RINGS {
        for side in 0..SIDES {
            let [a, b] = [vertex(ring, side), vertex(ring, side + 1)];
            let [c, d] = [vertex(ring + 1, side), vertex(ring + 1, side + 1)];
            triangles.extend([[a, c, d], [a, d, b]]);
        }
    }
    triangles
}
