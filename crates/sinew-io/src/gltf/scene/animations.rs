//! Animations as clips.

use std::collections::{BTreeMap, BTreeSet};

use sinew::{Clip, Interpolation, Keys, Skeleton, Track};

use super::graph::Graph;
use super::keys::{self, Shape};
use super::morphs::WeightLayout;
use super::tally::{LARGEST, Tally};
use super::times::{self, Times};
use crate::gltf::check::known;
use crate::gltf::document::{Document, Use};
use crate::gltf::schema::Kind;
use crate::gltf::schema::animation::{Animation, Interpolation as Source, Property, Sampler};
use crate::{Error, Options, Report};

/// All animations, in the document's order. One without a name is called after its number.
pub(super) fn clips(
    document: &Document<'_>,
    options: &Options,
    graph: &Graph,
    weights: &WeightLayout,
    skeleton: &Skeleton,
    report: &mut Report,
) -> Result<Vec<Clip>, Error> {
    let mut clips = Vec::with_capacity(document.root.animations.len());
    for (index, animation) in document.root.animations.iter().enumerate() {
        let place = format!("animations[{index}]");
        let mut reader =
            Reader { document, options, graph, weights, skeleton, times: BTreeMap::new(), animation };
        let read = reader.tracks(&place, report)?;
        let tracks: Vec<_> = read.iter().map(|track| track.track(&reader.times)).collect();
        let name = match animation.name.as_deref() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("animation {index}"),
        };
        clips.push(Clip::new(&name, skeleton, &tracks).map_err(|error| Error::model(&place, error))?);
    }
    Ok(clips)
}

/// The keys of one channel.
struct Read {
    /// The accessor of its times.
    times: usize,
    values: Values,
    interpolation: Interpolation,
}

enum Values {
    Rotations(usize, Vec<[f32; 4]>),
    Translations(usize, Vec<[f32; 3]>),
    Scales(usize, Vec<[f32; 3]>),
    Weights { first: usize, count: usize, values: Vec<f32> },
}

impl Read {
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
struct Reader<'a, 'd> {
    document: &'a Document<'d>,
    options: &'a Options,
    graph: &'a Graph,
    weights: &'a WeightLayout,
    skeleton: &'a Skeleton,
    animation: &'a Animation,
    /// By accessor: channels often share their times.
    times: BTreeMap<usize, Times>,
}

/// Where a channel's keys come from, and what they move.
struct Wanted<'a> {
    sampler: &'a Sampler,
    node: usize,
    property: Property,
    /// The channel's, and the sampler's.
    places: [String; 2],
}

impl Reader<'_, '_> {
    fn tracks(&mut self, place: &str, report: &mut Report) -> Result<Vec<Read>, Error> {
        let mut unknown = Tally::default();
        let mut seen = BTreeSet::new();
        let mut tracks = Vec::new();
        for (index, channel) in self.animation.channels.iter().enumerate() {
            let Some(node) = channel.target.node else { continue };
            let node = node.value();
            let Kind(Some(property)) = channel.target.path else {
                unknown.add(index);
                continue;
            };
            let here = format!("{place}.channels[{index}]");
            if !seen.insert((node, property as u8)) {
                let found = format!("the {} of node {node} again", name_of(property));
                return Err(Error::fault(here, "one channel for everything that moves", found));
            }
            let sampler = channel.sampler.value();
            let wanted = Wanted {
                sampler: &self.animation.samplers[sampler],
                node,
                property,
                places: [here, format!("{place}.samplers[{sampler}]")],
            };
            tracks.push(self.track(&wanted, report)?);
        }
        unknown.note(
            report,
            &format!("{place}.channels"),
            "the channels of something that glTF 2.0 does not know",
            "they were left out",
        )?;
        Ok(tracks)
    }

    fn track(&mut self, wanted: &Wanted<'_>, report: &mut Report) -> Result<Read, Error> {
        let Wanted { sampler, node, property, places: [here, at] } = wanted;
        if *property != Property::MorphTargetWeights && self.document.root.nodes[*node].matrix.is_some() {
            let expected = "a node of translation, rotation and scale";
            return Err(Error::fault(
                format!("{here}.target.node"),
                expected,
                format!("node {node}, a matrix"),
            ));
        }
        let interpolation = known(sampler.interpolation);
        let cubic = interpolation == Source::CubicSpline;
        let times = sampler.input.value();
        self.read_times(times, &format!("{at}.input"), report)?;
        let mut read = Read {
            times,
            values: self.values(wanted, cubic, report)?,
            interpolation: match interpolation {
                Source::Linear => Interpolation::Linear,
                Source::Step => Interpolation::Step,
                Source::CubicSpline => Interpolation::Cubic,
            },
        };
        if cubic && self.times.get(&times).is_some_and(|times| times.seconds.len() == 1) {
            report.note(at, "a curve of a single key", "its value holds")?;
            read.hold_the_only_key();
        }
        Ok(read)
    }

