//! Cameras.

use serde::Deserialize;

use super::enum_value::{EnumValue, Named, Names};
use super::extensions::Extensions;
use super::extras::Extras;

#[derive(Deserialize)]
pub(crate) struct Camera {
    name: Option<String>,
    orthographic: Option<Orthographic>,
    perspective: Option<Perspective>,
    #[serde(rename = "type")]
    type_: EnumValue<Type>,
    #[serde(default)]
    extensions: Option<Extensions>,
    #[serde(default)]
    extras: Option<Extras>,
}

#[derive(Deserialize)]
struct Orthographic {
    xmag: f32,
    ymag: f32,
    zfar: f32,
    znear: f32,
    #[serde(default)]
    extensions: Option<Extensions>,
    #[serde(default)]
    extras: Option<Extras>,
}

#[derive(Deserialize)]
struct Perspective {
    #[serde(rename = "aspectRatio")]
    aspect_ratio: Option<f32>,
    yfov: f32,
    zfar: Option<f32>,
    znear: f32,
    #[serde(default)]
    extensions: Option<Extensions>,
    #[serde(default)]
    extras: Option<Extras>,
}

#[derive(Clone, Copy)]
enum Type {
    Perspective,
    Orthographic,
}

impl Named for Type {
    const NAMES: Names = Names::Words(&["perspective", "orthographic"]);
    const VALUES: &'static [Self] = &[Self::Perspective, Self::Orthographic];
}
