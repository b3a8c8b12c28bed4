//! Vertex normals, recomputed each frame from the planes of adjacent triangles.

use sinew_kernels::{PlaneNormals, ToAngles, Triangles};

use crate::geometry::planes::{check_vertex_count, kernel_positions};
use crate::geometry::{GeometryError, Planes, PositionView, Weld};
use crate::length::check_len;
use crate::math::vector::{Vector, to_f32, to_f64, try_normalize};
use crate::mesh::MeshError;
use crate::runtime::Runtime;

/// The weight of a triangle in the normals of its vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum NormalWeights {
    /// Weight by area; requires planes with [`PlaneNormals::TwiceArea`]. Cheap, and smooth where
    /// large triangles meet small ones.
    #[default]
    Area,
    /// Weight by the angle at the vertex; requires planes with [`PlaneNormals::Unit`]. Independent
    /// of how a face is triangulated.
    Angle,
}

impl NormalWeights {
    /// The plane normals that these weights require.
    #[must_use]
    pub fn planes(self) -> PlaneNormals {
        match self {
            Self::Area => PlaneNormals::TwiceArea,
            Self::Angle => PlaneNormals::Unit,
        }
    }
}

/// The triangles adjacent to each vertex, found once, so that a frame only sums normals.
///
/// The triangles of a vertex are summed in list order, so results depend on nothing else.
#[derive(Clone, Debug)]
pub struct VertexNormals {
    /// For each vertex, the first vertex with the same position.
    remap: Vec<u32>,
    /// First corner of each vertex, and the end of the last vertex's corners.
    starts: Vec<u32>,
    /// Corner indices, three per triangle; those of a vertex are in ascending order.
    corners: Vec<u32>,
    required_vertices: usize,
    angles: Vec<[f32; 4]>,
    /// Positions converted from blocks, 16 bytes each.
    scratch: Vec<[f32; 4]>,
    runtime: Runtime,
}

impl VertexNormals {
    /// Finds the triangles adjacent to each vertex. Welded vertices share their triangles and their
    /// normal; [`Weld::none`] keeps the hard edges of the file. Pass the mesh's
    /// [`runtime`](crate::mesh::Mesh::runtime).
    ///
    /// # Errors
    ///
    /// If a triangle index is out of range, or there are more than 2^32 - 1 corners.
    pub fn new(triangles: &Triangles, weld: &Weld, runtime: Runtime) -> Result<Self, GeometryError> {
        let (expected, found) = (triangles.required_vertices(), weld.len());
        if expected > found {
            return Err(GeometryError::TooFewPositions { expected, found });
        }
        let limit = u32::MAX as usize / 3;
        if triangles.len() > limit {
            return Err(MeshError::TooManyTriangles { limit, found: triangles.len() }.into());
        }
        let remap = weld.remap().to_vec();
        let welded = |vertex: u32| remap[vertex as usize] as usize;
        let mut starts = vec![0; remap.len() + 1];
        for vertex in triangles.iter().flatten() {
            starts[welded(vertex) + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let (mut next, mut corners) = (starts.clone(), vec![0; 3 * triangles.len()]);
        for (corner, vertex) in (0..).zip(triangles.iter().flatten()) {
            let next = &mut next[welded(vertex)];
            corners[*next as usize] = corner;
            *next += 1;
        }
        let (angles, scratch) = (Vec::new(), Vec::new());
        Ok(Self {
            remap,
            starts,
            corners,
            required_vertices: triangles.required_vertices(),
            angles,
            scratch,
            runtime,
        })
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

    /// Computes unit normals of all vertices: the weighted sum of the normals of adjacent
    /// triangles, normalized.
    ///
    /// A normal is zero if the vertex has no triangles, if none of them has a plane, or if their
    /// normals cancel. Weights by angle allocate on the first call; nothing else allocates.
    ///
    /// # Errors
    ///
    /// If the number of positions, triangles, planes or normals differs from construction, or the
    /// planes do not have the normals that the weights require.
    pub fn derive(&mut self, input: NormalInput<'_>, to: &mut [[f32; 3]]) -> Result<(), GeometryError> {
        self.check(&input, to.len())?;
        let planes = input.planes.planes();
        match input.weights {
            NormalWeights::Area => {
                self.sum_normals(to, |corner| to_f64(planes[corner as usize / 3].normal));
            }
            NormalWeights::Angle => {
                self.find_angles(input.positions, input.triangles);
                let angles = &self.angles;
                self.sum_normals(to, |corner| {
                    let (triangle, corner) = (corner as usize / 3, corner as usize % 3);
                    to_f64(planes[triangle].normal) * f64::from(angles[triangle][corner])
                });
            }
        }
        Ok(())
    }

    fn check(&self, input: &NormalInput<'_>, len: usize) -> Result<(), GeometryError> {
        check_len("vertex normals", self.len(), len)?;
        check_len("triangles", self.corners.len() / 3, input.triangles.len())?;
        check_len("planes", self.corners.len() / 3, input.planes.len())?;
        check_len(
            "vertices required by triangles",
            self.required_vertices,
            input.triangles.required_vertices(),
        )?;
        check_vertex_count(input.triangles, input.positions)?;
        let (expected, found) = (input.weights.planes(), input.planes.normals());
        if expected == found { Ok(()) } else { Err(GeometryError::WrongPlaneNormals { expected, found }) }
    }

    fn find_angles(&mut self, positions: PositionView<'_>, triangles: &Triangles) {
        self.angles.resize(triangles.len(), [0.0; 4]);
        self.runtime.kernels().corner_angles(ToAngles {
            points: kernel_positions(positions, triangles, &mut self.scratch),
            triangles,
            range: 0..triangles.len(),
            angles: &mut self.angles,
        });
    }

    /// Sums the normals at the corners of each vertex, in `f64`, so that areas of any size give a
    /// direction.
    fn sum_normals(&self, to: &mut [[f32; 3]], normal: impl Fn(u32) -> Vector) {
        for vertex in 0..to.len() {
            let first = self.remap[vertex] as usize;
            to[vertex] = if first == vertex {
                let corners = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
                let mut sum = Vector::ZERO;
                for &corner in &self.corners[corners] {
                    sum += normal(corner);
                }
                try_normalize(sum).map_or([0.0; 3], to_f32)
            } else {
                to[first]
            };
        }
    }
}

/// The inputs of vertex normals: the current state of a mesh.
#[derive(Clone, Copy, Debug)]
pub struct NormalInput<'a> {
    /// Vertex positions.
    pub positions: PositionView<'a>,
    /// The triangles that were passed to [`VertexNormals::new`].
    pub triangles: &'a Triangles,
    /// Their planes, computed from the same positions.
    pub planes: &'a Planes,
    /// The weight of each triangle.
    pub weights: NormalWeights,
}
