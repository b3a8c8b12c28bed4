//! Flushing of insignificant components of rotation keys.

use super::Interpolation;
use crate::math::flush;

/// Flushes insignificant components of a track's rotation keys to zero.
///
/// If two keys are half a turn apart, the smallest components determine the direction of the
/// interpolation. For such keys a lower threshold is used, or nothing is flushed if flushing would
/// change the direction.
pub(super) fn flush_small_components(values: &mut [[f32; 4]], interpolation: Interpolation) {
    let (per_key, row) = (interpolation.values_per_key(), interpolation.value_row());
    let mut before = KeyAngle::BelowHalfTurn;
    for i in (row..values.len()).step_by(per_key) {
        let value = values[i];
        let after =
            values.get(i + per_key).map_or(KeyAngle::BelowHalfTurn, |&next| KeyAngle::between(value, next));
        values[i] = match before.max(after) {
            KeyAngle::BelowHalfTurn => flush::rotation(value),
            KeyAngle::HalfTurn => flush::vector(value),
            KeyAngle::HalfTurnBySmallComponents => value,
        };
        before = after;
    }
}

/// The angle between two rotation keys.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum KeyAngle {
    /// Less than half a turn.
    BelowHalfTurn,
    /// Half a turn, up to one millionth.
    HalfTurn,
    /// Half a turn, and flushing small components would change the direction.
    HalfTurnBySmallComponents,
}

impl KeyAngle {
    fn between(a: [f32; 4], b: [f32; 4]) -> Self {
        let dot = |a: [f32; 4], b: [f32; 4]| -> f64 {
            a.iter().zip(&b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
        };
        let exact = dot(a, b);
        // Most keys end here.
        if exact.abs() >= 1e-6 || exact.is_nan() {
            return Self::BelowHalfTurn;
        }
        let flushed = dot(flush::vector(a), flush::vector(b));
        match (exact < 0.0) == (flushed < 0.0) {
            true => Self::HalfTurn,
            false => Self::HalfTurnBySmallComponents,
        }
    }
}
