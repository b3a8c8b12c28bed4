//! Bones: a long octahedron from each joint to its parent.

use crate::draw::{Copy, Point};
use crate::scene::{Animated, Subject};

const BONE: [u8; 4] = [255, 205, 90, 235];
const CHOSEN: [u8; 4] = [255, 80, 60, 255];
/// Half of its thickness, and where it is thickest, as shares of the length.
const THICK: f32 = 0.09;
const WIDEST: f32 = 0.18;

/// Where each joint of a copy is, in the scene.
#[must_use]
pub fn joint_places(subject: &Subject, animated: &Animated, copy: &Copy) -> Vec<[f32; 3]> {
    let place = |matrix: &sinew::Matrix| {
        let at = subject.upright(matrix.translation());
        [0, 1, 2].map(|i| at[i] + copy.offset[i])
    };
    animated.model_from_joint.iter().map(place).collect()
}

/// Adds the bones of a copy.
pub fn bones(subject: &Subject, places: &[[f32; 3]], chosen: Option<usize>, lines: &mut Vec<Point>) {
    let skeleton = subject.model.skeleton();
    for (joint, &end) in places.iter().enumerate() {
        let Some(parent) = skeleton.parent(joint) else { continue };
        let colour = if chosen == Some(parent) { CHOSEN } else { BONE };
        bone(places[parent], end, colour, lines);
    }
}

fn bone(from: [f32; 3], to: [f32; 3], colour: [u8; 4], lines: &mut Vec<Point>) {
    let way = [0, 1, 2].map(|i| to[i] - from[i]);
    let length = way.iter().map(|element| element * element).sum::<f32>().sqrt();
    if !length.is_finite() || length <= 0.0 {
        return;
    }
    let least = if way[0].abs() < 0.7 * length { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let [u, v] = {
        let u = unit(cross(way, least));
        [u, unit(cross(way, u))]
    };
    let size = THICK * length;
    let corner = |a: f32, b: f32| [0, 1, 2].map(|i| from[i] + WIDEST * way[i] + size * (a * u[i] + b * v[i]));
    let ring = [corner(1.0, 0.0), corner(0.0, 1.0), corner(-1.0, 0.0), corner(0.0, -1.0)];
    for (index, &place) in ring.iter().enumerate() {
        for other in [from, to, ring[(index + 1) % 4]] {
            lines.extend([place, other].map(|position| Point { position, colour }));
        }
    }
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(a: [f32; 3]) -> [f32; 3] {
    let length = a.iter().map(|element| element * element).sum::<f32>().sqrt();
    if length > 0.0 { a.map(|element| element / length) } else { [0.0; 3] }
}
