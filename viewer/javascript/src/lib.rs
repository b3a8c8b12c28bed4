//! sinew behind a C ABI. `sinew.h` documents the functions, `sinew.js` calls them from JavaScript.
//!
//! No function takes a pointer: the caller asks for an inbox and fills it, and figures are numbers.
//! So every argument can be checked, and nothing here reads or writes through a foreign pointer.
//! Returned pointers are for the caller to read.

mod figure;
mod state;

use std::ptr;

use figure::{FLOATS_PER_VERTEX, Figure};
use state::State;

/// The result of a function that cannot return a number.
const FAILED: i32 = -1;

/// Returns `len` bytes for the caller to fill with a file or a name, or null if memory is short.
/// Valid until the next call of this function or of `sinew_open`.
// SAFETY: here and below, no other function of a program is named `sinew_...`.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_inbox(len: usize) -> *mut u8 {
    State::with(|state| state.inbox(len)).unwrap_or(ptr::null_mut())
}

/// Opens what the inbox holds and empties it: a GLB, glTF or MD5 file, or a name such as `@figure`.
/// Returns the figure's number, or 0 on failure. Float mode 0 is fast; 1 gives the same bits on
/// every machine.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_open(float_mode: u32) -> u32 {
    State::with(|state| state.open(float_mode)).unwrap_or(0)
}

/// Frees a figure. Returns 0, or -1 on failure.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_close(figure: u32) -> i32 {
    State::with(|state| state.close(figure).map(|()| 0)).unwrap_or(FAILED)
}

/// The message of the last call that failed, or the text that a call returned: UTF-8,
/// null-terminated. Valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_text() -> *const u8 {
    State::with(|state| Ok(state.text().as_ptr())).unwrap_or(ptr::null())
}

/// Length of that text in bytes, without the terminator.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_text_len() -> usize {
    State::with(|state| Ok(state.text().len() - 1)).unwrap_or(0)
}

/// Number of vertices, including padding, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_vertices_len(figure: u32) -> i32 {
    number_of(figure, |figure| figure.vertices().len() / FLOATS_PER_VERTEX)
}

/// Eight floats per vertex: position, normal, texture coordinates, as of the last step. Valid until
/// the figure is closed. Null if there is no such figure.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_vertices(figure: u32) -> *const f32 {
    pointer_to(figure, |figure| figure.vertices().as_ptr())
}

/// Four floats per vertex: linear red, green, blue and alpha. Valid until the figure is closed.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_colors(figure: u32) -> *const f32 {
    pointer_to(figure, |figure| figure.colors().as_flattened().as_ptr())
}

/// Number of indices, three per triangle, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_indices_len(figure: u32) -> i32 {
    number_of(figure, |figure| figure.indices().len())
}

/// Vertex indices of all triangles. Valid until the figure is closed.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_indices(figure: u32) -> *const u32 {
    pointer_to(figure, |figure| figure.indices().as_ptr())
}

/// Six floats, the bounds at rest: minimum x, y and z, then maximum. Valid until the figure is
/// closed.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_bounds(figure: u32) -> *const f32 {
    pointer_to(figure, |figure| figure.bounds().as_ptr())
}

/// The axis that points up: 1 for y, 2 for z; or -1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_up(figure: u32) -> i32 {
    number_of(figure, Figure::up)
}

/// Number of joints, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_joints_len(figure: u32) -> i32 {
    number_of(figure, |figure| figure.model().skeleton().len())
}

/// Number of clips, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_clips_len(figure: u32) -> i32 {
    number_of(figure, |figure| figure.model().clips().len())
}

/// Writes the name of a clip to the text. Returns 0, or -1 on failure.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_clip_name(figure: u32, clip: u32) -> i32 {
    State::with(|state| {
        let name = state.figure(figure)?.clip(clip)?.name().to_owned();
        state.set_text(&name);
        Ok(0)
    })
    .unwrap_or(FAILED)
}

/// Length of a clip in seconds, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_clip_seconds(figure: u32, clip: u32) -> f32 {
    let seconds = |state: &mut State| {
        let clip = state.figure(figure)?.clip(clip)?;
        Ok(clip.end() - clip.start())
    };
    State::with(seconds).unwrap_or(-1.0)
}

/// Plays a clip from its start, repeating, while the previous clip fades out. Returns 0, or -1 on
/// failure.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_play(figure: u32, clip: u32, fade_seconds: f32) -> i32 {
    State::with(|state| state.figure(figure)?.play(clip, fade_seconds).map(|()| 0)).unwrap_or(FAILED)
}

/// Advances the animation and skins all vertices. Returns 0, or -1 on failure.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_step(figure: u32, seconds: f32) -> i32 {
    State::with(|state| state.figure(figure)?.step(seconds).map(|()| 0)).unwrap_or(FAILED)
}

fn number_of(figure: u32, get: impl FnOnce(&Figure) -> usize) -> i32 {
    let number = |state: &mut State| {
        i32::try_from(get(state.figure(figure)?))
            .map_err(|_| "the count does not fit into 32 bits".to_owned())
    };
    State::with(number).unwrap_or(FAILED)
}

fn pointer_to<T>(figure: u32, get: impl FnOnce(&Figure) -> *const T) -> *const T {
    State::with(|state| Ok(get(state.figure(figure)?))).unwrap_or(ptr::null())
}
