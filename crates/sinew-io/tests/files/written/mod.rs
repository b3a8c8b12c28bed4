//! Documents by rule: random scenes, written as GLB, and where their vertices are in plain `f64`.

pub(crate) mod evaluated;
pub(crate) mod glb;
pub(crate) mod scene;
