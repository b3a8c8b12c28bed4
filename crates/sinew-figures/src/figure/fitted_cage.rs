//! The cage fitted to the surface, and a finer cage from which any tessellation takes its points.

use std::collections::BTreeMap;

use super::cage::{Cage, Quad, directed_edges, edge_key};
use super::sdf::Sdf;
use crate::math::{Vec3, add, add_scaled, dot, length, lerp, normalize, scale, sub};

/// The cage with its vertices on the surface of the field, and a finer version of it.
#[derive(Debug)]
pub(super) struct FittedCage<'a> {
    pub(super) cage: Cage,
    /// The cage with every quadrilateral split into four, [`SPLITS`] times.
    fine: Cage,
    /// The surface normal at each vertex of `fine`.
    normals: Vec<Vec3>,
    /// For each quadrilateral of the cage, the field restricted to its neighborhood.
    pub(super) sdfs: Vec<Sdf>,
    pub(super) sdf: &'a Sdf,
}

/// The maximum distance of the fitted vertices from the surface, in meters.
const TOLERANCE: f64 = 1e-4;

/// How often the fine cage is split.
const SPLITS: usize = 2;

impl<'a> FittedCage<'a> {
    pub(super) fn new(mut cage: Cage, sdf: &'a Sdf) -> Self {
        fit(&mut cage, 12, |_| sdf);
        let sdfs: Vec<Sdf> = cage.quads.iter().map(|quad| local_sdf(&cage, quad, sdf)).collect();
        let mut fine = cage.clone();
        for level in 1..=SPLITS {
            fine = split_quads(&fine);
            fit(&mut fine, 6, |quad| &sdfs[quad >> (2 * level)]);
        }
        // The cage's own vertices come first in the fine cage and moved with it.
        let len = cage.positions.len();
        cage.positions.copy_from_slice(&fine.positions[..len]);
        let normals =
            fine.positions.iter().map(|&position| normalize(sdf.sample(position).gradient)).collect();
        Self { cage, fine, normals, sdfs, sdf }
    }

    /// The surface point at (u, v) in a quadrilateral of the cage: u runs from corner 0 to corner
    /// 1, v from corner 0 to corner 3.
    ///
    /// Points of the fine cage are projected along its interpolated normals, which vary slowly.
    /// Where the surface is folded, as between the fingers, the gradient would separate neighboring
    /// points.
    pub(super) fn surface_point(&self, index: usize, mut u: f64, mut v: f64) -> Vec3 {
        let mut quad = index;
        for _ in 0..SPLITS {
            let (right, below) = (u > 0.5, v > 0.5);
            quad = 4 * quad + [[0, 1], [3, 2]][usize::from(below)][usize::from(right)];
            u = 2.0 * u - if right { 1.0 } else { 0.0 };
            v = 2.0 * v - if below { 1.0 } else { 0.0 };
        }
        let interpolate = |values: &[Vec3]| {
            let [a, b, c, d] = self.fine.quads[quad].corners.map(|corner| values[corner]);
            lerp(lerp(a, b, u), lerp(d, c, u), v)
        };
        let (start, direction) = (interpolate(&self.fine.positions), normalize(interpolate(&self.normals)));
        self.sdfs[index].project_along(start, direction)
    }
}

/// The field restricted to the neighborhood of a quadrilateral.
fn local_sdf(cage: &Cage, quad: &Quad, sdf: &Sdf) -> Sdf {
    let [a, b, c, d] = quad.corners.map(|corner| cage.positions[corner]);
    let center = lerp(lerp(a, b, 0.5), lerp(d, c, 0.5), 0.5);
    let radius = [a, b, c, d].iter().fold(0.0, |radius, &corner| {
        let distance = length(sub(corner, center));
        if distance > radius { distance } else { radius }
    });
    sdf.local(center, 1.3 * radius)
}

/// Projects vertices onto the surface and spreads them evenly by relaxation. `sdf` returns the
/// field near a quadrilateral.
fn fit<'a>(cage: &mut Cage, rounds: usize, sdf: impl Fn(usize) -> &'a Sdf) {
    let mut neighbors = vec![Vec::new(); cage.positions.len()];
    let mut owner = vec![0; cage.positions.len()];
    for (index, quad) in cage.quads.iter().enumerate() {
        for [a, b] in directed_edges(quad) {
            // Each edge occurs once in each direction.
            neighbors[a].push(b);
            owner[a] = index;
        }
    }
    for (position, &owner) in cage.positions.iter_mut().zip(&owner) {
        *position = sdf(owner).project(*position, 30, TOLERANCE);
    }
    for _ in 0..rounds {
        let old = cage.positions.clone();
        for (vertex, position) in cage.positions.iter_mut().enumerate() {
            if cage.pinned[vertex] {
                continue;
            }
            let sdf = sdf(owner[vertex]);
            let normal = normalize(sdf.sample(*position).gradient);
            let sum = neighbors[vertex].iter().fold([0.0; 3], |sum, &other| add(sum, old[other]));
            let offset = sub(scale(sum, 1.0 / neighbors[vertex].len() as f64), *position);
            let tangential = add_scaled(offset, normal, -dot(offset, normal));
            *position = sdf.project(add_scaled(*position, tangential, 0.4), 8, TOLERANCE);
        }
    }
}

/// Splits every quadrilateral into four, which follow each other. Existing vertices keep their
/// indices.
fn split_quads(cage: &Cage) -> Cage {
    let mut fine = Cage { quads: Vec::new(), ..cage.clone() };
    let mut midpoints = BTreeMap::new();
    for quad in &cage.quads {
        let [a, b, c, d] = quad.corners;
        let [ab, bc, cd, da] = directed_edges(quad).map(|[from, to]| {
            let midpoint = lerp(cage.positions[from], cage.positions[to], 0.5);
            *midpoints.entry(edge_key([from, to])).or_insert_with(|| fine.add_vertex(midpoint))
        });
        let center = fine.add_vertex(lerp(fine.positions[ab], fine.positions[cd], 0.5));
        for corners in [[a, ab, center, da], [ab, b, bc, center], [center, bc, c, cd], [da, center, cd, d]] {
            fine.quads.push(Quad { corners, ..*quad });
        }
    }
    fine
}
