//! Builds clips from animations.

use std::collections::BTreeSet;

use sinew::animation::{Interpolation, Keys, Track};
use sinew::{Clip, Skeleton};

use super::context::ImportContext;
use super::graph::Graph;
use super::keys::{self, KeyLayout};
use super::morphs::WeightLayout;
use super::raw_scene::{AnimatedProperty, RawAnimation, RawChannel, RawNode, RawTransform};
use super::times::{self, Times};
use super::warning_count::LARGEST;
use crate::error::BoxedError as Error;

/// What clips are built for.
pub(super) struct AnimatedScene<'a> {
    pub(super) nodes: &'a [RawNode],
    pub(super) graph: &'a Graph,
    pub(super) weights: &'a WeightLayout,
    pub(super) skeleton: &'a Skeleton,
}

/// All animations, in the order of the scene. One without a name is named after its index.
pub(super) fn clips(
    animations: Vec<RawAnimation<'_>>,
    scene: &AnimatedScene<'_>,
    context: &mut ImportContext<'_>,
) -> Result<Vec<Clip>, Error> {
    let mut clips = Vec::with_capacity(animations.len());
    for (index, mut animation) in animations.into_iter().enumerate() {
        let name = match std::mem::take(&mut animation.name) {
            name if name.is_empty() => format!("animation {index}"),
            name => name,
        };
        let location = animation.location.clone();
        let (channels, times) = scene.repair(animation, context)?;
        let tracks: Vec<_> = channels.iter().map(|channel| scene.track(channel, &times)).collect();
        let clip = Clip::new(&name, scene.skeleton, &tracks);
        clips.push(clip.map_err(|error| Error::model(&location, error))?);
    }
    Ok(clips)
}

