//! Animations: channels that move a property of a node by the key frames of a sampler.

use std::borrow::Cow;

use super::enum_value::{EnumValue, Named, Names};
use super::index::Index;
use crate::error::BoxedError as Error;
use crate::json::Value;

pub(crate) struct Animation<'a> {
    pub(crate) channels: Vec<Channel>,
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) samplers: Vec<Sampler>,
}

impl<'a> Animation<'a> {
    pub(super) fn read(value: Value<'a>) -> Result<Self, Error> {
        let [channels, name, samplers, extensions] =
            value.fields(&["channels", "name", "samplers", "extensions"])?;
        extensions.check_object()?;
        Ok(Self {
            channels: channels.required()?.array(Channel::read)?,
            name: name.str()?,
            samplers: samplers.required()?.array(Sampler::read)?,
        })
    }
}

pub(crate) struct Channel {
    pub(crate) sampler: Index,
    /// `None` where an extension says what the channel moves; glTF ignores such channels.
    pub(crate) node: Option<Index>,
    pub(crate) path: EnumValue<Property>,
}

impl Channel {
    fn read(value: Value<'_>) -> Result<Self, Error> {
        let [sampler, target] = value.fields(&["sampler", "target"])?;
        let [node, path] = target.required()?.fields(&["node", "path"])?;
        Ok(Self {
            sampler: Index::read(sampler.required()?)?,
            node: Index::read_present(node)?,
            path: EnumValue::read(path.required()?)?,
        })
    }
}

pub(crate) struct Sampler {
    pub(crate) input: Index,
    pub(crate) interpolation: EnumValue<Interpolation>,
    pub(crate) output: Index,
}

impl Sampler {
    fn read(value: Value<'_>) -> Result<Self, Error> {
        let [input, interpolation, output] = value.fields(&["input", "interpolation", "output"])?;
        Ok(Self {
            input: Index::read(input.required()?)?,
            interpolation: EnumValue::read_or(interpolation, Interpolation::Linear)?,
            output: Index::read(output.required()?)?,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interpolation {
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
