//! Distances between points, segments, boxes and triangles, in `f64`.

use crate::vector::{Vector, add, cross, dot, scale, sub};

/// A triangle by its corners.
pub(super) type Corners = [Vector; 3];

/// A point of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnTriangle {
    pub(super) barycentrics: [f64; 3],
    pub(super) point: Vector,
    /// From what it was asked for.
    pub(super) squared: f64,
}

/// The point of a triangle that is nearest to another, of any triangle, flat ones included; on an edge of several that are
/// as near, the first.
pub(super) fn nearest_on_triangle(from: Vector, corners: &Corners) -> OnTriangle {
    if let Some(barycentrics) = above(from, corners) {
        return on_triangle(from, corners, barycentrics);
    }
    let edge = |a: usize| {
        let b = (a + 1) % 3;
        let part = nearest_on_segment(from, corners[a], corners[b]);
        let mut barycentrics = [0.0; 3];
        barycentrics[a] = 1.0 - part;
        barycentrics[b] = part;
        on_triangle(from, corners, barycentrics)
    };
    [edge(1), edge(2)]
        .into_iter()
        .fold(edge(0), |best, other| if other.squared < best.squared { other } else { best })
}

fn on_triangle(from: Vector, &[a, b, c]: &Corners, barycentrics: [f64; 3]) -> OnTriangle {
    let [u, v, w] = barycentrics;
    let point = add(add(scale(a, u), scale(b, v)), scale(c, w));
    OnTriangle { barycentrics, point, squared: squared(from, point) }
}

/// The barycentrics of a point's foot on the triangle's plane, where that is inside; `None` also for triangles without area.
fn above(point: Vector, &[a, b, c]: &Corners) -> Option<[f64; 3]> {
    let normal = cross(sub(b, a), sub(c, a));
    let area = dot(normal, normal);
    let of = |from: Vector, to: Vector| dot(normal, cross(sub(to, from), sub(point, from)));
    let parts = [of(b, c), of(c, a), of(a, b)];
    // Written so that a NaN is outside.
    (area > 0.0 && parts.iter().all(|&part| part >= 0.0))
        .then(|| {
            let sum = parts[0] + parts[1] + parts[2];
            parts.map(|part| part / sum)
        })
        .filter(|parts| parts.iter().all(|part| part.is_finite()))
}

/// How much of the way from `a` to `b` the nearest point is; zero for a segment without length.
fn nearest_on_segment(from: Vector, a: Vector, b: Vector) -> f64 {
    let along = sub(b, a);
    let length = dot(along, along);
    if length > 0.0 { (dot(sub(from, a), along) / length).clamp(0.0, 1.0) } else { 0.0 }
}

fn to_segment(from: Vector, a: Vector, b: Vector) -> f64 {
    squared(from, add(a, scale(sub(b, a), nearest_on_segment(from, a, b))))
}

/// The squared distance of a segment and a triangle; zero where they cross.
pub(super) fn segment_to_triangle(p: Vector, q: Vector, corners: &Corners) -> f64 {
    if crosses(p, q, corners) {
        return 0.0;
    }
    let ends = nearest_on_triangle(p, corners).squared.min(nearest_on_triangle(q, corners).squared);
    let [a, b, c] = *corners;
    // Least values leave out what is not a number, and so would find the corners that are.
    if corners.iter().flatten().any(|element| element.is_nan()) {
        return f64::NAN;
    }
    [(a, b), (b, c), (c, a)].into_iter().fold(ends, |least, (a, b)| least.min(segment_to_segment(p, q, a, b)))
}

fn crosses(p: Vector, q: Vector, corners: &Corners) -> bool {
    let [a, b, c] = *corners;
    let normal = cross(sub(b, a), sub(c, a));
    let (before, after) = (dot(normal, sub(p, a)), dot(normal, sub(q, a)));
    let apart = before.min(after) <= 0.0 && before.max(after) >= 0.0 && before != after;
    apart && above(add(p, scale(sub(q, p), before / (before - after))), corners).is_some()
}

/// The least over the square of both parameters is inside it, or on its border, where one of the ends is.
fn segment_to_segment(p: Vector, q: Vector, a: Vector, b: Vector) -> f64 {
    let border =
        to_segment(p, a, b).min(to_segment(q, a, b)).min(to_segment(a, p, q)).min(to_segment(b, p, q));
    let (u, v, w) = (sub(q, p), sub(b, a), sub(p, a));
    let (uu, uv, vv, uw, vw) = (dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w));
    let denominator = uu * vv - uv * uv;
    let (s, t) = ((uv * vw - vv * uw) / denominator, (uu * vw - uv * uw) / denominator);
    // Parallel segments have no such point, or not a number.
    let inside = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    if inside { border.min(squared(add(p, scale(u, s)), add(a, scale(v, t)))) } else { border }
}

/// Whether a triangle and a box along the axes have a point in common: no axis parts them (Akenine-Möller).
pub(super) fn box_touches(low: Vector, high: Vector, corners: &Corners) -> bool {
    let centre = scale(add(low, high), 0.5);
    let half = scale(sub(high, low), 0.5);
    let corners = corners.map(|corner| sub(corner, centre));
    let [a, b, c] = corners;
    let edges = [sub(b, a), sub(c, b), sub(a, c)];
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let parted = |axis: Vector| {
        let along = corners.map(|corner| dot(axis, corner));
        let reach = half[0] * axis[0].abs() + half[1] * axis[1].abs() + half[2] * axis[2].abs();
        let (least, most) = (along[0].min(along[1]).min(along[2]), along[0].max(along[1]).max(along[2]));
        // Written so that a NaN parts them.
        !(least <= reach && most >= -reach)
    };
    !axes.into_iter().any(parted)
        && !parted(cross(edges[0], edges[1]))
        && !edges.iter().any(|&edge| axes.into_iter().any(|axis| parted(cross(axis, edge))))
}

fn squared(a: Vector, b: Vector) -> f64 {
    let between = sub(a, b);
    dot(between, between)
}
