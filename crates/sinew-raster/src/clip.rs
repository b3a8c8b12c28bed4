//! Triangles and lines, cut at the near plane and far outside the picture.
//!
//! A cut always runs from the end that stays to the one that goes, so two triangles with a common edge get the same new
//! corner, to the bit. Nothing is cut at a far plane: there is none.

/// A corner while it is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Corner {
    /// In clip space.
    pub(crate) place: [f64; 4],
    /// How much it has of each corner of the whole triangle.
    pub(crate) shares: [f64; 3],
}

impl Corner {
    fn towards(&self, other: &Self, part: f64) -> Self {
        let mix = |a: f64, b: f64| a + (b - a) * part;
        let [x, y, z, w] = std::array::from_fn(|i| mix(self.place[i], other.place[i]));
        let shares = std::array::from_fn(|i| mix(self.shares[i], other.shares[i]));
        Self { place: [x, y, z, w], shares }
    }
}

/// The most corners of a triangle that was cut at every plane.
const MOST: usize = 3 + PLANES;
const PLANES: usize = 5;

/// What is left of a triangle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Polygon {
    corners: [Corner; MOST],
    len: usize,
}

impl Polygon {
    pub(crate) fn of(places: [[f32; 4]; 3]) -> Self {
        let mut polygon = Self::default();
        for (index, place) in places.into_iter().enumerate() {
            let mut shares = [0.0; 3];
            shares[index] = 1.0;
            polygon.push(Corner { place: place.map(f64::from), shares });
        }
        polygon
    }

    pub(crate) fn corners(&self) -> &[Corner] {
        &self.corners[..self.len]
    }

    fn push(&mut self, corner: Corner) {
        // Rounding could give a polygon one corner more than there can be; it would be no larger.
        if self.len < MOST {
            self.corners[self.len] = corner;
            self.len += 1;
        }
    }
}

/// How far outside the picture things may be, beside the near plane: in widths and heights of half the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Guard {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Guard {
    /// How far a place is inside a plane; below zero outside.
    fn inside(&self, plane: usize, [x, y, z, w]: [f64; 4]) -> f64 {
        match plane {
            0 => w - z,
            1 => self.x * w - x,
            2 => self.x * w + x,
            3 => self.y * w - y,
            _ => self.y * w + y,
        }
    }

    /// Whether nothing is to be cut off at a place.
    pub(crate) fn holds(&self, place: [f64; 4]) -> bool {
        (0..PLANES).all(|plane| self.inside(plane, place) >= 0.0)
    }

    /// Cuts a triangle; nothing may be left.
    pub(crate) fn cut(&self, polygon: &mut Polygon) {
        for plane in 0..PLANES {
            let inside = |corner: &Corner| self.inside(plane, corner.place);
            if polygon.corners().iter().all(|corner| inside(corner) >= 0.0) {
                continue;
            }
            let whole = *polygon;
            polygon.len = 0;
            let corners = whole.corners();
            for (index, a) in corners.iter().enumerate() {
                let b = &corners[(index + 1) % corners.len()];
                let (of_a, of_b) = (inside(a), inside(b));
                if of_a >= 0.0 {
                    polygon.push(*a);
                }
                if of_a >= 0.0 && of_b < 0.0 {
                    polygon.push(a.towards(b, of_a / (of_a - of_b)));
                } else if of_a < 0.0 && of_b >= 0.0 {
                    polygon.push(b.towards(a, of_b / (of_b - of_a)));
                }
            }
        }
    }

    /// What is left of a line.
    pub(crate) fn cut_line(&self, ends: [[f32; 4]; 2]) -> Option<[[f64; 4]; 2]> {
        let corner = |place: [f32; 4]| Corner { place: place.map(f64::from), shares: [0.0; 3] };
        let [mut a, mut b] = ends.map(corner);
        for plane in 0..PLANES {
            let (of_a, of_b) = (self.inside(plane, a.place), self.inside(plane, b.place));
            match (of_a >= 0.0, of_b >= 0.0) {
                (true, true) => {}
                (true, false) => b = a.towards(&b, of_a / (of_a - of_b)),
                (false, true) => a = b.towards(&a, of_b / (of_b - of_a)),
                (false, false) => return None,
            }
        }
        Some([a.place, b.place])
    }
}

