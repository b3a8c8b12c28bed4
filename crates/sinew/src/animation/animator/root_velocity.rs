//! The velocity of root motion, which transitions carry over.

use super::blended_motion::BlendedMotion;
use super::playback::Playback;
use crate::animation::{ClipSet, Motion};
use crate::math::quaternion::{IDENTITY, Quaternion, normalize_or_identity, to_f32, to_unit_f64};
use crate::math::vector::{self, Vector};

/// The velocity of the root motion.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RootVelocity {
    /// Meters per second.
    translation: Vector,
    /// Modified Rodrigues parameters per second.
    rotation: Vector,
}

impl RootVelocity {
    /// The root velocity of playbacks, from their motion within a step.
    pub(super) fn measure(set: &ClipSet, playbacks: &[Playback], step: f64) -> Self {
        let root = playbacks.iter().find_map(Playback::root);
        let mut blended = BlendedMotion::default();
        for playback in playbacks.iter().filter(|playback| playback.reference.is_none()) {
            blended.add(&playback.motion_ahead(set, step), playback.effective_weight_at(root));
        }
        let Motion { rotation, translation } = blended.mean();
        Self {
            translation: vector::to_f64(translation) / step,
            rotation: to_parameters(toward(to_unit_f64(rotation), IDENTITY)) / step,
        }
    }

    pub(super) fn plus(self, factor: f64, other: &Self) -> Self {
        Self {
            translation: self.translation + other.translation * factor,
            rotation: self.rotation + other.rotation * factor,
        }
    }

    pub(super) fn motion(&self, seconds: f64) -> Motion {
        let m = self.rotation * seconds;
        let squared = m.dot(m);
        let [x, y, z] = (m * 2.0).to_array();
        let rotation = to_f32(normalize_or_identity([x, y, z, 1.0 - squared]));
        Motion { rotation, translation: vector::to_f32(self.translation * seconds) }
    }
}

/// The part of a root velocity that is left after a part of the duration.
pub(super) fn speed(part: f64) -> f64 {
    1.0 - part * part * (3.0 - 2.0 * part)
}

/// The integral of [`speed`].
pub(super) fn distance(part: f64) -> f64 {
    part - part * part * part * (1.0 - 0.5 * part)
}

/// Of the two quaternions of a rotation, the one nearer to another.
pub(super) fn toward(q: Quaternion, other: Quaternion) -> Quaternion {
    let cosine: f64 = q.iter().zip(other).map(|(a, b)| a * b).sum();
    if cosine < 0.0 { q.map(|element| -element) } else { q }
}

/// Modified Rodrigues parameters: the axis times the tangent of a quarter of the angle.
pub(super) fn to_parameters([x, y, z, w]: Quaternion) -> Vector {
    Vector::new(x, y, z) / (1.0 + w)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_the_integral_of_speed() {
        for step in 1..100 {
            let part = f64::from(step) / 100.0;
            assert!(((distance(part + 1e-5) - distance(part - 1e-5)) / 2e-5 - speed(part)).abs() < 1e-8);
        }
        assert_eq!((speed(0.0), speed(1.0), distance(0.0)), (1.0, 0.0, 0.0));
    }
}
