//! Numpy arrays as checked slices, and new arrays.

use numpy::{
    Element, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

use crate::errors::bad_value;

/// A length in an expected shape.
#[derive(Clone, Copy)]
pub(crate) enum Dim {
    /// Exactly this many.
    Is(usize),
    /// Any number, with a name for messages.
    Any(&'static str),
}

/// Floats of any array-like, as a C-contiguous array of float32: without a copy if it is one.
pub(crate) fn floats<'py>(value: &Bound<'py, PyAny>, what: &str) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
    converted(value, what, "fiu", "numbers", "float32")
}

/// Integers of any array-like, as a C-contiguous array of int64.
pub(crate) fn integers<'py>(value: &Bound<'py, PyAny>, what: &str) -> PyResult<PyReadonlyArrayDyn<'py, i64>> {
    converted(value, what, "iu", "integers", "int64")
}

fn converted<'py, T: Element>(
    value: &Bound<'py, PyAny>,
    what: &str,
    kinds: &str,
    expected: &str,
    dtype: &str,
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    let array = match value.cast::<PyArrayDyn<T>>() {
        Ok(array) if array.is_c_contiguous() => array.clone(),
        _ => {
            let py = value.py();
            let asarray = numpy_function(py, "asarray")?;
            let any = asarray
                .call1((value,))
                .map_err(|error| bad_value(what, format!("an array of {expected}"), error.value(py)))?;
            let kind: String = any.getattr("dtype")?.getattr("kind")?.extract()?;
            // An empty list is an array of float64.
            let is_empty = any.getattr("size")?.extract::<usize>()? == 0;
            let taken = kinds.contains(&kind) || is_empty && kind == "f";
            if !taken {
                let found = any.getattr("dtype")?;
                return Err(PyTypeError::new_err(format!(
                    "{what}: expected {expected}, found dtype {found}"
                )));
            }
            let options = PyDict::new(py);
            options.set_item("dtype", dtype)?;
            options.set_item("order", "C")?;
            asarray.call((any,), Some(&options))?.cast_into::<PyArrayDyn<T>>()?
        }
    };
    array.try_readonly().map_err(|_| PyValueError::new_err(format!("{what}: the array is being written")))
}

/// Checks the number of dimensions and their lengths.
pub(crate) fn check_shape(found: &[usize], expected: &[Dim], what: &str) -> PyResult<()> {
    let fits = |(&found, expected): (&usize, &Dim)| match expected {
        Dim::Is(expected) => found == *expected,
        Dim::Any(_) => true,
    };
    if found.len() == expected.len() && found.iter().zip(expected).all(fits) {
        return Ok(());
    }
    let names: Vec<_> = expected
        .iter()
        .map(|dim| match dim {
            Dim::Is(len) => len.to_string(),
            Dim::Any(name) => (*name).to_owned(),
        })
        .collect();
    Err(bad_value(what, format!("shape ({})", names.join(", ")), ShapeText(found)))
}

/// A shape as Python prints it.
pub(crate) struct ShapeText<'a>(pub(crate) &'a [usize]);

impl std::fmt::Display for ShapeText<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lens: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        write!(f, "shape ({}{})", lens.join(", "), if lens.len() == 1 { "," } else { "" })
    }
}

/// Checks that all numbers are finite. An element of the array's first dimension is `per_element`
/// numbers.
pub(crate) fn check_finite(values: &[f32], per_element: usize, what: &str) -> PyResult<()> {
    // Without an early exit, this loop is many times as fast as a search.
    if values.iter().fold(true, |finite, x| finite & (x.abs() < f32::INFINITY)) {
        return Ok(());
    }
    let index = values.iter().position(|x| !x.is_finite()).unwrap_or(0);
    let element = index / per_element.max(1);
    Err(bad_value(what, "finite numbers", format!("{} in element {element}", values[index])))
}

/// An argument of floats that was read: the values, and the shape.
pub(crate) struct Floats<'py> {
    array: PyReadonlyArrayDyn<'py, f32>,
}

impl<'py> Floats<'py> {
    /// Reads finite numbers of any shape.
    pub(crate) fn new(value: &Bound<'py, PyAny>, what: &str) -> PyResult<Self> {
        let floats = Self { array: floats(value, what)? };
        let per_element = floats.shape().iter().skip(1).product();
        check_finite(floats.values()?, per_element, what)?;
        Ok(floats)
    }

    /// Reads finite numbers of this shape.
    pub(crate) fn with_shape(value: &Bound<'py, PyAny>, expected: &[Dim], what: &str) -> PyResult<Self> {
        let floats = Self::new(value, what)?;
        check_shape(floats.shape(), expected, what)?;
        Ok(floats)
    }

    pub(crate) fn shape(&self) -> &[usize] {
        self.array.shape()
    }

    pub(crate) fn values(&self) -> PyResult<&[f32]> {
        Ok(self.array.as_slice()?)
    }

    /// The values as vectors.
    pub(crate) fn vectors(&self) -> PyResult<&[[f32; 3]]> {
        Ok(self.values()?.as_chunks().0)
    }
}

/// A function of numpy.
pub(crate) fn numpy_function<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    static NUMPY: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = NUMPY.get_or_try_init(py, || py.import("numpy").map(Bound::unbind))?;
    module.bind(py).getattr(name)
}

/// A new array of float32 whose contents are unspecified. Raises MemoryError where it does not fit.
pub(crate) fn empty<'py>(py: Python<'py>, shape: &[usize]) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
    let shape = pyo3::types::PyTuple::new(py, shape)?;
    let array = numpy_function(py, "empty")?.call1((shape, "float32"))?;
    Ok(array.cast_into::<PyArrayDyn<f32>>()?)
}

/// A new array of these values.
pub(crate) fn array<'py, T: Element>(
    py: Python<'py>,
    values: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    numpy::PyArray1::from_vec(py, values).reshape(shape.to_vec())
}

/// The caller's array to write to: float32, C-contiguous, writeable, of this shape; or a new one.
pub(crate) fn output<'py>(
    py: Python<'py>,
    out: Option<&Bound<'py, PyAny>>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
    let Some(out) = out else { return empty(py, shape) };
    let array = out.cast::<PyArrayDyn<f32>>().map_err(|_| {
        let found = match out.getattr("dtype") {
            Ok(dtype) => format!("dtype {dtype}"),
            Err(_) => out.get_type().to_string(),
        };
        PyTypeError::new_err(format!("out: expected a numpy array of float32, found {found}"))
    })?;
    let expected: Vec<_> = shape.iter().map(|&len| Dim::Is(len)).collect();
    check_shape(array.shape(), &expected, "out")?;
    if !array.is_c_contiguous() {
        return Err(bad_value("out", "a C-contiguous array", "other strides"));
    }
    Ok(array.clone())
}

/// Exclusive access to an output array.
pub(crate) fn writable<'py>(array: &Bound<'py, PyArrayDyn<f32>>) -> PyResult<PyReadwriteArrayDyn<'py, f32>> {
    array.try_readwrite().map_err(|error| {
        let expected = "a writeable array that overlaps no input and is not in use";
        bad_value("out", expected, error)
    })
}
