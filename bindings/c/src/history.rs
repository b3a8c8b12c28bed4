//! Recorded poses.

use sinew_handles::records::{Hit, Ray};
use sinew_handles::{self as handles, Code, Kind};

use crate::arrays::{RayArrays, cast_rays};
use crate::pointers::{border, create, write_if_wanted};
use crate::types::{History, Instance, Model};

/// Makes a history of the last `capacity` poses of an instance of a model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_history_new(model: Model, capacity: u32, history: *mut History) -> Code {
    let make = || Ok(handles::history_new(model.handle(), capacity)?.into());
    // SAFETY: the header's contract.
    border(|| unsafe { create(history, make) })
}

/// Destroys a history.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_history_destroy(history: History) -> Code {
    border(|| handles::destroy(history.handle(), Kind::History))
}

/// Records the current pose of an instance, at a time after all others. A full history forgets its
/// oldest pose.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_history_record(history: History, seconds: f64, instance: Instance) -> Code {
    border(|| handles::history_record(history.handle(), seconds, instance.handle()))
}

/// Poses an instance as it was at a time, interpolated between records and clamped to them.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_history_pose(history: History, seconds: f64, instance: Instance) -> Code {
    border(|| handles::history_pose(history.handle(), seconds, instance.handle()))
}

/// Casts `count` rays in model space against the pose at a time, and writes the nearest hit of
/// each. Strides are in bytes. Several casts at one time share their work.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_history_cast(
    history: History,
    seconds: f64,
    rays: *const Ray,
    ray_stride: usize,
    hits: *mut Hit,
    hit_stride: usize,
    count: usize,
) -> Code {
    let cast = |arrays: &RayArrays| {
        handles::history_cast(
            history.handle(),
            seconds,
            arrays.len,
            |index| arrays.ray(index),
            |index, hit| arrays.set_hit(index, hit),
        )
    };
    // SAFETY: the header's contract.
    unsafe { cast_rays(rays, ray_stride, hits, hit_stride, count, cast) }
}

/// Writes the number of recorded poses and the times of the oldest and the newest, each unless its
/// pointer is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_history_times(
    history: History,
    count: *mut u32,
    oldest: *mut f64,
    newest: *mut f64,
) -> Code {
    border(|| {
        let (found, first, last) = handles::history_times(history.handle())?;
        // SAFETY: the header's contract.
        unsafe { write_if_wanted(count, found) };
        // SAFETY: the header's contract.
        unsafe { write_if_wanted(oldest, first) };
        // SAFETY: the header's contract.
        unsafe { write_if_wanted(newest, last) };
        Ok(())
    })
}

/// Forgets all poses after a time.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_history_forget_after(history: History, seconds: f64) -> Code {
    border(|| handles::history_forget_after(history.handle(), seconds))
}

/// Forgets all poses.
#[unsafe(no_mangle)]
pub extern "C" fn sinew_history_clear(history: History) -> Code {
    border(|| handles::history_clear(history.handle()))
}
