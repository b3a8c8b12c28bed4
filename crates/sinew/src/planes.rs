//! The planes of a mesh's triangles, each frame anew, and which of them face a light.

use sinew_kernels::{BLOCK, Kernels, Plane, PlaneNormals, ToFacing, ToPlanes, TrianglePoints, Triangles};

use crate::error::check_len;
use crate::{Error, Facing, Light, Mesh, Points};

/// A plane for each triangle: memory that is taken once and written each frame.
///
/// Counter-clockwise is front: a point in front of a triangle has a positive [`Plane::distance_to`]. A triangle that has no
/// area or a corner that is not finite has the plane [`Plane::NONE`], all zeros; no plane holds a NaN. Coordinates are below
/// 2^126. A mesh without triangles has no planes, and that is no error.
#[derive(Clone, Debug)]
pub struct Planes {
    planes: Vec<Plane>,
    normals: PlaneNormals,
    /// Points out of blocks, sixteen bytes each.
    scratch: Vec<[f32; 4]>,
    kernels: &'static Kernels,
}

impl Planes {
    /// Memory for the planes of these triangles, all [`Plane::NONE`] yet. [`Mesh::kernels`] are those to take.
    #[must_use]
    pub fn new(triangles: &Triangles, kernels: &'static Kernels) -> Self {
        Self {
            planes: vec![Plane::NONE; triangles.len()],
            normals: PlaneNormals::Unit,
            scratch: Vec::new(),
            kernels,
        }
    }

    /// Derives the planes from where the vertices are now. Points in blocks take memory once, sixteen bytes for each that
    /// the triangles reach.
    ///
    /// # Errors
    ///
    /// When there are more or fewer triangles than planes, or the triangles reach past the last point.
    pub fn derive(
        &mut self,
        points: Points<'_>,
        triangles: &Triangles,
        normals: PlaneNormals,
    ) -> Result<(), Error> {
        check_len("triangles", self.planes.len(), triangles.len())?;
        check_reach(triangles, points)?;
        self.normals = normals;
        self.kernels.planes(ToPlanes {
            points: triangle_points(points, triangles, &mut self.scratch),
            triangles,
            range: 0..self.planes.len(),
            normals,
            planes: &mut self.planes,
        });
        Ok(())
    }

    /// The planes, in the order of the triangles.
    #[must_use]
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// How long the normals are that were derived last.
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

    /// Which triangles show a light, or an eye, their front.
    ///
    /// A light in the plane of a triangle does not see its front, and so a light on a vertex sees none of the triangles
    /// there, but for rounding: that decides within some 1e-6 of the largest coordinate. A light with a number that is not
    /// finite, or a direction of length zero, sees nothing. Triangles without a plane show nobody their front.
    ///
    /// # Errors
    ///
    /// When there are more or fewer bits than planes.
    pub fn facing(&self, light: Light, facing: &mut Facing) -> Result<(), Error> {
        check_len("facing bits", self.planes.len(), facing.len())?;
        let (planes, light) = (&self.planes, light.homogeneous());
        self.kernels.facing(ToFacing { planes, light, words: &mut facing.words });
        Ok(())
    }
}

impl Mesh {
    /// The triangles as a list that knows the last vertex it needs, in run order; in 16 bits where that is enough. Allocates.
    #[must_use]
    pub fn triangle_list(&self) -> Triangles {
        Triangles::narrowest(self.triangles())
    }
}

/// Points that [`triangle_points`] may put into memory of its own.
pub(crate) fn scratch_len(triangles: &Triangles) -> usize {
    triangles.required_vertices().div_ceil(BLOCK) * BLOCK
}

/// Demands a point for every vertex of the triangles.
pub(crate) fn check_reach(triangles: &Triangles, points: Points<'_>) -> Result<(), Error> {
    let (expected, found) = (triangles.required_vertices(), points.len());
    if expected <= found { Ok(()) } else { Err(Error::TooFewPoints { expected, found }) }
}

/// Points as kernels take them; of blocks those that the triangles reach, which must be there.
pub(crate) fn triangle_points<'a>(
    points: Points<'a>,
    triangles: &Triangles,
    scratch: &'a mut Vec<[f32; 4]>,
) -> TrianglePoints<'a> {
    match points {
        Points::Packed(points) => TrianglePoints::Packed(points),
        Points::Padded(points) => TrianglePoints::Padded(points),
        Points::Blocks { blocks, vectors } => {
            scratch.resize(scratch_len(triangles), [0.0; 4]);
            let vectors = vectors.max(1);
            let blocks = &blocks[..scratch.len() / BLOCK * vectors];
            TrianglePoints::Blocks { blocks, vectors, scratch }
        }
    }
}
