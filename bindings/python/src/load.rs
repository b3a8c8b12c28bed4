//! Loading models from files, from memory and by the names of generated scenes.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::{FloatMode, Runtime};
use sinew_fbx::FbxImporter;
use sinew_io::{
    ClipFile, ExternalFiles, ImageFiles, Import, ImportOptions, KeyTimes, Loader, RepairPolicy, Tangents,
};

use crate::errors::{of_file, refused};
use crate::model::{Model, Source};

/// What `load` was asked for: enough to load the same model in another process.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoadOptions {
    pub(crate) reproducible: bool,
    pub(crate) strict: bool,
    pub(crate) clips: Vec<PathBuf>,
    pub(crate) images: bool,
    pub(crate) tangents: bool,
    pub(crate) repair_times: bool,
    pub(crate) allow_outside: bool,
}

impl LoadOptions {
    fn float_mode(&self) -> FloatMode {
        if self.reproducible { FloatMode::Reproducible } else { FloatMode::Fast }
    }

    fn import_options(&self) -> ImportOptions {
        ImportOptions::default()
            .float_mode(self.float_mode())
            .repairs(if self.strict { RepairPolicy::Refuse } else { RepairPolicy::Repair })
            .key_times(if self.repair_times { KeyTimes::Repair } else { KeyTimes::Refuse })
            .external_files(if self.allow_outside {
                ExternalFiles::Anywhere
            } else {
                ExternalFiles::WithinFolder
            })
            .image_files(if self.images { ImageFiles::Load } else { ImageFiles::KeepUri })
            .tangents(if self.tangents { Tangents::Generate } else { Tangents::AsStored })
            .clips(self.clips.iter().cloned().map(ClipFile::Path).collect())
    }

    /// The keyword arguments of `load`.
    pub(crate) fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        options.set_item("reproducible", self.reproducible)?;
        options.set_item("strict", self.strict)?;
        options.set_item("clips", self.clips.clone())?;
        options.set_item("images", self.images)?;
        options.set_item("tangents", self.tangents)?;
        options.set_item("repair_times", self.repair_times)?;
        options.set_item("allow_outside", self.allow_outside)?;
        Ok(options)
    }
}

/// Loads a model: glTF, GLB, FBX, MD5 or BVH, whatever the name's extension; or a generated one,
/// such as "@figure", "@figure:6890", "@cylinder" or "@twist".
///
/// Files are checked completely, once, here. What can be repaired is, and `model.warnings` lists
/// the repairs. A model is immutable, cheap to share between threads, and pickled by its path.
///
/// Args:
///     path: the file.
///     reproducible: the same bits on every machine, instead of the fastest arithmetic.
///     strict: raise an error for what would be repaired.
///     clips: .md5anim files to add to an MD5 model.
///     images: read images in separate files, which pictures of the model need.
///     tangents: generate missing tangents.
///     repair_times: sort key times that are out of order.
///     allow_outside: open files outside the model's folder that it refers to.
///
/// >>> model = sinew3d.load("@figure")
/// >>> [clip.name for clip in model.clips]
/// ['walk', 'wave']
#[pyfunction]
#[pyo3(signature = (path, *, reproducible=false, strict=false, clips=Vec::new(), images=true,
                    tangents=false, repair_times=false, allow_outside=false))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn load(
    py: Python<'_>,
    path: PathBuf,
    reproducible: bool,
    strict: bool,
    clips: Vec<PathBuf>,
    images: bool,
    tangents: bool,
    repair_times: bool,
    allow_outside: bool,
) -> PyResult<Model> {
    let options = LoadOptions { reproducible, strict, clips, images, tangents, repair_times, allow_outside };
    load_path(py, path, options)
}

/// Loads a model again, as another process does that unpickles it.
#[pyfunction]
#[pyo3(name = "_reload")]
pub(crate) fn reload(py: Python<'_>, path: PathBuf, options: &Bound<'_, PyDict>) -> PyResult<Model> {
    let load = py.import("sinew3d._sinew3d")?.getattr("load")?;
    Ok(load.call((path,), Some(options))?.cast_into::<Model>()?.get().clone())
}

/// Loads a model from the bytes of a file. It cannot refer to other files, and cannot be pickled.
///
/// >>> data = open("fox.glb", "rb").read()  # doctest: +SKIP
/// >>> model = sinew3d.load_bytes(data)  # doctest: +SKIP
#[pyfunction]
#[pyo3(signature = (data, *, reproducible=false, strict=false, tangents=false, repair_times=false))]
pub(crate) fn load_bytes(
    py: Python<'_>,
    data: &[u8],
    reproducible: bool,
    strict: bool,
    tangents: bool,
    repair_times: bool,
) -> PyResult<Model> {
    let options = LoadOptions { reproducible, strict, tangents, repair_times, ..LoadOptions::default() };
    let import = py.detach(|| loader().load_bytes(data, &options.import_options())).map_err(of_file)?;
    Ok(imported(import, Source::Memory))
}

fn load_path(py: Python<'_>, path: PathBuf, options: LoadOptions) -> PyResult<Model> {
    let scene_name = path.to_str().filter(|name| name.starts_with('@')).map(str::to_owned);
    if let Some(name) = scene_name {
        let model = py.detach(|| scene_model(&name, options.float_mode()))?;
        let source = Source::Path { path, options };
        return Ok(Model::new(model, source));
    }
    let import = py.detach(|| loader().load(&path, &options.import_options())).map_err(of_file)?;
    Ok(imported(import, Source::Path { path, options }))
}

fn scene_model(name: &str, float_mode: FloatMode) -> PyResult<sinew::Model> {
    let mut scene = sinew_figures::scene(name).map_err(refused)?;
    scene.skeleton = scene.skeleton.with_runtime(Runtime::new(float_mode).map_err(refused)?);
    scene.model().map_err(refused)
}

fn imported(import: Import, source: Source) -> Model {
    let warnings = import.warnings().iter().map(ToString::to_string).collect();
    Model { warnings, dropped: import.dropped, ..Model::new(import.model, source) }
}

fn loader() -> Loader {
    Loader::default().with(FbxImporter)
}
