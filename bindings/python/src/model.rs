//! A model: immutable, shared by its instances.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use numpy::PyArrayDyn;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sinew_io::BakedModel;

use crate::arrays::array;
use crate::errors::of_file;
use crate::instance::Instance;
use crate::load::LoadOptions;
use crate::lookup::clip_index;
use crate::mesh::Mesh;
use crate::skeleton::Skeleton;

/// Where a model comes from, for pickling.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// A file or a generated scene.
    Path { path: PathBuf, options: LoadOptions },
    /// Bytes or arrays.
    Memory,
}

/// A model: a skeleton, meshes, skins and clips. Made by `load`, `load_bytes` or
/// `model_from_arrays`.
///
/// >>> model = sinew3d.load("@figure")
/// >>> figure = model.instance()
/// >>> figure.play("walk")
/// >>> figure.step(1 / 60)
/// >>> figure.positions.shape == (model.vertex_count, 3)
/// True
#[pyclass(frozen, module = "sinew3d")]
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) inner: sinew::Model,
    pub(crate) source: Source,
    pub(crate) warnings: Vec<String>,
    pub(crate) dropped: Vec<String>,
    /// The geometry at rest, built on first use.
    pub(crate) baked: Arc<OnceLock<BakedModel>>,
}

impl Model {
    pub(crate) fn new(inner: sinew::Model, source: Source) -> Self {
        Self { inner, source, warnings: Vec::new(), dropped: Vec::new(), baked: Arc::default() }
    }

    /// The geometry at rest.
    pub(crate) fn rest_geometry(&self, py: Python<'_>) -> PyResult<&BakedModel> {
        if let Some(baked) = self.baked.get() {
            return Ok(baked);
        }
        let baked = py.detach(|| BakedModel::new(&self.inner)).map_err(of_file)?;
        Ok(self.baked.get_or_init(|| baked))
    }
}

#[pymethods]
impl Model {
    /// The clips, in the order of the file.
    #[getter]
    fn clips(&self) -> Vec<Clip> {
        (0..self.inner.clips().len()).map(|index| Clip::new(&self.inner, index)).collect()
    }

    /// One clip, by name or index.
    fn clip(&self, clip: &Bound<'_, PyAny>) -> PyResult<Clip> {
        Ok(Clip::new(&self.inner, clip_index(&self.inner, clip)?))
    }

    /// The joints. Every node of a file is one.
    #[getter]
    fn skeleton(&self) -> Skeleton {
        Skeleton { inner: self.inner.skeleton().clone() }
    }

    /// The meshes, in the order in which their vertices follow each other in all arrays.
    #[getter]
    fn meshes(&self, py: Python<'_>) -> PyResult<Vec<Mesh>> {
        let baked = self.rest_geometry(py)?;
        let mesh = |(index, of): (usize, &sinew_io::BakedMeshInstance)| Mesh {
            model: self.inner.clone(),
            index,
            name: of.name.clone(),
            vertices: of.vertices.clone(),
            triangles: of.triangles.clone(),
        };
        Ok(baked.mesh_instances().iter().enumerate().map(mesh).collect())
    }

    /// The number of vertices of all meshes.
    #[getter]
    pub(crate) fn vertex_count(&self) -> usize {
        let meshes = 0..self.inner.mesh_instances().len();
        meshes.map(|mesh| self.inner.primitive(mesh).mesh.len()).sum()
    }

    /// The triangles of all meshes, (triangles, 3) of uint32: indices in `positions`,
    /// counter-clockwise seen from the front.
    #[getter]
    pub(crate) fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<u32>>> {
        let triangles = self.rest_geometry(py)?.triangles();
        array(py, triangles.as_flattened().to_vec(), &[triangles.len(), 3])
    }

    /// Texture coordinates, (vertices, 2) of float32 with the origin at the upper left; None if no
    /// mesh has any.
    #[getter]
    pub(crate) fn uv<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArrayDyn<f32>>>> {
        let uv = self.rest_geometry(py)?.texture_coordinates();
        if uv.is_empty() {
            return Ok(None);
        }
        array(py, uv.as_flattened().to_vec(), &[uv.len(), 2]).map(Some)
    }

    /// A new instance at rest: a pose, playbacks and vertices of its own.
    ///
    /// Args:
    ///     dual_quaternion: blend dual quaternions instead of matrices; twisted joints keep their
    ///         volume.
    #[pyo3(signature = (*, dual_quaternion=false))]
    fn instance(slf: Bound<'_, Self>, dual_quaternion: bool) -> PyResult<Instance> {
        Instance::new(slf, dual_quaternion)
    }

    /// What was repaired in the file, a line each.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// What the file has and the model does not keep, a few words each.
    #[getter]
    fn dropped(&self) -> Vec<String> {
        self.dropped.clone()
    }

    /// The file that the model was loaded from, or the name of a generated one; None otherwise.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        match &self.source {
            Source::Path { path, .. } => Some(path.clone()),
            Source::Memory => None,
        }
    }

    /// Pickled by path: another process loads the file again, with the same options.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let Source::Path { path, options } = &self.source else {
            let message = "a model that was not loaded from a path cannot be pickled; save it and load it";
            return Err(PyTypeError::new_err(message));
        };
        let reload = py.import("sinew3d._sinew3d")?.getattr("_reload")?;
        let arguments = (path.clone(), options.to_dict(py)?).into_pyobject(py)?;
        Ok((reload, arguments))
    }

    fn __repr__(&self) -> String {
        let (joints, clips) = (self.inner.skeleton().len(), self.inner.clips().len());
        let of = match &self.source {
            Source::Path { path, .. } => format!(" {:?}", path.display().to_string()),
            Source::Memory => String::new(),
        };
        format!("<sinew3d.Model{of}: {} vertices, {joints} joints, {clips} clips>", self.vertex_count())
    }
}

/// A clip of a model.
///
/// >>> walk = sinew3d.load("@figure").clip("walk")
/// >>> walk.name, walk.duration > 0
/// ('walk', True)
#[pyclass(frozen, module = "sinew3d")]
pub(crate) struct Clip {
    /// The index in `Model.clips`.
    #[pyo3(get)]
    pub(crate) index: usize,
    /// The name, which may be empty.
    #[pyo3(get)]
    name: String,
    /// The time of the first key, in seconds.
    #[pyo3(get)]
    start: f32,
    /// The time of the last key, in seconds.
    #[pyo3(get)]
    end: f32,
    /// The number of animated properties.
    #[pyo3(get)]
    tracks: usize,
    /// The number of keys of all tracks.
    #[pyo3(get)]
    keys: usize,
}

impl Clip {
    fn new(model: &sinew::Model, index: usize) -> Self {
        let clip = &model.clips()[index];
        Self {
            index,
            name: clip.name().to_owned(),
            start: clip.start(),
            end: clip.end(),
            tracks: clip.track_count(),
            keys: clip.key_count(),
        }
    }
}

#[pymethods]
impl Clip {
    /// Seconds from the first key to the last.
    #[getter]
    fn duration(&self) -> f32 {
        self.end - self.start
    }

    fn __repr__(&self) -> String {
        format!("<sinew3d.Clip {:?}: {} to {} s>", self.name, self.start, self.end)
    }
}
