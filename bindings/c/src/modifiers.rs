//! Pose modifiers, of instances and of members of crowds.

use std::ffi::c_void;

use sinew_handles::records::{
    AimSettings, AttachmentSettings, OverrideSettings, ReachSettings, TurnSettings,
};
use sinew_handles::{self as handles, Code, Error, Modifier, Player, PoseCallback};

use crate::pointers::{SizedRecord, UserData, border, create, settings};
use crate::types::{Crowd, FreeUser, Instance, Modify, PoseEdit};

/// The data of a callback, which is freed when it is dropped.
pub(crate) struct OwnedUser {
    data: UserData,
    free: FreeUser,
}

impl OwnedUser {
    /// # Safety
    ///
    /// The function, if there is one, takes this pointer, does not throw, and may be called on any
    /// thread.
    pub(crate) unsafe fn new(data: *mut c_void, free: FreeUser) -> Self {
        Self { data: UserData::new(data), free }
    }

    pub(crate) fn data(&self) -> *mut c_void {
        self.data.get()
    }
}

impl Drop for OwnedUser {
    fn drop(&mut self) {
        if let Some(free) = self.free {
            // SAFETY: as whoever made this struct promised.
            unsafe { free(self.data()) };
        }
    }
}

fn callback(modify: Modify, user: OwnedUser) -> Result<Modifier, Error> {
    let Some(modify) = modify else {
        return Err(Error::new(Code::NullPointer, "modify: expected a function, found null"));
    };
    Ok(Modifier::Callback(PoseCallback::new(move |edit| {
        let edit = PoseEdit {
            struct_size: size_of::<PoseEdit>() as u32,
            seconds: edit.seconds,
            joints: edit.joints.as_mut_ptr(),
            joint_count: edit.joints.len(),
            model_from_joint: edit.model_from_joint.as_flattened().as_ptr(),
            morph_weights: edit.morph_weights.as_mut_ptr(),
            morph_weight_count: edit.morph_weights.len(),
        };
        // SAFETY: the header's contract: the function takes these pointers, does not throw, writes
        // within the lengths, and may be called on any thread.
        unsafe { modify(user.data(), &raw const edit) };
    })))
}

/// Adds a modifier of the caller's settings.
unsafe fn push<T: SizedRecord>(
    player: Player,
    what: &str,
    from: *const T,
    make: fn(T) -> Modifier,
    modifier: *mut u64,
) -> Code {
    let push = || {
        // SAFETY: the header's contract.
        let settings = unsafe { settings(what, from) }?;
        handles::modifier_push(player, make(settings))
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, push) })
}

/// Replaces a modifier by one of the caller's settings.
unsafe fn replace<T: SizedRecord>(
    player: Player,
    modifier: u64,
    what: &str,
    from: *const T,
    make: fn(T) -> Modifier,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let settings = unsafe { settings(what, from) }?;
        handles::modifier_replace(player, modifier, make(settings))
    })
}

unsafe fn push_callback(
    player: Player,
    modify: Modify,
    user: *mut c_void,
    free_user: FreeUser,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    let user = unsafe { OwnedUser::new(user, free_user) };
    let make = || handles::modifier_push(player, callback(modify, user)?);
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, make) })
}

/// Adds a modifier that points a joint at a target in each step. Modifiers run in the order in
/// which they were added. Writes its number to `modifier`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_push_aim(
    instance: Instance,
    aim: *const AimSettings,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { push(instance.player(), "aim", aim, Modifier::Aim, modifier) }
}

/// Replaces a modifier, to move the target of an aim.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_aim(
    instance: Instance,
    modifier: u64,
    aim: *const AimSettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { replace(instance.player(), modifier, "aim", aim, Modifier::Aim) }
}

/// Adds a modifier that bends a limb toward a target in each step. Modifiers run in the order in
/// which they were added. Writes its number to `modifier`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_push_reach(
    instance: Instance,
    reach: *const ReachSettings,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { push(instance.player(), "reach", reach, Modifier::Reach, modifier) }
}

/// Replaces a modifier, to move the target of a limb.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_reach(
    instance: Instance,
    modifier: u64,
    reach: *const ReachSettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { replace(instance.player(), modifier, "reach", reach, Modifier::Reach) }
}

/// Adds a modifier that sets parts of a joint's transform in each step. Modifiers run in the order
/// in which they were added. Writes its number to `modifier`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_push_override(
    instance: Instance,
    joint: *const OverrideSettings,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { push(instance.player(), "joint", joint, Modifier::Override, modifier) }
}

/// Replaces a modifier, to change what it sets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_override(
    instance: Instance,
    modifier: u64,
    joint: *const OverrideSettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { replace(instance.player(), modifier, "joint", joint, Modifier::Override) }
}

/// Adds a modifier that sets a joint's rotation in model space in each step. Modifiers run in the
/// order in which they were added. Writes its number to `modifier`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_push_turn(
    instance: Instance,
    turn: *const TurnSettings,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { push(instance.player(), "turn", turn, Modifier::Turn, modifier) }
}

/// Replaces a modifier, to change the rotation that it sets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_turn(
    instance: Instance,
    modifier: u64,
    turn: *const TurnSettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { replace(instance.player(), modifier, "turn", turn, Modifier::Turn) }
}

/// Adds a modifier that makes a joint follow another one in each step. Modifiers run in the order
/// in which they were added. Writes its number to `modifier`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_push_attachment(
    instance: Instance,
    attachment: *const AttachmentSettings,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { push(instance.player(), "attachment", attachment, Modifier::Attachment, modifier) }
}

/// Replaces a modifier, to change an attachment.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_attachment(
    instance: Instance,
    modifier: u64,
    attachment: *const AttachmentSettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { replace(instance.player(), modifier, "attachment", attachment, Modifier::Attachment) }
}

