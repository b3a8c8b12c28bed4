//! What the tests share: test data, random inputs, and independent evaluations in `f64`.

pub(crate) mod data;
pub(crate) mod glb_reader;
pub(crate) mod glb_writer;
pub(crate) mod md5;
pub(crate) mod mutations;
pub(crate) mod pose_model;
pub(crate) mod random_scene;
pub(crate) mod scene_oracle;
pub(crate) mod temp_folder;
