//! glTF 2.0's JSON as types: every field that the specification gives a type, read or not, so that
//! a document with a field of the wrong type is refused. Fields that glTF does not know are
//! skipped.

#![expect(dead_code, reason = "fields that the importer does not read are here to be checked")]

pub(crate) mod accessor;
pub(crate) mod animation;
mod asset;
pub(crate) mod buffer;
mod camera;
mod enum_value;
mod extensions;
mod extras;
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
pub(crate) use texture::Info;
