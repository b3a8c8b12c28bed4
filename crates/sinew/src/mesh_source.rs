//! A mesh as files and tools have it, and what is checked of it.

use std::ops::Range;

use sinew_kernels::BLOCK;

use crate::error::{check_len, check_triangle_count};
use crate::{Error, Influences, MorphSource, Weights, morph_source};

/// A mesh as files and tools have it: one element for each vertex, unless it is said otherwise.
///
/// [`MeshSource::new`] has what every mesh has; the rest is added by
/// `MeshSource { normals: Some(&normals), ..MeshSource::new(&positions, influences) }`.
#[derive(Clone, Copy, Debug)]
pub struct MeshSource<'a> {
    /// Where the vertices are at rest; empty where the influences are in joint space.
    pub positions: &'a [[f32; 3]],
    /// Of length one.
    pub normals: Option<&'a [[f32; 3]]>,
    /// Of length one, with the sign of the bitangent as fourth; only together with normals.
    pub tangents: Option<&'a [[f32; 4]]>,
    /// Second tangents, where they are stored; only together with tangents.
    pub bitangents: Option<&'a [[f32; 3]]>,
    /// Which joints of the skin move each vertex.
    pub influences: Influences<'a>,
    /// What becomes of the weights. Those of influences in joint space always stay as stored.
    pub weights: Weights,
    /// Vertices of each triangle, counter-clockwise seen from the front.
    pub triangles: &'a [[u32; 3]],
    /// Which triangles have which material: any number of ranges.
    pub ranges: &'a [TriangleRange<'a>],
    /// Levels of detail to prepare: each the most influences of a vertex, one or more. A vertex keeps its strongest
    /// ones, which share the weight of the others.
    pub levels: &'a [usize],
    /// Morph targets, which move the vertices before the skin does; not where the influences are in joint space.
    pub morphs: &'a [MorphSource<'a>],
}

/// Triangles of one material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriangleRange<'a> {
    /// Places in the mesh's list of triangles.
    pub triangles: Range<usize>,
    /// Its name.
    pub material: &'a str,
}

impl<'a> MeshSource<'a> {
    /// Positions and influences, and nothing else: no triangles either.
    #[must_use]
    pub const fn new(positions: &'a [[f32; 3]], influences: Influences<'a>) -> Self {
        Self {
            positions,
            normals: None,
            tangents: None,
            bitangents: None,
            influences,
            weights: Weights::Normalised,
            triangles: &[],
            ranges: &[],
            levels: &[],
            morphs: &[],
        }
    }

    /// The number of vertices.
    pub(crate) fn vertices(&self) -> usize {
        match self.influences {
            Influences::JointSpace { counts, .. } => counts.len(),
            _ => self.positions.len(),
        }
    }

    /// Checks all but influences and the vertices of triangles.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let vertices = self.vertices();
        // A run pads by less than a block, and places are numbered like vertices.
        let limit = u32::MAX as usize / BLOCK;
        if vertices > limit {
            return Err(Error::TooManyVertices { limit, found: vertices });
        }
        check_triangle_count(self.triangles.len())?;
        let in_joint_space = matches!(self.influences, Influences::JointSpace { .. });
        if in_joint_space && !self.positions.is_empty() {
            return Err(Error::PositionsInJointSpace { found: self.positions.len() });
        }
        self.check_positions()?;
        if let Some(normals) = self.normals {
            check_len("normals", vertices, normals.len())?;
            check_vectors("normal", normals)?;
        }
        if let Some(tangents) = self.tangents {
            if self.normals.is_none() {
                return Err(Error::TangentsWithoutNormals);
            }
            check_len("tangents", vertices, tangents.len())?;
            check_vectors("tangent", tangents)?;
        }
        if let Some(bitangents) = self.bitangents {
            if self.tangents.is_none() {
                return Err(Error::BitangentsWithoutTangents);
            }
            check_len("bitangents", vertices, bitangents.len())?;
            check_vectors("bitangent", bitangents)?;
        }
        self.check_ranges()?;
        if let Some(level) = self.levels.iter().position(|&most| most == 0) {
            return Err(Error::EmptyLevel { level });
        }
        morph_source::check(self)
    }

    /// Demands finite numbers.
    pub(crate) fn check_positions(&self) -> Result<(), Error> {
        check_vectors("position", self.positions)
    }

    fn check_ranges(&self) -> Result<(), Error> {
        let len = self.triangles.len();
        for (range, TriangleRange { triangles, .. }) in self.ranges.iter().enumerate() {
            let &Range { start, end } = triangles;
            if start > end || end > len {
                return Err(Error::TriangleRangeOutOfBounds { range, start, end, len });
            }
        }
        Ok(())
    }
}

/// Demands finite numbers.
pub(crate) fn check_vectors<const N: usize>(what: &'static str, vectors: &[[f32; N]]) -> Result<(), Error> {
    match vectors.iter().position(|vector| vector.iter().any(|component| !component.is_finite())) {
        Some(vertex) => Err(Error::VertexNotFinite { vertex, what }),
        None => Ok(()),
    }
}