/// Adds a modifier that calls a function in each step. The function must not use this instance: it
/// gets `BUSY`. `free_user` may be null; it is called once when the modifier is gone, also if this
/// call fails. Writes its number to `modifier`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_push_callback(
    instance: Instance,
    modify: Modify,
    user: *mut c_void,
    free_user: FreeUser,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { push_callback(instance.player(), modify, user, free_user, modifier) }
}

/// Sets whether a modifier runs (1) or not (0).
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_enable_modifier(instance: Instance, modifier: u64, enabled: u32) -> Code {
    border(|| handles::modifier_set_enabled(instance.player(), modifier, enabled))
}

/// Sets how much of a modifier's change is applied, from 0 to 1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_set_modifier_weight(instance: Instance, modifier: u64, weight: f32) -> Code {
    border(|| handles::modifier_set_weight(instance.player(), modifier, weight))
}

/// Removes a modifier.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_remove_modifier(instance: Instance, modifier: u64) -> Code {
    border(|| handles::modifier_remove(instance.player(), modifier))
}

/// Makes all modifiers forget their motion, as after a teleport.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_reset_modifiers(instance: Instance) -> Code {
    border(|| handles::modifiers_reset(instance.player()))
}

/// Adds a modifier that points a joint at a target in each step. Modifiers run in the order in
/// which they were added. Writes its number to `modifier`.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_push_aim(
    crowd: Crowd,
    member: u64,
    aim: *const AimSettings,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { push(crowd.player(member), "aim", aim, Modifier::Aim, modifier) }
}

/// Replaces a modifier, to move the target of an aim.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_set_aim(
    crowd: Crowd,
    member: u64,
    modifier: u64,
    aim: *const AimSettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { replace(crowd.player(member), modifier, "aim", aim, Modifier::Aim) }
}

/// Adds a modifier that bends a limb toward a target in each step. Modifiers run in the order in
/// which they were added. Writes its number to `modifier`.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_push_reach(
    crowd: Crowd,
    member: u64,
    reach: *const ReachSettings,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { push(crowd.player(member), "reach", reach, Modifier::Reach, modifier) }
}

/// Replaces a modifier, to move the target of a limb.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_set_reach(
    crowd: Crowd,
    member: u64,
    modifier: u64,
    reach: *const ReachSettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { replace(crowd.player(member), modifier, "reach", reach, Modifier::Reach) }
}

/// Adds a modifier that sets parts of a joint's transform in each step. Modifiers run in the order
/// in which they were added. Writes its number to `modifier`.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_push_override(
    crowd: Crowd,
    member: u64,
    joint: *const OverrideSettings,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { push(crowd.player(member), "joint", joint, Modifier::Override, modifier) }
}

/// Replaces a modifier, to change what it sets.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_set_override(
    crowd: Crowd,
    member: u64,
    modifier: u64,
    joint: *const OverrideSettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { replace(crowd.player(member), modifier, "joint", joint, Modifier::Override) }
}

/// Adds a modifier that sets a joint's rotation in model space in each step. Modifiers run in the
/// order in which they were added. Writes its number to `modifier`.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_push_turn(
    crowd: Crowd,
    member: u64,
    turn: *const TurnSettings,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { push(crowd.player(member), "turn", turn, Modifier::Turn, modifier) }
}

/// Replaces a modifier, to change the rotation that it sets.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_set_turn(
    crowd: Crowd,
    member: u64,
    modifier: u64,
    turn: *const TurnSettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { replace(crowd.player(member), modifier, "turn", turn, Modifier::Turn) }
}

/// Adds a modifier that makes a joint follow another one in each step. Modifiers run in the order
/// in which they were added. Writes its number to `modifier`.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_push_attachment(
    crowd: Crowd,
    member: u64,
    attachment: *const AttachmentSettings,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { push(crowd.player(member), "attachment", attachment, Modifier::Attachment, modifier) }
}

/// Replaces a modifier, to change an attachment.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_set_attachment(
    crowd: Crowd,
    member: u64,
    modifier: u64,
    attachment: *const AttachmentSettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { replace(crowd.player(member), modifier, "attachment", attachment, Modifier::Attachment) }
}

/// Adds a modifier that calls a function in each step, on any thread of the crowd. The function
/// must not use this crowd: it gets `BUSY`. `free_user` may be null; it is called once when the
/// modifier is gone, also if this call fails. Writes its number to `modifier`.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_push_callback(
    crowd: Crowd,
    member: u64,
    modify: Modify,
    user: *mut c_void,
    free_user: FreeUser,
    modifier: *mut u64,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { push_callback(crowd.player(member), modify, user, free_user, modifier) }
}

/// Sets whether a modifier runs (1) or not (0).
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_crowd_enable_modifier(
    crowd: Crowd,
    member: u64,
    modifier: u64,
    enabled: u32,
) -> Code {
    border(|| handles::modifier_set_enabled(crowd.player(member), modifier, enabled))
}

/// Sets how much of a modifier's change is applied, from 0 to 1.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_crowd_set_modifier_weight(
    crowd: Crowd,
    member: u64,
    modifier: u64,
    weight: f32,
) -> Code {
    border(|| handles::modifier_set_weight(crowd.player(member), modifier, weight))
}

/// Removes a modifier.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_crowd_remove_modifier(crowd: Crowd, member: u64, modifier: u64) -> Code {
    border(|| handles::modifier_remove(crowd.player(member), modifier))
}

/// Makes all modifiers forget their motion, as after a teleport.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_crowd_reset_modifiers(crowd: Crowd, member: u64) -> Code {
    border(|| handles::modifiers_reset(crowd.player(member)))
}
