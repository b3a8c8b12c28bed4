//! Primitives, mesh instances, materials and images of a model.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::mesh::Mesh;
use crate::skeleton::JointId;

/// A mesh with its per-vertex data and material: a primitive of glTF, or a mesh of other formats.
///
/// Arrays have one element per vertex in source order. [`Mesh::to_run_order`] converts them.
#[derive(Clone, Debug)]
pub struct Primitive {
    /// The name, which may be empty and need not be unique.
    pub name: String,
    /// The vertices and triangles.
    pub mesh: Mesh,
    /// Sets of texture coordinates. A set that the file leaves out is empty.
    pub texture_coordinates: Vec<Vec<[f32; 2]>>,
    /// Sets of linear RGBA colors.
    pub colors: Vec<Vec<[f32; 4]>>,
    /// The index of the material, if any.
    pub material: Option<usize>,
}

/// An instance of a primitive, deformed by a skin and by morph weights. Several mesh instances may
/// share a primitive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshInstance {
    /// The name of the node in the file.
    pub name: String,
    /// The joint of the node. It moves the mesh instance only if the skin contains it.
    pub joint: JointId,
    /// The index of the primitive.
    pub primitive: usize,
    /// The index of the skin. A mesh instance without a skin in the file has a skin of one joint:
    /// its own.
    pub skin: usize,
    /// The range of its morph weights in the pose: one per morph target of the primitive.
    pub morph_weights: Range<usize>,
}

impl Primitive {
    /// A named mesh without texture coordinates, colors and material.
    #[must_use]
    pub fn new(name: &str, mesh: Mesh) -> Self {
        Self {
            name: name.to_owned(),
            mesh,
            texture_coordinates: Vec::new(),
            colors: Vec::new(),
            material: None,
        }
    }
}

impl MeshInstance {
    /// An instance of the model's first primitive with its first skin, without morph weights.
    #[must_use]
    pub fn new(name: &str, joint: JointId) -> Self {
        Self { name: name.to_owned(), joint, primitive: 0, skin: 0, morph_weights: 0..0 }
    }
}

/// A material, with the properties of glTF's.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// The name, which may be empty.
    pub name: String,
    /// Linear RGBA.
    pub base_color: [f32; 4],
    /// The texture that is multiplied with the base color.
    pub base_texture: Option<Texture>,
    /// From 0, a dielectric, to 1, a metal.
    pub metallic: f32,
    /// From 0, a mirror, to 1.
    pub roughness: f32,
    /// The texture that is multiplied with roughness (green) and metallic (blue).
    pub metallic_roughness_texture: Option<Texture>,
    /// Normals in tangent space.
    pub normal_texture: Option<Texture>,
    /// The scale of the normal texture's x and y.
    pub normal_scale: f32,
    /// The ambient light that reaches each point (red).
    pub occlusion_texture: Option<Texture>,
    /// How much the occlusion texture darkens, from 0 to 1.
    pub occlusion_strength: f32,
    /// Linear RGB of emitted light.
    pub emissive: [f32; 3],
    /// The texture that is multiplied with the emitted light.
    pub emissive_texture: Option<Texture>,
    /// What the alpha of the base color means.
    pub alpha_mode: AlphaMode,
    /// Whether both sides of triangles are drawn.
    pub double_sided: bool,
}

impl Default for Material {
    /// White, opaque, rough, not metallic, without a name.
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: [1.0; 4],
            base_texture: None,
            metallic: 0.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: [0.0; 3],
            emissive_texture: None,
            alpha_mode: AlphaMode::Opaque,
            double_sided: false,
        }
    }
}

impl Material {
    /// All textures of the material: base color, metallic and roughness, normals, occlusion,
    /// emission.
    #[must_use]
    pub fn textures(&self) -> [Option<Texture>; 5] {
        [
            self.base_texture,
            self.metallic_roughness_texture,
            self.normal_texture,
            self.occlusion_texture,
            self.emissive_texture,
        ]
    }
}

/// What the alpha of a material's base color means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Nothing: the material is opaque.
    #[default]
    Opaque,
    /// A point is drawn if its alpha is not below the cutoff.
    Mask {
        /// The least alpha that is drawn.
        cutoff: f32,
    },
    /// How much a point covers what is behind it.
    Blend,
}

/// A texture: an image, a set of texture coordinates and a sampler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Texture {
    /// The index of the image.
    pub image: usize,
    /// The index of the set of texture coordinates.
    pub set: usize,
    /// How the image is sampled.
    pub sampler: Sampler,
}

/// How an image is sampled, in the numbers of glTF and OpenGL. `None` leaves it to the program that
/// draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// The filter for magnified texels.
    pub mag_filter: Option<u32>,
    /// The filter for minified texels.
    pub min_filter: Option<u32>,
    /// How coordinates outside 0 to 1 are wrapped along u.
    pub wrap_s: Option<u32>,
    /// How coordinates outside 0 to 1 are wrapped along v.
    pub wrap_t: Option<u32>,
}

/// An encoded image. sinew neither decodes nor downloads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// The name, which may be empty.
    pub name: String,
    /// The media type, such as `image/png`; empty if the file does not state it.
    pub media_type: String,
    /// The encoded bytes, if they are embedded in the file.
    pub bytes: Vec<u8>,
    /// The URI as written in the file, if the image is external.
    pub uri: String,
}

/// What a file says about itself, kept when the model is written again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The copyright notice, which may be empty.
    pub copyright: String,
    /// The JSON of the application's own data about the file; empty for none.
    pub extras: String,
    /// The JSON of the application's own data about joints, by the index of the joint.
    pub joint_extras: BTreeMap<usize, String>,
    /// The JSON of the application's own data about materials, by the index of the material.
    pub material_extras: BTreeMap<usize, String>,
}

/// The up axis of model space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpAxis {
    /// +Y is up, as in glTF.
    #[default]
    Y,
    /// +Z is up, as in MD5.
    Z,
}

impl UpAxis {
    /// Rotates a vector from model space to a space with +Y up and the model's front along +Z.
    ///
    /// ```
    /// use sinew::model::UpAxis;
    ///
    /// let front_of_md5 = [1.0, 0.0, 0.0];
    /// assert_eq!(UpAxis::Z.y_up_from_model(front_of_md5), [0.0, 0.0, 1.0]);
    /// assert_eq!(UpAxis::Z.model_from_y_up([0.0, 0.0, 1.0]), front_of_md5);
    /// ```
    #[must_use]
    pub fn y_up_from_model(self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Y => [x, y, z],
            // The front of an MD5 model is along +X.
            Self::Z => [y, z, x],
        }
    }

    /// Rotates a vector from a space with +Y up to model space: the inverse of
    /// [`y_up_from_model`](Self::y_up_from_model).
    #[must_use]
    pub fn model_from_y_up(self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Y => [x, y, z],
            Self::Z => [z, x, y],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn y_up_from_model_and_model_from_y_up_are_inverse() {
        for axis in [UpAxis::Y, UpAxis::Z] {
            let vector = [1.0, -2.0, 3.0];
            assert_eq!(axis.model_from_y_up(axis.y_up_from_model(vector)), vector);
            assert_eq!(axis.y_up_from_model(axis.model_from_y_up(vector)), vector);
        }
        assert_eq!(UpAxis::Z.y_up_from_model([0.0, 0.0, 1.0]), [0.0, 1.0, 0.0]);
    }
}