impl AnimatedScene<'_> {
    /// Checks all channels of an animation and repairs their keys.
    fn repair<'a>(
        &self,
        animation: RawAnimation<'a>,
        context: &mut ImportContext<'_>,
    ) -> Result<(Vec<RawChannel<'a>>, Vec<Option<Times<'a>>>), Error> {
        let RawAnimation { times: mut raw_times, mut channels, .. } = animation;
        let mut times: Vec<Option<Times<'_>>> = Vec::new();
        times.resize_with(raw_times.len(), || None);
        // Most animations repeat no target, which is fast to find.
        let mut seen = repeats_target(&channels, self.nodes.len()).then(BTreeSet::new);
        for channel in &mut channels {
            self.check_target(channel, &mut seen)?;
            let Some(raw) = raw_times.get_mut(channel.times) else {
                let expected = format!("one of {} lists of times", times.len());
                return Err(Error::invalid(&channel.location, expected, channel.times.to_string()));
            };
            let checked = match &times[channel.times] {
                // Each track may have its own copy of the times.
                Some(found) => {
                    context.spend(size_of_val(&found.seconds[..]) as u64, &raw.location)?;
                    found
                }
                None => {
                    let seconds = std::mem::take(&mut raw.seconds);
                    let key_times = context.options.key_times;
                    let found = times::check(seconds, key_times, &raw.location, context.report)?;
                    if found.seconds.is_empty() {
                        return Err(Error::invalid(&raw.location, "one key or more", "none"));
                    }
                    times[channel.times].insert(found)
                }
            };
            self.repair_channel(channel, checked, context)?;
        }
        Ok((channels, times))
    }

    fn check_target(
        &self,
        channel: &RawChannel<'_>,
        seen: &mut Option<BTreeSet<(usize, u8)>>,
    ) -> Result<(), Error> {
        let RawChannel { node, property, location, .. } = channel;
        let target = || format!("{location}.target.node");
        let Some(found) = self.nodes.get(*node) else {
            return Err(Error::invalid(
                target(),
                format!("one of {} nodes", self.nodes.len()),
                node.to_string(),
            ));
        };
        if seen.as_mut().is_some_and(|seen| !seen.insert((*node, *property as u8))) {
            let found = format!("the {} of node {node} again", property_name(*property));
            return Err(Error::invalid(location, "one channel per node and property", found));
        }
        let moves_weights = *property == AnimatedProperty::MorphWeights;
        if !moves_weights && matches!(found.transform, RawTransform::Matrix(_)) {
            let expected = "a node with translation, rotation and scale";
            return Err(Error::invalid(target(), expected, format!("node {node}, which has a matrix")));
        }
        if moves_weights && self.weights.by_node[*node].is_empty() {
            let found = format!("node {node}, which has none");
            return Err(Error::invalid(target(), "a node with morph targets", found));
        }
        Ok(())
    }

    fn repair_channel(
        &self,
        channel: &mut RawChannel<'_>,
        times: &Times<'_>,
        context: &mut ImportContext<'_>,
    ) -> Result<(), Error> {
        let cubic = channel.interpolation == Interpolation::Cubic;
        let rest = self.skeleton.rest().transform(self.graph.joint(channel.node));
        let weights = self.weights.by_node[channel.node].clone();
        let (largest, rest) = match channel.property {
            AnimatedProperty::Translation => (LARGEST, &rest.translation[..]),
            AnimatedProperty::Scale => (LARGEST, &rest.scale[..]),
            AnimatedProperty::Rotation => (f32::MAX, &rest.rotation[..]),
            AnimatedProperty::MorphWeights => (LARGEST, &self.weights.at_rest[weights]),
        };
        let layout = KeyLayout { width: rest.len(), cubic };
        let RawChannel { values, values_location: location, .. } = channel;
        if times.len_in_file.checked_mul(layout.floats()) != Some(values.len()) {
            let expected = format!("{} keys of {} numbers", times.len_in_file, layout.floats());
            return Err(Error::invalid(&*location, expected, format!("{} numbers", values.len())));
        }
        if let Some(kept) = &times.kept {
            let key = |&key: &usize| &values[key * layout.floats()..][..layout.floats()];
            *values = kept.iter().flat_map(key).copied().collect::<Vec<_>>().into();
        }
        keys::repair(values, (layout, &times.seconds), (largest, rest), location, context.report)?;
        if channel.property == AnimatedProperty::Rotation {
            keys::repair_rotations(values, cubic, location, context.report)?;
            if cubic {
                let rotations = values.as_chunks().0;
                keys::warn_of_zero_on_curves(&times.seconds, rotations, location, context.report)?;
            }
        }
        if cubic && times.seconds.len() == 1 {
            let action = "its value is constant";
            context.report.warn(&channel.location, "a cubic spline with a single key", action)?;
            // The value of the key, without its tangents.
            channel.values = channel.values[layout.width..2 * layout.width].to_vec().into();
            channel.interpolation = Interpolation::Step;
        }
        Ok(())
    }

    fn track<'a>(&self, channel: &'a RawChannel<'_>, times: &'a [Option<Times<'_>>]) -> Track<'a> {
        let joint = self.graph.joint(channel.node);
        let values = &channel.values[..];
        let keys = match channel.property {
            AnimatedProperty::Rotation => Keys::Rotations { joint, values: values.as_chunks().0 },
            AnimatedProperty::Translation => Keys::Translations { joint, values: values.as_chunks().0 },
            AnimatedProperty::Scale => Keys::Scales { joint, values: values.as_chunks().0 },
            AnimatedProperty::MorphWeights => {
                let range = &self.weights.by_node[channel.node];
                Keys::Weights { first: range.start, count: range.len(), values }
            }
        };
        let times = times[channel.times].as_ref().map_or(&[][..], |times| &times.seconds);
        Track { times, keys, interpolation: channel.interpolation }
    }
}

/// Whether two channels may move the same property of a node: if not, none do.
fn repeats_target(channels: &[RawChannel<'_>], nodes: usize) -> bool {
    // Memory for all nodes is not worth it for few channels.
    if nodes > 64 * channels.len() {
        return true;
    }
    // A bit for each property of each node.
    let mut seen = vec![0_u8; nodes];
    channels.iter().any(|channel| match seen.get_mut(channel.node) {
        None => true,
        Some(properties) => {
            let bit = 1 << channel.property as u8;
            std::mem::replace(properties, *properties | bit) & bit != 0
        }
    })
}

fn property_name(property: AnimatedProperty) -> &'static str {
    match property {
        AnimatedProperty::Translation => "translation",
        AnimatedProperty::Rotation => "rotation",
        AnimatedProperty::Scale => "scale",
        AnimatedProperty::MorphWeights => "weights",
    }
}
