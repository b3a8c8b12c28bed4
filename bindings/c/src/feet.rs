//! Feet on uneven ground, as a pose modifier.

use std::ffi::c_void;

use sinew_handles::records::{FeetSettings, GroundHit, Leg};
use sinew_handles::{self as handles, Code, Error, Player};

use crate::modifiers::OwnedUser;
use crate::pointers::{border, create, input, settings};
use crate::types::{Crowd, FreeUser, Ground, Instance};

/// Adds a modifier that puts feet on the ground in each step: a ray down through each foot finds
/// it, the pelvis sinks so that the lower foot reaches it, the legs bend, and the feet tilt to the
/// slope. Clips are taken to walk on the plane y = 0 of model space. The rays are in world space,
/// so set the world matrix. `ground` must not use this instance: it gets `BUSY`. `free_user` may be
/// null; it is called once when the modifier is gone, also if this call fails. Writes its number to
/// `modifier`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_push_feet(
    instance: Instance,
    legs: *const Leg,
    leg_count: usize,
    feet: *const FeetSettings,
    ground: Ground,
    user: *mut c_void,
    free_user: FreeUser,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    let user = unsafe { OwnedUser::new(user, free_user) };
    // SAFETY: the header's contract.
    unsafe { push_feet(instance.player(), legs, leg_count, feet, ground, user, modifier) }
}

unsafe fn push_feet(
    player: Player,
    legs: *const Leg,
    leg_count: usize,
    feet: *const FeetSettings,
    ground: Ground,
    user: OwnedUser,
    modifier: *mut u64,
) -> Code {
    let make = || {
        let Some(ground) = ground else {
            return Err(Error::new(Code::NullPointer, "ground: expected a function, found null"));
        };
        // SAFETY: the header's contract.
        let legs = unsafe { input("legs", legs, leg_count) }?;
        // SAFETY: the header's contract.
        let feet = unsafe { settings("feet", feet) }?;
        handles::feet_push(player, legs, &feet, move |origin, direction, length| {
            let mut hit = GroundHit::default();
            // SAFETY: the header's contract: the function takes these pointers, does not throw,
            // writes at most a hit, and may be called on any thread.
            let found =
                unsafe { ground(user.data(), origin.as_ptr(), direction.as_ptr(), length, &raw mut hit) };
            (found != 0).then_some(hit)
        })
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, make) })
}

/// Adds a modifier that puts feet on the ground in each step. Else as `sinew_instance_push_feet`,
/// but `ground` is called on any thread of the crowd, and must not use this crowd.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_push_feet(
    crowd: Crowd,
    member: u64,
    legs: *const Leg,
    leg_count: usize,
    feet: *const FeetSettings,
    ground: Ground,
    user: *mut c_void,
    free_user: FreeUser,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    let user = unsafe { OwnedUser::new(user, free_user) };
    // SAFETY: the header's contract.
    unsafe { push_feet(crowd.player(member), legs, leg_count, feet, ground, user, modifier) }
}
