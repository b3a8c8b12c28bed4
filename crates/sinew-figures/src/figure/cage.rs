//! A coarse mesh of quadrilaterals in the figure's topology: tubes that grow out of one another, left half
//! first.

use super::chart::Chart;
use crate::portable::{Vector, add, scale, sine_cosine};

/// Four corners, counter-clockwise from the front, with their texture coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quad {
    pub(super) corners: [usize; 4],
    pub(super) texture: [[f64; 2]; 4],
}

#[derive(Clone, Debug, Default)]
pub(super) struct Cage {
    pub(super) positions: Vec<Vector>,
    /// Of each vertex: whether it stays where it is when the others spread.
    pub(super) pinned: Vec<bool>,
    pub(super) quads: Vec<Quad>,
}

/// Where a tube has vertices: on an ellipse about a centre, at angles of the tube's own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    pub(super) centre: Vector,
    /// Half an axis of the ellipse, where angles are zero.
    pub(super) first: Vector,
    /// The other one, a quarter turn further.
    pub(super) second: Vector,
}

impl Ring {
    /// The place at an angle in degrees.
    pub(super) fn at(&self, degrees: f64) -> Vector {
        let (sine, cosine) = sine_cosine(degrees / 360.0);
        add(self.centre, add(scale(self.first, cosine), scale(self.second, sine)))
    }
}

/// A tube to be grown: it starts at vertices that are there already.
pub(super) struct Tube<'a> {
    /// Counter-clockwise about the direction of growth.
    pub(super) start: &'a [usize],
    /// Of each vertex of a ring, in degrees.
    pub(super) angles: &'a [f64],
    pub(super) rings: &'a [Ring],
    pub(super) ends: Ends,
    pub(super) chart: Chart,
    /// Row and column of quadrilaterals to be left out.
    pub(super) holes: &'a [[usize; 2]],
}

/// Whether a tube's ring closes or begins and ends on the middle plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    Closed,
    OnMiddle,
}

impl Cage {
    pub(super) fn vertex(&mut self, position: Vector) -> usize {
        self.positions.push(position);
        self.pinned.push(false);
        self.positions.len() - 1
    }

    /// Grows a tube and gives its rings, the one it started at first.
    pub(super) fn grow(&mut self, tube: &Tube<'_>) -> Vec<Vec<usize>> {
        let mut rings = vec![tube.start.to_vec()];
        for ring in tube.rings {
            rings.push(self.ring(ring, tube));
        }
        self.wall(&rings, tube);
        rings
    }

    /// The quadrilaterals between rings that are there already.
    pub(super) fn wall(&mut self, rings: &[Vec<usize>], tube: &Tube<'_>) {
        let len = tube.start.len();
        let columns = if tube.ends == Ends::Closed { len } else { len - 1 };
        let rows = rings.len() - 1;
        for row in 0..rows {
            for column in (0..columns).filter(|&column| !tube.holes.contains(&[row, column])) {
                let next = (column + 1) % len;
                let [below, above] = [&rings[row], &rings[row + 1]];
                let corners = [below[column], below[next], above[next], above[column]];
                let places = [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]];
                let texture = places.map(|[column, row]| tube.chart.place(column, columns, row, rows));
                self.quads.push(Quad { corners, texture });
            }
        }
    }

    fn ring(&mut self, ring: &Ring, tube: &Tube<'_>) -> Vec<usize> {
        let last = tube.angles.len() - 1;
        let place = |(i, degrees): (usize, &f64)| {
            let [x, y, z] = ring.at(*degrees);
            let on_middle = tube.ends == Ends::OnMiddle && (i == 0 || i == last);
            [if on_middle { 0.0 } else { x }, y, z]
        };
        let positions: Vec<Vector> = tube.angles.iter().enumerate().map(place).collect();
        positions.into_iter().map(|position| self.vertex(position)).collect()
    }

    /// Closes an opening with rows of quadrilaterals between two strings of vertices. `near` runs
    /// counter-clockwise about the outward direction, `far` beside it.
    pub(super) fn cap(&mut self, near: &[usize], far: &[usize], chart: Chart, row: usize, rows: usize) {
        let columns = near.len() - 1;
        for column in 0..columns {
            let corners = [near[column], near[column + 1], far[column + 1], far[column]];
            let places = [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]];
            let texture = places.map(|[column, row]| chart.place(column, columns, row, rows));
            self.quads.push(Quad { corners, texture });
        }
    }

    /// The whole from its left half: vertices on the middle plane are shared, the texture is mirrored too.
    pub(super) fn mirrored(mut self) -> Self {
        let len = self.positions.len();
        let mut mirror: Vec<usize> = (0..len).collect();
        for (vertex, mirrored) in mirror.iter_mut().enumerate() {
            let [x, y, z] = self.positions[vertex];
            if x != 0.0 {
                *mirrored = self.vertex([-x, y, z]);
                self.pinned[*mirrored] = self.pinned[vertex];
            }
        }
        for quad in 0..self.quads.len() {
            let Quad { corners: [a, b, c, d], texture: [ta, tb, tc, td] } = self.quads[quad];
            let corners = [d, c, b, a].map(|corner| mirror[corner]);
            let texture = [td, tc, tb, ta].map(|[u, v]| [1.0 - u, v]);
            self.quads.push(Quad { corners, texture });
        }
        self.without_loose_vertices()
    }

    fn without_loose_vertices(self) -> Self {
        let mut place = vec![usize::MAX; self.positions.len()];
        let (mut positions, mut pinned) = (Vec::new(), Vec::new());
        let mut quads = self.quads;
        for corner in quads.iter_mut().flat_map(|quad| &mut quad.corners) {
            if place[*corner] == usize::MAX {
                place[*corner] = positions.len();
                positions.push(self.positions[*corner]);
                pinned.push(self.pinned[*corner]);
            }
            *corner = place[*corner];
        }
        Self { positions, pinned, quads }
    }
}

/// The directed edges of a quadrilateral.
pub(super) fn edges(quad: &Quad) -> [[usize; 2]; 4] {
    let [a, b, c, d] = quad.corners;
    [[a, b], [b, c], [c, d], [d, a]]
}

/// The same for both directions.
pub(super) fn undirected([a, b]: [usize; 2]) -> [usize; 2] {
    if a < b { [a, b] } else { [b, a] }
}