/// Which sides of the picture, or the near plane, a place is beyond: a bit for each. A triangle whose corners have one in
/// common cannot be seen.
pub(crate) fn beyond([x, y, z, w]: [f32; 4]) -> u8 {
    let distances = [w - z, w - x, w + x, w - y, w + y];
    distances.iter().fold(0, |bits, &distance| bits << 1 | u8::from(distance < 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUARD: Guard = Guard { x: 10.0, y: 10.0 };

    fn cut(places: [[f32; 4]; 3]) -> Vec<Corner> {
        let mut polygon = Polygon::of(places);
        GUARD.cut(&mut polygon);
        polygon.corners().to_vec()
    }

    #[test]
    fn what_is_inside_stays_as_it_is() {
        let places = [[0.0, 0.0, 0.1, 1.0], [1.0, 0.0, 0.1, 2.0], [0.0, 5.0, 0.1, 3.0]];
        let corners = cut(places);
        assert_eq!(corners.len(), 3);
        assert!(corners.iter().zip(places).all(|(corner, place)| corner.place == place.map(f64::from)));
    }

    #[test]
    fn the_near_plane_leaves_a_triangle_or_a_quadrangle() {
        let (far, near) = ([0.0, 0.0, 0.1, 1.0], [3.0, 0.0, 0.1, -1.0]);
        for (places, left) in [([far, near, near], 3), ([far, far, near], 4), ([near; 3], 0), ([far; 3], 3)] {
            let corners = cut(places);
            assert_eq!(corners.len(), left, "{corners:?}");
            assert!(corners.iter().all(|corner| corner.place[3] >= corner.place[2] - 1e-12));
            let whole = |corner: &Corner| (corner.shares.iter().sum::<f64>() - 1.0).abs() < 1e-12;
            assert!(corners.iter().all(whole));
        }
    }

    #[test]
    fn what_is_infinitely_far_is_cut_only_at_the_sides() {
        // A triangle from a point before the eye to two directions, one of them behind it.
        let corners = cut([[0.0, 0.0, 0.1, 1.0], [0.5, 0.2, 0.0, 1.0], [1.0, 0.0, 0.0, -1.0]]);
        assert!(corners.len() >= 3);
        assert!(corners.iter().all(|corner| corner.place[3] > 0.0), "{corners:?}");
        // At right angles to the line of sight.
        let corners = cut([[0.0, 0.0, 0.1, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]);
        assert!(corners.iter().all(|corner| corner.place[3] > 0.0), "{corners:?}");
        assert!(cut([[0.0; 4]; 3]).iter().all(|corner| corner.place == [0.0; 4]));
    }

    #[test]
    fn a_common_edge_is_cut_in_one_place() {
        let (a, b) = ([0.3, -0.7, 0.1, 1.3], [0.9, 0.2, 0.1, -0.4]);
        let (c, d) = ([-2.0, 0.1, 0.1, 0.7], [3.0, 2.0, 0.1, 1.9]);
        let at_near = |corners: Vec<Corner>| -> Vec<[f64; 4]> {
            corners.iter().map(|corner| corner.place).filter(|[_, _, z, w]| (w - z).abs() < 1e-9).collect()
        };
        let (one, other) = (at_near(cut([a, b, c])), at_near(cut([b, a, d])));
        assert!(one.iter().any(|place| other.contains(place)), "{one:?} {other:?}");
    }

    #[test]
    fn lines_are_cut_too() {
        let (far, near) = ([0.0, 0.0, 0.1, 1.0], [0.0, 0.0, 0.1, -1.0]);
        let [_, end] = GUARD.cut_line([far, near]).unwrap();
        assert!((end[3] - 0.1).abs() < 1e-6);
        assert_eq!(GUARD.cut_line([near, near]), None);
    }
}
