//! What a model is made of beside its skeleton, skins and clips.

use std::ops::Range;

use crate::Mesh;

/// Geometry with what belongs to its vertices: what files call a primitive, or a mesh.
///
/// Arrays have an element for each vertex, in the order of the source; [`Mesh::to_run_order`] turns them.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Its name, which may be empty and need not be unique.
    pub name: String,
    /// The vertices and triangles.
    pub mesh: Mesh,
    /// Sets of texture coordinates; an empty set is one that the file leaves out.
    pub texture_coordinates: Vec<Vec<[f32; 2]>>,
    /// Sets of colours: red, green, blue and alpha, linear.
    pub colours: Vec<Vec<[f32; 4]>>,
    /// Which of the model's materials, if any.
    pub material: Option<usize>,
}

/// A surface that is there: on a skin, moved by joints and by morph weights. Many parts may share a surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name: that of the node that has it in the file.
    pub name: String,
    /// The joint that has it. It moves the part only if the skin says so.
    pub joint: usize,
    /// Which of the model's surfaces.
    pub surface: usize,
    /// Which of the model's skins. A part that no skin of the file moves hangs on a skin of one joint, its own.
    pub skin: usize,
    /// Which of the pose's morph weights move it: one for each morph target of the surface.
    pub morph_weights: Range<usize>,
}

/// What a surface looks like, as far as sinew keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name, which may be empty.
    pub name: String,
    /// Red, green, blue and alpha, linear.
    pub base_colour: [f32; 4],
    /// The picture that the base colour is multiplied with.
    pub base_texture: Option<Texture>,
}

impl Default for Material {
    /// White, without a name.
    fn default() -> Self {
        Self { name: String::new(), base_colour: [1.0; 4], base_texture: None }
    }
}

/// A picture on a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Which of the model's images.
    pub image: usize,
    /// Which set of texture coordinates.
    pub set: usize,
}

/// A picture as it came: never decoded, and never fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Its name, which may be empty.
    pub name: String,
    /// Its media type, such as `image/png`; empty where the file does not say.
    pub media_type: String,
    /// The bytes, where the file has them in itself.
    pub bytes: Vec<u8>,
    /// Where the picture lies, as the file has it written, when it is not in the file.
    pub uri: String,
}

/// Which way is up in a model's space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// As glTF has it.
    #[default]
    Y,
    /// As MD5 has it.
    Z,
}
