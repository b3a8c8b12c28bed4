//! Blend spaces, and the events of clips.

use sinew_handles::records::{Event, PlaySettings};
use sinew_handles::{self as handles, Code, Kind, Player};

use crate::pointers::{border, create, input, output, settings, write_if_wanted};
use crate::types::{BlendSpace, Crowd, Instance, Model};

/// Makes a blend space: a clip at each of some points. `coordinates` are one number for each clip,
/// on a line, or two, on a plane, of which three must not lie on one line.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_blend_space_new(
    model: Model,
    clips: *const u32,
    clip_count: usize,
    coordinates: *const f32,
    coordinate_count: usize,
    space: *mut BlendSpace,
) -> Code {
    let make = || {
        // SAFETY: the header's contract.
        let clips = unsafe { input("clips", clips, clip_count) }?;
        // SAFETY: the header's contract.
        let coordinates = unsafe { input("coordinates", coordinates, coordinate_count) }?;
        Ok(handles::blend_space_new(model.handle(), clips, coordinates)?.into())
    };
    // SAFETY: the header's contract.
    border(|| unsafe { create(space, make) })
}

/// Destroys a blend space. What plays it goes on.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_blend_space_destroy(space: BlendSpace) -> Code {
    border(|| handles::destroy(space.handle(), Kind::BlendSpace))
}

/// Plays a blend space, at the position zero: its clips in one phase, blended by where the position
/// is. `play` may be null for the defaults; its mode must not be 3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_play_space(
    instance: Instance,
    space: BlendSpace,
    play: *const PlaySettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { play_space(instance.player(), space, play) }
}

unsafe fn play_space(player: Player, space: BlendSpace, play: *const PlaySettings) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let play = unsafe { settings("play settings", play) }?;
        handles::play_space(player, space.handle(), &play)
    })
}

/// Moves a playback of a blend space to a position: one number or two. Outside of the points, the
/// nearest position counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_set_blend_position(
    instance: Instance,
    playback: u32,
    position: *const f32,
    length: usize,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { set_blend_position(instance.player(), playback, position, length) }
}

unsafe fn set_blend_position(player: Player, playback: u32, position: *const f32, length: usize) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let position = unsafe { input("position", position, length) }?;
        handles::playback_set_blend_position(player, playback, position)
    })
}

/// Writes the events that fired in the last step, as far as there is room, and how many there are
/// to `count` unless that is null. `sinew_model_event_name` has their names.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_instance_events(
    instance: Instance,
    to: *mut Event,
    length: usize,
    count: *mut usize,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { events(instance.player(), to, length, count) }
}

unsafe fn events(player: Player, to: *mut Event, length: usize, count: *mut usize) -> Code {
    border(|| {
        // SAFETY: the header's contract.
        let to = unsafe { output("events", to, length) }?;
        let found = handles::events(player, to)?;
        // SAFETY: the header's contract.
        unsafe { write_if_wanted(count, found) };
        Ok(())
    })
}

/// Plays a blend space, at the position zero: its clips in one phase, blended by where the position
/// is. `play` may be null for the defaults; its mode must not be 3.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_play_space(
    crowd: Crowd,
    member: u64,
    space: BlendSpace,
    play: *const PlaySettings,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { play_space(crowd.player(member), space, play) }
}

/// Moves a playback of a blend space to a position: one number or two. Outside of the points, the
/// nearest position counts.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_set_blend_position(
    crowd: Crowd,
    member: u64,
    playback: u32,
    position: *const f32,
    length: usize,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { set_blend_position(crowd.player(member), playback, position, length) }
}

/// Writes the events that fired in the last step, as far as there is room, and how many there are
/// to `count` unless that is null. `sinew_model_event_name` has their names.
///
/// Of a member of a crowd.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_crowd_events(
    crowd: Crowd,
    member: u64,
    to: *mut Event,
    length: usize,
    count: *mut usize,
) -> Code {
    // SAFETY: the header's contract.
    unsafe { events(crowd.player(member), to, length, count) }
}
