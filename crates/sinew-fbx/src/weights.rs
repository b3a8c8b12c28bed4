//! The weights of blend shapes over time.

use std::collections::HashMap;

use sinew_io::{Error, ImportContext, RawScene};
use ufbx::{BakedElement, BakedVec3, BlendChannel, Mesh, Scene};

use crate::blend_shapes::{channels, shape_weights};

/// Bytes of a channel in the list of its mesh, and of the mesh in the list of the channel.
const CHANNEL_BYTES: u64 = 64;

/// Bytes of a time of weights, before it is rounded.
const TIME_BYTES: u64 = 8;

/// The meshes with blend shapes that nodes show. A stack then looks at those that it animates only,
/// however many there are.
pub(crate) struct ShapedMeshes<'a> {
    meshes: Vec<ShapedMesh<'a>>,
    /// The meshes with each channel, by the channel's element.
    by_channel: HashMap<u32, Vec<usize>>,
}

/// A mesh with blend shapes.
pub(crate) struct ShapedMesh<'a> {
    /// The channels with shapes, each with the index of its first one.
    channels: Vec<(usize, &'a BlendChannel)>,
    /// The number of all shapes.
    shapes: usize,
    /// The nodes that show the mesh.
    pub(crate) nodes: Vec<usize>,
}

impl<'a> ShapedMeshes<'a> {
    pub(crate) fn new(
        scene: &'a Scene,
        raw: &RawScene<'_>,
        context: &ImportContext<'_>,
    ) -> Result<Self, Error> {
        let mut shaped = Self { meshes: Vec::new(), by_channel: HashMap::new() };
        for mesh in &scene.meshes {
            let nodes: Vec<_> = shown_nodes(mesh, raw).collect();
            if nodes.is_empty() {
                continue;
            }
            let with_shapes = || channels(mesh).filter(|(_, channel)| !channel.keyframes.is_empty());
            // Meshes may share channels.
            context.spend(with_shapes().count() as u64 * CHANNEL_BYTES, "blend shapes")?;
            let channels: Vec<_> = with_shapes().collect();
            for (_, channel) in &channels {
                let meshes = shaped.by_channel.entry(channel.element.element_id).or_default();
                meshes.push(shaped.meshes.len());
            }
            let shapes = channels.iter().map(|(_, channel)| channel.keyframes.len()).sum();
            shaped.meshes.push(ShapedMesh { channels, shapes, nodes });
        }
        Ok(shaped)
    }

    /// The meshes of which a channel has keys, in the order of the scene.
    pub(crate) fn with_keys(&self, keys: &WeightKeys<'_>) -> impl Iterator<Item = &ShapedMesh<'a>> {
        let animated = keys.iter().filter(|(_, keys)| !keys.is_empty());
        let meshes = animated.filter_map(|(channel, _)| self.by_channel.get(channel));
        let mut meshes: Vec<usize> = meshes.flatten().copied().collect();
        meshes.sort_unstable();
        meshes.dedup();
        meshes.into_iter().map(|mesh| &self.meshes[mesh])
    }
}

fn shown_nodes(mesh: &Mesh, raw: &RawScene<'_>) -> impl Iterator<Item = usize> {
    let nodes = mesh.element.instances.iter().map(|node| node.element.typed_id as usize);
    nodes.filter(|&node| raw.nodes.get(node).is_some_and(|node| node.mesh.is_some()))
}

/// The keys of all animated blend channels, by the channel's element.
pub(crate) type WeightKeys<'a> = HashMap<u32, &'a [BakedVec3]>;

pub(crate) fn weight_keys(elements: &[BakedElement]) -> WeightKeys<'_> {
    let mut keys = HashMap::new();
    for element in elements {
        if let Some(property) = element.props.iter().find(|property| &*property.name == "DeformPercent") {
            keys.insert(element.element_id, &*property.keys);
        }
    }
    keys
}

impl ShapedMesh<'_> {
    /// Calls `add` with the weights of all shapes, at the keys of all channels from `start` on.
    pub(crate) fn each_key(
        &self,
        keys: &WeightKeys<'_>,
        start: f64,
        location: &str,
        context: &ImportContext<'_>,
        mut add: impl FnMut(f64, &[f32]),
    ) -> Result<(), Error> {
        let curve = |&(first, channel)| WeightCurve::new(first, channel, keys);
        let curves: Vec<_> = self.channels.iter().map(curve).collect();
        let key_count = curves.iter().map(|curve| curve.keys.len()).sum::<usize>();
        context.spend((key_count as u64 + 1) * TIME_BYTES, location)?;
        let mut times = Vec::with_capacity(key_count + 1);
        times.push(start);
        let key_times = curves.iter().flat_map(|curve| curve.keys.iter().map(|key| key.time));
        times.extend(key_times.filter(|&time| time > start));
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        context.spend(self.weight_bytes(times.len()), location)?;
        let mut weights = vec![0.0; self.shapes];
        for &time in &times {
            for curve in &curves {
                let own = &mut weights[curve.first..][..curve.channel.keyframes.len()];
                shape_weights(curve.channel, curve.weight(time), own);
            }
            add(time, &weights);
        }
        Ok(())
    }

    /// Bytes of the weights at `times` times: each node has its own, in the scene and in the clip.
    fn weight_bytes(&self, times: usize) -> u64 {
        let [times, shapes, nodes] = [times, self.shapes, self.nodes.len()].map(|count| count as u64);
        times.saturating_mul(shapes + 1).saturating_mul(nodes + 1).saturating_mul(8)
    }
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
