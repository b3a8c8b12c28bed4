//! Vertex normals from the planes of the triangles around them, each frame anew.

use sinew_kernels::{Kernels, PlaneNormals, ToAngles, Triangles};

use crate::error::check_len;
use crate::planes::{check_reach, triangle_points};
use crate::vector::{add, narrow, scale, unit, wide};
use crate::{Error, Planes, Points, Weld};

/// How much a triangle counts for the normals of its vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NormalWeights {
    /// As much as its area: the planes are those of [`PlaneNormals::TwiceArea`]. Cheap, and smooth where large triangles
    /// meet small ones.
    #[default]
    Area,
    /// As much as its angle at the vertex: the planes are those of [`PlaneNormals::Unit`]. How a side is cut into triangles
    /// does not matter.
    Angle,
}

impl NormalWeights {
    /// The planes that it takes.
    #[must_use]
    pub fn planes(self) -> PlaneNormals {
        match self {
            Self::Area => PlaneNormals::TwiceArea,
            Self::Angle => PlaneNormals::Unit,
        }
    }
}

/// Which triangles meet at each place of a mesh: found once, so that a frame only adds.
///
/// The triangles around a place are added in the order of their list, so that results depend on nothing else.
#[derive(Clone, Debug)]
pub struct VertexNormals {
    /// For each place the first place with the same point.
    first: Vec<u32>,
    /// For each place, and after the last, the first of its corners.
    starts: Vec<u32>,
    /// Three times the triangle, and its corner; those of a place in ascending order.
    corners: Vec<u32>,
    reach: usize,
    angles: Vec<[f32; 4]>,
    /// Points out of blocks, sixteen bytes each.
    scratch: Vec<[f32; 4]>,
    kernels: &'static Kernels,
}

impl VertexNormals {
    /// Finds the triangles around every place. Places that are welded share their triangles and have the same normal;
    /// [`Weld::none`] keeps the edges that files split. [`Mesh::kernels`](crate::Mesh::kernels) are those to take.
    ///
    /// # Errors
    ///
    /// When the triangles reach past the last place, or have more than 2^32 - 1 corners.
    pub fn new(triangles: &Triangles, weld: &Weld, kernels: &'static Kernels) -> Result<Self, Error> {
        let (expected, found) = (triangles.required_vertices(), weld.len());
        if expected > found {
            return Err(Error::TooFewPoints { expected, found });
        }
        let limit = u32::MAX as usize / 3;
        if triangles.len() > limit {
            return Err(Error::TooManyTriangles { limit, found: triangles.len() });
        }
        let first = weld.first().to_vec();
        let place = |vertex: u32| first[vertex as usize] as usize;
        let mut starts = vec![0; first.len() + 1];
        for vertex in triangles.iter().flatten() {
            starts[place(vertex) + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let (mut next, mut corners) = (starts.clone(), vec![0; 3 * triangles.len()]);
        for (corner, vertex) in (0..).zip(triangles.iter().flatten()) {
            let next = &mut next[place(vertex)];
            corners[*next as usize] = corner;
            *next += 1;
        }
        let (angles, scratch) = (Vec::new(), Vec::new());
        Ok(Self { first, starts, corners, reach: triangles.required_vertices(), angles, scratch, kernels })
    }

    /// The number of places.
    #[must_use]
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether there are no places.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// The normals of all places, of length one: the sum of the normals of the triangles around each, by their weights.
    ///
    /// Zero where there is no such triangle: at a vertex without triangles, with none but such that have no plane, or where
    /// their normals cancel. Weights by angle take memory once; nothing else does.
    ///
    /// # Errors
    ///
    /// When points, triangles, planes or the slice are not as many as those it was made for, or the planes are not those
    /// that the weights take.
    pub fn derive(&mut self, around: Around<'_>, to: &mut [[f32; 3]]) -> Result<(), Error> {
        self.check(&around, to.len())?;
        let planes = around.planes.planes();
        match around.weights {
            NormalWeights::Area => {
                self.sum(to, |corner| wide(planes[corner as usize / 3].normal));
            }
            NormalWeights::Angle => {
                self.find_angles(around.points, around.triangles);
                let angles = &self.angles;
                self.sum(to, |corner| {
                    let (triangle, corner) = (corner as usize / 3, corner as usize % 3);
                    scale(wide(planes[triangle].normal), f64::from(angles[triangle][corner]))
                });
            }
        }
        Ok(())
    }

    fn check(&self, around: &Around<'_>, len: usize) -> Result<(), Error> {
        check_len("vertex normals", self.len(), len)?;
        check_len("triangles", self.corners.len() / 3, around.triangles.len())?;
        check_len("planes", self.corners.len() / 3, around.planes.len())?;
        check_len("vertices that triangles reach", self.reach, around.triangles.required_vertices())?;
        check_reach(around.triangles, around.points)?;
        let (expected, found) = (around.weights.planes(), around.planes.normals());
        if expected == found { Ok(()) } else { Err(Error::OtherPlanes { expected, found }) }
    }

    fn find_angles(&mut self, points: Points<'_>, triangles: &Triangles) {
        self.angles.resize(triangles.len(), [0.0; 4]);
        self.kernels.corner_angles(ToAngles {
            points: triangle_points(points, triangles, &mut self.scratch),
            triangles,
            range: 0..triangles.len(),
            angles: &mut self.angles,
        });
    }

    /// Adds up what the corners around each place give. Sums are in `f64`, so that areas of any size have a direction.
    fn sum(&self, to: &mut [[f32; 3]], normal: impl Fn(u32) -> [f64; 3]) {
        for place in 0..to.len() {
            let first = self.first[place] as usize;
            to[place] = if first == place {
                let corners = self.starts[place] as usize..self.starts[place + 1] as usize;
                let mut sum = [0.0; 3];
                for &corner in &self.corners[corners] {
                    sum = add(sum, normal(corner));
                }
                unit(sum).map_or([0.0; 3], narrow)
            } else {
                to[first]
            };
        }
    }
}

/// What vertex normals are derived from: a mesh as it is now.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// Where the vertices are.
    pub points: Points<'a>,
    /// The triangles that the normals were made for.
    pub triangles: &'a Triangles,
    /// Their planes, derived from the same points.
    pub planes: &'a Planes,
    /// How much each triangle counts.
    pub weights: NormalWeights,
}
