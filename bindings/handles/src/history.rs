//! Recorded poses, and ray casts at a past time.

use sinew::Instance;
use sinew::model::History;

use crate::instance::cast_rays;
use crate::objects::{HISTORIES, INSTANCES, model};
use crate::playback::check_seconds;
use crate::records::{Hit, Ray};
use crate::{Code, Error, Handle};

/// The most poses of a history.
const MAX_RECORDS: u32 = 1 << 16;
/// The most joints of all poses of a history: about 700 MB.
const MAX_JOINTS: usize = 1 << 24;

/// A history, and an instance that takes its poses.
#[derive(Debug)]
pub(crate) struct HistoryObject {
    history: History,
    past: Instance,
    /// The time of the instance's pose, unless records have changed since.
    posed: Option<f64>,
}

/// Creates a history of the last poses of an instance of a model.
///
/// # Errors
///
/// If the handle is not of a model, or the capacity is zero or beyond 65536 poses or 2^24 joints.
#[inline(never)]
pub fn history_new(of: Handle, capacity: u32) -> Result<Handle, Error> {
    let model = model(of)?;
    if capacity == 0 || capacity > MAX_RECORDS {
        return Err(Error::invalid("poses of a history", format_args!("1 to {MAX_RECORDS}"), capacity));
    }
    if model.skeleton().len().saturating_mul(capacity as usize) > MAX_JOINTS {
        let message = format!("expected at most {MAX_JOINTS} joints in all poses of a history");
        return Err(Error::new(Code::Limit, message));
    }
    let history = History::new(model.skeleton(), capacity as usize);
    HISTORIES.insert(HistoryObject { history, past: model.instance(), posed: None })
}

/// Records the current pose of an instance. A full history forgets its oldest pose.
///
/// # Errors
///
/// If a handle is not valid, the time is not finite or not after the newest one, or the instance is
/// of a model with another skeleton.
pub fn history_record(history: Handle, seconds: f64, instance: Handle) -> Result<(), Error> {
    HISTORIES.write(history, |object| {
        object.posed = None;
        INSTANCES.read(instance, |recorded| Ok(object.history.record(seconds, recorded.instance.pose())?))
    })
}

/// Poses an instance as it was at a time, clamped to the recorded times.
///
/// # Errors
///
/// If a handle is not valid, the time is not finite, nothing is recorded, or the instance is of a
/// model with another skeleton.
pub fn history_pose(history: Handle, seconds: f64, instance: Handle) -> Result<(), Error> {
    HISTORIES.read(history, |object| {
        INSTANCES.write(instance, |posed| Ok(object.history.pose_at(seconds, posed.instance.pose_mut())?))
    })
}

/// Casts rays against the pose at a time. Several casts at one time share the work.
///
/// # Errors
///
/// If the handle is not of a history, the time is not finite, nothing is recorded, or a ray is not
/// valid.
pub fn history_cast(
    history: Handle,
    seconds: f64,
    rays: usize,
    ray: impl FnMut(usize) -> Ray,
    hit: impl FnMut(usize, Hit),
) -> Result<(), Error> {
    check_seconds(seconds)?;
    HISTORIES.write(history, |object| {
        let HistoryObject { history, past, posed } = object;
        if *posed != Some(seconds) {
            history.pose_at(seconds, past.pose_mut())?;
            *posed = Some(seconds);
        }
        cast_rays(past, rays, ray, hit)
    })
}

/// The number of recorded poses, and the times of the oldest and the newest; zero if there is none.
///
/// # Errors
///
/// If the handle is not of a history.
pub fn history_times(history: Handle) -> Result<(u32, f64, f64), Error> {
    HISTORIES.read(history, |object| {
        let history = &object.history;
        let [oldest, newest] = [history.oldest(), history.newest()].map(Option::unwrap_or_default);
        Ok((history.len() as u32, oldest, newest))
    })
}

/// Forgets all poses after a time.
///
/// # Errors
///
/// If the handle is not of a history, or the time is not finite.
pub fn history_forget_after(history: Handle, seconds: f64) -> Result<(), Error> {
    check_seconds(seconds)?;
    HISTORIES.write(history, |object| {
        object.posed = None;
        object.history.forget_after(seconds);
        Ok(())
    })
}

/// Forgets all poses.
///
/// # Errors
///
/// If the handle is not of a history.
pub fn history_clear(history: Handle) -> Result<(), Error> {
    HISTORIES.write(history, |object| {
        object.posed = None;
        object.history.clear();
        Ok(())
    })
}
