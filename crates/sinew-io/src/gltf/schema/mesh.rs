//! Meshes and their primitives.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use serde_json::value::RawValue;

use super::enum_value::{EnumValue, Named, Names};
use super::extensions::Extensions;
use super::extras::Extras;
use super::index::Index;

#[derive(Deserialize)]
pub(crate) struct Mesh {
    #[serde(default)]
    extensions: Option<Extensions>,
    /// The JSON text of the extras.
    #[serde(default)]
    pub(crate) extras: Option<Box<RawValue>>,
    pub(crate) name: Option<String>,
    pub(crate) primitives: Vec<Primitive>,
    pub(crate) weights: Option<Vec<f32>>,
}

#[derive(Deserialize)]
pub(crate) struct Primitive {
    /// Accessors by semantic. Of those that glTF does not define, the last one is here.
    pub(crate) attributes: BTreeMap<Semantic, Index>,
    #[serde(default)]
    extensions: Option<Extensions>,
    #[serde(default)]
    extras: Option<Extras>,
    pub(crate) indices: Option<Index>,
    pub(crate) material: Option<Index>,
    #[serde(default)]
    pub(crate) mode: EnumValue<Mode>,
    pub(crate) targets: Option<Vec<MorphTarget>>,
}

#[derive(Deserialize)]
pub(crate) struct MorphTarget {
    #[serde(rename = "POSITION")]
    pub(crate) positions: Option<Index>,
    #[serde(rename = "NORMAL")]
    pub(crate) normals: Option<Index>,
    #[serde(rename = "TANGENT")]
    pub(crate) tangents: Option<Index>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    Points,
    Lines,
    LineLoop,
    LineStrip,
    #[default]
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

impl<'de> Deserialize<'de> for Semantic {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_str(SemanticVisitor)
    }
}

struct SemanticVisitor;

impl Visitor<'_> for SemanticVisitor {
    type Value = Semantic;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("semantic name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Semantic, E> {
        Ok(Semantic::from_name(name))
    }
}
