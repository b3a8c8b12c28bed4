//! Bakes animation stacks, with all their layers, into animations.

use std::collections::HashMap;
use std::sync::Arc;

use sinew::animation::Interpolation;
use sinew_io::{
    AnimatedProperty, Error, ImportContext, RawAnimation, RawChannel, RawScene, RawTimes, SourceLocation,
};
use ufbx::{
    AllocatorOpts, BakeOpts, BakeStepHandling, BakedAnimRoot, BakedElement, BakedNode, BakedVec3,
    BlendChannel, Mesh, Scene,
};

use crate::blend_shapes::{channels, shape_weights};

/// Bytes of a key in the scene and in the clip.
const KEY_BYTES: u64 = 40;

/// Bytes of a channel and of its times, without keys.
const CHANNEL_BYTES: u64 = 2 * (size_of::<RawChannel<'_>>() + size_of::<RawTimes<'_>>()) as u64;

/// Bytes of a time of weights, before it is rounded.
const TIME_BYTES: u64 = 8;

/// The frame rate of a file that states none that is usable.
const DEFAULT_RATE: f64 = 30.0;

/// The highest frame rate that is resampled at.
const MAX_RATE: f64 = 1000.0;

/// The most keys that are made of a curve between two keys of the file.
const MAX_SEGMENTS: usize = 4096;

/// The most animation stacks that become clips.
const MAX_STACKS: usize = 4096;

/// Bytes that a stack counts per node. They bound the time: each stack is baked for all nodes.
const STACK_NODE_BYTES: u64 = 8;

pub(crate) fn animations(
    scene: &Scene,
    raw: &RawScene<'_>,
    context: &mut ImportContext<'_>,
) -> Result<Vec<RawAnimation<'static>>, Error> {
    let mut animations = Vec::new();
    let stacks = scene.anim_stacks.len();
    if stacks > MAX_STACKS {
        let found = format!("{stacks} of them");
        context.warn(
            "animation stacks",
            found,
            format!("those after the first {MAX_STACKS} were left out"),
        )?;
    }
    for stack in scene.anim_stacks.iter().take(MAX_STACKS) {
        let name = stack.element.name.to_string();
        let location = format!("animation stack {name:?}");
        context.spend(scene.nodes.len() as u64 * STACK_NODE_BYTES, &location)?;
        let baked = bake(scene, &stack.anim, &location, context)?;
        context.spend(baked.metadata.result_memory_used as u64, &location)?;
        let raw_animation = RawAnimation { name, location, ..RawAnimation::default() };
        let start = baked.playback_time_begin;
        let start = if start.is_finite() { start } else { 0.0 };
        let base = Arc::from(&*raw_animation.location);
        let mut builder = AnimationBuilder { raw: raw_animation, base, start, times: HashMap::new() };
        for node in &baked.nodes {
            builder.add_node(node, context)?;
        }
        let weights = weight_keys(&baked.elements);
        if !weights.is_empty() {
            for mesh in &scene.meshes {
                builder.add_weights(mesh, &weights, raw, context)?;
            }
        }
        if builder.raw.channels.is_empty() {
            continue;
        }
        animations.push(builder.raw);
    }
    Ok(animations)
}

fn bake(
    scene: &Scene,
    anim: &ufbx::Anim,
    location: &str,
    context: &ImportContext<'_>,
) -> Result<BakedAnimRoot, Error> {
    let rate = scene.settings.frames_per_second;
    let rate = if rate.is_finite() && (1.0..=MAX_RATE).contains(&rate) { rate } else { DEFAULT_RATE };
    let memory_limit = usize::try_from(context.memory_left()).unwrap_or(usize::MAX);
    let limited = || AllocatorOpts { memory_limit, ..AllocatorOpts::default() };
    let options = BakeOpts {
        temp_allocator: limited(),
        result_allocator: limited(),
        resample_rate: rate,
        // Curves are resampled even where their keys are dense: straight lines would replace them.
        minimum_sample_rate: MAX_RATE,
        max_keyframe_segments: MAX_SEGMENTS,
        step_handling: BakeStepHandling::AdjacentDouble,
        ..BakeOpts::default()
    };
    ufbx::bake_anim(scene, anim, options)
        .map_err(|error| Error::invalid(location, "an animation that can be baked", &*error.description))
}

struct AnimationBuilder {
    raw: RawAnimation<'static>,
    /// The location of the animation.
    base: Arc<str>,
    /// The time of the file that becomes zero.
    start: f64,
    /// The index of each list of times, by its bits: most channels share theirs.
    times: HashMap<Vec<u32>, usize>,
}

