//! How far a model reaches, at rest and over each clip.

use serde_json::{Value, json};
use sinew::{Aabb, JointBlend, Model};

/// Samples of a clip in a second.
const RATE: f32 = 30.0;
/// The most samples of a clip.
const SAMPLES: f32 = 300.0;
/// The most joints to pose and boxes to look at for all clips: a file may have very many joints, parts and clips.
const BOXES: f32 = 5e6;

/// The boxes of a model.
pub(super) struct Boxes {
    /// `None` where there is nothing, or it is nowhere that numbers reach.
    pub(super) rest: Option<Aabb>,
    /// Of each clip.
    pub(super) clips: Vec<Option<Aabb>>,
}

impl Boxes {
    pub(super) fn new(model: &Model) -> Self {
        let boxed: usize = (0..model.parts().len()).map(|part| model.surface(part).mesh.skin_len()).sum();
        let posed: usize = model.skins().iter().map(|skin| skin.joints().len()).sum();
        let joints = model.skeleton().len() + posed + boxed;
        let boxes = joints as f32 * model.clips().len().max(1) as f32;
        let samples = (BOXES / boxes).clamp(1.0, SAMPLES);
        let clip = |clip: usize| {
            let seconds = model.clips()[clip].end() - model.clips()[clip].start();
            let rate = RATE.min(samples / seconds.max(f32::MIN_POSITIVE));
            model.clip_bounds(clip, rate, JointBlend::Linear).ok().and_then(finite)
        };
        Self { rest: finite(model.rest_bounds()), clips: (0..model.clips().len()).map(clip).collect() }
    }
}

fn finite(bounds: Aabb) -> Option<Aabb> {
    let finite = bounds.min.iter().chain(&bounds.max).all(|number| number.is_finite());
    (finite && !bounds.is_empty()).then_some(bounds)
}

/// For machines; null where there is no box.
pub(super) fn to_json(bounds: Option<&Aabb>) -> Value {
    bounds.map_or(Value::Null, |Aabb { min, max }| json!({ "min": min, "max": max }))
}

/// For people: edges, and the corners between which they lie.
pub(super) fn to_text(bounds: Option<&Aabb>) -> String {
    let Some(Aabb { min, max }) = bounds else { return "none".to_owned() };
    let corner = |[x, y, z]: [f32; 3]| format!("({}, {}, {})", short(x), short(y), short(z));
    let edges: [f32; 3] = std::array::from_fn(|axis| max[axis] - min[axis]);
    let [x, y, z] = edges.map(short);
    format!("{x} x {y} x {z}, {} to {}", corner(*min), corner(*max))
}

/// Three digits after the point where that tells something, and a power of ten elsewhere.
fn short(number: f32) -> String {
    if number == 0.0 || (0.001..100_000.0).contains(&number.abs()) {
        // A zero without a sign.
        format!("{:.3}", number + 0.0)
    } else {
        format!("{number:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_told_by_edges_and_corners() {
        let bounds = Aabb { min: [-1.0, 0.0, 1e-7], max: [1.5, 2e7, 0.5] };
        let text = to_text(Some(&bounds));
        assert_eq!(text, "2.500 x 2.00e7 x 0.500, (-1.000, 0.000, 1.00e-7) to (1.500, 2.00e7, 0.500)");
        assert_eq!(to_text(None), "none");
    }

    #[test]
    fn what_is_nowhere_has_no_box() {
        assert_eq!(finite(Aabb::EMPTY), None);
        assert_eq!(finite(Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] }), None);
        assert_eq!(to_json(None), Value::Null);
    }
}
