//! Clipping of triangles and lines at the near plane and at a guard band around the picture.
//!
//! The intersection is always computed from the inner end to the outer end, so two triangles that
//! share an edge get the same new vertex, to the bit. There is no far plane.

/// A vertex of a clipped polygon.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PolygonVertex {
    /// Position in clip space.
    pub(crate) position: [f64; 4],
    /// Barycentric coordinates in the original triangle.
    pub(crate) barycentric: [f64; 3],
}

impl PolygonVertex {
    fn lerp(&self, other: &Self, t: f64) -> Self {
        let lerp = |a: f64, b: f64| a + (b - a) * t;
        let [x, y, z, w] = std::array::from_fn(|i| lerp(self.position[i], other.position[i]));
        let barycentric = std::array::from_fn(|i| lerp(self.barycentric[i], other.barycentric[i]));
        Self { position: [x, y, z, w], barycentric }
    }
}

/// Maximum number of vertices of a triangle clipped at every plane.
const MAX_VERTICES: usize = 3 + PLANES;
const PLANES: usize = 5;

/// A convex polygon: what is left of a triangle after clipping.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Polygon {
    vertices: [PolygonVertex; MAX_VERTICES],
    len: usize,
}

impl Polygon {
    pub(crate) fn from_triangle(positions: [[f32; 4]; 3]) -> Self {
        let mut polygon = Self::default();
        for (index, position) in positions.into_iter().enumerate() {
            let mut barycentric = [0.0; 3];
            barycentric[index] = 1.0;
            polygon.push(PolygonVertex { position: position.map(f64::from), barycentric });
        }
        polygon
    }

    pub(crate) fn vertices(&self) -> &[PolygonVertex] {
        &self.vertices[..self.len]
    }

    fn push(&mut self, vertex: PolygonVertex) {
        // Rounding could produce one vertex more than the exact maximum. Dropping it never makes
        // the polygon larger.
        if self.len < MAX_VERTICES {
            self.vertices[self.len] = vertex;
            self.len += 1;
        }
    }
}

/// The guard band: how far outside the picture vertices may lie, in half widths and half heights
/// of the picture. It clips at the near plane too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GuardBand {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl GuardBand {
    /// Signed distance from a plane, scaled by w; negative outside.
    fn distance(&self, plane: usize, [x, y, z, w]: [f64; 4]) -> f64 {
        match plane {
            0 => w - z,
            1 => self.x * w - x,
            2 => self.x * w + x,
            3 => self.y * w - y,
            _ => self.y * w + y,
        }
    }

    /// Whether a position is inside all planes.
    pub(crate) fn contains(&self, position: [f64; 4]) -> bool {
        (0..PLANES).all(|plane| self.distance(plane, position) >= 0.0)
    }

    /// Clips a polygon, possibly to nothing.
    pub(crate) fn clip(&self, polygon: &mut Polygon) {
        for plane in 0..PLANES {
            let distance = |vertex: &PolygonVertex| self.distance(plane, vertex.position);
            if polygon.vertices().iter().all(|vertex| distance(vertex) >= 0.0) {
                continue;
            }
            let input = *polygon;
            polygon.len = 0;
            let vertices = input.vertices();
            for (index, a) in vertices.iter().enumerate() {
                let b = &vertices[(index + 1) % vertices.len()];
                let (distance_a, distance_b) = (distance(a), distance(b));
                if distance_a >= 0.0 {
                    polygon.push(*a);
                }
                if distance_a >= 0.0 && distance_b < 0.0 {
                    polygon.push(a.lerp(b, distance_a / (distance_a - distance_b)));
                } else if distance_a < 0.0 && distance_b >= 0.0 {
                    polygon.push(b.lerp(a, distance_b / (distance_b - distance_a)));
                }
            }
        }
    }

    /// Clips a line segment; `None` when nothing is left.
    pub(crate) fn clip_line(&self, ends: [[f32; 4]; 2]) -> Option<[[f64; 4]; 2]> {
        let vertex =
            |position: [f32; 4]| PolygonVertex { position: position.map(f64::from), barycentric: [0.0; 3] };
        let [mut a, mut b] = ends.map(vertex);
        for plane in 0..PLANES {
            let (distance_a, distance_b) =
                (self.distance(plane, a.position), self.distance(plane, b.position));
            match (distance_a >= 0.0, distance_b >= 0.0) {
                (true, true) => {}
                (true, false) => b = a.lerp(&b, distance_a / (distance_a - distance_b)),
                (false, true) => a = b.lerp(&a, distance_b / (distance_b - distance_a)),
                (false, false) => return None,
            }
        }
        Some([a.position, b.position])
    }
}

