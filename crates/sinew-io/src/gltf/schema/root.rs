//! The document.

use std::borrow::Cow;

use super::accessor::Accessor;
use super::animation::Animation;
use super::asset::Asset;
use super::buffer::{Buffer, View};
use super::camera::Camera;
use super::image::Image;
use super::index::Index;
use super::material::Material;
use super::mesh::Mesh;
use super::node::Node;
use super::scene::Scene;
use super::skin::Skin;
use super::texture::{Sampler, Texture};
use crate::error::BoxedError as Error;
use crate::json::Value;

pub(crate) struct Root<'a> {
    pub(crate) accessors: Vec<Accessor<'a>>,
    pub(crate) animations: Vec<Animation<'a>>,
    pub(crate) asset: Asset<'a>,
    pub(crate) buffers: Vec<Buffer<'a>>,
    pub(crate) buffer_views: Vec<View<'a>>,
    pub(crate) scene: Option<Index>,
    pub(crate) extensions: Option<Value<'a>>,
    pub(crate) extensions_used: Vec<Cow<'a, str>>,
    pub(crate) extensions_required: Vec<Cow<'a, str>>,
    pub(crate) cameras: Vec<Camera>,
    pub(crate) images: Vec<Image<'a>>,
    pub(crate) materials: Vec<Material<'a>>,
    pub(crate) meshes: Vec<Mesh<'a>>,
    pub(crate) nodes: Vec<Node<'a>>,
    pub(crate) samplers: Vec<Sampler>,
    pub(crate) scenes: Vec<Scene>,
    pub(crate) skins: Vec<Skin>,
    pub(crate) textures: Vec<Texture<'a>>,
}

impl<'a> Root<'a> {
    pub(crate) fn read(value: Value<'a>) -> Result<Self, Error> {
        let [accessors, animations, asset, buffers, buffer_views, scene, extensions] = value.fields(&[
            "accessors",
            "animations",
            "asset",
            "buffers",
            "bufferViews",
            "scene",
            "extensions",
        ])?;
        let [extensions_used, extensions_required, cameras, images, materials, meshes] = value.fields(&[
            "extensionsUsed",
            "extensionsRequired",
            "cameras",
            "images",
            "materials",
            "meshes",
        ])?;
        let [nodes, samplers, scenes, skins, textures] =
            value.fields(&["nodes", "samplers", "scenes", "skins", "textures"])?;
        extensions.check_object()?;
        Ok(Self {
            asset: Asset::read(asset.required()?)?,
            accessors: accessors.array(Accessor::read)?,
            animations: animations.array(Animation::read)?,
            buffers: buffers.array(Buffer::read)?,
            buffer_views: buffer_views.array(View::read)?,
            scene: Index::read_some(scene)?,
            extensions: extensions.some(),
            extensions_used: extensions_used.array(Value::str)?,
            extensions_required: extensions_required.array(Value::str)?,
            cameras: cameras.array(Camera::read)?,
            images: images.array(Image::read)?,
            materials: materials.array(Material::read)?,
            meshes: meshes.array(Mesh::read)?,
            nodes: nodes.array(Node::read)?,
            samplers: samplers.array(Sampler::read)?,
            scenes: scenes.array(Scene::read)?,
            skins: skins.array(Skin::read)?,
            textures: textures.array(Texture::read)?,
        })
    }
}
