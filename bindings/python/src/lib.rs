//! The Python package `sinew3d`: models, instances and batched skinning over numpy arrays.
//!
//! Every function follows one pattern. Arguments become checked slices while Python's lock is held;
//! the computation runs without the lock, on plain Rust data; results are numpy arrays. Docstrings
//! and type stubs of what Python sees are here and in `python/sinew3d/_sinew3d.pyi`.

mod arrays;
mod bake;
mod body;
mod cast;
mod errors;
mod from_arrays;
mod instance;
mod interrupts;
mod load;
mod lookup;
mod mesh;
mod model;
mod output_array;
mod render;
mod skeleton;
mod write;

/// The compiled part of `sinew3d`. Use the names of the package itself.
// The lock is needed: arrays are reused when no reference to them is left.
#[pyo3::pymodule(gil_used = true)]
mod _sinew3d {
    #[pymodule_export]
    use super::body::BodyModel;
    #[pymodule_export]
    use super::errors::Error;
    #[pymodule_export]
    use super::from_arrays::model_from_arrays;
    #[pymodule_export]
    use super::instance::{Instance, Playback};
    #[pymodule_export]
    use super::load::{load, load_bytes, reload};
    #[pymodule_export]
    use super::mesh::Mesh;
    #[pymodule_export]
    use super::model::{Clip, Model};
    #[pymodule_export]
    use super::skeleton::Skeleton;
}
