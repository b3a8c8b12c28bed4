//! From triangles to edges: sides sorted by their two places, so that those of one edge lie together.

use crate::{Error, Facing, Side};

use super::groups::Groups;
use super::table::{BorderEdge, Edges, Knot, SharedEdge, Use};

/// A shadow volume has two vertices for each place, and numbers them with 32 bits.
const MOST_PLACES: usize = 1 << 31;
const MOST_TRIANGLES: usize = u32::MAX as usize;

/// A side of a triangle: its lower and its higher place, the triangle, and whether it goes from low to high.
type EdgeSide = (u32, u32, u32, bool);

impl Edges {
    /// `first` names for each place the one that stands for it.
    pub(super) fn build(triangles: &[[u32; 3]], first: &[u32]) -> Result<Self, Error> {
        check_counts(first.len(), triangles.len())?;
        let corners = welded_corners(triangles, first)?;
        let mut sound = Facing::new(corners.len());
        let mut sides: Vec<EdgeSide> = Vec::with_capacity(3 * corners.len());
        let mut degenerate = 0;
        for (triangle, &[a, b, c]) in corners.iter().enumerate() {
            if a == b || b == c || c == a {
                degenerate += 1;
                continue;
            }
            sound.set(triangle, Side::Front);
            sides.extend(
                [(a, b), (b, c), (c, a)]
                    .map(|(from, to)| (from.min(to), from.max(to), triangle as u32, from < to)),
            );
        }
        sides.sort_unstable();
        let welded = welded_places(triangles, first);
        let mut edges = Self {
            places: first.len(),
            welded,
            corners,
            sound,
            degenerate,
            shared: Vec::with_capacity(sides.len() / 2),
            groups: Groups::default(),
            border: Vec::new(),
            knots: Vec::new(),
            uses: Vec::new(),
        };
        for sides in sides.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            edges.push(sides);
        }
        edges.shared.sort_unstable_by_key(|edge| (edge.left.min(edge.right), edge.left.max(edge.right)));
        edges.groups = Groups::new(&edges.shared);
        edges.border.sort_unstable_by_key(|edge| (edge.triangle, edge.from));
        Ok(edges)
    }

    /// Takes up all sides of one edge.
    fn push(&mut self, sides: &[EdgeSide]) {
        match *sides {
            [(low, high, triangle, up)] => {
                let (from, to) = if up { (low, high) } else { (high, low) };
                self.border.push(BorderEdge { from, to, triangle });
            }
            [(from, to, left, true), (_, _, right, false)]
            | [(from, to, right, false), (_, _, left, true)] => {
                self.shared.push(SharedEdge { from, to, left, right });
            }
            _ => {
                let (from, to, ..) = sides[0];
                self.knots.push(Knot { from, to, first: self.uses.len(), len: sides.len() });
                let used = |&(.., triangle, up): &EdgeSide| Use { triangle, sense: if up { 1 } else { -1 } };
                self.uses.extend(sides.iter().map(used));
            }
        }
    }
}

fn check_counts(places: usize, triangles: usize) -> Result<(), Error> {
    if places > MOST_PLACES {
        return Err(Error::TooManyVertices { limit: MOST_PLACES, found: places });
    }
    if triangles > MOST_TRIANGLES {
        return Err(Error::TooManyTriangles { limit: MOST_TRIANGLES, found: triangles });
    }
    Ok(())
}

fn welded_corners(triangles: &[[u32; 3]], first: &[u32]) -> Result<Vec<[u32; 3]>, Error> {
    let corner = |triangle: usize, vertex: u32| {
        let place = first.get(vertex as usize).copied();
        place.ok_or(Error::TriangleOutOfRange { triangle, vertex, len: first.len() })
    };
    let given = triangles.iter().enumerate();
    given.map(|(i, &[a, b, c])| Ok([corner(i, a)?, corner(i, b)?, corner(i, c)?])).collect()
}

/// How many of the places that triangles name are not their own.
fn welded_places(triangles: &[[u32; 3]], first: &[u32]) -> usize {
    let mut named = vec![false; first.len()];
    for &place in triangles.as_flattened() {
        named[place as usize] = true;
    }
    (0_u32..).zip(first).zip(named).filter(|&((place, &first), named)| named && place != first).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_places_than_a_volume_can_number_are_refused() {
        assert_eq!(check_counts(MOST_PLACES, 0), Ok(()));
        let limit = MOST_PLACES;
        let expected = Error::TooManyVertices { limit, found: limit + 1 };
        assert_eq!(check_counts(limit + 1, 0), Err(expected));
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn more_triangles_than_can_be_numbered_are_refused() {
        assert_eq!(check_counts(0, MOST_TRIANGLES), Ok(()));
        let limit = MOST_TRIANGLES;
        let expected = Error::TooManyTriangles { limit, found: limit + 1 };
        assert_eq!(check_counts(0, limit + 1), Err(expected));
    }
}
