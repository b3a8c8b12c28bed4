//! Builds clips from animations.

use std::collections::{BTreeMap, BTreeSet};

use sinew::animation::{Interpolation, Keys, Track};
use sinew::{Clip, JointId, Skeleton};

use super::graph::Graph;
use super::keys::{self, KeyLayout};
use super::morphs::WeightLayout;
use super::times::{self, Times};
use super::warning_count::{LARGEST, WarningCount};

use crate::gltf::document::{AccessorUse, Document};
use crate::gltf::schema::EnumValue;
use crate::gltf::schema::animation::{Animation, Interpolation as Source, Property, Sampler};
use crate::{Error, ImportOptions, Report};

/// All animations, in document order. One without a name is named after its index.
pub(super) fn clips(
    document: &Document<'_>,
    options: &ImportOptions,
    graph: &Graph,
    weights: &WeightLayout,
    skeleton: &Skeleton,
    report: &mut Report,
) -> Result<Vec<Clip>, Error> {
    let mut clips = Vec::with_capacity(document.root.animations.len());
    for (index, animation) in document.root.animations.iter().enumerate() {
        let location = format!("animations[{index}]");
        let mut reader = AnimationReader {
            document,
            options,
            graph,
            weights,
            skeleton,
            times: BTreeMap::new(),
            animation,
        };
        let channels = reader.tracks(&location, report)?;
        let tracks: Vec<_> = channels.iter().map(|channel| channel.track(&reader.times)).collect();
        let name = match animation.name.as_deref() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("animation {index}"),
        };
        clips.push(Clip::new(&name, skeleton, &tracks).map_err(|error| Error::model(&location, error))?);
    }
    Ok(clips)
}

/// The key frames of one channel.
struct ChannelKeys {
    /// The accessor of the key times.
    times: usize,
    values: Values,
    interpolation: Interpolation,
}

enum Values {
    Rotations(JointId, Vec<[f32; 4]>),
    Translations(JointId, Vec<[f32; 3]>),
    Scales(JointId, Vec<[f32; 3]>),
    Weights { first: usize, count: usize, values: Vec<f32> },
}

impl ChannelKeys {
    fn track<'a>(&'a self, times: &'a BTreeMap<usize, Times>) -> Track<'a> {
        let keys = match &self.values {
            Values::Rotations(joint, values) => Keys::Rotations { joint: *joint, values },
            Values::Translations(joint, values) => Keys::Translations { joint: *joint, values },
            Values::Scales(joint, values) => Keys::Scales { joint: *joint, values },
            Values::Weights { first, count, values } => {
                Keys::Weights { first: *first, count: *count, values }
            }
        };
        let times = times.get(&self.times).map_or(&[][..], |times| &times.seconds);
        Track { times, keys, interpolation: self.interpolation }
    }
}

/// Reads one animation.
struct AnimationReader<'a, 'd> {
    document: &'a Document<'d>,
    options: &'a ImportOptions,
    graph: &'a Graph,
    weights: &'a WeightLayout,
    skeleton: &'a Skeleton,
    animation: &'a Animation,
    /// By accessor: channels often share their times.
    times: BTreeMap<usize, Times>,
}

/// The sampler and the target of a channel.
struct ChannelSource<'a> {
    sampler: &'a Sampler,
    node: usize,
    property: Property,
    /// The locations of the channel and of the sampler.
    locations: [String; 2],
}

impl AnimationReader<'_, '_> {
    fn tracks(&mut self, location: &str, report: &mut Report) -> Result<Vec<ChannelKeys>, Error> {
        let mut unknown = WarningCount::default();
        let mut seen = BTreeSet::new();
        let mut tracks = Vec::new();
        for (index, channel) in self.animation.channels.iter().enumerate() {
            let Some(node) = channel.target.node else { continue };
            let node = node.value();
            let EnumValue(Some(property)) = channel.target.path else {
                unknown.add(index);
                continue;
            };
            let channel_location = format!("{location}.channels[{index}]");
            if !seen.insert((node, property as u8)) {
                let found = format!("the {} of node {node} again", property_name(property));
                return Err(Error::invalid(channel_location, "one channel per node and property", found));
            }
            let sampler = channel.sampler.value();
            let source = ChannelSource {
                sampler: &self.animation.samplers[sampler],
                node,
                property,
                locations: [channel_location, format!("{location}.samplers[{sampler}]")],
            };
            tracks.push(self.track(&source, report)?);
        }
        unknown.warn(
            report,
            &format!("{location}.channels"),
            "the channels with a path that glTF 2.0 does not define",
            "they were ignored",
        )?;
        Ok(tracks)
    }

    fn track(&mut self, source: &ChannelSource<'_>, report: &mut Report) -> Result<ChannelKeys, Error> {
        let ChannelSource { sampler, node, property, locations: [channel_location, sampler_location] } =
            source;
        if *property != Property::MorphTargetWeights && self.document.root.nodes[*node].matrix.is_some() {
            let expected = "a node with translation, rotation and scale";
            return Err(Error::invalid(
                format!("{channel_location}.target.node"),
                expected,
                format!("node {node}, which has a matrix"),
            ));
        }
        let interpolation = sampler.interpolation.known();
        let cubic = interpolation == Source::CubicSpline;
        let times = sampler.input.value();
        self.read_times(times, &format!("{sampler_location}.input"), report)?;
        let mut keys = ChannelKeys {
            times,
            values: self.values(source, cubic, report)?,
            interpolation: match interpolation {
                Source::Linear => Interpolation::Linear,
                Source::Step => Interpolation::Step,
                Source::CubicSpline => Interpolation::Cubic,
            },
        };
        if cubic && self.times.get(&times).is_some_and(|times| times.seconds.len() == 1) {
            report.warn(sampler_location, "a cubic spline with a single key", "its value is constant")?;
            keys.hold_single_key();
        }
        Ok(keys)
    }

