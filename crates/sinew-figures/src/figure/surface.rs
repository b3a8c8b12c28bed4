//! The cage divided as finely as asked, on the field's surface.

use std::collections::BTreeMap;

use super::cage::{Quad, edges, undirected};
use super::division::{Division, corners};
use super::field::Field;
use super::lattice::Lattice;
use crate::portable::{Vector, add, cross, dot, least, mix, scale, sub, unit};

/// The surface as vertices that are one where they touch, and corners that also differ in texture
/// coordinates.
#[derive(Debug, Default)]
pub(super) struct Surface {
    pub(super) positions: Vec<Vector>,
    pub(super) normals: Vec<Vector>,
    /// Of each vertex of the shape: its position here, and its texture coordinates.
    pub(super) vertices: Vec<(usize, [f64; 2])>,
    /// Of vertices of the shape.
    pub(super) triangles: Vec<[u32; 3]>,
}

/// Divides a cage on its surface into about `target` vertices.
pub(super) fn divide(lattice: &Lattice<'_>, target: usize) -> Surface {
    let cage = &lattice.cage;
    let division = Division::new(cage);
    let density = division.density(cage, target);
    let mut corners = corners(cage);
    let mut surface = Surface { vertices: corners.vertices.clone(), ..Surface::default() };
    for &position in &cage.positions {
        surface.push(lattice.field, lattice.field.project(position, 12, 1e-7));
    }
    let mut welded = BTreeMap::new();
    for (index, quad) in cage.quads.iter().enumerate() {
        for (side, edge) in edges(quad).into_iter().enumerate().filter(|(_, [from, to])| from < to) {
            welded.insert(edge, surface.positions.len());
            let pieces = division.pieces(edge, density);
            for piece in 1..pieces {
                let part = piece as f64 / pieces as f64;
                let (u, v) = [(part, 0.0), (1.0, part), (1.0 - part, 1.0), (0.0, 1.0 - part)][side];
                surface.push(&lattice.fields[index], lattice.place(index, u, v));
            }
        }
    }
    for (&[a, b], first) in &mut corners.edges {
        *first = surface.vertices.len();
        let ((from, from_texture), (to, to_texture)) = (corners.vertices[a], corners.vertices[b]);
        let pieces = division.pieces([from, to], density);
        for piece in 1..pieces {
            // Both copies of an edge at a seam count its inner vertices from the same end.
            let place = if from < to { piece } else { pieces - piece };
            let texture = between(from_texture, to_texture, piece as f64 / pieces as f64);
            surface.vertices.push((welded[&undirected([from, to])] + place - 1, texture));
        }
    }
    for (index, quad) in cage.quads.iter().enumerate() {
        let [across, down, ..] = edges(quad).map(|edge| division.pieces(edge, density));
        let corner = &corners.quads[index];
        surface.fill(&Patch { lattice, index, quad, corner, edges: &corners.edges, across, down });
    }
    surface.mend(lattice.field);
    surface
}

fn between(a: [f64; 2], b: [f64; 2], factor: f64) -> [f64; 2] {
    [a[0] + (b[0] - a[0]) * factor, a[1] + (b[1] - a[1]) * factor]
}

/// One quadrilateral of the cage, to be filled.
struct Patch<'a> {
    lattice: &'a Lattice<'a>,
    index: usize,
    quad: &'a Quad,
    corner: &'a [usize; 4],
    edges: &'a BTreeMap<[usize; 2], usize>,
    across: usize,
    down: usize,
}

impl Patch<'_> {
    /// The inner vertex of an edge, `piece` pieces from `from`.
    fn on_edge(&self, from: usize, to: usize, piece: usize, pieces: usize) -> usize {
        let first = self.edges[&undirected([from, to])];
        if from < to { first + piece - 1 } else { first + pieces - piece - 1 }
    }

    /// The vertex of the shape in a column and row of the patch; inner ones follow `inner`.
    fn vertex(&self, column: usize, row: usize, inner: usize) -> usize {
        let (across, down) = (self.across, self.down);
        let [a, b, c, d] = *self.corner;
        match (column, row) {
            (0, 0) => a,
            (column, 0) if column == across => b,
            (column, 0) => self.on_edge(a, b, column, across),
            (0, row) if row == down => d,
            (column, row) if column == across && row == down => c,
            (column, row) if row == down => self.on_edge(d, c, column, across),
            (0, row) => self.on_edge(a, d, row, down),
            (column, row) if column == across => self.on_edge(b, c, row, down),
            (column, row) => inner + (row - 1) * (across - 1) + column - 1,
        }
    }
}

impl Surface {
    fn push(&mut self, field: &Field, position: Vector) {
        self.normals.push(unit(field.sample(position).gradient));
        self.positions.push(position);
    }

    fn fill(&mut self, patch: &Patch<'_>) {
        let [a, b, c, d] = patch.quad.texture;
        let (across, down) = (patch.across, patch.down);
        let inner = self.vertices.len();
        for row in 1..down {
            let v = row as f64 / down as f64;
            for column in 1..across {
                let u = column as f64 / across as f64;
                self.vertices.push((self.positions.len(), between(between(a, b, u), between(d, c, u), v)));
                self.push(&patch.lattice.fields[patch.index], patch.lattice.place(patch.index, u, v));
            }
        }
        for row in 0..down {
            for column in 0..across {
                let corner = |i: usize, j: usize| patch.vertex(column + i, row + j, inner);
                self.split([corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]);
            }
        }
    }

    /// Smooths what the division folded: vertices of triangles that are turned against their normals.
    fn mend(&mut self, field: &Field) {
        for _ in 0..12 {
            let mut folded = BTreeMap::new();
            for triangle in &self.triangles {
                if self.agreement(*triangle) < 0.05 {
                    let places = triangle.map(|vertex| self.vertices[vertex as usize].0);
                    folded.extend(places.map(|place| (place, ([0.0; 3], 0.0))));
                }
            }
            if folded.is_empty() {
                break;
            }
            for triangle in &self.triangles {
                let [a, b, c] = triangle.map(|vertex| self.vertices[vertex as usize].0);
                for (place, others) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
                    if let Some((sum, count)) = folded.get_mut(&place) {
                        *sum = others.iter().fold(*sum, |sum, &other| add(sum, self.positions[other]));
                        *count += 2.0;
                    }
                }
            }
            for (place, (sum, count)) in folded {
                let smoothed = mix(self.positions[place], scale(sum, 1.0 / count), 0.7);
                self.positions[place] = field.project(smoothed, 12, 1e-7);
                self.normals[place] = unit(field.sample(self.positions[place]).gradient);
            }
        }
    }

    /// Two triangles, along the diagonal with which they agree better with the normals.
    fn split(&mut self, quad: [usize; 4]) {
        let [i, j, k, l] = quad.map(|vertex| vertex as u32);
        let (first, second) = ([[i, j, k], [i, k, l]], [[j, k, l], [j, l, i]]);
        let agreement = |[one, other]: [[u32; 3]; 2]| least(self.agreement(one), self.agreement(other));
        let better = if agreement(first) >= agreement(second) { first } else { second };
        self.triangles.extend(better);
    }

    /// How well a triangle's front agrees with the normals of its corners: 1 at best, below 0 when it is
    /// turned over.
    fn agreement(&self, triangle: [u32; 3]) -> f64 {
        let places = triangle.map(|vertex| self.vertices[vertex as usize].0);
        let [a, b, c] = places.map(|place| self.positions[place]);
        let front = unit(cross(sub(b, a), sub(c, a)));
        let [a, b, c] = places.map(|place| dot(front, self.normals[place]));
        least(a, least(b, c))
    }
}
