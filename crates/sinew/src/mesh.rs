//! A mesh that can be skinned: checked once, its vertices in runs.

use sinew_kernels::{BLOCK, Kernels, VectorBlock};

use crate::error::check_len;
use crate::influences::Hanging;
use crate::runs::Runs;
use crate::{Error, Influences, Skin};

/// A mesh as files and tools have it: one element for each vertex in every array.
#[derive(Clone, Copy, Debug)]
pub struct MeshSource<'a> {
    /// Where the vertices are at rest.
    pub positions: &'a [[f32; 3]],
    /// Of length one.
    pub normals: Option<&'a [[f32; 3]]>,
    /// Of length one, with the sign of the bitangent as fourth; only together with normals.
    pub tangents: Option<&'a [[f32; 4]]>,
    /// Which joints of the skin move each vertex.
    pub influences: Influences<'a>,
    /// Vertices of each triangle, counter-clockwise seen from the front.
    pub triangles: &'a [[u32; 3]],
}

/// A mesh in *run order*: vertices that hang on the same joints lie together, in blocks of eight.
///
/// A run that does not fill its last block repeats its last vertex there: a pad, which no triangle uses.
#[derive(Clone, Debug)]
pub struct Mesh {
    pub(crate) runs: Runs,
    /// Vectors of each block: position, then normal and tangent where there are any.
    pub(crate) base: Vec<VectorBlock>,
    pub(crate) base_vectors: usize,
    /// In run order.
    tangent_signs: Vec<f32>,
    /// In run order.
    triangles: Vec<[u32; 3]>,
    pub(crate) skin_len: usize,
    pub(crate) kernels: &'static Kernels,
}

impl Mesh {
    /// Checks the source and groups its vertices into runs. The kernels are the skin's.
    ///
    /// # Errors
    ///
    /// The first fault, with its vertex or triangle: arrays of different length, tangents without normals, a number
    /// that is not finite, a joint that is not in the skin, a weight that is negative or not finite, a vertex without
    /// weight, a triangle with a vertex that is not there.
    pub fn new(source: &MeshSource<'_>, skin: &Skin) -> Result<Self, Error> {
        let vertices = source.positions.len();
        // A run pads by less than a block, and places are numbered like vertices.
        let limit = u32::MAX as usize / BLOCK;
        if vertices > limit {
            return Err(Error::TooManyVertices { limit, found: vertices });
        }
        check_vectors("position", source.positions)?;
        if let Some(normals) = source.normals {
            check_len("normals", vertices, normals.len())?;
            check_vectors("normal", normals)?;
        }
        if let Some(tangents) = source.tangents {
            if source.normals.is_none() {
                return Err(Error::TangentsWithoutNormals);
            }
            check_len("tangents", vertices, tangents.len())?;
            check_vectors("tangent", tangents)?;
        }
        let runs = Runs::new(&Hanging::new(source.influences, vertices, skin.len())?);
        let triangles = triangles_in_run_order(source.triangles, &runs.place_of_vertex)?;
        let tangent_signs = source.tangents.map_or_else(Vec::new, |tangents| {
            runs.vertex_of_place.iter().map(|&vertex| tangents[vertex as usize][3]).collect()
        });
        let (base, base_vectors) = base_of(source, &runs.vertex_of_place);
        Ok(Self {
            runs,
            base,
            base_vectors,
            tangent_signs,
            triangles,
            skin_len: skin.len(),
            kernels: skin.kernels(),
        })
    }

    /// The number of vertices of the source.
    #[must_use]
    pub fn len(&self) -> usize {
        self.runs.place_of_vertex.len()
    }

    /// Whether there is no vertex.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of places in run order, pads included: a multiple of eight.
    #[must_use]
    pub fn padded_len(&self) -> usize {
        self.runs.vertex_of_place.len()
    }

    /// The number of runs: of different sets of joints.
    #[must_use]
    pub fn run_count(&self) -> usize {
        self.runs.groups.iter().map(|group| group.runs.len()).sum()
    }

    /// The triangles, in the source's order, with places in run order for vertices.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The sign of each place's bitangent; empty where the mesh has no tangents.
    #[must_use]
    pub fn tangent_signs(&self) -> &[f32] {
        &self.tangent_signs
    }

    /// For each vertex of the source its place in run order.
    #[must_use]
    pub fn place_of_vertex(&self) -> &[u32] {
        &self.runs.place_of_vertex
    }

    /// For each place in run order its vertex of the source; a pad has that of its run's last vertex.
    #[must_use]
    pub fn vertex_of_place(&self) -> &[u32] {
        &self.runs.vertex_of_place
    }

    /// Any array with an element for each vertex, in run order, pads included: texture coordinates, colours.
    ///
    /// # Errors
    ///
    /// When there are not as many elements as vertices.
    pub fn to_run_order<T: Copy>(&self, by_vertex: &[T]) -> Result<Vec<T>, Error> {
        check_len("elements by vertex", self.len(), by_vertex.len())?;
        Ok(self.vertex_of_place().iter().map(|&vertex| by_vertex[vertex as usize]).collect())
    }

    /// The way back from [`to_run_order`](Self::to_run_order): pads are left out.
    ///
    /// # Errors
    ///
    /// When there are not as many elements as places.
    pub fn to_source_order<T: Copy>(&self, by_place: &[T]) -> Result<Vec<T>, Error> {
        check_len("elements by place", self.padded_len(), by_place.len())?;
        Ok(self.place_of_vertex().iter().map(|&place| by_place[place as usize]).collect())
    }
}

/// Demands finite numbers.
fn check_vectors<const N: usize>(what: &'static str, vectors: &[[f32; N]]) -> Result<(), Error> {
    match vectors.iter().position(|vector| vector.iter().any(|component| !component.is_finite())) {
        Some(vertex) => Err(Error::VertexNotFinite { vertex, what }),
        None => Ok(()),
    }
}

fn triangles_in_run_order(triangles: &[[u32; 3]], places: &[u32]) -> Result<Vec<[u32; 3]>, Error> {
    let place = |triangle: usize, vertex: u32| {
        let place = places.get(vertex as usize).copied();
        place.ok_or(Error::TriangleOutOfRange { triangle, vertex, len: places.len() })
    };
    let turned = triangles.iter().enumerate();
    turned.map(|(i, &[a, b, c])| Ok([place(i, a)?, place(i, b)?, place(i, c)?])).collect()
}

/// The blocks of base vectors, and how many vectors each has.
fn base_of(source: &MeshSource<'_>, vertex_of_place: &[u32]) -> (Vec<VectorBlock>, usize) {
    let vectors = 1 + usize::from(source.normals.is_some()) + usize::from(source.tangents.is_some());
    let mut base = vec![VectorBlock::default(); vertex_of_place.len() / BLOCK * vectors];
    for (block, vertices) in base.chunks_mut(vectors).zip(vertex_of_place.chunks(BLOCK)) {
        for (lane, &vertex) in vertices.iter().enumerate() {
            let vertex = vertex as usize;
            block[0].set_vector(lane, source.positions[vertex]);
            if let Some(normals) = source.normals {
                block[1].set_vector(lane, normals[vertex]);
            }
            if let Some(tangents) = source.tangents {
                let [x, y, z, _] = tangents[vertex];
                block[2].set_vector(lane, [x, y, z]);
            }
        }
    }
    (base, vectors)
}
