//! Distances between points, segments, AABBs and triangles, in `f64`.

use crate::math::vector::Vector;

/// The corners of a triangle.
pub(super) type Corners = [Vector; 3];

/// A point of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrianglePoint {
    pub(super) barycentrics: [f64; 3],
    pub(super) point: Vector,
    /// Squared distance from the query point.
    pub(super) distance_squared: f64,
}

/// The point of a triangle that is closest to `from`. The triangle may be degenerate. If edges tie,
/// the first wins.
pub(super) fn closest_point_on_triangle(from: Vector, corners: &Corners) -> TrianglePoint {
    if let Some(barycentrics) = projected_barycentrics(from, corners) {
        return triangle_point(from, corners, barycentrics);
    }
    let edge = |a: usize| {
        let b = (a + 1) % 3;
        let part = closest_segment_parameter(from, corners[a], corners[b]);
        let mut barycentrics = [0.0; 3];
        barycentrics[a] = 1.0 - part;
        barycentrics[b] = part;
        triangle_point(from, corners, barycentrics)
    };
    [edge(1), edge(2)].into_iter().fold(edge(0), |best, other| {
        if other.distance_squared < best.distance_squared { other } else { best }
    })
}

fn triangle_point(from: Vector, &[a, b, c]: &Corners, barycentrics: [f64; 3]) -> TrianglePoint {
    let [u, v, w] = barycentrics;
    let point = (a * u + b * v) + c * w;
    TrianglePoint { barycentrics, point, distance_squared: distance_squared(from, point) }
}

/// The barycentric coordinates of a point projected onto the triangle's plane. `None` if the
/// projection is outside the triangle or the triangle has no area.
fn projected_barycentrics(point: Vector, &[a, b, c]: &Corners) -> Option<[f64; 3]> {
    let normal = (b - a).cross(c - a);
    let area = normal.dot(normal);
    let edge_area = |from: Vector, to: Vector| normal.dot((to - from).cross(point - from));
    let parts = [edge_area(b, c), edge_area(c, a), edge_area(a, b)];
    // NaN counts as outside.
    (area > 0.0 && parts.iter().all(|&part| part >= 0.0))
        .then(|| {
            let sum = parts[0] + parts[1] + parts[2];
            parts.map(|part| part / sum)
        })
        .filter(|parts| parts.iter().all(|part| part.is_finite()))
}

/// The parameter of the closest point on the segment from `a` to `b`; zero for a segment of length
/// zero.
fn closest_segment_parameter(from: Vector, a: Vector, b: Vector) -> f64 {
    let along = b - a;
    let length = along.dot(along);
    if length > 0.0 { ((from - a).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 }
}

fn point_segment_distance_squared(from: Vector, a: Vector, b: Vector) -> f64 {
    distance_squared(from, a + (b - a) * closest_segment_parameter(from, a, b))
}

/// The squared distance between a segment and a triangle; zero if they intersect, NaN if a corner
/// is NaN.
pub(super) fn segment_triangle_distance_squared(p: Vector, q: Vector, corners: &Corners) -> f64 {
    if segment_crosses_triangle(p, q, corners) {
        return 0.0;
    }
    let ends = closest_point_on_triangle(p, corners)
        .distance_squared
        .min(closest_point_on_triangle(q, corners).distance_squared);
    let [a, b, c] = *corners;
    // `min` ignores NaN, so the corners that are not NaN would give a distance.
    if corners.iter().any(|corner| corner.is_nan()) {
        return f64::NAN;
    }
    [(a, b), (b, c), (c, a)]
        .into_iter()
        .fold(ends, |lowest, (a, b)| lowest.min(segment_segment_distance_squared(p, q, a, b)))
}

fn segment_crosses_triangle(p: Vector, q: Vector, corners: &Corners) -> bool {
    let [a, b, c] = *corners;
    let normal = (b - a).cross(c - a);
    let (before, after) = (normal.dot(p - a), normal.dot(q - a));
    let apart = before.min(after) <= 0.0 && before.max(after) >= 0.0 && before != after;
    apart && projected_barycentrics(p + ((q - p) * (before / (before - after))), corners).is_some()
}

/// The squared distance between two segments. Its minimum over the parameter square lies inside the
/// square or on its boundary, where one of the points is an end of a segment.
fn segment_segment_distance_squared(p: Vector, q: Vector, a: Vector, b: Vector) -> f64 {
    let border = point_segment_distance_squared(p, a, b)
        .min(point_segment_distance_squared(q, a, b))
        .min(point_segment_distance_squared(a, p, q))
        .min(point_segment_distance_squared(b, p, q));
    let (u, v, w) = ((q - p), (b - a), (p - a));
    let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let denominator = uu * vv - uv * uv;
    let (s, t) = ((uv * vw - vv * uw) / denominator, (uu * vw - uv * uw) / denominator);
    // For parallel segments the parameters are infinite or NaN.
    let inside = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    if inside { border.min(distance_squared(p + u * s, a + v * t)) } else { border }
}

/// Whether a triangle and an AABB intersect: no separating axis exists (Akenine-Möller).
pub(super) fn aabb_overlaps_triangle(min: Vector, max: Vector, corners: &Corners) -> bool {
    let center = (min + max) * 0.5;
    let half_extents = (max - min) * 0.5;
    let corners = corners.map(|corner| corner - center);
    let [a, b, c] = corners;
    let edges = [(b - a), (c - b), (a - c)];
    let axes = [Vector::X, Vector::Y, Vector::Z];
    let separated = |axis: Vector| {
        let along = corners.map(|corner| axis.dot(corner));
        let radius = half_extents[0] * axis[0].abs()
            + half_extents[1] * axis[1].abs()
            + half_extents[2] * axis[2].abs();
        let (lowest, highest) = (along[0].min(along[1]).min(along[2]), along[0].max(along[1]).max(along[2]));
        // NaN counts as separated.
        !(lowest <= radius && highest >= -radius)
    };
    !axes.into_iter().any(separated)
        && !separated(edges[0].cross(edges[1]))
        && !edges.iter().any(|&edge| axes.into_iter().any(|axis| separated(axis.cross(edge))))
}

fn distance_squared(a: Vector, b: Vector) -> f64 {
    let between = a - b;
    between.dot(between)
}
