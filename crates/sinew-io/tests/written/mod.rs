//! Documents by rule: random scenes, written as GLB, and where their vertices are in plain `f64`.

#![allow(dead_code, reason = "each test file uses some of these")]

pub(crate) mod evaluated;
pub(crate) mod glb;
pub(crate) mod scene;
