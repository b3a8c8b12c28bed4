//! One mesh block of a file.

use super::tokenizer::{Token, Tokenizer};
use crate::error::BoxedError as Error;
use crate::scene::Budget;
use crate::text_location::TextLocation;

/// A mesh block. Each list has been checked against its own count, but not against the other lists.
pub(super) struct MeshBlock {
    /// Where the block starts.
    pub(super) location: TextLocation,
    /// The name from the `name` line or from the exporter's comment; may be empty.
    pub(super) name: String,
    pub(super) shader: Option<String>,
    pub(super) vertices: Vec<Vertex>,
    /// Clockwise seen from the front.
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) weights: Vec<Weight>,
}

/// A vertex, with its range of weights.
pub(super) struct Vertex {
    pub(super) location: TextLocation,
    pub(super) texture_coordinates: [f32; 2],
    pub(super) first: usize,
    pub(super) count: usize,
}

/// The influence of a joint on a vertex.
pub(super) struct Weight {
    pub(super) location: TextLocation,
    pub(super) joint: u32,
    pub(super) weight: f32,
    /// The position of the vertex in the joint's space.
    pub(super) vector: [f64; 3],
}

/// The bytes of the shortest lines, such as `vert 0(0 0)0 1`.
const SHORTEST_VERTEX: usize = 14;
const SHORTEST_TRIANGLE: usize = 11;
const SHORTEST_WEIGHT: usize = 19;

/// The bytes that a vertex takes besides its influences: here, and while normals are computed.
/// Measured.
const VERTEX_BYTES: u64 = 112;

/// The bytes that a triangle takes: here, with its winding reversed, and in the mesh.
const TRIANGLE_BYTES: u64 = 36;

impl MeshBlock {
    /// Reads a block after the word `mesh`. The lists may come in any order, each once.
    pub(super) fn read(
        text: &mut Tokenizer<'_>,
        location: TextLocation,
        joints: usize,
        budget: &Budget,
    ) -> Result<Self, Error> {
        text.punctuation(b'{')?;
        let mut name = text.comment().map(|comment| name_from_comment(&comment)).unwrap_or_default();
        let (mut shader, mut vertices, mut triangles, mut weights) = (None, None, None, None);
        while text.token() != Token::Punctuation(b'}') {
            match text.token() {
                Token::Word(b"name") => {
                    text.take()?;
                    name = text.name("the name of the mesh")?;
                }
                Token::Word(b"shader") if shader.is_none() => {
                    text.take()?;
                    shader = Some(text.name("the shader of the mesh")?);
                }
                Token::Word(b"numverts") if vertices.is_none() => {
                    vertices = Some(read_vertices(text, budget)?)
                }
                Token::Word(b"numtris") if triangles.is_none() => {
                    let (location, list) = (text.location(), read_triangles(text, budget)?);
                    triangles = Some((location, list));
                }
                Token::Word(b"numweights") if weights.is_none() => {
                    weights = Some(read_weights(text, joints, budget)?);
                }
                _ => {
                    return Err(
                        text.unexpected("`shader`, `numverts`, `numtris` or `numweights`, each once, or `}`")
                    );
                }
            }
        }
        text.take()?;
        let vertices = vertices.unwrap_or_default();
        let triangles = match triangles {
            Some((location, list)) => check_triangles(list, vertices.len(), location)?,
            None => Vec::new(),
        };
        Ok(Self { location, name, shader, vertices, triangles, weights: weights.unwrap_or_default() })
    }
}

/// The name in a comment `// meshes: name`, which exporters write.
fn name_from_comment(comment: &str) -> String {
    comment.strip_prefix("meshes:").unwrap_or_default().trim().to_owned()
}

fn read_vertices(text: &mut Tokenizer<'_>, budget: &Budget) -> Result<Vec<Vertex>, Error> {
    text.take()?;
    let len = text.count("the number of vertices", SHORTEST_VERTEX)?;
    budget.charge(text.location(), "vertices", len as u64, VERTEX_BYTES)?;
    let mut vertices = Vec::with_capacity(len);
    for vertex in 0..len {
        let location = text.location();
        text.keyword("vert")?;
        text.sequence_number("vertex", vertex)?;
        let texture_coordinates = text.vector("a texture coordinate")?.map(|element: f64| element as f32);
        let [first, count] = [text.integer("the first weight")?, text.integer("the number of weights")?];
        match [usize::try_from(first), usize::try_from(count)] {
            [Ok(first), Ok(count)] if count > 0 => {
                vertices.push(Vertex { location, texture_coordinates, first, count });
            }
            _ => {
                let found = format!("{count} from index {first}");
                return Err(Error::invalid(location.to_string(), "a vertex with one weight or more", found));
            }
        }
    }
    Ok(vertices)
}

fn read_triangles(text: &mut Tokenizer<'_>, budget: &Budget) -> Result<Vec<[u32; 3]>, Error> {
    text.take()?;
    let len = text.count("the number of triangles", SHORTEST_TRIANGLE)?;
    budget.charge(text.location(), "triangles", len as u64, TRIANGLE_BYTES)?;
    let mut triangles = Vec::with_capacity(len);
    for triangle in 0..len {
        text.keyword("tri")?;
        text.sequence_number("triangle", triangle)?;
        // An index that does not fit `u32` is never valid.
        let most = u32::MAX as usize;
        let mut vertex = || text.index("a vertex of the mesh", most);
        triangles.push([vertex()?, vertex()?, vertex()?]);
    }
    Ok(triangles)
}

/// Checks the vertex indices of all triangles. In the file, the vertices may come after the
/// triangles.
fn check_triangles(
    triangles: Vec<[u32; 3]>,
    vertices: usize,
    location: TextLocation,
) -> Result<Vec<[u32; 3]>, Error> {
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(vertex) = corners.iter().find(|&&vertex| vertex as usize >= vertices) {
            let expected = format!("triangles of the mesh's {vertices} vertices");
            let found = format!("vertex {vertex} in triangle {triangle}");
            return Err(Error::invalid(location.to_string(), expected, found));
        }
    }
    Ok(triangles)
}

fn read_weights(text: &mut Tokenizer<'_>, joints: usize, budget: &Budget) -> Result<Vec<Weight>, Error> {
    text.take()?;
    let len = text.count("the number of weights", SHORTEST_WEIGHT)?;
    budget.charge(text.location(), "weights", len as u64, size_of::<Weight>() as u64)?;
    let mut weights = Vec::with_capacity(len);
    for weight in 0..len {
        let location = text.location();
        text.keyword("weight")?;
        text.sequence_number("weight", weight)?;
        let joint = text.index("a joint", joints)?;
        let weight = text.number("a weight")? as f32;
        weights.push(Weight { location, joint, weight, vector: text.vector("the vector of a weight")? });
    }
    Ok(weights)
}
