//! The cage divided as finely as asked and pulled onto the field's surface.

use std::collections::BTreeMap;

use super::cage::{Cage, Quad};
use super::field::Field;
use crate::portable::{Vector, add, along, dot, length, mix, scale, sub, unit};

/// The surface as vertices that are one where they touch, and corners that also differ in texture coordinates.
#[derive(Debug, Default)]
pub(super) struct Surface {
    pub(super) positions: Vec<Vector>,
    pub(super) normals: Vec<Vector>,
    /// Of each vertex of the shape: its position here, and its texture coordinates.
    pub(super) vertices: Vec<(usize, [f64; 2])>,
    /// Of vertices of the shape.
    pub(super) triangles: Vec<[u32; 3]>,
}

/// The cage on the field's surface, and the fine lattice over it from which any division takes its places.
#[derive(Debug)]
pub(super) struct Lattice<'a> {
    cage: Cage,
    /// The cage divided in [`SPAN`] each way.
    fine: Cage,
    /// The field near each quadrilateral of the cage.
    fields: Vec<Field>,
    field: &'a Field,
}

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
        Self { cage, fine, fields, field }
    }

    /// A place in a quadrilateral of the cage, near to the surface: 0 to 1 from corner 0 to corners 1 and 3.
    fn place(&self, mut quad: usize, mut u: f64, mut v: f64) -> Vector {
        for _ in 0..HALVINGS {
            let (right, below) = (u > 0.5, v > 0.5);
            quad = 4 * quad + [[0, 1], [3, 2]][usize::from(below)][usize::from(right)];
            u = 2.0 * u - if right { 1.0 } else { 0.0 };
            v = 2.0 * v - if below { 1.0 } else { 0.0 };
        }
        let [a, b, c, d] = self.fine.quads[quad].corners.map(|corner| self.fine.positions[corner]);
        mix(mix(a, b, u), mix(d, c, u), v)
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
        *position = field(owner).project(*position, 30);
    }
    for _ in 0..rounds {
        let old = cage.positions.clone();
        for (vertex, position) in cage.positions.iter_mut().enumerate() {
            let field = field(owner[vertex]);
            let normal = unit(field.sample(*position).gradient);
            let sum = neighbours[vertex].iter().fold([0.0; 3], |sum, &other| add(sum, old[other]));
            let towards = sub(scale(sum, 1.0 / neighbours[vertex].len() as f64), *position);
            let sideways = along(towards, normal, -dot(towards, normal));
            *position = field.project(along(*position, sideways, 0.4), 8);
        }
    }
}

