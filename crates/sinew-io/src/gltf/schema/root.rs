//! The document.

use serde::Deserialize;

use super::accessor::Accessor;
use super::animation::Animation;
use super::asset::Asset;
use super::buffer::{Buffer, View};
use super::camera::Camera;
use super::extensions::Extensions;
use super::extras::Extras;
use super::image::Image;
use super::index::Index;
use super::material::Material;
use super::mesh::Mesh;
use super::node::Node;
use super::scene::Scene;
use super::skin::Skin;
use super::texture::{Sampler, Texture};

#[derive(Deserialize)]
pub(crate) struct Root {
    #[serde(default)]
    pub(crate) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(crate) animations: Vec<Animation>,
    pub(crate) asset: Asset,
    #[serde(default)]
    pub(crate) buffers: Vec<Buffer>,
    #[serde(default, rename = "bufferViews")]
    pub(crate) buffer_views: Vec<View>,
    pub(crate) scene: Option<Index>,
    #[serde(default)]
    extensions: Option<Extensions>,
    #[serde(default)]
    extras: Option<Extras>,
    #[serde(default, rename = "extensionsUsed")]
    pub(crate) extensions_used: Vec<String>,
    #[serde(default, rename = "extensionsRequired")]
    pub(crate) extensions_required: Vec<String>,
    #[serde(default)]
    pub(crate) cameras: Vec<Camera>,
    #[serde(default)]
    pub(crate) images: Vec<Image>,
    #[serde(default)]
    pub(crate) materials: Vec<Material>,
    #[serde(default)]
    pub(crate) meshes: Vec<Mesh>,
    #[serde(default)]
    pub(crate) nodes: Vec<Node>,
    #[serde(default)]
    pub(crate) samplers: Vec<Sampler>,
    #[serde(default)]
    pub(crate) scenes: Vec<Scene>,
    #[serde(default)]
    pub(crate) skins: Vec<Skin>,
    #[serde(default)]
    pub(crate) textures: Vec<Texture>,
}
