//! The floor: a disc that fades into the background.

use sinew_figures::sine_cosine;
use sinew_raster::Vertex;

use super::camera::{Framing, Shot};
use super::light::{background, floor};

const RINGS: usize = 16;
const SIDES: usize = 64;
/// How far it reaches, in radii of the model.
const REACH: f64 = 3.2;
/// The part of it that is not faded at all.
const FULL: f64 = 0.15;

/// A disc under the model.
pub(super) struct Floor {
    points: Vec<([f32; 3], f32)>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) vertices: Vec<Vertex>,
}

impl Floor {
    /// Under all that the picture must hold.
    pub(super) fn new(framing: &Framing) -> Self {
        let [x, _, z] = framing.middle();
        let radius = REACH * framing.radius();
        let height = if framing.low[1].is_finite() { framing.low[1] } else { 0.0 };
        let mut points = vec![([x as f32, height as f32, z as f32], 1.0)];
        for ring in 1..=RINGS {
            let part = ring as f64 / RINGS as f64;
            let faded = ((part - FULL) / (1.0 - FULL)).clamp(0.0, 1.0);
            let left = 1.0 - faded * faded * (3.0 - 2.0 * faded);
            for side in 0..SIDES {
                let (sine, cosine) = sine_cosine(side as f64 / SIDES as f64);
                let (x, z) = (x + radius * part * sine, z + radius * part * cosine);
                points.push(([x as f32, height as f32, z as f32], left as f32));
            }
        }
        Self { vertices: Vec::with_capacity(points.len()), points, triangles: triangles() }
    }

    /// Takes it where a camera sees it.
    pub(super) fn see(&mut self, shot: &Shot) {
        let background = background();
        let towards = |colour: [f32; 3], part: f32| {
            [0, 1, 2].map(|i| background[i] + (colour[i] - background[i]) * part)
        };
        let [lit, shaded] = floor();
        self.vertices.clear();
        self.vertices.extend(self.points.iter().map(|&(point, left)| Vertex {
            place: shot.view.point(point),
            lit: towards(lit, left),
            shaded: towards(shaded, left),
            texture: [0.0; 2],
        }));
    }
}

/// Counter-clockwise from above.
fn triangles() -> Vec<[u32; 3]> {
    let at = |ring: usize, side: usize| (1 + (ring - 1) * SIDES + side % SIDES) as u32;
    let mut triangles: Vec<[u32; 3]> = (0..SIDES).map(|side| [0, at(1, side), at(1, side + 1)]).collect();
    for ring in 1..RINGS {
        for side in 0..SIDES {
            let [a, b] = [at(ring, side), at(ring, side + 1)];
            let [c, d] = [at(ring + 1, side), at(ring + 1, side + 1)];
            triangles.extend([[a, c, d], [a, d, b]]);
        }
    }
    triangles
}
