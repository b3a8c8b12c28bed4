//! Two ways to tell whether a point is in shadow, both in `f64`: what a stencil buffer counts of a volume, and what
//! stands between the point and the light.

use sinew::Light;

use crate::solids::{cross, dot, sub};

type Vector = [f64; 3];
type Homogeneous = [f64; 4];

/// What a z-fail stencil pass counts at a point that an eye sees: of the volume's triangles behind the point, those that
/// show the eye their back, less those that show their front.
///
/// Behind the point means on the way from there on, away from the eye, up to and with its end at infinity. Vertices are
/// taken as they are, with w = 0 where they are infinitely far away: a triangle is all sums of its corners with factors
/// above zero, the way is all sums of the point and its direction, and where the two meet is solved exactly.
pub(crate) fn stencil(vertices: &[Homogeneous], triangles: &[[u32; 3]], eye: Vector, point: Vector) -> i32 {
    let way = sub(point, eye);
    let square = dot(way, way);
    // On which side of the line each vertex lies, as coordinates across it.
    let (u, v) = across(way);
    let flat: Vec<[f64; 2]> = vertices
        .iter()
        .map(|&[x, y, z, w]| {
            let from = [x - w * point[0], y - w * point[1], z - w * point[2]];
            [dot(from, u), dot(from, v)]
        })
        .collect();
    let mut count = 0;
    for triangle in triangles {
        let [a, b, c] = triangle.map(|corner| corner as usize);
        let factors = [side(&flat, b, c), side(&flat, c, a), side(&flat, a, b)];
        let turns = factors.map(|(_, turn)| turn);
        if turns[0] != turns[1] || turns[1] != turns[2] {
            continue;
        }
        let mut along = 0.0;
        for (corner, (factor, _)) in [a, b, c].into_iter().zip(factors) {
            let [x, y, z, w] = vertices[corner];
            along += factor.abs() * dot([x - w * point[0], y - w * point[1], z - w * point[2]], way);
        }
        if along / square > 0.0 {
            // Counter-clockwise seen along the way is the back.
            count += turns[0];
        }
    }
    count
}

/// Twice the area between the line and two vertices beside it, and its sign: the same for both directions of an edge but
/// for the sign, even where the area is zero, so that a line between two triangles meets one of them.
fn side(flat: &[[f64; 2]], from: usize, to: usize) -> (f64, i32) {
    let (low, high) = (from.min(to), from.max(to));
    let area = flat[low][0] * flat[high][1] - flat[low][1] * flat[high][0];
    let turn = if area >= 0.0 { 1 } else { -1 };
    if from == low { (area, turn) } else { (-area, -turn) }
}

/// Two directions at right angles to another and to each other; the three are right-handed.
fn across(way: Vector) -> (Vector, Vector) {
    let least = if way[0].abs() < way[1].abs() { 0 } else { 1 };
    let mut axis = [0.0; 3];
    axis[if way[2].abs() < way[least].abs() { 2 } else { least }] = 1.0;
    let u = cross(axis, way);
    (u, cross(way, u))
}

/// How many triangles stand between a point and a light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Between {
    /// Those that show the light their front.
    pub(crate) fronts: i32,
    /// All of them.
    pub(crate) all: i32,
}

/// Counts what stands between; `None` where an edge or the point itself is nearer to where they would cross than
/// `margin`, so that rounding may decide either way.
pub(crate) fn between(
    points: &[Vector],
    triangles: &[[u32; 3]],
    point: Vector,
    light: Light,
    margin: f64,
) -> Option<Between> {
    let [x, y, z, w] = light.homogeneous().map(f64::from);
    // To the light itself, or in its direction without end.
    let way = [x - w * point[0], y - w * point[1], z - w * point[2]];
    let end = if w == 0.0 { f64::INFINITY } else { 1.0 };
    let length = dot(way, way).sqrt();
    let mut found = Between::default();
    for triangle in triangles {
        let corners = triangle.map(|corner| points[corner as usize]);
        if farther(&corners, point, way, length, margin) {
            continue;
        }
        let [a, b, c] = corners;
        if [[a, b], [b, c], [c, a]].into_iter().any(|edge| is_near(point, way, end, edge, margin)) {
            return None;
        }
        let normal = cross(sub(b, a), sub(c, a));
        let (height, slope) = (dot(normal, sub(a, point)), dot(normal, way));
        let at = height / slope;
        let hit = std::array::from_fn(|axis| point[axis] + at * way[axis]);
        let inside = |from: Vector, to: Vector| dot(cross(sub(to, from), sub(hit, from)), normal) > 0.0;
        if !(slope != 0.0 && inside(a, b) && inside(b, c) && inside(c, a)) {
            continue;
        }
        if (at * length).abs() < margin || ((end - at) * length).abs() < margin {
            return None;
        }
        if at > 0.0 && at < end {
            found.all += 1;
            found.fronts += i32::from(slope > 0.0);
        }
    }
    Some(found)
}

/// Whether a triangle is certainly farther from a line than a margin: outside the ball around it.
fn farther(corners: &[Vector; 3], point: Vector, way: Vector, length: f64, margin: f64) -> bool {
    let [a, b, c] = *corners;
    let middle: Vector = std::array::from_fn(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
    let reach =
        corners.iter().map(|&corner| dot(sub(corner, middle), sub(corner, middle))).fold(0.0, f64::max);
    let off = cross(sub(middle, point), way);
    dot(off, off).sqrt() > (reach.sqrt() + margin) * length
}

/// Whether an edge comes nearer than a margin to the way from a point to the light.
fn is_near(point: Vector, way: Vector, end: f64, [from, to]: [Vector; 2], margin: f64) -> bool {
    let edge = sub(to, from);
    // The lines that both lie on are no farther apart than they.
    let across = cross(edge, way);
    let apart = dot(sub(from, point), across).abs();
    if apart > margin * dot(across, across).sqrt() {
        return false;
    }
    let square = dot(way, way);
    let distance = |part: f64| {
        let on_edge: Vector = std::array::from_fn(|axis| from[axis] + part * edge[axis]);
        let along = (dot(sub(on_edge, point), way) / square).clamp(0.0, end);
        let off: Vector = std::array::from_fn(|axis| on_edge[axis] - point[axis] - along * way[axis]);
        dot(off, off).sqrt()
    };
    // The distance to something convex has one valley along the edge.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if distance(left) < distance(right) { high = right } else { low = left }
    }
    distance(0.5 * (low + high)) < margin
}
