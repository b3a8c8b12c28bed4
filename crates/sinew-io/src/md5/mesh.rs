//! One mesh block as the file has it.

use super::budget::Budget;
use super::text::{Place, Text, Token};
use crate::Error;

/// A mesh block, its lists checked against their counts but not against each other.
pub(super) struct Block {
    /// Where the block begins.
    pub(super) place: Place,
    /// Its own name, or what the comment of exporters says; may be empty.
    pub(super) name: String,
    pub(super) shader: Option<String>,
    pub(super) vertices: Vec<Vertex>,
    /// Clockwise seen from the front.
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) weights: Vec<Weight>,
}

/// A vertex: which of the weights are its.
pub(super) struct Vertex {
    pub(super) place: Place,
    pub(super) texture_coordinates: [f32; 2],
    pub(super) first: usize,
    pub(super) count: usize,
}

/// How much a joint moves a vertex, and where it would have it.
pub(super) struct Weight {
    pub(super) place: Place,
    pub(super) joint: u32,
    pub(super) weight: f32,
    /// In the joint's space.
    pub(super) vector: [f64; 3],
}

/// The bytes of the shortest lines, such as `vert 0(0 0)0 1`.
const SHORTEST_VERTEX: usize = 14;
const SHORTEST_TRIANGLE: usize = 11;
const SHORTEST_WEIGHT: usize = 19;

/// What a vertex takes beside its influences: as read, and while normals are made. Measured.
const VERTEX_BYTES: u64 = 112;

/// What a triangle takes: as read, turned round, and in the mesh.
const TRIANGLE_BYTES: u64 = 36;

impl Block {
    /// Reads a block after its first word. The parts may come in any order, each once.
    pub(super) fn read(
        text: &mut Text<'_>,
        place: Place,
        joints: usize,
        budget: &mut Budget,
    ) -> Result<Self, Error> {
        text.mark(b'{')?;
        let mut name = text.comment().map(|comment| named_by(&comment)).unwrap_or_default();
        let (mut shader, mut vertices, mut triangles, mut weights) = (None, None, None, None);
        while text.token() != Token::Mark(b'}') {
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
                    let (place, list) = (text.place(), read_triangles(text, budget)?);
                    triangles = Some((place, list));
                }
                Token::Word(b"numweights") if weights.is_none() => {
                    weights = Some(read_weights(text, joints, budget)?);
                }
                _ => {
                    return Err(
                        text.fault("`shader`, `numverts`, `numtris` or `numweights`, each once, or `}`")
                    );
                }
            }
        }
        text.take()?;
        let vertices = vertices.unwrap_or_default();
        let triangles = match triangles {
            Some((place, list)) => checked(list, vertices.len(), place)?,
            None => Vec::new(),
        };
        Ok(Self { place, name, shader, vertices, triangles, weights: weights.unwrap_or_default() })
    }
}

/// Exporters write `// meshes: name`.
fn named_by(comment: &str) -> String {
    comment.strip_prefix("meshes:").unwrap_or_default().trim().to_owned()
}

fn read_vertices(text: &mut Text<'_>, budget: &mut Budget) -> Result<Vec<Vertex>, Error> {
    text.take()?;
    let len = text.count("the number of vertices", SHORTEST_VERTEX)?;
    budget.charge(text.place(), "vertices", len as u64, VERTEX_BYTES)?;
    let mut vertices = Vec::with_capacity(len);
    for vertex in 0..len {
        let place = text.place();
        text.keyword("vert")?;
        text.running("vertex", vertex)?;
        let texture_coordinates = text.vector("a texture coordinate")?.map(|element: f64| element as f32);
        let [first, count] = [text.integer("the first weight")?, text.integer("the number of weights")?];
        match [usize::try_from(first), usize::try_from(count)] {
            [Ok(first), Ok(count)] if count > 0 => {
                vertices.push(Vertex { place, texture_coordinates, first, count });
            }
            _ => {
                let found = format!("{count} from number {first}");
                return Err(Error::fault(place.to_string(), "a vertex with one weight or more", found));
            }
        }
    }
    Ok(vertices)
}

fn read_triangles(text: &mut Text<'_>, budget: &mut Budget) -> Result<Vec<[u32; 3]>, Error> {
    text.take()?;
    let len = text.count("the number of triangles", SHORTEST_TRIANGLE)?;
    budget.charge(text.place(), "triangles", len as u64, TRIANGLE_BYTES)?;
    let mut triangles = Vec::with_capacity(len);
    for triangle in 0..len {
        text.keyword("tri")?;
        text.running("triangle", triangle)?;
        // What a `u32` cannot hold is never a vertex.
        let most = u32::MAX as usize;
        let mut vertex = || text.index("a vertex of the mesh", most);
        triangles.push([vertex()?, vertex()?, vertex()?]);
    }
    Ok(triangles)
}

/// The triangles, all of whose vertices are there. The vertices may follow them in the file.
fn checked(triangles: Vec<[u32; 3]>, vertices: usize, place: Place) -> Result<Vec<[u32; 3]>, Error> {
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(vertex) = corners.iter().find(|&&vertex| vertex as usize >= vertices) {
            let expected = format!("triangles of the mesh's {vertices} vertices");
            let found = format!("vertex {vertex} in triangle {triangle}");
            return Err(Error::fault(place.to_string(), expected, found));
        }
    }
    Ok(triangles)
}

fn read_weights(text: &mut Text<'_>, joints: usize, budget: &mut Budget) -> Result<Vec<Weight>, Error> {
    text.take()?;
    let len = text.count("the number of weights", SHORTEST_WEIGHT)?;
    budget.charge(text.place(), "weights", len as u64, size_of::<Weight>() as u64)?;
    let mut weights = Vec::with_capacity(len);
    for weight in 0..len {
        let place = text.place();
        text.keyword("weight")?;
        text.running("weight", weight)?;
        let joint = text.index("a joint", joints)?;
        let weight = text.number("a weight")? as f32;
        weights.push(Weight { place, joint, weight, vector: text.vector("the vector of a weight")? });
    }
    Ok(weights)
}
