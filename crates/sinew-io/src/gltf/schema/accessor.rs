//! Accessors: what the numbers in a buffer view are.

use super::enum_value::{EnumValue, Named, Names};
use super::index::Index;
use crate::error::BoxedError as Error;
use crate::json::Value;

pub(crate) struct Accessor<'a> {
    pub(crate) buffer_view: Option<Index>,
    pub(crate) byte_offset: u64,
    pub(crate) count: u64,
    pub(crate) component_type: EnumValue<ComponentType>,
    pub(crate) type_: EnumValue<Type>,
    /// Any JSON. If it is not an array of numbers, the import gives a warning.
    pub(crate) min: Option<Value<'a>>,
    /// As for `min`.
    pub(crate) max: Option<Value<'a>>,
    pub(crate) normalized: bool,
    pub(crate) sparse: Option<Box<Sparse>>,
}

impl<'a> Accessor<'a> {
    pub(super) fn read(value: Value<'a>) -> Result<Self, Error> {
        let [view, offset, component, count, extensions, max, min, name, normalized, sparse, type_] =
            value.fields(&[
                "bufferView",
                "byteOffset",
                "componentType",
                "count",
                "extensions",
                "max",
                "min",
                "name",
                "normalized",
                "sparse",
                "type",
            ])?;
        name.check_string()?;
        extensions.check_object()?;
        Ok(Self {
            buffer_view: Index::read_some(view)?,
            byte_offset: offset.u64()?.unwrap_or_default(),
            count: count.required()?.u64()?,
            component_type: EnumValue::read(component.required()?)?,
            type_: EnumValue::read(type_.required()?)?,
            min: min.some(),
            max: max.some(),
            normalized: normalized.bool_or(false)?,
            sparse: sparse.some().map(Sparse::read).transpose()?.map(Box::new),
        })
    }
}

/// The elements of an accessor that differ from its buffer view, or from zero.
pub(crate) struct Sparse {
    pub(crate) count: u64,
    pub(crate) indices: Indices,
    pub(crate) values: Values,
}

impl Sparse {
    fn read(value: Value<'_>) -> Result<Self, Error> {
        let [count, indices, values] = value.fields(&["count", "indices", "values"])?;
        Ok(Self {
            count: count.required()?.u64()?,
            indices: Indices::read(indices.required()?)?,
            values: Values::read(values.required()?)?,
        })
    }
}

pub(crate) struct Indices {
    pub(crate) buffer_view: Index,
    pub(crate) byte_offset: u64,
    pub(crate) component_type: EnumValue<IndexType>,
}

impl Indices {
    fn read(value: Value<'_>) -> Result<Self, Error> {
        let [view, offset, component] = value.fields(&["bufferView", "byteOffset", "componentType"])?;
        Ok(Self {
            buffer_view: Index::read(view.required()?)?,
            byte_offset: offset.u64_or(0)?,
            component_type: EnumValue::read(component.required()?)?,
        })
    }
}

pub(crate) struct Values {
    pub(crate) buffer_view: Index,
    pub(crate) byte_offset: u64,
}

impl Values {
    fn read(value: Value<'_>) -> Result<Self, Error> {
        let [view, offset] = value.fields(&["bufferView", "byteOffset"])?;
        Ok(Self { buffer_view: Index::read(view.required()?)?, byte_offset: offset.u64_or(0)? })
    }
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