/// The time and the values of a key.
type Key<const N: usize> = (f64, [f64; N]);

impl AnimationBuilder {
    fn add_node(&mut self, node: &BakedNode, context: &ImportContext<'_>) -> Result<(), Error> {
        let index = node.typed_id as usize;
        let vector = |key: &BakedVec3| (key.time, [key.value.x, key.value.y, key.value.z]);
        let quaternion =
            |key: &ufbx::BakedQuat| (key.time, [key.value.x, key.value.y, key.value.z, key.value.w]);
        let translations: Vec<_> = node.translation_keys.iter().map(vector).collect();
        let rotations: Vec<_> = node.rotation_keys.iter().map(quaternion).collect();
        let scales: Vec<_> = node.scale_keys.iter().map(vector).collect();
        let keys = translations.len() + rotations.len() + scales.len();
        context.spend(keys as u64 * KEY_BYTES, &self.raw.location)?;
        self.add_keys(index, AnimatedProperty::Rotation, &rotations, node.constant_rotation, context)?;
        self.add_keys(
            index,
            AnimatedProperty::Translation,
            &translations,
            node.constant_translation,
            context,
        )?;
        self.add_keys(index, AnimatedProperty::Scale, &scales, node.constant_scale, context)
    }

    fn add_keys<const N: usize>(
        &mut self,
        node: usize,
        property: AnimatedProperty,
        keys: &[Key<N>],
        is_constant: bool,
        context: &ImportContext<'_>,
    ) -> Result<(), Error> {
        let keys = if is_constant { &keys[keys.len().saturating_sub(1)..] } else { keys };
        let (mut seconds, mut values) = (Vec::with_capacity(keys.len()), Vec::with_capacity(keys.len() * N));
        // Of the keys before the start, only what they give at the start counts.
        let first = keys.partition_point(|key| key.0 < self.start);
        if let (Some(before), Some(after)) =
            (first.checked_sub(1).map(|before| &keys[before]), keys.get(first))
        {
            let value = interpolate(before, after, self.start).map(|number| number as f32);
            push_key(&mut seconds, &mut values, 0.0, &value);
        } else if let (true, Some(last)) = (first == keys.len(), keys.last()) {
            push_key(&mut seconds, &mut values, 0.0, &last.1.map(|number| number as f32));
        }
        for (time, value) in &keys[first..] {
            push_key(&mut seconds, &mut values, time - self.start, &value.map(|number| number as f32));
        }
        if seconds.is_empty() {
            return Ok(());
        }
        self.add_channel(node, property, seconds, values, context)
    }

    fn add_channel(
        &mut self,
        node: usize,
        property: AnimatedProperty,
        seconds: Vec<f32>,
        values: Vec<f32>,
        context: &ImportContext<'_>,
    ) -> Result<(), Error> {
        context.spend(CHANNEL_BYTES, &self.raw.location)?;
        let location = SourceLocation::part(&self.base, ", node {}", node);
        let bits: Vec<u32> = seconds.iter().map(|time| time.to_bits()).collect();
        let lists = &mut self.raw.times;
        let times = *self.times.entry(bits).or_insert_with(|| {
            let location = SourceLocation::new(Arc::clone(&self.base));
            lists.push(RawTimes { location, seconds: seconds.into() });
            lists.len() - 1
        });
        self.raw.channels.push(RawChannel {
            values_location: location.clone(),
            location,
            node,
            property,
            times,
            values: values.into(),
            interpolation: Interpolation::Linear,
        });
        Ok(())
    }

