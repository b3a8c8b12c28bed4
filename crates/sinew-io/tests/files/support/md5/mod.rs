//! MD5 models: random ones with an evaluation in `f64`, and skinning through the library.

pub(crate) mod random_model;
pub(crate) mod skin_model;