/// The Cohen-Sutherland outcode of a position: one bit for the near plane and one for each side of
/// the picture that it lies beyond. A triangle whose vertices have a bit in common is invisible.
pub(crate) fn outcode([x, y, z, w]: [f32; 4]) -> u8 {
    let distances = [w - z, w - x, w + x, w - y, w + y];
    distances.iter().fold(0, |bits, &distance| bits << 1 | u8::from(distance < 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUARD_BAND: GuardBand = GuardBand { x: 10.0, y: 10.0 };

    fn clip(positions: [[f32; 4]; 3]) -> Vec<PolygonVertex> {
        let mut polygon = Polygon::from_triangle(positions);
        GUARD_BAND.clip(&mut polygon);
        polygon.vertices().to_vec()
    }

    #[test]
    fn a_triangle_inside_is_unchanged() {
        let positions = [[0.0, 0.0, 0.1, 1.0], [1.0, 0.0, 0.1, 2.0], [0.0, 5.0, 0.1, 3.0]];
        let vertices = clip(positions);
        assert_eq!(vertices.len(), 3);
        let is_same =
            |(vertex, position): (&PolygonVertex, [f32; 4])| vertex.position == position.map(f64::from);
        assert!(vertices.iter().zip(positions).all(is_same));
    }

    #[test]
    fn the_near_plane_leaves_a_triangle_or_a_quad() {
        let (far, near) = ([0.0, 0.0, 0.1, 1.0], [3.0, 0.0, 0.1, -1.0]);
        for (positions, left) in
            [([far, near, near], 3), ([far, far, near], 4), ([near; 3], 0), ([far; 3], 3)]
        {
            let vertices = clip(positions);
            assert_eq!(vertices.len(), left, "{vertices:?}");
            assert!(vertices.iter().all(|vertex| vertex.position[3] >= vertex.position[2] - 1e-12));
            let sums_to_one =
                |vertex: &PolygonVertex| (vertex.barycentric.iter().sum::<f64>() - 1.0).abs() < 1e-12;
            assert!(vertices.iter().all(sums_to_one));
        }
    }

    #[test]
    fn points_at_infinity_are_clipped_only_at_the_sides() {
        // A triangle from a point in front of the camera to two directions, one of them backward.
        let vertices = clip([[0.0, 0.0, 0.1, 1.0], [0.5, 0.2, 0.0, 1.0], [1.0, 0.0, 0.0, -1.0]]);
        assert!(vertices.len() >= 3);
        assert!(vertices.iter().all(|vertex| vertex.position[3] > 0.0), "{vertices:?}");
        // Directions perpendicular to the view direction.
        let vertices = clip([[0.0, 0.0, 0.1, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]);
        assert!(vertices.iter().all(|vertex| vertex.position[3] > 0.0), "{vertices:?}");
        assert!(clip([[0.0; 4]; 3]).iter().all(|vertex| vertex.position == [0.0; 4]));
    }

    #[test]
    fn a_shared_edge_is_clipped_at_the_same_point() {
        let (a, b) = ([0.3, -0.7, 0.1, 1.3], [0.9, 0.2, 0.1, -0.4]);
        let (c, d) = ([-2.0, 0.1, 0.1, 0.7], [3.0, 2.0, 0.1, 1.9]);
        let at_near = |vertices: Vec<PolygonVertex>| -> Vec<[f64; 4]> {
            let positions = vertices.iter().map(|vertex| vertex.position);
            positions.filter(|[_, _, z, w]| (w - z).abs() < 1e-9).collect()
        };
        let (one, other) = (at_near(clip([a, b, c])), at_near(clip([b, a, d])));
        assert!(one.iter().any(|position| other.contains(position)), "{one:?} {other:?}");
    }

    #[test]
    fn lines_are_clipped_at_the_near_plane() {
        let (far, near) = ([0.0, 0.0, 0.1, 1.0], [0.0, 0.0, 0.1, -1.0]);
        let [_, end] = GUARD_BAND.clip_line([far, near]).unwrap();
        assert!((end[3] - 0.1).abs() < 1e-6);
        assert_eq!(GUARD_BAND.clip_line([near, near]), None);
    }
}
