//! Tessellation of the cage to the requested density, on the surface of the field.

use std::collections::BTreeMap;

use super::cage::{Quad, directed_edges, edge_key};
use super::fitted_cage::FittedCage;
use super::sdf::Sdf;
use super::subdivision::{Subdivision, split_at_seams};
use crate::math::{Vec3, add, cross, dot, lerp, min, normalize, scale, sub};

/// A triangle mesh of points, which are welded, and vertices, which are split at texture seams.
#[derive(Debug, Default)]
pub(super) struct Tessellation {
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    /// For each vertex: its point, an index into `positions` and `normals`, and its texture
    /// coordinates.
    pub(super) vertices: Vec<(usize, [f64; 2])>,
    /// Three vertex indices per triangle.
    pub(super) triangles: Vec<[u32; 3]>,
}

/// Tessellates a fitted cage into at most `target` vertices, if the coarsest tessellation has not
/// more.
pub(super) fn tessellate(fitted: &FittedCage<'_>, target: usize) -> Tessellation {
    let cage = &fitted.cage;
    let subdivision = Subdivision::new(cage);
    let density = subdivision.density(cage, target);
    let mut seams = split_at_seams(cage);
    let mut mesh = Tessellation { vertices: seams.vertices.clone(), ..Tessellation::default() };
    for &position in &cage.positions {
        mesh.push_point(fitted.sdf, fitted.sdf.project(position, 12, 1e-7));
    }
    let mut edge_points = BTreeMap::new();
    for (index, quad) in cage.quads.iter().enumerate() {
        for (side, edge) in directed_edges(quad).into_iter().enumerate().filter(|(_, [from, to])| from < to) {
            edge_points.insert(edge, mesh.positions.len());
            let segments = subdivision.segments(edge, density);
            for step in 1..segments {
                let t = step as f64 / segments as f64;
                let (u, v) = [(t, 0.0), (1.0, t), (1.0 - t, 1.0), (0.0, 1.0 - t)][side];
                mesh.push_point(&fitted.sdfs[index], fitted.surface_point(index, u, v));
            }
        }
    }
    for (&[a, b], first) in &mut seams.edges {
        *first = mesh.vertices.len();
        let ((from, from_uv), (to, to_uv)) = (seams.vertices[a], seams.vertices[b]);
        let segments = subdivision.segments([from, to], density);
        for step in 1..segments {
            // Both copies of an edge at a seam count its inner points from the same end.
            let offset = if from < to { step } else { segments - step };
            let uv = lerp_uv(from_uv, to_uv, step as f64 / segments as f64);
            mesh.vertices.push((edge_points[&edge_key([from, to])] + offset - 1, uv));
        }
    }
    for (index, quad) in cage.quads.iter().enumerate() {
        let [across, down, ..] = directed_edges(quad).map(|edge| subdivision.segments(edge, density));
        let corner = &seams.quads[index];
        mesh.add_patch(&Patch { fitted, index, quad, corner, edges: &seams.edges, across, down });
    }
    mesh.unfold(fitted.sdf);
    mesh
}

fn lerp_uv(a: [f64; 2], b: [f64; 2], factor: f64) -> [f64; 2] {
    [a[0] + (b[0] - a[0]) * factor, a[1] + (b[1] - a[1]) * factor]
}

/// A quadrilateral of the cage and its subdivision.
struct Patch<'a> {
    fitted: &'a FittedCage<'a>,
    index: usize,
    quad: &'a Quad,
    corner: &'a [usize; 4],
    edges: &'a BTreeMap<[usize; 2], usize>,
    across: usize,
    down: usize,
}

