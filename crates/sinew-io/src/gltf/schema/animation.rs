//! Animations: channels that move a property of a node by the key frames of a sampler.

use serde::Deserialize;

use super::enum_value::{EnumValue, Named, Names};
use super::extensions::{Extensions, NoExtensions};
use super::extras::Extras;
use super::index::Index;

#[derive(Deserialize)]
pub(crate) struct Animation {
    #[serde(default)]
    extensions: Option<Extensions>,
    #[serde(default)]
    extras: Option<Extras>,
    pub(crate) channels: Vec<Channel>,
    pub(crate) name: Option<String>,
    pub(crate) samplers: Vec<Sampler>,
}

#[derive(Deserialize)]
pub(crate) struct Channel {
    pub(crate) sampler: Index,
    pub(crate) target: Target,
    #[serde(default)]
    extensions: Option<NoExtensions>,
    #[serde(default)]
    extras: Option<Extras>,
}

#[derive(Deserialize)]
pub(crate) struct Target {
    #[serde(default)]
    extensions: Option<NoExtensions>,
    #[serde(default)]
    extras: Option<Extras>,
    /// `None` where an extension says what the channel moves; glTF ignores such channels.
    #[serde(default, deserialize_with = "Index::deserialize_some")]
    pub(crate) node: Option<Index>,
    pub(crate) path: EnumValue<Property>,
}

#[derive(Deserialize)]
pub(crate) struct Sampler {
    #[serde(default)]
    extensions: Option<NoExtensions>,
    #[serde(default)]
    extras: Option<Extras>,
    pub(crate) input: Index,
    #[serde(default)]
    pub(crate) interpolation: EnumValue<Interpolation>,
    pub(crate) output: Index,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Interpolation {
    #[default]
    Linear,
    Step,
    CubicSpline,
}

impl Named for Interpolation {
    const NAMES: Names = Names::Words(&["LINEAR", "STEP", "CUBICSPLINE"]);
    const VALUES: &'static [Self] = &[Self::Linear, Self::Step, Self::CubicSpline];
}

/// The property of a node that a channel moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Property {
    Translation,
    Rotation,
    Scale,
    MorphTargetWeights,
}

impl Named for Property {
    const NAMES: Names = Names::Words(&["translation", "rotation", "scale", "weights"]);
    const VALUES: &'static [Self] =
        &[Self::Translation, Self::Rotation, Self::Scale, Self::MorphTargetWeights];
}
