//! Reads animations.

use std::collections::BTreeMap;

use sinew::animation::Interpolation;

use crate::gltf::document::{AccessorUse, Document};
use crate::gltf::schema::EnumValue;
use crate::gltf::schema::animation::{Animation, Channel, Interpolation as Source, Property};
use crate::scene::WarningCount;
use crate::{AnimatedProperty, Error, RawAnimation, RawChannel, RawTimes, Report};

/// All animations.
pub(super) fn animations(document: &Document<'_>, report: &mut Report) -> Result<Vec<RawAnimation>, Error> {
    let mut animations = Vec::with_capacity(document.root.animations.len());
    for (index, animation) in document.root.animations.iter().enumerate() {
        let name = animation.name.as_deref().unwrap_or_default().to_owned();
        let raw = RawAnimation { name, location: format!("animations[{index}]"), ..RawAnimation::default() };
        let mut reader = AnimationReader { document, animation, times: BTreeMap::new(), raw };
        reader.channels(report)?;
        animations.push(reader.raw);
    }
    Ok(animations)
}

/// Reads one animation.
struct AnimationReader<'a, 'd> {
    document: &'a Document<'d>,
    animation: &'a Animation<'d>,
    /// The index of the key times of each accessor: channels often share their times.
    times: BTreeMap<usize, usize>,
    raw: RawAnimation,
}

impl AnimationReader<'_, '_> {
    fn channels(&mut self, report: &mut Report) -> Result<(), Error> {
        let mut unknown = WarningCount::default();
        for (index, channel) in self.animation.channels.iter().enumerate() {
            let Some(node) = channel.node else { continue };
            let EnumValue(Some(property)) = channel.path else {
                unknown.add(index);
                continue;
            };
            let location = format!("{}.channels[{index}]", self.raw.location);
            self.channel(channel, node.value(), property, location)?;
        }
        unknown.warn(
            report,
            &format!("{}.channels", self.raw.location),
            "the channels with a path that glTF 2.0 does not define",
            "they were ignored",
        )
    }

    fn channel(
        &mut self,
        channel: &Channel,
        node: usize,
        property: Property,
        location: String,
    ) -> Result<(), Error> {
        let sampler_index = channel.sampler.value();
        let sampler = &self.animation.samplers[sampler_index];
        let times = self.times(sampler.input.value(), sampler_index)?;
        let values_location = format!("{}.samplers[{sampler_index}].output", self.raw.location);
        let output = sampler.output.value();
        let (property, values) = match property {
            Property::Translation => {
                let values = self.document.floats::<3>(output, AccessorUse::Translation, &values_location)?;
                (AnimatedProperty::Translation, values.into_flattened())
            }
            Property::Rotation => {
                let values = self.document.floats::<4>(output, AccessorUse::Rotation, &values_location)?;
                (AnimatedProperty::Rotation, values.into_flattened())
            }
            Property::Scale => {
                let values = self.document.floats::<3>(output, AccessorUse::Scale, &values_location)?;
                (AnimatedProperty::Scale, values.into_flattened())
            }
            Property::MorphTargetWeights => {
                let values =
                    self.document.floats::<1>(output, AccessorUse::MorphWeights, &values_location)?;
                (AnimatedProperty::MorphWeights, values.into_flattened())
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
        if let Some(&times) = self.times.get(&accessor) {
            return Ok(times);
        }
        let location = format!("{}.samplers[{sampler}].input", self.raw.location);
        let seconds = self.document.floats::<1>(accessor, AccessorUse::Times, &location)?.into_flattened();
        self.raw.times.push(RawTimes { location, seconds });
        self.times.insert(accessor, self.raw.times.len() - 1);
        Ok(self.raw.times.len() - 1)
    }
}
