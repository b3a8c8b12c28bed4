//! How finely each edge of the cage is divided, and where the texture splits its vertices.

use std::collections::BTreeMap;

use super::cage::{Cage, edges, undirected};
use crate::portable::{length, sub};

/// How the cage is divided: edges that lie across from each other in a quadrilateral get the same number of
/// pieces.
pub(super) struct Division {
    /// The class of each edge.
    pub(super) class: BTreeMap<[usize; 2], usize>,
    /// Of each class: how finely it is divided at density one.
    fineness: Vec<f64>,
}

impl Division {
    pub(super) fn new(cage: &Cage) -> Self {
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
        let fineness =
            sums.iter().map(|&(sum, count)| 0.06 + if count > 0.0 { sum / count } else { 0.0 }).collect();
        Self { class, fineness }
    }

    pub(super) fn pieces(&self, edge: [usize; 2], density: f64) -> usize {
        let pieces = (self.fineness[self.class[&undirected(edge)]] * density + 0.5).floor();
        if pieces < 1.0 { 1 } else { pieces as usize }
    }

    /// The greatest density that does not exceed a number of vertices.
    pub(super) fn density(&self, cage: &Cage, target: usize) -> f64 {
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
        for &[a, b] in corners.edges.keys() {
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
pub(super) struct Corners {
    pub(super) vertices: Vec<(usize, [f64; 2])>,
    /// The four corners of each quadrilateral.
    pub(super) quads: Vec<[usize; 4]>,
    /// Edges between split vertices, each once, and the first of their inner vertices when they are divided.
    pub(super) edges: BTreeMap<[usize; 2], usize>,
}

pub(super) fn corners(cage: &Cage) -> Corners {
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
