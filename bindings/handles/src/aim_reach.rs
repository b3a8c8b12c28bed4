//! Aiming and two-bone IK on the current pose of an instance.

use sinew::animation::{Aimed, Reach};

use crate::objects::INSTANCES;
use crate::records::{AimSettings, ReachSettings};
use crate::{Error, Handle};

/// Rotates a joint until it points at a target. The next step overwrites it. Returns 0 if it does,
/// 1 if the limit stopped it, 2 if the target is too near, 3 if nothing changed.
///
/// # Errors
///
/// If the handle is not of an instance, there is no such joint, or a setting is not valid.
pub fn instance_aim(instance: Handle, settings: &AimSettings) -> Result<u32, Error> {
    let aim = settings.to_library()?;
    INSTANCES.write(instance, |object| {
        Ok(match object.instance.aim(&aim)? {
            Aimed::Reached => 0,
            Aimed::Limited => 1,
            Aimed::TooNear => 2,
            Aimed::Unchanged => 3,
        })
    })
}

/// Bends a limb until its end reaches a target. The next step overwrites it. Returns 0 if it does,
/// 1 if the target is too far, 2 if it is too near, 3 if nothing changed.
///
/// # Errors
///
/// If the handle is not of an instance, a joint is not below the one before it, or a setting is not
/// valid.
pub fn instance_reach(instance: Handle, settings: &ReachSettings) -> Result<u32, Error> {
    let limb = settings.to_library()?;
    INSTANCES.write(instance, |object| {
        Ok(match object.instance.reach(&limb)? {
            Reach::Reached => 0,
            Reach::TooFar => 1,
            Reach::TooNear => 2,
            Reach::Unchanged => 3,
        })
    })
}
