//! Accessors: what the numbers in a buffer view are.

use serde::Deserialize;
use serde_json::Value;

use super::enum_value::{EnumValue, Named, Names};
use super::extensions::{Extensions, NoExtensions};
use super::extras::Extras;
use super::index::Index;

#[derive(Deserialize)]
pub(crate) struct Accessor {
    #[serde(rename = "bufferView")]
    pub(crate) buffer_view: Option<Index>,
    #[serde(default, rename = "byteOffset")]
    pub(crate) byte_offset: Option<u64>,
    pub(crate) count: u64,
    #[serde(rename = "componentType")]
    pub(crate) component_type: EnumValue<ComponentType>,
    #[serde(default)]
    extensions: Option<Extensions>,
    #[serde(default)]
    extras: Option<Extras>,
    #[serde(rename = "type")]
    pub(crate) type_: EnumValue<Type>,
    /// Any JSON. If it is not an array of numbers, the import gives a warning.
    #[serde(default)]
    pub(crate) min: Option<Value>,
    /// As for `min`.
    #[serde(default)]
    pub(crate) max: Option<Value>,
    name: Option<String>,
    #[serde(default)]
    pub(crate) normalized: bool,
    #[serde(default)]
    pub(crate) sparse: Option<Sparse>,
}

/// The elements of an accessor that differ from its buffer view, or from zero.
#[derive(Deserialize)]
pub(crate) struct Sparse {
    pub(crate) count: u64,
    pub(crate) indices: Indices,
    pub(crate) values: Values,
    #[serde(default)]
    extensions: Option<NoExtensions>,
    #[serde(default)]
    extras: Option<Extras>,
}

#[derive(Deserialize)]
pub(crate) struct Indices {
    #[serde(rename = "bufferView")]
    pub(crate) buffer_view: Index,
    #[serde(default, rename = "byteOffset")]
    pub(crate) byte_offset: u64,
    #[serde(rename = "componentType")]
    pub(crate) component_type: EnumValue<IndexType>,
    #[serde(default)]
    extensions: Option<NoExtensions>,
    #[serde(default)]
    extras: Option<Extras>,
}

#[derive(Deserialize)]
pub(crate) struct Values {
    #[serde(rename = "bufferView")]
    pub(crate) buffer_view: Index,
    #[serde(default, rename = "byteOffset")]
    pub(crate) byte_offset: u64,
    #[serde(default)]
    extensions: Option<NoExtensions>,
    #[serde(default)]
    extras: Option<Extras>,
}

/// The type of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComponentType {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl ComponentType {
    /// Bytes of a component.
    pub(crate) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }
}

impl Named for ComponentType {
    const NAMES: Names = Names::Numbers(&[5120, 5121, 5122, 5123, 5125, 5126]);
    const VALUES: &'static [Self] = &[Self::I8, Self::U8, Self::I16, Self::U16, Self::U32, Self::F32];
}

/// The type of a sparse accessor's indices.
#[derive(Clone, Copy)]
pub(crate) struct IndexType(pub(crate) ComponentType);

impl Named for IndexType {
    const NAMES: Names = Names::Numbers(&[5121, 5123, 5125]);
    const VALUES: &'static [Self] =
        &[Self(ComponentType::U8), Self(ComponentType::U16), Self(ComponentType::U32)];
}

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat2,
    Mat3,
    Mat4,
}

impl Type {
    /// Components of an element.
    pub(crate) fn multiplicity(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Vec2 => 2,
            Self::Vec3 => 3,
            Self::Vec4 | Self::Mat2 => 4,
            Self::Mat3 => 9,
            Self::Mat4 => 16,
        }
    }
}

impl Named for Type {
    const NAMES: Names = Names::Words(&["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"]);
    const VALUES: &'static [Self] =
        &[Self::Scalar, Self::Vec2, Self::Vec3, Self::Vec4, Self::Mat2, Self::Mat3, Self::Mat4];
}
