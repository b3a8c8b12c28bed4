//! Code that several tests share: models, meshes and rigs of test, references in `f64`, and checks.

pub(crate) mod backends;
pub(crate) mod bounds_check;
pub(crate) mod guarded_output;
pub(crate) mod joints;
pub(crate) mod limb_chains;
pub(crate) mod matrices;
pub(crate) mod one_vertex_model;
pub(crate) mod posed_figure;
pub(crate) mod poses;
pub(crate) mod random_rigs;
pub(crate) mod scene_cache;
pub(crate) mod shadow_oracle;
pub(crate) mod test_crowd;
pub(crate) mod test_meshes;
pub(crate) mod three_vertices;
pub(crate) mod triangle_meshes;
pub(crate) mod vec3_f32;
pub(crate) mod vec3_f64;
pub(crate) mod vertex_cloud;
