//! Two ways to decide whether a point is in shadow, both in `f64`: the z-fail stencil count of a
//! shadow volume, and the number of triangles between the point and the light.

use sinew::geometry::Light;

use super::vec3_f64::{Vec3, cross, dot, sub};

type Homogeneous = [f64; 4];

/// The z-fail stencil count at a point that an eye sees: of the volume's triangles behind the
/// point, those that show the eye their back minus those that show their front.
///
/// Behind the point means on the ray from the point away from the eye, including its end at
/// infinity. Vertices are homogeneous, with w = 0 for those at infinity. A triangle is the set of
/// all sums of its corners with positive factors, and the ray is the set of all sums of the point
/// and its direction, so that the intersection is exact for vertices at infinity, too.
pub(crate) fn stencil_count(vertices: &[Homogeneous], triangles: &[[u32; 3]], eye: Vec3, point: Vec3) -> i32 {
    let direction = sub(point, eye);
    let square = dot(direction, direction);
    // The vertices projected along the ray.
    let (u, v) = perpendicular_basis(direction);
    let projected: Vec<[f64; 2]> = vertices
        .iter()
        .map(|&[x, y, z, w]| {
            let from = [x - w * point[0], y - w * point[1], z - w * point[2]];
            [dot(from, u), dot(from, v)]
        })
        .collect();
    let mut count = 0;
    for triangle in triangles {
        let [a, b, c] = triangle.map(|corner| corner as usize);
        let factors =
            [signed_area(&projected, b, c), signed_area(&projected, c, a), signed_area(&projected, a, b)];
        let signs = factors.map(|(_, sign)| sign);
        if signs[0] != signs[1] || signs[1] != signs[2] {
            continue;
        }
        let mut along = 0.0;
        for (corner, (factor, _)) in [a, b, c].into_iter().zip(factors) {
            let [x, y, z, w] = vertices[corner];
            along += factor.abs() * dot([x - w * point[0], y - w * point[1], z - w * point[2]], direction);
        }
        if along / square > 0.0 {
            // A triangle that is counter-clockwise seen along the ray shows its back.
            count += signs[0];
        }
    }
    count
}

/// Twice the signed area of the triangle of the ray and two projected vertices, and its sign. The
/// two directions of an edge give opposite signs even where the area is zero, so that a ray through
/// the common edge of two triangles hits exactly one of them.
fn signed_area(projected: &[[f64; 2]], from: usize, to: usize) -> (f64, i32) {
    let (low, high) = (from.min(to), from.max(to));
    let area = projected[low][0] * projected[high][1] - projected[low][1] * projected[high][0];
    let sign = if area >= 0.0 { 1 } else { -1 };
    if from == low { (area, sign) } else { (-area, -sign) }
}

/// Two directions perpendicular to another and to each other. The three are right-handed.
fn perpendicular_basis(direction: Vec3) -> (Vec3, Vec3) {
    let least = if direction[0].abs() < direction[1].abs() { 0 } else { 1 };
    let mut axis = [0.0; 3];
    axis[if direction[2].abs() < direction[least].abs() { 2 } else { least }] = 1.0;
    let u = cross(axis, direction);
    (u, cross(direction, u))
}

/// Numbers of triangles between a point and a light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Occluders {
    /// Those that face the light.
    pub(crate) front: i32,
    /// All of them.
    pub(crate) all: i32,
}

/// Counts the triangles between a point and a light. Returns `None` where an edge or the point
/// itself is nearer to the intersection than `margin`, so that rounding may decide either way.
pub(crate) fn count_occluders(
    points: &[Vec3],
    triangles: &[[u32; 3]],
    point: Vec3,
    light: Light,
    margin: f64,
) -> Option<Occluders> {
    let [x, y, z, w] = light.homogeneous().map(f64::from);
    // A segment to a point light, or an endless ray to a directional one.
    let direction = [x - w * point[0], y - w * point[1], z - w * point[2]];
    let end = if w == 0.0 { f64::INFINITY } else { 1.0 };
    let length = dot(direction, direction).sqrt();
    let mut found = Occluders::default();
    for triangle in triangles {
        let corners = triangle.map(|corner| points[corner as usize]);
        if is_far_from_line(&corners, point, direction, length, margin) {
            continue;
        }
        let [a, b, c] = corners;
        if [[a, b], [b, c], [c, a]].into_iter().any(|edge| is_edge_near(point, direction, end, edge, margin))
        {
            return None;
        }
        let normal = cross(sub(b, a), sub(c, a));
        let (height, slope) = (dot(normal, sub(a, point)), dot(normal, direction));
        let at = height / slope;
        let hit = std::array::from_fn(|axis| point[axis] + at * direction[axis]);
        let inside = |from: Vec3, to: Vec3| dot(cross(sub(to, from), sub(hit, from)), normal) > 0.0;
        if !(slope != 0.0 && inside(a, b) && inside(b, c) && inside(c, a)) {
            continue;
        }
        if (at * length).abs() < margin || ((end - at) * length).abs() < margin {
            return None;
        }
        if at > 0.0 && at < end {
            found.all += 1;
            found.front += i32::from(slope > 0.0);
        }
    }
    Some(found)
}

/// Whether the bounding sphere of a triangle is farther from a line than a margin.
fn is_far_from_line(corners: &[Vec3; 3], point: Vec3, direction: Vec3, length: f64, margin: f64) -> bool {
    let [a, b, c] = *corners;
    let center: Vec3 = std::array::from_fn(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
    let squared_radius =
        corners.iter().map(|&corner| dot(sub(corner, center), sub(corner, center))).fold(0.0, f64::max);
    let off = cross(sub(center, point), direction);
    dot(off, off).sqrt() > (squared_radius.sqrt() + margin) * length
}

/// Whether an edge is nearer than a margin to the segment or ray from a point to the light.
fn is_edge_near(point: Vec3, direction: Vec3, end: f64, [from, to]: [Vec3; 2], margin: f64) -> bool {
    let edge = sub(to, from);
    // The infinite lines of both are no farther apart than the edge and the segment.
    let normal = cross(edge, direction);
    let apart = dot(sub(from, point), normal).abs();
    if apart > margin * dot(normal, normal).sqrt() {
        return false;
    }
    let square = dot(direction, direction);
    let distance = |fraction: f64| {
        let on_edge: Vec3 = std::array::from_fn(|axis| from[axis] + fraction * edge[axis]);
        let along = (dot(sub(on_edge, point), direction) / square).clamp(0.0, end);
        let off: Vec3 = std::array::from_fn(|axis| on_edge[axis] - point[axis] - along * direction[axis]);
        dot(off, off).sqrt()
    };
    // Ternary search: the distance to a convex set has one minimum along the edge.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if distance(left) < distance(right) { high = right } else { low = left }
    }
    distance(0.5 * (low + high)) < margin
}