    fn read_times(&mut self, accessor: usize, place: &str, report: &mut Report) -> Result<(), Error> {
        if let Some(found) = self.times.get(&accessor) {
            // Every track may keep times of its own.
            return self.document.spend(size_of_val(&found.seconds[..]) as u64, place);
        }
        let seconds = self.document.floats::<1>(accessor, Use::Times, place)?.into_flattened();
        let times = times::checked(seconds, self.options.key_times, place, report)?;
        if times.seconds.is_empty() {
            return Err(Error::fault(place, "one key or more", "none"));
        }
        self.times.insert(accessor, times);
        Ok(())
    }

    fn values(&self, wanted: &Wanted<'_>, cubic: bool, report: &mut Report) -> Result<Values, Error> {
        let joint = self.graph.joint(wanted.node);
        let rest = self.skeleton.rest().transform(joint);
        let vector = Shape { width: 3, cubic };
        Ok(match wanted.property {
            Property::Translation => {
                let limits = (LARGEST, &rest.translation[..]);
                Values::Translations(joint, self.keys(wanted, Use::Translation, vector, limits, report)?)
            }
            Property::Scale => {
                let limits = (LARGEST, &rest.scale[..]);
                Values::Scales(joint, self.keys(wanted, Use::Scale, vector, limits, report)?)
            }
            Property::Rotation => {
                Values::Rotations(joint, self.rotations(wanted, cubic, &rest.rotation, report)?)
            }
            Property::MorphTargetWeights => {
                let range = self.weights.of_node[wanted.node].clone();
                if range.is_empty() {
                    let found = format!("node {}, which has none", wanted.node);
                    let place = format!("{}.target.node", wanted.places[0]);
                    return Err(Error::fault(place, "a node with morph targets", found));
                }
                let limits = (LARGEST, &self.weights.at_rest[range.clone()]);
                let shape = Shape { width: range.len(), cubic };
                let values = self.keys::<1>(wanted, Use::MorphWeights, shape, limits, report)?;
                Values::Weights { first: range.start, count: range.len(), values: values.into_flattened() }
            }
        })
    }

    fn rotations(
        &self,
        wanted: &Wanted<'_>,
        cubic: bool,
        rest: &[f32],
        report: &mut Report,
    ) -> Result<Vec<[f32; 4]>, Error> {
        let place = format!("{}.output", wanted.places[1]);
        let shape = Shape { width: 4, cubic };
        let mut values = self.keys::<4>(wanted, Use::Rotation, shape, (f32::MAX, rest), report)?;
        keys::mend_rotations(&mut values, cubic, &place, report)?;
        if let Some(times) = self.times.get(&wanted.sampler.input.value()).filter(|_| cubic) {
            keys::note_zero_on_curves(&times.seconds, &values, &place, report)?;
        }
        Ok(values)
    }

    /// The values of all keys that are kept, mended.
    fn keys<const N: usize>(
        &self,
        wanted: &Wanted<'_>,
        of: Use,
        shape: Shape,
        limits: (f32, &[f32]),
        report: &mut Report,
    ) -> Result<Vec<[f32; N]>, Error> {
        let place = format!("{}.output", wanted.places[1]);
        let (input, output) = (wanted.sampler.input.value(), wanted.sampler.output.value());
        let keys = self.document.len(input, &place)?;
        let elements = shape.floats() / N;
        let (expected, found) = (keys.checked_mul(elements), self.document.len(output, &place)?);
        if expected != Some(found) {
            let expected = format!("{keys} keys of {elements} elements");
            return Err(Error::fault(place, expected, format!("{found} elements")));
        }
        let mut values = self.document.floats::<N>(output, of, &place)?;
        let Some(times) = self.times.get(&input) else {
            return Err(Error::fault(place, "times that were read", "none"));
        };
        if let Some(kept) = &times.kept {
            values = kept.iter().flat_map(|key| &values[key * elements..][..elements]).copied().collect();
        }
        keys::mend(values.as_flattened_mut(), (shape, &times.seconds), limits, &place, report)?;
        Ok(values)
    }
}

impl Read {
    /// The value of a single key without its slopes.
    fn hold_the_only_key(&mut self) {
        self.interpolation = Interpolation::Step;
        match &mut self.values {
            Values::Rotations(_, values) => *values = vec![values[1]],
            Values::Translations(_, values) | Values::Scales(_, values) => *values = vec![values[1]],
            Values::Weights { count, values, .. } => *values = values[*count..*count * 2].to_vec(),
        }
    }
}

fn name_of(property: Property) -> &'static str {
    match property {
        Property::Translation => "translation",
        Property::Rotation => "rotation",
        Property::Scale => "scale",
        Property::MorphTargetWeights => "weights",
    }
}
