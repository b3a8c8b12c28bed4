//! Exports clips as animations.

use std::collections::HashMap;

use sinew::animation::{Interpolation, KeyData, TrackData};
use sinew::{Clip, Error as ModelError, JointId, Model};

use super::buffer::View;
use super::document::Document;
use super::mesh_groups::MeshGroup;
use super::schema::{self, Channel, ChannelTarget, Sampler};
use crate::error::BoxedError as Error;

/// Writes all clips. `nodes` has the node of each mesh group; the node of a joint has the joint's
/// index.
pub(super) fn write(
    model: &Model,
    groups: &[MeshGroup],
    nodes: &[usize],
    document: &mut Document,
) -> Result<(), Error> {
    let mut times = HashMap::new();
    for (index, clip) in model.clips().iter().enumerate() {
        let mut animation =
            Animation { times: &mut times, document, samplers: Vec::new(), channels: Vec::new() };
        let (of_weights, of_joints): (Vec<_>, Vec<_>) =
            clip.tracks().partition(|track| matches!(track.keys, KeyData::Weights { .. }));
        of_joints.iter().for_each(|track| animation.add_joint(track));
        for (group, &node) in groups.iter().zip(nodes).filter(|(group, _)| !group.morph_weights.is_empty()) {
            let added = animation.add_weights(model, clip, &of_weights, group, node);
            added.map_err(|source| Error::model(format!("clip {index} {:?}", clip.name()), source))?;
        }
        if animation.channels.is_empty() {
            animation.add_rest_channel(model);
        }
        let (samplers, channels) = (animation.samplers, animation.channels);
        let (name, events) = (clip.name().to_owned(), clip.events().to_vec());
        document.root.animations.push(schema::Animation { name, samplers, channels, events });
    }
    Ok(())
}

struct Animation<'a> {
    /// The accessors of key times, by their bits: most tracks share them.
    times: &'a mut HashMap<Vec<u32>, usize>,
    document: &'a mut Document,
    samplers: Vec<Sampler>,
    channels: Vec<Channel>,
}

impl Animation<'_> {
    fn add(&mut self, times: &[f32], interpolation: Interpolation, output: usize, target: ChannelTarget) {
        let buffer = &mut self.document.buffer;
        let bits = times.iter().map(|time| time.to_bits()).collect();
        let input = *self.times.entry(bits).or_insert_with(|| buffer.times(times));
        let interpolation = match interpolation {
            Interpolation::Step => "STEP",
            Interpolation::Linear => "LINEAR",
            Interpolation::Cubic => "CUBICSPLINE",
        };
        self.samplers.push(Sampler { input, interpolation, output });
        self.channels.push(Channel { sampler: self.samplers.len() - 1, target });
    }

    fn add_joint(&mut self, TrackData { times, keys, interpolation }: &TrackData) {
        let buffer = &mut self.document.buffer;
        let (output, node, path) = match keys {
            KeyData::Rotations { joint, values } => {
                (buffer.vectors(values, View::Other), joint.index(), "rotation")
            }
            KeyData::Translations { joint, values } => {
                (buffer.vectors(values, View::Other), joint.index(), "translation")
            }
            KeyData::Scales { joint, values } => {
                (buffer.vectors(values, View::Other), joint.index(), "scale")
            }
            KeyData::Weights { .. } => return,
        };
        self.add(times, *interpolation, output, ChannelTarget { node, path });
    }

    /// Adds the morph weights of a group. A track of exactly these weights is written unchanged;
    /// other tracks are sampled at all their keys.
    fn add_weights(
        &mut self,
        model: &Model,
        clip: &Clip,
        tracks: &[TrackData],
        group: &MeshGroup,
        node: usize,
    ) -> Result<(), ModelError> {
        let (own, target) = (&group.morph_weights, ChannelTarget { node, path: "weights" });
        let mut exact = None;
        let mut seconds: Vec<f32> = Vec::new();
        for track in tracks {
            let KeyData::Weights { first, count, values } = &track.keys else { continue };
            if *first == own.start && *count == own.len() {
                exact = Some((track, values));
            } else if *first < own.end && own.start < first + count {
                seconds.extend(&track.times);
            }
        }
        if let Some((track, values)) = exact {
            let output = self.document.buffer.scalars(values);
            self.add(&track.times, track.interpolation, output, target);
        } else if !seconds.is_empty() {
            seconds.sort_unstable_by(f32::total_cmp);
            seconds.dedup();
            let (mut pose, mut cursor) = (model.skeleton().rest_pose(), clip.cursor());
            let mut values = Vec::with_capacity(seconds.len() * own.len());
            for &time in &seconds {
                clip.sample(time, &mut cursor, &mut pose)?;
                values.extend_from_slice(&pose.morph_weights()[own.clone()]);
            }
            let output = self.document.buffer.scalars(&values);
            self.add(&seconds, Interpolation::Linear, output, target);
        }
        Ok(())
    }

    /// Adds a channel that keeps the first joint at rest, since glTF does not allow an animation
    /// without channels.
    fn add_rest_channel(&mut self, model: &Model) {
        let rest = model.skeleton().rest().transform(JointId::new(0)).translation;
        let output = self.document.buffer.vectors(&[rest], View::Other);
        let target = ChannelTarget { node: 0, path: "translation" };
        self.add(&[0.0], Interpolation::Step, output, target);
    }
}
