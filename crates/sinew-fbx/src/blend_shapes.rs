//! Blend shapes as morph targets. Each shape of a channel, also those in between, is a target.

use std::sync::Arc;

use sinew_io::{Error, ImportContext, RawMorphTarget};
use ufbx::{BlendChannel, BlendShape, Mesh};

/// Bytes of a shape in addition to its name.
const SHAPE_BYTES: u64 = 64;

/// The shapes of a mesh, in the order of its deformers, channels and keys.
pub(crate) struct BlendShapes<'a> {
    pub(crate) shapes: Vec<&'a BlendShape>,
    pub(crate) names: Vec<String>,
    /// The weights at rest.
    pub(crate) weights: Vec<f32>,
}

/// The channels of a mesh, with the index of their first target.
pub(crate) fn channels(mesh: &Mesh) -> impl Iterator<Item = (usize, &BlendChannel)> {
    let channels = mesh.blend_deformers.iter().flat_map(|deformer| deformer.channels.iter());
    channels.scan(0, |next, channel| {
        let first = *next;
        *next += channel.keyframes.len();
        Some((first, &**channel))
    })
}

pub(crate) fn blend_shapes<'a>(
    mesh: &'a Mesh,
    context: &ImportContext<'_>,
) -> Result<BlendShapes<'a>, Error> {
    let mut found = BlendShapes { shapes: Vec::new(), names: Vec::new(), weights: Vec::new() };
    for (_, channel) in channels(mesh) {
        for (index, key) in channel.keyframes.iter().enumerate() {
            let is_last = index + 1 == channel.keyframes.len();
            let name = if is_last { &channel.element.name } else { &key.shape.element.name };
            // Meshes may share channels, and channels shapes.
            context.spend(SHAPE_BYTES + name.len() as u64, "blend shapes")?;
            found.names.push(name.to_string());
            found.weights.push(key.effective_weight as f32);
            found.shapes.push(&key.shape);
        }
    }
    Ok(found)
}

impl BlendShapes<'_> {
    /// The deltas of each vertex, by its control point. Takes time for the vertices only, however
    /// many points the shapes move.
    pub(crate) fn targets(&self, control_points: &[u32], with_normals: bool) -> Vec<RawMorphTarget<'static>> {
        let gather = |shape: &BlendShape, offsets: &[ufbx::Vec3]| {
            let delta = |&point: &u32| {
                let index = offset_index(&shape.offset_vertices, point)?;
                // Blender writes a weight per vertex.
                let weight = shape.offset_weights.get(index).copied().unwrap_or(1.0);
                let offset = offsets.get(index)?;
                Some([offset.x, offset.y, offset.z].map(|x| (x * weight) as f32))
            };
            let deltas = control_points.iter().map(|point| delta(point).unwrap_or_default());
            Arc::new(deltas.collect())
        };
        let mut targets = Vec::with_capacity(self.shapes.len());
        for shape in &self.shapes {
            let positions = Some(gather(shape, &shape.position_offsets));
            let has_normals = with_normals && !shape.normal_offsets.is_empty();
            let normals = has_normals.then(|| gather(shape, &shape.normal_offsets));
            targets.push(RawMorphTarget { positions, normals, tangents: None });
        }
        targets
    }
}

/// The index of a point in the sorted list of those that a shape moves; the last one if it repeats.
fn offset_index(points: &[u32], point: u32) -> Option<usize> {
    let index = points.partition_point(|&other| other <= point).checked_sub(1)?;
    (points[index] == point).then_some(index)
}

/// The weights of a channel's shapes at a weight of the channel: linear between the two shapes
/// around it, with no shape at zero, and beyond the outermost shape as if the line went on.
pub(crate) fn shape_weights(channel: &BlendChannel, weight: f64, weights: &mut [f32]) {
    let targets: Vec<f64> = channel.keyframes.iter().map(|key| key.target_weight).collect();
    weights.fill(0.0);
    // Shapes away from zero, on the side of the weight, nearest first.
    let negative = targets.iter().take_while(|&&target| target < 0.0).count();
    let side: Vec<usize> =
        if weight > 0.0 { (negative..targets.len()).collect() } else { (0..negative).rev().collect() };
    let (mut before, mut after) = (None, None);
    for shape in side {
        before = after;
        after = Some(shape);
        if targets[shape].abs() > weight.abs() {
            break;
        }
    }
    let Some(after) = after else { return };
    let from = before.map_or(0.0, |shape: usize| targets[shape]);
    let span = targets[after] - from;
    if span == 0.0 {
        return;
    }
    let t = (weight - from) / span;
    if let Some(before) = before {
        weights[before] = (1.0 - t) as f32;
    }
    weights[after] = t as f32;
}
