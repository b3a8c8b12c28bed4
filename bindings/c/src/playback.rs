//! Playing clips, on instances and on members of crowds.

use sinew_handles::records::{PlaySettings, PlaybackInfo, RootMotionSettings, Transform};
use sinew_handles::{self as handles, Code, Player};

use crate::pointers::{border, settings, write, write_sized};
use crate::types::{Crowd, Instance, Mask};

impl Instance {
    #[inline]
    pub(crate) fn player(self) -> Player {
        Player::Instance(self.handle())
    }
}

impl Crowd {
    #[inline]
    pub(crate) fn player(self, member: u64) -> Player {
        Player::Member(self.handle(), member)
    }
}

/// Plays a clip. `play` may be null for the defaults: it loops, and all other clips stop.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_play(
    instance: Instance,
    clip: u32,
    play: *const PlaySettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { play_clip(instance.player(), clip, play) }
}

unsafe fn play_clip(player: Player, clip: u32, play: *const PlaySettings) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let play = unsafe { settings("play settings", play) }?;
        handles::play(player, clip, &play)
    })
}

/// Stops all clips. The next step gives the rest pose.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_stop(instance: Instance) -> Code {
    border(|| handles::stop(instance.player()))
}

/// Writes the number of playbacks. They are numbered in the order in which they were started; one
/// that has faded out is removed, and those after it get the numbers before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_playback_count(instance: Instance, count: *mut u32) -> Code {
    // SAFETY: the header's contract.
    unsafe { playback_count(instance.player(), count) }
}

unsafe fn playback_count(player: Player, count: *mut u32) -> Code {
    border(|| {
        let found = handles::playback_count(player)?;
        // SAFETY: the header's contract.
        unsafe { write("count", count, found) }
    })
}

/// Writes what a playback does. Set `info->struct_size` before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_playback(
    instance: Instance,
    playback: u32,
    info: *mut PlaybackInfo,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { playback_info(instance.player(), playback, info) }
}

unsafe fn playback_info(player: Player, playback: u32, info: *mut PlaybackInfo) -> Code {
    border(|| {
        let found = handles::playback_info(player, playback)?;
        // SAFETY: the header's contract.
        unsafe { write_sized("info", info, found) }
    })
}

/// Sets the speed of a playback: 1 is that of the clip.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_set_speed(instance: Instance, playback: u32, speed: f32) -> Code {
    border(|| handles::playback_set_speed(instance.player(), playback, speed))
}

/// Sets the weight of a playback in blends.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_set_weight(instance: Instance, playback: u32, weight: f32) -> Code {
    border(|| handles::playback_set_weight(instance.player(), playback, weight))
}

/// Moves a playback to a time of its clip.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_seek(instance: Instance, playback: u32, seconds: f64) -> Code {
    border(|| handles::playback_seek(instance.player(), playback, seconds))
}

/// Sets whether a playback stops at its end (1) or loops (0).
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_set_clamp(instance: Instance, playback: u32, clamp: u32) -> Code {
    border(|| handles::playback_set_clamp(instance.player(), playback, clamp))
}

/// Fades a playback in.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_fade_in(instance: Instance, playback: u32, seconds: f32) -> Code {
    border(|| handles::playback_fade_in(instance.player(), playback, seconds))
}

/// Fades a playback out. It is then removed.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_fade_out(instance: Instance, playback: u32, seconds: f32) -> Code {
    border(|| handles::playback_fade_out(instance.player(), playback, seconds))
}

/// Limits a playback to the joints of a mask, which is copied.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_instance_set_mask(instance: Instance, playback: u32, mask: Mask) -> Code {
    border(|| handles::playback_set_mask(instance.player(), playback, mask.handle()))
}

/// Takes the motion of a root joint out of a playback. `motion` may be null for the defaults:
/// motion along the ground.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_root_motion(
    instance: Instance,
    playback: u32,
    joint: u32,
    motion: *const RootMotionSettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { set_root_motion(instance.player(), playback, joint, motion) }
}

