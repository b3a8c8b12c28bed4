//! The weighted average of the root motions of several playbacks.

use crate::animation::Motion;
use crate::math::quaternion::{normalize_or_identity, to_f32, to_unit_f64};

/// A weighted sum of motions. If the weights sum to less than one, the identity motion gets the
/// remaining weight.
#[derive(Clone, Copy, Default)]
pub(super) struct BlendedMotion {
    rotation: [f64; 4],
    translation: [f64; 3],
    weight: f64,
}

impl BlendedMotion {
    pub(super) fn add(&mut self, motion: &Motion, weight: f32) {
        let weight = f64::from(weight);
        let added = to_unit_f64(motion.rotation);
        let cosine: f64 = self.rotation.iter().zip(added).map(|(a, b)| a * b).sum();
        let signed_weight = if cosine < 0.0 { -weight } else { weight };
        for (sum, element) in self.rotation.iter_mut().zip(added) {
            *sum += signed_weight * element;
        }
        for (sum, element) in self.translation.iter_mut().zip(motion.translation) {
            *sum += weight * f64::from(element);
        }
        self.weight += weight;
    }

    pub(super) fn mean(mut self) -> Motion {
        if self.weight < 1.0 {
            self.add(&Motion::IDENTITY, (1.0 - self.weight) as f32);
        }
        let translation = self.translation.map(|element| (element / self.weight) as f32);
        Motion { rotation: to_f32(normalize_or_identity(self.rotation)), translation }
    }
}
