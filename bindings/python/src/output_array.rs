//! Memory of an instance that Python sees as read-only arrays.

use numpy::{PyArrayDyn, PyReadwriteArrayDyn};
use pyo3::prelude::*;

use crate::arrays::{empty, writable};

/// An array that is written again for each pose, unless somebody still holds a view of it: then the
/// next pose gets new memory. So an array that a program holds never changes, and stays valid when
/// the instance is gone; a program that drops its arrays costs no allocation.
pub(crate) struct OutputArray {
    shape: Vec<usize>,
    /// What all views refer to.
    base: Option<Py<PyArrayDyn<f32>>>,
    /// The version of the pose that it holds.
    version: Option<u64>,
}

impl OutputArray {
    pub(crate) fn new(shape: &[usize]) -> Self {
        Self { shape: shape.to_vec(), base: None, version: None }
    }

    /// A read-only view, which `write` fills first if it holds another version.
    pub(crate) fn view<'py>(
        &mut self,
        py: Python<'py>,
        version: u64,
        write: impl FnOnce(&mut PyReadwriteArrayDyn<'py, f32>) -> PyResult<()>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if self.version != Some(version) {
            let base = match self.base.take() {
                Some(base) if is_unshared(&base) => base.into_bound(py),
                _ => empty(py, &self.shape)?,
            };
            self.version = None;
            write(&mut writable(&base)?)?;
            self.base = Some(base.unbind());
            self.version = Some(version);
        }
        let Some(base) = &self.base else { return Ok(py.None().into_bound(py)) };
        let view = base.bind(py).call_method0("view")?;
        view.call_method1("setflags", (false,))?;
        Ok(view)
    }
}

/// Whether no other reference to the array exists: no view, slice or buffer of it.
#[expect(unsafe_code, reason = "the binding has no safe call for the number of references")]
fn is_unshared(array: &Py<PyArrayDyn<f32>>) -> bool {
    // SAFETY: the pointer is that of a live object, which `array` owns a reference to, and Python's
    // lock is held: the caller has a `Python` token.
    unsafe { pyo3::ffi::Py_REFCNT(array.as_ptr()) == 1 }
}
