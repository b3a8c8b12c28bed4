//! Masks: how much of each joint a playback moves.

use sinew::JointId;
use sinew::animation::Mask;

use crate::objects::{MASKS, model};
use crate::{Error, Handle};

/// A mask with a factor from 0 to 1 for each joint.
///
/// # Errors
///
/// If a factor is not from 0 to 1.
pub fn mask_new(factors: &[f32]) -> Result<Handle, Error> {
    MASKS.insert(Mask::new(factors)?)
}

/// A mask of a joint of a model and all below it.
///
/// # Errors
///
/// If the handle is not of a model, or there is no such joint.
pub fn mask_subtree(of: Handle, joint: u32) -> Result<Handle, Error> {
    MASKS.insert(Mask::subtree(model(of)?.skeleton(), JointId::new(joint as usize))?)
}

/// A mask of everything that another one leaves out.
///
/// # Errors
///
/// If the handle is not of a mask.
pub fn mask_complement(mask: Handle) -> Result<Handle, Error> {
    let complement = MASKS.read(mask, |mask| Ok(mask.complement()))?;
    MASKS.insert(complement)
}
