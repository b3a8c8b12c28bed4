//! Morph targets.

use super::algebra::{Vector, scaled, sum};

/// A vector plus weighted deltas.
#[must_use]
pub fn morph(base: Vector, moves: &[(f64, Vector)]) -> Vector {
    moves.iter().fold(base, |moved, &(weight, delta)| sum(moved, scaled(delta, weight)))
}
