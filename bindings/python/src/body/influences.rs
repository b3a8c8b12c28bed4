//! Weights as Python gives them: dense, padded or compressed rows.

use numpy::PyUntypedArrayMethods;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arrays::{Dim, Floats, check_shape, integers};
use crate::errors::bad_value;

/// The weights of all vertices, as compressed rows.
#[derive(Clone, Debug)]
pub(crate) struct Influences {
    /// The number of influences of each vertex.
    pub(crate) counts: Vec<u32>,
    pub(crate) joints: Vec<u32>,
    pub(crate) weights: Vec<f32>,
    /// The shape of the weights as they were given, and of their gradient.
    pub(crate) shape: Vec<usize>,
    /// Whether every joint has a weight, also those that are zero and left out of the rows.
    pub(crate) dense: bool,
}

impl Influences {
    /// All vertices on the first joint.
    pub(crate) fn rigid(vertices: usize) -> Self {
        Self {
            counts: vec![1; vertices],
            joints: vec![0; vertices],
            weights: vec![1.0; vertices],
            shape: vec![vertices],
            dense: false,
        }
    }

    /// Reads one of: a dense matrix; a tuple (indices, weights) of padded rows; a tuple (indptr,
    /// indices, data) or a sparse matrix of compressed rows.
    pub(crate) fn new(value: &Bound<'_, PyAny>, vertices: usize, joints: usize) -> PyResult<Self> {
        let found = if let Ok(parts) = value.cast::<PyTuple>() {
            match parts.len() {
                2 => Self::padded(&parts.get_item(0)?, &parts.get_item(1)?, vertices)?,
                3 => {
                    let [indptr, indices, data] =
                        [parts.get_item(0)?, parts.get_item(1)?, parts.get_item(2)?];
                    Self::compressed(&indptr, &indices, &data, vertices)?
                }
                len => {
                    let expected = "an array, (indices, weights), (indptr, indices, data) or a sparse matrix";
                    return Err(bad_value("weights", expected, format!("a tuple of {len}")));
                }
            }
        } else if value.hasattr("tocsr")? {
            let rows = value.call_method0("tocsr")?;
            let shape: (usize, usize) = rows.getattr("shape")?.extract()?;
            check_shape(&[shape.0, shape.1], &[Dim::Is(vertices), Dim::Is(joints)], "weights")?;
            let [indptr, indices, data] =
                [rows.getattr("indptr")?, rows.getattr("indices")?, rows.getattr("data")?];
            Self::compressed(&indptr, &indices, &data, vertices)?
        } else {
            Self::dense(value, vertices, joints)?
        };
        match found.joints.iter().position(|&joint| joint as usize >= joints) {
            Some(at) => Err(bad_value("weights", format!("joints below {joints}"), found.joints[at])),
            None => Ok(found),
        }
    }

    fn dense(value: &Bound<'_, PyAny>, vertices: usize, joints: usize) -> PyResult<Self> {
        let dense = Floats::with_shape(value, &[Dim::Is(vertices), Dim::Is(joints)], "weights")?;
        let mut found = Self {
            counts: Vec::with_capacity(vertices),
            joints: Vec::new(),
            weights: Vec::new(),
            shape: vec![vertices, joints],
            dense: true,
        };
        for row in dense.values()?.chunks_exact(joints) {
            let before = found.joints.len();
            for (joint, &weight) in row.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
                found.joints.push(joint as u32);
                found.weights.push(weight);
            }
            found.counts.push((found.joints.len() - before) as u32);
        }
        Ok(found)
    }

    fn padded(indices: &Bound<'_, PyAny>, weights: &Bound<'_, PyAny>, vertices: usize) -> PyResult<Self> {
        let indices = integers(indices, "indices of weights")?;
        let row = [Dim::Is(vertices), Dim::Any("influences")];
        check_shape(indices.shape(), &row, "indices of weights")?;
        let width = indices.shape()[1];
        let weights = Floats::with_shape(weights, &[Dim::Is(vertices), Dim::Is(width)], "weights")?;
        Ok(Self {
            counts: vec![width as u32; vertices],
            joints: joint_indices(indices.as_slice()?)?,
            weights: weights.values()?.to_vec(),
            shape: vec![vertices, width],
            dense: false,
        })
    }

    fn compressed(
        indptr: &Bound<'_, PyAny>,
        indices: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
        vertices: usize,
    ) -> PyResult<Self> {
        let indptr = integers(indptr, "indptr of weights")?;
        check_shape(indptr.shape(), &[Dim::Is(vertices + 1)], "indptr of weights")?;
        let indices = integers(indices, "indices of weights")?;
        check_shape(indices.shape(), &[Dim::Any("n")], "indices of weights")?;
        let len = indices.shape()[0];
        let data = Floats::with_shape(data, &[Dim::Is(len)], "data of weights")?;
        let starts = indptr.as_slice()?;
        let ascending = starts.windows(2).all(|pair| pair[0] <= pair[1]);
        if !ascending || starts[0] != 0 || starts[vertices] != len as i64 {
            return Err(bad_value(
                "indptr of weights",
                format!("ascending numbers from 0 to {len}"),
                "others",
            ));
        }
        Ok(Self {
            counts: starts.windows(2).map(|pair| (pair[1] - pair[0]) as u32).collect(),
            joints: joint_indices(indices.as_slice()?)?,
            weights: data.values()?.to_vec(),
            shape: vec![len],
            dense: false,
        })
    }

    /// The influences of a mesh.
    pub(crate) fn source(&self) -> sinew::Influences<'_> {
        sinew::Influences::Variable { counts: &self.counts, joints: &self.joints, weights: &self.weights }
    }
}

fn joint_indices(indices: &[i64]) -> PyResult<Vec<u32>> {
    let joint = |&index: &i64| {
        u32::try_from(index).map_err(|_| bad_value("indices of weights", "indices of joints", index))
    };
    indices.iter().map(joint).collect()
}

/// The parent of each joint: a number below its own, or none for a root.
pub(crate) fn parent_indices(parents: &Bound<'_, PyAny>) -> PyResult<Vec<Option<usize>>> {
    let parents = integers(parents, "parents")?;
    check_shape(parents.shape(), &[Dim::Any("joints")], "parents")?;
    let values = parents.as_slice()?;
    if values.is_empty() {
        return Err(bad_value("parents", "at least one joint", "none"));
    }
    let parent = |(joint, &parent): (usize, &i64)| match usize::try_from(parent) {
        Ok(parent) if parent < joint => Ok(Some(parent)),
        // Files of body models write the root's parent as -1, or as the largest uint32.
        _ if parent == -1 || parent == i64::from(u32::MAX) => Ok(None),
        _ => {
            let what = format!("parents[{joint}]");
            Err(bad_value(&what, "-1 for a root, or a joint before its child", parent))
        }
    };
    values.iter().enumerate().map(parent).collect()
}
