//! A cache of generated scenes: building one takes seconds in an emulator.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use sinew::Model;

/// Values by the name of their scene.
pub(crate) type Cache<T> = Mutex<BTreeMap<String, T>>;

/// Returns a clone of the cached value; builds it at the first call with this name.
pub(crate) fn get_or_build<T: Clone>(cache: &Cache<T>, name: &str, build: impl FnOnce() -> T) -> T {
    // A test that panicked in `build` has inserted nothing.
    let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
    cache.entry(name.to_owned()).or_insert_with(build).clone()
}

/// The model of a scene.
pub(crate) fn scene_model(name: &str) -> Model {
    static CACHE: Cache<Model> = Cache::new(BTreeMap::new());
    get_or_build(&CACHE, name, || {
        sinew_figures::scene(name).expect("a scene").model().expect("a valid model")
    })
}
