//! Reads animations.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use sinew::animation::Interpolation;

use crate::error::BoxedError as Error;
use crate::gltf::document::{AccessorUse, Document};
use crate::gltf::schema::EnumValue;
use crate::gltf::schema::animation::{Animation, Channel, Interpolation as Source, Property};
use crate::scene::WarningCount;
use crate::{AnimatedProperty, RawAnimation, RawChannel, RawTimes, Report, SourceLocation};

/// All animations.
pub(super) fn animations<'b>(
    document: &Document<'_, 'b>,
    report: &mut Report,
) -> Result<Vec<RawAnimation<'b>>, Error> {
    let mut animations = Vec::with_capacity(document.root.animations.len());
    for (index, animation) in document.root.animations.iter().enumerate() {
        let name = animation.name.as_deref().unwrap_or_default().to_owned();
        let location = format!("animations[{index}]");
        let base = Arc::from(&*location);
        let channels = Vec::with_capacity(animation.channels.len());
        let raw = RawAnimation { name, location, channels, ..RawAnimation::default() };
        let mut reader =
            AnimationReader { document, animation, base, times: BTreeMap::new(), last: (0, None), raw };
        reader.channels(report)?;
        animations.push(reader.raw);
    }
    Ok(animations)
}

/// Reads one animation.
struct AnimationReader<'a, 'd, 'b> {
    document: &'a Document<'d, 'b>,
    animation: &'a Animation<'d>,
    /// The location of the animation.
    base: Arc<str>,
    /// The index of the key times of each accessor: channels often share their times.
    times: BTreeMap<usize, usize>,
    /// The last accessor of key times, and their index.
    last: (usize, Option<usize>),
    raw: RawAnimation<'b>,
}

impl AnimationReader<'_, '_, '_> {
    fn channels(&mut self, report: &mut Report) -> Result<(), Error> {
        let mut unknown = WarningCount::default();
        for (index, channel) in self.animation.channels.iter().enumerate() {
            let Some(node) = channel.node else { continue };
            let EnumValue(Some(property)) = channel.path else {
                unknown.add(index);
                continue;
            };
            let location = SourceLocation::part(&self.base, ".channels[{}]", index);
            self.channel(channel, node.value(), property, location)?;
        }
        unknown.warn(
            report,
            format_args!("{}.channels", self.raw.location),
            "the channels with a path that glTF 2.0 does not define",
            "they were ignored",
        )
    }

    fn channel(
        &mut self,
        channel: &Channel,
        node: usize,
        property: Property,
        location: SourceLocation,
    ) -> Result<(), Error> {
        let sampler_index = channel.sampler.value();
        let sampler = &self.animation.samplers[sampler_index];
        let times = self.times(sampler.input.value(), sampler_index)?;
        let values_location = SourceLocation::part(&self.base, ".samplers[{}].output", sampler_index);
        let output = sampler.output.value();
        let (property, values) = match property {
            Property::Translation => {
                let values = self.document.floats::<3>(output, AccessorUse::Translation, &values_location)?;
                (AnimatedProperty::Translation, flatten(values))
            }
            Property::Rotation => {
                let values = self.document.floats::<4>(output, AccessorUse::Rotation, &values_location)?;
                (AnimatedProperty::Rotation, flatten(values))
            }
            Property::Scale => {
                let values = self.document.floats::<3>(output, AccessorUse::Scale, &values_location)?;
                (AnimatedProperty::Scale, flatten(values))
            }
            Property::MorphTargetWeights => {
                let values =
                    self.document.floats::<1>(output, AccessorUse::MorphWeights, &values_location)?;
                (AnimatedProperty::MorphWeights, flatten(values))
            }
        };
        let interpolation = match sampler.interpolation.known() {
            Source::Linear => Interpolation::Linear,
            Source::Step => Interpolation::Step,
            Source::CubicSpline => Interpolation::Cubic,
        };
        self.raw.channels.push(RawChannel {
            location,
            values_location,
            node,
            property,
            times,
            values,
            interpolation,
        });
        Ok(())
    }

    fn times(&mut self, accessor: usize, sampler: usize) -> Result<usize, Error> {
        if let (last, Some(times)) = self.last
            && last == accessor
        {
            return Ok(times);
        }
        let times = match self.times.get(&accessor) {
            Some(&times) => times,
            None => self.add_times(accessor, sampler)?,
        };
        self.last = (accessor, Some(times));
        Ok(times)
    }

    fn add_times(&mut self, accessor: usize, sampler: usize) -> Result<usize, Error> {
        let location = SourceLocation::part(&self.base, ".samplers[{}].input", sampler);
        let seconds = flatten(self.document.floats::<1>(accessor, AccessorUse::Times, &location)?);
        self.raw.times.push(RawTimes { location, seconds });
        self.times.insert(accessor, self.raw.times.len() - 1);
        Ok(self.raw.times.len() - 1)
    }
}

/// The numbers of all elements.
fn flatten<const N: usize>(elements: Cow<'_, [[f32; N]]>) -> Cow<'_, [f32]> {
    match elements {
        Cow::Borrowed(elements) => Cow::Borrowed(elements.as_flattened()),
        Cow::Owned(elements) => Cow::Owned(elements.into_flattened()),
    }
}
