//! glTF 2.0's JSON as types. Most fields that the importer does not use are checked too, so that a
//! document with a field of the wrong type is refused. Fields that glTF does not know are skipped.

pub(crate) mod accessor;
pub(crate) mod animation;
mod asset;
pub(crate) mod buffer;
mod camera;
mod enum_value;
mod image;
mod index;
mod material;
pub(crate) mod mesh;
mod node;
mod root;
mod scene;
mod skin;
mod texture;

pub(crate) use accessor::Accessor;
pub(crate) use animation::Animation;
pub(crate) use asset::Asset;
pub(crate) use buffer::Buffer;
pub(crate) use enum_value::EnumValue;
pub(crate) use image::Image;
pub(crate) use index::Index;
pub(crate) use material::{AlphaMode, Material};
pub(crate) use node::Node;
pub(crate) use root::Root;
pub(crate) use texture::TextureInfo;