/// Every quadrilateral in four, those of one side by side; the vertices that were there come first.
fn halved(cage: &Cage) -> Cage {
    let mut fine = Cage { positions: cage.positions.clone(), quads: Vec::new() };
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

/// The directed edges of a quadrilateral.
fn edges(quad: &Quad) -> [[usize; 2]; 4] {
    let [a, b, c, d] = quad.corners;
    [[a, b], [b, c], [c, d], [d, a]]
}

fn undirected([a, b]: [usize; 2]) -> [usize; 2] {
    if a < b { [a, b] } else { [b, a] }
}

/// How the cage is divided: edges that lie across from each other in a quadrilateral get the same number of pieces.
struct Division {
    /// The class of each edge.
    class: BTreeMap<[usize; 2], usize>,
    /// Of each class: how finely it is divided at density one.
    fineness: Vec<f64>,
}

impl Division {
    fn new(cage: &Cage) -> Self {
        let mut class = BTreeMap::new();
        for edge in cage.quads.iter().flat_map(edges) {
            let next = class.len();
            class.entry(undirected(edge)).or_insert(next);
        }
        let mut root: Vec<usize> = (0..class.len()).collect();
        let find = |root: &[usize], mut edge: usize| {
            while root[edge] != edge {
                edge = root[edge];
            }
            edge
        };
        for quad in &cage.quads {
            let [a, b, c, d] = edges(quad).map(|edge| class[&undirected(edge)]);
            for (one, other) in [(a, c), (b, d)] {
                let (one, other) = (find(&root, one), find(&root, other));
                let (low, high) = if one < other { (one, other) } else { (other, one) };
                root[high] = low;
            }
        }
        let mut sums = vec![(0.0, 0.0); class.len()];
        for (&[a, b], edge) in &mut class {
            *edge = find(&root, *edge);
            sums[*edge].0 += length(sub(cage.positions[a], cage.positions[b])).sqrt();
            sums[*edge].1 += 1.0;
        }
        // Long edges get more pieces, but not in proportion: hands and face are finer than the trunk.
        let fineness = sums.iter().map(|&(sum, count)| if count > 0.0 { sum / count } else { 0.0 }).collect();
        Self { class, fineness }
    }

    fn pieces(&self, edge: [usize; 2], density: f64) -> usize {
        let pieces = (self.fineness[self.class[&undirected(edge)]] * density + 0.5).floor();
        if pieces < 1.0 { 1 } else { pieces as usize }
    }

    /// The density that comes nearest to a number of vertices.
    fn density(&self, cage: &Cage, target: usize) -> f64 {
        let corners = corners(cage);
        let (mut low, mut high) = (0.0, 10_000.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.count(cage, &corners, middle) > target {
                high = middle;
            } else {
                low = middle;
            }
        }
        low
    }

    fn count(&self, cage: &Cage, corners: &Corners, density: f64) -> usize {
        let mut count = corners.vertices.len();
        for (&[a, b], _) in &corners.edges {
            count += self.pieces([corners.vertices[a].0, corners.vertices[b].0], density) - 1;
        }
        for quad in &cage.quads {
            let [across, down, ..] = edges(quad).map(|edge| self.pieces(edge, density) - 1);
            count += across * down;
        }
        count
    }
}

/// The cage's vertices, split where texture coordinates differ.
struct Corners {
    vertices: Vec<(usize, [f64; 2])>,
    /// The four corners of each quadrilateral.
    quads: Vec<[usize; 4]>,
    /// Edges between split vertices, each once, and the first of their inner vertices when they are divided.
    edges: BTreeMap<[usize; 2], usize>,
}

fn corners(cage: &Cage) -> Corners {
    let mut index = BTreeMap::new();
    let mut corners = Corners { vertices: Vec::new(), quads: Vec::new(), edges: BTreeMap::new() };
    for quad in &cage.quads {
        let mut split = [0; 4];
        for (place, split) in split.iter_mut().enumerate() {
            let (vertex, texture) = (quad.corners[place], quad.texture[place]);
            *split = *index.entry((vertex, texture.map(f64::to_bits))).or_insert_with(|| {
                corners.vertices.push((vertex, texture));
                corners.vertices.len() - 1
            });
        }
        corners.quads.push(split);
        let [a, b, c, d] = split;
        for edge in [[a, b], [b, c], [c, d], [d, a]] {
            corners.edges.insert(undirected(edge), 0);
        }
    }
    corners
}

/// Divides a cage on its surface into about `target` vertices.
pub(super) fn divide(lattice: &Lattice<'_>, target: usize) -> Surface {
    let cage = &lattice.cage;
    let division = Division::new(cage);
    let density = division.density(cage, target);
    let mut corners = corners(cage);
    let mut surface = Surface { vertices: corners.vertices.clone(), ..Surface::default() };
    for &position in &cage.positions {
        surface.push(lattice.field, position);
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
    fn push(&mut self, field: &Field, start: Vector) {
        let position = field.project(start, 12);
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

    /// Two triangles along the shorter diagonal.
    fn split(&mut self, quad: [usize; 4]) {
        let [a, b, c, d] = quad.map(|vertex| self.positions[self.vertices[vertex].0]);
        let [i, j, k, l] = quad.map(|vertex| vertex as u32);
        if length(sub(a, c)) <= length(sub(b, d)) {
            self.triangles.extend([[i, j, k], [i, k, l]]);
        } else {
            self.triangles.extend([[j, k, l], [j, l, i]]);
        }
    }
}
