//! Edge construction: half-edges are sorted by their vertices, so that those of one edge are
//! adjacent.

use super::groups::EdgeGroups;
use super::table::{BoundaryEdge, Edges, HalfEdge, NonManifoldRange, SharedEdge};
use crate::geometry::{Facing, GeometryError, Side};
use crate::mesh::MeshError;

/// A shadow volume has two vertices per mesh vertex, with 32-bit indices.
const MAX_VERTICES: usize = 1 << 31;
const MAX_TRIANGLES: usize = u32::MAX as usize;

/// A half-edge as sort key: lower vertex, higher vertex, triangle, and whether it runs from the
/// lower to the higher vertex.
type SortedHalfEdge = (u32, u32, u32, bool);

impl Edges {
    /// Builds the edges. `remap` maps each vertex to the vertex it is welded to.
    pub(super) fn build(triangles: &[[u32; 3]], remap: &[u32]) -> Result<Self, GeometryError> {
        check_counts(remap.len(), triangles.len())?;
        let corners = welded_corners(triangles, remap)?;
        let mut non_degenerate = Facing::new(corners.len());
        let mut half_edges: Vec<SortedHalfEdge> = Vec::with_capacity(3 * corners.len());
        let mut degenerate = 0;
        for (triangle, &[a, b, c]) in corners.iter().enumerate() {
            if a == b || b == c || c == a {
                degenerate += 1;
                continue;
            }
            non_degenerate.set(triangle, Side::Front);
            half_edges.extend(
                [(a, b), (b, c), (c, a)]
                    .map(|(from, to)| (from.min(to), from.max(to), triangle as u32, from < to)),
            );
        }
        half_edges.sort_unstable();
        let welded = count_welded(triangles, remap);
        let mut edges = Self {
            vertex_count: remap.len(),
            welded,
            corners,
            non_degenerate,
            degenerate,
            shared: Vec::with_capacity(half_edges.len() / 2),
            groups: EdgeGroups::default(),
            boundary: Vec::new(),
            non_manifold: Vec::new(),
            half_edges: Vec::new(),
        };
        for half_edges in half_edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            edges.push(half_edges);
        }
        edges.shared.sort_unstable_by_key(|edge| (edge.left.min(edge.right), edge.left.max(edge.right)));
        edges.groups = EdgeGroups::new(&edges.shared);
        edges.boundary.sort_unstable_by_key(|edge| (edge.triangle, edge.from));
        Ok(edges)
    }

    /// Adds an edge, given all its half-edges.
    fn push(&mut self, half_edges: &[SortedHalfEdge]) {
        match *half_edges {
            [(low, high, triangle, ascending)] => {
                let (from, to) = if ascending { (low, high) } else { (high, low) };
                self.boundary.push(BoundaryEdge { from, to, triangle });
            }
            [(from, to, left, true), (_, _, right, false)]
            | [(from, to, right, false), (_, _, left, true)] => {
                self.shared.push(SharedEdge { from, to, left, right });
            }
            _ => {
                let (from, to, ..) = half_edges[0];
                self.non_manifold.push(NonManifoldRange {
                    from,
                    to,
                    first: self.half_edges.len(),
                    len: half_edges.len(),
                });
                let half_edge = |&(.., triangle, ascending): &SortedHalfEdge| HalfEdge {
                    triangle,
                    direction: if ascending { 1 } else { -1 },
                };
                self.half_edges.extend(half_edges.iter().map(half_edge));
            }
        }
    }
}

fn check_counts(vertices: usize, triangles: usize) -> Result<(), GeometryError> {
    if vertices > MAX_VERTICES {
        return Err(MeshError::TooManyVertices { limit: MAX_VERTICES, found: vertices }.into());
    }
    if triangles > MAX_TRIANGLES {
        return Err(MeshError::TooManyTriangles { limit: MAX_TRIANGLES, found: triangles }.into());
    }
    Ok(())
}

fn welded_corners(triangles: &[[u32; 3]], remap: &[u32]) -> Result<Vec<[u32; 3]>, GeometryError> {
    let corner = |triangle: usize, vertex: u32| {
        let slot = remap.get(vertex as usize).copied();
        slot.ok_or(MeshError::TriangleOutOfRange { triangle, vertex, len: remap.len() })
    };
    let given = triangles.iter().enumerate();
    given.map(|(i, &[a, b, c])| Ok([corner(i, a)?, corner(i, b)?, corner(i, c)?])).collect()
}

/// The number of vertices used by triangles that are welded to another vertex.
fn count_welded(triangles: &[[u32; 3]], remap: &[u32]) -> usize {
    let mut is_used = vec![false; remap.len()];
    for &vertex in triangles.as_flattened() {
        is_used[vertex as usize] = true;
    }
    (0_u32..)
        .zip(remap)
        .zip(is_used)
        .filter(|&((vertex, &first), is_used)| is_used && vertex != first)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_vertices_than_a_shadow_volume_can_index_are_refused() {
        assert_eq!(check_counts(MAX_VERTICES, 0), Ok(()));
        let limit = MAX_VERTICES;
        let expected = MeshError::TooManyVertices { limit, found: limit + 1 };
        assert_eq!(check_counts(limit + 1, 0), Err(expected.into()));
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn more_triangles_than_can_be_indexed_are_refused() {
        assert_eq!(check_counts(0, MAX_TRIANGLES), Ok(()));
        let limit = MAX_TRIANGLES;
        let expected = MeshError::TooManyTriangles { limit, found: limit + 1 };
        assert_eq!(check_counts(0, limit + 1), Err(expected.into()));
    }
}
