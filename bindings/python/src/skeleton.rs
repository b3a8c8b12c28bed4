//! The skeleton of a model.

use numpy::PyArrayDyn;
use pyo3::prelude::*;
use sinew::Matrix;
use sinew::kernels::NO_PARENT;

use crate::arrays::array;
use crate::lookup::joint_id;

/// The joints of a model: names, parents and the rest pose. Every joint comes after its parent.
///
/// >>> skeleton = sinew3d.load("@figure").skeleton
/// >>> len(skeleton) == len(skeleton.names)
/// True
/// >>> skeleton.names[skeleton.index("head")]
/// 'head'
#[pyclass(frozen, module = "sinew3d")]
pub(crate) struct Skeleton {
    pub(crate) inner: sinew::Skeleton,
}

#[pymethods]
impl Skeleton {
    /// The name of each joint.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.inner.joints().map(|joint| self.inner.name(joint)).collect()
    }

    /// The parent of each joint, as an index; -1 for a root. An array (joints,) of int32.
    #[getter]
    fn parents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<i32>>> {
        let parent = |&parent: &u32| if parent == NO_PARENT { -1 } else { parent as i32 };
        array(py, self.inner.parents().iter().map(parent).collect(), &[self.inner.len()])
    }

    /// The rest transform of each joint, relative to its parent, as (joints, 4, 4) of float32.
    #[getter]
    fn rest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let matrices: Vec<_> = self.inner.rest().transforms().map(|transform| transform.matrix()).collect();
        matrices_4x4(py, &matrices)
    }

    /// The index of the joint with this name. Raises sinew3d.Error, with similar names, if there is
    /// none.
    fn index(&self, joint: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(joint_id(&self.inner, joint)?.index())
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn __repr__(&self) -> String {
        format!("<sinew3d.Skeleton of {} joints>", self.inner.len())
    }
}

/// Matrices as an array (n, 4, 4) that transforms column vectors: `m @ [x, y, z, 1]`.
pub(crate) fn matrices_4x4<'py>(
    py: Python<'py>,
    matrices: &[Matrix],
) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
    let mut values = vec![0.0; 16 * matrices.len()];
    copy_4x4(matrices, &mut values);
    array(py, values, &[matrices.len(), 4, 4])
}

/// Writes matrices as 4 x 4 numbers, row by row.
pub(crate) fn copy_4x4(matrices: &[Matrix], to: &mut [f32]) {
    for (matrix, to) in matrices.iter().zip(to.as_chunks_mut::<16>().0) {
        let (rows, _) = to.as_chunks_mut::<4>();
        rows[..3].copy_from_slice(&matrix.rows);
        rows[3] = [0.0, 0.0, 0.0, 1.0];
    }
}
