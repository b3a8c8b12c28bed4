//! A mesh as files and tools store it, and its checks.

use std::ops::Range;

use sinew_kernels::BLOCK;

use crate::length::check_len;
use crate::mesh::{Influences, MeshError, MorphSource, Weights, check_triangle_count, morph_source};

/// A mesh as files and tools store it. Arrays have one element per vertex unless noted otherwise.
///
/// [`MeshSource::new`] takes what every mesh needs. Add the rest with struct update syntax:
/// `MeshSource { normals: Some(&normals), ..MeshSource::new(&positions, influences) }`.
#[derive(Clone, Copy, Debug)]
pub struct MeshSource<'a> {
    /// Positions at rest. Empty if the influences are in joint space.
    pub positions: &'a [[f32; 3]],
    /// Unit normals.
    pub normals: Option<&'a [[f32; 3]]>,
    /// Unit tangents, with the sign of the bitangent as the fourth component. Requires normals.
    pub tangents: Option<&'a [[f32; 4]]>,
    /// Stored bitangents. Requires tangents.
    pub bitangents: Option<&'a [[f32; 3]]>,
    /// The joints of the skin that influence each vertex, and their weights.
    pub influences: Influences<'a>,
    /// Whether weights are normalized. Weights of joint-space influences are always kept as stored.
    pub weights: Weights,
    /// The vertices of each triangle, counter-clockwise as seen from the front.
    pub triangles: &'a [[u32; 3]],
    /// The materials of ranges of triangles: any number of ranges.
    pub ranges: &'a [TriangleRange<'a>],
    /// The levels of detail to build: for each, the maximum number of influences per vertex, at
    /// least one. A vertex keeps its strongest influences, scaled so that the sum of weights stays
    /// the same.
    pub levels: &'a [usize],
    /// Morph targets, applied before skinning. Not supported with joint-space influences.
    pub morphs: &'a [MorphSource<'a>],
}

/// A range of triangles with one material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriangleRange<'a> {
    /// Indices in the list of triangles.
    pub triangles: Range<usize>,
    /// The name of the material.
    pub material: &'a str,
}

impl<'a> MeshSource<'a> {
    /// A mesh of positions and influences only, without triangles.
    #[must_use]
    pub const fn new(positions: &'a [[f32; 3]], influences: Influences<'a>) -> Self {
        Self {
            positions,
            normals: None,
            tangents: None,
            bitangents: None,
            influences,
            weights: Weights::Normalized,
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

    /// Checks everything except influences and the vertex indices of triangles.
    pub(crate) fn check(&self) -> Result<(), MeshError> {
        let vertices = self.vertices();
        // Runs are padded to whole blocks, so there can be BLOCK times as many slots as vertices.
        let limit = u32::MAX as usize / BLOCK;
        if vertices > limit {
            return Err(MeshError::TooManyVertices { limit, found: vertices });
        }
        check_triangle_count(self.triangles.len())?;
        let in_joint_space = matches!(self.influences, Influences::JointSpace { .. });
        if in_joint_space && !self.positions.is_empty() {
            return Err(MeshError::PositionsInJointSpace { found: self.positions.len() });
        }
        self.check_positions()?;
        if let Some(normals) = self.normals {
            check_len("normals", vertices, normals.len())?;
            check_vectors("normal", normals)?;
        }
        if let Some(tangents) = self.tangents {
            if self.normals.is_none() {
                return Err(MeshError::TangentsWithoutNormals);
            }
            check_len("tangents", vertices, tangents.len())?;
            check_vectors("tangent", tangents)?;
        }
        if let Some(bitangents) = self.bitangents {
            if self.tangents.is_none() {
                return Err(MeshError::BitangentsWithoutTangents);
            }
            check_len("bitangents", vertices, bitangents.len())?;
            check_vectors("bitangent", bitangents)?;
        }
        self.check_ranges()?;
        if let Some(level) = self.levels.iter().position(|&most| most == 0) {
            return Err(MeshError::EmptyLevel { level });
        }
        morph_source::check_morphs(self)
    }

    /// Checks that all positions are finite.
    pub(crate) fn check_positions(&self) -> Result<(), MeshError> {
        check_vectors("position", self.positions)
    }

    fn check_ranges(&self) -> Result<(), MeshError> {
        let len = self.triangles.len();
        for (range, TriangleRange { triangles, .. }) in self.ranges.iter().enumerate() {
            let &Range { start, end } = triangles;
            if start > end || end > len {
                return Err(MeshError::TriangleRangeOutOfBounds { range, start, end, len });
            }
        }
        Ok(())
    }
}

/// Checks that all components are finite.
pub(crate) fn check_vectors<const N: usize>(
    what: &'static str,
    vectors: &[[f32; N]],
) -> Result<(), MeshError> {
    // Many at a time, without a branch for each.
    let all_finite =
        |chunk: &[[f32; N]]| chunk.as_flattened().iter().fold(true, |all, c| all & (c.abs() < f32::INFINITY));
    for (chunk, first) in vectors.chunks(CHUNK).zip((0..).step_by(CHUNK)) {
        if !all_finite(chunk)
            && let Some(index) = chunk.iter().position(|vector| !vector.iter().all(|c| c.is_finite()))
        {
            return Err(MeshError::VertexNotFinite { vertex: first + index, what });
        }
    }
    Ok(())
}

/// The number of vectors checked at a time.
const CHUNK: usize = 64;
