//! Vertex welding: vertices with equal positions, found once per mesh.

use std::collections::HashMap;

use crate::geometry::{GeometryError, PositionView};
use crate::mesh::MeshError;

/// Maps each vertex to the first vertex with the same position.
///
/// Files split vertices where texture coordinates or normals differ, which cuts a closed surface
/// into pieces. Welding joins the pieces again for algorithms that need adjacency (edges, vertex
/// normals). Only positions count: surfaces that touch are welded where they do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weld {
    remap: Vec<u32>,
    distinct: usize,
}

impl Weld {
    /// Welds vertices with equal coordinates, without tolerance; -0 equals 0. A position with a NaN
    /// equals no other. Pass the rest positions,
    /// [`Mesh::rest_positions`](crate::Mesh::rest_positions); in run order, padding is welded to
    /// the vertices that it repeats.
    ///
    /// # Errors
    ///
    /// If there are more than 2^32 - 1 vertices.
    pub fn new(positions: PositionView<'_>) -> Result<Self, GeometryError> {
        let mut weld = Self::none(positions.len())?;
        let mut seen = HashMap::with_capacity(positions.len());
        for (vertex, first) in (0_u32..).zip(&mut weld.remap) {
            let position = positions.position(vertex as usize);
            if position.iter().any(|component| component.is_nan()) {
                continue;
            }
            // Adding zero turns -0 into +0.
            let key = position.map(|component| (component + 0.0).to_bits());
            *first = *seen.entry(key).or_insert(vertex);
            weld.distinct -= usize::from(*first != vertex);
        }
        Ok(weld)
    }

    /// A weld that keeps all vertices separate.
    ///
    /// # Errors
    ///
    /// If there are more than 2^32 - 1 vertices.
    pub fn none(vertices: usize) -> Result<Self, GeometryError> {
        let limit = u32::MAX as usize;
        if vertices > limit {
            return Err(MeshError::TooManyVertices { limit, found: vertices }.into());
        }
        Ok(Self { remap: (0..vertices as u32).collect(), distinct: vertices })
    }

    /// For each vertex, the first vertex with the same position, which may be itself.
    #[must_use]
    pub fn remap(&self) -> &[u32] {
        &self.remap
    }

    /// The number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.remap.len()
    }

    /// Whether there are no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.remap.is_empty()
    }

    /// The number of distinct positions.
    #[must_use]
    pub fn distinct(&self) -> usize {
        self.distinct
    }
}
