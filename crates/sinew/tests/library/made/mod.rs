//! Figures by rule, each made once: in an emulator that takes seconds.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use sinew::Model;

/// What was made under each name.
pub(crate) type Made<T> = Mutex<BTreeMap<String, T>>;

/// What a name stands for.
pub(crate) fn once<T: Clone>(made: &Made<T>, name: &str, make: impl FnOnce() -> T) -> T {
    // A test that failed while it made something has put nothing in.
    let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
    made.entry(name.to_owned()).or_insert_with(make).clone()
}

/// The model of a scene.
pub(crate) fn model(name: &str) -> Model {
    static MADE: Made<Model> = Made::new(BTreeMap::new());
    once(&MADE, name, || sinew_figures::scene(name).expect("a scene").model().expect("a sound model"))
}