impl Patch<'_> {
    /// The inner vertex of an edge that is `step` segments away from `from`.
    fn edge_vertex(&self, from: usize, to: usize, step: usize, segments: usize) -> usize {
        let first = self.edges[&edge_key([from, to])];
        if from < to { first + step - 1 } else { first + segments - step - 1 }
    }

    /// The vertex at a column and row of the patch; `inner` is the first inner vertex.
    fn vertex(&self, column: usize, row: usize, inner: usize) -> usize {
        let (across, down) = (self.across, self.down);
        let [a, b, c, d] = *self.corner;
        match (column, row) {
            (0, 0) => a,
            (column, 0) if column == across => b,
            (column, 0) => self.edge_vertex(a, b, column, across),
            (0, row) if row == down => d,
            (column, row) if column == across && row == down => c,
            (column, row) if row == down => self.edge_vertex(d, c, column, across),
            (0, row) => self.edge_vertex(a, d, row, down),
            (column, row) if column == across => self.edge_vertex(b, c, row, down),
            (column, row) => inner + (row - 1) * (across - 1) + column - 1,
        }
    }
}

impl Tessellation {
    fn push_point(&mut self, sdf: &Sdf, position: Vec3) {
        self.normals.push(normalize(sdf.sample(position).gradient));
        self.positions.push(position);
    }

    fn add_patch(&mut self, patch: &Patch<'_>) {
        let [a, b, c, d] = patch.quad.uvs;
        let (across, down) = (patch.across, patch.down);
        let inner = self.vertices.len();
        for row in 1..down {
            let v = row as f64 / down as f64;
            for column in 1..across {
                let u = column as f64 / across as f64;
                self.vertices.push((self.positions.len(), lerp_uv(lerp_uv(a, b, u), lerp_uv(d, c, u), v)));
                self.push_point(
                    &patch.fitted.sdfs[patch.index],
                    patch.fitted.surface_point(patch.index, u, v),
                );
            }
        }
        for row in 0..down {
            for column in 0..across {
                let corner = |i: usize, j: usize| patch.vertex(column + i, row + j, inner);
                self.push_quad([corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]);
            }
        }
    }

    /// Smooths the vertices of folded triangles, which face away from their normals.
    fn unfold(&mut self, sdf: &Sdf) {
        for _ in 0..12 {
            let mut folded = BTreeMap::new();
            for triangle in &self.triangles {
                if self.normal_agreement(*triangle) < 0.05 {
                    let points = triangle.map(|vertex| self.vertices[vertex as usize].0);
                    folded.extend(points.map(|point| (point, ([0.0; 3], 0.0))));
                }
            }
            if folded.is_empty() {
                break;
            }
            for triangle in &self.triangles {
                let [a, b, c] = triangle.map(|vertex| self.vertices[vertex as usize].0);
                for (point, others) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
                    if let Some((sum, count)) = folded.get_mut(&point) {
                        *sum = others.iter().fold(*sum, |sum, &other| add(sum, self.positions[other]));
                        *count += 2.0;
                    }
                }
            }
            for (point, (sum, count)) in folded {
                let smoothed = lerp(self.positions[point], scale(sum, 1.0 / count), 0.7);
                self.positions[point] = sdf.project(smoothed, 12, 1e-7);
                self.normals[point] = normalize(sdf.sample(self.positions[point]).gradient);
            }
        }
    }

    /// Adds a quadrilateral as two triangles, split along the diagonal that agrees better with the
    /// normals.
    fn push_quad(&mut self, quad: [usize; 4]) {
        let [i, j, k, l] = quad.map(|vertex| vertex as u32);
        let (first, second) = ([[i, j, k], [i, k, l]], [[j, k, l], [j, l, i]]);
        let agreement =
            |[one, other]: [[u32; 3]; 2]| min(self.normal_agreement(one), self.normal_agreement(other));
        let better = if agreement(first) >= agreement(second) { first } else { second };
        self.triangles.extend(better);
    }

    /// The smallest cosine between a triangle's face normal and its vertex normals: 1 at best,
    /// negative when the triangle is flipped.
    fn normal_agreement(&self, triangle: [u32; 3]) -> f64 {
        let points = triangle.map(|vertex| self.vertices[vertex as usize].0);
        let [a, b, c] = points.map(|point| self.positions[point]);
        let face_normal = normalize(cross(sub(b, a), sub(c, a)));
        let [a, b, c] = points.map(|point| dot(face_normal, self.normals[point]));
        min(a, min(b, c))
    }
}
