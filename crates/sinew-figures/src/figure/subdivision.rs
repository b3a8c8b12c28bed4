//! How finely each edge of the cage is subdivided, and where texture seams split its vertices.

use std::collections::BTreeMap;

use super::cage::{Cage, directed_edges, edge_key};
use crate::math::{length, sub};

/// The subdivision of the cage. Opposite edges of a quadrilateral have the same number of segments,
/// so they belong to one class.
pub(super) struct Subdivision {
    /// The class of each edge.
    pub(super) class: BTreeMap<[usize; 2], usize>,
    /// For each class, the number of segments at density one.
    unit_segments: Vec<f64>,
}

impl Subdivision {
    pub(super) fn new(cage: &Cage) -> Self {
        let mut class = BTreeMap::new();
        for edge in cage.quads.iter().flat_map(directed_edges) {
            let next = class.len();
            class.entry(edge_key(edge)).or_insert(next);
        }
        let mut root: Vec<usize> = (0..class.len()).collect();
        let find = |root: &[usize], mut edge: usize| {
            while root[edge] != edge {
                edge = root[edge];
            }
            edge
        };
        for quad in &cage.quads {
            let [a, b, c, d] = directed_edges(quad).map(|edge| class[&edge_key(edge)]);
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
        // The number of segments grows with the square root of the length, so hands and face are
        // finer than the trunk.
        let unit_segments =
            sums.iter().map(|&(sum, count)| 0.06 + if count > 0.0 { sum / count } else { 0.0 }).collect();
        Self { class, unit_segments }
    }

    pub(super) fn segments(&self, edge: [usize; 2], density: f64) -> usize {
        let segments = (self.unit_segments[self.class[&edge_key(edge)]] * density + 0.5).floor();
        if segments < 1.0 { 1 } else { segments as usize }
    }

    /// The largest density that gives at most `target` vertices.
    pub(super) fn density(&self, cage: &Cage, target: usize) -> f64 {
        let seams = split_at_seams(cage);
        let (mut low, mut high) = (0.0, 10_000.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.vertex_count(cage, &seams, middle) > target {
                high = middle;
            } else {
                low = middle;
            }
        }
        low
    }

    fn vertex_count(&self, cage: &Cage, seams: &SeamVertices, density: f64) -> usize {
        let mut count = seams.vertices.len();
        for &[a, b] in seams.edges.keys() {
            count += self.segments([seams.vertices[a].0, seams.vertices[b].0], density) - 1;
        }
        for quad in &cage.quads {
            let [across, down, ..] = directed_edges(quad).map(|edge| self.segments(edge, density) - 1);
            count += across * down;
        }
        count
    }
}

/// The cage's vertices, split where their texture coordinates differ.
pub(super) struct SeamVertices {
    /// For each split vertex: its vertex in the cage, and its texture coordinates.
    pub(super) vertices: Vec<(usize, [f64; 2])>,
    /// The four split vertices of each quadrilateral.
    pub(super) quads: Vec<[usize; 4]>,
    /// Edges between split vertices, each once, with the index of its first inner vertex.
    pub(super) edges: BTreeMap<[usize; 2], usize>,
}

pub(super) fn split_at_seams(cage: &Cage) -> SeamVertices {
    let mut index = BTreeMap::new();
    let mut seams = SeamVertices { vertices: Vec::new(), quads: Vec::new(), edges: BTreeMap::new() };
    for quad in &cage.quads {
        let mut split = [0; 4];
        for (corner, split) in split.iter_mut().enumerate() {
            let (vertex, uv) = (quad.corners[corner], quad.uvs[corner]);
            *split = *index.entry((vertex, uv.map(f64::to_bits))).or_insert_with(|| {
                seams.vertices.push((vertex, uv));
                seams.vertices.len() - 1
            });
        }
        seams.quads.push(split);
        let [a, b, c, d] = split;
        for edge in [[a, b], [b, c], [c, d], [d, a]] {
            seams.edges.insert(edge_key(edge), 0);
        }
    }
    seams
}
