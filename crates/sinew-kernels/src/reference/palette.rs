//! Palette = model x inverse bind.

use super::algebra::{Affine, IDENTITY, product};

/// One matrix for each of the skin's joints; a joint outside `models` counts as the identity.
#[must_use]
pub fn palette(models: &[Affine], joints: &[u32], inverse_binds: &[Affine]) -> Vec<Affine> {
    let model = |joint: u32| models.get(joint as usize).unwrap_or(&IDENTITY);
    joints.iter().zip(inverse_binds).map(|(&joint, bind)| product(model(joint), bind)).collect()
}
