//! Meshes and their primitives.

use std::collections::BTreeMap;
use std::fmt;

use super::enum_value::{EnumValue, Named, Names};
use super::index::Index;
use crate::error::BoxedError as Error;
use crate::json::Value;

pub(crate) struct Mesh<'a> {
    pub(crate) extras: Option<Value<'a>>,
    pub(crate) name: String,
    pub(crate) primitives: Vec<Primitive>,
    pub(crate) weights: Vec<f32>,
}

impl<'a> Mesh<'a> {
    pub(super) fn read(value: Value<'a>) -> Result<Self, Error> {
        let [extensions, extras, name, primitives, weights] =
            value.fields(&["extensions", "extras", "name", "primitives", "weights"])?;
        extensions.check_object()?;
        Ok(Self {
            extras: extras.some(),
            name: name.string()?,
            primitives: primitives.required()?.array(Primitive::read)?,
            weights: weights.some_array(Value::f32)?,
        })
    }
}

pub(crate) struct Primitive {
    /// Accessors by semantic. Of those that glTF does not define, the last one is here.
    pub(crate) attributes: BTreeMap<Semantic, Index>,
    pub(crate) indices: Option<Index>,
    pub(crate) material: Option<Index>,
    pub(crate) mode: EnumValue<Mode>,
    pub(crate) targets: Vec<MorphTarget>,
}

impl Primitive {
    fn read(value: Value<'_>) -> Result<Self, Error> {
        let [attributes, extensions, indices, material, mode, targets] =
            value.fields(&["attributes", "extensions", "indices", "material", "mode", "targets"])?;
        extensions.check_object()?;
        Ok(Self {
            attributes: read_attributes(attributes.required()?)?,
            indices: Index::read_some(indices)?,
            material: Index::read_some(material)?,
            mode: EnumValue::read_or(mode, Mode::Triangles)?,
            targets: targets.some_array(MorphTarget::read)?,
        })
    }
}

fn read_attributes(value: Value<'_>) -> Result<BTreeMap<Semantic, Index>, Error> {
    let mut attributes = BTreeMap::new();
    for (name, accessor) in value.entries()? {
        attributes.insert(Semantic::from_name(&name.str()?), Index::read(accessor)?);
    }
    Ok(attributes)
}

pub(crate) struct MorphTarget {
    pub(crate) positions: Option<Index>,
    pub(crate) normals: Option<Index>,
    pub(crate) tangents: Option<Index>,
}

impl MorphTarget {
    fn read(value: Value<'_>) -> Result<Self, Error> {
        let [positions, normals, tangents] = value.fields(&["POSITION", "NORMAL", "TANGENT"])?;
        Ok(Self {
            positions: Index::read_some(positions)?,
            normals: Index::read_some(normals)?,
            tangents: Index::read_some(tangents)?,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Points,
    Lines,
    LineLoop,
    LineStrip,
    Triangles,
    TriangleStrip,
    TriangleFan,
}

impl Named for Mode {
    const NAMES: Names = Names::Numbers(&[0, 1, 2, 3, 4, 5, 6]);
    const VALUES: &'static [Self] = &[
        Self::Points,
        Self::Lines,
        Self::LineLoop,
        Self::LineStrip,
        Self::Triangles,
        Self::TriangleStrip,
        Self::TriangleFan,
    ];
}

/// The meaning of an attribute, in the order in which primitives are checked.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Semantic {
    /// A name that begins with an underscore, without it.
    Custom(String),
    Positions,
    Normals,
    Tangents,
    Colors(u32),
    TexCoords(u32),
    Joints(u32),
    Weights(u32),
    /// A name that glTF does not define.
    Unknown,
}

impl Semantic {
    fn from_name(name: &str) -> Self {
        let set = |name: &str, semantic: fn(u32) -> Self| name.parse().map_or(Self::Unknown, semantic);
        match name {
            "NORMAL" => return Self::Normals,
            "POSITION" => return Self::Positions,
            "TANGENT" => return Self::Tangents,
            _ => {}
        }
        if let Some(name) = name.strip_prefix('_') {
            Self::Custom(name.to_owned())
        } else if let Some(number) = name.strip_prefix("COLOR_") {
            set(number, Self::Colors)
        } else if let Some(number) = name.strip_prefix("TEXCOORD_") {
            set(number, Self::TexCoords)
        } else if let Some(number) = name.strip_prefix("JOINTS_") {
            set(number, Self::Joints)
        } else if let Some(number) = name.strip_prefix("WEIGHTS_") {
            set(number, Self::Weights)
        } else {
            Self::Unknown
        }
    }
}

/// The name in a document.
impl fmt::Display for Semantic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Custom(name) => write!(f, "_{name}"),
            Self::Positions => f.write_str("POSITION"),
            Self::Normals => f.write_str("NORMAL"),
            Self::Tangents => f.write_str("TANGENT"),
            Self::Colors(set) => write!(f, "COLOR_{set}"),
            Self::TexCoords(set) => write!(f, "TEXCOORD_{set}"),
            Self::Joints(set) => write!(f, "JOINTS_{set}"),
            Self::Weights(set) => write!(f, "WEIGHTS_{set}"),
            Self::Unknown => f.write_str("an unknown attribute"),
        }
    }
}
