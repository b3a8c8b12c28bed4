//! Chains of joints as pose modifiers: springs that swing, and chains that reach for a target.

use sinew_handles::records::ChainSettings;
use sinew_handles::{self as handles, Code, Player};

use crate::pointers::{border, create, input, settings, write};
use crate::types::{Crowd, Instance};

/// Adds the springs of the model as a modifier: the hair, skirts and tails of a VRM avatar, or what
/// `sinew_builder_add_spring` was given. They swing in world space, so set the world matrix of what
/// moves. A move by more than `teleport_distance` meters in a step resets them; `INFINITY` for
/// never. Writes its number to `modifier`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_push_springs(
    instance: Instance,
    teleport_distance: f32,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { push_springs(instance.player(), teleport_distance, modifier) }
}

unsafe fn push_springs(player: Player, teleport_distance: f32, modifier: *mut u64) -> Code {
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, || handles::springs_push(player, teleport_distance)) })
}

/// Adds a modifier that turns a chain of joints in each step, each below the one before, so that
/// the last one reaches a target. `limits` are the cosines of the largest angles from rest, for
/// each joint but the last; none without limits. Writes its number to `modifier`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_push_chain(
    instance: Instance,
    joints: *const u32,
    joint_count: usize,
    limits: *const f32,
    limit_count: usize,
    chain: *const ChainSettings,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { push_chain(instance.player(), joints, joint_count, limits, limit_count, chain, modifier) }
}

unsafe fn push_chain(
    player: Player,
    joints: *const u32,
    joint_count: usize,
    limits: *const f32,
    limit_count: usize,
    chain: *const ChainSettings,
    modifier: *mut u64,
) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let joints = unsafe { input("joints", joints, joint_count) }?;
        // SAFETY: the header's contract.
        let limits = unsafe { input("limits", limits, limit_count) }?;
        // SAFETY: the header's contract.
        let chain = unsafe { settings("chain", chain) }?;
        handles::chain_push(player, joints, limits, &chain)
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, make) })
}

/// Sets the target and the weight of a chain. Its iterations stay the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_chain(
    instance: Instance,
    modifier: u64,
    chain: *const ChainSettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { set_chain(instance.player(), modifier, chain) }
}

unsafe fn set_chain(player: Player, modifier: u64, chain: *const ChainSettings) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let chain = unsafe { settings("chain", chain) }?;
        handles::chain_set(player, modifier, &chain)
    })
}

/// Writes whether the last step of a chain reached its target (0), came as close as it could (1),
/// or changed nothing (2), and the distance that is left.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_chain_reach(
    instance: Instance,
    modifier: u64,
    reach: *mut u32,
    distance: *mut f32,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { chain_reach(instance.player(), modifier, reach, distance) }
}

unsafe fn chain_reach(player: Player, modifier: u64, reach: *mut u32, distance: *mut f32) -> Code {
    border(|| {
        let (found, left) = handles::chain_reach(player, modifier)?;
        // SAFETY: the header's contract.
        unsafe { write("reach", reach, found) }?;
        // SAFETY: the header's contract.
        unsafe { write("distance", distance, left) }
    })
}

/// Adds the springs of the model as a modifier: the hair, skirts and tails of a VRM avatar, or what
/// `sinew_builder_add_spring` was given. They swing in world space, so set the world matrix of what
/// moves. A move by more than `teleport_distance` meters in a step resets them; `INFINITY` for
/// never. Writes its number to `modifier`.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_push_springs(
    crowd: Crowd,
    member: u64,
    teleport_distance: f32,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { push_springs(crowd.player(member), teleport_distance, modifier) }
}

/// Adds a modifier that turns a chain of joints in each step, each below the one before, so that
/// the last one reaches a target. `limits` are the cosines of the largest angles from rest, for
/// each joint but the last; none without limits. Writes its number to `modifier`.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_push_chain(
    crowd: Crowd,
    member: u64,
    joints: *const u32,
    joint_count: usize,
    limits: *const f32,
    limit_count: usize,
    chain: *const ChainSettings,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { push_chain(crowd.player(member), joints, joint_count, limits, limit_count, chain, modifier) }
}

/// Sets the target and the weight of a chain. Its iterations stay the same.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_set_chain(
    crowd: Crowd,
    member: u64,
    modifier: u64,
    chain: *const ChainSettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { set_chain(crowd.player(member), modifier, chain) }
}

/// Writes whether the last step of a chain reached its target (0), came as close as it could (1),
/// or changed nothing (2), and the distance that is left.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_chain_reach(
    crowd: Crowd,
    member: u64,
    modifier: u64,
    reach: *mut u32,
    distance: *mut f32,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { chain_reach(crowd.player(member), modifier, reach, distance) }
}
