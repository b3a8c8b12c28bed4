//! sinew behind a C ABI: `sinew.h` says what each function gives, `sinew.js` calls them from JavaScript.
//!
//! No pointer ever comes in: a caller asks for an inbox and fills it, and figures are numbers. So whatever a caller
//! hands over can be checked, and nothing here reads or writes through a foreign pointer. Pointers that go out are
//! for the caller to read.

mod figure;
mod state;

use std::ptr;

use figure::{FLOATS, Figure};
use state::State;

/// What functions answer that give a number, where there is none.
const FAILED: i32 = -1;

/// Memory for a file or a name, to be filled by the caller: valid until the inbox is asked for again or opened. Null where
/// there is not so much.
// SAFETY: here and below, no other function of a program is named `sinew_...`.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_inbox(len: usize) -> *mut u8 {
    State::with(|state| state.inbox(len)).unwrap_or(ptr::null_mut())
}

/// A figure of what is in the inbox, which is empty afterwards: a file of GLB, glTF or MD5, or a name such as `@figure`. Its
/// number, or 0. Rounding 0 is fast; 1 gives the same bits on every machine.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_open(rounding: u32) -> u32 {
    State::with(|state| state.open(rounding)).unwrap_or(0)
}

/// Forgets a figure. 0, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_close(figure: u32) -> i32 {
    State::with(|state| state.close(figure).map(|()| 0)).unwrap_or(FAILED)
}

/// The text of the last call that failed or gave a text: UTF-8, with a zero behind it. Valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_text() -> *const u8 {
    State::with(|state| Ok(state.text().as_ptr())).unwrap_or(ptr::null())
}

/// Bytes of that text, without the zero.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_text_len() -> usize {
    State::with(|state| Ok(state.text().len() - 1)).unwrap_or(0)
}

/// How many vertices a figure has, pads included, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_vertices_len(figure: u32) -> i32 {
    number(figure, |figure| figure.vertices().len() / FLOATS)
}

/// Eight floats for each vertex: position, normal, texture coordinates. As they were after the last step; valid until
/// the figure is closed. Null where there is no such figure.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_vertices(figure: u32) -> *const f32 {
    pointer(figure, |figure| figure.vertices().as_ptr())
}

/// Four floats for each vertex: red, green, blue and alpha, linear. Valid until the figure is closed.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_colours(figure: u32) -> *const f32 {
    pointer(figure, |figure| figure.colours().as_flattened().as_ptr())
}

/// How many numbers of vertices all triangles have, three for each, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_indices_len(figure: u32) -> i32 {
    number(figure, |figure| figure.indices().len())
}

/// The vertices of all triangles. Valid until the figure is closed.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_indices(figure: u32) -> *const u32 {
    pointer(figure, |figure| figure.indices().as_ptr())
}

/// Six floats: the lowest x, y and z of the figure at rest, then the highest. Valid until the figure is closed.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_bounds(figure: u32) -> *const f32 {
    pointer(figure, |figure| figure.bounds().as_ptr())
}

/// Which axis points up: 1 for y, 2 for z; or -1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_up(figure: u32) -> i32 {
    number(figure, Figure::up)
}

/// How many joints a figure has, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_joints_len(figure: u32) -> i32 {
    number(figure, |figure| figure.model().skeleton().len())
}

/// How many clips a figure has, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_clips_len(figure: u32) -> i32 {
    number(figure, |figure| figure.model().clips().len())
}

/// Puts the name of a clip into the text. 0, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_clip_name(figure: u32, clip: u32) -> i32 {
    State::with(|state| {
        let name = state.figure(figure)?.clip(clip)?.name().to_owned();
        state.say(&name);
        Ok(0)
    })
    .unwrap_or(FAILED)
}

/// How long a clip is, in seconds, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_clip_seconds(figure: u32, clip: u32) -> f32 {
    let seconds = |state: &mut State| {
        let clip = state.figure(figure)?.clip(clip)?;
        Ok(clip.end() - clip.start())
    };
    State::with(seconds).unwrap_or(-1.0)
}

/// Plays a clip from its start, over and over, while what was played fades out over so many seconds. 0, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_play(figure: u32, clip: u32, fade_seconds: f32) -> i32 {
    State::with(|state| state.figure(figure)?.play(clip, fade_seconds).map(|()| 0)).unwrap_or(FAILED)
}

/// Goes on by so many seconds, and takes all vertices where the joints are then. 0, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_step(figure: u32, seconds: f32) -> i32 {
    State::with(|state| state.figure(figure)?.step(seconds).map(|()| 0)).unwrap_or(FAILED)
}

fn number(figure: u32, of: impl FnOnce(&Figure) -> usize) -> i32 {
    let number = |state: &mut State| {
        i32::try_from(of(state.figure(figure)?)).map_err(|_| "more than the answer can hold".to_owned())
    };
    State::with(number).unwrap_or(FAILED)
}

fn pointer<T>(figure: u32, of: impl FnOnce(&Figure) -> *const T) -> *const T {
    State::with(|state| Ok(of(state.figure(figure)?))).unwrap_or(ptr::null())
}
