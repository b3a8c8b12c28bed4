//! Clips and joints that Python names: by name, by index, or by object.

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use sinew::{JointId, Model, Skeleton};

use crate::errors::refused;
use crate::model::Clip;

/// The index of a clip.
pub(crate) fn clip_index(model: &Model, clip: &Bound<'_, PyAny>) -> PyResult<usize> {
    if let Ok(name) = clip.extract::<String>() {
        return model.clip(&name).map_err(refused);
    }
    let index = match clip.cast::<Clip>() {
        Ok(clip) => clip.get().index as i64,
        Err(_) => clip.extract::<i64>().map_err(|_| unknown_kind("clip", clip))?,
    };
    python_index("clip", index, model.clips().len())
}

/// The index of a clip, if one is given.
pub(crate) fn optional_clip(model: &Model, clip: Option<&Bound<'_, PyAny>>) -> PyResult<Option<usize>> {
    clip.map(|clip| clip_index(model, clip)).transpose()
}

/// A joint.
pub(crate) fn joint_id(skeleton: &Skeleton, joint: &Bound<'_, PyAny>) -> PyResult<JointId> {
    if let Ok(name) = joint.extract::<String>() {
        return skeleton.joint(&name).map_err(refused);
    }
    let index = joint.extract::<i64>().map_err(|_| unknown_kind("joint", joint))?;
    python_index("joint", index, skeleton.len()).map(JointId::new)
}

fn unknown_kind(what: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let found = found.get_type();
    PyTypeError::new_err(format!("{what}: expected a name or an index, found {found}"))
}

/// An index as Python counts: negative ones from the end.
pub(crate) fn python_index(what: &str, index: i64, len: usize) -> PyResult<usize> {
    let from_start = if index < 0 { index + len as i64 } else { index };
    match usize::try_from(from_start) {
        Ok(found) if found < len => Ok(found),
        _ => Err(PyIndexError::new_err(format!("{what} {index}: there are {len}"))),
    }
}