    fn read_times(&mut self, accessor: usize, location: &str, report: &mut Report) -> Result<(), Error> {
        if let Some(found) = self.times.get(&accessor) {
            // Each track may have its own copy of the times.
            return self.document.spend(size_of_val(&found.seconds[..]) as u64, location);
        }
        let seconds = self.document.floats::<1>(accessor, AccessorUse::Times, location)?.into_flattened();
        let times = times::check(seconds, self.options.key_times, location, report)?;
        if times.seconds.is_empty() {
            return Err(Error::invalid(location, "one key or more", "none"));
        }
        self.times.insert(accessor, times);
        Ok(())
    }

    fn values(&self, source: &ChannelSource<'_>, cubic: bool, report: &mut Report) -> Result<Values, Error> {
        let joint = self.graph.joint(source.node);
        let rest = self.skeleton.rest().transform(joint);
        let vector = KeyLayout { width: 3, cubic };
        Ok(match source.property {
            Property::Translation => {
                let limits = (LARGEST, &rest.translation[..]);
                Values::Translations(
                    joint,
                    self.keys(source, AccessorUse::Translation, vector, limits, report)?,
                )
            }
            Property::Scale => {
                let limits = (LARGEST, &rest.scale[..]);
                Values::Scales(joint, self.keys(source, AccessorUse::Scale, vector, limits, report)?)
            }
            Property::Rotation => {
                Values::Rotations(joint, self.rotations(source, cubic, &rest.rotation, report)?)
            }
            Property::MorphTargetWeights => {
                let range = self.weights.by_node[source.node].clone();
                if range.is_empty() {
                    let found = format!("node {}, which has none", source.node);
                    let location = format!("{}.target.node", source.locations[0]);
                    return Err(Error::invalid(location, "a node with morph targets", found));
                }
                let limits = (LARGEST, &self.weights.at_rest[range.clone()]);
                let layout = KeyLayout { width: range.len(), cubic };
                let values = self.keys::<1>(source, AccessorUse::MorphWeights, layout, limits, report)?;
                Values::Weights { first: range.start, count: range.len(), values: values.into_flattened() }
            }
        })
    }

    fn rotations(
        &self,
        source: &ChannelSource<'_>,
        cubic: bool,
        rest: &[f32],
        report: &mut Report,
    ) -> Result<Vec<[f32; 4]>, Error> {
        let location = format!("{}.output", source.locations[1]);
        let layout = KeyLayout { width: 4, cubic };
        let mut values = self.keys::<4>(source, AccessorUse::Rotation, layout, (f32::MAX, rest), report)?;
        keys::repair_rotations(&mut values, cubic, &location, report)?;
        if let Some(times) = self.times.get(&source.sampler.input.value()).filter(|_| cubic) {
            keys::warn_of_zero_on_curves(&times.seconds, &values, &location, report)?;
        }
        Ok(values)
    }

    /// The values of all keys that are kept, repaired.
    fn keys<const N: usize>(
        &self,
        source: &ChannelSource<'_>,
        usage: AccessorUse,
        layout: KeyLayout,
        limits: (f32, &[f32]),
        report: &mut Report,
    ) -> Result<Vec<[f32; N]>, Error> {
        let location = format!("{}.output", source.locations[1]);
        let (input, output) = (source.sampler.input.value(), source.sampler.output.value());
        let keys = self.document.len(input, &location)?;
        let elements = layout.floats() / N;
        let (expected, found) = (keys.checked_mul(elements), self.document.len(output, &location)?);
        if expected != Some(found) {
            let expected = format!("{keys} keys of {elements} elements");
            return Err(Error::invalid(location, expected, format!("{found} elements")));
        }
        let mut values = self.document.floats::<N>(output, usage, &location)?;
        let Some(times) = self.times.get(&input) else {
            return Err(Error::invalid(location, "times that were read", "none"));
        };
        if let Some(kept) = &times.kept {
            values = kept.iter().flat_map(|key| &values[key * elements..][..elements]).copied().collect();
        }
        keys::repair(values.as_flattened_mut(), (layout, &times.seconds), limits, &location, report)?;
        Ok(values)
    }
}

impl ChannelKeys {
    /// Keeps the value of a single key without its tangents.
    fn hold_single_key(&mut self) {
        self.interpolation = Interpolation::Step;
        match &mut self.values {
            Values::Rotations(_, values) => *values = vec![values[1]],
            Values::Translations(_, values) | Values::Scales(_, values) => *values = vec![values[1]],
            Values::Weights { count, values, .. } => *values = values[*count..*count * 2].to_vec(),
        }
    }
}

fn property_name(property: Property) -> &'static str {
    match property {
        Property::Translation => "translation",
        Property::Rotation => "rotation",
        Property::Scale => "scale",
        Property::MorphTargetWeights => "weights",
    }
}