unsafe fn set_root_motion(
    player: Player,
    playback: u32,
    joint: u32,
    motion: *const RootMotionSettings,
) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let motion = unsafe { settings("root motion", motion) }?;
        handles::playback_set_root_motion(player, playback, joint, &motion)
    })
}

/// Writes the root motion since the last call, for the caller to move the whole by.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_take_root_motion(instance: Instance, motion: *mut Transform) -> Code {
    // SAFETY: the header's contract.
    unsafe { take_root_motion(instance.player(), motion) }
}

unsafe fn take_root_motion(player: Player, motion: *mut Transform) -> Code {
    border(|| {
        let found = handles::take_root_motion(player)?;
        // SAFETY: the header's contract.
        unsafe { write("motion", motion, found) }
    })
}

/// Plays a clip. `play` may be null for the defaults: it loops, and all other clips stop.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_play(
    crowd: Crowd,
    member: u64,
    clip: u32,
    play: *const PlaySettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { play_clip(crowd.player(member), clip, play) }
}

/// Stops all clips. The next step gives the rest pose.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_crowd_stop(crowd: Crowd, member: u64) -> Code {
    border(|| handles::stop(crowd.player(member)))
}

/// Writes the number of playbacks. They are numbered in the order in which they were started; one
/// that has faded out is removed, and those after it get the numbers before.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_playback_count(crowd: Crowd, member: u64, count: *mut u32) -> Code {
    // SAFETY: the header's contract.
    unsafe { playback_count(crowd.player(member), count) }
}

/// Writes what a playback does. Set `info->struct_size` before.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_playback(
    crowd: Crowd,
    member: u64,
    playback: u32,
    info: *mut PlaybackInfo,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { playback_info(crowd.player(member), playback, info) }
}

/// Sets the speed of a playback: 1 is that of the clip.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_crowd_set_speed(crowd: Crowd, member: u64, playback: u32, speed: f32) -> Code {
    border(|| handles::playback_set_speed(crowd.player(member), playback, speed))
}

/// Sets the weight of a playback in blends.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_crowd_set_weight(crowd: Crowd, member: u64, playback: u32, weight: f32) -> Code {
    border(|| handles::playback_set_weight(crowd.player(member), playback, weight))
}

/// Moves a playback to a time of its clip.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_crowd_seek(crowd: Crowd, member: u64, playback: u32, seconds: f64) -> Code {
    border(|| handles::playback_seek(crowd.player(member), playback, seconds))
}

/// Sets whether a playback stops at its end (1) or loops (0).
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_crowd_set_clamp(crowd: Crowd, member: u64, playback: u32, clamp: u32) -> Code {
    border(|| handles::playback_set_clamp(crowd.player(member), playback, clamp))
}

/// Fades a playback in.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_crowd_fade_in(crowd: Crowd, member: u64, playback: u32, seconds: f32) -> Code {
    border(|| handles::playback_fade_in(crowd.player(member), playback, seconds))
}

/// Fades a playback out. It is then removed.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_crowd_fade_out(crowd: Crowd, member: u64, playback: u32, seconds: f32) -> Code {
    border(|| handles::playback_fade_out(crowd.player(member), playback, seconds))
}

/// Limits a playback to the joints of a mask, which is copied.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_crowd_set_mask(crowd: Crowd, member: u64, playback: u32, mask: Mask) -> Code {
    border(|| handles::playback_set_mask(crowd.player(member), playback, mask.handle()))
}

/// Takes the motion of a root joint out of a playback. `motion` may be null for the defaults:
/// motion along the ground.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_set_root_motion(
    crowd: Crowd,
    member: u64,
    playback: u32,
    joint: u32,
    motion: *const RootMotionSettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { set_root_motion(crowd.player(member), playback, joint, motion) }
}

/// Writes the root motion since the last call, for the caller to move the whole by.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_take_root_motion(
    crowd: Crowd,
    member: u64,
    motion: *mut Transform,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { take_root_motion(crowd.player(member), motion) }
}
