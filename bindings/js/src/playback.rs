//! Playing clips on instances.

use sinew_handles::Player;
use sinew_handles::records::{PlaySettings, PlaybackInfo};

use crate::memory::{status, to_handle};

fn player(instance: f64) -> Player {
    Player::Instance(to_handle(instance))
}

/// Plays a clip. The modes are those of [`PlaySettings`].
#[unsafe(no_mangle)]
pub extern "C" fn sinew_play(
    instance: f64,
    clip: u32,
    mode: u32,
    fade_seconds: f64,
    speed: f64,
    weight: f64,
    clamp: u32,
    seconds: f64,
) -> i32 {
    let settings = PlaySettings {
        mode,
        fade_seconds: fade_seconds as f32,
        speed: speed as f32,
        weight: weight as f32,
        clamp,
        seconds,
        ..PlaySettings::default()
    };
    status(sinew_handles::play(player(instance), clip, &settings))
}

/// Adds the springs of the model to what runs in each step.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_push_springs(instance: f64) -> i32 {
    status(sinew_handles::springs_push(player(instance), f32::INFINITY).map(drop))
}

/// Stops all clips.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_stop(instance: f64) -> i32 {
    status(sinew_handles::stop(player(instance)))
}

/// The number of playbacks.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_playback_count(instance: f64, count: &mut u32) -> i32 {
    status(sinew_handles::playback_count(player(instance)).map(|found| *count = found))
}

/// What a playback does.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_playback_info(instance: f64, playback: u32, info: &mut PlaybackInfo) -> i32 {
    status(sinew_handles::playback_info(player(instance), playback).map(|found| *info = found))
}

/// Sets the speed of a playback.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_playback_set_speed(instance: f64, playback: u32, speed: f64) -> i32 {
    status(sinew_handles::playback_set_speed(player(instance), playback, speed as f32))
}

/// Sets the weight of a playback.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_playback_set_weight(instance: f64, playback: u32, weight: f64) -> i32 {
    status(sinew_handles::playback_set_weight(player(instance), playback, weight as f32))
}

/// Moves a playback to a time of its clip.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_playback_seek(instance: f64, playback: u32, seconds: f64) -> i32 {
    status(sinew_handles::playback_seek(player(instance), playback, seconds))
}

/// Fades a playback out.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_playback_fade_out(instance: f64, playback: u32, seconds: f64) -> i32 {
    status(sinew_handles::playback_fade_out(player(instance), playback, seconds as f32))
}
