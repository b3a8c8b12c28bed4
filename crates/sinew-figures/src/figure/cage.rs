//! The cage: a coarse mesh of quadrilaterals, built from connected tubes for the left half of the
//! body and then mirrored.

use super::uv_charts::Chart;
use crate::math::{Vec3, add, scale, sin_cos_turns};

/// A quadrilateral: vertex indices, counter-clockwise from the front, and texture coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quad {
    pub(super) corners: [usize; 4],
    pub(super) uvs: [[f64; 2]; 4],
}

/// A mesh of quadrilaterals.
#[derive(Clone, Debug, Default)]
pub(super) struct Cage {
    pub(super) positions: Vec<Vec3>,
    /// For each vertex, whether relaxation leaves it in place.
    pub(super) pinned: Vec<bool>,
    pub(super) quads: Vec<Quad>,
}

/// A ring of a tube: an ellipse with vertices at the tube's angles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    pub(super) center: Vec3,
    /// The half axis at 0 degrees.
    pub(super) half_axis_0: Vec3,
    /// The half axis at 90 degrees.
    pub(super) half_axis_90: Vec3,
}

impl Ring {
    /// The point at an angle in degrees.
    pub(super) fn point_at(&self, degrees: f64) -> Vec3 {
        let (sine, cosine) = sin_cos_turns(degrees / 360.0);
        add(self.center, add(scale(self.half_axis_0, cosine), scale(self.half_axis_90, sine)))
    }
}

/// A tube to be added. It starts at a ring of existing vertices.
pub(super) struct Tube<'a> {
    /// The first ring, counter-clockwise about the tube's direction.
    pub(super) start: &'a [usize],
    /// The angle of each vertex of a ring, in degrees.
    pub(super) angles: &'a [f64],
    pub(super) rings: &'a [Ring],
    pub(super) ends: RingEnds,
    pub(super) chart: Chart,
    /// Row and column of quadrilaterals to omit.
    pub(super) holes: &'a [[usize; 2]],
}

/// Whether a tube's rings are closed, or begin and end on the mirror plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RingEnds {
    Closed,
    OnMirrorPlane,
}

impl Cage {
    pub(super) fn add_vertex(&mut self, position: Vec3) -> usize {
        self.positions.push(position);
        self.pinned.push(false);
        self.positions.len() - 1
    }

    /// Adds a tube and returns its rings, including the first.
    pub(super) fn add_tube(&mut self, tube: &Tube<'_>) -> Vec<Vec<usize>> {
        let mut rings = vec![tube.start.to_vec()];
        for ring in tube.rings {
            rings.push(self.add_ring(ring, tube));
        }
        self.add_tube_quads(&rings, tube);
        rings
    }

    /// Adds the quadrilaterals between existing rings of a tube.
    pub(super) fn add_tube_quads(&mut self, rings: &[Vec<usize>], tube: &Tube<'_>) {
        let len = tube.start.len();
        let columns = if tube.ends == RingEnds::Closed { len } else { len - 1 };
        let rows = rings.len() - 1;
        for row in 0..rows {
            for column in (0..columns).filter(|&column| !tube.holes.contains(&[row, column])) {
                let next = (column + 1) % len;
                let [below, above] = [&rings[row], &rings[row + 1]];
                let corners = [below[column], below[next], above[next], above[column]];
                let grid = [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]];
                let uvs = grid.map(|[column, row]| tube.chart.uv_at(column, columns, row, rows));
                self.quads.push(Quad { corners, uvs });
            }
        }
    }

    fn add_ring(&mut self, ring: &Ring, tube: &Tube<'_>) -> Vec<usize> {
        let last = tube.angles.len() - 1;
        let position = |(i, degrees): (usize, &f64)| {
            let [x, y, z] = ring.point_at(*degrees);
            let on_mirror_plane = tube.ends == RingEnds::OnMirrorPlane && (i == 0 || i == last);
            [if on_mirror_plane { 0.0 } else { x }, y, z]
        };
        let positions: Vec<Vec3> = tube.angles.iter().enumerate().map(position).collect();
        positions.into_iter().map(|position| self.add_vertex(position)).collect()
    }

    /// Closes an opening with one row of quadrilaterals between two strips of vertices: `near` runs
    /// counter-clockwise about the outward direction, `far` parallel to it. The row is number `row`
    /// of `rows` in the chart.
    pub(super) fn add_cap(&mut self, near: &[usize], far: &[usize], chart: Chart, row: usize, rows: usize) {
        let columns = near.len() - 1;
        for column in 0..columns {
            let corners = [near[column], near[column + 1], far[column + 1], far[column]];
            let grid = [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]];
            let uvs = grid.map(|[column, row]| chart.uv_at(column, columns, row, rows));
            self.quads.push(Quad { corners, uvs });
        }
    }

    /// Adds the mirror image of the left half. Vertices on the mirror plane are shared; texture
    /// coordinates are mirrored too.
    pub(super) fn with_mirror_image(mut self) -> Self {
        let len = self.positions.len();
        let mut mirror: Vec<usize> = (0..len).collect();
        for (vertex, mirrored) in mirror.iter_mut().enumerate() {
            let [x, y, z] = self.positions[vertex];
            if x != 0.0 {
                *mirrored = self.add_vertex([-x, y, z]);
                self.pinned[*mirrored] = self.pinned[vertex];
            }
        }
        for quad in 0..self.quads.len() {
            let Quad { corners: [a, b, c, d], uvs: [ta, tb, tc, td] } = self.quads[quad];
            let corners = [d, c, b, a].map(|corner| mirror[corner]);
            let uvs = [td, tc, tb, ta].map(|[u, v]| [1.0 - u, v]);
            self.quads.push(Quad { corners, uvs });
        }
        self.without_unused_vertices()
    }

    fn without_unused_vertices(self) -> Self {
        let mut remap = vec![usize::MAX; self.positions.len()];
        let (mut positions, mut pinned) = (Vec::new(), Vec::new());
        let mut quads = self.quads;
        for corner in quads.iter_mut().flat_map(|quad| &mut quad.corners) {
            if remap[*corner] == usize::MAX {
                remap[*corner] = positions.len();
                positions.push(self.positions[*corner]);
                pinned.push(self.pinned[*corner]);
            }
            *corner = remap[*corner];
        }
        Self { positions, pinned, quads }
    }
}

/// The directed edges of a quadrilateral.
pub(super) fn directed_edges(quad: &Quad) -> [[usize; 2]; 4] {
    let [a, b, c, d] = quad.corners;
    [[a, b], [b, c], [c, d], [d, a]]
}

/// A key for an edge that is the same in both directions.
pub(super) fn edge_key([a, b]: [usize; 2]) -> [usize; 2] {
    if a < b { [a, b] } else { [b, a] }
}
