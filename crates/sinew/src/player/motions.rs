//! The mean of the motions that several clips take out of a root.

use crate::Motion;
use crate::quaternion::{narrow, unit, wide};

/// Motions and how much each counts. Where they count for less than one, no motion fills up to it.
#[derive(Clone, Copy, Default)]
pub(super) struct Motions {
    rotation: [f64; 4],
    translation: [f64; 3],
    weight: f64,
}

impl Motions {
    pub(super) fn add(&mut self, motion: &Motion, weight: f32) {
        let weight = f64::from(weight);
        let added = wide(motion.rotation);
        let along: f64 = self.rotation.iter().zip(added).map(|(a, b)| a * b).sum();
        let turned = if along < 0.0 { -weight } else { weight };
        for (sum, element) in self.rotation.iter_mut().zip(added) {
            *sum += turned * element;
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
        Motion { rotation: narrow(unit(self.rotation)), translation }
    }
}
