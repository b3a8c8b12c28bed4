//! Triangle planes, recomputed each frame, and the facing bits for a light.

use sinew_kernels::{BLOCK, Plane, PlaneNormals, ToFacing, ToPlanes, TrianglePoints, Triangles};

use crate::geometry::{Facing, GeometryError, Light, PositionView};
use crate::length::check_len;
use crate::runtime::Runtime;

/// The planes of a mesh's triangles: a buffer that is allocated once and rewritten each frame.
///
/// Counter-clockwise is front: a point in front of a triangle has a positive
/// [`Plane::distance_to`]. A triangle without area, or with a corner that is not finite, gets
/// [`Plane::NONE`], all zeros; no plane contains NaN. Coordinates must be below 2^126. A mesh
/// without triangles has no planes.
#[derive(Clone, Debug)]
pub struct Planes {
    planes: Vec<Plane>,
    normals: PlaneNormals,
    /// Positions converted from blocks, 16 bytes each.
    scratch: Vec<[f32; 4]>,
    runtime: Runtime,
}

impl Planes {
    /// Allocates one plane per triangle, initially [`Plane::NONE`]. Pass the mesh's
    /// [`runtime`](crate::Mesh::runtime).
    #[must_use]
    pub fn new(triangles: &Triangles, runtime: Runtime) -> Self {
        Self {
            planes: vec![Plane::NONE; triangles.len()],
            normals: PlaneNormals::Unit,
            scratch: Vec::new(),
            runtime,
        }
    }

    /// Computes the planes from vertex positions. For positions in blocks, the first call allocates
    /// 16 bytes per vertex that the triangles require.
    ///
    /// # Errors
    ///
    /// If the number of triangles differs from the number of planes, or a triangle index is out of
    /// range.
    pub fn derive(
        &mut self,
        positions: PositionView<'_>,
        triangles: &Triangles,
        normals: PlaneNormals,
    ) -> Result<(), GeometryError> {
        check_len("triangles", self.planes.len(), triangles.len())?;
        check_vertex_count(triangles, positions)?;
        self.normals = normals;
        self.runtime.kernels().planes(ToPlanes {
            points: kernel_positions(positions, triangles, &mut self.scratch),
            triangles,
            range: 0..self.planes.len(),
            normals,
            planes: &mut self.planes,
        });
        Ok(())
    }

    /// The planes, in triangle order.
    #[must_use]
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// The length of the normals that were computed last.
    #[must_use]
    pub fn normals(&self) -> PlaneNormals {
        self.normals
    }

    /// The number of triangles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.planes.len()
    }

    /// Whether there are no triangles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.planes.is_empty()
    }

    /// Computes which triangles face a light or an eye.
    ///
    /// A triangle whose plane contains the light is not front-facing; so a light on a vertex sees
    /// none of the triangles there, up to rounding, which decides within about 1e-6 of the largest
    /// coordinate. No triangle faces a light with a value that is not finite, or a direction of
    /// length zero. Triangles without a plane are never front-facing.
    ///
    /// # Errors
    ///
    /// If the number of bits differs from the number of planes.
    pub fn facing(&self, light: Light, facing: &mut Facing) -> Result<(), GeometryError> {
        check_len("facing bits", self.planes.len(), facing.len())?;
        let (planes, light) = (&self.planes, light.homogeneous());
        self.runtime.kernels().facing(ToFacing { planes, light, words: &mut facing.words });
        Ok(())
    }
}

/// Number of positions that [`kernel_positions`] writes to its scratch memory.
pub(crate) fn scratch_len(triangles: &Triangles) -> usize {
    triangles.required_vertices().div_ceil(BLOCK) * BLOCK
}

/// Checks that there is a position for every vertex of the triangles.
pub(crate) fn check_vertex_count(
    triangles: &Triangles,
    positions: PositionView<'_>,
) -> Result<(), GeometryError> {
    let (expected, found) = (triangles.required_vertices(), positions.len());
    if expected <= found { Ok(()) } else { Err(GeometryError::TooFewPositions { expected, found }) }
}

/// Converts positions to the kernels' input type. Blocks are cut to those that the triangles
/// require, which must exist.
pub(crate) fn kernel_positions<'a>(
    positions: PositionView<'a>,
    triangles: &Triangles,
    scratch: &'a mut Vec<[f32; 4]>,
) -> TrianglePoints<'a> {
    match positions {
        PositionView::Packed(positions) => TrianglePoints::Strided(positions.into()),
        PositionView::Strided(positions) => TrianglePoints::Strided(positions),
        PositionView::Padded(positions) => TrianglePoints::Padded(positions),
        PositionView::Blocks { blocks, vectors } => {
            scratch.resize(scratch_len(triangles), [0.0; 4]);
            let vectors = vectors.max(1);
            let blocks = &blocks[..scratch.len() / BLOCK * vectors];
            TrianglePoints::Blocks { blocks, vectors, scratch }
        }
    }
}
