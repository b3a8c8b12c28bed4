//! The planes of triangles, and the sides of planes.

use super::algebra::{Vector, cross, dot, length, scaled, sum};

/// The plane of a triangle, counter-clockwise seen from its front: the normal, as long as twice the
/// area, and the distance.
#[must_use]
pub fn triangle_plane([a, b, c]: [Vector; 3]) -> (Vector, f64) {
    let back = scaled(a, -1.0);
    let normal = cross(sum(b, back), sum(c, back));
    (normal, -dot(normal, a))
}

/// The same plane with a unit normal; `None` if the triangle has no area.
#[must_use]
pub fn unit_plane(corners: [Vector; 3]) -> Option<(Vector, f64)> {
    let (normal, distance) = triangle_plane(corners);
    let length = length(normal);
    (length > 0.0).then(|| (scaled(normal, 1.0 / length), distance / length))
}

/// The signed distance of a point (w = 1) or direction (w = 0) from a plane, in lengths of its
/// normal.
#[must_use]
pub fn side((normal, distance): (Vector, f64), [x, y, z, w]: [f64; 4]) -> f64 {
    dot(normal, [x, y, z]) + distance * w
}

/// The corner angles of a triangle, in radians; `None` if two corners coincide.
#[must_use]
pub fn triangle_angles(corners: [Vector; 3]) -> Option<[f64; 3]> {
    let mut angles = [0.0; 3];
    for (k, angle) in angles.iter_mut().enumerate() {
        let [a, b, c] = [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]];
        let back = scaled(a, -1.0);
        let [b, c] = [sum(b, back), sum(c, back)];
        let (lengths, sine) = (length(b) * length(c), length(cross(b, c)));
        if lengths == 0.0 {
            return None;
        }
        *angle = sine.atan2(dot(b, c));
    }
    Some(angles)
}
