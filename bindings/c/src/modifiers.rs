//! Pose modifiers, of instances and of members of crowds.

use std::ffi::c_void;

use sinew_handles::records::{
    AimSettings, AttachmentSettings, OverrideSettings, ReachSettings, TurnSettings,
};
use sinew_handles::{self as handles, Code, Error, Modifier, PoseCallback};

use crate::pointers::{UserData, border, create, settings};
use crate::types::{Crowd, FreeUser, Instance, Modify, PoseEdit};

/// The data of a callback, which is freed when it is dropped.
struct OwnedUser {
    data: UserData,
    free: FreeUser,
}

impl Drop for OwnedUser {
    fn drop(&mut self) {
        if let Some(free) = self.free {
            // SAFETY: the header's contract: the function takes this pointer, does not throw, and
            // may be called on any thread.
            unsafe { free(self.data.get()) };
        }
    }
}

fn callback(modify: Modify, user: OwnedUser) -> Result<Modifier, Error> {
    let Some(modify) = modify else {
        return Err(Error::new(Code::NullPointer, "modify: expected a function, found null"));
    };
    Ok(Modifier::Callback(PoseCallback::new(move |edit| {
        let user = &user;
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
        unsafe { modify(user.data.get(), &raw const edit) };
    })))
}

/// Adds a modifier that points a joint at a target in each step. Modifiers run in the order in
/// which they were added. Writes its number to `modifier`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_push_aim(
    instance: Instance,
    aim: *const AimSettings,
    modifier: *mut u64,
) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let aim = unsafe { settings("aim", aim) }?;
        handles::modifier_push(instance.player(), Modifier::Aim(aim))
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, make) })
}

/// Replaces a modifier, to move the target of an aim.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_aim(
    instance: Instance,
    modifier: u64,
    aim: *const AimSettings,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let aim = unsafe { settings("aim", aim) }?;
        handles::modifier_replace(instance.player(), modifier, Modifier::Aim(aim))
    })
}

/// Adds a modifier that bends a limb toward a target in each step. Modifiers run in the order in
/// which they were added. Writes its number to `modifier`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_push_reach(
    instance: Instance,
    reach: *const ReachSettings,
    modifier: *mut u64,
) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let reach = unsafe { settings("reach", reach) }?;
        handles::modifier_push(instance.player(), Modifier::Reach(reach))
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, make) })
}

/// Replaces a modifier, to move the target of a limb.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_reach(
    instance: Instance,
    modifier: u64,
    reach: *const ReachSettings,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let reach = unsafe { settings("reach", reach) }?;
        handles::modifier_replace(instance.player(), modifier, Modifier::Reach(reach))
    })
}

/// Adds a modifier that sets parts of a joint's transform in each step. Modifiers run in the order
/// in which they were added. Writes its number to `modifier`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_push_override(
    instance: Instance,
    joint: *const OverrideSettings,
    modifier: *mut u64,
) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let joint = unsafe { settings("joint", joint) }?;
        handles::modifier_push(instance.player(), Modifier::Override(joint))
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, make) })
}

/// Replaces a modifier, to change what it sets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_override(
    instance: Instance,
    modifier: u64,
    joint: *const OverrideSettings,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let joint = unsafe { settings("joint", joint) }?;
        handles::modifier_replace(instance.player(), modifier, Modifier::Override(joint))
    })
}

/// Adds a modifier that sets a joint's rotation in model space in each step. Modifiers run in the
/// order in which they were added. Writes its number to `modifier`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_push_turn(
    instance: Instance,
    turn: *const TurnSettings,
    modifier: *mut u64,
) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let turn = unsafe { settings("turn", turn) }?;
        handles::modifier_push(instance.player(), Modifier::Turn(turn))
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, make) })
}

/// Replaces a modifier, to change the rotation that it sets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_turn(
    instance: Instance,
    modifier: u64,
    turn: *const TurnSettings,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let turn = unsafe { settings("turn", turn) }?;
        handles::modifier_replace(instance.player(), modifier, Modifier::Turn(turn))
    })
}

/// Adds a modifier that makes a joint follow another one in each step. Modifiers run in the order
/// in which they were added. Writes its number to `modifier`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_push_attachment(
    instance: Instance,
    attachment: *const AttachmentSettings,
    modifier: *mut u64,
) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let attachment = unsafe { settings("attachment", attachment) }?;
        handles::modifier_push(instance.player(), Modifier::Attachment(attachment))
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, make) })
}

/// Replaces a modifier, to change an attachment.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_attachment(
    instance: Instance,
    modifier: u64,
    attachment: *const AttachmentSettings,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let attachment = unsafe { settings("attachment", attachment) }?;
        handles::modifier_replace(instance.player(), modifier, Modifier::Attachment(attachment))
    })
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
    let user = OwnedUser { data: UserData::new(user), free: free_user };
    let make = || handles::modifier_push(instance.player(), callback(modify, user)?);
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, make) })
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
    let make = || {
        // SAFETY: the header's contract.
        let aim = unsafe { settings("aim", aim) }?;
        handles::modifier_push(crowd.player(member), Modifier::Aim(aim))
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, make) })
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
    border(|| {
        // SAFETY: the header's contract.
        let aim = unsafe { settings("aim", aim) }?;
        handles::modifier_replace(crowd.player(member), modifier, Modifier::Aim(aim))
    })
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
    let make = || {
        // SAFETY: the header's contract.
        let reach = unsafe { settings("reach", reach) }?;
        handles::modifier_push(crowd.player(member), Modifier::Reach(reach))
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, make) })
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
    border(|| {
        // SAFETY: the header's contract.
        let reach = unsafe { settings("reach", reach) }?;
        handles::modifier_replace(crowd.player(member), modifier, Modifier::Reach(reach))
    })
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
    let make = || {
        // SAFETY: the header's contract.
        let joint = unsafe { settings("joint", joint) }?;
        handles::modifier_push(crowd.player(member), Modifier::Override(joint))
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, make) })
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
    border(|| {
        // SAFETY: the header's contract.
        let joint = unsafe { settings("joint", joint) }?;
        handles::modifier_replace(crowd.player(member), modifier, Modifier::Override(joint))
    })
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
    let make = || {
        // SAFETY: the header's contract.
        let turn = unsafe { settings("turn", turn) }?;
        handles::modifier_push(crowd.player(member), Modifier::Turn(turn))
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, make) })
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
    border(|| {
        // SAFETY: the header's contract.
        let turn = unsafe { settings("turn", turn) }?;
        handles::modifier_replace(crowd.player(member), modifier, Modifier::Turn(turn))
    })
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
    let make = || {
        // SAFETY: the header's contract.
        let attachment = unsafe { settings("attachment", attachment) }?;
        handles::modifier_push(crowd.player(member), Modifier::Attachment(attachment))
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, make) })
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
    border(|| {
        // SAFETY: the header's contract.
        let attachment = unsafe { settings("attachment", attachment) }?;
        handles::modifier_replace(crowd.player(member), modifier, Modifier::Attachment(attachment))
    })
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
    let user = OwnedUser { data: UserData::new(user), free: free_user };
    let make = || handles::modifier_push(crowd.player(member), callback(modify, user)?);
    // SAFETY: the header's contract.
    border(|| unsafe { create(modifier, make) })
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
