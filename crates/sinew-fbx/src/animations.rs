//! Bakes animation stacks, with all their layers, into animations.

use std::collections::HashMap;
use std::sync::Arc;

use sinew::animation::Interpolation;
use sinew_io::{
    AnimatedProperty, Error, ImportContext, RawAnimation, RawChannel, RawScene, RawTimes, SourceLocation,
};
use ufbx::{AllocatorOpts, BakeOpts, BakeStepHandling, BakedAnimRoot, BakedNode, BakedVec3, Scene};

use crate::weights::{ShapedMesh, ShapedMeshes, WeightKeys, weight_keys};

/// Bytes of a key in the scene and in the clip.
const KEY_BYTES: u64 = 40;

/// Bytes of a channel and of its times, without keys.
const CHANNEL_BYTES: u64 = 2 * (size_of::<RawChannel<'_>>() + size_of::<RawTimes<'_>>()) as u64;

/// The frame rate of a file that states none that is usable.
const DEFAULT_RATE: f64 = 30.0;

/// The highest frame rate that is resampled at.
const MAX_RATE: f64 = 1000.0;

/// The most keys that are made of a curve between two keys of the file.
const MAX_SEGMENTS: usize = 4096;

/// The most animation stacks that become clips.
const MAX_STACKS: usize = 4096;

/// Bytes that a stack counts per node and per animated property of its layers. They bound the time:
/// each stack is baked for all of them.
const BAKED_BYTES: u64 = 8;

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
    let shaped_meshes = ShapedMeshes::new(scene, raw, context)?;
    for stack in scene.anim_stacks.iter().take(MAX_STACKS) {
        let name = stack.element.name.to_string();
        let location = format!("animation stack {name:?}");
        let properties = stack.layers.iter().map(|layer| layer.anim_props.len()).sum::<usize>();
        context.spend((scene.nodes.len() + properties) as u64 * BAKED_BYTES, &location)?;
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
        for mesh in shaped_meshes.with_keys(&weights) {
            builder.add_weights(mesh, &weights, context)?;
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
        mesh: &ShapedMesh<'_>,
        keys: &WeightKeys<'_>,
        context: &ImportContext<'_>,
    ) -> Result<(), Error> {
        let (mut seconds, mut values) = (Vec::new(), Vec::new());
        let start = self.start;
        mesh.each_key(keys, start, &self.raw.location, context, |time, weights| {
            push_key(&mut seconds, &mut values, time - start, weights);
        })?;
        for &node in &mesh.nodes {
            let (seconds, values) = (seconds.clone(), values.clone());
            self.add_channel(node, AnimatedProperty::MorphWeights, seconds, values, context)?;
        }
        Ok(())
    }
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
