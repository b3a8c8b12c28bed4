//! A mesh of a model: its place in the arrays of an instance, and what skins it.

use numpy::PyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PySlice;
use sinew::mesh::Attributes;

use crate::arrays::array;
use crate::errors::refused;
use crate::skeleton::matrices_4x4;

/// A mesh of a model. `vertices` and `triangles` are its slices of the instance's arrays.
///
/// >>> model = sinew3d.load("@figure")
/// >>> mesh = model.meshes[0]
/// >>> model.instance().positions[mesh.vertices].shape == mesh.rest_positions.shape
/// True
#[pyclass(frozen, module = "sinew3d")]
pub(crate) struct Mesh {
    pub(crate) model: sinew::Model,
    pub(crate) index: usize,
    pub(crate) name: String,
    pub(crate) vertices: std::ops::Range<usize>,
    pub(crate) triangles: std::ops::Range<usize>,
}

impl Mesh {
    fn mesh(&self) -> &sinew::Mesh {
        &self.model.primitive(self.index).mesh
    }

    fn skin(&self) -> &sinew::Skin {
        &self.model.skins()[self.model.mesh_instances()[self.index].skin]
    }
}

#[pymethods]
impl Mesh {
    /// The name of the mesh's node in the file.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Its vertices in the arrays of an instance.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> Bound<'py, PySlice> {
        PySlice::new(py, self.vertices.start as isize, self.vertices.end as isize, 1)
    }

    /// Its triangles in the arrays of an instance.
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> Bound<'py, PySlice> {
        PySlice::new(py, self.triangles.start as isize, self.triangles.end as isize, 1)
    }

    /// The name of its material; None if it has none.
    #[getter]
    fn material(&self) -> Option<&str> {
        self.model.primitive(self.index).material.map(|material| &*self.model.materials()[material].name)
    }

    /// Positions before skinning, (vertices, 3) of float32.
    #[getter]
    fn rest_positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let positions = self.mesh().rest(Attributes::Positions).unwrap_or_default();
        let len = positions.len();
        array(py, positions.into_flattened(), &[len, 3])
    }

    /// The joints of its skin, as indices in the skeleton: (skin joints,) of int32.
    #[getter]
    fn joints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<i32>>> {
        let joints: Vec<_> = self.skin().joints().map(|joint| joint.index() as i32).collect();
        let len = joints.len();
        array(py, joints, &[len])
    }

    /// The inverse bind matrix of each joint of its skin, (skin joints, 4, 4) of float32.
    #[getter]
    fn inverse_binds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        matrices_4x4(py, self.skin().inverse_binds())
    }

    /// The weights as rows of a sparse matrix (vertices x skin joints): indptr, indices, data, as
    /// `scipy.sparse.csr_matrix((data, indices, indptr))` takes them.
    fn influences<'py>(&self, py: Python<'py>) -> PyResult<Csr<'py>> {
        let data = self.mesh().influences();
        let mut indptr = vec![0_i64];
        let mut total = 0;
        for count in &data.counts {
            total += i64::from(*count);
            indptr.push(total);
        }
        let (rows, len) = (indptr.len(), data.weights.len());
        let indices: Vec<_> = data.joints.iter().map(|&joint| joint as i32).collect();
        Ok((array(py, indptr, &[rows])?, array(py, indices, &[len])?, array(py, data.weights, &[len])?))
    }

    /// The weights as a dense matrix, (vertices, skin joints) of float32.
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let (vertices, joints) = (self.mesh().len(), self.mesh().skin_len());
        let Some(elements) = vertices.checked_mul(joints).filter(|&len| len < 1 << 32) else {
            return Err(refused("the dense matrix would be too large; take influences()"));
        };
        let mut dense = vec![0.0; elements];
        let data = self.mesh().influences();
        let mut first = 0;
        for (vertex, &count) in data.counts.iter().enumerate() {
            for influence in first..first + count as usize {
                dense[vertex * joints + data.joints[influence] as usize] += data.weights[influence];
            }
            first += count as usize;
        }
        array(py, dense, &[vertices, joints])
    }

    /// The names of its morph targets.
    #[getter]
    fn morph_names(&self) -> Vec<&str> {
        self.mesh().morph_names().collect()
    }

    fn __len__(&self) -> usize {
        self.vertices.len()
    }

    fn __repr__(&self) -> String {
        let (vertices, triangles) = (self.vertices.len(), self.triangles.len());
        format!("<sinew3d.Mesh {:?} of {vertices} vertices and {triangles} triangles>", self.name)
    }
}

/// Rows, columns and values of a sparse matrix.
type Csr<'py> = (Bound<'py, PyArrayDyn<i64>>, Bound<'py, PyArrayDyn<i32>>, Bound<'py, PyArrayDyn<f32>>);
