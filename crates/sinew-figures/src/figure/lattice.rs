//! The cage pulled onto the surface, and a finer lattice over it.

use std::collections::BTreeMap;

use super::cage::{Cage, Quad, edges, undirected};
use super::field::Field;
use crate::portable::{Vector, add, along, dot, length, mix, scale, sub, unit};

/// The cage on the field's surface, and the fine lattice over it from which any division takes its places.
#[derive(Debug)]
pub(super) struct Lattice<'a> {
    pub(super) cage: Cage,
    /// Its quadrilaterals halved each way, [`HALVINGS`] times.
    fine: Cage,
    /// Of each vertex of `fine`.
    normals: Vec<Vector>,
    /// The field near each quadrilateral of the cage.
    pub(super) fields: Vec<Field>,
    pub(super) field: &'a Field,
}

/// How near to the surface the lattice has to be, in metres.
const SETTLED: f64 = 1e-4;

/// How often the cage is halved for the lattice.
const HALVINGS: usize = 2;

impl<'a> Lattice<'a> {
    pub(super) fn new(mut cage: Cage, field: &'a Field) -> Self {
        settle(&mut cage, 12, |_| field);
        let fields: Vec<Field> = cage.quads.iter().map(|quad| near(&cage, quad, field)).collect();
        let mut fine = cage.clone();
        for halving in 1..=HALVINGS {
            fine = halved(&fine);
            settle(&mut fine, 6, |quad| &fields[quad >> (2 * halving)]);
        }
        // The cage's own vertices moved with the lattice, which keeps them first.
        let len = cage.positions.len();
        cage.positions.copy_from_slice(&fine.positions[..len]);
        let normals = fine.positions.iter().map(|&position| unit(field.sample(position).gradient)).collect();
        Self { cage, fine, normals, fields, field }
    }

    /// The surface at a place in a quadrilateral of the cage: 0 to 1 from corner 0 to corners 1 and 3.
    ///
    /// The way from the lattice to the surface is along the lattice's normals, which turn slowly: the
    /// gradient would tear neighbours apart where the surface is folded, as between the fingers.
    pub(super) fn place(&self, index: usize, mut u: f64, mut v: f64) -> Vector {
        let mut quad = index;
        for _ in 0..HALVINGS {
            let (right, below) = (u > 0.5, v > 0.5);
            quad = 4 * quad + [[0, 1], [3, 2]][usize::from(below)][usize::from(right)];
            u = 2.0 * u - if right { 1.0 } else { 0.0 };
            v = 2.0 * v - if below { 1.0 } else { 0.0 };
        }
        let between = |values: &[Vector]| {
            let [a, b, c, d] = self.fine.quads[quad].corners.map(|corner| values[corner]);
            mix(mix(a, b, u), mix(d, c, u), v)
        };
        let (start, direction) = (between(&self.fine.positions), unit(between(&self.normals)));
        self.fields[index].project_along(start, direction)
    }
}

/// The field of all that matters near a quadrilateral.
fn near(cage: &Cage, quad: &Quad, field: &Field) -> Field {
    let [a, b, c, d] = quad.corners.map(|corner| cage.positions[corner]);
    let centre = mix(mix(a, b, 0.5), mix(d, c, 0.5), 0.5);
    let radius = [a, b, c, d].iter().fold(0.0, |most, &corner| {
        let distance = length(sub(corner, centre));
        if distance > most { distance } else { most }
    });
    field.near(centre, 1.3 * radius)
}

/// Pulls vertices onto the surface and spreads them evenly. `field` gives the field near a quadrilateral.
fn settle<'a>(cage: &mut Cage, rounds: usize, field: impl Fn(usize) -> &'a Field) {
    let mut neighbours = vec![Vec::new(); cage.positions.len()];
    let mut owner = vec![0; cage.positions.len()];
    for (index, quad) in cage.quads.iter().enumerate() {
        for [a, b] in edges(quad) {
            // Each edge comes once in each direction.
            neighbours[a].push(b);
            owner[a] = index;
        }
    }
    for (position, &owner) in cage.positions.iter_mut().zip(&owner) {
        *position = field(owner).project(*position, 30, SETTLED);
    }
    for _ in 0..rounds {
        let old = cage.positions.clone();
        for (vertex, position) in cage.positions.iter_mut().enumerate() {
            if cage.pinned[vertex] {
                continue;
            }
            let field = field(owner[vertex]);
            let normal = unit(field.sample(*position).gradient);
            let sum = neighbours[vertex].iter().fold([0.0; 3], |sum, &other| add(sum, old[other]));
            let towards = sub(scale(sum, 1.0 / neighbours[vertex].len() as f64), *position);
            let sideways = along(towards, normal, -dot(towards, normal));
            *position = field.project(along(*position, sideways, 0.4), 8, SETTLED);
        }
    }
}

/// Every quadrilateral in four, those of one side by side; the vertices that were there come first.
fn halved(cage: &Cage) -> Cage {
    let mut fine = Cage { quads: Vec::new(), ..cage.clone() };
    let mut middles = BTreeMap::new();
    for quad in &cage.quads {
        let [a, b, c, d] = quad.corners;
        let [ab, bc, cd, da] = edges(quad).map(|[from, to]| {
            let middle = mix(cage.positions[from], cage.positions[to], 0.5);
            *middles.entry(undirected([from, to])).or_insert_with(|| fine.vertex(middle))
        });
        let middle = fine.vertex(mix(fine.positions[ab], fine.positions[cd], 0.5));
        for corners in [[a, ab, middle, da], [ab, b, bc, middle], [middle, bc, c, cd], [da, middle, cd, d]] {
            fine.quads.push(Quad { corners, ..*quad });
        }
    }
    fine
}
