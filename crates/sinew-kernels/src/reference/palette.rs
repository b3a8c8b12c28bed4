//! Palette = model x inverse bind.

use super::algebra::{Affine, product};

/// One matrix for each of the skin's joints.
#[must_use]
pub fn palette(models: &[Affine], joints: &[u32], inverse_binds: &[Affine]) -> Vec<Affine> {
    joints.iter().zip(inverse_binds).map(|(&joint, bind)| product(&models[joint as usize], bind)).collect()
}
