//! Bounds of a model: of its rest pose and over each clip.

use sinew::skinning::SkinMethod;
use sinew::{Aabb, Model};

use crate::json::{Value, json};

/// Samples of a clip per second.
const RATE: f32 = 30.0;
/// The most samples of a clip.
const MAX_SAMPLES: f32 = 300.0;
/// The most joints to pose and joint boxes to transform, over all clips. A file may have very many
/// joints, mesh instances and clips.
const MAX_JOINT_BOXES: f32 = 5e6;

/// The bounds of a model. A box is `None` when it is empty or not finite.
pub(super) struct ModelBounds {
    pub(super) rest: Option<Aabb>,
    /// One for each clip.
    pub(super) clips: Vec<Option<Aabb>>,
}

impl ModelBounds {
    pub(super) fn new(model: &Model) -> Self {
        let boxed: usize =
            (0..model.mesh_instances().len()).map(|instance| model.primitive(instance).mesh.skin_len()).sum();
        let posed: usize = model.skins().iter().map(|skin| skin.joints().len()).sum();
        let joints = model.skeleton().len() + posed + boxed;
        let boxes = joints as f32 * model.clips().len().max(1) as f32;
        let samples = (MAX_JOINT_BOXES / boxes).clamp(1.0, MAX_SAMPLES);
        let clip = |clip: usize| {
            let seconds = model.clips()[clip].end() - model.clips()[clip].start();
            let rate = RATE.min(samples / seconds.max(f32::MIN_POSITIVE));
            model.clip_bounds(clip, rate, SkinMethod::Linear).ok().and_then(finite)
        };
        Self { rest: finite(model.rest_bounds()), clips: (0..model.clips().len()).map(clip).collect() }
    }
}

fn finite(bounds: Aabb) -> Option<Aabb> {
    let finite = bounds.min.iter().chain(&bounds.max).all(|number| number.is_finite());
    (finite && !bounds.is_empty()).then_some(bounds)
}

/// Bounds as JSON; null when there are none.
pub(super) fn to_json(bounds: Option<&Aabb>) -> Value {
    bounds.map_or(Value::Null, |Aabb { min, max }| json!({ "min": min, "max": max }))
}

/// Bounds as text: the size, then both corners.
pub(super) fn to_text(bounds: Option<&Aabb>) -> String {
    let Some(Aabb { min, max }) = bounds else { return "none".to_owned() };
    let size: [f32; 3] = std::array::from_fn(|axis| max[axis] - min[axis]);
    let zero = size.into_iter().fold(0.0, f32::max) * ZERO_OF_SIZE;
    let corner =
        |[x, y, z]: [f32; 3]| format!("({}, {}, {})", short(x, zero), short(y, zero), short(z, zero));
    let [x, y, z] = size.map(|side| short(side, zero));
    format!("{x} x {y} x {z}, {} to {}", corner(*min), corner(*max))
}

/// A number that three decimals do not show, and that is below this fraction of the largest side, is
/// printed as zero: nobody sees it, and bounds are rounded outward, also from zero.
const ZERO_OF_SIZE: f32 = 1e-4;

/// Three decimals; scientific notation for very large numbers, and for very small ones from `zero`
/// on.
fn short(number: f32, zero: f32) -> String {
    let number = if number.abs() < zero.min(0.001) { 0.0 } else { number };
    if number == 0.0 || (0.001..100_000.0).contains(&number.abs()) {
        // Adding zero removes the sign of a negative zero.
        format!("{:.3}", number + 0.0)
    } else {
        format!("{number:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_printed_as_size_and_corners() {
        let bounds = Aabb { min: [-1.0, 0.0, 1e-7], max: [1.5, 2e7, 0.5] };
        let text = to_text(Some(&bounds));
        assert_eq!(text, "2.500 x 2.00e7 x 0.500, (-1.000, 0.000, 0.000) to (1.500, 2.00e7, 0.500)");
        let tiny = Aabb { min: [0.0, -2e-9, 0.0], max: [2e-5, 1e-5, 3e-5] };
        let text = to_text(Some(&tiny));
        assert_eq!(text, "2.00e-5 x 1.00e-5 x 3.00e-5, (0.000, 0.000, 0.000) to (2.00e-5, 1.00e-5, 3.00e-5)");
        let knight = Aabb { min: [-1.303, -3.06e-5, -0.579], max: [1.387, 2.467, 1.998] };
        let text = to_text(Some(&knight));
        assert!(text.ends_with("(-1.303, 0.000, -0.579) to (1.387, 2.467, 1.998)"), "{text}");
        assert_eq!(to_text(None), "none");
        let flat = Aabb { min: [0.0, -f32::MIN_POSITIVE, 0.0], max: [1.0, f32::MIN_POSITIVE, 1.0] };
        assert_eq!(
            to_text(Some(&flat)),
            "1.000 x 0.000 x 1.000, (0.000, 0.000, 0.000) to (1.000, 0.000, 1.000)"
        );
    }

    #[test]
    fn empty_and_infinite_bounds_are_none() {
        assert_eq!(finite(Aabb::EMPTY), None);
        assert_eq!(finite(Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] }), None);
        assert_eq!(to_json(None), Value::Null);
    }
}