    /// Adds the weights of a mesh's blend shapes, at the keys of all its channels.
    fn add_weights(
        &mut self,
        mesh: &Mesh,
        keys: &WeightKeys<'_>,
        raw: &RawScene<'_>,
        context: &ImportContext<'_>,
    ) -> Result<(), Error> {
        let with_shapes = channels(mesh).filter(|(_, channel)| !channel.keyframes.is_empty());
        let curves: Vec<_> =
            with_shapes.map(|(first, channel)| WeightCurve::new(first, channel, keys)).collect();
        let key_count = curves.iter().map(|curve| curve.keys.len()).sum::<usize>();
        let nodes = mesh.element.instances.iter().map(|node| node.element.typed_id as usize);
        let nodes = nodes.filter(|&node| raw.nodes.get(node).is_some_and(|node| node.mesh.is_some()));
        let instance_count = nodes.clone().count();
        if key_count == 0 || instance_count == 0 {
            return Ok(());
        }
        context.spend((key_count as u64 + 1) * TIME_BYTES, &self.raw.location)?;
        let mut times = Vec::with_capacity(key_count + 1);
        times.push(self.start);
        let key_times = curves.iter().flat_map(|curve| curve.keys.iter().map(|key| key.time));
        times.extend(key_times.filter(|&time| time > self.start));
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        let count = curves.iter().map(|curve| curve.channel.keyframes.len()).sum::<usize>();
        context.spend(weight_bytes(times.len(), count, instance_count), &self.raw.location)?;
        let (mut seconds, mut values) =
            (Vec::with_capacity(times.len()), Vec::with_capacity(times.len() * count));
        let mut weights = vec![0.0; count];
        for &time in &times {
            for curve in &curves {
                let own = &mut weights[curve.first..][..curve.channel.keyframes.len()];
                shape_weights(curve.channel, curve.weight(time), own);
            }
            push_key(&mut seconds, &mut values, time - self.start, &weights);
        }
        for node in nodes {
            let (seconds, values) = (seconds.clone(), values.clone());
            self.add_channel(node, AnimatedProperty::MorphWeights, seconds, values, context)?;
        }
        Ok(())
    }
}

/// Bytes of the weights of `shapes` shapes at `times` times: each instance has its own, in the
/// scene and in the clip.
fn weight_bytes(times: usize, shapes: usize, instances: usize) -> u64 {
    let [times, shapes, instances] = [times, shapes, instances].map(|count| count as u64);
    times.saturating_mul(shapes + 1).saturating_mul(instances + 1).saturating_mul(8)
}

/// The value between two keys, the nearer way round for rotations.
fn interpolate<const N: usize>(before: &Key<N>, after: &Key<N>, time: f64) -> [f64; N] {
    let part = (time - before.0) / (after.0 - before.0);
    let dot: f64 = before.1.iter().zip(after.1).map(|(a, b)| a * b).sum();
    let sign = if N == 4 && dot < 0.0 { -1.0 } else { 1.0 };
    std::array::from_fn(|i| before.1[i] + (sign * after.1[i] - before.1[i]) * part)
}

/// Adds a key. A key at the time of the one before it, rounded, is a step: the one before moves to
/// the number below, or is dropped if that is taken. Times that go back are ignored.
fn push_key(seconds: &mut Vec<f32>, values: &mut Vec<f32>, time: f64, value: &[f32]) {
    let time = time.max(0.0) as f32;
    match seconds[..] {
        [.., last] if time < last => return,
        [.., before, last] if time == last && time.next_down() <= before => drop_last(seconds, values, value),
        [last] if time == last && time == 0.0 => drop_last(seconds, values, value),
        [.., ref mut last] if time == *last => *last = time.next_down(),
        _ => {}
    }
    seconds.push(time);
    values.extend(value);
}

fn drop_last(seconds: &mut Vec<f32>, values: &mut Vec<f32>, value: &[f32]) {
    seconds.pop();
    values.truncate(values.len() - value.len());
}

/// The keys of all animated blend channels, by the channel's element.
type WeightKeys<'a> = HashMap<u32, &'a [BakedVec3]>;

fn weight_keys(elements: &[BakedElement]) -> WeightKeys<'_> {
    let mut keys = HashMap::new();
    for element in elements {
        if let Some(property) = element.props.iter().find(|property| &*property.name == "DeformPercent") {
            keys.insert(element.element_id, &*property.keys);
        }
    }
    keys
}

/// The weight of a blend channel over time.
struct WeightCurve<'a> {
    first: usize,
    channel: &'a BlendChannel,
    /// Weights in percent; empty if the weight is constant.
    keys: &'a [BakedVec3],
}

impl<'a> WeightCurve<'a> {
    fn new(first: usize, channel: &'a BlendChannel, keys: &WeightKeys<'a>) -> Self {
        let keys = keys.get(&channel.element.element_id).copied().unwrap_or_default();
        Self { first, channel, keys }
    }

    /// The weight at a time, linear between keys.
    fn weight(&self, time: f64) -> f64 {
        let after = self.keys.partition_point(|key| key.time < time);
        let key = |key: &BakedVec3| (key.time, 0.01 * key.value.x);
        match (after.checked_sub(1).map(|before| key(&self.keys[before])), self.keys.get(after).map(key)) {
            (None, None) => self.channel.weight,
            (None, Some(key)) => key.1,
            (Some(key), None) => key.1,
            (Some(a), Some(b)) if b.0 > a.0 => a.1 + (b.1 - a.1) * (time - a.0) / (b.0 - a.0),
            (Some(_), Some(key)) => key.1,
        }
    }
}
