//! Feet on uneven ground, which a function of the caller finds.

use sinew::JointId;
use sinew::animation::FootPlacement;

use crate::Error;
use crate::modifiers::push;
use crate::playback::Player;
use crate::records::{FeetSettings, GroundHit, Leg};

/// Adds a modifier that puts feet on the ground: a ray down through each foot finds it, the pelvis
/// sinks, the legs bend, and the feet tilt to the slope. `ground` gets the origin, the unit
/// direction and the length of a ray in world space; a crowd calls it from its threads. Returns its
/// number.
///
/// # Errors
///
/// If the player does not exist, a leg is not below the pelvis, a number is not valid, or it has 64
/// modifiers.
pub fn feet_push(
    player: Player,
    legs: &[Leg],
    settings: &FeetSettings,
    ground: impl Fn([f32; 3], [f32; 3], f32) -> Option<GroundHit> + Send + Sync + 'static,
) -> Result<u64, Error> {
    let legs = legs.iter().map(|leg| leg.to_library()).collect::<Result<Vec<_>, Error>>()?;
    let find = move |origin: [f32; 3], direction: [f32; 3], length: f32| {
        let GroundHit { point, normal } = ground(origin, direction, length)?;
        Some(sinew::animation::GroundHit { point, normal })
    };
    let mut feet = FootPlacement::new(JointId::new(settings.pelvis as usize), &legs, find);
    (feet.range, feet.speed, feet.tilt) = (settings.range, settings.speed, settings.tilt);
    player.modifiers(|stack| push(stack, feet))
}
